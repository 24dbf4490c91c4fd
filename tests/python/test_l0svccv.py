"""The choice of C and gamma: that of GridSearchCV by rule="best", and what else it can do."""

import pickle
import time

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from conftest import exact_product, noisy
from hinge0 import L0SVC, L0SVCCV, _core
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import f1_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    LeaveOneGroupOut,
    ParameterGrid,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

GRID = {"C": [0.5, 2.0, 8.0, 32.0], "gamma": [0.03, 0.3, 3.0]}
FOLDS = StratifiedKFold(4, shuffle=True, random_state=3)


def split_scores(search):
    results = search.cv_results_
    return np.array([results[f"split{s}_test_score"] for s in range(search.n_splits_)])


def assert_same_search(ours, theirs):
    np.testing.assert_allclose(split_scores(ours), split_scores(theirs), rtol=1e-12)
    assert ours.best_params_ == theirs.best_params_
    assert ours.best_index_ == theirs.best_index_
    assert ours.best_score_ == pytest.approx(theirs.best_score_)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"kernel": "laplacian", "class_weight": {0: 2.0}},
        {"kernel": "poly", "degree": 2, "coef0": 1.0},
        {"kernel": "linear"},
        {"kernel": "imq", "beta": 1.5},
        {"kernel": "wendland"},
        {"kernel": "exponential", "search": "full"},
        {"kernel": exact_product},
        {"loss": "hinge"},
        {"hinge_share": 1.0, "keep_margin": 0.0},
    ],
    ids=str,
)
def test_the_choice_is_that_of_grid_search(data, parameters):
    has_gamma = parameters.get("kernel", "rbf") not in ("linear", "imq", exact_product)
    grid = GRID if has_gamma else {"C": GRID["C"]}
    theirs = GridSearchCV(L0SVC(**parameters), grid, cv=FOLDS).fit(*data)
    ours = L0SVCCV(grid, cv=FOLDS, rule="best", race=False, **parameters).fit(*data)
    assert_same_search(ours, theirs)
    assert len(np.unique(ours.cv_results_["mean_test_score"])) > 1  # there was something to choose
    h = theirs.best_estimator_.decision_function(data[0])
    assert np.array_equal(ours.decision_function(data[0]), h)
    assert ours.best_estimator_.get_params() == theirs.best_estimator_.get_params()


def test_racing_changes_no_choice_here(data):
    theirs = GridSearchCV(L0SVC(), GRID, cv=FOLDS).fit(*data)
    ours = L0SVCCV(GRID, cv=FOLDS, rule="best").fit(*data)
    assert ours.best_params_ == theirs.best_params_
    X, y = noisy(600)
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    grid = {"C": [0.5, 4.0], "gamma": [1e-4, 0.3, 30.0]}
    raced, all_tried = (
        L0SVCCV(grid, cv=cv, rule="best", race=race).fit(X, y) for race in (True, False)
    )
    assert np.isnan(split_scores(raced)).any()
    assert not np.isnan(split_scores(all_tried)).any()
    assert raced.best_params_ == all_tried.best_params_
    assert np.isfinite(raced.cv_results_["mean_test_score"]).all()
    for scoring in ("roc_auc", "matthews_corrcoef"):  # a race of accuracies would be unfair
        other = L0SVCCV(grid, cv=cv, scoring=scoring).fit(X, y)
        assert not np.isnan(split_scores(other)).any()


def test_columns_are_those_of_grid_search(data):
    theirs = GridSearchCV(L0SVC(), GRID, cv=FOLDS).fit(*data).cv_results_
    ours = L0SVCCV(GRID, cv=FOLDS, rule="best", race=False).fit(*data).cv_results_
    assert set(ours) - set(theirs) == {"mean_support_vectors"}
    assert set(theirs) <= set(ours)
    for name in ("mean_test_score", "std_test_score", "rank_test_score"):
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-12)
        assert ours[name].dtype == theirs[name].dtype
    assert ours["params"] == theirs["params"] == list(ParameterGrid(GRID))
    for name in ("param_C", "param_gamma"):
        assert isinstance(ours[name], np.ma.MaskedArray)
        assert ours[name].tolist() == theirs[name].tolist()
    assert (ours["mean_fit_time"] > 0).all()
    assert len(pd.DataFrame(ours)) == 12


def test_support_vectors_are_those_of_the_folds(data):
    X, y = data
    model = L0SVCCV(GRID, cv=FOLDS, race=False).fit(X, y)
    counts = [
        len(L0SVC(C=2.0, gamma=0.3).fit(X[train], y[train]).support_)
        for train, _ in FOLDS.split(X, y)
    ]
    cell = model.cv_results_["params"].index({"C": 2.0, "gamma": 0.3})
    assert model.cv_results_["mean_support_vectors"][cell] == np.mean(counts)


def test_default_grid(data):
    X, y = data
    model = L0SVCCV(cv=2).fit(X, y)
    C, gamma = (np.unique(model.cv_results_[f"param_{name}"]) for name in ("C", "gamma"))
    assert C.tolist() == [2.0**k for k in range(-1, 10)]
    np.testing.assert_allclose(gamma * X.shape[1] * X.var(), [2.0**k for k in range(-7, 4)])
    linear = L0SVCCV(cv=2, kernel="linear").fit(X, y)
    assert "param_gamma" not in linear.cv_results_
    assert list(linear.best_params_) == ["C"]
    assert len(linear.cv_results_["params"]) == 11


def test_values_are_sorted_and_words_are_resolved(data):
    X, y = data
    scale, auto = 1 / (X.shape[1] * X.var()), 1 / X.shape[1]
    model = L0SVCCV({"C": (8, 2, 2.0), "gamma": ["scale", 9.0, "auto", 9]}, cv=2).fit(X, y)
    assert np.unique(model.cv_results_["param_C"]).tolist() == [2.0, 8.0]
    gammas = np.unique(model.cv_results_["param_gamma"])
    np.testing.assert_allclose(gammas, sorted([scale, 9.0, auto]))
    only_C = L0SVCCV({"C": np.array([1.0, 4.0])}, cv=2).fit(X, y)
    assert only_C.best_params_["gamma"] == pytest.approx(scale)
    only_gamma = L0SVCCV({"gamma": np.array([0.1, 1.0])}, cv=2).fit(X, y)
    assert only_gamma.best_params_["C"] == L0SVC().C


def test_grid_of_one_cell(data):
    X, y = data
    for rule in ("smooth", "small", "best", "1se"):
        model = L0SVCCV({}, rule=rule).fit(X, y)
        assert model.best_index_ == 0
        assert np.array_equal(model.predict(X), L0SVC().fit(X, y).predict(X))
        assert model.cv_results_["rank_test_score"].tolist() == [1]


@pytest.mark.parametrize(
    ("scoring", "metric"),
    [(None, "accuracy"), ("balanced_accuracy",) * 2, ("f1",) * 2, ("roc_auc",) * 2],
)
def test_scores_of_the_library(data, scoring, metric, monkeypatch):
    ours = L0SVCCV(GRID, cv=FOLDS, rule="best", race=False, scoring=scoring).fit(*data)
    assert_same_search(ours, GridSearchCV(L0SVC(), GRID, cv=FOLDS, scoring=metric).fit(*data))
    scorer = sklearn.metrics.get_scorer(metric)
    assert ours.score(*data) == pytest.approx(scorer(ours.best_estimator_, *data))
    assert ours.score(*data, sample_weight=1 + data[1]) == pytest.approx(
        scorer(ours.best_estimator_, *data, sample_weight=1 + data[1])
    )


def test_brier_score(data):
    """Of one sigmoid; what rows that were not tuned on would say is near it."""
    model = L0SVCCV(GRID, cv=FOLDS, scoring="neg_brier_score").fit(*data)
    scores = model.cv_results_["mean_test_score"]
    assert np.all((scores <= 0) & (scores > -0.3))
    assert -0.3 < model.score(*data) <= 0
    with pytest.raises(ValueError, match="as many decision values"):
        _core.score("brier", np.ones(3, np.int8), np.ones(2))
    with pytest.raises(ValueError, match="predict_proba"):
        L0SVCCV(GRID, cv=3, scoring="neg_brier_score").fit(data[0], np.arange(len(data[1])) % 3)


def own_scorer(estimator, X, y):
    """Asks for all that there is, and for X itself."""
    assert isinstance(X, pd.DataFrame)
    assert estimator.classes_.tolist() == [0, 1]
    values, labels = estimator.decision_function(X), estimator.predict(X)
    return float(np.mean((labels == y) * (1 + (X["a"] > 0)))) + 0 * values.sum()


@pytest.mark.parametrize("scoring", ["average_precision", "matthews_corrcoef", own_scorer])
def test_every_other_scorer(data, scoring):
    X, y = pd.DataFrame(data[0], columns=["a", "b", "c"]), data[1]
    ours = L0SVCCV(GRID, cv=FOLDS, rule="best", scoring=scoring).fit(X, y)
    assert_same_search(ours, GridSearchCV(L0SVC(), GRID, cv=FOLDS, scoring=scoring).fit(X, y))
    assert ours.feature_names_in_.tolist() == ["a", "b", "c"]
    assert ours.best_estimator_.feature_names_in_.tolist() == ["a", "b", "c"]
    assert np.isfinite(ours.score(X, y))


def test_f1_is_of_the_second_class(data):
    X, y = data[0], np.array(["good", "poor"])[data[1]]
    model = L0SVCCV(GRID, scoring="f1").fit(X, y)
    numbers = L0SVCCV(GRID, scoring="f1").fit(*data)
    assert model.best_score_ == numbers.best_score_
    assert model.score(X, y) == f1_score(y, model.predict(X), pos_label="poor")


def test_scorers_that_ask_too_much(data):
    for scoring, message in [
        ("neg_log_loss", "classes_, predict and, of two .* predict_proba"),
        (lambda estimator, X, y: len(estimator.support_), "has no attribute 'support_'"),
        (lambda estimator, X, y: estimator.predict(X[:3]).mean(), "its own X only"),
        (lambda estimator, X, y: estimator.predict(X[::-1]).mean(), "its own X only"),
        (lambda estimator, X, y: {"one": 1.0}, "one number, got {'one': 1.0}"),
        (lambda estimator, X, y: np.nan, "all are NaN"),
    ]:
        with pytest.raises(ValueError, match=message):
            L0SVCCV(GRID, cv=2, scoring=scoring).fit(*data)


def test_precomputed_kernel(data):
    X, y = data
    K = exact_product(X, X)
    grid = {"C": GRID["C"]}
    for scoring in (None, "average_precision"):
        theirs = GridSearchCV(L0SVC(kernel="precomputed"), grid, cv=FOLDS, scoring=scoring)
        ours = L0SVCCV(
            grid, cv=FOLDS, scoring=scoring, rule="best", race=False, kernel="precomputed"
        )
        assert_same_search(ours.fit(K, y), theirs.fit(K, y))
        by_callable = clone(ours).set_params(kernel=exact_product).fit(X, y)
        assert_same_search(by_callable, ours)
        assert np.array_equal(by_callable.predict(X[:9]), ours.predict(K[:9]))
    assert cross_val_score(ours, K, y, cv=3, scoring="accuracy").mean() > 0.7


def test_sparse_rows(data):
    X, y = data
    rows = sp.csr_matrix(np.where(np.abs(X) < 0.4, 0, X))
    for scoring in ("roc_auc", "average_precision"):
        theirs = GridSearchCV(L0SVC(), GRID, cv=FOLDS, scoring=scoring).fit(rows, y)
        ours = L0SVCCV(GRID, cv=FOLDS, scoring=scoring, rule="best").fit(rows, y)
        assert_same_search(ours, theirs)


def test_groups_and_lists_of_splits(data):
    X, y = data
    groups = np.arange(len(y)) % 6
    options = {"rule": "best", "race": False}
    theirs = GridSearchCV(L0SVC(), GRID, cv=GroupKFold(3)).fit(X, y, groups=groups)
    assert_same_search(L0SVCCV(GRID, cv=GroupKFold(3), **options).fit(X, y, groups=groups), theirs)
    pairs = list(GroupKFold(3).split(X, y, groups))
    masks = [(np.isin(np.arange(len(y)), train), test) for train, test in pairs]
    for cv in (pairs, masks, (pair for pair in pairs)):
        assert_same_search(L0SVCCV(GRID, cv=cv, **options).fit(X, y), theirs)
    six = L0SVCCV(GRID, cv=LeaveOneGroupOut(), **options).fit(X, y, groups=groups)
    assert six.n_splits_ == 6


def test_own_folds_are_stratified_and_seeded(data):
    X, y = data
    seen = []

    def spy(*args, real=_core.cross_validate, **options):
        seen.append(options["splits"])
        return real(*args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_core, "cross_validate", spy)
        for random_state in (None, 0, 1, np.random.RandomState(5)):
            L0SVCCV({}, cv=4, n_repeats=2, random_state=random_state).fit(X, y)
    tested = [[test.tolist() for _, test in splits] for splits in seen]
    assert tested[0] == tested[1] != tested[2]
    for fold in tested[0]:
        assert abs(y[fold].mean() - y.mean()) < 0.04
    for half in (tested[0][:4], tested[0][4:]):
        assert np.array_equal(np.sort(np.concatenate(half)), np.arange(len(y)))
    assert tested[0][:4] != tested[0][4:]
    again = np.random.RandomState(5).randint(2**31 - 1)
    assert L0SVCCV({}, random_state=np.random.RandomState(5)).fit(X, y).best_estimator_.get_params(
    )["random_state"] == again  # fmt: skip


def test_rules(data):
    """The library's own words for them are tested there; here, that they come through."""
    tried = {
        rule: L0SVCCV(GRID, rule=rule, race=False, n_repeats=1).fit(*data)
        for rule in ("best", "1se")
    }
    best, sparse = tried["best"], tried["1se"]
    scores = best.cv_results_["mean_test_score"]
    assert best.best_index_ == np.argmax(scores)
    enough = scores.max() - split_scores(best)[:, best.best_index_].std(ddof=1) / np.sqrt(5)
    support = np.where(scores >= enough, best.cv_results_["mean_support_vectors"], np.inf)
    assert sparse.best_index_ == np.argmin(support) != best.best_index_
    smooth = L0SVCCV(GRID, rule="smooth", race=False, n_repeats=1).fit(*data)
    merit = smooth.cv_results_["merit"].reshape(4, 3)
    table = scores.reshape(4, 3)
    corner = (4 * table[0, 0] + 2 * table[0, 1] + 2 * table[1, 0] + table[1, 1]) / 9
    size = smooth.cv_results_["mean_support_vectors"][0]
    assert merit[0, 0] == pytest.approx(corner - 0.001 * np.log2(1 + size))
    assert smooth.best_index_ == np.nanargmax(merit)  # NaN: C was too small
    assert smooth.best_score_ == scores[smooth.best_index_]


def test_consensus_asks_the_best_cells(data):
    """Python's scorer and the library's give the same votes, agreements and choice."""

    def accuracy(estimator, X, y):
        return np.mean(estimator.predict(X) == y)

    models = [L0SVCCV(GRID, race=False, scoring=s).fit(*data) for s in (None, accuracy)]
    merits = [model.cv_results_["merit"] for model in models]
    np.testing.assert_allclose(*merits, rtol=0, atol=1e-12)
    assert models[0].best_params_ == models[1].best_params_
    assert models[0].best_index_ == np.nanargmax(merits[0])  # NaN: C was too small
    scores, support = (
        models[0].cv_results_[name] for name in ("mean_test_score", "mean_support_vectors")
    )
    agreements = 2 * (merits[0] + 0.001 * np.log2(1 + support)) - scores
    assert np.nanmax(agreements) <= 1 + 1e-12
    assert (agreements > scores).any()  # the data has wrong labels, which nobody agrees with


def test_one_standard_error_of_large_scores(data):
    """Scores above 3 outran the merits of the cells that had few enough support vectors."""

    def percent(estimator, X, y):
        return 100 * np.mean(estimator.predict(X) == y)

    options = {"rule": "1se", "race": False}
    in_percent = L0SVCCV(GRID, scoring=percent, **options).fit(*data)
    assert in_percent.best_params_ == L0SVCCV(GRID, **options).fit(*data).best_params_


def test_max_support_vectors_of_other_cells(data):
    """Where it was said how thin, the best of the cells that are small enough."""
    free = L0SVCCV(GRID, thin=0.0).fit(*data)
    most = len(free.best_estimator_.support_) - 1
    small = L0SVCCV(GRID, thin=0.0, max_support_vectors=most).fit(*data)
    assert 0 < len(small.best_estimator_.support_) <= most
    merit = small.cv_results_["merit"]
    better = [cell for k, cell in enumerate(small.cv_results_["params"])
              if merit[k] > merit[small.best_index_]]  # fmt: skip
    assert better
    assert all(len(L0SVC(**cell, thin=0.0).fit(*data).support_) > most for cell in better)
    assert small.best_params_ == small.cv_results_["params"][small.best_index_]
    with pytest.raises(ValueError, match=r"at most 1 support vectors; the smallest has about \d+"):
        L0SVCCV(GRID, thin=0.0, max_support_vectors=1).fit(*data)


def test_max_support_vectors_of_the_best_cell(data):
    """It is thinned out, and no more than it must be."""
    free = L0SVCCV(GRID).fit(*data)
    most = len(free.best_estimator_.support_) - 1
    small = L0SVCCV(GRID, max_support_vectors=most).fit(*data)
    assert "thin" not in free.best_params_
    assert small.best_index_ == free.best_index_
    thin = small.best_params_["thin"]
    assert {**free.best_params_, "thin": thin} == small.best_params_
    assert small.best_estimator_.thin == thin
    assert len(L0SVC(**small.best_params_).fit(*data).support_) <= most
    less = {**small.best_params_, "thin": round(thin - 0.1, 1)}
    assert thin == 0.2 or len(L0SVC(**less).fit(*data).support_) > most
    assert small.verify(*data)["local_minimum"]
    with pytest.raises(ValueError, match=r"at most 1 support vectors; the smallest has about \d+"):
        L0SVCCV(GRID, max_support_vectors=1).fit(*data)


def test_max_support_vectors_of_a_fit_that_is_stopped(data):
    """Which has few support vectors because it is not done: the next fit, and the next cell,
    were stopped too, and then it was said that no cell has so few.
    """
    most = len(L0SVCCV(GRID).fit(*data).best_estimator_.support_) // 3
    stages = []

    def stop(progress):
        stages.append(progress["stage"])
        return progress["stage"] != "tune"

    with pytest.raises(RuntimeError, match="stopped before a classifier was small enough"):
        L0SVCCV(GRID, max_support_vectors=most).fit(*data, callback=stop)
    assert len([stage for stage in stages if stage != "tune"]) == 1


def test_max_support_vectors_without_time(data):
    def slow(progress):
        if progress["stage"] != "tune":
            time.sleep(2.1)

    with pytest.raises(RuntimeError, match="time limit was reached before a classifier was small"):
        L0SVCCV(GRID, max_support_vectors=2, time_limit=2).fit(*data, callback=slow)


def test_weights_go_into_the_fits_and_not_into_the_scores(data):
    X, y = data
    weight = np.where(np.arange(len(y)) % 3 == 0, 4.0, 1.0)
    model = L0SVCCV(GRID, cv=FOLDS, race=False).fit(X, y, weight)
    cell = {"C": 2.0, "gamma": 0.3}
    expected = [
        L0SVC(**cell).fit(X[train], y[train], weight[train]).score(X[test], y[test])
        for train, test in FOLDS.split(X, y)
    ]
    found = split_scores(model)[:, model.cv_results_["params"].index(cell)]
    np.testing.assert_allclose(found, expected)
    plain = L0SVCCV(GRID, cv=FOLDS, race=False).fit(X, y)
    assert not np.array_equal(split_scores(plain), split_scores(model))
    assert model.verify(X, y, weight)["objective_agrees"]
    assert not model.verify(X, y)["objective_agrees"]


def test_scale_counts_the_weights(data):
    X, y = data
    weight = np.repeat([1.0, 3.0], 60)
    model = L0SVCCV({"gamma": ["scale"]}, cv=2).fit(X, y, weight)
    told = L0SVC().fit(X, y, weight).report_["kernel"]["gamma"]
    assert model.best_params_["gamma"] == told != 1 / (X.shape[1] * X.var())


def test_balanced_classes_are_counted_once(data):
    X, y = data
    balanced = L0SVCCV(GRID, class_weight="balanced", race=False).fit(X, y)
    weights = dict(enumerate(len(y) / (2 * np.bincount(y))))
    assert_same_search(balanced, L0SVCCV(GRID, class_weight=weights, race=False).fit(X, y))


def test_threads_change_no_bit(data):
    one, two = (L0SVCCV(GRID, n_jobs=n_jobs).fit(*data) for n_jobs in (1, 2))
    assert np.array_equal(split_scores(one), split_scores(two), equal_nan=True)
    assert one.best_params_ == two.best_params_
    assert np.array_equal(one.decision_function(data[0]), two.decision_function(data[0]))


def test_without_refit(data):
    X, y = data
    full = L0SVCCV(GRID).fit(X, y)
    assert full.refit_time_ > 0
    model = clone(full).set_params(refit=False).fit(X, y)
    assert model.best_params_ == full.best_params_
    for name in ("best_estimator_", "report_", "refit_time_", "n_iter_"):
        assert hasattr(full, name)
        assert not hasattr(model, name)
        assert not hasattr(full.set_params(refit=False).fit(X, y), name)
        full.set_params(refit=True).fit(X, y)
    for call in (model.predict, model.decision_function):
        with pytest.raises(NotFittedError, match="refit=False"):
            call(X)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        L0SVCCV().predict(X)


def test_in_a_pipeline(data):
    X, y = data[0] * [1.0, 10.0, 100.0], data[1]
    model = make_pipeline(StandardScaler(), L0SVCCV(GRID)).fit(X, y)
    scaled = StandardScaler().fit_transform(X)
    assert model[-1].best_params_ == L0SVCCV(GRID).fit(scaled, y).best_params_
    assert model.score(X, y) > 0.8
    assert cross_val_score(model, X, y, cv=3).mean() > 0.7


def test_copies(data):
    X, y = data
    model = L0SVCCV(GRID, cv=FOLDS, scoring="average_precision").fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    assert again.score(X, y) == model.score(X, y)
    assert again.cv_results_["params"] == model.cv_results_["params"]
    fresh = clone(model)
    assert fresh.get_params()["scoring"] == "average_precision"
    assert not hasattr(fresh, "cv_results_")


def test_parameters_are_those_of_l0svc():
    """A parameter that one of the two gains, or a default that changes, must not be forgotten."""
    ours, theirs = L0SVCCV().get_params(), L0SVC().get_params()
    assert set(theirs) - set(ours) == {"C", "gamma"}
    assert all(ours[name] == theirs[name] for name in set(ours) & set(theirs))

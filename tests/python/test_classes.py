"""Many classes: SVC's layout and conventions, with SVC itself as oracle for the hinge loss."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hinge0 import L0SVC, L0SVCCV
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC


@pytest.fixture(scope="module")
def blobs():
    X, y = make_blobs(240, centers=5, n_features=3, cluster_std=3.0, random_state=4)
    return X, np.array(list("edcba"))[y]


SHAPES = [("ovo", False), ("ovr", False), ("ovr", True)]


@pytest.mark.parametrize(("shape", "ties"), SHAPES)
def test_the_hinge_loss_is_svc(blobs, shape, ties):
    X, y = blobs
    common = {"C": 2.0, "gamma": 0.1, "decision_function_shape": shape, "break_ties": ties}
    theirs = SVC(tol=1e-9, **common).fit(X, y)
    ours = L0SVC(loss="hinge", tol=1e-9, **common).fit(X, y)
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), rtol=0, atol=1e-4
    )
    assert (ours.predict(X) == theirs.predict(X)).all()
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=0, atol=1e-4)
    assert ours.dual_coef_.shape[0] == theirs.dual_coef_.shape[0] == 4
    assert len(ours.n_support_) == 5


def test_the_linear_kernel_has_weights(blobs):
    X, y = blobs
    theirs = SVC(kernel="linear", tol=1e-9).fit(X, y)
    ours = L0SVC(kernel="linear", loss="hinge", C=1.0, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-3)
    rest = L0SVC(kernel="linear", loss="hinge", C=1.0, multi_class="ovr").fit(X, y)
    assert rest.coef_.shape == (5, 3)
    values = X @ rest.coef_.T + rest.intercept_
    np.testing.assert_allclose(rest.decision_function(X), values, atol=1e-9)


def test_one_against_the_rest(blobs):
    X, y = blobs
    ours = L0SVC(multi_class="ovr", gamma=0.1).fit(X, y)
    wrapped = OneVsRestClassifier(L0SVC(gamma=0.1)).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), wrapped.decision_function(X), atol=1e-9)
    assert (ours.predict(X) == wrapped.predict(X)).all()
    assert ours.dual_coef_.shape == (5, len(ours.support_))


@pytest.mark.parametrize("multi_class", ["ovo", "ovr"])
def test_every_pair_is_certified(blobs, multi_class):
    X, y = blobs
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    model = L0SVC(multi_class=multi_class, class_weight="balanced").fit(X, y, weight)
    assert model.report_["certificate"]["local_minimum"]
    found = model.verify(X, y, weight)
    assert found["local_minimum"] and found["objective_agrees"]
    assert len(found["pairs"]) == len(model.report_["pairs"]) == len(model.intercept_)
    assert found["pairs"][0]["classes"][1] == ("a" if multi_class == "ovr" else "b")
    assert set(model.violators_) <= set(range(len(y)))


@pytest.mark.parametrize("multi_class", ["ovo", "ovr"])
def test_other_forms_of_the_same_data(blobs, multi_class):
    X, y = blobs
    model = L0SVC(multi_class=multi_class, gamma=0.1).fit(X, y)
    expected = model.decision_function(X)
    again = pickle.loads(pickle.dumps(model))
    assert (again.decision_function(X) == expected).all()
    sparse = L0SVC(multi_class=multi_class, gamma=0.1).fit(sp.csr_matrix(X), y)
    np.testing.assert_allclose(sparse.decision_function(sp.csr_matrix(X)), expected, atol=1e-7)
    K = rbf_kernel(X, gamma=0.1)
    given = L0SVC(multi_class=multi_class, kernel="precomputed").fit(K, y)
    np.testing.assert_allclose(given.decision_function(K), expected, atol=1e-6)
    assert given.verify(K, y)["local_minimum"]
    named = L0SVC(multi_class=multi_class, kernel=lambda A, B: rbf_kernel(A, B, gamma=0.1))
    np.testing.assert_allclose(named.fit(X, y).decision_function(X), expected, atol=1e-6)
    assert named.verify(X, y)["local_minimum"]


def test_threads_and_predictions_of_parts(blobs):
    X, y = blobs
    one = L0SVC(n_jobs=1).fit(X, y)
    three = L0SVC(n_jobs=3).fit(X, y)
    assert (one.dual_coef_ == three.dual_coef_).all()
    assert (one.predict(X[:7]) == one.predict(X)[:7]).all()


def test_changed_attributes_are_told(blobs):
    X, y = blobs
    for name, value in [
        ("dual_coef_", lambda m: m.dual_coef_[:2]),
        ("n_support_", lambda m: m.n_support_ + 1),
        ("intercept_", lambda m: m.intercept_[:3]),
        ("classes_", lambda m: m.classes_[::-1]),
    ]:
        model = L0SVC().fit(X, y)
        setattr(model, name, value(model))
        with pytest.raises(ValueError, match="attribute"):
            model.predict(X)


def test_cross_validation_is_grid_search():
    X, y = load_iris(return_X_y=True)
    grid = {"C": [0.5, 4.0, 32.0], "gamma": [0.05, 0.5]}
    folds = StratifiedKFold(4, shuffle=True, random_state=1)
    for options in ({}, {"multi_class": "ovr"}):
        for scoring in (None, "balanced_accuracy", "f1_macro"):
            theirs = GridSearchCV(L0SVC(**options), grid, cv=folds, scoring=scoring).fit(X, y)
            ours = L0SVCCV(grid, cv=folds, scoring=scoring, rule="best", race=False, **options).fit(
                X, y
            )
            np.testing.assert_allclose(
                ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"]
            )
            assert (ours.predict(X) == ours.best_estimator_.predict(X)).all()
    tuned = L0SVCCV().fit(X, y)
    assert tuned.score(X, y) > 0.95
    assert tuned.decision_function(X).shape == (150, 3)
    with pytest.raises(ValueError, match=r"f1|multiclass"):
        L0SVCCV(grid, scoring="f1").fit(X, y)


def test_what_is_refused(blobs):
    X, y = blobs
    with pytest.raises(ValueError, match="break_ties must be False"):
        L0SVC(break_ties=True, decision_function_shape="ovo").fit(X, y)
    with pytest.raises(ValueError, match="'start' is for two classes"):
        L0SVC(start=SVC().fit(X, y)).fit(X, y)
    with pytest.raises(ValueError, match="no sample of class 'c'"):
        L0SVC().fit(X, y, (y != "c").astype(float))
    model = L0SVC().fit(X, y)
    with pytest.raises(ValueError, match="labels that the fit did not have"):
        model.verify(X, np.where(y == "a", "z", y))
    with pytest.raises(ValueError, match="trained on"):
        model.verify(X[:-1], y[:-1])

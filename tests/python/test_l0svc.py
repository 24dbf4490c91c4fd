"""What a fit leaves behind, and what it refuses."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import noisy
from hinge0 import L0SVC, _core
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.svm import SVC


def test_attributes_are_those_of_svc(data):
    X, y = data
    model, svc = L0SVC().fit(X, y), SVC().fit(X, y)
    for name in ("support_", "support_vectors_", "n_support_", "dual_coef_", "intercept_",
                 "classes_", "class_weight_", "shape_fit_", "n_features_in_",
                 "n_iter_"):  # fmt: skip
        ours, theirs = getattr(model, name), getattr(svc, name)
        assert type(ours) is type(theirs), name
        assert np.ndim(ours) == np.ndim(theirs), name
        assert getattr(ours, "dtype", None) == getattr(theirs, "dtype", None), name
    assert model.fit_status_ == 0
    assert (np.diff(y[model.support_]) >= 0).all()  # class by class
    assert model.n_support_.tolist() == np.bincount(y[model.support_]).tolist()
    assert np.array_equal(model.support_vectors_, X[model.support_])


def test_decision_function_is_what_the_attributes_say(data):
    X, y = data
    model = L0SVC(gamma=0.5).fit(X, y)
    K = np.exp(-0.5 * ((X[:, None] - model.support_vectors_) ** 2).sum(axis=2))
    h = K @ model.dual_coef_[0] + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), h, atol=1e-10)
    assert np.array_equal(model.predict(X), (h > 0).astype(int))


def test_every_fit_is_a_certified_local_minimum(data):
    X, y = data
    for C, search in itertools.product((0.5, 2.0, 8.0), ("none", "full")):
        model = L0SVC(C=C, search=search).fit(X, y)
        assert model.report_["certificate"]["local_minimum"]
        assert model.report_["search"] == search
        assert model.report_["one_opt"] or search == "none"
        on_margin = np.abs(model.decision_function(X[model.support_]))
        np.testing.assert_allclose(on_margin, 1, atol=1e-8)


def test_a_full_search_lowers_the_objective(data):
    first, lowest = (L0SVC(search=search).fit(*data) for search in ("none", "full"))
    assert lowest.report_["objective"] < first.report_["objective"]


def test_violators_are_the_samples_given_up(data):
    X, y = data
    model = L0SVC(C=2.0).fit(X, y)
    margin = np.where(y == 1, 1, -1) * model.decision_function(X)
    assert np.array_equal(model.violators_, np.flatnonzero(margin < 1 - 1e-6))
    assert len(model.violators_) == model.report_["violators"] > 0


def test_verify_sees_other_data(data):
    X, y = data
    model = L0SVC().fit(X, y)
    assert model.verify(X, y)["objective_agrees"]
    assert not model.verify(X, 1 - y)["objective_agrees"]
    with pytest.raises(ValueError, match="the model was trained on 120 rows"):
        model.verify(X[:50], y[:50])
    with pytest.raises(ValueError, match="labels that the fit did not have: \\[2\\]"):
        model.verify(X, y + 1)


def test_linear_coef(data):
    X, y = data
    model = L0SVC(kernel="linear").fit(X, y)
    h = X @ model.coef_[0] + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), h, atol=1e-10)
    sparse = L0SVC(kernel="linear").fit(sp.csr_matrix(X), y)
    np.testing.assert_allclose(np.asarray(sparse.coef_), model.coef_, atol=1e-8)
    with pytest.raises(AttributeError, match="only available with kernel='linear'"):
        L0SVC().fit(X, y).coef_  # noqa: B018
    assert not hasattr(L0SVC(), "coef_")


def test_callable_kernel_is_the_kernel(data):
    X, y = data

    def kernel(A, B):
        product = A @ B.T
        return (1 + 0.5 * (product.toarray() if sp.issparse(product) else product)) ** 2

    # One minimum: the start alone may keep other samples where the last bits of K differ.
    ours = L0SVC(kernel="poly", degree=2, gamma=0.5, coef0=1.0, search="full").fit(X, y)
    model = L0SVC(kernel=kernel, search="full").fit(X, y)
    np.testing.assert_allclose(model.decision_function(X[:9]), ours.decision_function(X[:9]))
    assert model.verify(X, y)["local_minimum"]
    sparse = L0SVC(kernel=kernel, search="full").fit(sp.csr_matrix(X), y)
    np.testing.assert_allclose(sparse.decision_function(sp.csr_matrix(X[:9])),
                               ours.decision_function(X[:9]))  # fmt: skip
    with pytest.raises(ValueError, match="matrix of shape \\(120, 3\\) instead of \\(120, 120\\)"):
        L0SVC(kernel=lambda A, B: A).fit(X, y)


def test_constant_classifier_is_warned_about():
    same = np.zeros((6, 2))
    for kernel in ("rbf", lambda A, B: np.ones((A.shape[0], B.shape[0]))):
        with pytest.warns(UserWarning, match="the classifier is constant") as seen:
            model = L0SVC(kernel=kernel).fit(same, [0, 1, 1, 1, 0, 1])
        assert [warning.filename for warning in seen] == [__file__]
        assert model.support_.size == 0
        assert model.decision_function(same).tolist() == [1.0] * 6
        assert model.verify(same, [0, 1, 1, 1, 0, 1])["objective_agrees"]


def test_notes_are_no_warnings(data):
    """One grid search had 8,000 lines about constant classifiers that were not returned."""
    model = L0SVC(C=1e-3).fit(*data)  # pytest makes warnings errors
    assert model.support_.size > 0
    assert "constant classifier has the lower objective" in model.report_["notes"][0]


def test_a_missing_certificate_is_warned_about(data, monkeypatch):
    def uncertified(*args, fit=_core.fit, **options):
        result = fit(*args, **options)
        result["report"]["certificate"]["local_minimum"] = False
        return result

    monkeypatch.setattr(_core, "fit", uncertified)
    with pytest.warns(ConvergenceWarning, match="without the certificate of a local minimum"):
        model = L0SVC().fit(*data)
    assert model.fit_status_ == 0
    L0SVC(loss="hinge").fit(*data)  # says by its status whether it converged


def test_not_converged_is_warned_about(data):
    X, y = data
    with pytest.warns(ConvergenceWarning, match="status max_iterations after 5 iterations"):
        model = L0SVC(solver="admm", max_iter=5).fit(X, y)
    assert model.fit_status_ == 1
    assert model.n_iter_.tolist() == [5]
    assert len(model.trace_["proximal"]) == 5


def test_time_limit(big):
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        model = L0SVC(n_starts=1000, time_limit=1.0).fit(*big)
    assert model.report_["seconds"]["total"] < 10  # 1000 starts would take minutes
    assert model.report_["status"] == "time_limit"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": -1}, "The 'C' parameter of L0SVC must be a float in the range \\(0"),
        ({"kernel": "sigmoid"}, "The 'kernel' parameter of L0SVC must be a str among"),
        ({"gamma": "wide"}, "The 'gamma' parameter"),
        ({"gamma": 0.0}, "The 'gamma' parameter"),
        ({"degree": 0}, "The 'degree' parameter"),
        ({"loss": "ramp"}, "The 'loss' parameter"),
        ({"solver": "smo"}, "The 'solver' parameter"),
        ({"start": "zero"}, "The 'start' parameter"),
        ({"search": "deep"}, "The 'search' parameter"),
        ({"hinge_share": 0.0}, "The 'hinge_share' parameter"),
        ({"keep_margin": 1.0}, "The 'keep_margin' parameter"),
        ({"thin": 1.0}, "The 'thin' parameter"),
        ({"n_starts": 0}, "The 'n_starts' parameter"),
        ({"iota": 1.7}, "The 'iota' parameter"),
        ({"time_limit": 0}, "The 'time_limit' parameter"),
        ({"class_weight": "even"}, "The 'class_weight' parameter"),
        ({"solver": "admm", "start": "admm"}, "belongs to solver='exact'"),
        ({"n_jobs": 0}, "n_jobs == 0"),
        ({"kernel": "imq", "coef0": 0.0}, "kernel coef0 must be a positive number, got 0"),
        ({"class_weight": {0: 0.0, 1: 1.0}}, "class weight must be a positive number, got 0"),
    ],
)
def test_wrong_parameters(data, parameters, message):
    with pytest.raises(ValueError, match=message):
        L0SVC(**parameters).fit(*data)


def test_memory_is_refused_before_it_is_taken(big):
    with pytest.raises(MemoryError, match="need"):
        L0SVC(memory_limit=1e5).fit(*big)


def test_kernel_matrices_that_are_none(data):
    X, y = data
    with pytest.raises(ValueError, match="must be square"):
        L0SVC(kernel="precomputed").fit(X, y)
    K = X @ X.T
    K[0, 1] += 1
    with pytest.raises(ValueError, match="not symmetric"):
        L0SVC(kernel="precomputed").fit(K, y)
    with pytest.raises(ValueError, match="positive"):
        L0SVC(kernel="precomputed").fit(-X @ X.T, y)


def test_not_fitted():
    X, _ = noisy(5)
    with pytest.raises(NotFittedError):
        L0SVC().predict(X)
    with pytest.raises(NotFittedError):
        L0SVC().verify(X, X[:, 0])


@pytest.mark.parametrize("values", [np.ones(3), np.ones((120, 2)), np.full(120, np.nan), [], None])
def test_a_start_that_is_none(data, values):
    class Start:
        def decision_function(self, X):
            return values

    with pytest.raises(ValueError, match="the start must be 120 finite numbers"):
        L0SVC(start=Start()).fit(*data)


def test_random_state(data):
    X, y = data
    one = L0SVC(n_starts=2, random_state=np.random.RandomState(3)).fit(X, y)
    two = L0SVC(n_starts=2, random_state=np.random.RandomState(3)).fit(X, y)
    assert np.array_equal(one.dual_coef_, two.dual_coef_)

"""Copies, files, clones, names, routing: what scikit-learn's tools do with an estimator."""

import copy
import io
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from hinge0 import L0SVC
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


@pytest.fixture(params=["dense", "sparse", "precomputed"])
def model(request, data):
    X, y = data
    if request.param == "sparse":
        return L0SVC().fit(sp.csr_matrix(X), y), X
    if request.param == "precomputed":
        return L0SVC(kernel="precomputed").fit(X @ X.T, y), X @ X.T
    return L0SVC().fit(X, y), X


def joblib_copy(model):
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)), joblib_copy]
)
def test_copies_predict_the_same_bits(model, duplicate):
    original, X = model
    again = duplicate(original)
    assert np.array_equal(again.decision_function(X), original.decision_function(X))
    assert again.report_ == original.report_


def plain(value):
    """Arrays and builtins only: what skops stores without trusting any type."""
    if isinstance(value, dict):
        return all(plain(item) for item in [*value, *value.values()])
    if isinstance(value, list | tuple):
        return all(plain(item) for item in value)
    return type(value) in (int, float, bool, str, type(None), np.ndarray) or sp.issparse(value)


def test_state_is_arrays_and_builtins(model):
    state = model[0].__getstate__()
    assert [name for name, value in state.items() if not plain(value)] == []


def test_an_assigned_attribute_counts_at_once(model):
    """The C++ model of a fit is kept, but not beyond the attributes it was made from."""
    original, X = model
    h = original.decision_function(X)
    kept = original._model
    assert np.array_equal(original.decision_function(X), h)
    assert original._model is kept
    original.dual_coef_, original.intercept_ = -original.dual_coef_, -original.intercept_
    assert np.array_equal(original.decision_function(X), -h)
    assert np.array_equal(pickle.loads(pickle.dumps(original)).decision_function(X), -h)


def test_parameters_set_after_a_fit_wait_for_the_next_one(data):
    """C, loss and kernel of a fit are in its report; verify took them from the parameters."""
    X, y = data
    model = L0SVC(C=2.0).fit(X, y)
    h = model.decision_function(X)
    model.set_params(C=9.0, loss="hinge", kernel=lambda A, B: A @ B.T)
    assert np.array_equal(model.decision_function(X), h)
    assert model.verify(X, y)["objective_agrees"]


def test_skops(model, tmp_path):
    skops = pytest.importorskip("skops.io")
    original, X = model
    skops.dump(original, tmp_path / "model.skops")
    trusted = ["hinge0._l0svc.L0SVC", "scipy.sparse._csr.csr_matrix"]
    again = skops.load(tmp_path / "model.skops", trusted=trusted)
    assert np.array_equal(again.decision_function(X), original.decision_function(X))


def test_clone_keeps_parameters(data):
    model = L0SVC(C=3.0, kernel="imq", coef0=2.0, class_weight={0: 2.0}).fit(*data)
    again = clone(model)
    assert again.get_params() == model.get_params()
    assert not hasattr(again, "support_")


def test_feature_names(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = L0SVC().fit(frame, y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert np.array_equal(model.predict(frame), model.predict(frame.copy()))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c"]])


@pytest.mark.parametrize(
    "labels", [np.array(["good", "bad"]), np.array([True, False]), np.array([-1.5, 2.0]),
               np.array(["x", "y"], dtype=object)],
)  # fmt: skip
def test_labels_of_any_type(data, labels):
    X, y = data
    labels = np.sort(labels)
    if labels.dtype == float:
        labels = labels.round()
    model = L0SVC().fit(X, labels[y])
    assert model.classes_.dtype == labels.dtype
    assert np.array_equal(model.predict(X) == labels[1], L0SVC().fit(X, y).predict(X) == 1)
    assert model.verify(X, labels[y])["local_minimum"]


def test_metadata_routing(data):
    X, y = data
    weight = np.linspace(0.5, 2, len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        model = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            L0SVC().set_fit_request(sample_weight=True).set_score_request(sample_weight=True),
        )
        routed = model.fit(X, y, sample_weight=weight)
        scores = cross_validate(model, X, y, params={"sample_weight": weight}, cv=3)
    alone = L0SVC().fit(StandardScaler().fit_transform(X), y, weight)
    assert np.array_equal(routed[-1].dual_coef_, alone.dual_coef_)
    assert scores["test_score"].mean() > 0.7


def test_meta_estimators(data):
    X, y = data
    grid = {"l0svc__C": [0.5, 2.0], "l0svc__gamma": ["scale", 0.3]}
    search = GridSearchCV(make_pipeline(StandardScaler(), L0SVC()), grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.7
    assert BaggingClassifier(L0SVC(), n_estimators=3, random_state=0).fit(X, y).score(X, y) > 0.8
    calibrated = CalibratedClassifierCV(L0SVC(), ensemble=False, cv=3).fit(X, y)
    assert ((calibrated.predict_proba(X) > 0.5)[:, 1] == y).mean() > 0.7
    K = X @ X.T
    scores = cross_validate(L0SVC(kernel="precomputed"), K, y, cv=3)["test_score"]
    linear = cross_validate(L0SVC(kernel="linear"), X, y, cv=3)["test_score"]
    np.testing.assert_allclose(scores, linear, atol=0.05)


def test_a_frozen_start_survives_cloning(data):
    frozen = pytest.importorskip("sklearn.frozen")
    start = frozen.FrozenEstimator(L0SVC(C=0.5).fit(*data))
    search = GridSearchCV(L0SVC(start=start), {"C": [1.0, 2.0]}, cv=2).fit(*data)
    assert search.best_score_ > 0.7


def test_html_repr(data):
    html = L0SVC(C=7.0).fit(*data)._repr_html_()
    assert "L0SVC" in html


def test_tags():
    model = L0SVC()
    if hasattr(sklearn.utils, "get_tags"):
        tags = sklearn.utils.get_tags(model)
        assert tags.input_tags.sparse
        assert tags.classifier_tags.multi_class
        assert not tags.input_tags.pairwise
        assert sklearn.utils.get_tags(L0SVC(kernel="precomputed")).input_tags.pairwise
    assert "binary_only" not in model._more_tags()

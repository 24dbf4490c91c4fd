"""A weight of 2 is the sample twice, a weight of 0 is no sample, and order means nothing."""

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import noisy
from hinge0 import L0SVC
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.filterwarnings("ignore")


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    loss=st.sampled_from(["l0", "hinge", "squared-hinge"]),
    kernel=st.sampled_from(["rbf", "linear", "laplacian"]),
    class_weight=st.sampled_from([None, "balanced", {0: 2.0}]),
    sparse=st.booleans(),
)
def test_weights_are_repetition(seed, loss, kernel, class_weight, sparse):
    rng = np.random.default_rng(seed)
    X, y = noisy(25, seed=seed)
    weight = rng.integers(0, 4, len(y))
    weight[:2] = 2  # so that some weight is not 1
    y[:2] = 0, 1
    order = rng.permutation(len(y))
    wrap = sp.csr_matrix if sparse else np.asarray
    settings = {"loss": loss, "kernel": kernel, "class_weight": class_weight, "C": 2.0}
    repeated = L0SVC(**settings).fit(wrap(X.repeat(weight, axis=0)), y.repeat(weight))
    weighted = L0SVC(**settings).fit(wrap(X[order]), y[order], weight[order])
    h = repeated.decision_function(X)
    np.testing.assert_allclose(weighted.decision_function(X), h, rtol=1e-9, atol=1e-9)
    assert weighted.report_["objective"] == pytest.approx(repeated.report_["objective"], rel=1e-9)
    assert weighted.verify(X[order], y[order], weight[order])["objective_agrees"]
    assert repeated.verify(X.repeat(weight, axis=0), y.repeat(weight))["objective_agrees"]


@pytest.mark.parametrize("kernel", ["rbf", "precomputed", lambda A, B: (1 + A @ B.T) ** 2])
@pytest.mark.parametrize("solver", ["exact", "admm"])
def test_zero_weight_is_no_sample(data, kernel, solver):
    X, y = data
    weight = (np.arange(len(y)) % 3 > 0).astype(float)
    keep = weight > 0
    rows = X @ X.T + np.eye(len(y)) if kernel == "precomputed" else X
    part = rows[np.ix_(keep, keep)] if kernel == "precomputed" else X[keep]
    weighted = L0SVC(kernel=kernel, solver=solver).fit(rows, y, weight)
    alone = L0SVC(kernel=kernel, solver=solver).fit(part, y[keep])
    assert np.array_equal(weighted.support_, np.flatnonzero(keep)[alone.support_])
    assert np.array_equal(weighted.dual_coef_, alone.dual_coef_)
    assert np.array_equal(weighted.violators_, np.flatnonzero(keep)[alone.violators_])
    assert weighted.report_["train_accuracy"] == alone.report_["train_accuracy"]
    assert weighted.verify(rows, y, weight)["objective_agrees"]


def test_weights_of_one_change_nothing(data):
    X, y = data
    plain, ones = L0SVC().fit(X, y), L0SVC().fit(X, y, np.ones(len(y)))
    assert np.array_equal(plain.dual_coef_, ones.dual_coef_)


def test_weights_are_prices(data):
    X, y = data
    weight = np.where(y == 1, 5.0, 1.0)
    weighted = L0SVC(C=1.0, gamma=1.0).fit(X, y, weight)
    by_class = L0SVC(C=1.0, gamma=1.0, class_weight={1: 5.0}).fit(X, y)
    assert weighted.report_["certificate"]["local_minimum"]
    assert weighted.report_["constant_objective"] == by_class.report_["constant_objective"]
    given_up = weight[weighted.violators_].sum()
    report = weighted.report_
    assert report["objective"] == pytest.approx(report["half_norm_squared"] + given_up)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (-np.ones(120), "Negative values in sample_weight"),
        (np.zeros(120), "zero"),
        (np.ones(119), "sample_weight.shape == \\(119,\\), expected \\(120,\\)"),
    ],
)
def test_wrong_weights(data, weight, message):
    with pytest.raises(ValueError, match=message):
        L0SVC().fit(*data, weight)


def test_weights_that_leave_one_class(data):
    X, y = data
    with pytest.raises(ValueError, match="only 1 class among the samples with positive weight"):
        L0SVC().fit(X, y, (y == 1).astype(float))

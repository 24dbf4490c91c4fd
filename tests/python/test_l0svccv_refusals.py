"""L0SVCCV: what it does not take, in one clear line each."""

import numpy as np
import pytest
from conftest import exact_product
from hinge0 import L0SVC, L0SVCCV, _core
from sklearn.model_selection import (
    GroupKFold,
)

GRID = {"C": [0.5, 2.0, 8.0, 32.0], "gamma": [0.03, 0.3, 3.0]}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"param_grid": {"C": []}}, "param_grid\\['C'\\] has no values"),
        ({"param_grid": {"C": [1.0, -1.0]}}, "must hold positive numbers, got -1.0"),
        ({"param_grid": {"C": [np.nan]}}, "must hold positive numbers, got nan"),
        ({"param_grid": {"C": [np.inf]}}, "must hold positive numbers, got inf"),
        ({"param_grid": {"C": ["scale"]}}, "must hold positive numbers, got 'scale'"),
        ({"param_grid": {"C": [True]}}, "must hold positive numbers, got True"),
        ({"param_grid": {"gamma": [0.0]}}, "positive numbers or 'scale' or 'auto', got 0.0"),
        ({"param_grid": {"gamma": ["wide"]}}, "'scale' or 'auto', got 'wide'"),
        ({"param_grid": {"gamma": [[1.0, 2.0]]}}, "'scale' or 'auto', got \\[1.0, 2.0\\]"),
        ({"param_grid": {"gamma": "scale"}}, "must be a list of values, got 'scale'"),
        ({"param_grid": {"C": 4.0}}, "must be a list of values, got 4.0"),
        ({"param_grid": {"degree": [2]}}, "may have the keys 'C' and 'gamma', got \\['degree'\\]"),
        ({"param_grid": {"gamma": [1.0]}, "kernel": "linear"}, "the kernel has no gamma"),
        ({"param_grid": {"gamma": [1.0]}, "kernel": exact_product}, "the kernel has no gamma"),
        ({"param_grid": [{"C": [1.0]}]}, "The 'param_grid' parameter of L0SVCCV"),
        ({"cv": 1}, "The 'cv' parameter of L0SVCCV"),
        ({"cv": 500}, "too few for 500 folds"),
        ({"cv": []}, "cv gives no split"),
        ({"cv": [([0, 1], [2])], "n_repeats": 2}, "belongs to a number of folds"),
        ({"cv": [([0, 999], [2])]}, "Split 1 of cv has indices that are not in 0 .. 119"),
        ({"cv": [([-1, 5], [2])]}, "Split 1 of cv has indices that are not in 0 .. 119"),
        ({"cv": [([0.0, 1.0], [2])]}, "must be two arrays of indices"),
        ({"cv": [(np.arange(60), [])]}, "Split 1 of cv has no samples to test"),
        ({"cv": [([*range(60), 3], [70])]}, "Split 1 of cv trains on a sample twice"),
        ({"rule": "worst"}, "The 'rule' parameter of L0SVCCV"),
        ({"scoring": "beauty"}, "The 'scoring' parameter of L0SVCCV"),
        ({"scoring": ["f1", "accuracy"]}, "The 'scoring' parameter of L0SVCCV"),
        ({"max_support_vectors": 0}, "The 'max_support_vectors' parameter of L0SVCCV"),
        ({"max_support_vectors": 9, "refit": False}, "needs refit=True"),
        ({"refit": "roc_auc"}, "The 'refit' parameter of L0SVCCV"),
        ({"n_repeats": 0}, "The 'n_repeats' parameter of L0SVCCV"),
        ({"start": L0SVC()}, "The 'start' parameter of L0SVCCV"),
        ({"kernel": "sigmoid"}, "The 'kernel' parameter of L0SVCCV"),
        ({"kernel": "imq", "coef0": 0.0}, "kernel coef0 must be a positive number, got 0"),
    ],
    ids=str,
)
def test_wrong_parameters(data, parameters, message):
    with pytest.raises(ValueError, match=message) as told:
        L0SVCCV(**parameters).fit(*data)
    assert "\n" not in str(told.value)


def test_wrong_data(data):
    X, y = data
    with pytest.raises(
        ValueError, match="class False has 3 rows, too few for 5 folds: use at most 3"
    ):
        L0SVCCV(GRID).fit(X, np.arange(len(y)) < 117)
    one_class = [(np.flatnonzero(y == 0), np.flatnonzero(y == 1))]
    with pytest.raises(ValueError, match="training part of split 1 of cv has only 1 class"):
        L0SVCCV(GRID, cv=one_class).fit(X, y)
    halves = [(np.arange(60), np.arange(60, 120)), (np.arange(60, 120), np.arange(60))]
    weight = np.where((np.arange(120) >= 60) & (y == 1), 0.0, 1.0)
    with pytest.raises(ValueError, match="training part of split 2 of cv has only 1 class"):
        L0SVCCV(GRID, cv=halves).fit(X, y, weight)
    with pytest.raises(ValueError, match="NaN"):
        L0SVCCV(GRID).fit(np.where(X > 2, np.nan, X), y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        L0SVCCV(GRID, cv=GroupKFold(2)).fit(X, y, groups=[1, 2])
    with pytest.raises(ValueError, match="'consensus' is for two classes"):
        L0SVCCV(GRID, rule="consensus").fit(X, np.arange(len(y)) % 3)
    with pytest.raises(MemoryError, match="need"):
        L0SVCCV(GRID, memory_limit=1e4).fit(X, y)


@pytest.mark.parametrize("scores", [np.ones((3, 2)), np.ones((2, 0)), np.ones((0, 2))])
def test_the_binding_refuses_tables_that_do_not_fit(scores):
    with pytest.raises(ValueError, match="a row for every cell"):
        zeros = np.zeros(2)
        _core.rank(scores, scores, scores, zeros, C=np.ones(2), gamma=zeros[:0], metric="auc",
                   classes=2, rule="best")  # fmt: skip
    with pytest.raises(ValueError, match="no rule or metric 'worst'"):
        ones = np.ones((2, 2))
        zeros = np.zeros(2)
        _core.rank(ones, ones, ones, zeros, C=np.ones(2), gamma=np.ones(0), metric="auc",
                   classes=2, rule="worst")  # fmt: skip

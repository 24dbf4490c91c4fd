"""Pictures: what is drawn where, and what cannot be drawn."""

import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from conftest import noisy
from hinge0 import L0SVC, L0SVCCV, plot
from matplotlib import pyplot
from matplotlib.axes import Axes
from sklearn.exceptions import NotFittedError


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


def offsets(ax, label):
    """Where the points with this label in the legend stand."""
    (found,) = [part for part in ax.collections if str(part.get_label()).startswith(label)]
    return np.asarray(found.get_offsets())


def test_boundary_of_two_features():
    X, y = noisy(80, features=2)
    model = L0SVC(C=2.0).fit(X, y)
    ax = plot.decision_boundary(model, X, y, resolution=40)
    assert isinstance(ax, Axes)
    np.testing.assert_array_equal(offsets(ax, "support vectors"), X[model.support_])
    np.testing.assert_array_equal(offsets(ax, "given up"), X[model.violators_])
    np.testing.assert_array_equal(offsets(ax, "0"), X[y == 0])
    assert ax.get_xlabel() == "feature 0"


def test_boundary_of_two_chosen_features(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = L0SVC().fit(frame, y)
    _, given = pyplot.subplots()
    ax = plot.decision_boundary(model, frame, y, features=(2, 1), ax=given, resolution=20)
    assert ax is given
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("c", "b")
    np.testing.assert_array_equal(offsets(ax, "1"), X[y == 1][:, [2, 1]])
    rows = sp.csr_matrix(X)
    plot.decision_boundary(L0SVC().fit(rows, y), rows, y, resolution=20)


def test_what_has_no_boundary_to_draw(data):
    X, y = data
    model = L0SVC().fit(X, y)
    with pytest.raises(ValueError, match=r"two of 0 \.\. 2, got"):
        plot.decision_boundary(model, X, y, features=(0, 3))
    with pytest.raises(ValueError, match="features of the fit"):
        plot.decision_boundary(model, X[:, :2], y)
    with pytest.raises(ValueError, match="precomputed"):
        plot.decision_boundary(L0SVC(kernel="precomputed").fit(X @ X.T, y), X @ X.T, y)
    with pytest.raises(NotFittedError):
        plot.decision_boundary(L0SVC(), X, y)


def test_search_trace(data):
    model = L0SVC(C=2.0, n_starts=3).fit(*data)
    ax = plot.search_trace(model)
    seen, best, returned = ax.get_lines()
    np.testing.assert_array_equal(seen.get_ydata(), model.trace_["objective"])
    assert (np.diff(best.get_ydata()) <= 0).all()
    assert returned.get_ydata()[0] == model.report_["objective"]
    assert best.get_ydata()[-1] == pytest.approx(model.report_["objective"])


def test_traces_of_algorithm_1(data):
    model = L0SVC(loss="hinge", solver="admm").fit(*data)
    (iterates, _) = plot.search_trace(model).get_lines()
    assert len(iterates.get_ydata()) == model.n_iter_[0]
    *lines, tolerance = plot.residuals(model).get_lines()
    assert len(lines) == 4
    assert tolerance.get_ydata()[0] == model.tol
    np.testing.assert_array_equal(lines[2].get_ydata(), model.trace_["feasibility"])


def test_what_has_no_trace_to_draw(data):
    with pytest.raises(ValueError, match="Algorithm 1 did not run"):
        plot.residuals(L0SVC().fit(*data))
    with pytest.warns(UserWarning, match="constant"):
        constant = L0SVC().fit(np.zeros((4, 2)), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="took no step"):
        plot.search_trace(constant)


def test_boundary_of_a_tuned_classifier():
    X, y = noisy(80, features=2)
    model = L0SVCCV({"C": [1.0, 4.0]}, cv=2).fit(X, y)
    ax = plot.decision_boundary(model, X, y, resolution=20)
    np.testing.assert_array_equal(offsets(ax, "support vectors"), X[model.best_estimator_.support_])


def test_tuning(data):
    grid = {"C": [0.5, 2.0, 8.0, 32.0], "gamma": [0.1, 1.0, 3.0]}
    model = L0SVCCV(grid, race=False).fit(*data)
    axes = plot.tuning(model)
    for ax, column in zip(axes, ("mean_test_score", "mean_support_vectors"), strict=True):
        cells = ax.collections[0]
        drawn = np.asarray(cells.get_array()).ravel()
        np.testing.assert_array_equal(drawn, model.cv_results_[column])
        chosen = [[model.best_params_["gamma"], model.best_params_["C"]]]
        np.testing.assert_array_equal(offsets(ax, "chosen"), chosen)
        assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("gamma", "C")
        edges = np.asarray(cells.get_coordinates())
        assert (np.diff(edges[0, :, 0]) > 0).all()
        assert (edges[0, :-1, 0] < grid["gamma"]).all()
        assert (grid["gamma"] < edges[0, 1:, 0]).all()
        assert (edges[:-1, 0, 1] < grid["C"]).all()
        assert (grid["C"] < edges[1:, 0, 1]).all()
        assert f"chosen: {model.cv_results_[column][model.best_index_]:.4g}" in ax.get_title()
    assert axes[0].get_title().startswith("mean score")


def test_tuning_of_a_kernel_without_gamma(data):
    _, given = pyplot.subplots(1, 2)
    model = L0SVCCV({"C": [2.0]}, kernel="linear", refit=False).fit(*data)
    axes = plot.tuning(model, ax=given)
    assert axes[0] is given[0]
    assert axes[1] is given[1]
    assert axes[0].get_xlabel() == ""
    assert len(axes[0].get_xticks()) == 0
    with pytest.raises(ValueError, match="into two Axes, got 3"):
        plot.tuning(model, ax=pyplot.subplots(1, 3)[1])
    with pytest.raises(NotFittedError):
        plot.tuning(L0SVCCV())


def test_without_matplotlib(data, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"hinge0\[plot\]"):
        plot.search_trace(L0SVC().fit(*data))
    with pytest.raises(ImportError, match=r"hinge0\[plot\]"):
        plot.tuning(L0SVCCV({}, refit=False).fit(*data))

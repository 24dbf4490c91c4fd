"""Pictures of predictions: what is confused, what probabilities are worth, size against score."""

import sys

import numpy as np
import pytest
from conftest import noisy
from hinge0 import L0SVC, L0SVCCV, plot
from matplotlib import pyplot
from sklearn.calibration import CalibratedClassifierCV, calibration_curve
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, confusion_matrix
from sklearn.model_selection import GridSearchCV


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


@pytest.fixture
def iris():
    X, y = load_iris(return_X_y=True)
    return X, np.array(["setosa", "versicolor", "virginica"])[y]


def cells(ax):
    """The text of every cell by its place."""
    return {tuple(map(int, text.get_position()[::-1])): text.get_text() for text in ax.texts}


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_confusion(iris):
    X, y = iris
    model = L0SVC(C=0.5).fit(X[::2], y[::2])
    ax = plot.confusion(model, X[1::2], y[1::2])
    counts = confusion_matrix(y[1::2], model.predict(X[1::2]))
    assert counts[1, 2] + counts[2, 1] > 0
    shown = cells(ax)
    for (i, k), count in np.ndenumerate(counts):
        if count or i == k:
            assert shown.pop((i, k)) == f"{count}\n{count / counts[i].sum():.1%}"
    assert not shown
    drawn = np.asarray(ax.images[0].get_array())
    np.testing.assert_allclose(drawn, counts / counts.sum(axis=1, keepdims=True))
    assert [text.get_text() for text in ax.get_yticklabels()] == model.classes_.tolist()
    assert ax.get_title().startswith(f"{np.trace(counts)} of 75 right")


def test_confusion_of_a_class_that_is_not_there(iris):
    X, y = iris
    model = L0SVC().fit(X, y)
    _, given = pyplot.subplots()
    few = y != "versicolor"
    ax = plot.confusion(model, X[few], y[few], class_names=["a", "b", "c"], ax=given)
    assert ax is given
    assert cells(ax)[1, 1] == "0\n0.0%"
    assert [text.get_text() for text in ax.get_xticklabels()] == ["a", "b", "c"]
    strange = np.where(y == "setosa", "unknown", y)
    assert len(plot.confusion(model, X, strange).get_xticks()) == 4


def test_confusion_of_many_classes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), np.arange(200) % 20
    model = LogisticRegression().fit(X, y)
    assert all(text.isdigit() for text in cells(plot.confusion(model, X, y)).values())


def test_what_is_not_confused(iris):
    X, y = iris
    model = L0SVC().fit(X, y)
    with pytest.raises(ValueError, match="149 labels for 150 rows"):
        plot.confusion(model, X, y[:-1])
    with pytest.raises(ValueError, match="2 names for 3 classes"):
        plot.confusion(model, X, y, class_names=["a", "b"])
    with pytest.raises(ValueError, match="list of labels"):
        plot.confusion(model, X, np.zeros((150, 2)))


def test_reliability_of_two_classes():
    X, y = noisy(400)
    model = CalibratedClassifierCV(L0SVC(), ensemble=False).fit(X[:200], y[:200])
    X, y = X[200:], y[200:]
    chance = model.predict_proba(X)[:, 1]
    curve, histogram = plot.reliability(model, X, y, n_bins=5)
    reliable, drawn = curve.get_lines()
    np.testing.assert_array_equal(reliable.get_ydata(), [0, 1])
    share, mean = calibration_curve(y, chance, n_bins=5)
    np.testing.assert_allclose(drawn.get_xdata(), mean)
    np.testing.assert_allclose(drawn.get_ydata(), share)
    (bars,) = histogram.patches
    counts, edges = np.histogram(chance, bins=5, range=(0, 1))
    np.testing.assert_array_equal(bars.get_data().values, counts)
    np.testing.assert_allclose(bars.get_data().edges, edges)
    score = brier_score_loss(y, chance)
    assert legend(curve)[1] == f"CalibratedClassifierCV, Brier score {score:.4f}"


def test_reliability_of_several():
    X, y = noisy(200)
    model = LogisticRegression().fit(X, y)
    both = model.predict_proba(X)
    sources = {"model": model, "two columns": both, "one": both[:, 1]}
    _, given = pyplot.subplots(2, 1)
    axes = plot.reliability(sources, X, y, ax=given)
    assert axes == tuple(given)
    _, *curves = axes[0].get_lines()
    for curve in curves[1:]:
        np.testing.assert_array_equal(curve.get_xydata(), curves[0].get_xydata())
    assert [text.split(",")[0] for text in legend(axes[0])[1:]] == list(sources)
    of_first = plot.reliability(both, None, y, positive=0)[0].get_lines()[1]
    np.testing.assert_allclose(of_first.get_xdata(), 1 - curves[0].get_xdata()[::-1])


def test_reliability_of_many_classes(iris):
    X, y = iris
    model = LogisticRegression(C=0.01).fit(X, y)
    values = model.predict_proba(X)
    curve, histogram = plot.reliability(model, X, y)
    right = model.predict(X) == y
    share, mean = calibration_curve(right, values.max(axis=1), n_bins=10)
    np.testing.assert_allclose(curve.get_lines()[1].get_xydata(), np.column_stack([mean, share]))
    score = np.mean((values.max(axis=1) - right) ** 2)
    assert legend(curve)[1].endswith(f"{score:.4f}")
    assert "predicted" in histogram.get_xlabel()
    curve, _ = plot.reliability(values, None, y, positive="virginica")
    share, mean = calibration_curve(y == "virginica", values[:, 2], n_bins=10)
    np.testing.assert_allclose(curve.get_lines()[1].get_xydata(), np.column_stack([mean, share]))


def test_what_has_no_reliability(iris):
    X, y = iris
    chance = np.full((150, 3), 1 / 3)
    with pytest.raises(ValueError, match="L0SVC has no predict_proba"):
        plot.reliability(L0SVC(), X, y)
    with pytest.raises(ValueError, match="X is None"):
        plot.reliability(LogisticRegression(), None, y)
    with pytest.raises(ValueError, match="probabilities of 2 classes, but the labels have 3"):
        plot.reliability(chance[:, 0], X, y)
    with pytest.raises(ValueError, match=r"shape \(149, 3\) for 150 labels"):
        plot.reliability(chance[1:], X, y)
    with pytest.raises(ValueError, match="between 0 and 1"):
        plot.reliability(4 * chance, X, y)
    with pytest.raises(ValueError, match="'rose' is none of the classes"):
        plot.reliability(chance, X, y, positive="rose")
    with pytest.raises(ValueError, match="n_bins must be"):
        plot.reliability(chance, X, y, n_bins=0)
    with pytest.raises(ValueError, match="no probabilities"):
        plot.reliability({}, X, y)
    with pytest.raises(ValueError, match="into two Axes, got 3"):
        plot.reliability(chance, X, y, ax=pyplot.subplots(1, 3)[1])


def test_accuracy_vs_support_vectors(data):
    search = L0SVCCV({"C": [0.5, 2.0, 8.0, 32.0], "gamma": [0.1, 1.0, 3.0]}, race=False).fit(*data)
    ax = plot.accuracy_vs_support_vectors(search)
    found = search.cv_results_
    size, score = found["mean_support_vectors"], found["mean_test_score"]
    cells, chosen = ax.collections
    np.testing.assert_array_equal(cells.get_offsets(), np.column_stack([size, score]))
    best = search.best_index_
    np.testing.assert_array_equal(chosen.get_offsets(), [[size[best], score[best]]])
    assert f"C = {search.best_params_['C']:.4g}" in chosen.get_label()
    drawn = ax.get_lines()[0].get_xydata()
    undominated = [
        (size[i], score[i])
        for i in range(len(size))
        if not np.any(
            (size <= size[i]) & (score >= score[i]) & ((size < size[i]) | (score > score[i]))
        )
    ]
    assert {tuple(point) for point in drawn} == set(undominated)
    assert (np.diff(drawn, axis=0) > 0).all()
    assert (ax.get_xscale(), ax.get_ylabel()) == ("log", "mean accuracy")


def test_cells_given_up_early_are_not_of_the_front(data):
    search = L0SVCCV({"C": [0.5, 2.0], "gamma": [0.1, 1.0]}, race=False, cv=2).fit(*data)
    found = search.cv_results_
    best = int(np.argmax(found["mean_test_score"]))
    found["split1_test_score"][best] = np.nan
    search.scoring = "f1"
    _, given = pyplot.subplots()
    ax = plot.accuracy_vs_support_vectors(search, ax=given)
    assert ax is given
    early, cells, _ = ax.collections
    assert early.get_label() == "given up early (1)"
    assert len(cells.get_offsets()) == 3
    assert ax.get_lines()[0].get_ydata().max() < found["mean_test_score"][best]
    assert ax.get_ylabel() == "mean score"
    found["split1_test_score"][:] = np.nan
    (cells, _) = plot.accuracy_vs_support_vectors(search).collections
    assert cells.get_label() == "cells (4)"


def test_what_has_no_support_vectors_to_draw(data):
    search = GridSearchCV(L0SVC(), {"C": [1.0]}, cv=2).fit(*data)
    with pytest.raises(ValueError, match="fitted L0SVCCV"):
        plot.accuracy_vs_support_vectors(search)
    with pytest.raises(ValueError, match="fitted L0SVCCV"):
        plot.accuracy_vs_support_vectors(L0SVCCV())


def test_without_matplotlib(data, monkeypatch):
    X, y = data
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"hinge0\[plot\]"):
        plot.confusion(L0SVC().fit(X, y), X, y)
    with pytest.raises(ImportError, match=r"hinge0\[plot\]"):
        plot.reliability(np.full(len(y), 0.5), X, y)

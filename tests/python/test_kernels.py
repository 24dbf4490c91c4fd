"""The choice among several kernels."""

import json
import subprocess
from itertools import pairwise

import numpy as np
import pytest
from conftest import noisy
from hinge0 import L0SVCCV, plot
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

GRID = {"C": [0.5, 4.0], "gamma": [0.1, 1.0]}


@pytest.fixture(scope="module")
def data():
    return noisy(150)


@pytest.fixture(scope="module")
def ring():
    """One class around the other: nothing for a linear kernel."""
    X = np.random.default_rng(1).normal(size=(160, 2))
    return X, (np.hypot(*X.T) > 1.2).astype(int)


def test_the_tables_of_kernels_stand_one_after_the_other(data):
    kernels = ["rbf", "exponential", "linear"]
    found = L0SVCCV(kernel=kernels, race=False).fit(*data)
    results = found.cv_results_
    begin = 0
    for kernel in kernels:
        alone = L0SVCCV(kernel=kernel, race=False).fit(*data)
        cells = slice(begin, begin + len(alone.cv_results_["params"]))
        for name in ("mean_test_score", "mean_support_vectors", "merit", "param_C"):
            np.testing.assert_array_equal(results[name][cells], alone.cv_results_[name])
        assert results["params"][cells] == [
            {**cell, "kernel": kernel} for cell in alone.cv_results_["params"]
        ]
        assert set(results["param_kernel"][cells]) == {kernel}
        assert np.ma.getmaskarray(results["param_gamma"][cells]).all() == (kernel == "linear")
        begin = cells.stop
        if kernel == found.best_params_["kernel"]:
            assert found.best_params_ == {**alone.best_params_, "kernel": kernel}
            assert found.best_score_ == alone.best_score_
            assert np.array_equal(found.decision_function(data[0]),
                                  alone.decision_function(data[0]))  # fmt: skip
    assert begin == len(results["params"]) == len(results["rank_test_score"])
    assert results["rank_test_score"].min() == 1
    assert results["params"][found.best_index_] == found.best_params_
    assert found.best_estimator_.kernel == found.best_params_["kernel"]


def test_another_kernel_must_be_clearly_better(ring):
    """By half a point; by the rule "best" any better score will do, as in GridSearchCV."""
    found = L0SVCCV(kernel=("linear", "rbf")).fit(*ring)
    assert found.best_params_["kernel"] == "rbf"
    best = {}
    for kernel in ("rbf", "laplacian"):
        best[kernel] = L0SVCCV(GRID, kernel=kernel, rule="best", cv=4).fit(*ring).best_score_
    for kernels in (["rbf", "laplacian"], ["laplacian", "rbf"]):
        found = L0SVCCV(GRID, kernel=kernels, rule="best", cv=4).fit(*ring)
        wanted = max(kernels, key=best.get)  # of equal ones the first
        assert found.best_params_["kernel"] == wanted
    same = L0SVCCV(GRID, kernel=["rbf", "rbf"]).fit(*ring)
    assert len(same.cv_results_["params"]) == 4


def test_kernels_of_the_command_line(program, tmp_path, ring):
    X, y = ring
    lines = (f"{label},{a!r},{b!r}\n" for label, (a, b) in zip(y, X.tolist(), strict=True))
    (tmp_path / "d.csv").write_text("".join(lines))
    told = subprocess.run(
        [program, "tune", "d.csv", "--grid", "kernel=linear,rbf,imq", "-o", "m", "--json", "-q"],
        cwd=tmp_path, capture_output=True, check=True,
    )  # fmt: skip
    theirs = json.loads(told.stdout)
    ours = L0SVCCV(kernel=["linear", "rbf", "imq"]).fit(X, y)
    ours.save(tmp_path / "ours")
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "m").read_bytes()
    for name in ("C", "gamma", "kernel"):
        assert theirs["best"][name] == ours.best_params_[name]
    scores = [one["score"] for one in theirs["kernels"]]
    assert [one["kernel"] for one in theirs["kernels"]] == ["linear", "rbf", "imq"]
    assert max(scores) - scores[1] < 0.005 < scores[1] - scores[0]


def test_many_classes():
    X, y = make_blobs(120, centers=3, random_state=4)
    found = L0SVCCV({"C": [1.0, 4.0]}, kernel=["linear", "exponential"]).fit(X, y)
    assert found.best_params_["kernel"] in ("linear", "exponential")
    assert found.score(X, y) > 0.8


def test_time_is_shared(ring):
    """The second kernel is tried, too, though the first would take all of the time."""
    X = np.repeat(ring[0], 4, axis=0) + np.random.default_rng(0).normal(0, 0.1, (640, 2))
    y = np.repeat(ring[1], 4)
    found = L0SVCCV(kernel=["rbf", "exponential"], n_repeats=200, time_limit=1.5)
    with pytest.warns(Warning, match="time_limit"):
        found.fit(X, y)
    scores = found.cv_results_["mean_test_score"]
    for kernel in ("rbf", "exponential"):
        assert np.isfinite(scores[np.asarray(found.cv_results_["param_kernel"] == kernel)]).any()


def test_a_kernel_that_was_stopped_is_not_taken():
    """It had one split, an easy one, and was judged by that alone."""
    X, y = noisy(600, seed=3)
    grid = {"C": [0.5, 2.0, 8.0], "gamma": [0.1, 0.5, 2.0]}
    iterations = []

    def stop(progress):  # when the second kernel begins
        if progress["stage"] == "tune":
            iterations.append(progress["iteration"])
        return any(later < earlier for earlier, later in pairwise(iterations))

    with pytest.warns(ConvergenceWarning, match="status interrupted"):
        found = L0SVCCV(grid, kernel=["rbf", "laplacian"], n_repeats=20).fit(X, y, callback=stop)
    scores = found.cv_results_["split99_test_score"]
    first = np.asarray(found.cv_results_["param_kernel"] == "rbf")
    assert np.isnan(scores[~first]).all() and np.isfinite(scores[first]).any()
    assert found.best_params_["kernel"] == "rbf"


def test_another_kernel_for_few_support_vectors(ring):
    """A tuning for the first kernel alone succeeds; with a second, larger one it did not."""
    grid = {"C": [4.0], "gamma": [0.5]}
    sizes = {}
    for kernel in ("rbf", "laplacian"):
        alone = L0SVCCV(grid, kernel=kernel, thin=0.0, rule="best").fit(*ring)
        sizes[kernel] = len(alone.best_estimator_.support_)
    small, large = sorted(sizes, key=sizes.get)
    assert sizes[small] + 4 < sizes[large]
    most = (sizes[small] + sizes[large]) // 2
    options = {"thin": 0.0, "max_support_vectors": most, "rule": "best"}
    for kernels in ([small, large], [large, small]):
        found = L0SVCCV(grid, kernel=kernels, **options).fit(*ring)
        assert found.best_params_["kernel"] == small
        assert found.best_score_ == found.cv_results_["mean_test_score"][found.best_index_]


@pytest.mark.parametrize("kernels", [[], ["rbf", "precomputed"], ["rbf", "sigmoid"], [np.dot]])
def test_lists_that_make_no_sense(data, kernels):
    with pytest.raises(ValueError, match="A list of kernels must hold some of"):
        L0SVCCV(kernel=kernels).fit(*data)


def test_a_picture_of_the_chosen_kernel(ring):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    grid = {"C": [1.0, 4.0], "gamma": [0.1, 1.0, 3.0]}
    found = L0SVCCV(grid, kernel=["laplacian", "rbf"]).fit(*ring)
    axes = plot.tuning(found)
    assert axes[0].collections[0].get_array().size == 6
    plot.accuracy_vs_support_vectors(found)
    pyplot.close("all")

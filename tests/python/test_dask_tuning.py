"""L0SVCCV on the workers of a cluster: the same bits as here."""

import os
import signal
import threading
import time
from typing import Any

import joblib
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import (
    DASK_WARNINGS,
    exact_product,
    have_two_workers,
    kill_a_worker,
    noisy,
    wait_for_no_tasks,
)
from hinge0 import L0SVCCV
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GroupKFold, cross_val_score

pytest.importorskip("distributed")
import distributed
from hinge0 import _spread

pytestmark = DASK_WARNINGS
GRID = {"C": [0.5, 2.0, 8.0], "gamma": [0.05, 0.5, 5.0]}


def on_workers(model: L0SVCCV, *given: Any, **options: Any) -> L0SVCCV:
    with joblib.parallel_config("dask"):
        return model.fit(*given, **options)


def assert_same(one: L0SVCCV, other: L0SVCCV) -> None:
    assert one.best_params_ == other.best_params_
    assert one.best_score_ == other.best_score_
    for name, column in one.cv_results_.items():
        if "_time" not in name:
            np.testing.assert_array_equal(column, other.cv_results_[name], err_msg=name)
    if one.refit:
        for name in ("support_", "dual_coef_", "intercept_"):
            np.testing.assert_array_equal(
                getattr(one.best_estimator_, name), getattr(other.best_estimator_, name)
            )


CASES = ["race", "consensus", "many", "scorer", "sparse", "callable", "kernels"]


@pytest.mark.parametrize("case", CASES)
def test_workers_find_what_threads_find(client: Any, case: str) -> None:
    X, y = noisy(400)
    options: dict[str, Any] = {"param_grid": GRID, "cv": 3, "n_repeats": 2}
    if case == "consensus":
        options.update(rule="consensus", n_repeats=1, class_weight="balanced")
    elif case == "many":
        y = np.digitize(X[:, 0], [-0.5, 0.5]).astype(str)
        options.update(scoring="balanced_accuracy", n_repeats=1)
    elif case == "scorer":
        options.update(scoring="f1_macro", n_repeats=1)
    elif case == "sparse":
        X = sp.csr_matrix(np.where(np.abs(X) < 0.5, 0, X))
    elif case == "callable":
        options.update(kernel=exact_product, param_grid={"C": [0.1, 1.0]})
    elif case == "kernels":
        options.update(kernel=["rbf", "exponential"], n_repeats=1)
    weight = np.random.default_rng(1).integers(1, 3, 400).astype(float)
    here = L0SVCCV(**options).fit(X, y, weight)
    there = on_workers(L0SVCCV(**options), X, y, weight)
    assert_same(here, there)
    if case == "race":
        assert np.isnan(there.cv_results_["split5_test_score"]).any()  # some were given up


def test_a_splitter_and_its_groups(client: Any) -> None:
    X, y = noisy(300)
    groups = np.arange(300) % 7
    model = L0SVCCV({"C": [1.0, 4.0]}, cv=GroupKFold(3))
    assert_same(model.fit(X, y, groups=groups), on_workers(L0SVCCV(**model.get_params()), X, y,
                                                           groups=groups))  # fmt: skip


def test_a_killed_worker_changes_nothing(client: Any) -> None:
    X, y = noisy(2500)
    here = L0SVCCV(GRID, cv=3, race=False).fit(X, y)
    killers: list[threading.Thread] = []

    def kill_once(progress: dict[str, Any]) -> bool:
        """The first question comes when all fits have been sent and none has been taken."""
        if not killers:
            assert progress["iteration"] == 0
            killers.append(kill_a_worker(client, after=0.0))
            killers[0].join()
        return False

    there = on_workers(L0SVCCV(GRID, cv=3, race=False), X, y, callback=kill_once)
    assert killers
    assert_same(here, there)
    have_two_workers(client)


def test_limits_and_callbacks(client: Any) -> None:
    X, y = noisy(800)
    told: list[dict[str, Any]] = []

    def stop(progress: dict[str, Any]) -> bool:
        told.append(progress)
        return progress["stage"] == "tune" and progress["iteration"] >= 6

    with pytest.warns(ConvergenceWarning, match="status interrupted"):
        model = on_workers(L0SVCCV(), X, y, callback=stop)
    assert 0 < told[-1]["done"] < 1
    assert np.isnan(model.cv_results_["split4_test_score"]).all()  # the second round
    wait_for_no_tasks(client)
    begin = time.monotonic()
    with pytest.warns(ConvergenceWarning, match="status time_limit"):
        model = on_workers(L0SVCCV(time_limit=3.0, n_repeats=10, race=False), X, y)
    assert time.monotonic() < begin + 20
    assert not np.isnan(model.cv_results_["mean_test_score"]).all()


def test_ctrl_c_ends_a_tuning(client: Any) -> None:
    X, y = noisy(1500)
    model = L0SVCCV(GRID, cv=5, n_repeats=100, race=False)  # minutes
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt) as kept:  # a traceback, and the futures in it
        on_workers(model, X, y)
    assert time.monotonic() < begin + 10
    timer.join()
    wait_for_no_tasks(client)
    assert kept.value is not None
    small = L0SVCCV({"C": [1.0, 4.0]}, cv=2)  # the cluster is fine
    assert_same(small.fit(X[:100], y[:100]), on_workers(L0SVCCV(**small.get_params()), X[:100],
                                                        y[:100]))  # fmt: skip


def test_what_fails_everywhere_is_one_line(client: Any) -> None:
    X, y = noisy(60)
    model = L0SVCCV({"C": [1.0], "gamma": [1.0]}, kernel="poly", degree=300, cv=2)
    with pytest.raises(ValueError) as here:
        model.fit(X * 100, y)
    with pytest.raises(ValueError) as there:
        on_workers(model, X * 100, y)
    assert str(there.value) == str(here.value)
    assert "\n" not in str(there.value)


def test_without_workers_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_spread, "PATIENCE", 0.5)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0") as cluster,
        distributed.Client(cluster),
        pytest.raises(RuntimeError, match=r"no worker for 0\.5 seconds"),
    ):
        on_workers(L0SVCCV(GRID, n_jobs=2), *noisy(60))


def test_within_a_task_it_stays_in_the_task(client: Any) -> None:
    X, y = noisy(90)
    model = L0SVCCV({"C": [1.0, 4.0]}, cv=2, n_jobs=2)
    here = cross_val_score(model, X, y, cv=3)
    with joblib.parallel_config("dask"):
        there = cross_val_score(model, X, y, cv=3)
    np.testing.assert_array_equal(here, there)

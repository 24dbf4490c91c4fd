"""Data and the command line, for all tests."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # one of scikit-learn's checks asks for it
os.environ.setdefault("MPLBACKEND", "agg")

import numpy as np
import pytest


def noisy(rows: int = 120, features: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two classes with a curved boundary and 10 % of the labels wrong."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, features))
    y = (X[:, 0] + X[:, 1] ** 2 > 0.7).astype(int)
    wrong = rng.random(rows) < 0.1
    return X, np.where(wrong, 1 - y, y)


def exact_product(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """The same bits for every block: sums of small whole numbers."""
    A, B = np.asarray(A).round(), np.asarray(B).round()
    return (1 + A @ B.T) ** 2


@pytest.fixture
def data() -> tuple[np.ndarray, np.ndarray]:
    return noisy()


@pytest.fixture
def big() -> tuple[np.ndarray, np.ndarray]:
    """Enough for a search of several seconds."""
    return noisy(2500, 10)


@pytest.fixture
def program() -> str:
    """The command line of the same build."""
    path = Path(os.environ.get("HINGE0_PROGRAM", "build/bin/hinge0")).resolve()
    assert path.exists(), f"{path} is not there: run make, or set HINGE0_PROGRAM"
    return str(path)


# Dask's own, and its workers' when they end.
DASK_WARNINGS = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """Two worker processes, started once for all tests."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def kill_a_worker(client: Any, after: float) -> threading.Thread:
    """Kills a worker, whatever it does then; its nanny starts another."""
    pid = next(iter(client.run(os.getpid).values()))

    def kill() -> None:
        time.sleep(after)
        os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def have_two_workers(client: Any) -> None:
    """After a kill: now and then a nanny does not start another, and then new ones do."""
    try:
        client.wait_for_workers(2, timeout=10)
    except TimeoutError:
        client.cluster.scale(0)
        client.cluster.scale(2)
        client.wait_for_workers(2, timeout=60)


def wait_for_no_tasks(client: Any) -> None:
    """Until the scheduler has no task of a fit left to do."""

    def waiting(dask_scheduler: Any) -> list[Any]:
        states = ("processing", "waiting", "queued", "no-worker")
        return [key for key, task in dask_scheduler.tasks.items() if task.state in states]

    end = time.monotonic() + 30
    while client.run_on_scheduler(waiting) and time.monotonic() < end:
        time.sleep(0.05)
    assert client.run_on_scheduler(waiting) == []

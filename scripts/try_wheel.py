"""Tries an installed wheel beside numpy, scipy and scikit-learn, whose own OpenBLAS and OpenMP are
loaded too: fit, tune and predict; at once with their products, after a fork, in joblib's processes
and threads. Nothing may wait for ever, give other bits, or start threads without end."""

import faulthandler
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import hinge0
import numpy as np
import scipy.linalg
from joblib import Parallel, delayed
from sklearn.datasets import make_moons
from sklearn.ensemble import HistGradientBoostingClassifier  # brings OpenMP

PATIENCE = 240  # seconds for all of it: a deadlock ends with a trace of every thread


def rows() -> tuple[np.ndarray, np.ndarray]:
    X, y = make_moons(2000, noise=0.2, random_state=0)
    wrong = np.random.default_rng(0).random(len(y)) < 0.1
    return X, np.where(wrong, 1 - y, y)


def fit(n_jobs: int | None = None) -> bytes:
    """The bits of a fit, and of what it predicts."""
    X, y = rows()
    model = hinge0.L0SVC(C=2.0, n_jobs=n_jobs).fit(X, y)
    assert model.report_["certificate"]["local_minimum"]
    return model.dual_coef_.tobytes() + model.decision_function(X).tobytes()


def multiply(times: int = 20) -> None:
    """Work for the OpenBLAS of numpy and of scipy."""
    A = np.random.default_rng(1).normal(size=(800, 800))
    for _ in range(times):
        scipy.linalg.lu_factor(A @ A)


def fit_in_fork(queue: Any) -> None:
    queue.put(fit())


def threads() -> int:
    """Of this process, by now."""
    return len(list(Path("/proc/self/task").iterdir()))


def most_threads(work: Callable[[], Any]) -> int:
    """Of this process at any moment of the work."""
    seen, over = [0], threading.Event()

    def count() -> None:
        while not over.wait(0.002):
            seen.append(threads())

    counter = threading.Thread(target=count)
    counter.start()
    try:
        work()
        seen.append(threads())
    finally:
        over.set()
        counter.join()
    return max(seen) - 1  # itself apart


def check_libraries() -> None:
    """Every OpenBLAS and OpenMP is that of a wheel."""
    here = str(Path(hinge0.__file__).parent.parent)
    loaded = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines()}
    for name in ("libopenblas", "libscipy_openblas", "libgomp"):
        files = sorted(f for f in loaded if Path(f).name.startswith(name))
        outside = [f for f in files if not f.startswith(here)]
        assert not outside, f"not from the wheels: {outside}"
        print(f"  {name}:", *(f[len(here) + 1 :] for f in files))
        assert files, f"{name} is not loaded: this tries nothing"


def check_fit_tune_predict(expected: bytes) -> None:
    X, y = rows()
    other = threading.Thread(target=multiply)  # both at once, which would show a deadlock
    other.start()
    assert fit() == expected
    tuned = hinge0.L0SVCCV({"C": [1.0, 4.0], "gamma": [0.5, 2.0]}, cv=3).fit(X, y)
    other.join()
    right = (tuned.predict(X) == y).mean()
    assert right > 0.8, right
    print(f"  fit, tune and predict beside products: accuracy {right:.3f}")


def check_fork(expected: bytes) -> None:
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=fit_in_fork, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join(60)
    assert child.exitcode == 0, child.exitcode
    print("  after a fork: the same bits")


def check_joblib(expected: bytes) -> None:
    for backend in ("loky", "threading"):
        found = Parallel(n_jobs=2, backend=backend)(delayed(fit)() for _ in range(4))
        assert set(found) == {expected}, backend
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: fit(), range(8))) == {expected}
    print("  in joblib's processes and threads, in a pool of threads: the same bits")


def threads_of_a_fit(n_jobs: int | None = None) -> int:
    """That it starts, besides those that are there."""
    before = threads()
    return most_threads(lambda: fit(n_jobs)) - before


def check_threads() -> None:
    """One team of OpenMP for all fits, none where one thread is asked for or left by joblib; as
    many teams as there are threads that fit."""
    cores = len(os.sched_getaffinity(0))
    one, team, again = threads_of_a_fit(n_jobs=1), threads_of_a_fit(), threads_of_a_fit()
    assert (one, again) == (0, 0), (one, again)
    assert team < cores, team
    with ThreadPoolExecutor(4) as pool:
        before = threads()
        four = most_threads(lambda: list(pool.map(lambda _: fit(), range(8)))) - before
    assert four <= 4 * cores, four
    in_processes = Parallel(n_jobs=cores)(delayed(threads_of_a_fit)() for _ in range(cores))
    assert max(in_processes) == 0, in_processes
    print(f"  threads on {cores} cores: {team} more in the first fit, {again} in the next, {one} "
          f"with n_jobs=1, {four} with a pool of four, none in joblib's processes")  # fmt: skip


def main() -> None:
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    begin = time.perf_counter()
    python = ".".join(map(str, sys.version_info[:3]))
    print(f"hinge0 {hinge0.__version__} in Python {python}")
    X, y = rows()
    HistGradientBoostingClassifier(max_iter=5).fit(X, y)
    multiply(1)
    check_libraries()
    check_threads()
    expected = fit()
    check_fit_tune_predict(expected)
    check_fork(expected)
    check_joblib(expected)
    print(f"  all of it in {time.perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main()

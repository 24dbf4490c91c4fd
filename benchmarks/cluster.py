#!/usr/bin/env python3
"""DaskL0SVC on a cluster of processes on this machine: seconds, memory and bytes.

cluster.py local   --rows 1000000            the same rows fitted by L0SVC and by DaskL0SVC
cluster.py large   --rows 10000000           made lazily: client and workers, memory of each
cluster.py peer    --rows 1000000            beside Nystroem features and SGDClassifier
cluster.py killed  --rows 200000 --fits 10   a worker killed in each fit: are the models equal?
Prints Markdown; --workers and --partitions for all of them.
"""

import argparse
import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster
from hinge0 import L0SVC
from hinge0.dask import DaskL0SVC
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import SGDClassifier

FEATURES = 4


def block(size: int, seed: int, flip: float = 0.1) -> np.ndarray:
    """Two moons and two features of noise, the label with wrong ones among them, the true one."""
    rng = np.random.default_rng(seed)
    true = rng.random(size) < 0.5
    angle = np.pi * rng.random(size)
    X = rng.normal(scale=0.15, size=(size, FEATURES))
    X[:, 0] += np.where(true, 1 - np.cos(angle), np.cos(angle))
    X[:, 1] += np.where(true, 0.5 - np.sin(angle), np.sin(angle))
    return np.column_stack([X, true ^ (rng.random(size) < flip), true])


def lazy(rows: int, partitions: int, first_seed: int = 0) -> tuple[Any, Any, Any]:
    size = rows // partitions
    seeds = da.arange(first_seed, first_seed + partitions, chunks=1)
    made = seeds.map_blocks(
        lambda seed: block(size, int(seed[0])), new_axis=1,
        chunks=((size,) * partitions, (FEATURES + 2,)), dtype=float,
    )  # fmt: skip
    return made[:, :FEATURES], made[:, FEATURES].astype(int), made[:, FEATURES + 1].astype(int)


@contextmanager
def cluster(workers: int) -> Iterator[Client]:
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as local,
        Client(local) as client,
    ):
        yield client


def peak() -> int:
    """Of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def new_model() -> DaskL0SVC:
    return DaskL0SVC(C=4.0, gamma=1.0)


def timed(fit: Any) -> tuple[Any, float]:
    begin = time.perf_counter()
    return fit(), time.perf_counter() - begin


def questions(report: dict[str, Any]) -> None:
    """Bytes and seconds of every kind of question."""
    print("\n| question | times | bytes out | bytes in | seconds |\n|---|---|---|---|---|")
    asked = report["cluster"]["questions"]
    for name in dict.fromkeys(q["question"] for q in asked):
        these = [q for q in asked if q["question"] == name]
        out, back, seconds = (
            sum(q[key] for q in these) for key in ("bytes_sent", "bytes_received", "seconds")
        )
        print(f"| {name} | {len(these)} | {out:,} | {back:,} | {seconds:.2f} |")


def show(name: str, model: Any, seconds: float, accuracy: float) -> None:
    report = model.report_
    print(f"| {name} | {seconds:.1f} | {report['objective']:.1f} | {report['support_vectors']} | "
          f"{report['certificate']['local_minimum']} | {accuracy:.4f} |")  # fmt: skip


HEAD = "| | seconds | F | support vectors | certified | accuracy |\n|---|---|---|---|---|---|"


def beside_local(args: argparse.Namespace) -> None:
    X, y, _ = lazy(args.rows, args.partitions)
    test = block(100_000, 10**6)
    with cluster(args.workers) as client:
        X, y = client.persist([X, y])
        here_X, here_y = X.compute(), y.compute()
        model, seconds = timed(lambda: new_model().fit(X, y))
        print(HEAD)
        show(f"cluster, {args.workers} workers", model, seconds,
             (model.to_local().predict(test[:, :FEATURES]) == test[:, -1]).mean())  # fmt: skip
    local, seconds = timed(lambda: L0SVC(C=4.0, gamma=1.0).fit(here_X, here_y))
    show("here", local, seconds, (local.predict(test[:, :FEATURES]) == test[:, -1]).mean())
    questions(model.report_)


def large(args: argparse.Namespace) -> None:
    X, y, true = lazy(args.rows, args.partitions)
    with cluster(args.workers) as client:
        model, seconds = timed(lambda: new_model().fit(X, y))
        memory = client.run(peak)
        right, predicting = timed(lambda: (model.predict(X) == true).mean().compute())
    print(HEAD)
    show(f"{args.rows:,} rows, {args.workers} workers", model, seconds, right)
    print(f"\nclient {peak() / 1e6:.0f} MB, workers at most {max(memory.values()) / 1e6:.0f} MB; "
          f"lazy prediction of all rows {predicting:.1f} s")  # fmt: skip
    questions(model.report_)


def nystroem(parts: list[Any], gamma: float, alpha: float) -> tuple[Any, Any]:
    """What one would do instead: features of some rows, then one pass of stochastic gradients."""
    first = parts[0].compute()
    features = Nystroem(gamma=gamma, n_components=300, random_state=0).fit(first[:20000, :FEATURES])
    linear = SGDClassifier(alpha=alpha, random_state=0)
    for part in parts:
        rows = part.compute()
        linear.partial_fit(features.transform(rows[:, :FEATURES]), rows[:, FEATURES], [0, 1])
    return features, linear


def peer(args: argparse.Namespace) -> None:
    test = block(100_000, 10**6)
    X, y, true = lazy(args.rows, args.partitions)
    rows = da.concatenate([X, y[:, None], true[:, None]], axis=1).rechunk({1: -1})
    best: tuple[float, float, Any] = (0.0, 0.0, None)
    with cluster(args.workers):
        model, seconds = timed(lambda: new_model().fit(X, y))
        print(HEAD)
        show("DaskL0SVC", model, seconds,
             (model.to_local().predict(test[:, :FEATURES]) == test[:, -1]).mean())  # fmt: skip
        parts = [rows.blocks[k] for k in range(args.partitions)]
        for gamma in (0.1, 0.5, 2.0):
            for alpha in (1e-6, 1e-5, 1e-4):
                of = (parts, gamma, alpha)
                (features, linear), seconds = timed(lambda of=of: nystroem(*of))
                values = linear.predict(features.transform(test[:, :FEATURES]))
                best = max(best, ((values == test[:, -1]).mean(), seconds, (gamma, alpha)))
    print(f"| Nystroem(300) + SGD, best of 9 {best[2]} | {best[1]:.1f} | | 300 | | {best[0]:.4f} |")


def killed(args: argparse.Namespace) -> None:
    X, y, _ = lazy(args.rows, args.partitions)
    rng = np.random.default_rng(0)
    with cluster(args.workers) as client:
        model, seconds = timed(lambda: new_model().fit(X, y))
        expected, equal = model.dual_coef_.tobytes(), 0
        for _ in range(args.fits):
            pid = int(rng.choice(list(client.run(os.getpid).values())))
            timer = threading.Timer(rng.uniform(0, seconds), os.kill, (pid, signal.SIGKILL))
            timer.start()
            equal += new_model().fit(X, y).dual_coef_.tobytes() == expected
            timer.join()
            client.wait_for_workers(args.workers, timeout=60)
    print(f"{equal} of {args.fits} fits with a killed worker have the bits of the one without "
          f"({seconds:.1f} s)")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    kinds = {"local": beside_local, "large": large, "peer": peer, "killed": killed}
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--partitions", type=int, default=16)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--fits", type=int, default=10)
    args = parser.parse_args()
    kinds[args.kind](args)


if __name__ == "__main__":
    main()

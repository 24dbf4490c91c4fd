#!/usr/bin/env python3
"""DaskL0SVC on a cluster of processes on this machine: seconds, memory and bytes.

cluster.py local   --rows 1000000            the same rows fitted by L0SVC and by DaskL0SVC
cluster.py large   --rows 10000000           made lazily: client and workers, memory of each
cluster.py peer    --rows 1000000            beside Nystroem features and SGDClassifier, tuned alike
cluster.py tune    --rows 2000               L0SVCCV here and on the workers: the same bits?
cluster.py killed  --rows 200000 --fits 10   a worker killed in each fit: are the models equal?
Prints Markdown; --workers and --partitions for all of them.
"""

import argparse
import copy
import importlib
import itertools
import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dask.array as da
import distributed
import joblib
import numpy as np
from distributed import Client, LocalCluster, wait
from hinge0 import L0SVC, L0SVCCV
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
    """Bytes and seconds of every kind of question; of the bytes beside those of support vectors,
    candidates and rows the largest share in one question."""
    print("\n| question | times | bytes out | bytes in | needed | at most, times needed | seconds |"
          "\n|---|---|---|---|---|---|---|")  # fmt: skip
    asked = report["cluster"]["questions"]
    for name in dict.fromkeys(q["question"] for q in asked):
        these = [q for q in asked if q["question"] == name]
        out, back, needed, seconds = (
            sum(q[key] for q in these)
            for key in ("bytes_sent", "bytes_received", "bytes_needed", "seconds")
        )
        most = max((q["bytes_sent"] + q["bytes_received"]) / q["bytes_needed"] for q in these)
        print(f"| `{name}` | {len(these)} | {out:,} | {back:,} | {needed:,} | {most:.2f} | "
              f"{seconds:.2f} |")  # fmt: skip
    told = report["cluster"]
    total = told["bytes_sent"] + told["bytes_received"]
    print(f"\nin all {total:,} bytes in {len(asked)} questions, {total / told['bytes_needed']:.2f} "
          f"times the {told['bytes_needed']:,} that are needed")  # fmt: skip


def said_by_scheduler(dask_scheduler: Any) -> tuple[int, int]:
    """Tasks it has had, and the bytes it has sent about them."""
    streams = [*dask_scheduler.stream_comms.values(), *dask_scheduler.client_comms.values()]
    return dask_scheduler.n_tasks, sum(stream.byte_count for stream in streams)


def of_dask(client: Client) -> np.ndarray:
    """Tasks so far, and the bytes in which client, scheduler and workers speak of them: questions
    among these, answers not."""
    tasks, by_scheduler = client.run_on_scheduler(said_by_scheduler)
    by_workers = client.run(lambda dask_worker: dask_worker.batched_stream.byte_count).values()
    return np.array([tasks, client.scheduler_comm.byte_count + by_scheduler + sum(by_workers)])


def show_dask(before: np.ndarray, after: np.ndarray, report: dict[str, Any]) -> None:
    tasks, bytes_sent = after - before
    bytes_sent -= 2 * report["cluster"]["bytes_sent"]  # to the scheduler, and on to a worker
    print(f"beside them Dask sends {bytes_sent:,} bytes for {tasks} tasks, "
          f"{bytes_sent / tasks:.0f} each")  # fmt: skip


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
        before = of_dask(client)
        model, seconds = timed(lambda: new_model().fit(X, y))
        after = of_dask(client)
        print(HEAD)
        show(f"cluster, {args.workers} workers", model, seconds,
             (model.to_local().predict(test[:, :FEATURES]) == test[:, -1]).mean())  # fmt: skip
    local, seconds = timed(lambda: L0SVC(C=4.0, gamma=1.0).fit(here_X, here_y))
    show("here", local, seconds, (local.predict(test[:, :FEATURES]) == test[:, -1]).mean())
    questions(model.report_)
    show_dask(before, after, model.report_)


def large(args: argparse.Namespace) -> None:
    X, y, true = lazy(args.rows, args.partitions)
    with cluster(args.workers) as client:
        before = of_dask(client)
        model, seconds = timed(lambda: new_model().fit(X, y))
        after = of_dask(client)
        memory = client.run(peak)
        right, predicting = timed(lambda: (model.predict(X) == true).mean().compute())
    print(HEAD)
    show(f"{args.rows:,} rows, {args.workers} workers", model, seconds, right)
    print(f"\nclient {peak() / 1e6:.0f} MB, workers at most {max(memory.values()) / 1e6:.0f} MB; "
          f"lazy prediction of all rows {predicting:.1f} s")  # fmt: skip
    questions(model.report_)
    show_dask(before, after, model.report_)


def accuracy(predict: Any, rows: np.ndarray, column: int) -> float:
    return float((predict(rows[:, :FEATURES]) == rows[:, column]).mean())


def learn(linear: Any, features: Any, labels: Any) -> Any:
    return copy.deepcopy(linear).partial_fit(features, labels, classes=[0, 1])


def nystroem(parts: list[Any], gamma: float, components: int, alpha: float, client: Any) -> Any:
    """What one would do instead: features of some rows, then one pass of stochastic gradients from
    partition to partition. Features are made by all workers at once."""
    some = client.submit(lambda part: part[:20000, :FEATURES], parts[0]).result()
    made = Nystroem(gamma=gamma, n_components=components, random_state=0).fit(some)
    linear: Any = SGDClassifier(alpha=alpha, random_state=0)
    features = [client.submit(lambda m, p: m.transform(p[:, :FEATURES]), made, p) for p in parts]
    labels = [client.submit(lambda part: part[:, FEATURES], part) for part in parts]
    for of_rows, of_labels in zip(features, labels, strict=True):
        linear = client.submit(learn, linear, of_rows, of_labels)
    fitted = linear.result()
    return lambda X: fitted.predict(made.transform(X))


def best_of(grid: list[Any], fit: Any, judged: np.ndarray) -> tuple[Any, float]:
    """By the noisy labels of rows that nobody trained on; and the seconds it takes."""
    begin = time.perf_counter()
    scores = [accuracy(fit(*cell), judged, FEATURES) for cell in grid]
    return grid[int(np.argmax(scores))], time.perf_counter() - begin


def peer(args: argparse.Namespace) -> None:
    """Both are tuned on a sample of rows and judged by others, then fitted to all rows."""
    test, judged = block(1_000_000, 10**6 + 7), block(200_000, 10**6 + 1)
    sample = block(args.sample, 10**6 + 2)
    X, y, true = lazy(args.rows, args.partitions)
    rows = da.concatenate([X, y[:, None], true[:, None]], axis=1).rechunk({1: -1})
    print("| | tuning, s | fit, s | certified | accuracy |\n|---|---|---|---|---|")
    with cluster(args.workers) as client:
        rows, X, y = client.persist([rows, X, y])
        parts = distributed.futures_of(rows)
        wait([*parts, X, y])
        best, tuning = best_of(
            list(itertools.product((2.0, 4.0, 8.0), (4.0, 16.0), (0.4, 0.7))),
            lambda gamma, C, keep: L0SVC(gamma=gamma, C=C, keep_margin=keep).fit(
                sample[:, :FEATURES], sample[:, FEATURES].astype(int)
            ).predict,
            judged,
        )  # fmt: skip
        gamma, C, keep = best
        chosen = DaskL0SVC(gamma=gamma, C=C, keep_margin=keep)
        model, seconds = timed(lambda: chosen.fit(X, y))
        print(f"| DaskL0SVC, gamma = {gamma:g}, C = {C:g}, keep_margin = {keep:g} | "
              f"{tuning:.0f} | {seconds:.1f} | {model.report_['certificate']['local_minimum']} | "
              f"{accuracy(model.to_local().predict, test, -1):.4f} |")  # fmt: skip

        small = [client.scatter(part) for part in np.array_split(sample, 4)]
        best, tuning = best_of(
            list(itertools.product((2.0, 4.0, 8.0), (300, 1000), (1e-5, 1e-4))),
            lambda *cell: nystroem(small, *cell, client),
            judged,
        )  # fmt: skip
        predict, seconds = timed(lambda: nystroem(parts, *best, client))
        print(f"| Nystroem({best[1]}, gamma = {best[0]:g}) + SGD, alpha = {best[2]:g} | "
              f"{tuning:.0f} | {seconds:.1f} | | {accuracy(predict, test, -1):.4f} |")  # fmt: skip


def tune(args: argparse.Namespace) -> None:
    rows = block(args.rows, 0)
    X, y = rows[:, :FEATURES], rows[:, FEATURES].astype(int)
    here, seconds_here = timed(lambda: L0SVCCV().fit(X, y))
    with cluster(args.workers) as client, joblib.parallel_config("dask"):
        client.run(lambda: importlib.import_module("hinge0"))
        there, seconds = timed(lambda: L0SVCCV().fit(X, y))
    same = here.best_params_ == there.best_params_ and all(
        np.array_equal(column, there.cv_results_[name], equal_nan=True)
        for name, column in here.cv_results_.items()
        if "test_score" in name
    )
    same &= here.best_estimator_.dual_coef_.tobytes() == there.best_estimator_.dual_coef_.tobytes()
    print(f"| | seconds |\n|---|---|\n| threads here | {seconds_here:.1f} |\n"
          f"| {args.workers} workers | {seconds:.1f} |\n\nthe same bits: {same}")  # fmt: skip


def killed(args: argparse.Namespace) -> None:
    """Each fit has a cluster of its own, whose workers are all there when it begins."""
    X, y, _ = lazy(args.rows, args.partitions)
    rng = np.random.default_rng(0)
    with cluster(args.workers):
        model, seconds = timed(lambda: new_model().fit(X, y))
    expected, equal, on_the_way = model.dual_coef_.tobytes(), 0, 0
    for _ in range(args.fits):
        with cluster(args.workers) as client:
            pid = int(rng.choice(list(client.run(os.getpid).values())))
            timer = threading.Timer(rng.uniform(0, 0.6 * seconds), os.kill, (pid, signal.SIGKILL))
            timer.start()
            equal += new_model().fit(X, y).dual_coef_.tobytes() == expected
            on_the_way += not timer.is_alive()
            timer.join()
    print(f"{equal} of {args.fits} fits have the bits of the one without a kill ({seconds:.1f} s); "
          f"in {on_the_way} of them a worker was killed before the end")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    kinds = {"local": beside_local, "large": large, "peer": peer, "tune": tune, "killed": killed}
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--partitions", type=int, default=16)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--fits", type=int, default=10)
    parser.add_argument("--sample", type=int, default=40_000, help="rows to tune on (peer)")
    args = parser.parse_args()
    kinds[args.kind](args)


if __name__ == "__main__":
    main()

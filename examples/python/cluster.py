"""
Rows on a cluster
=================

Two million noisy rows are made lazily, on the workers of a small cluster of processes. A worker is
killed on the way; the fit goes on. Predictions are lazy too.
"""

import os
import signal
import sys
import threading
import time

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster
from hinge0.dask import DaskL0SVC


def noisy_block(size: int, seed: int) -> np.ndarray:
    """Two moons, two features of noise, a label of which one in ten is wrong, and the true one."""
    rng = np.random.default_rng(seed)
    true = rng.random(size) < 0.5
    angle = np.pi * rng.random(size)
    X = rng.normal(scale=0.15, size=(size, 4))
    X[:, 0] += np.where(true, 1 - np.cos(angle), np.cos(angle))
    X[:, 1] += np.where(true, 0.5 - np.sin(angle), np.sin(angle))
    return np.column_stack([X, true ^ (rng.random(size) < 0.1), true])


def lazy_rows(rows: int, size: int) -> da.Array:
    """No row is made before a worker needs it, and each is made again where it is lost."""
    seeds = da.arange(rows // size, chunks=1)
    made = seeds.map_blocks(
        lambda seed: noisy_block(size, int(seed[0])), new_axis=1,
        chunks=((size,) * (rows // size), (6,)), dtype=float,
    )  # fmt: skip
    return made


def kill_one(client: Client, after: float) -> None:
    time.sleep(after)
    pid = next(iter(client.run(os.getpid).values()))
    print(f"killing worker {pid}")
    os.kill(pid, signal.SIGKILL)


def main(rows: int = 2_000_000) -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1) as cluster, Client(cluster) as client:
        data = lazy_rows(rows, rows // 16)
        X, y, true = data[:, :4], data[:, 4].astype(int), data[:, 5].astype(int)
        threading.Thread(target=kill_one, args=(client, 3.0)).start()
        begin = time.perf_counter()
        model = DaskL0SVC(C=4.0, gamma=1.0, verbose=True).fit(X, y)
        print(f"fit of {rows:,} rows in {time.perf_counter() - begin:.1f} s")
        report = model.report_
        for key in ("status", "rows", "objective", "violators", "support_vectors"):
            print(f"{key}: {report[key]}")
        print("certificate:", report["certificate"])
        cluster_report = {k: v for k, v in report["cluster"].items() if k != "questions"}
        print("cluster:", cluster_report)

        labels = model.predict(X)
        print(labels)
        print("accuracy against noisy labels:", float(model.score(X, y).compute()))
        print("accuracy against the truth:", float((labels == true).mean().compute()))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000)

"""Algorithm 1 for the l0 loss without its one trick: every iteration solves from scratch.

    naive_admm.py DATA START FLOOR.json TRACE.csv [--method lu|cholesky] [--repeats N]

C, sigma, iota, gamma and the number of iterations come from FLOOR.json (bench_floor's output); the
objective and the bias of every iteration must agree with TRACE.csv to 1e-6, or the script fails:
a loop that does other work is no comparison. Prints one JSON object.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.linalg
from sklearn.datasets import load_svmlight_file

TOLERANCE = 1e-6
METHODS = {  # numpy's general solver, and one that knows that the matrix is positive definite
    "lu": np.linalg.solve,
    "cholesky": lambda A, z: scipy.linalg.solve(A, z, assume_a="pos", check_finite=False),
}


def gram(X: np.ndarray, gamma: float) -> np.ndarray:
    norms = (X * X).sum(axis=1)
    return np.exp(-gamma * np.maximum(norms[:, None] + norms - 2 * X @ X.T, 0))


def admm(X: np.ndarray, y: np.ndarray, start: np.ndarray, p: dict, solve: Callable) -> np.ndarray:
    """(objective, bias) of every iteration; letters and order as in src/solver/admm.cpp."""
    C, sigma = p["C"], p["sigma"]
    A = gram(X, p["gamma"]) + np.eye(len(y)) / sigma
    Kc, b, lam, trace = np.zeros(len(y)), 0.0, start.copy(), []
    for _ in range(p["iterations"]):
        eta = 1 - y * (Kc + b) - lam / sigma
        working = (eta > 0) & (eta <= np.sqrt(2 * C / sigma))
        u = np.where(working, 0, eta)
        target = y * (1 - u - lam / sigma) - b
        c = solve(A, target)
        Kc = target - c / sigma
        b = np.mean(y * (1 - u - lam / sigma) - Kc)
        lam = np.where(working, lam + p["iota"] * sigma * (u + y * (Kc + b) - 1), 0)
        trace.append((0.5 * c @ Kc + C * np.count_nonzero(u > 0), b))
    return np.array(trace)


def require_equal(trace: np.ndarray, expected: np.ndarray) -> float:
    """The largest relative difference; ends the script if it is above the tolerance."""
    if trace.shape != expected.shape:
        sys.exit(f"naive_admm: {len(trace)} iterations, hinge0's trace has {len(expected)}")
    difference = np.abs(trace - expected) / (1 + np.abs(expected))
    iteration, column = np.unravel_index(np.argmax(difference), difference.shape)
    if not difference[iteration, column] <= TOLERANCE:  # also when it is not a number
        sys.exit(
            f"naive_admm: the {('objective', 'bias')[column]} of iteration {iteration + 1} is "
            f"{trace[iteration, column]}, hinge0's is {expected[iteration, column]}"
        )
    return float(difference[iteration, column])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("data", "start", "floor", "trace"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--method", choices=METHODS, default="lu")
    parser.add_argument("--repeats", type=int, default=1)
    arguments = parser.parse_args()

    X, labels = load_svmlight_file(str(arguments.data))
    X, y = X.toarray(), np.where(labels == labels.max(), 1.0, -1.0)
    start, parameters = np.loadtxt(arguments.start), json.loads(arguments.floor.read_text())
    expected = np.loadtxt(arguments.trace, delimiter=",", skiprows=1, usecols=(1, 2))
    seconds = []
    for _ in range(arguments.repeats):
        begin = time.perf_counter()
        trace = admm(X, y, start, parameters, METHODS[arguments.method])
        seconds.append(time.perf_counter() - begin)
        difference = require_equal(trace, expected)
    json.dump(
        {"method": arguments.method, "repeats": arguments.repeats,
         "seconds": statistics.median(seconds), "largest_difference": difference},
        sys.stdout,
    )  # fmt: skip
    print()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What L0SVC costs beside the C++ library: fit and predict at 5,000 x 20, medians of repeats.

make python && build/venv/bin/python benchmarks/python_overhead.py [REPEATS]

The C++ time of a fit is what its report says (report_["seconds"]["total"], the clock inside Solver);
that of a prediction is the command line's own (`hinge0 predict --json`, seconds.predict).
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from hinge0 import L0SVC

PROGRAM = Path(__file__).resolve().parent.parent / "build/bin/hinge0"
ROWS, FEATURES = 5000, 20


def seconds(action):
    begin = time.perf_counter()
    result = action()
    return time.perf_counter() - begin, result


def command_line_seconds(folder, X, y, repeats):
    """Median seconds of the command line's prediction with its own model of the same data."""
    data, model = folder / "data.csv", folder / "model"
    np.savetxt(data, np.column_stack([y, X]), delimiter=",", fmt="%.17g")
    subprocess.run([PROGRAM, "train", data, "-o", model, "-q"], check=True)
    found = []
    for _ in range(repeats):
        words = [PROGRAM, "predict", model, data, "--json", "-q", "-o", folder / "labels"]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        found.append(json.loads(done.stdout)["seconds"]["predict"])
    return statistics.median(found)


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, FEATURES))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=ROWS) > 0).astype(int)
    warnings.simplefilter("ignore")
    shares, fits = [], []
    for _ in range(repeats):
        whole, model = seconds(lambda: L0SVC().fit(X, y))
        fits.append(whole)
        shares.append(whole / model.report_["seconds"]["total"] - 1)
    whole = statistics.median(seconds(lambda: model.predict(X))[0] for _ in range(5 * repeats))
    with tempfile.TemporaryDirectory() as folder:
        alone = command_line_seconds(Path(folder), X, y, 5 * repeats)
    print(f"{ROWS} x {FEATURES}, {len(model.support_)} support vectors, {repeats} repeats, medians")
    share = statistics.median(shares)
    print(f"fit      {statistics.median(fits):.4f} s, {share:+.2%} over the C++ solve")
    print(f"predict  {1e3 * whole:.3f} ms, C++ {1e3 * alone:.3f} ms, {whole / alone - 1:+.1%}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What L0SVC costs beside the C++ library: fit and predict at 5,000 x 20, medians of repeats.

make python && build/venv/bin/python benchmarks/python_overhead.py [REPEATS]

The C++ time of a fit is what its report says (report_["seconds"]["total"], the clock inside
Solver); that of a prediction is the command line's own (`hinge0 predict --json`, seconds.predict),
taken in turns with Python's, one thread each.
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


def prediction_seconds(model, X, y, repeats):
    """Median seconds of a prediction by Python and by the command line, on the same data."""
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        data, file, labels = (Path(folder) / name for name in ("data.csv", "model", "labels"))
        np.savetxt(data, np.column_stack([y, X]), delimiter=",", fmt="%.17g")
        subprocess.run([PROGRAM, "train", data, "-o", file, "-q"], check=True)
        words = [PROGRAM, "predict", file, data, "--json", "-q", "-o", labels, "--threads", "1"]
        for _ in range(repeats):
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            theirs.append(json.loads(done.stdout)["seconds"]["predict"])
            ours.append(seconds(lambda: model.predict(X))[0])
    return statistics.median(ours), statistics.median(theirs)


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, FEATURES))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=ROWS) > 0).astype(int)
    warnings.simplefilter("ignore")
    shares, fits = [], []
    for _ in range(repeats):
        whole, model = seconds(lambda: L0SVC().fit(X, y))
        fits.append(whole)
        shares.append(whole / model.report_["seconds"]["total"] - 1)
    print(f"{ROWS} x {FEATURES}, {len(model.support_)} support vectors, {repeats} fits, medians")
    share = statistics.median(shares)
    print(f"fit      {statistics.median(fits):.4f} s, {share:+.2%} over the C++ solve")
    ours, theirs = prediction_seconds(model.set_params(n_jobs=1), X, y, 20 * repeats)
    print(f"predict  {1e3 * ours:.3f} ms, C++ {1e3 * theirs:.3f} ms, {ours / theirs - 1:+.1%}")


if __name__ == "__main__":
    main()

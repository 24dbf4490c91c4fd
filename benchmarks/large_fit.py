"""One fit and one prediction on arrays, in a process of its own; prints a JSON object.

large_fit.py hinge0|scikit-learn-intelex DATA.npz C GAMMA OPTIONS
large_fit.py tune DATA.npz SHARE
"""

import json
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp


def load(file: str) -> tuple:
    with np.load(file) as held:
        parts = {name: held[name] for name in held.files}
    if "data" not in parts:
        return parts["X"], parts["y"], parts["X_test"], parts["y_test"]
    rows = sp.csr_matrix((parts["data"], parts["indices"], parts["indptr"]), parts["shape"])
    count = len(parts["y"])
    return rows[:count], parts["y"], rows[count:], parts["y_test"]


def scores(make: Callable[..., Any], splits: list) -> dict[tuple, np.ndarray]:
    """Accuracy and support vectors, means over the splits, of every cell of a coarse grid."""
    found = {}
    for k in np.arange(-1, 7, 0.5):
        for c in range(1, 11, 2):
            cell = []
            for X, X_test, y, y_test in splits:
                model = make(gamma=2.0**k / X.shape[1], C=2.0**c).fit(X, y)
                cell.append((model.score(X_test, y_test), len(model.support_)))
            found[k, c] = np.mean(cell, axis=0)
    return found


def tune(file: str, share: float) -> None:
    """Parameters of either side, on training rows alone: 70 % of them, at most 30,000, to fit, at
    most 20,000 others to judge; where these are few, several times. Theirs is the most accurate
    cell; ours too, of those with at most `share` of their support vectors."""
    from hinge0 import L0SVC
    from sklearn.model_selection import train_test_split
    from sklearnex.svm import SVC

    X, y, _, _ = load(file)
    X = X.toarray() if sp.issparse(X) else X
    count = min(30_000, 7 * len(y) // 10)
    others = min(20_000, len(y) - count)
    splits = [
        train_test_split(X, y, train_size=count, test_size=others, random_state=seed, stratify=y)
        for seed in range(-(-10_000 // others))
    ]
    found = scores(SVC, splits)
    theirs = max(found, key=lambda cell: found[cell][0])
    chosen = [("SVC", theirs, found[theirs])]
    for way in ({}, {"keep_margin": 0.99, "thin": 0.2}):
        cells = scores(partial(L0SVC, time_limit=10, **way), splits)
        few = {at: one for at, one in cells.items() if one[1] <= share * found[theirs][1]}
        best = max(few, key=lambda cell: few[cell][0])
        chosen.append((f"hinge0 {way}", best, few[best]))
    for name, (k, c), (accuracy, vectors) in chosen:
        print(f"{name} 2**{k}/{X.shape[1]}, 2**{c}: {accuracy:.4f} {vectors:.0f}", end="; ")


def main() -> None:
    if sys.argv[1] == "tune":
        tune(sys.argv[2], float(sys.argv[3]))
        return
    who, file, C, gamma = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
    X, y, X_test, y_test = load(file)
    if who == "hinge0":
        from hinge0 import L0SVC

        model = L0SVC(C=C, gamma=gamma, **json.loads(sys.argv[5]))
    else:
        from sklearnex import patch_sklearn

        patch_sklearn(verbose=False)
        from sklearn.svm import SVC

        model = SVC(C=C, gamma=gamma)
        if sp.issparse(X):  # it is quicker with dense rows
            X, X_test = X.toarray(), X_test.toarray()
        SVC(C=1).fit(X[:64], np.arange(64) % 2).predict(X[:2])  # its libraries are loaded then
    begin = time.perf_counter()
    model.fit(X, y)
    middle = time.perf_counter()
    predicted = model.predict(X_test)
    end = time.perf_counter()
    said = {
        "fit_seconds": middle - begin,
        "predict_seconds": end - middle,
        "accuracy": float(np.mean(predicted == y_test)),
        "support_vectors": len(model.support_),
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    if who == "hinge0":
        said["objective"] = model.report_["objective"]
        said["local_minimum"] = model.report_["certificate"]["local_minimum"]
    print(json.dumps(said))


if __name__ == "__main__":
    main()

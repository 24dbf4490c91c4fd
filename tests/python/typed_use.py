"""A user's program with types: mypy --strict checks it, test_stubs.py runs it."""

import numpy as np
from hinge0 import L0SVC, L0SVCCV, __version__
from numpy.typing import NDArray


def watch(progress: dict[str, object]) -> bool:
    return progress["iteration"] == 10_000


def main() -> NDArray[np.float64]:
    X = np.array([[0.0, 0.1], [0.2, 0.0], [2.0, 2.1], [2.2, 2.0]])
    model: L0SVC = L0SVC(C=2.0, gamma=0.5).fit(X, ["a", "a", "b", "b"], callback=watch)
    if not model.verify(X, ["a", "a", "b", "b"])["local_minimum"]:
        raise RuntimeError(f"hinge0 {__version__} found no minimum")
    tuned: L0SVCCV = L0SVCCV({"C": [1.0, 4.0]}, cv=2).fit(X, ["a", "a", "b", "b"], callback=watch)
    best: L0SVC = tuned.best_estimator_
    return model.decision_function(X) + best.decision_function(X)

"""What a cross-validation says of the cells of one kernel, and of those of several."""

from typing import Any, NamedTuple

import numpy as np

from hinge0 import _core
from hinge0._cv_results import Table, cv_results


class Tried(NamedTuple):
    """The cells of one kernel."""

    cells: list[dict[str, Any]]
    scores: Table
    seconds: Table
    ranked: dict[str, Any]  # what the library made of the scores

    def best_score(self) -> float:
        """That of the best cell; NaN if none was tried."""
        order = self.ranked["order"]
        return float(self.ranked["mean_scores"][order[0]]) if len(order) > 0 else np.nan


def taken(tries: list[Tried], metric: str, rule: str) -> tuple[list[int], dict[str, Any]]:
    """The cells of the kernel that is taken, from the best to the worst, and all cells' table."""
    best = _core.better_kernel([one.best_score() for one in tries], metric, rule)
    before = sum(len(one.cells) for one in tries[:best])
    order: list[int] = (tries[best].ranked["order"] + before).tolist()
    if len(order) == 0:
        return [], {}
    ranked = {
        name: np.concatenate([one.ranked[name] for one in tries])
        for name in ("mean_scores", "mean_support_vectors", "merits")
    }
    cells = [cell for one in tries for cell in one.cells]
    scores = np.vstack([one.scores for one in tries])
    seconds = np.vstack([one.seconds for one in tries])
    return order, cv_results(cells, scores, seconds, ranked, rule)

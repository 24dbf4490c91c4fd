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

    def best_scores(self) -> list[float]:
        """Those of the best cell on each split; none if no cell was tried."""
        order = self.ranked["order"]
        scores: list[float] = self.scores[order[0]].tolist() if len(order) > 0 else []
        return scores


def taken(tries: list[Tried], metric: str, rule: str) -> tuple[list[int], dict[str, Any]]:
    """The cells of the kernel that is taken, from the best to the worst, then those of the others;
    and the table of all cells.
    """
    first = np.cumsum([0, *(len(one.cells) for one in tries)])
    kernels = _core.kernel_ranking([one.best_scores() for one in tries], metric, rule)
    if len(kernels) == 0:
        return [], {}
    order = np.concatenate([first[k] + tries[k].ranked["order"] for k in kernels]).tolist()
    ranked = {
        name: np.concatenate([one.ranked[name] for one in tries])
        for name in ("mean_scores", "mean_support_vectors", "merits")
    }
    cells = [cell for one in tries for cell in one.cells]
    scores = np.vstack([one.scores for one in tries])
    seconds = np.vstack([one.seconds for one in tries])
    return order, cv_results(cells, scores, seconds, ranked, rule)

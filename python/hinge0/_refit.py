"""From the order of the cells to one classifier on all samples."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinge0._l0svc import L0SVC


def first_small_enough(
    order: list[int],
    mean_support: NDArray[Any],
    most: int | None,
    fit: Callable[[int], L0SVC],
) -> tuple[int, L0SVC]:
    """The first of these cells whose fit has at most so many support vectors, and the fit."""
    fewest = np.inf
    for k in order:
        fewest = min(fewest, mean_support[k])
        if most is not None and mean_support[k] > most:  # on fewer samples there are fewer
            continue
        found = fit(k)
        if most is None or len(found.support_) <= most:
            return k, found
        fewest = min(fewest, len(found.support_))
    raise ValueError(
        f"No cell of the grid has a classifier of at most {most} support vectors; the smallest "
        f"has about {fewest:.0f}."
    )

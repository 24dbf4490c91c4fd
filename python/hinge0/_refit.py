"""From the order of the cells to one classifier on all samples."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinge0._l0svc import L0SVC

# A classifier of so many times as many support vectors as wanted is too large to be thinned out.
MOST_THINNED_OUT = 4


def first_small_enough(
    order: list[int],
    mean_support: NDArray[Any],
    most: int | None,
    thinner: list[float],
    fit: Callable[[int, float | None], L0SVC],
) -> tuple[int, L0SVC]:
    """The first of these cells with a classifier of at most so many support vectors, and that one.

    ``fit(k, thin)`` fits a cell: as it is (None), or with the least of `thinner` that will do.
    """
    fewest = np.inf
    for k in order:
        in_folds = mean_support[k]  # on fewer samples there are fewer
        if most is not None and in_folds > most * (MOST_THINNED_OUT if thinner else 1):
            fewest = min(fewest, in_folds)
            continue
        found = fit(k, None)
        fewest = min(fewest, len(found.support_))
        if most is None or len(found.support_) <= most:
            return k, found
        if not thinner:
            continue
        # As thin as can be tells whether this cell will do; then no thinner than it must be.
        thinnest = fit(k, thinner[-1])
        fewest = min(fewest, len(thinnest.support_))
        if len(thinnest.support_) > most:
            continue
        fits = (fit(k, thin) for thin in thinner[:-1])
        return k, next((one for one in fits if len(one.support_) <= most), thinnest)
    raise ValueError(
        f"No cell of the grid has a classifier of at most {most} support vectors; the smallest "
        f"has about {fewest:.0f}."
    )

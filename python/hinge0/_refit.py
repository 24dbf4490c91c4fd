"""Classifiers on all samples, of the cells of a grid, until one is small enough."""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from hinge0 import _core
from hinge0._compat import Callback
from hinge0._l0svc import L0SVC


class Refits:
    """The last fits of one tuning, in what is left of its time limit.

    ``fit(k, thin, time_limit, callback)`` fits cell `k`, with this `thin` unless it is None.
    """

    def __init__(
        self,
        fit: Callable[[int, float | None, float | None, Callback | None], L0SVC],
        most: int | None,
        time_left: Callable[[], float | None],
        callback: Callback | None,
    ) -> None:
        self._fit, self._most, self._time_left = fit, most, time_left
        self._callback = None if callback is None else self._heard
        self._tell = callback
        self._made: dict[float | None, L0SVC] = {}  # of one cell, by what they thin out
        self._cell: int | None = None
        self._stopped = False

    def choose(
        self, order: list[int], mean_support: NDArray[Any], thinner: list[float]
    ) -> tuple[int, L0SVC]:
        """The first of these cells whose classifier is small enough, and that one."""
        most = self._most or 0
        found = _core.first_small_enough(order, mean_support, most, thinner, self._make)
        if found is None:
            why = "stopped" if self._stopped else "over: its time limit was reached"
            raise RuntimeError(f"The fit is {why} before a classifier was small enough.")
        cell, thin = found
        return cell, self._made[thin]

    def _heard(self, progress: dict[str, Any]) -> bool:
        assert self._tell is not None
        self._stopped = bool(self._tell(progress)) or self._stopped
        return self._stopped

    def _is_over(self) -> bool:
        left = self._time_left()
        return self._stopped or (left is not None and left <= 0)

    def _make(self, cell: int, thin: float | None) -> int | None:
        """How many support vectors it has; None if it was stopped on its way."""
        is_first = self._cell is None
        if not is_first and self._is_over():
            return None
        if cell != self._cell:
            self._made.clear()
        self._cell = cell
        left = self._time_left()
        limit = None if left is None else max(1e-3, left)
        try:
            fitted = self._fit(cell, thin, limit, self._callback)
        except RuntimeError:
            if is_first or not self._is_over():
                raise
            return None
        self._made[thin] = fitted
        is_whole = fitted.report_["status"] not in ("interrupted", "time_limit")
        # An unfinished one may be small by chance.
        return len(fitted.support_) if is_whole or self._most is None else None

"""A cross-validation whose fits are made by the workers of a Dask cluster."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hinge0 import _core
from hinge0._cluster import Cluster
from hinge0._compat import Callback
from hinge0._grid import Grid, Values
from hinge0._problem import Problem
from hinge0._splits import Split

# Seconds without a worker before it ends with an error.
PATIENCE = 60.0
# Of a walk, what the rounds take of it.
TAKEN = ("decisions", "support_vectors", "raised", "fit_seconds")
# What a callback is told besides.
NOTHING = {"objective": 0.0, "support_vectors": 0, "bias": 0.0}


def make_walk(
    sent: tuple[Problem, list[Split], str], split: int, gamma: Values, C: Values
) -> dict[str, Any] | Exception:
    """On a worker: the fits of one split and gamma, or why there is none; not all need succeed."""
    problem, splits, metric = sent
    try:
        found = problem.cross_validate(
            C=C, gamma=gamma, splits=[splits[split]], metric=metric, race=False, decisions=True,
            callback=None,
        )  # fmt: skip
    except (ValueError, MemoryError) as error:
        return error
    return {key: found[key] for key in TAKEN}


class _StopError(Exception):
    """The callback asks to stop, or the time is over."""


class SpreadValidation:
    """The library's rounds of fits, with workers in the place of threads: a walk is a task."""

    def __init__(
        self, client: Any, problem: Problem, splits: list[Split], metric: str,
        callback: Callback | None,
    ) -> None:  # fmt: skip
        self._cluster = Cluster(client, PATIENCE, verbose=False)
        self._sent = (problem, splits, metric)
        self._limit = problem.classifier.time_limit
        self._callback = callback
        self._begin = time.monotonic()
        self._status = "converged"
        self._done = 0
        self._failures: list[Exception] = []

    def run(self, grid: Grid, race: bool, decisions: bool) -> dict[str, Any]:
        """As ``_core.cross_validate``, and with the same bits."""
        problem, splits, metric = self._sent
        self._fits = len(grid.cells()) * len(splits)
        rounds = _core.Rounds(
            problem.codes, problem.n_classes, C=grid.C, gamma=grid.gamma, splits=splits,
            metric=metric, race=race,
        )  # fmt: skip
        try:
            with self._cluster.interrupts:
                sent = self._cluster.send("rows", self._sent)
                while walks := rounds.next():
                    self._make(walks, sent, rounds.take)
        except _StopError:
            pass
        result = rounds.result(self._status, time.monotonic() - self._begin, decisions=decisions)
        if self._failures and self._status == "converged" and np.isnan(result["scores"]).all():
            raise self._failures[0]
        return result

    def _make(self, walks: list[Any], sent: Any, take: Callable[..., None]) -> None:
        """One round: a task for each walk, taken in their order."""
        futures = self._cluster.each(
            "fits", make_walk, [sent] * len(walks), *zip(*walks, strict=True)
        )
        taken = 0
        try:
            for future in futures:
                self._look_up()
                found = self._cluster.gather([future], self._look_up)[0]
                self._take(found, taken, len(walks[taken][2]), take)
                taken += 1
        except _StopError:
            for number in range(taken, len(walks)):
                if futures[number].status == "finished":
                    found = self._cluster.gather([futures[number]])[0]
                    self._take(found, number, len(walks[number][2]), take)
            raise
        except BaseException:
            self._cluster.cancel(futures)
            raise

    def _take(self, found: Any, number: int, fits: int, take: Callable[..., None]) -> None:
        self._done += fits
        if isinstance(found, Exception):
            self._failures.append(found)
        else:
            take(number, **found)

    def _look_up(self) -> None:
        """While tasks are under way."""
        if self._limit is not None and time.monotonic() > self._begin + self._limit:
            self._status = "time_limit"
            raise _StopError
        told = {"stage": "tune", "done": self._done / self._fits, "iteration": self._done}
        if self._callback is not None and self._callback({**NOTHING, **told}):
            self._status = "interrupted"
            raise _StopError

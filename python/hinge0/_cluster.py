"""Questions to partitions that live on a Dask cluster."""

import asyncio
import concurrent.futures
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any

import dask
import distributed

from hinge0 import _core
from hinge0 import _partitions as on_worker
from hinge0._interrupts import Interrupts


class Cluster:
    """Tasks on a cluster, with names that tell what they do, and a count of what travels.

    Tasks are not bound to workers and remember nothing, so Dask repeats elsewhere what a lost
    worker had. Dask itself would wait for workers for ever: here only for `patience` seconds.
    """

    def __init__(self, client: Any, patience: float, verbose: object) -> None:
        self.client = client
        self._patience = patience
        self._verbose = verbose
        self._fit = uuid.uuid4().hex[:8]
        self._asked = 0
        self.rows: list[Any] = []  # of every partition, its rows as futures
        self._kept: dict[int, Any] = {}
        self.rounds: list[dict[str, Any]] = []
        self.interrupts = Interrupts()

    def submit(self, name: str, number: int, function: Callable[..., Any], *given: Any) -> Any:
        """One task; its name is what the dashboard shows."""
        key = (f"hinge0-{name}-{self._fit}-{self._asked}", number)
        return self.client.submit(function, *given, key=key, pure=False)

    def each(self, name: str, function: Callable[..., Any], *lists: Any) -> list[Any]:
        """A task for every partition."""
        self._asked += 1
        given = zip(*lists, strict=True)
        return [self.submit(name, p, function, *one) for p, one in enumerate(given)]

    def send(self, name: str, value: Any) -> Any:
        """Something for tasks to come, as a task: what is scattered is lost with its worker."""
        self._asked += 1
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            return self.submit(name, 0, on_worker.hold, value)

    def gather(self, futures: list[Any], look_up: Callable[[], None] | None = None) -> list[Any]:
        """The results, in order; looks up from waiting now and then."""
        loop = self.client.loop.asyncio_loop
        waiting = asyncio.run_coroutine_threadsafe(self._results(futures), loop)
        alive = time.monotonic()
        while True:
            try:
                self.interrupts.check()
                return waiting.result(timeout=0.5 if look_up is None else 0.1)
            except (TimeoutError, concurrent.futures.TimeoutError):
                if waiting.done():
                    raise
            except (concurrent.futures.CancelledError, asyncio.CancelledError) as error:
                raise RuntimeError("the cluster was closed during the fit") from error
            except distributed.scheduler.KilledWorker as error:
                raise RuntimeError(
                    "a task was lost with its worker time and again: has the worker too little "
                    "memory?"
                ) from error
            except BaseException:
                self.cancel(futures, waiting)
                raise
            if look_up is not None:
                look_up()
            if self._has_workers():
                alive = time.monotonic()
            elif time.monotonic() > alive + self._patience:
                self.cancel(futures, waiting)
                raise RuntimeError(
                    f"the cluster has had no worker for {self._patience:g} seconds: start some and "
                    "fit again, or allow more time by worker_timeout"
                )

    def cancel(self, futures: list[Any], waiting: Any = None) -> None:
        """Ends tasks, and with them the waiting for them: who keeps the traceback of an error
        keeps futures, and Dask would go on."""
        if self.client.status == "running":
            self.client.cancel(futures)
        elif waiting is not None:
            waiting.cancel()

    async def _results(self, futures: list[Any]) -> list[Any]:
        results = await self.client.gather(futures, asynchronous=True)
        return list(results)

    def _has_workers(self) -> bool:
        if self.client.status != "running":
            return False
        try:
            return len(self.client.nthreads()) > 0
        except (OSError, distributed.core.CommClosedError):
            return False

    def ask(self, name: str, common: bytes, partitions: list[int], own: list[bytes]) -> list[bytes]:
        """Answers of partitions: what the library calls."""
        begin = time.perf_counter()
        question = self.send("question", common)
        said = {}
        for p, of_it in zip(partitions, own, strict=True):
            given = (self.rows[p], question, of_it)
            if name == "keep":
                self._kept[p] = self.submit(name, p, on_worker.keep, *given)
                said[p] = self.submit("kept", p, on_worker.said, self._kept[p])
            else:
                kept = self._kept[p] if name == "score" else None
                said[p] = self.submit(name, p, on_worker.answer, *given, kept)
        answers = self.gather(list(said.values()))
        self._count(name, common, own, answers, time.perf_counter() - begin)
        return answers

    def _count(
        self, name: str, common: bytes, own: list[bytes], answers: list[bytes], seconds: float
    ) -> None:
        told = {
            "question": name,
            "partitions": len(own),
            "bytes_sent": len(common) + sum(map(len, own)),
            "bytes_received": sum(map(len, answers)),
            "bytes_needed": _core.bytes_needed(common, answers),
            "seconds": seconds,
        }
        self.rounds.append(told)
        if self._verbose:
            print(
                f"hinge0: {name}: {told['partitions']} partitions, {told['bytes_sent']:,} bytes "
                f"out, {told['bytes_received']:,} in, {seconds:.2f} s",
                file=sys.stderr,
                flush=True,
            )

    def forget(self) -> None:
        """Lets the cluster forget what it holds for the fit."""
        self.rows, self._kept = [], {}

    def report(self) -> dict[str, Any]:
        return {
            "partitions": len(self.rows),
            "rounds": len(self.rounds),
            "bytes_sent": sum(r["bytes_sent"] for r in self.rounds),
            "bytes_received": sum(r["bytes_received"] for r in self.rounds),
            "bytes_needed": sum(r["bytes_needed"] for r in self.rounds),
            "seconds": sum(r["seconds"] for r in self.rounds),
            "questions": self.rounds,
        }

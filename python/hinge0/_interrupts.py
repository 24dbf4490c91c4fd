"""Ctrl-C that is not lost."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any


class Interrupts:
    """Remembers what the handler of Ctrl-C raises, while it is entered.

    Python runs the handler between any two steps of the main thread. Where these are those of a
    finalizer, and Dask has many of them, what it raises is printed and lost.
    """

    def __init__(self) -> None:
        self._raised: BaseException | None = None
        self._usual: Any = None

    def __enter__(self) -> "Interrupts":
        if threading.current_thread() is threading.main_thread():
            usual = signal.getsignal(signal.SIGINT)
            if callable(usual):
                self._usual = usual
                signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._usual is not None:
            signal.signal(signal.SIGINT, self._usual)
        if error is None:
            self.check()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        try:
            self._usual(number, frame)
        except BaseException as error:
            self._raised = error
            raise

    def check(self) -> None:
        """Raises what was raised, if that was lost."""
        if self._raised is not None:
            raise self._raised

"""Progress of a fit: the caller's callback, scikit-learn's callbacks and a bar, all from one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hinge0._compat import Callback, FitTask


def _bar(verbose: object) -> Any:
    if not verbose:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("verbose needs tqdm: pip install 'hinge0[progress]'") from error
    return tqdm(desc="L0SVC", unit=" steps")


def _show(bar: Any, progress: dict[str, Any]) -> None:
    if progress["iteration"] == 0 or progress["stage"] == "tune":
        bar.set_postfix_str(f"{progress['stage']} {progress['done']:.0%}")
        return
    bar.update(1)
    numbers = {"objective": progress["objective"], "SV": progress["support_vectors"]}
    if "worst_residual" in progress:
        numbers["residual"] = progress["worst_residual"]
    bar.set_postfix(numbers, refresh=False)


@contextmanager
def progress_callback(
    callback: Callback | None, task: FitTask, verbose: object
) -> Iterator[Callback | None]:
    """The one callback that serves all who want to know; None if nobody does."""
    bar = _bar(verbose)
    if callback is None and bar is None and not task.watched:
        yield None
        return

    def tell(progress: dict[str, Any]) -> bool:
        if bar is not None:
            _show(bar, progress)
        stop = bool(callback is not None and callback(progress))
        return task.step(progress) or stop

    try:
        yield tell
    finally:
        if bar is not None:
            bar.close()

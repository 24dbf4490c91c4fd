"""What differs between the versions of scikit-learn that are supported (1.4 and later)."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

__all__ = [
    "Callback",
    "CallbackSupportMixin",
    "FitTask",
    "validate_data",
    "with_callbacks",
]

try:  # 1.6
    from sklearn.utils.validation import validate_data
except ImportError:

    def validate_data(estimator: Any, /, *args: Any, **options: Any) -> Any:
        return estimator._validate_data(*args, **options)


try:  # 1.9
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in where scikit-learn has no callbacks."""

    def _with_callbacks(method: Any) -> Any:
        return method


Callback = Callable[[dict[str, Any]], object]
Method = TypeVar("Method", bound=Callable[..., Any])


def with_callbacks(method: Method) -> Method:
    """Ends scikit-learn's callbacks when the method ends, however it does."""
    return cast(Method, _with_callbacks(method))


class FitTask:
    """The fit of an estimator as scikit-learn's callbacks see it: one task, a subtask a step."""

    def __init__(self, estimator: Any, X: Any, y: Any, max_steps: int | None) -> None:
        self._hooks: dict[str, Any] = {"estimator": estimator, "X": X, "y": y}
        self._context = None
        if hasattr(estimator, "_init_callback_context"):
            self._context = estimator._init_callback_context(max_subtasks=max_steps)
            self._context.call_on_fit_task_begin(**self._hooks)
        self.watched = bool(getattr(estimator, "_skl_callbacks", []))

    def step(self, progress: dict[str, Any]) -> bool:
        """One step is done; true if a callback asks to stop."""
        if self._context is None or not self.watched or progress["iteration"] == 0:
            return False
        step = self._context.subcontext(task_name=progress["stage"])
        step.call_on_fit_task_begin(**self._hooks)
        return bool(step.call_on_fit_task_end(**self._hooks))

    def end(self) -> None:
        if self._context is not None:
            self._context.call_on_fit_task_end(**self._hooks)

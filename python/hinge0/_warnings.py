"""What a fit warns about; all else that it has to say is in the report's notes."""

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

# Of the call stack: this module's function, fit, and then the line that called fit.
FRAMES = 3
# Always the same words, so that one filter stops them.
CONSTANT = (
    "L0SVC: the classifier is constant, it has no support vectors; "
    'see report_["notes"] for what may help.'
)


class Told:
    """What this process has been warned of.

    Python remembers too, but forgets whenever filters change, and scikit-learn changes them around
    every fit of a grid search: it showed the same words thousands of times.
    """

    constant = False

    @classmethod
    def forget(cls) -> None:
        cls.constant = False


def warn_about(report: dict[str, Any]) -> None:
    """Called by fit; the warnings point at the line that called fit."""
    if report["status"] != "converged":
        warnings.warn(
            f"L0SVC did not converge (status {report['status']} after {report['iterations']} "
            "iterations); the best classifier so far is kept, see report_.",
            ConvergenceWarning,
            stacklevel=FRAMES,
        )
    elif _lacks_certificate(report):
        warnings.warn(
            "L0SVC ended without the certificate of a local minimum; scale the features, or see "
            'report_["certificate"] for how far it is from one.',
            ConvergenceWarning,
            stacklevel=FRAMES,
        )
    if report["support_vectors"] == 0 and _is_news():
        warnings.warn(CONSTANT, UserWarning, stacklevel=FRAMES)


def warn_of_early_end(status: str) -> None:
    """Called by fit of a cross-validation that was stopped."""
    warnings.warn(
        f"L0SVCCV: the cross-validation ended early (status {status}); C and gamma are chosen from "
        "what was tried.",
        ConvergenceWarning,
        stacklevel=FRAMES,
    )


def _is_news() -> bool:
    """Whether to tell of a constant classifier: once, unless the filters want it every time."""
    action = _wanted_action(CONSTANT, UserWarning)
    news = not Told.constant or action in ("always", "all", "error")
    Told.constant = Told.constant or action != "ignore"
    return news


def _wanted_action(message: str, category: type[Warning]) -> str:
    """The first filter's that holds for all modules; Python itself looks at the others."""
    for action, pattern, kind, module, _ in warnings.filters:
        fits = pattern is None or (not isinstance(pattern, str) and pattern.match(message))
        if module is None and fits and issubclass(category, kind):
            return action
    return "default"


def _lacks_certificate(report: dict[str, Any]) -> bool:
    exact = report["loss"] == "l0" and report["solver"] == "exact"
    return exact and report["support_vectors"] > 0 and not report["certificate"]["local_minimum"]

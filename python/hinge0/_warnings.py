"""What a fit warns about; all else that it has to say is in the report's notes."""

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from hinge0._compat import FIT_FRAMES

# Always the same words, so that one filter, or Python's memory of what it has shown, stops them.
CONSTANT = (
    "L0SVC: the classifier is constant, it has no support vectors; "
    'see report_["notes"] for what may help.'
)


def warn_about(report: dict[str, Any]) -> None:
    """Called by fit; the warnings point at the line that called fit."""
    frames = 2 + FIT_FRAMES
    if report["status"] != "converged":
        warnings.warn(
            f"L0SVC did not converge (status {report['status']} after {report['iterations']} "
            "iterations); the best classifier so far is kept, see report_.",
            ConvergenceWarning,
            stacklevel=frames,
        )
    elif _lacks_certificate(report):
        warnings.warn(
            "L0SVC ended without the certificate of a local minimum; scale the features, or see "
            'report_["certificate"] for how far it is from one.',
            ConvergenceWarning,
            stacklevel=frames,
        )
    if report["support_vectors"] == 0:
        warnings.warn(CONSTANT, UserWarning, stacklevel=frames)


def _lacks_certificate(report: dict[str, Any]) -> bool:
    exact = report["loss"] == "l0" and report["solver"] == "exact"
    return exact and report["support_vectors"] > 0 and not report["certificate"]["local_minimum"]

"""Labels that are probably wrong, as cleanlab tells them."""

from typing import Any

import numpy as np
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import check_classification_targets

from hinge0 import _core
from hinge0._compat import Callback
from hinge0._convert import core_rows, seed_of
from hinge0._inputs import DTYPES, Codes, checked_weight
from hinge0._threads import thread_count

RANKINGS = ("label_quality", "self_confidence")


def _classes_and_codes(y: Any) -> tuple[Any, Codes]:
    check_classification_targets(y)
    classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if len(classes) < 2:
        raise ValueError("find_label_issues needs two classes at least, but y has only 1 class.")
    if (counts < 2).any():
        single = classes[counts < 2].tolist()[0]
        raise ValueError(
            f"Class {single!r} has a single row: every class needs 2 rows at least, to judge each "
            "other."
        )
    return classes, codes.astype(np.int64)


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            "find_label_issues gives a table of pandas: pip install 'hinge0[suspects]', or ask for "
            "return_indices_ranked_by='label_quality'"
        ) from error
    return pandas


def find_label_issues(
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    return_indices_ranked_by: str | None = None,
    standardize: bool = True,
    random_state: Any = None,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    callback: Callback | None = None,
) -> Any:
    """Tell which labels are probably wrong.

    Every row is judged by kernel ridge regressions that have not seen it. Their widths and ridges
    are chosen by the errors on such rows; docs/suspects.md has the method and its measurements.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : labels of two or more classes, each with two rows at least
    sample_weight : how often each row counts; a row of weight 0 is judged, but judges no other
    return_indices_ranked_by : None, "label_quality" or "self_confidence"
        None: the table below. Else (the two mean the same ranking; the second is cleanlab's name)
        the positions of the issues, worst first.
    standardize : whether features are scaled to mean 0 and deviation 1
    random_state : deals out more than 2,000 rows to several fits
    n_jobs : threads, as of L0SVC; the result does not depend on it
    time_limit : seconds; RuntimeError when they are over
    memory_limit : bytes; MemoryError rather than more
    callback : called with the progress, as of L0SVC.fit; a true result ends it by RuntimeError

    Returns
    -------
    A pandas.DataFrame with a row for each row of X, in their order: `is_label_issue`,
    `label_quality` (from 0, most suspect, to 1; a score, not a probability), `given_label` and
    `predicted_label`. Or an array of positions.
    """
    if return_indices_ranked_by not in (None, *RANKINGS):
        raise ValueError(
            f"return_indices_ranked_by must be None or one of {', '.join(RANKINGS)}, got "
            f"{return_indices_ranked_by!r}."
        )
    pandas = _pandas() if return_indices_ranked_by is None else None
    X, y = check_X_y(X, y, accept_sparse="csr", dtype=DTYPES, ensure_min_samples=2)
    classes, codes = _classes_and_codes(y)
    found = _core.find_suspects(
        core_rows(X),
        codes,
        len(classes),
        sample_weight=checked_weight(sample_weight, X),
        standardize=bool(standardize),
        seed=seed_of(random_state),
        threads=thread_count(n_jobs),
        time_limit=np.inf if time_limit is None else float(time_limit),
        memory_limit=float(memory_limit or 0),
        callback=callback,
    )
    if pandas is None:
        return found["ranking"][found["is_issue"][found["ranking"]]]
    return pandas.DataFrame(
        {
            "is_label_issue": found["is_issue"],
            "label_quality": found["quality"],
            "given_label": y,
            "predicted_label": classes[found["predicted"]],
        }
    )

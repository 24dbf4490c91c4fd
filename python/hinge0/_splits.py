"""The splits of a cross-validation, from all that scikit-learn takes for `cv`."""

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv
from sklearn.utils import check_consistent_length

from hinge0 import _core
from hinge0._inputs import Codes, Weights

Rows = NDArray[np.int64]
Split = tuple[Rows, Rows]


def stratified(
    codes: Codes, classes: NDArray[Any], cv: int | None, n_repeats: int, seed: int
) -> list[Split]:
    """Folds by random, with the classes' shares of all rows; None is scikit-learn's default."""
    folds = 5 if cv is None else int(cv)
    counts = np.bincount(codes)
    few = int(counts.argmin())
    if counts[few] < folds:
        label, most = classes[few : few + 1].tolist()[0], counts[few]
        advice = f"use at most {most} folds" if most > 1 else "every class needs 2 rows at least"
        rows = "row" if most == 1 else "rows"
        raise ValueError(f"class {label!r} has {most} {rows}, too few for {folds} folds: {advice}")
    return _core.stratified_splits(
        codes, len(classes), folds=folds, repeats=int(n_repeats), seed=seed
    )


def from_splitter(cv: Any, X: Any, y: Any, groups: Any) -> list[Split]:
    """What a splitter, or a list of pairs, says."""
    check_consistent_length(X, groups)
    pairs = list(check_cv(cv, y, classifier=True).split(X, y, groups))
    rows = X.shape[0]
    return [
        (_indices(train, rows, number), _indices(test, rows, number))
        for number, (train, test) in enumerate(pairs, 1)
    ]


def is_a_number_of_folds(cv: Any) -> bool:
    return cv is None or isinstance(cv, numbers.Integral)


def check_splits(splits: list[Split], codes: Codes, weight: Weights | None) -> None:
    """Every split trains on all classes, on each row once, and tests something."""
    if len(splits) == 0:
        raise ValueError("cv gives no split.")
    for number, (train, test) in enumerate(splits, 1):
        if len(test) == 0:
            raise ValueError(f"Split {number} of cv has no samples to test.")
        if len(np.unique(train)) < len(train):
            raise ValueError(f"Split {number} of cv trains on a sample twice: use sample_weight.")
        counted = train if weight is None else train[weight[train] > 0]
        found, classes = len(np.unique(codes[counted])), int(codes.max()) + 1
        if found < classes:
            of_all = "" if classes == 2 else f" of {classes}"
            word = "class" if found == 1 else "classes"
            raise ValueError(
                f"The training part of split {number} of cv has only {found} {word}{of_all}."
            )


def _indices(part: Any, rows: int, number: int) -> Rows:
    indices = np.asarray(part)
    if indices.dtype == bool and indices.shape == (rows,):
        indices = np.flatnonzero(indices)
    if indices.ndim != 1 or (len(indices) > 0 and indices.dtype.kind not in "iu"):
        raise ValueError(f"Split {number} of cv must be two arrays of indices.")
    if len(indices) > 0 and not 0 <= indices.min() <= indices.max() < rows:
        raise ValueError(f"Split {number} of cv has indices that are not in 0 .. {rows - 1}.")
    return np.ascontiguousarray(indices, dtype=np.int64)

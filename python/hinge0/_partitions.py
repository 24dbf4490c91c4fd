"""What workers do with a partition. Plain functions of what they are given: a lost result can be
had again from anywhere."""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_array, column_or_1d

from hinge0 import _core
from hinge0._convert import core_rows
from hinge0._inputs import DTYPES

Part = tuple[Any, NDArray[Any], NDArray[np.float64] | None]
# Samples, numbers of the labels, weights, and the number of the first row among all.
Rows = tuple[Any, NDArray[np.int32], NDArray[np.float64] | None, int]


class Look(NamedTuple):
    """What a fit must know of a partition before it begins."""

    rows: int
    features: int
    labels: NDArray[Any]
    counts: list[int]  # of each label, rows with a weight above 0
    weights: list[float]  # what they weigh
    moments: tuple[float, float, float]  # weight of all entries, their mean, squares around it


def make_part(X: Any, y: Any, weight: Any, number: int) -> Part:
    """The samples, labels and weights of one partition, checked."""
    try:
        X = check_array(X, accept_sparse="csr", dtype=DTYPES, ensure_min_samples=0)
        y = column_or_1d(y)
        if y.dtype.kind == "f" and not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity.")
        if len(y) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows and y has {len(y)}.")
        if weight is not None:
            weight = np.ascontiguousarray(column_or_1d(weight), dtype=np.float64)
            if len(weight) != X.shape[0]:
                raise ValueError(f"X has {X.shape[0]} rows and sample_weight {len(weight)}.")
            if not np.isfinite(weight).all() or (weight < 0).any():
                raise ValueError("sample_weight holds values that are negative or not finite.")
    except ValueError as error:
        raise ValueError(f"partition {number}: {error}") from error
    return X, y, weight


def look(part: Part) -> Look:
    X, y, weight = part
    labels, codes = np.unique(y, return_inverse=True)
    heavy = np.ones(len(y)) if weight is None else weight
    counts = np.bincount(codes[heavy > 0], minlength=len(labels))
    weights = np.bincount(codes, weights=heavy, minlength=len(labels))
    return Look(
        X.shape[0], X.shape[1], labels, counts.tolist(), weights.tolist(), _moments(X, weight)
    )


@np.errstate(over="ignore", invalid="ignore")  # what is not finite then is refused as too large
def _moments(X: Any, weight: NDArray[np.float64] | None) -> tuple[float, float, float]:
    of_row = np.ones(X.shape[0]) if weight is None else weight
    total = float(of_row.sum()) * X.shape[1]
    if total == 0:
        return 0.0, 0.0, 0.0
    if not sp.issparse(X):
        mean = float(of_row @ X.sum(axis=1, dtype=np.float64)) / total
        squares = float(of_row @ np.square(X - mean, dtype=np.float64).sum(axis=1))
        return total, mean, squares
    of_entry = np.repeat(of_row, np.diff(X.indptr))
    data = X.data.astype(np.float64)
    mean = float(of_entry @ data) / total
    zeros = total - float(of_entry.sum())
    return total, mean, float(of_entry @ np.square(data - mean)) + zeros * mean * mean


def number_rows(part: Part, classes: NDArray[Any], first: int) -> Rows:
    X, y, weight = part
    return X, np.searchsorted(classes, y).astype(np.int32), weight, first


def hold(value: Any) -> Any:
    """What the client sent: a task, so that it can be had again where it was lost."""
    return value


def keep(rows: Rows, common: bytes, own: bytes) -> tuple[bytes, bytes]:
    """What the partition says, and which rows it keeps: that stays where it is."""
    X, codes, weight, first = rows
    return _core.answer(core_rows(X), codes, weight, first, common, own, b"")


def said(kept: tuple[bytes, bytes]) -> bytes:
    return kept[0]


def answer(rows: Rows, common: bytes, own: bytes, kept: tuple[bytes, bytes] | None) -> bytes:
    X, codes, weight, first = rows
    last = b"" if kept is None else kept[1]
    return _core.answer(core_rows(X), codes, weight, first, common, own, last)[0]


def codes_of(rows: Rows, places: NDArray[np.int64]) -> NDArray[np.int32]:
    return rows[1][places]


def rightly_classified(rows: Rows, model: Any) -> int:
    """Rows of any weight but 0."""
    X, codes, weight, _ = rows
    if X.shape[0] == 0:
        return 0
    right = model._codes(X) == codes
    return int(np.count_nonzero(right if weight is None else right & (weight > 0)))


def score_part(part: Part, model: Any) -> tuple[float, float]:
    """The weight of what is right, and of all."""
    X, y, weight = part
    if X.shape[0] == 0:
        return 0.0, 0.0
    of_row = np.ones(len(y)) if weight is None else weight
    return float(of_row[model.predict(X) == y].sum()), float(of_row.sum())


def share(parts: list[tuple[float, float]]) -> Any:
    right, total = (sum(values) for values in zip(*parts, strict=True))
    return np.float64(right / total)

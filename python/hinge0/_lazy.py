"""Lazy samples, labels and weights, brought together partition by partition."""

from typing import Any

import dask
import dask.array as da
import numpy as np
from numpy.typing import NDArray


def is_lazy(X: Any) -> bool:
    return bool(dask.is_dask_collection(X))


def is_frame(X: Any) -> bool:
    """Whether it is a data frame or one of its columns; looked at without importing pandas."""
    return hasattr(X, "map_partitions") and hasattr(X, "npartitions")


def feature_names(X: Any) -> NDArray[Any] | None:
    """The columns of a data frame, if they are all text."""
    names = list(getattr(X, "columns", ()))
    if not names or not all(isinstance(name, str) for name in names):
        return None
    return np.asarray(names, dtype=object)


def check_samples(X: Any) -> None:
    if not is_lazy(X):
        raise TypeError(
            f"X must be a dask array or data frame, got {type(X).__name__}: L0SVC fits rows that "
            "are here, dask.array.from_array spreads them"
        )
    if is_frame(X):
        return
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, got {X.ndim}")
    if X.numblocks[1] > 1:
        rows = X.chunks[0][0]
        size = "n" if np.isnan(rows) else rows
        raise ValueError(
            f"X is divided into {X.numblocks[1]} chunks of columns, but a row must be in one piece:"
            f" X.rechunk(({size}, -1)) makes it so"
        )


def _blocks(X: Any) -> list[Any]:
    return list(np.ravel(np.asarray(X.to_delayed(), dtype=object)))


def _beside(values: Any, X: Any, name: str) -> list[Any]:
    """The partitions of labels or weights that belong to those of X."""
    if not is_lazy(values):
        sizes = None if is_frame(X) else X.chunks[0]
        if sizes is None or np.isnan(sizes).any():
            raise TypeError(f"{name} must be a dask array or series, as the sizes of X's "
                            "partitions are not known")  # fmt: skip
        values = da.from_array(np.asarray(values), chunks=(sizes,))
    if is_frame(values):
        parts = _blocks(values)
    else:
        if values.ndim == 2 and values.shape[1] == 1:
            values = values[:, 0]
        if values.ndim != 1:
            raise ValueError(f"{name} must have one dimension, got {values.ndim}")
        if not is_frame(X) and values.chunks[0] != X.chunks[0]:
            values = _like(values, X, name)
        parts = _blocks(values)
    count = X.npartitions
    if len(parts) != count:
        raise ValueError(f"{name} has {len(parts)} partitions and X has {count}: give both the "
                         "same ones (repartition, rechunk or compute_chunk_sizes)")  # fmt: skip
    return parts


def _like(values: Any, X: Any, name: str) -> Any:
    sizes = X.chunks[0]
    if np.isnan(sizes).any() or np.isnan(values.chunks[0]).any():
        return values  # each partition is checked when it is there
    if sum(sizes) != values.shape[0]:
        raise ValueError(f"X has {sum(sizes)} rows and {name} has {values.shape[0]}.")
    return values.rechunk((sizes,))


def partitions_of(X: Any, y: Any, weight: Any) -> list[tuple[Any, Any, Any]]:
    """Of every partition its samples, labels and weights (or None), not computed."""
    check_samples(X)
    samples = _blocks(X)
    labels = _beside(y, X, "y")
    weights = [None] * len(samples) if weight is None else _beside(weight, X, "sample_weight")
    return list(zip(samples, labels, weights, strict=True))

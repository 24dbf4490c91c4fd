"""Lazy samples, labels and weights: which belong together, and what is said of others."""

from typing import Any

import numpy as np
import pytest
from conftest import DASK_WARNINGS, noisy

pytest.importorskip("distributed")
import dask
import dask.array as da
from hinge0._lazy import feature_names, partitions_of

pytestmark = DASK_WARNINGS
ROWS = 90


def rows() -> tuple[np.ndarray, np.ndarray, Any]:
    X, y = noisy(ROWS)
    return X, y, da.from_array(X, chunks=(30, -1))


def computed(parts: list[tuple[Any, Any, Any]]) -> list[tuple[Any, Any, Any]]:
    return list(dask.compute(*parts, scheduler="synchronous"))


@pytest.mark.parametrize("case", ["same", "other chunks", "column", "here"])
def test_every_row_has_its_label_and_weight(case: str) -> None:
    X, y, dX = rows()
    labels: Any = y
    if case != "here":
        labels = da.from_array(y, chunks=45 if case == "other chunks" else 30)
    if case == "column":
        labels = labels[:, None]
    parts = computed(partitions_of(dX, labels, np.arange(ROWS)))
    assert [len(part[0]) for part in parts] == [30, 30, 30]
    for number, expected in enumerate((X, y, np.arange(ROWS))):
        np.testing.assert_array_equal(np.concatenate([part[number] for part in parts]), expected)


def test_without_weights_there_are_none() -> None:
    _, y, dX = rows()
    assert [part[2] for part in partitions_of(dX, y, None)] == [None] * 3


@pytest.mark.parametrize(
    ("case", "error", "message"),
    [
        ("flat", ValueError, "X must have two dimensions, got 1"),
        ("columns", ValueError, r"X is divided into 2 chunks of columns.*X.rechunk\(\(30, -1\)\)"),
        ("unknown columns", ValueError, r"X.rechunk\(\(n, -1\)\) makes it so"),
        ("wide labels", ValueError, "y must have one dimension, got 2"),
        ("fewer weights", ValueError, "X has 90 rows and sample_weight has 80"),
        ("unknown sizes", TypeError, "y must be a dask array or series, as the sizes of X"),
        ("other partitions", ValueError, "y has 2 partitions and X has 3: give both the same"),
    ],
)
def test_refusals(case: str, error: type[Exception], message: str) -> None:
    _, y, dX = rows()
    known = dX[:, 0] > -99  # all of them, but that is not known before they are computed
    given = {
        "flat": (dX[:, 0], y, None),
        "columns": (dX.rechunk((30, 2)), y, None),
        "unknown columns": (dX.rechunk((30, 2))[known], y, None),
        "wide labels": (dX, da.from_array(np.stack([y, y], axis=1), chunks=30), None),
        "fewer weights": (dX, y, da.ones(80, chunks=30)),
        "unknown sizes": (dX[known], y, None),
        "other partitions": (dX[known], da.from_array(y, chunks=45), None),
    }[case]
    with pytest.raises(error, match=message):
        partitions_of(*given)


def test_labels_of_a_data_frame_are_lazy_too() -> None:
    dd = pytest.importorskip("dask.dataframe")
    pd = pytest.importorskip("pandas")
    X, y, _ = rows()
    frame = dd.from_pandas(pd.DataFrame(X, columns=["a", "b", "c"]), npartitions=3)
    with pytest.raises(TypeError, match="y must be a dask array or series"):
        partitions_of(frame, y, None)
    assert feature_names(frame) is not None
    assert feature_names(frame.rename(columns={"a": 1})) is None
    parts = computed(partitions_of(frame, da.from_array(y, chunks=30), None))
    np.testing.assert_array_equal(np.concatenate([part[1] for part in parts]), y)

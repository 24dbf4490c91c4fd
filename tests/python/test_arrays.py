"""Every layout of the same numbers gives the same bits."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from hinge0 import L0SVC, _core
from hypothesis import given, settings
from hypothesis import strategies as st


def fitted(X, y):
    model = L0SVC(C=2.0, gamma=0.3).fit(X, y)
    return np.concatenate([model.dual_coef_[0], model.decision_function(X)])


def packed(X):
    """A field of records without padding: its rows are no multiple of eight bytes apart."""
    records = np.zeros(len(X), dtype=[("tag", "i1"), ("row", "f8", X.shape[1])])
    records["row"] = X
    return records["row"]


def unaligned(X):
    moved = np.empty(X.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(X.shape)
    moved[:] = X
    moved.flags.writeable = False
    return moved


@pytest.mark.parametrize(
    "layout",
    [
        np.asfortranarray,
        lambda X: np.repeat(X, 2, axis=1)[:, ::2],
        lambda X: X[::-1].copy()[::-1],
        lambda X: X.astype(">f8"),
        packed,
        unaligned,
        lambda X: X.astype(object),
        lambda X: pd.DataFrame(X).astype("Float64"),
        lambda X: X.tolist(),
    ],
)
def test_dense_layouts(data, layout):
    X, y = data
    assert np.array_equal(fitted(layout(X), y), fitted(X, y))


def test_float32(data):
    X, y = data
    X = X.astype(np.float32)
    assert np.array_equal(fitted(X, y), fitted(X.astype(float), y))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    kind=st.sampled_from([sp.csr_matrix, sp.csr_array, sp.csc_matrix, sp.coo_matrix]),
    index=st.sampled_from([np.int32, np.int64]),
    value=st.sampled_from([np.float32, np.float64]),
    seed=st.integers(0, 1000),
)
def test_sparse_layouts(kind, index, value, seed):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((40, 6)) < 0.6, 0, rng.normal(size=(40, 6))).astype(value)
    y = (X[:, 0] + rng.normal(size=40) > 0).astype(int)
    y[:2] = 0, 1
    matrix = kind(X)
    if kind in (sp.csr_matrix, sp.csr_array):
        matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    assert np.array_equal(fitted(matrix, y), fitted(sp.csr_matrix(X), y))


def test_unsorted_and_doubled_entries_are_sorted_in_a_copy(data):
    X, y = data
    X = sp.csr_matrix(np.where(np.abs(X) < 0.4, 0, X))
    mixed = X.copy()
    for i in range(X.shape[0]):
        part = slice(X.indptr[i], X.indptr[i + 1])
        mixed.indices[part], mixed.data[part] = X.indices[part][::-1], X.data[part][::-1]
    mixed.has_sorted_indices = mixed.has_canonical_format = False
    before = mixed.indices.copy()
    assert np.array_equal(fitted(mixed, y), fitted(X, y))
    assert np.array_equal(mixed.indices, before)


def test_room_behind_the_last_entry_is_not_read(data):
    X, y = data
    roomy = sp.csr_matrix(X)
    roomy.data, roomy.indices = np.append(roomy.data, np.nan), np.append(roomy.indices, 10**6)
    model = L0SVC().fit(X, y)
    h = model.decision_function(sp.csr_matrix(X))
    with sklearn.config_context(assume_finite=True):
        assert np.array_equal(model.decision_function(roomy), h)


def changed(values, place, value):
    values = values.copy()
    values[place] = value
    return values


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        ("indices", lambda a, n: changed(a, -1, n), "must rise and be below"),
        ("indices", lambda a, n: changed(a, 3, 2**31 - 1), "must rise and be below"),
        ("indices", lambda a, n: changed(a, 3, -7), "below 0 or beyond 2\\^31"),
        ("indices", lambda a, n: changed(a.astype(np.int64), 3, 2**40), "beyond 2\\^31"),
        ("indices", lambda a, n: a[::-1].copy(), "must rise and be below"),
        ("indices", lambda a, n: a.astype(np.uint64), "int32 or int64"),
        ("indices", lambda a, n: a[:4], "do not fit each other"),
        ("indptr", lambda a, n: changed(a, -1, 2**30), "do not fit each other"),
        ("indptr", lambda a, n: changed(a, 1, -9), "do not fit each other"),
        ("indptr", lambda a, n: changed(a, 1, 2**30), "do not fit each other"),
        ("indptr", lambda a, n: changed(a, 0, 2), "do not fit each other"),
        ("indptr", lambda a, n: a[:5], "do not fit each other"),
        ("indptr", lambda a, n: a[:0], "do not fit each other"),
        ("data", lambda a, n: a[:4], "do not fit each other"),
    ],
)
@pytest.mark.parametrize("kernel", ["rbf", "precomputed"])
def test_sparse_matrices_changed_behind_scipys_back(data, kernel, part, change, message):
    """Nobody had looked at the indices of what is predicted: they led out of the arrays."""
    X, y = data
    rows = sp.csr_matrix(X if kernel == "rbf" else X @ X.T)
    model = L0SVC(kernel=kernel).fit(rows, y)
    assert rows.has_canonical_format  # SciPy remembers, and is not told of the change
    setattr(rows, part, change(getattr(rows, part), rows.shape[1]))
    for call in (
        lambda: model.decision_function(rows),
        lambda: model.verify(rows, y),
        lambda: L0SVC(kernel=kernel).fit(rows, y),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_dense_and_sparse_may_be_mixed(data):
    X, y = data
    model = L0SVC().fit(X, y)
    h = model.decision_function(X)
    np.testing.assert_allclose(model.decision_function(sp.csr_matrix(X)), h, atol=1e-12)
    sparse = L0SVC().fit(sp.csr_matrix(X), y)
    np.testing.assert_allclose(
        sparse.decision_function(X), sparse.decision_function(sp.csr_matrix(X)), atol=1e-12
    )


def test_nothing_is_converted_in_python(data, monkeypatch):
    """The binding gets the caller's own memory, also in float32 and CSR."""
    X, y = data
    seen = []

    def spy(rows, *args, fit=_core.fit, **options):
        seen.append(rows)
        return fit(rows, *args, **options)

    monkeypatch.setattr(_core, "fit", spy)
    for dense in (X, X.astype(np.float32), np.asfortranarray(X)):
        L0SVC().fit(dense, y)
        assert np.shares_memory(seen[-1], dense)
    sparse = sp.csr_matrix(X)
    sparse.indices, sparse.indptr = sparse.indices.astype(np.int64), sparse.indptr.astype(np.int64)
    L0SVC().fit(sparse, y)
    for part, own in zip(seen[-1][:3], (sparse.data, sparse.indices, sparse.indptr), strict=True):
        assert np.shares_memory(part, own)


PARTS = (np.ones(2), np.array([0, 1]), np.array([0, 1, 2]), 2)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.ones((2, 2), dtype=int), "float32 or float64"),
        ((PARTS[0].astype(int), *PARTS[1:]), "float32 or float64"),
        ((PARTS[0], PARTS[1].astype(np.int16), *PARTS[2:]), "int32 or int64"),
        ((PARTS[0], np.array([0, 2**40]), *PARTS[2:]), "beyond 2\\^31"),
        ((*PARTS[:2], np.array([0, 1, 3]), 2), "do not fit each other"),
        ((*PARTS[:2], np.array([0, 2, 1]), 2), "do not fit each other"),
        ((*PARTS[:2], np.empty(0, dtype=int), 2), "do not fit each other"),
        ((np.ones(3), *PARTS[1:]), "do not fit each other"),
        ((PARTS[0], np.array([0, 7]), *PARTS[2:]), "must rise and be below 2"),
        ((*PARTS[:3], -2), "more than 2\\^31 columns"),
        ((*PARTS[:3], 2**40), "more than 2\\^31 columns"),
    ],
)
def test_the_binding_refuses_what_python_would_not_send(rows, message):
    settings = _core.Settings(
        solver="exact", start="hinge", search="none", hinge_share=0.3, keep_margin=0.3, thin=0.0,
        working_set=-1, starts=1, sigma=1, iota=1, tolerance=1e-3, max_iterations=10,
        time_limit=np.inf, seed=0, threads=1, memory_limit=0,
    )  # fmt: skip
    objective = _core.Objective(loss="l0", C=1.0, class_weight=(1.0, 1.0), sample_weight=None)
    kernel = _core.Kernel("rbf", 1.0, 3, 0.0, 0.5)
    signs = np.array([-1, 1], dtype=np.int8)
    with pytest.raises(ValueError, match=message):
        _core.fit(rows, signs, kernel, objective, settings, start=None, callback=None)

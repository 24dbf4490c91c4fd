"""Every layout of the same numbers gives the same bits."""

import numpy as np
import pytest
import scipy.sparse as sp
from hinge0 import L0SVC, _core
from hypothesis import given, settings
from hypothesis import strategies as st


def fitted(X, y):
    model = L0SVC(C=2.0, gamma=0.3).fit(X, y)
    return np.concatenate([model.dual_coef_[0], model.decision_function(X)])


@pytest.mark.parametrize(
    "layout",
    [
        np.asfortranarray,
        lambda X: np.repeat(X, 2, axis=1)[:, ::2],
        lambda X: X[::-1].copy()[::-1],
        lambda X: X.astype(">f8"),
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
    ],
)
def test_the_binding_refuses_what_python_would_not_send(rows, message):
    settings = _core.Settings(
        solver="exact", start="hinge", starts=1, sigma=1, iota=1, tolerance=1e-3,
        max_iterations=10, time_limit=np.inf, seed=0, threads=1, memory_limit=0,
    )  # fmt: skip
    objective = _core.Objective(loss="l0", C=1.0, class_weight=(1.0, 1.0), sample_weight=None)
    kernel = _core.Kernel("rbf", 1.0, 3, 0.0, 0.5)
    signs = np.array([-1, 1], dtype=np.int8)
    with pytest.raises(ValueError, match=message):
        _core.fit(rows, signs, kernel, objective, settings, start=None, callback=None)

"""Fitted attributes that somebody changed. As a program: prints how each of them is met.

test_tampered.py runs it in a process of its own, so that a crash is a failed test.
"""

import copy
import json
import pickle
import sys

import numpy as np
import scipy.sparse as sp
from conftest import noisy
from hinge0 import L0SVC

NOTHING = object()  # in place of a value: the attribute is deleted


def product(A, B):
    K = A @ B.T
    return (K.toarray() if sp.issparse(K) else K) + 1.0


def last(value):
    """A function that puts `value` into the last place of a copy."""

    def change(array):
        array = array.copy()
        array.reshape(-1)[-1] = value
        return array

    return change


def entry(*keys, value=NOTHING):
    """A function that changes or deletes one entry of nested dictionaries."""

    def change(report):
        report = copy.deepcopy(report)
        inner = report
        for key in keys[:-1]:
            inner = inner[key]
        if value is NOTHING:
            del inner[keys[-1]]
        else:
            inner[keys[-1]] = value
        return report

    return change


def part(name, change):
    """A function that changes one array of a sparse matrix behind SciPy's back."""

    def changed(matrix):
        matrix = matrix.copy()
        assert matrix.has_canonical_format  # SciPy remembers, and is not told of the change
        setattr(matrix, name, change(getattr(matrix, name)))
        return matrix

    return changed


ALWAYS = {
    "support_": {
        "huge": last(10**9), "negative": last(-1), "past_the_end": last(120),
        "doubled": lambda a: np.full_like(a, a[0]), "floats": lambda a: a.astype(float),
        "shorter": lambda a: a[:-1], "longer": lambda a: np.append(a, a[:1]),
        "column": lambda a: a[:, None], "none": lambda a: None, "words": lambda a: a.astype(str),
        "objects": lambda a: a.astype(object),
        "unsigned": lambda a: a.astype(np.uint64) + np.uint64(2**63), "empty": lambda a: a[:0],
        "list": lambda a: a.tolist(), "deleted": lambda a: NOTHING,
    },
    "support_vectors_": {
        "none": lambda a: None, "other": lambda a: np.ones((2, 7)), "flat": lambda a: np.ones(3),
        "words": lambda a: "abc", "deleted": lambda a: NOTHING,
    },
    "dual_coef_": {
        "nan": last(np.nan), "infinite": last(np.inf), "zero": last(0.0),
        "longer": lambda a: np.append(a, a[:, :1], axis=1), "shorter": lambda a: a[:, :-1],
        "flat": lambda a: a[0], "integers": lambda a: a.astype(int), "none": lambda a: None,
        "complex": lambda a: a + 1j, "objects": lambda a: a.astype(object),
        "words": lambda a: a.astype(str), "deleted": lambda a: NOTHING,
    },
    "intercept_": {
        "nan": last(np.nan), "infinite": last(-np.inf), "empty": lambda a: a[:0],
        "two": lambda a: np.append(a, a), "none": lambda a: None, "word": lambda a: "one",
        "complex": lambda a: a + 1j, "number": lambda a: 0.5, "deleted": lambda a: NOTHING,
    },
    "n_features_in_": {
        "more": lambda n: n + 1, "fewer": lambda n: n - 1, "zero": lambda n: 0,
        "word": str, "none": lambda n: None, "deleted": lambda n: NOTHING,
    },
    "shape_fit_": {
        "many_rows": lambda s: (10**9, s[1]), "negative": lambda s: (-1, s[1]),
        "fewer_rows": lambda s: (s[0] - 1, s[1]), "more_features": lambda s: (s[0], s[1] + 1),
        "empty": lambda s: (), "three": lambda s: (*s, 1), "none": lambda s: None,
        "words": lambda s: "ab", "deleted": lambda s: NOTHING,
    },
    "class_weight_": {
        "nan": last(np.nan), "negative": last(-1.0), "zero": last(0.0), "one": lambda a: a[:1],
        "none": lambda a: None, "words": lambda a: a.astype(str), "deleted": lambda a: NOTHING,
    },
    "classes_": {
        "one": lambda a: a[:1], "equal": lambda a: np.zeros_like(a), "reversed": lambda a: a[::-1],
        "three": lambda a: np.array([0, 1, 2]), "nan": lambda a: np.array([np.nan, np.nan]),
        "none": lambda a: None, "deleted": lambda a: NOTHING,
    },
    "report_": {
        "none": lambda r: None, "empty": lambda r: {}, "deleted": lambda r: NOTHING,
        "no_kernel": entry("kernel"), "kernel_none": entry("kernel", value=None),
        "no_name": entry("kernel", "name"), "name_unknown": entry("kernel", "name", value="tanh"),
        "name_other": entry("kernel", "name", value="poly"),
        "gamma_nan": entry("kernel", "gamma", value=np.nan),
        "gamma_negative": entry("kernel", "gamma", value=-1.0),
        "gamma_word": entry("kernel", "gamma", value="scale"),
        "gamma_huge": entry("kernel", "gamma", value=10**400),
        "gamma_none": entry("kernel", "gamma", value=None),
        "degree_added": entry("kernel", "degree", value=3),
        "degree_broken": entry("kernel", "degree", value=3.5),
        "C_nan": entry("C", value=np.nan), "C_word": entry("C", value="1"), "no_C": entry("C"),
        "loss_unknown": entry("loss", value="ramp"), "loss_none": entry("loss", value=None),
        "rows_other": entry("rows", value=7), "no_rows": entry("rows"),
        "features_other": entry("features", value=7),
    },
}  # fmt: skip

VECTORS = {
    "dense": {
        "nan": last(np.nan), "infinite": last(np.inf), "fewer": lambda a: a[:-1],
        "narrow": lambda a: a[:, :-1], "wide": lambda a: np.hstack([a, a]), "turned": np.transpose,
        "integers": lambda a: a.astype(int), "complex": lambda a: a + 1j,
        "objects": lambda a: a.astype(object), "words": lambda a: a.astype(str),
        "csc": sp.csc_matrix, "list": lambda a: a.tolist(),
    },
    "sparse": {
        "nan": part("data", last(np.nan)), "fewer": lambda a: a[:-1],
        "narrow": lambda a: a[:, :-1], "index_huge": part("indices", last(2**30)),
        "index_wide": part("indices", lambda a: last(2**40)(a.astype(np.int64))),
        "index_negative": part("indices", last(-1)), "index_end": part("indices", last(3)),
        "short_data": part("data", lambda a: a[:3]), "pointer_huge": part("indptr", last(2**30)),
        "short_indices": part("indices", lambda a: a[:3]),
        "pointer_negative": part("indptr", lambda a: np.where(np.arange(len(a)) == 1, -5, a)),
        "pointer_falls": part("indptr", lambda a: np.where(np.arange(len(a)) == 1, 10**6, a)),
        "pointer_short": part("indptr", lambda a: a[:2]), "integers": lambda a: a.astype(int),
        "csc": lambda a: a.tocsc(), "coo": lambda a: a.tocoo(), "complex": lambda a: a * 1j,
    },
    "precomputed": {"some": lambda a: np.ones((2, 2))},
    "callable": {
        "fewer": lambda a: a[:-1], "wide": lambda a: np.hstack([a, a]),
        "gone": lambda a: np.empty((0, 0)), "objects": lambda a: a.astype(object),
    },
}  # fmt: skip
ONLY_WITH_GAMMA = {"no_gamma": entry("kernel", "gamma"),
                   "name_precomputed": entry("kernel", value={"name": "precomputed"})}  # fmt: skip


def cases():
    """(kind of model, attribute, name, change) of every case."""
    for kind, vectors in VECTORS.items():
        own = {"support_vectors_": vectors}
        if kind in ("dense", "sparse"):
            own["report_"] = ONLY_WITH_GAMMA
        for attribute, changes in [*ALWAYS.items(), *own.items()]:
            for name, change in changes.items():
                yield kind, attribute, name, change


def fitted():
    """A model of every kind, with its training data."""
    X, y = noisy()
    S, K = sp.csr_matrix(X), product(X, X)
    return {
        "dense": (L0SVC(C=2.0).fit(X, y), X, y),
        "sparse": (L0SVC(C=2.0).fit(S, y), S, y),
        "precomputed": (L0SVC(C=2.0, kernel="precomputed").fit(K, y), K, y),
        "callable": (L0SVC(C=2.0, kernel=product).fit(X, y), X, y),
    }


def outcome(call, *args):
    try:
        call(*args)
    except Exception as error:
        return type(error).__name__
    return "no exception"


def main():
    models = fitted()
    for kind, attribute, name, change in cases():
        model, X, y = models[kind]
        print("trying", kind, attribute, name, file=sys.stderr, flush=True)
        bad = change(getattr(model, attribute))
        assigned = copy.deepcopy(model)
        assigned.predict(X)  # so that there is a cached model to be out of date
        if bad is NOTHING:
            delattr(assigned, attribute)
        else:
            setattr(assigned, attribute, bad)
        found = []
        for victim in (assigned, pickle.loads(pickle.dumps(assigned))):
            found.append(outcome(victim.decision_function, X))
            found.append(outcome(victim.predict, X[:1]))
            found.append(outcome(victim.verify, X, y))
        print(json.dumps([f"{kind}-{attribute}-{name}", found]), flush=True)


if __name__ == "__main__":
    main()

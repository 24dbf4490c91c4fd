"""From an estimator's parameters and attributes to the objects of the binding."""

import numbers
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state

from hinge0 import _core
from hinge0._threads import thread_count


def check_csr(X: Any) -> None:
    """Refuses what SciPy's own loops would follow out of the arrays; they do not look."""
    if X.format != "csr":
        raise ValueError(f"sparse rows must be CSR, got {X.format}")
    first = X.indptr
    fits = first.shape == (X.shape[0] + 1,) and X.indices.ndim == 1 and X.data.ndim == 1
    if not fits or first[0] != 0 or first[-1] > min(len(X.indices), len(X.data)) or (
        (first[1:] < first[:-1]).any()
    ):  # fmt: skip
        raise ValueError("a sparse matrix whose parts do not fit each other")


def core_rows(X: Any) -> Any:
    """What the binding takes: an array as it is, or the parts of a CSR matrix."""
    if not sp.issparse(X):
        return np.require(X, requirements="A")  # a packed record's field is not aligned
    check_csr(X)
    if not X.has_canonical_format:  # sorted and distinct indices; the caller's matrix stays
        X = X.copy()
        X.sum_duplicates()
    entries = X.indptr[-1]
    return X.data[:entries], X.indices[:entries], X.indptr, X.shape[1]


def kernel_options(estimator: Any) -> _core.Kernel:
    name = "precomputed" if callable(estimator.kernel) else estimator.kernel
    gamma, coef0 = estimator.gamma, estimator.coef0
    if coef0 is None:
        coef0 = 1.0 if name == "imq" else 0.0
    if not isinstance(gamma, str):
        gamma = float(gamma)
    return _core.Kernel(name, gamma, int(estimator.degree), float(coef0), float(estimator.beta))


def objective_of(loss: str, C: float, class_weight: Any, weight: Any) -> _core.Objective:
    """The weights of more than two classes are not in it."""
    return _core.Objective(
        loss=loss,
        C=float(C),
        class_weight=class_weight.tolist() if len(class_weight) == 2 else [1.0, 1.0],
        sample_weight=weight,
    )


def seed_of(random_state: Any) -> int:
    """None is 0: a fit can be repeated."""
    if random_state is None:
        return 0
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


WORKING_SETS = {"auto": -1, "off": 0}


def settings_of(estimator: Any) -> _core.Settings:
    limit = estimator.time_limit
    return _core.Settings(
        solver=estimator.solver,
        start=estimator.start if isinstance(estimator.start, str) else "hinge",
        search=estimator.search,
        hinge_share=float(estimator.hinge_share),
        keep_margin=-1.0 if estimator.keep_margin == "auto" else float(estimator.keep_margin),
        thin=-1.0 if estimator.thin == "auto" else float(estimator.thin),
        working_set=WORKING_SETS.get(estimator.working_set, estimator.working_set),
        starts=int(estimator.n_starts),
        sigma=float(estimator.sigma),
        iota=float(estimator.iota),
        tolerance=float(estimator.tol),
        max_iterations=int(estimator.max_iter),
        time_limit=np.inf if limit is None else float(limit),
        seed=seed_of(estimator.random_state),
        threads=thread_count(estimator.n_jobs),
        memory_limit=float(estimator.memory_limit or 0),
    )

"""From an estimator's parameters and attributes to the objects of the binding."""

import numbers
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state

from hinge0 import _core
from hinge0._threads import thread_count


def core_rows(X: Any) -> Any:
    """What the binding takes: an array as it is, or the parts of a CSR matrix."""
    if not sp.issparse(X):
        return X
    if not X.has_canonical_format:  # sorted and distinct indices; the caller's matrix stays
        X = X.copy()
        X.sum_duplicates()
    return X.data, X.indices, X.indptr, X.shape[1]


def kernel_options(estimator: Any) -> _core.Kernel:
    name = "precomputed" if callable(estimator.kernel) else estimator.kernel
    gamma, coef0 = estimator.gamma, estimator.coef0
    if coef0 is None:
        coef0 = 1.0 if name == "imq" else 0.0
    if not isinstance(gamma, str):
        gamma = float(gamma)
    return _core.Kernel(name, gamma, int(estimator.degree), float(coef0), float(estimator.beta))


def settings_of(estimator: Any) -> _core.Settings:
    seed = estimator.random_state
    if seed is None:
        seed = 0
    elif not isinstance(seed, numbers.Integral):
        seed = check_random_state(seed).randint(2**31 - 1)
    limit = estimator.time_limit
    return _core.Settings(
        solver=estimator.solver,
        start=estimator.start if isinstance(estimator.start, str) else "hinge",
        starts=int(estimator.n_starts),
        sigma=float(estimator.sigma),
        iota=float(estimator.iota),
        tolerance=float(estimator.tol),
        max_iterations=int(estimator.max_iter),
        time_limit=np.inf if limit is None else float(limit),
        seed=int(seed),
        threads=thread_count(estimator.n_jobs),
        memory_limit=float(estimator.memory_limit or 0),
    )


def fitted_kernel(estimator: Any) -> _core.Kernel:
    kernel = estimator.report_["kernel"]
    return _core.Kernel(
        kernel["name"],
        kernel.get("gamma", 1.0),
        kernel.get("degree", 3),
        kernel.get("coef0", 0.0),
        kernel.get("beta", 0.5),
    )


def model_of(estimator: Any, training: bool = False) -> _core.Model:
    """The classifier with its support vectors by rising row, as the command line has them.

    The columns of a callable's kernel matrix are the support vectors; in `training`, all rows.
    """
    order = np.argsort(estimator.support_)
    rows = estimator.support_[order].astype(np.int64)
    training_rows, features = estimator.shape_fit_
    if estimator.report_["kernel"]["name"] != "precomputed":
        support = core_rows(estimator.support_vectors_[order])
    else:
        support = np.empty((len(rows), 0))
        features = training_rows
        if callable(estimator.kernel) and not training:
            rows, features = order, len(order)
    coefficients = np.ascontiguousarray(estimator.dual_coef_[0, order])
    intercept = float(estimator.intercept_[0])
    return _core.Model(support, rows, coefficients, intercept, features, training_rows)

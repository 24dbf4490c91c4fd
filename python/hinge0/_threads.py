"""How many threads a fit may use, and whether a cluster is to help."""

import os
import sys
from typing import Any

import joblib

from hinge0 import _core

# GCC's OpenMP cannot start threads in a process that was forked after it had started some: it waits
# for ever. A fork is told by its process number.
_imported_in = os.getpid()


def thread_count(n_jobs: int | None) -> int:
    """What n_jobs means to the library, where 0 is all that OpenMP would use."""
    if os.getpid() != _imported_in:
        _core.set_threads(1)
        return 1
    if n_jobs is None:
        return 0
    if _dask_backend() is None:
        return int(joblib.effective_n_jobs(n_jobs))
    # it would count the cluster's
    return n_jobs if n_jobs > 0 else max(1, joblib.cpu_count() + 1 + n_jobs)


def _dask_backend() -> Any:
    if "distributed" not in sys.modules:  # who wants it has imported it
        return None
    backend, _ = joblib.parallel.get_active_backend()
    return backend if type(backend).__name__ == "DaskDistributedBackend" else None


def client_of_joblib() -> Any:
    """The cluster that ``joblib.parallel_config("dask")`` chose, or None.

    None within a task too: one that waits for other tasks would hold up its worker.
    """
    backend = _dask_backend()
    if backend is None:
        return None
    try:
        sys.modules["distributed"].get_worker()
    except ValueError:
        return backend.client
    return None

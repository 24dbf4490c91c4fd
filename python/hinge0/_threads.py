"""How many threads a fit may use."""

import os

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
    return 0 if n_jobs is None else int(joblib.effective_n_jobs(n_jobs))

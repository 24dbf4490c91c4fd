"""Kernel classifiers with the l0-norm hinge loss."""

from hinge0 import plot
from hinge0._core import version as __version__
from hinge0._l0svc import L0SVC

__all__ = ["L0SVC", "__version__", "plot"]

"""Kernel classifiers with the l0-norm hinge loss."""

from hinge0 import plot
from hinge0._core import version as __version__
from hinge0._l0svc import L0SVC
from hinge0._l0svccv import L0SVCCV

__all__ = ["L0SVC", "L0SVCCV", "__version__", "plot"]

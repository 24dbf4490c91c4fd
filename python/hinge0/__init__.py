"""Kernel classifiers with the l0-norm hinge loss."""

from hinge0 import plot
from hinge0._core import version as __version__
from hinge0._l0svc import L0SVC
from hinge0._l0svccv import L0SVCCV
from hinge0._suspects import find_label_issues

__all__ = ["L0SVC", "L0SVCCV", "__version__", "find_label_issues", "plot"]

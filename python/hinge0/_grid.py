"""The values of C and gamma that L0SVCCV tries."""

import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinge0 import _core
from hinge0._classifier import KERNELS
from hinge0._convert import kernel_options
from hinge0._l0svc import L0SVC

Values = NDArray[np.float64]


def kernels_of(kernel: Any) -> list[Any]:
    """The kernels that are tried."""
    if not isinstance(kernel, list | tuple):
        return [kernel]
    known = sorted(KERNELS - {"precomputed"})
    if len(kernel) == 0 or any(name not in known for name in kernel):
        raise ValueError(f"A list of kernels must hold some of {known}, got {list(kernel)!r}.")
    return list(dict.fromkeys(kernel))


@dataclass(frozen=True)
class Grid:
    """Rising values; no gamma if the kernel has none."""

    C: Values
    gamma: Values

    def cells(self) -> list[dict[str, float]]:
        """The parameters of every cell, in the order of scikit-learn's ParameterGrid."""
        if len(self.gamma) == 0:
            return [{"C": C} for C in self.C.tolist()]
        return [{"C": C, "gamma": gamma} for C in self.C.tolist() for gamma in self.gamma.tolist()]


def grid_of(param_grid: Any, classifier: L0SVC, rows: Any, objective: _core.Objective) -> Grid:
    """The grid for these rows; the classifier tells the kernel, and what is not in param_grid."""

    def gamma_on_rows(value: float | str) -> float | None:
        made = L0SVC(**{**classifier.get_params(deep=False), "gamma": value})
        return _core.gamma_on(rows, kernel_options(made), objective)

    if param_grid is None:
        return Grid(*_core.default_grid(rows, kernel_options(classifier), objective))
    unknown = sorted(map(str, set(param_grid) - {"C", "gamma"}))
    if unknown:
        raise ValueError(f"param_grid may have the keys 'C' and 'gamma', got {unknown}.")
    C = _numbers("C", _listed(param_grid, "C", classifier.C))
    if gamma_on_rows(1.0) is None:
        if "gamma" in param_grid:
            raise ValueError("param_grid has values of gamma, but the kernel has no gamma.")
        return Grid(C, np.empty(0))
    gammas = [
        gamma_on_rows(value) if isinstance(value, str) and value in ("scale", "auto") else value
        for value in _listed(param_grid, "gamma", classifier.gamma)
    ]
    return Grid(C, _numbers("gamma", gammas))


def _listed(param_grid: Mapping[str, Any], name: str, default: Any) -> list[Any]:
    values = param_grid.get(name, [default])
    if not isinstance(values, Iterable) or isinstance(values, str | Mapping):
        raise ValueError(f"param_grid[{name!r}] must be a list of values, got {values!r}.")
    listed = list(values)
    if len(listed) == 0:
        raise ValueError(f"param_grid[{name!r}] has no values.")
    return listed


def _numbers(name: str, values: list[Any]) -> Values:
    for value in values:
        is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not is_number or not 0 < value < np.inf:
            words = " or 'scale' or 'auto'" if name == "gamma" else ""
            wanted = f"positive numbers{words}"
            raise ValueError(f"param_grid[{name!r}] must hold {wanted}, got {value!r}.")
    return np.unique(np.array(values, dtype=np.float64))

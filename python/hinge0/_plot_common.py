"""What all pictures share: matplotlib when it is there, colours, checks."""

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of Okabe and Ito, told apart with any colour vision; the first two are blue and orange.
COLOURS = ("#0072B2", "#E69F00")
MANY_COLOURS = (*COLOURS, "#009E73", "#CC79A7", "#56B4E9", "#F0E442", "#999999")
INK, ACCENT = "#333333", "#D55E00"


def pyplot_module() -> Any:
    """matplotlib.pyplot, imported only where something is drawn."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("hinge0.plot needs matplotlib: pip install 'hinge0[plot]'") from error
    return pyplot


def axes_or_new(ax: "Axes | None") -> Any:
    """The given Axes, or those of a new figure."""
    pyplot = pyplot_module()
    if ax is not None:
        return ax
    return pyplot.subplots(figsize=(6.4, 4.8), layout="constrained")[1]


def dense(X: Any) -> NDArray[np.float64]:
    """The features as one array."""
    rows = X.toarray() if sp.issparse(X) else np.asarray(X, dtype=float)
    return np.asarray(rows, dtype=float)


def labels_of(y: Any, rows: int | None = None) -> NDArray[Any]:
    """The labels as an array, one for each row."""
    labels = np.asarray(y)
    if labels.ndim != 1 or len(labels) == 0:
        raise ValueError(f"y must be a list of labels, got shape {labels.shape}")
    if rows is not None and len(labels) != rows:
        raise ValueError(f"y has {len(labels)} labels for {rows} rows")
    return labels

"""A picture of the rows whose labels are most likely wrong."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hinge0._plot_common import ACCENT, COLOURS, INK, MANY_COLOURS, dense, pyplot_module

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = ("is_label_issue", "label_quality", "given_label", "predicted_label")
MARKERS = "os^Dv<>"


def suspects(
    frame: Any, X: Any = None, *, n_worst: int = 15, ax: "Sequence[Axes] | None" = None
) -> "tuple[Axes, ...]":
    """Draw how good the labels are, the worst rows by name, and where they lie.

    Parameters
    ----------
    frame : DataFrame
        What :func:`hinge0.find_label_issues` returns: in the order of the rows, with the columns
        ``is_label_issue``, ``label_quality``, ``given_label`` and ``predicted_label``.
    X : {array-like, sparse matrix} of shape (n_samples, n_features), default=None
        The samples, for a third picture in which issues are ringed. More than two features are
        shown along the first two principal directions of the standardised features.
    n_worst : int, default=15
        How many rows are named.
    ax : sequence of matplotlib Axes, default=None
        Where to draw, two Axes or with X three; None makes a new figure.

    Returns
    -------
    tuple of matplotlib Axes
        The distribution of the quality, the worst rows and, with X, the samples.
    """
    missing = [name for name in COLUMNS if name not in frame]
    if missing:
        raise ValueError(f"frame has no column {missing[0]!r}: see hinge0.find_label_issues")
    columns = {name: np.asarray(frame[name]) for name in COLUMNS}
    rows = len(columns["label_quality"])
    if rows == 0:
        raise ValueError("frame has no rows")
    if n_worst < 1:
        raise ValueError(f"n_worst must be at least 1, got {n_worst}")
    panels = 2 if X is None else 3
    places, names = (None, ("", "")) if X is None else _places(X, rows)
    pyplot = pyplot_module()
    if ax is None:
        ax = pyplot.subplots(1, panels, figsize=(5 * panels, 4.4), layout="constrained")[1]
    if len(ax) != panels:
        raise ValueError(f"suspects draws into {panels} Axes here, got {len(ax)}")
    _draw_quality(ax[0], columns)
    _draw_worst(ax[1], columns, getattr(frame, "index", range(rows)), n_worst)
    if places is not None:
        _draw_places(ax[2], columns, places)
        ax[2].set_xlabel(names[0])
        ax[2].set_ylabel(names[1])
    return tuple(ax)


def _draw_quality(ax: "Axes", columns: dict[str, NDArray[Any]]) -> None:
    quality, issue = columns["label_quality"], columns["is_label_issue"].astype(bool)
    edges = np.linspace(min(0.0, quality.min()), max(1.0, quality.max()), 31).tolist()
    ax.hist(
        [quality[~issue], quality[issue]], bins=edges, stacked=True, color=[COLOURS[0], ACCENT],
        label=[f"no issue ({(~issue).sum()})", f"issue ({issue.sum()})"],
    )  # fmt: skip
    ax.set_yscale("symlog", linthresh=10)  # issues are few beside the other rows
    ax.set_xlabel("label quality")
    ax.set_ylabel("rows")
    ax.legend(framealpha=0.9, fontsize="small")


def _draw_worst(ax: "Axes", columns: dict[str, NDArray[Any]], index: Any, n_worst: int) -> None:
    quality = columns["label_quality"]
    worst = np.argsort(quality, kind="stable")[:n_worst]
    issue = columns["is_label_issue"].astype(bool)[worst]
    colours = [ACCENT if marked else COLOURS[0] for marked in issue]
    ax.barh(np.arange(len(worst)), quality[worst], color=colours)
    words = [
        f"row {index[i]}: {columns['given_label'][i]}, predicted {columns['predicted_label'][i]}"
        for i in worst
    ]
    ax.set_yticks(np.arange(len(worst)), words, fontsize="small")
    ax.invert_yaxis()  # the worst on top
    ax.set_xlabel("label quality")
    ax.set_title(f"the worst {len(worst)} of {len(quality)} rows", fontsize="medium")


def _places(X: Any, rows: int) -> tuple[NDArray[np.float64], tuple[str, str]]:
    """Two numbers for every row, and what they are called."""
    values = dense(X)
    if values.ndim != 2 or len(values) != rows or values.shape[1] < 2:
        raise ValueError(f"X must have {rows} rows and 2 features at least; got {values.shape}")
    if values.shape[1] == 2:
        names = [str(name) for name in getattr(X, "columns", ("feature 0", "feature 1"))]
        return values, (names[0], names[1])
    spread = values.std(axis=0)
    scaled = (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    _, lengths, directions = np.linalg.svd(scaled, full_matrices=False)
    shares = lengths**2 / max((lengths**2).sum(), np.finfo(float).tiny)
    first = directions[:2]
    # The sign is free: the largest part of a direction points upwards.
    first = first * np.sign(first[[0, 1], np.abs(first).argmax(axis=1)])[:, None]
    names = [f"principal direction {k + 1} ({shares[k]:.0%} of the variance)" for k in range(2)]
    return scaled @ first.T, (names[0], names[1])


def _draw_places(ax: "Axes", columns: dict[str, NDArray[Any]], places: NDArray[np.float64]) -> None:
    given, issue = columns["given_label"], columns["is_label_issue"].astype(bool)
    for k, label in enumerate(np.unique(given)):
        here = places[given == label]
        ax.scatter(
            here[:, 0], here[:, 1], s=16, linewidths=0, label=str(label),
            c=MANY_COLOURS[k % len(MANY_COLOURS)], marker=MARKERS[k % len(MARKERS)],
        )  # fmt: skip
    ax.scatter(
        places[issue, 0], places[issue, 1], s=70, facecolors="none", edgecolors=INK,
        linewidths=1.2, label=f"issues ({issue.sum()})",
    )  # fmt: skip
    ax.legend(framealpha=0.9, fontsize="small")

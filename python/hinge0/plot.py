"""Pictures of fits, predictions and labels; needs matplotlib (``pip install 'hinge0[plot]'``)."""

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hinge0._plot_common import (
    ACCENT,
    COLOURS,
    INK,
    MANY_COLOURS,
    axes_or_new,
    dense,
    pyplot_module,
)
from hinge0._plot_judged import confusion, reliability
from hinge0._plot_suspects import suspects

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "accuracy_vs_support_vectors",
    "confusion",
    "decision_boundary",
    "reliability",
    "residuals",
    "search_trace",
    "suspects",
    "tuning",
]

RESIDUALS = {
    "stationarity": ("beta_1", "stationarity"),
    "balance": ("beta_2", "balance"),
    "feasibility": ("beta_3", "feasibility"),
    "proximal": ("beta_4", "proximal"),
}


def _feature_name(estimator: Any, feature: int) -> str:
    names = getattr(estimator, "feature_names_in_", None)
    return f"feature {feature}" if names is None else str(names[feature])


def _grid(estimator: Any, X: Any, features: Sequence[int], resolution: int) -> tuple[Any, Any, Any]:
    """Decision values on a grid over two features; the others stand at their medians."""
    chosen = X[:, features]
    low, high = chosen.min(axis=0), chosen.max(axis=0)
    pad = 0.08 * np.where(high > low, high - low, 1.0)
    across, up = (np.linspace(low[k] - pad[k], high[k] + pad[k], resolution) for k in range(2))
    points = np.tile(np.median(X, axis=0), (resolution * resolution, 1))
    grid = np.meshgrid(across, up)
    for feature, values in zip(features, grid, strict=True):
        points[:, feature] = values.ravel()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        values = np.asarray(estimator.decision_function(points))
    return across, up, values.reshape(resolution, resolution)


def decision_boundary(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    features: Sequence[int] = (0, 1),
    ax: "Axes | None" = None,
    resolution: int = 200,
) -> "Axes":
    """Draw the boundary, the margins, the support vectors and the samples given up.

    Support vectors are ringed and violators crossed out. With more than two features the picture
    is a section: the other features stand at their medians, so that samples may lie on the other
    side of the drawn line than of the boundary.

    Parameters
    ----------
    estimator : L0SVC
        Fitted on X and y.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The training samples.
    y : array-like of shape (n_samples,)
        Their labels.
    features : pair of int, default=(0, 1)
        The features across and up.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.
    resolution : int, default=200
        Points of the grid in each direction.

    Returns
    -------
    matplotlib Axes
        The picture.
    """
    check_is_fitted(estimator)
    estimator = getattr(estimator, "best_estimator_", estimator)
    X = dense(X)
    y = np.asarray(y)
    if estimator.kernel == "precomputed":
        raise ValueError("a precomputed kernel has no features to draw")
    if X.ndim != 2 or X.shape[1] < 2 or X.shape[1] != estimator.n_features_in_:
        raise ValueError(f"X must have the features of the fit, 2 at least; got shape {X.shape}")
    if len(features) != 2 or not all(0 <= f < X.shape[1] for f in features):
        raise ValueError(f"features must be two of 0 .. {X.shape[1] - 1}, got {features}")
    ax = axes_or_new(ax)
    across, up, values = _grid(estimator, X, features, resolution)
    with np.errstate(over="ignore"):
        ax.contourf(across, up, values, levels=[-np.inf, 0, np.inf], colors=COLOURS, alpha=0.13)
    ax.contour(
        across, up, values, levels=[-1, 0, 1], colors=INK, linewidths=[1, 1.8, 1],
        linestyles=["--", "-", "--"],
    )  # fmt: skip
    points = X[:, features]
    support, violators = points[estimator.support_], points[estimator.violators_]
    for label, colour, marker in zip(estimator.classes_, COLOURS, "os", strict=True):
        of_class = points[y == label]
        ax.scatter(
            of_class[:, 0], of_class[:, 1], c=colour, marker=marker, s=22, linewidths=0,
            label=str(label),
        )  # fmt: skip
    ax.scatter(
        support[:, 0], support[:, 1], s=80, facecolors="none", edgecolors=INK, linewidths=1.2,
        label=f"support vectors ({len(estimator.support_)})",
    )  # fmt: skip
    ax.scatter(
        violators[:, 0], violators[:, 1], s=44, c="black", marker="x", linewidths=1.4,
        label=f"given up ({len(estimator.violators_)})",
    )  # fmt: skip
    ax.set_xlabel(_feature_name(estimator, features[0]))
    ax.set_ylabel(_feature_name(estimator, features[1]))
    # above the picture, where it hides nothing
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, frameon=False, fontsize="small")
    return ax


def _steps(estimator: Any, *, with_residuals: bool) -> dict[str, Any]:
    """The part of the trace that Algorithm 1 wrote, or the one of the search."""
    check_is_fitted(estimator)
    trace = estimator.trace_
    chosen = np.isfinite(trace["proximal"]) == with_residuals
    return {name: column[chosen] for name, column in trace.items()}


def search_trace(estimator: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the objective of every minimum on the way of the search, and the best so far.

    Parameters
    ----------
    estimator : L0SVC
        Fitted with ``solver="exact"``; with ``solver="admm"``, the objective of the iterates.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
        The picture.
    """
    steps = _steps(estimator, with_residuals=False)
    of_search = len(steps["iteration"]) > 0
    if not of_search:
        steps = _steps(estimator, with_residuals=True)
    if len(steps["iteration"]) == 0:
        raise ValueError("the fit took no step: there is nothing to draw")
    ax = axes_or_new(ax)
    objective = steps["objective"]
    number = np.arange(1, len(objective) + 1)
    if of_search:
        best = np.minimum.accumulate(objective)
        ax.plot(number, objective, ".", color=COLOURS[0], markersize=5, label="seen")
        ax.step(number, best, where="post", color=INK, linewidth=1.4, label="best so far")
    else:  # iterates are not feasible: a lower objective is not a better one
        ax.plot(number, objective, color=COLOURS[0], linewidth=1.2, label="iterate")
    returned = estimator.report_["objective"]
    label = f"returned: {returned:.6g}"
    ax.axhline(returned, color=ACCENT, linewidth=1, linestyle=":", label=label)
    ax.set_xlabel("minimum" if of_search else "iteration")
    ax.set_ylabel("objective F")
    ax.legend(framealpha=0.9, fontsize="small")
    return ax


def residuals(estimator: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the four residuals of Algorithm 1 by iteration.

    Parameters
    ----------
    estimator : L0SVC
        Fitted with ``solver="admm"``, with ``start="admm"`` or with a convex loss.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
        The picture.
    """
    steps = _steps(estimator, with_residuals=True)
    if len(steps["iteration"]) == 0:
        raise ValueError("Algorithm 1 did not run: fit with solver='admm' or start='admm'")
    ax = axes_or_new(ax)
    for colour, (name, (symbol, word)) in zip(MANY_COLOURS[:4], RESIDUALS.items(), strict=True):
        values = np.where(steps[name] > 0, steps[name], np.nan)  # a logarithm has no zero
        label = f"$\\{symbol}$ {word}"
        ax.semilogy(steps["iteration"], values, color=colour, linewidth=1.2, label=label)
    ax.axhline(estimator.tol, color=INK, linewidth=1, linestyle=":", label=f"tol {estimator.tol:g}")
    ax.set_ylim(bottom=1e-3 * estimator.tol)  # balance is often zero up to rounding
    ax.set_xlabel("iteration")
    ax.set_ylabel("residual")
    ax.legend(framealpha=0.9, fontsize="small")
    return ax


def _edges(values: Any) -> Any:
    """Where cells around these values meet: halfway on a logarithmic axis."""
    powers = np.log2(values)
    steps = np.diff(powers) if len(powers) > 1 else np.ones(1)
    first, last = powers[0] - steps[0] / 2, powers[-1] + steps[-1] / 2
    return np.exp2(np.concatenate([[first], (powers[1:] + powers[:-1]) / 2, [last]]))


def tuning(estimator: Any, *, ax: "Sequence[Axes] | None" = None) -> "tuple[Axes, Axes]":
    """Draw score and number of support vectors over the grid, and mark the chosen cell.

    Of several kernels the chosen one is drawn.

    Parameters
    ----------
    estimator : L0SVCCV
        Fitted.
    ax : pair of matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    pair of matplotlib Axes
        The pictures; cells that were never tried are left white.
    """
    check_is_fitted(estimator, "cv_results_")
    pyplot = pyplot_module()
    if ax is None:
        ax = pyplot.subplots(1, 2, figsize=(10, 4.4), sharey=True, layout="constrained")[1]
    if len(ax) != 2:
        raise ValueError(f"tuning draws into two Axes, got {len(ax)}")
    results, chosen = estimator.cv_results_, estimator.best_params_
    has_gamma = "gamma" in chosen
    drawn = np.ones(len(results["params"]), dtype=bool)
    if "kernel" in chosen:
        drawn = np.asarray(results["param_kernel"] == chosen["kernel"])
    C = np.unique(results["param_C"][drawn])
    gamma = np.unique(results["param_gamma"][drawn]) if has_gamma else np.ones(1)
    panels = {
        "mean_test_score": ("mean score", "cividis"),
        "mean_support_vectors": ("mean number of support vectors", "cividis_r"),
    }
    for panel, (column, (title, colours)) in zip(ax, panels.items(), strict=True):
        values = results[column][drawn].reshape(len(C), len(gamma))
        cells = panel.pcolormesh(_edges(gamma), _edges(C), values, cmap=colours)
        panel.set_xscale("log", base=2)
        panel.set_yscale("log", base=2)
        panel.scatter(
            [chosen.get("gamma", 1.0)], [chosen["C"]], s=90, facecolors="none", linewidths=2.2,
            edgecolors=ACCENT, label="chosen",
        )  # fmt: skip
        value = results[column][estimator.best_index_]
        panel.set_title(f"{title}, chosen: {value:.4g}", fontsize="medium")
        panel.set_xlabel("gamma" if has_gamma else "")
        panel.set_ylabel("C")
        if not has_gamma:
            panel.set_xticks([])
        panel.figure.colorbar(cells, ax=panel)
    return ax[0], ax[1]


def accuracy_vs_support_vectors(search: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the score of every cell of the grid over its number of support vectors.

    The line is the front: no cell has both a higher score and fewer support vectors. Cells that
    were given up after some folds are pale and not part of it, as their means are of fewer rows.

    Parameters
    ----------
    search : L0SVCCV
        Fitted.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
        The picture.
    """
    results = getattr(search, "cv_results_", None)
    if results is None or "mean_support_vectors" not in results:
        raise ValueError("search must be a fitted L0SVCCV: its cv_results_ has support vectors")
    score, size = results["mean_test_score"], results["mean_support_vectors"]
    splits = np.array([results[f"split{s}_test_score"] for s in range(search.n_splits_)])
    whole = np.isfinite(splits).all(axis=0) & np.isfinite(size)
    partly = np.isfinite(score) & np.isfinite(size) & ~whole
    if not whole.any():  # the search was interrupted in its first folds
        whole, partly = partly, whole
    ax = axes_or_new(ax)
    if partly.any():
        label = f"given up early ({partly.sum()})"
        ax.scatter(size[partly], score[partly], s=14, c="#BBBBBB", linewidths=0, label=label)
    label = f"cells ({whole.sum()})"
    ax.scatter(size[whole], score[whole], s=22, c=COLOURS[0], linewidths=0, label=label)
    front = _front(size[whole], score[whole])
    ax.plot(
        size[whole][front], score[whole][front], color=INK, linewidth=1.4,
        drawstyle="steps-post", label="front",
    )  # fmt: skip
    best = search.best_index_
    chosen = ", ".join(
        f"{name} = {value if isinstance(value, str) else f'{value:.4g}'}"
        for name, value in search.best_params_.items()
    )
    ax.scatter(
        [size[best]], [score[best]], s=110, facecolors="none", edgecolors=ACCENT, linewidths=2.2,
        label=f"chosen: {chosen}",
    )  # fmt: skip
    low, high = score[whole].min(), score[whole].max()
    ax.set_ylim(bottom=low - 0.1 * max(high - low, 0.01))  # what was given up may be far below
    if size[whole | partly].min() > 0:  # a constant classifier has none
        ax.set_xscale("log")
    ax.set_xlabel("mean number of support vectors")
    ax.set_ylabel("mean accuracy" if search.scoring in (None, "accuracy") else "mean score")
    ax.legend(framealpha=0.9, fontsize="small")
    return ax


def _front(size: Any, score: Any) -> Any:
    """From the smallest cell on, those with a higher score than all smaller ones."""
    order = np.lexsort((-score, size))
    rising = score[order]
    before = np.concatenate([[-np.inf], np.maximum.accumulate(rising)[:-1]])
    return order[rising > before]

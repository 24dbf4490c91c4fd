"""Pictures of predictions on labelled rows: what is confused, what probabilities are worth."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix
from sklearn.utils.multiclass import unique_labels

from hinge0._plot_common import INK, MANY_COLOURS, axes_or_new, labels_of, pyplot_module

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Cells for so many classes have no room for a second line.
MOST_CLASSES_WITH_SHARES = 12


def confusion(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    class_names: Sequence[Any] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw which classes are taken for which: counts, and shares of the rows of a class.

    Parameters
    ----------
    estimator : classifier
        Fitted; anything that can predict.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Samples, best those that were not fitted.
    y : array-like of shape (n_samples,)
        Their labels.
    class_names : sequence, default=None
        A name for every class, in the order of the sorted labels; None: the labels.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
        The picture; colours are shares of a row, from 12 classes on without percentages.
    """
    predicted = np.asarray(estimator.predict(X))
    y = labels_of(y, len(predicted))
    labels = unique_labels(y, predicted, getattr(estimator, "classes_", predicted))
    names = labels if class_names is None else class_names
    if len(names) != len(labels):
        raise ValueError(f"class_names has {len(names)} names for {len(labels)} classes")
    counts = confusion_matrix(y, predicted, labels=labels)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    ax = axes_or_new(ax)
    image = ax.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    with_shares = len(labels) <= MOST_CLASSES_WITH_SHARES
    for (i, k), count in np.ndenumerate(counts):
        if count == 0 and i != k:
            continue  # what never happens need not be read
        text = f"{count}\n{shares[i, k]:.1%}" if with_shares else f"{count}"
        colour = "white" if shares[i, k] > 0.55 else INK
        size = min(10.0, 72.0 / len(labels) ** 0.8)
        ax.text(k, i, text, ha="center", va="center", color=colour, fontsize=size)
    places = np.arange(len(labels))
    ax.set_xticks(places, [str(name) for name in names])
    ax.set_yticks(places, [str(name) for name in names])
    ax.set_xlabel("predicted")
    ax.set_ylabel("label")
    right = np.trace(counts)
    ax.set_title(f"{right} of {len(y)} right, {right / len(y):.2%}", fontsize="medium")
    ax.figure.colorbar(image, ax=ax, label="share of the rows of a class")
    return ax


def _probabilities(source: Any, X: Any, rows: int) -> tuple[NDArray[np.float64], Any]:
    """A column for each class and, from an estimator, the classes."""
    if hasattr(source, "predict_proba"):
        if X is None:
            raise ValueError("X is None: an estimator needs rows to predict")
        values, classes = np.asarray(source.predict_proba(X), dtype=float), source.classes_
    elif hasattr(source, "predict"):
        raise ValueError(
            f"{type(source).__name__} has no predict_proba: see CalibratedClassifierCV"
        )
    else:
        values, classes = np.asarray(source, dtype=float), None
        if values.ndim == 1:
            values = np.column_stack([1 - values, values])
    if values.ndim != 2 or len(values) != rows or values.shape[1] < 2:
        raise ValueError(f"probabilities of shape {values.shape} for {rows} labels")
    if not (np.isfinite(values).all() and values.min() >= 0 and values.max() <= 1 + 1e-9):
        raise ValueError("probabilities must be between 0 and 1")
    return values, classes


def _claims(
    values: NDArray[np.float64], classes: NDArray[Any], y: NDArray[Any], positive: Any
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """What is claimed of every row with which probability, and whether it is so."""
    if values.shape[1] != len(classes):
        raise ValueError(
            f"probabilities of {values.shape[1]} classes, but the labels have {len(classes)}"
        )
    if positive is None and len(classes) > 2:
        best = values.argmax(axis=1)
        return values[np.arange(len(y)), best], classes[best] == y
    positive = classes[1] if positive is None else positive
    (column,) = np.nonzero(classes == positive)
    if len(column) != 1:
        raise ValueError(f"positive={positive!r} is none of the classes {classes.tolist()}")
    return values[:, column[0]], y == positive


def reliability(
    probabilities: Any,
    X: Any,
    y: Any,
    *,
    positive: Any = None,
    n_bins: int = 10,
    ax: "Sequence[Axes] | None" = None,
) -> "tuple[Axes, Axes]":
    """Draw how often what is given a probability happens, and how often it is given.

    Of two classes the probability is that of ``positive``. Of many classes it is that of the class
    that is most probable, and what happens is that it is right; with ``positive`` it is that of
    this class against all others. The legend has the Brier score of what is drawn: the mean square
    of the probability minus 1 where it happens, minus 0 elsewhere.

    Parameters
    ----------
    probabilities : classifier, array or dict of them by name
        Fitted classifiers with ``predict_proba``, and probabilities as arrays: of shape
        (n_samples, n_classes) in the order of the sorted labels of y, or for two classes of shape
        (n_samples,), those of the second class.
    X : {array-like, sparse matrix} of shape (n_samples, n_features) or None
        Samples for the classifiers, best those that were not fitted; None if there are only arrays.
    y : array-like of shape (n_samples,)
        Their labels.
    positive : label, default=None
        The class whose probability is drawn; None: of two classes the second, of many the most
        probable one of each row.
    n_bins : int, default=10
        Number of equal bins of the probability.
    ax : pair of matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    pair of matplotlib Axes
        The curve, without bins that are empty, and the histogram.
    """
    y = labels_of(y)
    if n_bins < 1:
        raise ValueError(f"n_bins must be at least 1, got {n_bins}")
    several = isinstance(probabilities, Mapping)
    sources = dict(probabilities) if several else {_name_of(probabilities): probabilities}
    claims, of_many = {}, False
    for name, source in sources.items():
        values, classes = _probabilities(source, X, len(y))
        classes = np.unique(y) if classes is None else np.asarray(classes)
        claims[name] = _claims(values, classes, y, positive)
        of_many = len(classes) > 2
    if not claims:
        raise ValueError("there are no probabilities to draw")
    upper, lower = _two_axes(ax)
    edges = np.linspace(0, 1, n_bins + 1)
    colours = [MANY_COLOURS[k % len(MANY_COLOURS)] for k in range(len(claims))]
    upper.plot([0, 1], [0, 1], color=INK, linewidth=1, linestyle=":", label="reliable")
    for colour, (name, (chance, happens)) in zip(colours, claims.items(), strict=True):
        _draw_claims(upper, lower, edges, colour, name, chance, happens)
    top = positive is None and of_many
    upper.set_ylabel("share that is right" if top else "share that is of the class")
    lower.set_xlabel("probability of the predicted class" if top else "probability of the class")
    lower.set_ylabel("rows")
    upper.set_xlim(0, 1)
    upper.legend(framealpha=0.9, fontsize="small")
    return upper, lower


def _name_of(source: Any) -> str:
    return type(source).__name__ if hasattr(source, "predict") else "probabilities"


def _two_axes(ax: "Sequence[Axes] | None") -> tuple[Any, Any]:
    pyplot = pyplot_module()
    if ax is None:
        ax = pyplot.subplots(
            2, 1, figsize=(6.4, 6.4), sharex=True, layout="constrained", height_ratios=[3, 1]
        )[1]
    if len(ax) != 2:
        raise ValueError(f"reliability draws into two Axes, got {len(ax)}")
    return ax[0], ax[1]


def _draw_claims(
    upper: "Axes",
    lower: "Axes",
    edges: NDArray[np.float64],
    colour: str,
    name: Any,
    chance: NDArray[np.float64],
    happens: NDArray[np.bool_],
) -> None:
    """One curve and its histogram."""
    bins = len(edges) - 1
    bin_of = np.minimum((chance * bins).astype(int), bins - 1)
    count = np.bincount(bin_of, minlength=bins)
    used = count > 0
    given = np.bincount(bin_of, weights=chance, minlength=bins)[used] / count[used]
    found = np.bincount(bin_of, weights=happens, minlength=bins)[used] / count[used]
    brier = np.mean((chance - happens) ** 2)
    upper.plot(
        given, found, "o-", color=colour, linewidth=1.4, markersize=5,
        label=f"{name}, Brier score {brier:.4f}",
    )  # fmt: skip
    lower.stairs(count, edges, color=colour, linewidth=1.4)

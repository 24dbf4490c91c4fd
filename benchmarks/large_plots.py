"""The pictures of `make bench-large`."""

from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot as plt

OUR_COLOUR, THEIR_COLOUR = "#0072b2", "#d55e00"


def save(figure: plt.Figure, target: Path) -> None:
    figure.savefig(target, metadata={"Date": None})
    plt.close(figure)


def accuracy(points: list, target: Path) -> None:
    """One line a set, from our support vectors to theirs."""
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for name, own, peer in points:
        at = ([own.support_vectors, peer.support_vectors], [own.accuracy, peer.accuracy])
        axes.plot(*at, color="#999999", linewidth=1, zorder=1)
        axes.annotate(name, (at[0][0], at[1][0]), xytext=(0, 7), textcoords="offset points",
                      ha="center", fontsize=9)  # fmt: skip
    for side, colour, label in ((1, OUR_COLOUR, "hinge0"), (2, THEIR_COLOUR, "SVC, intelex")):
        fits = [point[side] for point in points]
        axes.scatter([fit.support_vectors for fit in fits], [fit.accuracy for fit in fits],
                     color=colour, label=label, zorder=2)  # fmt: skip
    axes.set(xscale="log", xlabel="support vectors", ylabel="test accuracy")
    axes.legend()
    save(figure, target)


def growth(points: list, target: Path) -> None:
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    rows = [count for count, _, _ in points]
    lines = {
        "train": [own.fit_seconds for _, own, _ in points],
        "verify": [verify for _, _, verify in points],
        "predict": [own.predict_seconds for _, own, _ in points],
    }
    for label, values in lines.items():
        axes.plot(rows, values, marker="o", label=label)
    first = lines["train"][0]
    axes.plot(rows, [first * count / rows[0] for count in rows], ":", color="#999999",
              label="as the rows")  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="rows", ylabel="seconds, whole command")
    axes.legend()
    save(figure, target)


def draw(points: list, moon_points: list, folder: Path) -> None:
    accuracy(points, folder / "large-accuracy.svg")
    growth(moon_points, folder / "large-time.svg")

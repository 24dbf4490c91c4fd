"""Many classes beside scikit-learn's SVC, both tuned: accuracy, size, and time of one fit."""

import json
import statistics
from dataclasses import dataclass
from pathlib import Path

import choosing
import numpy as np
import prepare
from choosing import Result
from harness import BIN, FOLDER, Sizes, run, seconds
from hinge0 import L0SVC
from page import Figure, Section, table
from sklearn.base import BaseEstimator
from sklearn.datasets import load_digits, load_svmlight_file
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.svm import SVC

FLIPS = (0.0, 0.2)
DRAWS = 3  # of wrong labels: one alone moves the difference by half a point
FOLDS = 5
PRICES = 2.0 ** np.arange(-1, 8, 2)  # SVC's C; those of the l0 loss are twice as high
THINS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
THIN_REPEATS = 3  # of the folds, to tell small differences
KERNEL_GAIN = 0.005  # of a score: two standard errors of a difference on some thousand rows
REPEATS = 3  # of a fit that is timed
WIDTHS = 2.0 ** np.arange(-1, 4)  # gamma beside "scale"


@dataclass(frozen=True)
class Task:
    """All training rows, some of their labels wrong; `few` are those that are tuned on."""

    name: str
    flip: float
    draw: int
    X: np.ndarray
    y: np.ndarray
    unseen: np.ndarray
    truth: np.ndarray
    few: np.ndarray

    @property
    def widths(self) -> np.ndarray:
        """The values of gamma."""
        return WIDTHS / (self.X.shape[1] * self.X[self.few].var())


def rows_of(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Training rows, test rows and their labels; values are in [-1, 1]."""
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        return train_test_split(X / 8 - 1, y, test_size=0.4, random_state=0, stratify=y)
    with prepare.open_set(name) as source:
        X, y = load_svmlight_file(source)
    with prepare.open_set(f"{name}.t") as source:
        unseen, truth = load_svmlight_file(source, n_features=X.shape[1])
    return X.toarray(), unseen.toarray(), y.astype(int), truth.astype(int)


def with_wrong_labels(y: np.ndarray, share: float, draw: int) -> np.ndarray:
    """So many rows get one of the other labels, each as likely."""
    random = np.random.default_rng(draw)
    labels, codes = np.unique(y, return_inverse=True)
    wrong = random.permutation(len(y))[: round(share * len(y))]
    codes[wrong] += random.integers(1, len(labels), len(wrong))
    return labels[codes % len(labels)]


def task(name: str, flip: float, draw: int, most: int) -> Task:
    X, unseen, y, truth = rows_of(name)
    y = with_wrong_labels(y, flip, draw)
    few = np.arange(len(y))
    if len(y) > most:
        few, _ = train_test_split(few, train_size=most, random_state=0, stratify=y)
    return Task(name, flip, draw, X, y, unseen, truth, few)


def words(values: np.ndarray) -> str:
    return ",".join(repr(float(value)) for value in values)


def tuned(rows: Path, grid: dict[str, np.ndarray],
          **fixed: object) -> tuple[float, dict[str, object]]:  # fmt: skip
    """The score of the best cell of a grid, and what an L0SVC of it is given."""
    common = ("--folds", FOLDS, "-o", FOLDER / "classes.model", "--json", "-q")
    axes = [word for name, values in grid.items() for word in ("--grid", f"{name}={words(values)}")]
    options = [word for name, value in fixed.items() for word in (f"--{name}", value)]
    said = run(BIN / "hinge0", "tune", rows, *common, *axes, *options, allowed=(0, 3))
    best = json.loads(said)["best"]
    return best["score"], {**{name: best[name] for name in grid}, **fixed}


def most_support_vectors(given: Task) -> float:
    """The goal, beside SVC's."""
    return 0.25 if given.flip else 0.5 if given.name.startswith("satimage") else 1.0


def choices(given: Task) -> list[dict[str, object]]:
    """C and gamma with the highest score, rbf unless the other kernel clearly gains; with every
    `thin`, that with the highest score first.
    """
    few = choosing.write(FOLDER / "classes.few", given.X[given.few], given.y[given.few])
    grid = {"C": 2 * PRICES, "gamma": given.widths}
    rbf, other = (tuned(few, grid, kernel=kernel) for kernel in ("rbf", "exponential"))
    best = other[1] if other[0] > rbf[0] + KERNEL_GAIN else rbf[1]
    cell = {name: np.array([best.pop(name)]) for name in ("C", "gamma")}
    thinned = [tuned(few, cell, repeats=THIN_REPEATS, thin=thin, **best) for thin in THINS]
    thinned.sort(key=lambda scored: scored[0], reverse=True)
    return [{key: value for key, value in chosen.items() if key != "repeats"}
            for _, chosen in thinned]  # fmt: skip


def fitted(model: BaseEstimator, given: Task) -> Result:
    """On all training rows; the time is the best of a few fits."""
    time = min(seconds(lambda: model.fit(given.X, given.y)) for _ in range(REPEATS))
    return Result(float(model.score(given.unseen, given.truth)), len(model.support_), time)


def ours(given: Task, most: float) -> tuple[Result, str]:
    """The first choice of at most so many support vectors, else the smallest; also how it was
    fitted.
    """
    found = []
    for chosen in choices(given):
        how = ", ".join(f"{name}={value!r}" for name, value in chosen.items())
        found.append((fitted(L0SVC(**chosen), given), how))
        if found[-1][0].support_vectors <= most:
            return found[-1]
    return min(found, key=lambda one: one[0].support_vectors)


def theirs(given: Task) -> Result:
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    grid = {"C": PRICES, "gamma": given.widths}
    search = GridSearchCV(SVC(), grid, cv=folds, n_jobs=2, refit=False)
    search.fit(given.X[given.few], given.y[given.few])
    return fitted(SVC(**search.best_params_), given)


def mean_of(results: list[Result]) -> Result:
    """Over the draws."""
    return Result(statistics.mean(one.accuracy for one in results),
                  round(statistics.mean(one.support_vectors for one in results)),
                  statistics.mean(one.seconds for one in results))  # fmt: skip


def figures_of(given: Task, owns: list[Result], peers: list[Result]) -> list[Figure]:
    """Accuracy, size and time, means over the draws, with their goals, which are other ones with
    wrong labels.
    """
    own, peer = mean_of(owns), mean_of(peers)
    what = f"{given.name}, {len(np.unique(given.y))} classes, {given.flip:.0%} flipped"
    more = [100 * (a.accuracy - b.accuracy) for a, b in zip(owns, peers, strict=True)]
    points, least = statistics.mean(more), 0.0 if given.flip else -0.3
    said = f"{points:+.2f} points"
    if len(more) > 1:
        said += f" ({', '.join(f'{one:+.2f}' for one in more)})"
    size = own.support_vectors / peer.support_vectors
    most = most_support_vectors(given)
    return [
        Figure(f"{what}, accuracy", f"{own.accuracy:.2%}", f"SVC: {peer.accuracy:.2%}",
               said, f"at least {least:+g}", points >= least - 1e-9),
        Figure(f"{what}, support vectors", f"{own.support_vectors}",
               f"SVC: {peer.support_vectors}", f"{size:.2f} x", f"at most {most:g} x",
               size <= most),
        Figure.within(f"{what}, one fit of {len(given.y)} rows", own.seconds, "SVC", peer.seconds,
                      1),
    ]  # fmt: skip


def line_of(given: Task, own: Result, peer: Result, how: str) -> tuple[object, ...]:
    return (
        given.name, given.X.shape[1], len(given.y), len(given.truth),
        f"{given.flip:.0%}, {given.draw}" if given.flip else "0%",
        f"{own.accuracy:.2%}", own.support_vectors, f"{own.seconds:.3f}",
        f"{peer.accuracy:.2%}", peer.support_vectors, f"{peer.seconds:.3f}", f"`{how}`",
    )  # fmt: skip


def many(sizes: Sizes) -> Section:
    """Every set, with and without wrong labels."""
    figures, lines = [], []
    for name in sizes.class_sets:
        for flip in FLIPS:
            owns, peers = [], []
            for draw in range(DRAWS if flip else 1):
                given = task(name, flip, draw, sizes.class_rows)
                peer = theirs(given)
                own, how = ours(given, most_support_vectors(given) * peer.support_vectors)
                print(f"bench: {name}, {flip:.0%}, {draw}: {own}, {how}; SVC: {peer}", flush=True)
                owns.append(own)
                peers.append(peer)
                lines.append(line_of(given, own, peer, how))
            figures += figures_of(given, owns, peers)
    head = ("set", "features", "training rows", "test rows", "flipped, draw", "hinge0",
            "support vectors", "s", "SVC", "support vectors", "s", "hinge0's choice")  # fmt: skip
    details = [
        "### Many classes",
        "",
        "One-vs-one. Training and test files as they are published; of scikit-learn's digits 40 % "
        "to test. Flipped: so many of the training labels are replaced by others at random, "
        f"{DRAWS} times; figures are means over these draws, which all are in the table below. "
        f"C and gamma by {FOLDS} folds on {sizes.class_rows} random training rows (all, if there "
        f"are fewer): `hinge0 tune` over {len(PRICES)} C ({2 * PRICES[0]:g} .. "
        f"{2 * PRICES[-1]:g}) x {len(WIDTHS)} gamma ({WIDTHS[0]:g} .. {WIDTHS[-1]:g} times "
        '"scale"), with the rbf and the exponential kernel; the highest score wins, but '
        f"exponential must gain {100 * KERNEL_GAIN:g} points. Then with --thin "
        f"{THINS[0]} .. {THINS[-1]} and --repeats {THIN_REPEATS}, of which the highest score wins "
        "among those whose model of all training rows has at most as many support vectors as the "
        "goal allows. GridSearchCV over the same gamma and "
        f"{len(PRICES)} C ({PRICES[0]:g} .. {PRICES[-1]:g}) with the rbf kernel (SVC has no "
        "exponential one). Then L0SVC and SVC are fitted to all training rows in one process, the "
        f"time is the best of {REPEATS}: L0SVC takes all cores, SVC has one thread. Support "
        "vectors are different rows.",
        "",
        table(head, lines),
    ]  # fmt: skip
    return Section(figures, "\n".join(details))

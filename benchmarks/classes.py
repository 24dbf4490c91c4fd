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
SPLITS = 10  # of a set without a test file, each with its own draw
FOLDS = 5
PRICES = 2.0 ** np.arange(-1, 8, 2)  # SVC's C; those of the l0 loss are twice as high
THINS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
KERNEL_GAIN = 0.005  # of a score: two standard errors of a difference on some thousand rows
REPEATS, SECONDS = 3, 2.0  # fits of each side that are timed: so many, and for so long
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


def draws_of(name: str, flip: float) -> int:
    return SPLITS if name == "digits" else DRAWS if flip else 1


def rows_of(name: str, draw: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Training rows, test rows and their labels; values are in [-1, 1]."""
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        return train_test_split(X / 8 - 1, y, test_size=0.4, random_state=draw, stratify=y)
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
    X, unseen, y, truth = rows_of(name, draw)
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
    return best["score"], {"C": best["C"], "gamma": best["gamma"], **fixed}


def most_support_vectors(given: Task) -> float:
    """The goal, beside SVC's."""
    return 0.25 if given.flip else 0.5 if given.name.startswith("satimage") else 1.0


def choice(given: Task) -> dict[str, object]:
    """Kernel, C and gamma with the highest score; rbf unless the other kernel clearly gains."""
    few = choosing.write(FOLDER / "classes.few", given.X[given.few], given.y[given.few])
    rbf = tuned(few, {"C": 2 * PRICES, "gamma": given.widths}, kernel="rbf")
    other = tuned(few, {"C": 2 * PRICES}, kernel="exponential")  # its gamma has another unit
    return other[1] if other[0] > rbf[0] + KERNEL_GAIN else rbf[1]


def ours(given: Task, most: float) -> tuple[L0SVC, str]:
    """Given up are as few support vectors as must be for the goal."""
    chosen = choice(given)
    for thin in THINS:
        how = {**chosen, "thin": thin}
        model = L0SVC(**how).fit(given.X, given.y)
        if len(model.support_) <= most:
            break
    return model, ", ".join(f"{name}={value!r}" for name, value in how.items())


def theirs(given: Task) -> SVC:
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    grid = {"C": PRICES, "gamma": given.widths}
    search = GridSearchCV(SVC(), grid, cv=folds, n_jobs=2, refit=False)
    search.fit(given.X[given.few], given.y[given.few])
    return SVC(**search.best_params_).fit(given.X, given.y)


def timed(models: tuple[BaseEstimator, ...], given: Task) -> list[float]:
    """Of each the best of several fits, which take turns."""
    times: list[list[float]] = [[] for _ in models]
    while len(times[0]) < REPEATS or sum(map(sum, times)) < SECONDS:
        for model, own in zip(models, times, strict=True):
            own.append(seconds(lambda model=model: model.fit(given.X, given.y)))
    return [min(own) for own in times]


def compared(given: Task) -> tuple[Result, Result, str]:
    """hinge0's result, SVC's, and how hinge0's was fitted."""
    peer = theirs(given)
    own, how = ours(given, most_support_vectors(given) * len(peer.support_))
    results = [
        Result(float(model.score(given.unseen, given.truth)), len(model.support_), time)
        for model, time in zip((own, peer), timed((own, peer), given), strict=True)
    ]
    return results[0], results[1], how


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
    if len(more) > DRAWS:
        said += f" ± {statistics.stdev(more) / len(more) ** 0.5:.2f}"
    elif len(more) > 1:
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
        f"{given.flip:.0%}, {given.draw}",
        f"{own.accuracy:.2%}", own.support_vectors, f"{own.seconds:.3f}",
        f"{peer.accuracy:.2%}", peer.support_vectors, f"{peer.seconds:.3f}", f"`{how}`",
    )  # fmt: skip


def many(sizes: Sizes) -> Section:
    """Every set, with and without wrong labels."""
    figures, lines = [], []
    for name in sizes.class_sets:
        for flip in FLIPS:
            owns, peers = [], []
            for draw in range(draws_of(name, flip)):
                given = task(name, flip, draw, sizes.class_rows)
                own, peer, how = compared(given)
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
        "One-vs-one. Training and test files as they are published; of scikit-learn's digits, "
        f"which have none, {SPLITS} random splits with 40 % to test. Flipped: so many of the "
        f"training labels are replaced by others at random, {DRAWS} times, of digits once a split; "
        "figures are means over these draws, which all are in the table below. "
        f"C and gamma by {FOLDS} folds on {sizes.class_rows} random training rows (all, if there "
        f"are fewer): `hinge0 tune` over {len(PRICES)} C ({2 * PRICES[0]:g} .. "
        f"{2 * PRICES[-1]:g}) x {len(WIDTHS)} gamma ({WIDTHS[0]:g} .. {WIDTHS[-1]:g} times "
        '"scale"), and with the exponential kernel over its own usual gamma; the highest score '
        f"wins, but exponential must gain {100 * KERNEL_GAIN:g} points. --thin is the smallest of "
        f"{THINS[0]} .. {THINS[-1]} with which the model of all training rows has at most as many "
        "support vectors as the goal allows. GridSearchCV over the same gamma and "
        f"{len(PRICES)} C ({PRICES[0]:g} .. {PRICES[-1]:g}) with the rbf kernel (SVC has no "
        "exponential one). Then L0SVC and SVC are fitted to all training rows in one process, in "
        f"turn, at least {REPEATS} times and {SECONDS:g} seconds; the time is the best. L0SVC "
        "takes all cores, SVC has one thread. Support vectors are different rows.",
        "",
        table(head, lines),
    ]  # fmt: skip
    return Section(figures, "\n".join(details))

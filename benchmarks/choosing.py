"""Accuracy and size on unseen rows beside scikit-learn's SVC, tuned and by default, and the time.

Many sets and splits, with a share of the training labels flipped: means with their standard errors,
every set with its own line, losses included.
"""

import json
import statistics
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import prepare
import sklearn
from harness import BIN, FOLDER, TABLE_3, Sizes, run, seconds
from page import Figure, Section, table
from sklearn.datasets import load_svmlight_file
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

MOST_ROWS = 500  # to train on
FLIPS = (0.0, 0.1, 0.2, 0.3)
# SVC's accuracies do not change with this project, and take most of the time.
KNOWN = FOLDER / "svc.jsonl"


@dataclass(frozen=True)
class Problem:
    """Standardised training rows with some labels flipped, test rows as they are."""

    name: str
    flip: float
    X: np.ndarray
    y: np.ndarray
    unseen: np.ndarray
    truth: np.ndarray
    seed: int


@dataclass(frozen=True)
class Result:
    """Test accuracy, support vectors, seconds."""

    accuracy: float
    support_vectors: int
    seconds: float


def two_classes(labels: np.ndarray) -> np.ndarray:
    """-1 and 1; of several classes the upper half of the labels against the lower."""
    values = np.unique(labels)
    return np.where(labels >= values[len(values) // 2], 1, -1)


def problem(name: str, flip: float, seed: int) -> Problem:
    with prepare.open_set(name) as source:
        X, labels = load_svmlight_file(source)
    y = two_classes(labels)
    rows = min(MOST_ROWS, int(0.6 * len(y)))
    X, unseen, y, truth = train_test_split(
        X.toarray(), y, train_size=rows, random_state=seed, stratify=y
    )
    scaler = StandardScaler().fit(X)
    wrong = np.random.RandomState(seed).permutation(rows)[: round(flip * rows)]
    y[wrong] *= -1
    return Problem(name, flip, scaler.transform(X), y, scaler.transform(unseen), truth, seed)


def write(target: Path, X: np.ndarray, y: np.ndarray) -> Path:
    rows = zip(y.tolist(), X.tolist(), strict=True)
    return prepare.write_lines(
        target,
        (f"{label} " + " ".join(f"{j}:{v}" for j, v in enumerate(row, 1)) for label, row in rows),
    )


def ours(given: Problem, command: str, *options: object) -> Result:
    """hinge0 train or tune, then predict; the time is that of the first, as a whole command."""
    train = write(FOLDER / "choosing.train", given.X, given.y)
    test = write(FOLDER / "choosing.test", given.unseen, given.truth)
    model, said = FOLDER / "choosing.model", []
    words = [BIN / "hinge0", command, train, "-o", model, "--json", "-q", *options]
    time = seconds(lambda: said.append(run(*words, allowed=(0, 3))))
    predict = [BIN / "hinge0", "predict", model, test, "--json", "-q", "-o", "/dev/null"]
    accuracy = json.loads(run(*predict))["accuracy"]
    return Result(accuracy, json.loads(said[0])["support_vectors"], time)


def grid_of_svc(features: int, prices: int) -> dict[str, np.ndarray]:
    return {
        "C": 2.0 ** np.arange(-2, prices - 2),
        "gamma": 2.0 ** np.arange(-7, 4) / features,
    }


def svc(given: Problem, tuned: bool, prices: int = 11) -> Result:
    model = SVC()
    if tuned:
        folds = StratifiedKFold(5, shuffle=True, random_state=given.seed)
        grid = grid_of_svc(given.X.shape[1], prices)
        model = GridSearchCV(SVC(), grid, cv=folds, n_jobs=2)
    time = seconds(lambda: model.fit(given.X, given.y))
    best = model.best_estimator_ if tuned else model
    accuracy = float(best.score(given.unseen, given.truth))
    return Result(accuracy, int(best.n_support_.sum()), time)


def known_results() -> dict[str, Result]:
    """SVC's, from earlier runs with the same problems and the same scikit-learn."""
    if not KNOWN.exists():
        return {}
    lines = [json.loads(line) for line in KNOWN.read_text().splitlines()]
    return {line.pop("key"): Result(**line) for line in lines}


def remembered_svc(given: Problem, tuned: bool, known: dict[str, Result]) -> Result:
    """As svc; for its accuracy and size, not for its time."""
    content = zlib.crc32(given.unseen.tobytes(), zlib.crc32(given.X.tobytes() + given.y.tobytes()))
    key = f"{given.name} {given.flip} {given.seed} {tuned} {content:08x} {sklearn.__version__}"
    if key not in known:
        known[key] = svc(given, tuned)
        with KNOWN.open("a") as file:
            file.write(json.dumps({"key": key, **asdict(known[key])}) + "\n")
    return known[key]


@dataclass(frozen=True)
class Pair:
    """The same problem for hinge0 and for SVC."""

    problem: Problem
    own: Result
    peer: Result

    @property
    def points(self) -> float:
        return 100 * (self.own.accuracy - self.peer.accuracy)

    @property
    def size(self) -> float:
        return self.own.support_vectors / max(1, self.peer.support_vectors)


def mean_and_error(values: list[float]) -> tuple[float, float]:
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return statistics.mean(values), error


def rows_of(pairs: list[Pair]) -> list[tuple]:
    """One line a set: points above SVC and share of its support vectors, flip by flip."""
    rows = []
    for name in [*dict.fromkeys(pair.problem.name for pair in pairs), "all"]:
        cells: list[str] = [name]
        for flip in FLIPS:
            here = [p for p in pairs if p.problem.flip == flip and name in (p.problem.name, "all")]
            if not here:
                cells.append("-")
                continue
            mean, error = mean_and_error([pair.points for pair in here])
            peer = 100 * statistics.mean(pair.peer.accuracy for pair in here)
            size = statistics.median(pair.size for pair in here)
            cells.append(f"{peer:.1f} {mean:+.2f} ± {error:.2f}, {size:.2f}")
        rows.append(tuple(cells))
    return rows


def figures_of(pairs: list[Pair], what: str, peer: str, goals: dict[float, float]) -> list[Figure]:
    figures = []
    for flip, least in goals.items():
        here = [pair.points for pair in pairs if pair.problem.flip == flip]
        if not here:
            continue
        mean, error = mean_and_error(here)
        words = f"{what}, {flip:.0%} of the labels flipped, mean accuracy of {len(here)} splits"
        found, goal = f"{mean:+.2f} ± {error:.2f} points", f"at least {least:+g}"
        figures.append(Figure(words, found, peer, "-", goal, mean >= least))
    return figures


def size_figure(pairs: list[Pair], what: str, peer: str, most: float) -> Figure:
    median = statistics.median(pair.size for pair in pairs)
    fewest = statistics.median(pair.own.support_vectors for pair in pairs)
    return Figure(f"{what}, support vectors, median", f"{fewest:g}", peer, f"{median:.2f} x",
                  f"at most {most:g} x", median <= most)  # fmt: skip


def accuracy(sizes: Sizes) -> Section:
    """Tuned and by default, on every set, split and share of wrong labels."""
    tuned, plain, known = [], [], known_results()
    for name in sizes.choosing_sets:
        for flip in FLIPS:
            for seed in range(sizes.choosing_splits):
                given = problem(name, flip, seed)
                tuned.append(Pair(given, ours(given, "tune"), remembered_svc(given, True, known)))
                plain.append(Pair(given, ours(given, "train"), remembered_svc(given, False, known)))
    clean = [pair for pair in tuned if pair.problem.flip == 0]
    flipped = [pair for pair in tuned if pair.problem.flip > 0]
    grid_peer, default_peer = "GridSearchCV(SVC)", "SVC()"
    figures = [
        *figures_of(tuned, "`hinge0 tune`", grid_peer, {0.0: -0.1, 0.1: 0.0, 0.2: 0.0, 0.3: 0.0}),
        size_figure(clean, "`hinge0 tune`, clean labels", grid_peer, 0.4),
        size_figure(flipped, "`hinge0 tune`, flipped labels", grid_peer, 0.2),
        *figures_of(plain, "default fit", default_peer, {0.0: -0.3, 0.1: -0.3, 0.2: -0.3}),
        size_figure(plain, "default fit", default_peer, 0.5),
    ]
    head = ("set", *(f"{flip:.0%} flipped" for flip in FLIPS))
    details = [
        "### Accuracy and size on unseen rows",
        "",
        f"{len(sizes.choosing_sets)} sets, {sizes.choosing_splits} random splits of each: 60 % of "
        f"the rows or at most {MOST_ROWS} to train on, standardised by these; a share of the "
        "training labels flipped; all other rows, labels as they are, to test. Sets with more than "
        "two classes: the upper half of the labels against the lower. Each cell: SVC's mean "
        "accuracy in %, the mean difference to it in points ± its standard error, and the median "
        "of support vectors beside SVC's.",
        "",
        "`hinge0 tune` by default beside `GridSearchCV(SVC(), n_jobs=2)` over 11 C (2^-2 .. 2^8) x "
        "11 gamma (2^-7 / d .. 2^3 / d), 5 folds (SVC's results are remembered from run to run in "
        f"build/bench/{KNOWN.name}, ours are not):",
        "",
        table(head, rows_of(tuned)),
        "",
        "`hinge0 train` by default beside `SVC()`:",
        "",
        table(head, rows_of(plain)),
    ]
    return Section(figures, "\n".join(details))


def times(sizes: Sizes) -> Section:
    """tune beside GridSearchCV over as many cells and the same folds, both with two cores."""
    rows, figures = [], []
    for name in [name for name in TABLE_3 if name in sizes.exact_sets]:
        given = problem(name, 0.0, 0)
        split = StratifiedKFold(5, shuffle=True, random_state=given.seed).split(given.X, given.y)
        fold = np.zeros(len(given.y), dtype=int)
        for k, (_, test) in enumerate(split):
            fold[test] = k
        folds = prepare.write_lines(FOLDER / "choosing.folds", map(str, fold))
        options = ("--grid", "C=2^-1..2^8", "--folds-file", folds)
        own = [ours(given, "tune", *options).seconds for _ in range(sizes.repeats)]
        peer = svc(given, tuned=True, prices=10).seconds
        middle = statistics.median(own)
        rows.append((name, len(given.y), f"{middle:.3f}", f"{peer:.3f}", f"{middle / peer:.3f}"))
        figures.append(Figure.within(f"`hinge0 tune`, {name}, {len(given.y)} rows", middle,
                                     "GridSearchCV(SVC)", peer, 0.2))  # fmt: skip
    details = [
        "### Time of tuning",
        "",
        "Training rows as above, clean labels; 10 C x 11 gamma, the same 5 folds (`--folds-file`). "
        f"`hinge0 tune` as a whole command, median of {sizes.repeats}; GridSearchCV with two "
        "processes, the fit alone.",
        "",
        table(("set", "rows", "hinge0 tune s", "GridSearchCV s", "ratio"), rows),
    ]
    return Section(figures, "\n".join(details))

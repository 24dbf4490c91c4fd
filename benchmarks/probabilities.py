"""Probabilities beside scikit-learn's calibrated SVC, both tuned: Brier score and log loss."""

import json
import statistics
from dataclasses import dataclass

import choosing
import numpy as np
import prepare
from harness import BIN, FOLDER, Sizes, run
from page import Figure, Section, table
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_svmlight_file
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

KEEP_MARGIN = 0.8  # docs/classes.md, "Probabilities"
MOST_ROWS = 1000  # to train on
METHODS = ("sigmoid", "isotonic")
WAYS = ("", ", one", ", by Brier score")  # of SVC
PRICES = 2.0 ** np.arange(-2, 9, 2)
WIDTHS = 2.0 ** np.arange(-6, 3, 2)


@dataclass(frozen=True)
class Task:
    """Standardised rows of as many classes as the set has."""

    name: str
    X: np.ndarray
    y: np.ndarray
    unseen: np.ndarray
    truth: np.ndarray
    seed: int


def task(name: str, seed: int) -> Task:
    with prepare.open_set(name) as source:
        X, y = load_svmlight_file(source)
    y = y.astype(int)
    X, unseen, y, truth = train_test_split(
        X.toarray(), y, train_size=min(MOST_ROWS, int(0.6 * len(y))), random_state=seed, stratify=y
    )
    scaler = StandardScaler().fit(X)
    return Task(name, scaler.transform(X), y, scaler.transform(unseen), truth, seed)


def scores(given: Task, chances: np.ndarray) -> tuple[float, float]:
    """Brier score, halved so that for two classes it is that of one of them, and log loss."""
    labels = np.unique(given.y)
    hits = given.truth[:, None] == labels
    brier = float(((chances - hits) ** 2).sum(axis=1).mean() / 2)
    return brier, float(log_loss(given.truth, chances, labels=labels))


def words(values: np.ndarray) -> str:
    return ",".join(repr(float(value)) for value in values)


def ours(given: Task) -> dict[str, tuple[float, float]]:
    train = choosing.write(FOLDER / "chances.train", given.X, given.y)
    test = choosing.write(FOLDER / "chances.test", given.unseen, given.truth)
    model, options = FOLDER / "chances.model", ("--json", "-q")
    grid = ("--grid", f"C={words(2 * PRICES)}", "--grid",
            f"gamma={words(WIDTHS / given.X.shape[1])}")  # fmt: skip
    # For many classes there is no Brier score to tune by, and their pairs keep what they keep.
    how = () if len(np.unique(given.y)) > 2 else ("--keep-margin", KEEP_MARGIN)
    metric = ("--metric", "brier") if how else ()
    tuned = run(BIN / "hinge0", "tune", train, "-o", model, *options, *grid, *how, *metric,
                allowed=(0, 3))  # fmt: skip
    best = json.loads(tuned)["best"]
    chosen = ("-C", repr(best["C"]), "--gamma", repr(best["gamma"]), *how)
    found = {}
    for method in METHODS:
        run(BIN / "hinge0", "train", train, "-o", model, *options, *chosen, "--calibrate", method,
            allowed=(0, 3))  # fmt: skip
        lines = run(BIN / "hinge0", "predict", model, test, "-q", "--probabilities").splitlines()
        order = np.argsort([int(label) for label in lines[0].split()[1:]])
        chances = np.array([line.split()[1:] for line in lines[1:]], dtype=float)[:, order]
        found[f"hinge0 {method}"] = scores(given, chances)
    return found


def theirs(given: Task) -> dict[str, tuple[float, float]]:
    """C and gamma by accuracy, as usual; and by the Brier score of calibrated classifiers."""
    folds = StratifiedKFold(5, shuffle=True, random_state=given.seed)
    grid = {"C": PRICES, "gamma": WIDTHS / given.X.shape[1]}
    search = GridSearchCV(SVC(), grid, cv=folds, n_jobs=2, refit=False).fit(given.X, given.y)
    calibrated = CalibratedClassifierCV(SVC(), cv=5)
    of_parts = {f"estimator__{name}": values for name, values in grid.items()}
    by_brier = GridSearchCV(calibrated, of_parts, cv=folds, n_jobs=2, refit=False,
                            scoring="neg_brier_score").fit(given.X, given.y)  # fmt: skip
    best = SVC(**search.best_params_)
    other = SVC(**{name: by_brier.best_params_[f"estimator__{name}"] for name in grid})
    found = {}
    for method in METHODS:
        for words, model, ensemble in zip(WAYS, (best, best, other), (True, False, True),
                                          strict=True):  # fmt: skip
            model = CalibratedClassifierCV(model, method=method, cv=5, ensemble=ensemble)
            chances = model.fit(given.X, given.y).predict_proba(given.unseen)
            found[f"SVC {method}{words}"] = scores(given, chances)
    return found


def cell(values: list[float]) -> str:
    mean, error = choosing.mean_and_error(values)
    return f"{mean:.4f} ± {error:.4f}"


Found = list[tuple[str, dict[str, tuple[float, float]]]]


def figures_of(found: Found) -> list[Figure]:
    """Means over all splits of all sets, beside those of SVC by the same method."""
    figures = []
    for method in METHODS:
        for k, score in enumerate(("Brier score", "log loss")):
            own = [result[f"hinge0 {method}"][k] for _, result in found]
            for way in WAYS:
                peer, has_goal = f"SVC {method}{way}", way == ""
                other = [result[peer][k] for _, result in found]
                more = [a - b for a, b in zip(own, other, strict=True)]
                mean, error = choosing.mean_and_error(more)
                figures.append(
                    Figure(f"`--calibrate {method}`, mean {score} of {len(found)} splits",
                           f"{statistics.mean(own):.4f}",
                           f"calibrated {peer}: {statistics.mean(other):.4f}",
                           f"{mean:+.4f} ± {error:.4f}", "at most +0" if has_goal else "-",
                           mean <= 0 if has_goal else None)
                )  # fmt: skip
    return figures


def reliability(sizes: Sizes) -> Section:
    """Every set and split."""
    found: Found = []
    for name in sizes.chance_sets:
        for seed in range(sizes.chance_splits):
            given = task(name, seed)
            found.append((name, {**ours(given), **theirs(given)}))
    ways = [way for method in METHODS
            for way in (f"hinge0 {method}", *(f"SVC {method}{way}" for way in WAYS))]  # fmt: skip
    tables = []
    for k, score in enumerate(("Brier score", "Log loss")):
        lines = []
        for name in dict.fromkeys(name for name, _ in found):
            of_set = [result for other, result in found if other == name]
            lines.append((name, *(cell([result[way][k] for result in of_set]) for way in ways)))
        tables += ["", f"{score}:", "", table(("set", *ways), lines)]
    details = [
        "### Probabilities",
        "",
        f"{len(sizes.chance_sets)} sets, {sizes.chance_splits} random splits of each: 60 % of the "
        f"rows or at most {MOST_ROWS} to train on, standardised by these, the others to test. C "
        f"and gamma by cross-validation over {len(PRICES)} x {len(WIDTHS)} cells for both: "
        f"hinge0's by `tune --metric brier --keep-margin {KEEP_MARGIN:g}` (by accuracy, as it "
        "comes, for the six classes of satimage), SVC's by GridSearchCV's accuracy. "
        "`hinge0 train --calibrate` and `predict --probabilities` beside "
        "`CalibratedClassifierCV(SVC(), cv=5)`, which takes the mean of five classifiers where "
        'hinge0 has one; "one": with `ensemble=False` SVC has one too; "by Brier score": SVC '
        "tuned by that of calibrated classifiers, at six times the fits. "
        "The Brier score is half the sum of squares over all classes. Means over the splits with "
        "their standard errors.",
        *tables,
    ]
    return Section(figures_of(found), "\n".join(details))

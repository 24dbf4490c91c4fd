"""What L0SVCCV compares: five scores that the library knows, and every other scorer."""

import numbers
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import f1_score, get_scorer, make_scorer
from sklearn.utils.metaestimators import _safe_split, available_if

from hinge0 import _core
from hinge0._inputs import Codes, signs_of
from hinge0._splits import Split

# scikit-learn's names, and the library's.
METRICS = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced-accuracy",
    "f1": "f1",
    "roc_auc": "auc",
    "neg_brier_score": "brier",
}
OF_TWO_CLASSES = ("f1", "auc", "brier")


def metric_of(scoring: Any, n_classes: int) -> str | None:
    """The library's name, or None if Python has to score."""
    metric = METRICS.get("accuracy" if scoring is None else scoring)
    return None if n_classes > 2 and metric in OF_TWO_CLASSES else metric


def scorer_of(scoring: Any, classes: NDArray[Any]) -> Any:
    """A callable(estimator, X, y) that agrees with what the library computes."""
    if (
        scoring == "f1" and len(classes) == 2
    ):  # scikit-learn's own is of the label 1, whatever the labels are
        return make_scorer(f1_score, pos_label=classes[1], zero_division=0.0)
    if scoring == "neg_brier_score" and len(classes) == 2:
        return neg_brier_score
    return get_scorer("accuracy" if scoring is None else scoring)


def neg_brier_score(estimator: Any, X: Any, y: Any) -> float:
    """That of the probabilities which the best sigmoid makes of decision values of two classes."""
    signs = signs_of((np.asarray(y) == estimator.classes_[1]).astype(np.int64))
    decisions = np.ascontiguousarray(estimator.decision_function(X), dtype=np.float64)
    return float(_core.score("brier", signs, decisions))


class FoldClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Stands in for the classifier of one fold, before a scorer: its decisions are known."""

    def __init__(self, classes_: NDArray[Any], X: Any, decisions: NDArray[np.float64]) -> None:
        self.classes_ = classes_
        self.X = X
        self.decisions = decisions

    @available_if(lambda self: len(self.classes_) == 2)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        self._require_own(X)
        return self.decisions

    def predict(self, X: Any) -> NDArray[Any]:
        self._require_own(X)
        codes = self.decisions > 0 if len(self.classes_) == 2 else self.decisions
        labels: NDArray[Any] = self.classes_[codes.astype(np.intp)]
        return labels

    def _require_own(self, X: Any) -> None:
        if X is not self.X and not _are_equal(X, self.X):
            raise ValueError("During cross-validation a scorer may predict its own X only.")


def _are_equal(A: Any, B: Any) -> bool:
    return not sp.issparse(A) and not sp.issparse(B) and np.array_equal(A, B)


def python_scores(
    estimator: Any, X: Any, y: Any, splits: list[Split], decisions: list[list[Any]]
) -> NDArray[np.float64]:
    """By estimator.scorer_; a row for every cell and a column for every split; NaN: no fit."""
    scores = np.full((len(decisions), len(splits)), np.nan)
    for s, (train, test) in enumerate(splits):
        of_test, truth = _safe_split(estimator, X, y, test, train)
        for k, of_cell in enumerate(decisions):
            if of_cell[s] is not None:
                fold = FoldClassifier(estimator.classes_, of_test, of_cell[s])
                scores[k, s] = _score(estimator.scorer_, fold, of_test, truth)
    return scores


def score_in_python(
    estimator: Any, X: Any, y: Any, codes: Codes, splits: list[Split], tried: dict[str, Any]
) -> None:
    """Puts the scores of estimator.scorer_ in the place of the library's."""
    decisions = tried["decisions"]
    tried["scores"] = python_scores(estimator, X, y, splits, decisions)
    if len(estimator.classes_) > 2:
        return
    signs = signs_of(codes)
    consensus = _core.consensus(tried["scores"], decisions, tried["raised"], splits, signs)
    labels = estimator.classes_[(consensus > 0).astype(np.intp)]
    try:
        tried["agreements"] = python_scores(estimator, X, labels, splits, decisions)
    except ValueError:  # a scorer that cannot score these, say one class alone
        tried["agreements"] = np.full_like(tried["scores"], np.nan)


def _score(scorer: Any, fold: FoldClassifier, X: Any, y: Any) -> float:
    try:
        score = scorer(fold, X, y)
    except AttributeError as error:
        raise ValueError(
            "During cross-validation a scorer has classes_, predict and, of two classes, "
            f"decision_function to work with: {error}"
        ) from error
    if not isinstance(score, numbers.Real):
        raise ValueError(f"scoring must give one number, got {score!r}.")
    return float(score)

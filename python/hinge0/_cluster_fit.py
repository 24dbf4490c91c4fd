"""The steps of a fit on a cluster: what is known of the rows, the pairs of classes, the model."""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets

from hinge0 import _core
from hinge0 import _partitions as on_worker
from hinge0._classes import dual_layout, pair_reports, pairs_of
from hinge0._cluster import Cluster
from hinge0._convert import kernel_options, settings_of
from hinge0._l0svc import L0SVC
from hinge0._model import fitted_model


class Known(NamedTuple):
    """What is known of all rows."""

    classes: NDArray[Any]
    class_weight: NDArray[np.float64]
    features: int
    first: list[int]  # the number of each partition's first row, and of all rows
    counts: list[list[int]]  # of each partition and class, rows of weight above 0
    weights: list[list[float]]
    variance: float

    @property
    def taking_part(self) -> int:
        return sum(map(sum, self.counts))


def sum_up_looks(looks: list[on_worker.Look], estimator: Any) -> Known:
    features = {look.features for look in looks}
    if len(features) != 1:
        raise ValueError(f"the partitions of X have {sorted(features)} features")
    filled = [look for look in looks if look.rows > 0]
    if not filled:
        raise ValueError("X has no rows.")
    classes = np.unique(np.concatenate([look.labels for look in filled]))
    check_classification_targets(classes)
    counts = [_by_class(look.labels, look.counts, classes, 0) for look in looks]
    weights = [_by_class(look.labels, look.weights, classes, 0.0) for look in looks]
    of_class = np.sum(counts, axis=0)
    if len(classes) < 2:
        raise ValueError("DaskL0SVC needs samples of two classes, but there is only 1 class.")
    if (of_class == 0).any():
        missing = classes[of_class == 0].tolist()[0]
        raise ValueError(f"There is no sample of class {missing!r} with positive weight.")
    first = np.cumsum([0, *(look.rows for look in looks)]).tolist()
    return Known(
        classes, _class_weight(estimator.class_weight, classes, np.sum(weights, axis=0)),
        features.pop(), first, counts, weights, _variance(looks),
    )  # fmt: skip


def _by_class(labels: NDArray[Any], values: list[Any], classes: NDArray[Any], none: Any) -> Any:
    result = [none] * len(classes)
    for at, value in zip(np.searchsorted(classes, labels), values, strict=True):
        result[at] = value
    return result


def _class_weight(
    wanted: Any, classes: NDArray[Any], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    if wanted == "balanced":
        return np.asarray(weights.sum() / (len(classes) * weights), dtype=np.float64)
    found = compute_class_weight(wanted, classes=classes, y=classes)
    return np.asarray(found, dtype=np.float64)


def _variance(looks: list[on_worker.Look]) -> float:
    """Of all entries, partition by partition (Chan, Golub, LeVeque 1983)."""
    total, mean, squares = 0.0, 0.0, 0.0
    for of_part, mean_of_part, squares_of_part in (look.moments for look in looks):
        if of_part == 0:
            continue
        together = total + of_part
        apart = mean_of_part - mean
        squares += squares_of_part + apart * apart * (total * of_part / together)
        mean += apart * (of_part / together)
        total = together
    return squares / total if total > 0 else 0.0


def _gamma(estimator: Any, known: Known) -> float:
    if estimator.gamma == "auto":
        return 1.0 / known.features
    if estimator.gamma != "scale":
        return float(estimator.gamma)
    if not np.isfinite(known.variance):
        raise ValueError("the features are too large to compare: scale them")
    product = known.features * known.variance
    return 1.0 / product if product > 0 and np.isfinite(1.0 / product) else 1.0


def fit_local(cluster: Cluster, local: L0SVC, callback: Any) -> L0SVC:
    """Few rows: brought here, and fitted as L0SVC does."""
    parts = [part for part in cluster.gather(cluster.rows) if part[0].shape[0] > 0]
    X, y, weight = zip(*parts, strict=True)
    names = getattr(local, "feature_names_in_", None)
    samples = sp.vstack(X, format="csr") if any(map(sp.issparse, X)) else np.concatenate(X)
    weights = None if weight[0] is None else np.concatenate(weight)
    local._train(samples, np.concatenate(y), weights, callback)
    if names is not None:
        local.feature_names_in_ = names
    local.report_["cluster"] = cluster.report()
    return local


def fit_pairs(cluster: Cluster, known: Known, local: L0SVC, callback: Any) -> L0SVC:
    """Every pair of classes, one after the other, by questions to the partitions."""
    two = len(known.classes) == 2
    pairs = [(0, 1)] if two else pairs_of(len(known.classes), local.multi_class)
    gamma = local.gamma
    local.gamma = _gamma(local, known)
    kernel, settings = kernel_options(local), settings_of(local)
    local.gamma = gamma
    found = [
        _core.fit_partitions(
            features=known.features, first=known.first, rows=known.counts, weight=known.weights,
            ask=cluster.ask, classes=pair, kernel=kernel, C=float(local.C),
            class_weight=known.class_weight.tolist(), settings=settings, callback=callback,
        )
        for pair in pairs
    ]  # fmt: skip
    _store(cluster, known, found, local)
    fitted_model(local)
    if not two:
        right = cluster.gather(
            cluster.each("accuracy", on_worker.rightly_classified, cluster.rows,
                         [local] * len(cluster.rows))
        )  # fmt: skip
        local.report_["train_accuracy"] = sum(right) / known.taking_part
    local.report_["cluster"] = cluster.report()
    return local


def _codes(cluster: Cluster, known: Known, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The classes of some rows."""
    part = np.searchsorted(known.first, rows, side="right") - 1
    used = np.unique(part).tolist()
    places = [rows[part == p] - known.first[p] for p in used]
    futures = cluster.each("labels", on_worker.codes_of, [cluster.rows[p] for p in used], places)
    codes = cluster.gather(futures)
    return np.concatenate([np.zeros(0, np.int64), *codes]).astype(np.int64)


def _store(cluster: Cluster, known: Known, found: list[dict[str, Any]], local: L0SVC) -> None:
    """Keeps the result under SVC's names, support vectors class by class as SVC does."""
    rows, at = np.unique(np.concatenate([one["rows"] for one in found]), return_index=True)
    vectors: Any = [one["support_vectors"] for one in found]
    sparse = any(map(sp.issparse, vectors))
    vectors = sp.vstack(vectors, format="csr") if sparse else np.vstack(vectors)
    codes = _codes(cluster, known, rows)
    order = np.argsort(codes, kind="stable")
    n_classes = len(known.classes)
    local.support_ = rows[order]
    local.support_vectors_ = vectors[at[order]]
    local.n_support_ = np.bincount(codes, minlength=n_classes).astype(np.int32)
    local.shape_fit_ = (known.first[-1], known.features)
    if n_classes == 2:
        local.dual_coef_ = found[0]["coefficients"][order].reshape(1, -1)
        local.intercept_ = np.array([found[0]["bias"]])
        report = found[0]["report"]
    else:
        joined: dict[str, Any] = {
            "rows": np.arange(len(rows)),
            "places": [np.searchsorted(rows, one["rows"]) for one in found],
            "coefficients": [one["coefficients"] for one in found],
            "biases": np.array([one["bias"] for one in found]),
            "pairs": [one["report"] for one in found],
        }
        local.dual_coef_, local.intercept_ = dual_layout(
            joined, codes, n_classes, local.multi_class
        )
        report = _summary(joined["pairs"])
        report["support_vectors"] = len(rows)
        report["pairs"] = pair_reports(joined, known.classes, local.multi_class)
    local.report_ = {
        **report,
        "rows": known.first[-1],
        "classes": known.classes.tolist(),
        "version": _core.version,
    }
    local.fit_status_ = int(report["status"] != "converged")
    local.n_iter_ = np.array([max(1, report["iterations"])], dtype=np.int32)
    local.trace_ = {}


def _summary(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """Of all pairs: the worst status and certificate, sums of the rest."""
    total = dict(reports[0])
    for key in ("objective", "constant_objective", "half_norm_squared", "violators", "iterations"):
        total[key] = sum(report[key] for report in reports)
    unfinished = [r["status"] for r in reports if r["status"] != "converged"]
    total["status"] = unfinished[-1] if unfinished else "converged"
    certificates = [report["certificate"] for report in reports]
    total["certificate"] = {
        key: (min if key in ("gamma", "local_minimum") else max)(c[key] for c in certificates)
        for key in certificates[0]
    }
    total["notes"] = list(dict.fromkeys(note for r in reports for note in r["notes"]))
    total["seconds"] = {key: sum(r["seconds"][key] for r in reports) for key in total["seconds"]}
    return total

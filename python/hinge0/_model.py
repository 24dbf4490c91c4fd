"""The fitted classifier as the library's own object, made from the attributes of an estimator.

Attributes can be assigned, and state can come from a file that somebody changed: here they are
checked against each other; the library checks numbers and ranges.
"""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hinge0 import _core
from hinge0._classes import pairs_from_layout
from hinge0._convert import check_csr, core_rows
from hinge0._files import with_rising_classes

PARTS = (
    "kernel", "multi_class", "classes_", "n_support_", "support_", "support_vectors_",
    "dual_coef_", "intercept_", "class_weight_", "shape_fit_", "n_features_in_", "report_",
    "loaded_",
)  # fmt: skip


class FittedModel:
    """The models of a fit, and the very objects that they were made from.

    `prediction` and `training` differ for a callable kernel only, whose matrix has a column for
    each support vector in the one and for each training row in the other. `made`: both of them, by
    the fit itself.
    """

    def __init__(self, estimator: Any, made: Any = None) -> None:
        self._parts = [getattr(estimator, name, None) for name in PARTS]
        self.prediction: Any = made
        self.training: Any = made
        if made is not None:
            return
        try:
            if hasattr(estimator, "loaded_"):
                self.prediction = self.training = _loaded(estimator)
            else:
                self.prediction, self.training = _models_of(estimator)
        except (AttributeError, IndexError, KeyError, OverflowError) as error:
            raise ValueError(f"the fitted attributes were damaged: {error!r}") from error

    @property
    def by_callable(self) -> bool:
        return self.prediction is not self.training

    def is_of(self, estimator: Any) -> bool:
        """Whether no part was replaced since; changes inside an array are not seen."""
        now = (getattr(estimator, name, None) for name in PARTS)
        return all(part is mine for part, mine in zip(now, self._parts, strict=True))


def fitted_model(estimator: Any) -> FittedModel:
    """The estimator's models, from its cache unless that is out of date."""
    cached = vars(estimator).get("_model")
    if not isinstance(cached, FittedModel) or not cached.is_of(estimator):
        cached = estimator._model = FittedModel(estimator)
    return cached


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"a fitted attribute was changed: {what}")


def _numbers(estimator: Any, name: str, kinds: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """The attribute, if it still has the type and the shape that a fit gives it."""
    values = getattr(estimator, name)
    fits = isinstance(values, np.ndarray) and values.dtype.kind in kinds and values.shape == shape
    _require(fits, f"{name} must be numbers in an array of shape {shape}")
    return np.asarray(values)


def _shape_fit(estimator: Any) -> tuple[int, int]:
    rows, features = estimator.shape_fit_
    told = (estimator.report_["rows"], estimator.report_["features"])
    _require((rows, features) == told, f"shape_fit_ differs from report_, which says {told}")
    _require(estimator.n_features_in_ == features, f"n_features_in_ must be {features}")
    return rows, features


def _kernel(estimator: Any) -> _core.Kernel:
    told = estimator.report_["kernel"]
    return _core.Kernel(
        told["name"], float(told.get("gamma", 1.0)), told.get("degree", 3),
        told.get("coef0", 0.0), told.get("beta", 0.5),
    )  # fmt: skip


def _vectors(estimator: Any, wanted: tuple[int, int]) -> Any:
    vectors = estimator.support_vectors_
    if sp.issparse(vectors):
        check_csr(vectors)
    else:
        _require(isinstance(vectors, np.ndarray), "support_vectors_ must be an array or CSR")
    fits = vectors.shape == wanted and vectors.dtype.kind == "f"
    _require(fits, f"support_vectors_ must be numbers of shape {wanted}")
    return vectors


def _loaded(estimator: Any) -> _core.Classifier:
    try:
        model = _core.from_json(estimator.loaded_)
    except OSError as error:
        raise ValueError(f"a fitted attribute was changed: loaded_: {error}") from error
    labels = json.loads(estimator.loaded_)["classes"]
    _require(len(estimator.classes_) == len(labels), "classes_ must be the labels of loaded_")
    return with_rising_classes(model, labels)


def _models_of(estimator: Any) -> tuple[Any, Any]:
    """For prediction, and for verification: _core.Model, or _core.Classifier of many classes."""
    report = estimator.report_
    distinct = np.unique(estimator.classes_)
    n_classes = len(distinct)
    _require(n_classes >= 2 and np.array_equal(distinct, estimator.classes_),
             "classes_ must be labels in order")  # fmt: skip
    count = np.size(estimator.support_)
    support = _numbers(estimator, "support_", "iu", (count,))
    rows, features = _shape_fit(estimator)
    precomputed = report["kernel"]["name"] == "precomputed"
    by_callable = precomputed and callable(estimator.kernel)
    vectors = _vectors(estimator, (0, 0) if precomputed and not by_callable else (count, features))
    if precomputed:
        vectors = np.empty((count, 0))
    make = _two_classes if n_classes == 2 else _many_classes
    model = make(estimator, n_classes, count)

    def of(order: NDArray[Any], of_rows: NDArray[Any], features: int, rows: int) -> Any:
        return model(
            order,
            kernel=_kernel(estimator),
            loss=report["loss"],
            C=report["C"],
            class_weight=_numbers(estimator, "class_weight_", "f", (n_classes,)).tolist(),
            support=core_rows(vectors[order]),
            rows=of_rows.astype(np.int64),
            features=features,
            training_rows=rows,
        )

    order = np.argsort(support)  # by rising row, as the command line has them
    training = of(order, support[order], rows if precomputed else features, rows)
    told = training.kernel
    _require(told == report["kernel"], f"the kernel of report_ must be {told}")
    if not by_callable:
        return training, training
    every = np.arange(count)
    return of(every, every, max(count, 1), max(count, 1)), training


def _two_classes(estimator: Any, n_classes: int, count: int) -> Callable[..., Any]:
    coefficients = _numbers(estimator, "dual_coef_", "f", (1, count))[0]
    intercept = _numbers(estimator, "intercept_", "f", (1,))[0]

    def model(order: NDArray[Any], **common: Any) -> _core.Model:
        return _core.Model(
            coefficients=np.ascontiguousarray(coefficients[order], dtype=np.float64),
            bias=float(intercept),
            **common,
        )

    return model


def _many_classes(estimator: Any, n_classes: int, count: int) -> Callable[..., Any]:
    scheme = estimator.multi_class
    n_pairs = n_classes if scheme == "ovr" else n_classes * (n_classes - 1) // 2
    height = n_classes if scheme == "ovr" else n_classes - 1
    dual = _numbers(estimator, "dual_coef_", "f", (height, count))
    intercept = _numbers(estimator, "intercept_", "f", (n_pairs,))
    n_support = _numbers(estimator, "n_support_", "iu", (n_classes,))
    _require(int(n_support.min()) >= 0 and int(n_support.sum()) == count,
             "n_support_ must add up to the support vectors")  # fmt: skip
    places, coefficients = pairs_from_layout(dual, n_support, scheme)
    biases = intercept if scheme == "ovr" else -intercept

    def model(order: NDArray[Any], **common: Any) -> _core.Classifier:
        place = np.empty(count, np.int64)  # of each column of dual_coef_ in that order
        place[order] = np.arange(count)
        rising = [np.argsort(place[columns]) for columns in places]
        return _core.Classifier(
            scheme=scheme,
            places=[place[columns][by] for columns, by in zip(places, rising, strict=True)],
            coefficients=[values[by] for values, by in zip(coefficients, rising, strict=True)],
            biases=np.ascontiguousarray(biases, dtype=np.float64),
            **common,
        )

    return model

"""Model files and exports: labels as text, and estimators from what a file holds."""

import json
from itertools import chain
from os import PathLike
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hinge0 import _core
from hinge0._classes import pairs_of

Path = str | PathLike[str]


def _text_of(label: Any) -> str:
    """A label as the command line writes it."""
    if isinstance(label, float):
        return str(int(label)) if label.is_integer() else repr(label)
    return str(label)


def with_labels(model: Any, estimator: Any) -> _core.Classifier:
    """What files hold beyond the model that predicts."""
    report = estimator.report_
    pairs = report.get("pairs", [report])
    return _core.completed(
        model,
        [_text_of(label) for label in estimator.classes_.tolist()],
        [pair["status"] for pair in pairs],
        [pair["objective"] or 0.0 for pair in pairs],  # None: of another program, and so in files
    )


def with_rising_classes(model: _core.Classifier, labels: list[str]) -> _core.Classifier:
    """As of a fit, and as scikit-learn's scorers expect them. In a file "rest" is the first, and
    LIBSVM numbers classes as they appear in its data.
    """
    order = np.argsort(_labels(labels), kind="stable")
    return _core.with_classes_in_order(model, order.tolist())


def _labels(texts: list[str]) -> NDArray[Any]:
    """Integers if all of them are, else numbers if all are, else text."""
    for kind in (np.int64, np.float64):
        try:
            numbers = np.array([kind(text) for text in texts])
        except (ValueError, OverflowError):
            continue
        if [_text_of(number) for number in numbers.tolist()] == texts:
            return numbers
    return np.array(texts)


def _support_vectors(told: dict[str, Any], features: int) -> Any:
    values = told["values"]
    if told["storage"] == "dense":
        return np.array(values, dtype=np.float64).reshape(len(values), -1)
    starts = np.cumsum([0, *map(len, values)])
    flat = np.array(list(chain(*values)), dtype=np.float64)
    columns = np.array(list(chain(*told["indices"])), dtype=np.int32)
    return sp.csr_matrix((flat, columns, starts), shape=(len(values), features))


def _report(told: dict[str, Any], labels: list[Any]) -> dict[str, Any]:
    """What a file tells of the report of the fit."""
    classes = pairs_of(len(labels), told["multi_class"]) if len(labels) > 2 else [(0, 1)]
    pairs = [
        {
            "classes": ["rest" if low < 0 else labels[low], labels[high]],
            "status": pair["status"],
            "objective": pair["objective"] if told["training_rows"] > 0 else None,
            "bias": pair["bias"],
            "support_vectors": len(pair["support"]),
        }
        for (low, high), pair in zip(classes, told["pairs"], strict=True)
    ]
    trained_here = told["training_rows"] > 0
    unfinished = [pair["status"] for pair in pairs if pair["status"] != "converged"]
    calibration = told["pairs"][0]["calibration"]
    return {
        "status": unfinished[0] if unfinished else "converged",
        "objective": sum(pair["objective"] for pair in pairs) if trained_here else None,
        "support_vectors": len(told["support_vectors"]["rows"]),
        "rows": told["training_rows"] if trained_here else None,
        "features": told["features"],
        "C": told["C"] if trained_here else None,
        "loss": told["loss"],
        "kernel": told["kernel"],
        "classes": labels,
        "standardized": told["scaling"] is not None,
        "calibration": "none" if calibration is None else calibration["name"],
        "pairs": pairs,
        "version": _core.version,
    }


def parameters_and_attributes(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Of the L0SVC that a model file stands for."""
    model = _core.load(path)
    text = _core.to_json(model)
    told = json.loads(_core.to_json(with_rising_classes(model, json.loads(text)["classes"])))
    kernel = dict(told["kernel"])
    kernel.pop("dimension", None)
    parameters = {
        "C": float(told["C"]),
        "loss": told["loss"],
        "multi_class": told["multi_class"],
        "kernel": kernel.pop("name"),
        **kernel,
    }
    classes = _labels(told["classes"])
    report = _report(told, classes.tolist())
    biases = np.array([pair["bias"] for pair in report["pairs"]], dtype=np.float64)
    as_svc = len(classes) > 2 and told["multi_class"] == "ovo"
    support = told["support_vectors"]
    attributes = {
        "loaded_": text,
        "classes_": classes,
        "class_weight_": np.array(told["class_weight"], dtype=np.float64),
        "n_features_in_": told["features"],
        "shape_fit_": (told["training_rows"], told["features"]),
        "support_": np.array(support["rows"], dtype=np.int64),
        "support_vectors_": _support_vectors(support, told["features"]),
        "intercept_": -biases if as_svc else biases,
        "report_": report,
        "fit_status_": int(report["status"] != "converged"),
    }
    return parameters, attributes

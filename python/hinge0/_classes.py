"""Many classes in SVC's layout, and back."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinge0._inputs import Codes


def pairs_of(n_classes: int, multi_class: str) -> list[tuple[int, int]]:
    """The classes of every pair, in the library's order; -1 is the rest."""
    if multi_class == "ovr":
        return [(-1, k) for k in range(n_classes)]
    return list(combinations(range(n_classes), 2))


def dual_layout(
    result: dict[str, Any], codes: Codes, n_classes: int, multi_class: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """dual_coef_ and intercept_.

    One vs one: as SVC has them. A support vector of class i has its coefficient against class j in
    row j - 1 if j > i, else in row j, and above 0 a pair's value speaks for its first class. One vs
    rest: a row for each class.
    """
    rows = result["rows"]
    order = np.argsort(codes[rows], kind="stable")
    column = np.empty(len(rows), np.int64)
    column[order] = np.arange(len(rows))
    height = n_classes if multi_class == "ovr" else n_classes - 1
    dual = np.zeros((height, len(rows)))
    sizes = [len(places) for places in result["places"]]
    low, high = np.repeat(np.array(pairs_of(n_classes, multi_class)), sizes, axis=0).T
    places, values = np.concatenate(result["places"]), np.concatenate(result["coefficients"])
    if multi_class == "ovr":
        dual[high, column[places]] = values
        return dual, result["biases"]
    of = codes[rows[places]]
    dual[np.where(of == low, high - 1, low), column[places]] = -values
    return dual, -result["biases"]


def pairs_from_layout(
    dual: NDArray[np.float64], n_support: NDArray[np.integer[Any]], multi_class: str
) -> tuple[list[NDArray[np.int64]], list[NDArray[np.float64]]]:
    """Columns of dual_coef_ and coefficients of every pair, for the library."""
    of = np.repeat(np.arange(len(n_support)), n_support)
    places, coefficients = [], []
    for low, high in pairs_of(len(n_support), multi_class):
        if low < 0:
            values = dual[high]
        else:
            values = np.where(of == low, -dual[high - 1], np.where(of == high, -dual[low], 0.0))
        used = np.flatnonzero(values)
        places.append(used.astype(np.int64))
        coefficients.append(np.ascontiguousarray(values[used], dtype=np.float64))
    return places, coefficients


def pair_reports(
    result: dict[str, Any], classes: NDArray[Any], multi_class: str
) -> list[dict[str, Any]]:
    """The report of every pair, with the labels that it is about."""
    labels = classes.tolist()
    pairs = pairs_of(len(labels), multi_class)
    return [
        {"classes": ["rest" if low < 0 else labels[low], labels[high]], **report}
        for (low, high), report in zip(pairs, result["pairs"], strict=True)
    ]


def verification(found: list[dict[str, Any]], report: dict[str, Any]) -> dict[str, Any]:
    """What `verify` says of all pairs together, and of each."""
    claimed = [pair["objective"] for pair in report["pairs"]]
    agrees = all(
        abs(one["objective"] - said) <= 1e-6 * (1 + abs(said))
        for one, said in zip(found, claimed, strict=True)
    )
    return {
        "local_minimum": all(one["local_minimum"] for one in found),
        "objective": sum(one["objective"] for one in found),
        "objective_agrees": agrees,
        "violators": sum(one["violators"] for one in found),
        "support_vectors": report["support_vectors"],
        "pairs": [
            {"classes": pair["classes"], **one}
            for pair, one in zip(report["pairs"], found, strict=True)
        ],
    }

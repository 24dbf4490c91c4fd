"""The table cv_results_, with the columns of scikit-learn's GridSearchCV."""

from typing import Any

import numpy as np
from numpy.ma import MaskedArray
from numpy.typing import NDArray
from scipy.stats import rankdata

Table = NDArray[np.float64]


def _mean_and_deviation(table: Table) -> tuple[Table, Table]:
    """Of every row, over what is known of it; NaN where nothing is."""
    known = ~np.isnan(table)
    count = np.where(known.any(axis=1), known.sum(axis=1), np.nan)
    mean = np.where(known, table, 0).sum(axis=1) / count
    squares = np.where(known, (table - mean[:, None]) ** 2, 0).sum(axis=1)
    return mean, np.sqrt(squares / count)


def _ranks(mean_scores: Table) -> NDArray[np.int32]:
    """1 for the highest; cells without a score share the last rank."""
    worst = np.nanmin(mean_scores) - 1
    known = np.where(np.isnan(mean_scores), worst, mean_scores)
    return np.asarray(rankdata(-known, method="min"), dtype=np.int32)


def cv_results(
    cells: list[dict[str, Any]],
    scores: Table,
    fit_seconds: Table,
    ranked: dict[str, Any],
    rule: str,
) -> dict[str, Any]:
    """`ranked` is what the library made of the scores."""
    mean_time, deviation_of_time = _mean_and_deviation(fit_seconds)
    results: dict[str, Any] = {
        "mean_fit_time": mean_time,
        "std_fit_time": deviation_of_time,
        "mean_score_time": np.zeros(len(cells)),
        "std_score_time": np.zeros(len(cells)),
    }
    for name in dict.fromkeys(name for cell in cells for name in cell):
        known = [name in cell for cell in cells]  # not every kernel has a gamma
        any_value = next(cell[name] for cell in cells if name in cell)
        values = [cell.get(name, any_value) for cell in cells]
        results[f"param_{name}"] = MaskedArray(values, mask=np.logical_not(known))
    results["params"] = cells
    for s in range(scores.shape[1]):
        results[f"split{s}_test_score"] = scores[:, s]
    results["mean_test_score"] = ranked["mean_scores"]
    results["std_test_score"] = _mean_and_deviation(scores)[1]
    results["rank_test_score"] = _ranks(ranked["mean_scores"])
    results["mean_support_vectors"] = ranked["mean_support_vectors"]
    if rule != "best":
        results["merit"] = ranked["merits"]
    return results

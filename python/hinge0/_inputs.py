"""Checks of what a user hands to L0SVC, with scikit-learn's wording."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight

DTYPES = [np.float64, np.float32]
Weights = NDArray[np.float64]
Signs = NDArray[np.int8]
Codes = NDArray[np.int64]


def checked_weight(sample_weight: Any, X: Any) -> Weights | None:
    """The sample weights as an array, none of them negative and not all of them zero."""
    if sample_weight is None:
        return None
    weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if (weight < 0).any():
        raise ValueError("Negative values in sample_weight: a weight is a price, from 0.")
    if not (weight > 0).any():
        raise ValueError("All values of sample_weight are zero: no sample is left.")
    return np.ascontiguousarray(weight)


def classes_and_codes(y: Any, weight: Weights | None) -> tuple[NDArray[Any], Codes]:
    """The labels, and for every sample the number of its label."""
    check_classification_targets(y)
    classes, code = np.unique(y, return_inverse=True)
    present = np.unique(code if weight is None else code[weight > 0])
    where = " among the samples with positive weight" if len(present) < len(classes) else ""
    if len(present) < 2:
        raise ValueError(f"L0SVC needs samples of two classes, but there is only 1 class{where}.")
    if where:
        missing = np.setdiff1d(np.arange(len(classes)), present)
        raise ValueError(f"There is no sample of class {classes[missing].tolist()[0]!r}{where}.")
    return classes, code.astype(np.int64)


def signs_of(codes: Codes) -> Signs:
    """Of two classes: -1 and +1."""
    return np.where(codes == 1, 1, -1).astype(np.int8)


def class_weights(
    wanted: Any, classes: NDArray[Any], y: Any, codes: Codes, weight: Weights | None
) -> Weights:
    """The multipliers of C for the classes.

    "balanced" counts the sample weights, unlike scikit-learn's, which counts rows: a sample of
    weight 2 is the sample twice.
    """
    if wanted is None:
        return np.ones(len(classes))
    if wanted != "balanced":
        return np.asarray(compute_class_weight(wanted, classes=classes, y=y), dtype=np.float64)
    counts = np.ones(len(codes)) if weight is None else weight
    of_class = np.bincount(codes, weights=counts, minlength=len(classes))
    return np.asarray(counts.sum() / (len(classes) * of_class), dtype=np.float64)


def kernel_rows(kernel: Any, X: Any, Z: Any) -> Any:
    """The kernel matrix between X and Z if the kernel is a callable, else X itself."""
    if not callable(kernel):
        return X
    K = check_array(kernel(X, Z), accept_sparse="csr", dtype=DTYPES)
    wanted = (X.shape[0], Z.shape[0])
    if K.shape != wanted:
        raise ValueError(f"The kernel returned a matrix of shape {K.shape} instead of {wanted}.")
    return K

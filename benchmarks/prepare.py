"""Data for the benchmarks: finds sets in $HINGE0_DATA, writes plain LIBSVM files to work on."""

import bz2
import gzip
import lzma
import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import IO

import numpy as np
from scipy.sparse import vstack
from sklearn.datasets import dump_svmlight_file, load_svmlight_file, make_classification
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

OPENERS = {".xz": lzma.open, ".bz2": bz2.open, ".gz": gzip.open}


class MissingDataError(Exception):
    """A data set that no folder of $HINGE0_DATA holds."""


def open_set(name: str) -> IO[bytes]:
    """The bytes of a data set, looked up as hinge0 does."""
    for folder in filter(None, os.environ.get("HINGE0_DATA", "").split(":")):
        for kind in ("", ".libsvm"):
            for packed in ("", *OPENERS):
                file = Path(folder) / (name + kind + packed)
                if file.is_file():
                    return OPENERS.get(packed, open)(file, "rb")
    raise MissingDataError(f"{name} is not in the folders of $HINGE0_DATA")


def unpack(name: str, target: Path, rows: int | None = None) -> Path:
    """Writes the set, or its first rows, as plain text."""
    with open_set(name) as source, target.open("wb") as out:
        out.writelines(islice(source, rows))
    return target


def write_lines(target: Path, lines: Iterable[str]) -> Path:
    target.write_text("".join(f"{line}\n" for line in lines))
    return target


def write_training_part(name: str, target: Path) -> Path:
    """The paper's protocol: standardise over all rows, then 60 % of them, random_state 5."""
    X, y = load_svmlight_file(unpack(name, target).open("rb"))
    X = StandardScaler().fit_transform(X.toarray())
    X, _, y, _ = train_test_split(X, y, test_size=0.4, random_state=5)
    rows = zip(y.tolist(), X.tolist(), strict=True)  # Python floats print all their digits
    return write_lines(
        target,
        (f"{label:g} " + " ".join(f"{j}:{v}" for j, v in enumerate(row, 1)) for label, row in rows),
    )


def write_arrays(name: str, target: Path, standardize: bool, seed: int) -> tuple[Path, int]:
    """Training and test rows for numpy.load; without a test file 30 % of the rows, by the seed."""
    with open_set(name) as source:
        X, y = load_svmlight_file(source)
    try:
        with open_set(f"{name}.t") as source:
            X_test, y_test = load_svmlight_file(source, n_features=X.shape[1])
    except MissingDataError:
        X, X_test, y, y_test = train_test_split(X, y, test_size=0.3, random_state=seed)
    if standardize:
        scaler = StandardScaler().fit(X.toarray())
        X, X_test = scaler.transform(X.toarray()), scaler.transform(X_test.toarray())
        np.savez(target, X=X, y=y, X_test=X_test, y_test=y_test)
    else:
        rows = vstack([X, X_test], format="csr")
        np.savez(target, data=rows.data, indices=rows.indices, indptr=rows.indptr,
                 shape=rows.shape, y=y, y_test=y_test)  # fmt: skip
    return target, len(y)


def write_noisy_twenty(target: Path) -> Path:
    """5,000 rows with 20 features; one label in ten is wrong."""
    X, y = make_classification(5000, 20, n_informative=10, flip_y=0.2, random_state=0)
    dump_svmlight_file(X, 2 * y - 1, str(target), zero_based=False)
    return target


def write_start(rows: int, target: Path) -> Path:
    """First multipliers of Algorithm 1, one a line: uniform in [0, 1), as the paper's."""
    return write_lines(target, map(str, np.random.default_rng(5).uniform(size=rows).tolist()))

"""find_label_issues: what it finds, what it says, and that the command line says the same."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hinge0 import find_label_issues
from sklearn.datasets import load_iris, load_wine, make_moons
from sklearn.metrics import average_precision_score

COLUMNS = ["is_label_issue", "label_quality", "given_label", "predicted_label"]


def planted(X, y, share=0.1, seed=0):
    """Some labels become others."""
    random = np.random.RandomState(seed)
    wrong = random.rand(len(y)) < share
    classes = len(np.unique(y))
    return X, np.where(wrong, (y + random.randint(1, classes, len(y))) % classes, y), wrong


SETS = {
    "moons": planted(*make_moons(300, noise=0.15, random_state=0)),
    "iris": planted(*load_iris(return_X_y=True)),
    "wine": planted(*load_wine(return_X_y=True)),
}


@pytest.mark.parametrize("name", SETS)
def test_wrong_labels_are_found(name):
    X, y, wrong = SETS[name]
    table = find_label_issues(X, y)
    assert list(table.columns) == COLUMNS
    assert len(table) == len(y)
    assert average_precision_score(wrong, -table.label_quality) > 0.9
    issues = table.is_label_issue.to_numpy()
    assert wrong[issues].mean() > 0.85
    assert issues[wrong].mean() > 0.7
    assert table.label_quality.between(0, 1).all()
    assert (table.given_label == y).all()
    assert (table.predicted_label != table.given_label)[issues].all()
    assert (table.predicted_label == table.given_label).mean() > 0.8


def test_the_ranking_is_that_of_the_quality():
    X, y, _ = SETS["moons"]
    table = find_label_issues(X, y)
    for name in ("label_quality", "self_confidence"):
        ranked = find_label_issues(X, y, return_indices_ranked_by=name)
        assert set(ranked) == set(np.flatnonzero(table.is_label_issue))
        assert (np.diff(table.label_quality.to_numpy()[ranked]) >= 0).all()


def test_any_number_of_threads_and_any_kind_of_rows():
    X, y, _ = SETS["wine"]
    table = find_label_issues(X, y, n_jobs=1)
    for rows in (np.asfortranarray(X), sp.csr_matrix(X), pd.DataFrame(X), X.tolist()):
        pd.testing.assert_frame_equal(table, find_label_issues(rows, y, n_jobs=2))
    words = np.array(["c", "a", "b"])[y]
    named = find_label_issues(X, pd.Series(words))
    assert named.given_label.tolist() == words.tolist()
    assert named.is_label_issue.tolist() == table.is_label_issue.tolist()
    assert set(named.predicted_label) == {"a", "b", "c"}


def test_the_command_line_says_the_same(program, tmp_path):
    X, y, _ = SETS["iris"]
    pd.DataFrame(np.column_stack([y, X])).to_csv(tmp_path / "d.csv", index=False, header=False)
    command = [program, "suspects", "d.csv", "-o", "s.csv", "-q"]
    subprocess.run(command, cwd=tmp_path, check=True)
    exact = {"label_quality": float}  # old readers round
    told = pd.read_csv(tmp_path / "s.csv", converters=exact).sort_values("row")
    table = find_label_issues(X, y)
    for column in COLUMNS:
        assert told[column].tolist() == table[column].tolist()


def test_weights_and_scaling():
    X, y, wrong = SETS["moons"]
    table = find_label_issues(X, y, sample_weight=np.where(wrong, 0.0, 1.0))
    assert (table.predicted_label[wrong] != y[wrong]).mean() > 0.9
    stretched = X * [1.0, 1000.0]
    ranks = find_label_issues(stretched, y).label_quality
    np.testing.assert_allclose(ranks, find_label_issues(X, y).label_quality, rtol=1e-6)
    raw = find_label_issues(stretched, y, standardize=False).label_quality
    assert np.abs(raw - ranks).max() > 0.1


@pytest.mark.parametrize(
    ("X", "y", "options", "words"),
    [
        ([[0.0], [1.0], [2.0]], [0, 0, 1], {}, "Class 1 has a single row"),
        ([[0.0], [1.0]], ["a", "a"], {}, "only 1 class"),
        ([[0.0], [np.nan]], [0, 1], {}, "NaN"),
        ([[0.0]], [0], {}, "minimum of 2"),
        ([[0.0], [1.0]], [0.1, 0.7], {}, "continuous"),
        ([[0.0]] * 4, [0, 0, 1, 1], {"return_indices_ranked_by": "luck"}, "label_quality"),
        ([[0.0]] * 4, [0, 0, 1, 1], {"sample_weight": [1, 1]}, "sample_weight"),
    ],
)
def test_refusals(X, y, options, words):
    with pytest.raises(ValueError, match=words):
        find_label_issues(X, y, **options)


def test_limits():
    X, y, _ = SETS["moons"]
    with pytest.raises(MemoryError):
        find_label_issues(X, y, memory_limit=1000)
    with pytest.raises(RuntimeError, match="time limit"):
        find_label_issues(X, y, time_limit=1e-9)
    X, y = make_moons(1500, noise=0.3, random_state=0)  # takes longer than a question waits
    with pytest.raises(RuntimeError, match="interrupted"):
        find_label_issues(X, y, callback=lambda progress: True)

    def fail(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        find_label_issues(X, y, callback=fail)


def test_without_pandas(monkeypatch):
    X, y, _ = SETS["iris"]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"hinge0\[suspects\]"):
        find_label_issues(X, y)
    assert len(find_label_issues(X, y, return_indices_ranked_by="label_quality")) > 0

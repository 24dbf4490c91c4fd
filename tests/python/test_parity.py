"""The same data and settings give the same bits as the command line."""

import csv
import json
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import noisy
from hinge0 import L0SVC, L0SVCCV, __version__

pytestmark = pytest.mark.filterwarnings("ignore")  # what is compared need not be converged


class CommandLine:
    """hinge0 train on rows given as CSV (dense) or LIBSVM text (sparse)."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def train(self, X, y, *options, command="train"):
        self.data = self.folder / ("data.libsvm" if sp.issparse(X) else "data.csv")
        if sp.issparse(X):
            with self.data.open("w") as file:  # 17 digits, unlike dump_svmlight_file
                for label, row in zip(y, X, strict=True):
                    pairs = zip(row.indices + 1, row.data.tolist(), strict=True)
                    file.write(" ".join([str(label), *(f"{j}:{x!r}" for j, x in pairs)]) + "\n")
        else:
            with self.data.open("w", newline="") as file:
                rows = np.column_stack([y.astype(object), X.astype(object)]).tolist()
                head = ["label", *(f"f{j}" for j in range(X.shape[1]))]
                csv.writer(file).writerows([head, *rows])
        model = self.folder / "model"
        done = self.run(command, self.data, "-o", model, "--json", "-q", *options)
        self.report = json.loads(done)
        lines = model.read_text().splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith("storage")) + 1
        support = [line.split() for line in lines[first:-1]]
        self.rows = np.array([int(words[0]) - 1 for words in support])
        self.coefficients = np.array([float(words[1]) for words in support])
        return self

    def run(self, *words):
        done = subprocess.run(
            [self.program, *map(str, words)], capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 3), done.stderr
        return done.stdout

    def decision_values(self):
        out = self.run("predict", self.folder / "model", self.data, "--decision-values", "-q")
        return np.array([float(line) for line in out.splitlines()])


def assert_same_bits(model, theirs, X):
    order = np.argsort(model.support_)
    assert np.array_equal(model.support_[order], theirs.rows)
    assert np.array_equal(model.dual_coef_[0, order], theirs.coefficients)
    assert model.intercept_[0] == theirs.report["bias"]
    assert model.report_["objective"] == theirs.report["objective"]
    assert model.report_["kernel"] == theirs.report["kernel"]
    assert len(model.violators_) == theirs.report["violators"]
    assert np.array_equal(model.decision_function(X), theirs.decision_values())


@pytest.fixture
def command_line(program, tmp_path):
    return CommandLine(program, tmp_path)


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ({}, []),
        ({"gamma": "auto"}, ["--gamma", "auto"]),
        ({"gamma": 0.3, "n_starts": 3, "random_state": 7},
         ["--gamma", "0.3", "--starts", "3", "--seed", "7"]),
        ({"search": "full"}, ["--search", "full"]),
        ({"hinge_share": 1.0, "keep_margin": 0.0}, ["--hinge-share", "1", "--keep-margin", "0"]),
        ({"thin": 0.5}, ["--thin", "0.5"]),
        ({"kernel": "linear"}, ["--kernel", "linear"]),
        ({"kernel": "poly", "degree": 2, "coef0": 1.0, "gamma": 0.5},
         ["--kernel", "poly", "--degree", "2", "--coef0", "1", "--gamma", "0.5"]),
        ({"kernel": "exponential", "start": "admm", "max_iter": 50},
         ["--kernel", "exponential", "--start", "admm", "--max-iter", "50"]),
        ({"kernel": "imq", "beta": 1.5}, ["--kernel", "imq", "--beta", "1.5"]),
        ({"kernel": "wendland", "class_weight": {0: 3.0}},
         ["--kernel", "wendland", "--weight", "0=3"]),
        ({"kernel": "laplacian", "loss": "hinge", "tol": 1e-5},
         ["--kernel", "laplacian", "--loss", "hinge", "--tol", "1e-5"]),
        ({"solver": "admm", "sigma": 0.5, "iota": 1.2, "max_iter": 30},
         ["--solver", "admm", "--sigma", "0.5", "--iota", "1.2", "--max-iter", "30"]),
    ],
)  # fmt: skip
def test_dense_rows(command_line, data, settings, options):
    X, y = data
    theirs = command_line.train(X, y, "-C", "2", *options)
    assert_same_bits(L0SVC(C=2.0, **settings).fit(X, y), theirs, X)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows(command_line, data, index):
    X, y = data
    X = sp.csr_matrix(np.where(np.abs(X) < 0.4, 0, X))
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    theirs = command_line.train(X, y, "-C", "2")
    assert_same_bits(L0SVC(C=2.0).fit(X, y), theirs, X)


@pytest.mark.parametrize("loss", ["l0", "hinge"])
def test_repeated_rows(command_line, loss):
    X, y = noisy(60)
    X, y = np.repeat(X, 2, axis=0), np.repeat(y, 2)
    theirs = command_line.train(X, y, "-C", "2", "--loss", loss)
    assert_same_bits(L0SVC(C=2.0, loss=loss).fit(X, y), theirs, X)


def test_float32_and_words(command_line, data):
    X, y = data[0].astype(np.float32), np.array(["no", "yes"])[data[1]]
    theirs = command_line.train(X.astype(float), y, "-C", "2")
    model = L0SVC(C=2.0).fit(X, y)
    assert model.classes_.tolist() == theirs.report["classes"] == ["no", "yes"]
    assert_same_bits(model, theirs, X)


def test_precomputed_kernel(command_line):
    X, y = noisy(50)
    K = (1 + X @ X.T) ** 2
    K = (K + K.T) / 2
    theirs = command_line.train(K, y, "-C", "2", "--kernel", "precomputed")
    assert_same_bits(L0SVC(C=2.0, kernel="precomputed").fit(K, y), theirs, K)


def test_start_from_a_model(command_line, data, tmp_path):
    X, y = data
    first = L0SVC(C=0.5).fit(X, y)
    command_line.train(X, y, "-C", "0.5")
    start = (tmp_path / "model").rename(tmp_path / "start")
    theirs = command_line.train(X, y, "-C", "4", "--start", start)
    assert_same_bits(L0SVC(C=4.0, start=first).fit(X, y), theirs, X)


def test_report_and_trace_have_the_keys_of_the_command_line(command_line, data, tmp_path):
    X, y = data
    trace = tmp_path / "trace.csv"
    theirs = command_line.train(X, y, "-C", "2", "--trace", trace).report
    model = L0SVC(C=2.0).fit(X, y)
    assert set(theirs) - {"model"} == set(model.report_)
    for key in ("certificate", "seconds", "residuals"):
        assert set(theirs[key]) == set(model.report_[key])
    columns = trace.read_text().splitlines()[0].split(",")
    assert columns == list(model.trace_)
    lines = trace.read_text().splitlines()[1:]
    assert [float(line.split(",")[1]) for line in lines] == model.trace_["objective"].tolist()


def test_verify_agrees_with_the_command_line(command_line, data, tmp_path):
    X, y = data
    command_line.train(X, y, "-C", "2")
    out = command_line.run("verify", tmp_path / "model", command_line.data, "--json", "-q")
    theirs = json.loads(out)
    ours = L0SVC(C=2.0).fit(X, y).verify(X, y)
    assert ours["local_minimum"] is True
    assert {key: theirs[key] for key in ours} == ours


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ({}, []),
        ({"rule": "best", "race": False, "n_repeats": 2, "random_state": 7},
         ["--rule", "best", "--no-race", "--repeats", "2", "--seed", "7"]),
        ({"rule": "1se", "scoring": "roc_auc", "kernel": "linear", "cv": 3},
         ["--rule", "1se", "--metric", "auc", "--kernel", "linear", "--folds", "3"]),
        ({"scoring": "neg_brier_score", "keep_margin": 0.8},
         ["--metric", "brier", "--keep-margin", "0.8"]),
    ],
)  # fmt: skip
def test_tune(command_line, data, settings, options):
    X, y = data
    model = L0SVCCV(**settings).fit(X, y)
    theirs = command_line.train(X, y, *options, command="tune")
    assert_same_bits(model.best_estimator_, theirs, X)
    best, grid = theirs.report["best"], theirs.report["grid"]
    assert model.best_params_ == {name: best[name] for name in model.best_params_}
    assert model.best_score_ == best["score"]
    assert model.cv_results_["mean_test_score"].tolist() == [cell["score"] for cell in grid]
    few = command_line.train(X, y, "--max-support-vectors", "12", *options, command="tune")
    model.set_params(max_support_vectors=12).fit(X, y)
    assert_same_bits(model.best_estimator_, few, X)


def test_version_is_that_of_the_program(program):
    done = subprocess.run([program, "info"], capture_output=True, text=True, check=True)
    assert __version__ in done.stdout + done.stderr

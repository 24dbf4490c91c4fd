"""Exports, model files, and the probabilities of calibrated models, beside the command line."""

import pickle
import subprocess
from importlib.util import find_spec

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from hinge0 import L0SVC, L0SVCCV
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import get_scorer

# The newest environment has onnxruntime, the oldest does not.
NEWEST = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 6)
needs_onnx = pytest.mark.skipif(not NEWEST and find_spec("onnxruntime") is None,
                                reason="the oldest environment has no onnxruntime")  # fmt: skip
ROWS = 10_000


def rows(classes, count, seed):
    """Samples that float holds, so that hinge0 and ONNX see the same."""
    X, y = make_blobs(count, centers=np.random.default_rng(3).uniform(-6, 6, (classes, 3)),
                      cluster_std=2.0, random_state=seed)  # fmt: skip
    return X.astype(np.float32).astype(np.float64), y


def write_csv(path, X, y):
    lines = (f"{label}," + ",".join(map(repr, row)) + "\n" for label, row in
             zip(y, X.tolist(), strict=True))  # fmt: skip
    path.write_text("".join(lines))
    return str(path)


@pytest.fixture
def run(program, tmp_path):
    def run(*arguments):
        done = subprocess.run([program, *map(str, arguments), "-q"], cwd=tmp_path, text=True,
                              capture_output=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def table(text):
    return np.array([line.split() for line in text.splitlines()], dtype=np.float64)


def evaluate(path, X):
    """All outputs of an ONNX model, by name."""
    import onnx
    import onnxruntime

    onnx.checker.check_model(onnx.load(path), full_check=True)
    session = onnxruntime.InferenceSession(path)
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, {"X": X.astype(np.float32)}), strict=True))


KERNELS = ["linear", "rbf", "poly", "laplacian", "exponential", "imq", "wendland"]
OPTIONS = [
    *(["--kernel", kernel, "--gamma", "0.05"] for kernel in KERNELS),
    ["--standardize", "--multi-class", "ovr"],
    *(["--standardize", "--calibrate", kind, "--multi-class", scheme]
      for kind in ("sigmoid", "isotonic") for scheme in ("ovo", "ovr")),
]  # fmt: skip


@needs_onnx
@pytest.mark.parametrize("classes", [2, 5])
def test_onnx_is_the_command_line(run, tmp_path, classes):
    train = write_csv(tmp_path / "d.csv", *rows(classes, 250, 0))
    X, y = rows(classes, ROWS, 1)
    test = write_csv(tmp_path / "t.csv", X, y)
    for options in OPTIONS:
        run("train", train, "-o", "m", *options)
        run("export", "m", "--to", "onnx", "-o", "m.onnx")
        found = evaluate(tmp_path / "m.onnx", X)
        assert found["label"].dtype == np.int64
        assert found["label"].tolist() == [int(x) for x in run("predict", "m", test).split()]
        expected = table(run("predict", "m", test, "--decision-values"))
        np.testing.assert_allclose(found["scores"], expected, rtol=0, atol=1e-10)
        if "--calibrate" in options:
            told = run("predict", "m", test, "--probabilities").split("\n", 1)[1]
            np.testing.assert_allclose(found["probabilities"], table(told)[:, 1:], atol=1e-10)
        else:
            assert "probabilities" not in found


@needs_onnx
def test_onnx_of_words_of_constants_and_of_equal_votes(tmp_path):
    X, y = rows(3, 90, 0)
    words = np.array(["cat", "dog", "k\u00e4fer"])[y]
    for search in (L0SVC(), L0SVCCV({"C": [1.0, 4.0]}, cv=2)):
        model = search.fit(X, words)
        model.export(tmp_path / "m.onnx", to="onnx")
        found = evaluate(tmp_path / "m.onnx", X)
        assert found["label"].tolist() == model.predict(X).tolist()
    with pytest.warns(UserWarning, match="constant"):
        constant = L0SVC(class_weight={0: 1.0, 1: 1e6}).fit(X, (y > 0).astype(int))
    constant.export(tmp_path / "m.onnx", to="onnx")
    found = evaluate(tmp_path / "m.onnx", X)
    assert (found["label"] == constant.predict(X)).all()
    assert (found["scores"][:, 0] == constant.decision_function(X)).all()
    angles = np.arange(3) * 2 * np.pi / 3
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    circular = L0SVC(kernel="linear", loss="hinge", C=100.0).fit(corners, [0, 1, 2])
    circular.intercept_ = np.array([2.0, -2.0, 2.0])  # 0 beats 1, 1 beats 2, 2 beats 0
    circular.dual_coef_ = 1e-9 * circular.dual_coef_
    circular.export(tmp_path / "m.onnx", to="onnx")
    found = evaluate(tmp_path / "m.onnx", corners)
    assert found["label"].tolist() == circular.predict(corners).tolist() == [0, 0, 0]


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("kind", ["sigmoid", "isotonic"])
def test_calibration_survives_loading_and_saving(run, tmp_path, classes, kind):
    X, y = rows(classes, 200, 0)
    train = write_csv(tmp_path / "d.csv", X, y)
    for scheme in ("ovo", "ovr"):
        options = ["--calibrate", kind, "--multi-class", scheme, "--standardize"]
        run("train", train, *options, "-o", "m")
        model = L0SVC.load(tmp_path / "m")
        told = table(run("predict", "m", train, "--probabilities").split("\n", 1)[1])
        assert np.array_equal(model.predict_proba(X), told[:, 1:])
        assert np.array_equal(model.predict(X), told[:, 0])
        h = model.decision_function(X)
        assert h.shape == ((len(X),) if classes == 2 else (len(X), classes))
        again = pickle.loads(pickle.dumps(model))
        assert np.array_equal(again.predict_proba(X), told[:, 1:])
        again.save(tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()
        assert model.verify(X, y)["local_minimum"] and model.verify(X, y)["objective_agrees"]
        assert not hasattr(clone(model), "predict_proba")
        assert not hasattr(model.fit(X, y), "predict_proba")
        assert not hasattr(model, "loaded_")


def test_probabilities_are_told_where_to_get(data):
    model = L0SVC().fit(*data)
    with pytest.raises(AttributeError, match="predict_proba"):
        model.predict_proba(data[0])
    assert not hasattr(L0SVC(), "predict_proba")
    assert not hasattr(L0SVCCV(), "predict_proba")


@pytest.mark.parametrize(
    ("labels", "kind"), [([0, 1], "i"), ([-2.0, 3.0], "i"), (["no", "yes please"], "U"),
                         ([False, True], "U")],
)  # fmt: skip
def test_saved_models_are_those_of_the_command_line(run, tmp_path, data, labels, kind):
    X, y = data
    names = np.array(labels)[y]
    told = [str(name) for name in names.tolist()]
    file = write_csv(tmp_path / "d.csv", X, told)
    for kernel in ("rbf", "wendland", "poly", "imq"):
        run("train", file, "--kernel", kernel, "-o", "m")
        model = L0SVC(kernel=kernel).fit(X, names)
        model.save(tmp_path / "ours")
        assert (tmp_path / "ours").read_bytes() == (tmp_path / "m").read_bytes()
        loaded = L0SVC.load(tmp_path / "m")
        assert np.array_equal(loaded.decision_function(X), model.decision_function(X))
        assert loaded.kernel == kernel and loaded.C == 4.0
        assert np.array_equal(np.sort(model.support_), loaded.support_)
        ours, theirs = (m.predict(X) == m.classes_[1] for m in (loaded, model))
        assert np.array_equal(ours, theirs)
    assert loaded.classes_.dtype.kind == kind


def test_labels_that_scikit_learn_would_not_take(run, tmp_path, data):
    file = write_csv(tmp_path / "d.csv", data[0], np.array([-1.5, 2.0])[data[1]])
    run("train", file, "-o", "m")
    assert L0SVC.load(tmp_path / "m").classes_.tolist() == [-1.5, 2.0]


def test_one_class_against_the_rest_of_the_command_line(run, tmp_path, data):
    """In files the first class is "rest"; here classes rise, as scikit-learn's scorers expect, and
    a model that is saved again is the same.
    """
    X, y = rows(3, 120, 0)
    file = write_csv(tmp_path / "d.csv", X, y)
    run("train", file, "--positive", "1", "-o", "m")
    model = L0SVC.load(tmp_path / "m")
    assert model.classes_.tolist() == ["1", "rest"]
    model.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()
    told = table(run("predict", "m", file, "--decision-values"))[:, 0]
    assert np.array_equal(model.decision_function(X), -told)
    truth = np.where(y == 1, "1", "rest")
    assert get_scorer("roc_auc")(model, X, truth) > 0.8
    assert model.verify(X, truth)["local_minimum"]


def test_many_classes_saved_and_loaded(run, tmp_path):
    X, y = rows(4, 120, 0)
    for options in ({}, {"multi_class": "ovr"}, {"kernel": "linear"}):
        for form in (X, sp.csr_matrix(X)):
            model = L0SVC(**options).fit(form, y)
            model.save(tmp_path / "m")
            again = L0SVC.load(tmp_path / "m")
            assert np.array_equal(again.decision_function(form), model.decision_function(form))
            assert np.array_equal(again.predict(form), model.predict(form))
            np.testing.assert_array_equal(again.intercept_, model.intercept_)
            assert again.verify(form, y)["objective_agrees"]
            model.export(tmp_path / "m.json")
            run("import", "m.json", "-o", "back")
            assert (tmp_path / "back").read_bytes() == (tmp_path / "m").read_bytes()
    K = X @ X.T
    given = L0SVC(kernel="precomputed").fit(K, y)
    given.save(tmp_path / "m")
    assert np.array_equal(L0SVC.load(tmp_path / "m").predict(K), given.predict(K))


def test_other_exports(run, tmp_path):
    X, y = rows(3, 120, 0)
    model = L0SVCCV({"C": [1.0, 4.0]}, cv=3).fit(X, y)
    model.save(tmp_path / "m")
    for to, options, flags in [
        ("libsvm", {}, ()),
        ("c", {"name": "heart", "single": True}, ("--name", "heart", "--float")),
        ("onnx", {}, ()),
        ("json", {}, ()),
    ]:
        model.export(tmp_path / "ours", to=to, **options)
        run("export", "m", "--to", to, *flags, "-o", "theirs")
        assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()
    file = write_csv(tmp_path / "d.csv", X, y)
    run("train", file, "--standardize", "-o", "m")
    L0SVC.load(tmp_path / "m").export(tmp_path / "svm", to="libsvm")
    assert (tmp_path / "svm.range").exists()
    run("import", "svm", "-o", "back")  # classes in LIBSVM's order, support vectors sparse
    imported = L0SVC.load(tmp_path / "back")
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    assert (imported.predict(scaled) == L0SVC.load(tmp_path / "m").predict(X)).mean() > 0.99


def test_models_of_another_program(run, tmp_path):
    """Classes of a LIBSVM file are in any order; here they rise, as those of a fit do."""
    X, y = rows(3, 120, 0)
    L0SVC(gamma=0.1, loss="hinge").fit(X, y).export(tmp_path / "svm", to="libsvm")
    text = (tmp_path / "svm").read_text()
    (tmp_path / "svm").write_text(text.replace("label 0 1 2", "label 7 -3 2"))
    run("import", "svm", "-o", "m")
    model = L0SVC.load(tmp_path / "m")
    assert model.classes_.tolist() == [-3, 2, 7]
    assert model.report_["rows"] is model.report_["C"] is model.report_["objective"] is None
    y = np.array([7, -3, 2])[y]
    file = write_csv(tmp_path / "d.csv", X, y)
    assert model.predict(X).tolist() == [int(x) for x in run("predict", "m", file).split()]
    with pytest.raises(ValueError, match="trained by another program"):
        model.verify(X, y)
    model.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()
    again = L0SVC.load(tmp_path / "again")
    assert np.array_equal(again.decision_function(X), model.decision_function(X))


def test_errors(tmp_path, data):
    X, y = data
    model = L0SVC().fit(X, y)
    file = tmp_path / "m"
    with pytest.raises(ValueError, match="libsvm, c, onnx or json, not to 'pmml'"):
        model.export(file, to="pmml")
    with pytest.raises(ValueError, match="no name in C"):
        model.export(file, to="c", name="a b")
    with pytest.raises(ValueError, match="no kernel laplacian"):
        L0SVC(kernel="laplacian").fit(X, y).export(file, to="libsvm")
    with pytest.raises(ValueError, match="callable"):
        L0SVC(kernel=lambda A, B: A @ B.T).fit(X, y).save(file)
    alike = L0SVC().fit(X, y)
    alike.classes_ = np.array([1, "1"], dtype=object)
    with pytest.raises((ValueError, TypeError)):
        alike.save(file)
    with pytest.raises(sklearn.exceptions.NotFittedError):
        L0SVC().save(file)
    with pytest.raises(OSError, match="cannot"):
        L0SVC().fit(X, y).save(tmp_path / "no" / "m")
    with pytest.raises(OSError, match="cannot open"):
        L0SVC.load(file)
    file.write_text("hello\n")
    with pytest.raises(OSError, match="not a hinge0 model"):
        L0SVC.load(file)
    assert not (tmp_path / "no").exists()


def test_a_changed_text_is_told(tmp_path, data):
    L0SVC().fit(*data).save(tmp_path / "m")
    model = L0SVC.load(tmp_path / "m")
    model.loaded_ = model.loaded_.replace('"rbf"', '"rbg"')
    with pytest.raises(ValueError, match="loaded_"):
        model.predict(data[0])
    model = L0SVC.load(tmp_path / "m")
    model.classes_ = np.array([1, 2, 3])
    with pytest.raises(ValueError, match="classes_"):
        model.predict(data[0])

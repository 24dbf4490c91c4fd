"""DaskL0SVC on real clusters of processes."""

import os
import pickle
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import DASK_WARNINGS, have_two_workers, kill_a_worker, wait_for_no_tasks
from hinge0 import L0SVC
from sklearn.base import clone

pytest.importorskip("distributed")
import dask.array as da
import distributed
from hinge0._cluster import Cluster
from hinge0.dask import DaskL0SVC

pytestmark = DASK_WARNINGS
ROWS = 1600
# Fewer rows than there are: the rows stay where they are.
SMALL = {"C": 2.0, "working_set": 400}


def start(workers: int) -> Any:
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0"
    )


def noisy(rows: int = ROWS, classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    y = np.digitize(X[:, 0] + X[:, 1] ** 2, np.linspace(0, 1.4, classes + 1)[1:-1])
    wrong = rng.random(rows) < 0.1
    return X, np.where(wrong, rng.integers(0, classes, rows), y)


def lazy(X: Any, y: Any, size: int = 400) -> tuple[Any, Any]:
    return da.from_array(X, chunks=(size, -1)), da.from_array(y, chunks=size)


def bits(model: DaskL0SVC) -> tuple[Any, ...]:
    parts = (model.support_, model.support_vectors_, model.dual_coef_, model.intercept_)
    return tuple(np.asarray(part).tobytes() for part in parts)


def test_the_certificate_is_that_of_all_rows(client: Any) -> None:
    X, y = noisy()
    weight = np.random.default_rng(1).integers(0, 3, ROWS).astype(float)
    for sample_weight in (None, weight):
        lazy_weight = None if sample_weight is None else da.from_array(weight, chunks=300)
        model = DaskL0SVC(**SMALL).fit(*lazy(X, y), lazy_weight)
        report = model.report_
        assert report["certificate"]["local_minimum"]
        assert report["cluster"]["partitions"] == 4
        assert report["cluster"]["rounds"] > 4
        found = model.to_local().verify(X, y, sample_weight)
        assert found["local_minimum"]
        assert found["objective_agrees"]
        assert found["violators"] == report["violators"]
        np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
        assert isinstance(model.to_local(), L0SVC)


def test_few_rows_are_fitted_as_l0svc_fits_them(client: Any) -> None:
    X, y = noisy(1500)
    model = DaskL0SVC(C=2.0).fit(*lazy(X, y, 400))
    local = L0SVC(C=2.0).fit(X, y)
    np.testing.assert_array_equal(model.support_, local.support_)
    np.testing.assert_array_equal(model.dual_coef_, local.dual_coef_)
    np.testing.assert_array_equal(model.to_local().violators_, local.violators_)
    assert model.report_["objective"] == local.report_["objective"]


def test_gamma_scale_is_that_of_all_rows(client: Any) -> None:
    X, y = noisy()
    X[: ROWS // 2] += 3
    model = DaskL0SVC(**SMALL).fit(*lazy(X, y))
    assert np.isclose(model.report_["kernel"]["gamma"], 1 / (3 * X.var()), rtol=1e-12)
    sparse = lazy(X, y)[0].map_blocks(sp.csr_matrix)
    other = DaskL0SVC(**SMALL).fit(sparse, lazy(X, y)[1])
    assert np.isclose(other.report_["kernel"]["gamma"], 1 / (3 * X.var()), rtol=1e-12)


def scale(client: Any, workers: int) -> None:
    client.cluster.scale(workers)
    end = time.monotonic() + 60
    while len(client.nthreads()) != workers and time.monotonic() < end:
        time.sleep(0.05)
    assert len(client.nthreads()) == workers


def test_the_same_bits_for_any_number_of_workers(client: Any) -> None:
    X, y = noisy()
    expected = bits(DaskL0SVC(**SMALL).fit(*lazy(X, y)))  # by two
    try:
        for workers in (4, 1):
            scale(client, workers)
            assert bits(DaskL0SVC(**SMALL).fit(*lazy(X, y))) == expected
    finally:
        scale(client, 2)


def _sent(dask_worker: Any) -> list[tuple[Any, dict[Any, int]]]:
    """To whom, and the bytes of every key; None is the client."""
    return [(sent["who"], dict(sent["keys"])) for sent in dask_worker.transfer_outgoing_log]


def test_no_partition_comes_to_the_client(client: Any) -> None:
    X, y = np.random.default_rng(0).normal(size=(40000, 3)), np.arange(40000) % 2
    X[:, 0] += 4 * y  # so far from each other that a small sample tells all
    before = [len(sent) for sent in client.run(_sent).values()]
    model = DaskL0SVC(**SMALL).fit(*lazy(X, y, 10000))
    told = model.report_["cluster"]
    sent: dict[str, int] = {}
    for known, of_worker in zip(before, client.run(_sent).values(), strict=True):
        for who, keys in of_worker[known:]:
            for key, size in keys.items() if who is None else ():
                name = key[0].split("-")[1]
                sent[name] = sent.get(name, 0) + size
    answers = {"sample", "rows", "kept", "score", "certify"}
    assert set(sent) == answers | {"look", "labels"}
    # What was counted is what came, and it is little of what is there.
    assert sum(sent[name] for name in answers) == told["bytes_received"]
    assert sum(sent.values()) < X.nbytes / 2


def test_a_question_takes_at_most_twice_what_it_needs(client: Any) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(48000, 3)), np.arange(48000) % 2
    X[:, 0] += 4 * y  # a sample tells what to keep, and leaves rows to be asked for
    y = np.where(rng.random(48000) < 0.05, 1 - y, y)
    model = DaskL0SVC(C=2.0, gamma=0.5, working_set=1000)
    told = model.fit(*lazy(X, y, 8000)).report_
    asked = told["cluster"]["questions"]
    assert {q["question"] for q in asked} == {"sample", "rows", "keep", "score", "certify"}
    for q in asked:
        assert q["bytes_sent"] + q["bytes_received"] <= 2 * q["bytes_needed"], q
    # Support vectors: three features and a coefficient.
    assert asked[-1]["bytes_needed"] == 4 * 8 * told["support_vectors"]
    assert told["cluster"]["bytes_needed"] == sum(q["bytes_needed"] for q in asked)


def test_a_killed_worker_changes_nothing(client: Any) -> None:
    X, y = noisy()
    expected = bits(DaskL0SVC(**SMALL).fit(*lazy(X, y)))
    for after in (0.05, 0.2):
        thread = kill_a_worker(client, after)
        assert bits(DaskL0SVC(**SMALL).fit(*lazy(X, y))) == expected
        thread.join()
        have_two_workers(client)


def test_without_workers_there_is_an_error() -> None:
    with start(0) as cluster, distributed.Client(cluster, set_as_default=False) as client:
        begin = time.monotonic()
        with pytest.raises(RuntimeError, match=r"no worker for 0\.5 seconds"):
            DaskL0SVC(client=client, worker_timeout=0.5).fit(*lazy(*noisy(100)))
        assert time.monotonic() < begin + 15


def test_many_classes(client: Any) -> None:
    X, y = noisy(1200, classes=3)
    labels = np.array(["a", "b", "c"])[y]
    for scheme in ("ovo", "ovr"):
        model = DaskL0SVC(**SMALL, multi_class=scheme, class_weight="balanced")
        model.fit(*lazy(X, labels))
        assert model.classes_.tolist() == ["a", "b", "c"]
        assert len(model.report_["pairs"]) == 3
        local = model.to_local()
        found = local.verify(X, labels)
        assert found["local_minimum"]
        assert found["objective_agrees"]
        assert np.isclose(model.report_["train_accuracy"], local.score(X, labels))
        values = model.decision_function(lazy(X, labels)[0])
        assert values.shape == (1200, 3)
        np.testing.assert_array_equal(values.compute(), local.decision_function(X))


@pytest.mark.parametrize(
    "kernel", ["linear", "poly", "exponential", "laplacian", "imq", "wendland"]
)
def test_every_kernel(client: Any, kernel: str) -> None:
    X, y = noisy(1200)
    gamma = 0.3 if kernel == "wendland" else "scale"
    model = DaskL0SVC(**SMALL, kernel=kernel, gamma=gamma, degree=2, coef0=1.0)
    model.fit(*lazy(X, y, 400))
    found = model.to_local().verify(X, y)
    assert found["objective_agrees"]
    assert found["local_minimum"]


def test_predictions_are_lazy(client: Any) -> None:
    X, y = noisy()
    dX, dy = lazy(X, y)
    model = DaskL0SVC(**SMALL).fit(dX, dy)
    local = model.to_local()
    labels, values = model.predict(dX), model.decision_function(dX)
    assert labels.chunks == dy.chunks
    assert labels.dtype == y.dtype
    np.testing.assert_array_equal(labels.compute(), local.predict(X))
    np.testing.assert_array_equal(values.compute(), local.decision_function(X))
    score = model.score(dX, dy)
    assert isinstance(score, da.Array)
    assert np.isclose(float(score.compute()), local.score(X, y))
    assert model.score(X, y) == local.score(X, y)
    np.testing.assert_array_equal(model.predict(X), local.predict(X))


def test_unknown_sizes_and_empty_partitions(client: Any) -> None:
    X, y = noisy()
    dX, dy = lazy(X, y)
    some = dy == 0  # the second of these has one class alone
    both = [da.concatenate([part[some], part[~some]]) for part in (dX, dy)]
    model = DaskL0SVC(**SMALL).fit(*both)
    assert model.shape_fit_ == (ROWS, 3)
    assert model.report_["certificate"]["local_minimum"]
    none = da.from_array(np.arange(ROWS) < 400, chunks=400)
    with_empty = DaskL0SVC(**SMALL).fit(dX[~none], dy[~none])
    assert with_empty.shape_fit_ == (ROWS - 400, 3)
    assert model.predict(dX[~none]).compute().shape == (ROWS - 400,)


def test_data_frames(client: Any) -> None:
    dd = pytest.importorskip("dask.dataframe")
    pd = pytest.importorskip("pandas")
    X, y = noisy()
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(label=y)
    lazy_frame = dd.from_pandas(frame, npartitions=3)
    names = ["a", "b", "c"]
    model = DaskL0SVC(**SMALL).fit(lazy_frame[names], lazy_frame["label"])
    assert model.feature_names_in_.tolist() == names
    assert model.n_features_in_ == 3
    labels = model.predict(lazy_frame[names]).compute()
    assert labels.index.equals(frame.index)
    np.testing.assert_array_equal(labels, model.to_local().predict(frame[names]))
    assert model.decision_function(lazy_frame[names]).compute().shape == (ROWS,)


def test_sparse_rows(client: Any) -> None:
    X, y = noisy()
    X[np.abs(X) < 0.5] = 0
    dX, dy = lazy(X, y)
    model = DaskL0SVC(**SMALL, gamma=0.5).fit(dX.map_blocks(sp.csr_matrix), dy)
    assert sp.issparse(model.support_vectors_)
    dense = DaskL0SVC(**SMALL, gamma=0.5).fit(dX, dy)
    assert np.isclose(model.report_["objective"], dense.report_["objective"])
    np.testing.assert_array_equal(model.support_, dense.support_)


@pytest.mark.parametrize("case", ["columns", "nan", "labels", "sizes", "class", "kernel", "numpy"])
def test_refusals(client: Any, case: str) -> None:
    X, y = noisy(3000)
    dX, dy = lazy(X, y, 1000)
    model, error, message = DaskL0SVC(**SMALL), ValueError, ""
    if case == "columns":
        dX, message = dX.rechunk((1000, 2)), r"X.rechunk\(\(1000, -1\)\)"
    elif case == "nan":
        X[1500, 1] = np.nan
        dX, message = da.from_array(X, chunks=(1000, -1)), "partition 1: Input contains NaN"
    elif case == "labels":
        dy, message = da.from_array(y[:-5], chunks=1000), "X has 3000 rows and y has 2995"
    elif case == "sizes":
        dX, dy = dX[dX[:, 0] > 0], dy[dy >= 0]
        message = r"partition \d: X has"
    elif case == "class":
        dy, message = da.zeros(3000, chunks=1000), "only 1 class"
    elif case == "kernel":
        model, message = DaskL0SVC(kernel="precomputed"), "kernel"
    else:
        dX, error, message = X, TypeError, "must be a dask array or data frame"
    with pytest.raises(error, match=message):
        model.fit(dX, dy)


def test_ctrl_c_ends_a_fit(client: Any) -> None:
    X, y = noisy(20000)
    timer = threading.Timer(0.6, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as kept:  # a traceback, and the futures in it
        for seed in range(100):
            DaskL0SVC(**SMALL, random_state=seed).fit(*lazy(X, y))
    timer.join()
    wait_for_no_tasks(client)
    assert kept.value is not None
    assert bits(DaskL0SVC(**SMALL).fit(*lazy(*noisy())))  # the cluster is fine


class _Interrupted:
    """Ctrl-C while it is thrown away: Python prints what that raises, and goes on."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_ctrl_c_in_a_finalizer_is_not_lost(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = signal.getsignal(signal.SIGINT)
    for question in ("keep", "certify"):  # after the last there is nothing to wait for
        ask = Cluster.ask
        told: list[str] = []

        def asked(cluster: Cluster, name: str, *given: Any) -> list[bytes]:
            answers = ask(cluster, name, *given)  # noqa: B023
            told.append(name)  # noqa: B023
            if name == question:  # noqa: B023
                _Interrupted()
            return answers

        with monkeypatch.context() as patch:
            patch.setattr(Cluster, "ask", asked)
            with pytest.raises(KeyboardInterrupt):
                DaskL0SVC(**SMALL).fit(*lazy(*noisy()))
        assert told[-1] == question
        assert signal.getsignal(signal.SIGINT) is usual


def test_it_can_be_cloned_pickled_and_told_to_speak(
    client: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    X, y = noisy()
    model = clone(DaskL0SVC(**SMALL, client=client, verbose=True)).fit(*lazy(X, y))
    assert "hinge0: keep: 4 partitions" in capsys.readouterr().err
    again = pickle.loads(pickle.dumps(model))
    assert again.client is None
    assert bits(again) == bits(model)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))

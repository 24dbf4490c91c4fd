"""Threads, processes, interrupts, progress."""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time

import numpy as np
import pytest
import sklearn
from conftest import noisy
from hinge0 import L0SVC, L0SVCCV
from joblib import Parallel, delayed, parallel_config
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV


def coefficients(X, y, **parameters):
    return L0SVC(C=2.0, **parameters).fit(X, y).dual_coef_


def test_bits_do_not_depend_on_threads(data):
    expected = coefficients(*data, n_jobs=1)
    for n_jobs in (2, 3, -1, None):
        assert np.array_equal(coefficients(*data, n_jobs=n_jobs), expected)


def test_two_fits_in_two_threads():
    sets = [noisy(400, seed=seed) for seed in range(2)]
    expected = [coefficients(*some) for some in sets]
    found = [None, None]

    def work(k):
        found[k] = coefficients(*sets[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(a, b) for a, b in zip(expected, found, strict=True))


def test_one_model_in_many_threads(data):
    """Its cached C++ model is replaced by one thread while others predict with it."""
    X, y = data
    model = pickle.loads(pickle.dumps(L0SVC(C=2.0).fit(X, y)))
    expected, wrong = model.decision_function(X), []

    def work():
        for _ in range(100):
            model.dual_coef_ = model.dual_coef_.copy()
            if not np.array_equal(model.decision_function(X), expected):
                wrong.append(threading.current_thread())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_gil_is_released(big):
    """Another thread of Python goes on counting while a fit runs."""
    count, over = 0, threading.Event()

    def work():
        with pytest.warns(ConvergenceWarning):
            L0SVC(n_starts=1000, time_limit=0.5, n_jobs=1).fit(*big)
        over.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not over.wait(0.01):
        count += 1
    thread.join()
    assert count > 10


def fit_in_child(queue, X, y):
    model = L0SVC(C=2.0, n_jobs=2).fit(X, y)
    queue.put((model.dual_coef_, model.verify(X, y)["local_minimum"], model.predict(X[:3])))


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_process_can_fit_after_its_parent_did(data, method):
    X, y = data
    model = L0SVC(C=2.0, n_jobs=2).fit(X, y)
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=fit_in_child, args=(queue, X, y), daemon=True)
    child.start()
    dual_coef, local_minimum, labels = queue.get(timeout=60)
    child.join()
    assert np.array_equal(dual_coef, model.dual_coef_)
    assert local_minimum
    assert np.array_equal(labels, model.predict(X[:3]))


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib(data, backend):
    expected = coefficients(*data)
    with parallel_config(backend, n_jobs=2):
        found = Parallel()(delayed(coefficients)(*data) for _ in range(3))
        assert all(np.array_equal(expected, some) for some in found)
        search = GridSearchCV(L0SVC(), {"C": [0.5, 2.0]}, cv=2).fit(*data)
    assert search.best_score_ > 0.7


@pytest.fixture
def interruptible():
    """Ctrl-C raises KeyboardInterrupt; a shell's background jobs are started with it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    "parameters",
    [{"n_starts": 1000}, {"solver": "admm", "max_iter": 10**6, "tol": 1e-300}, {"start": "admm",
     "max_iter": 10**6, "tol": 1e-300}],
)  # fmt: skip
def test_interrupt_is_quick_and_the_next_fit_works(big, data, parameters):
    late = []
    while len(late) < 3 and (not late or min(late) > 0.5):  # a busy machine may miss once
        sent = []

        def interrupt(sent=sent):
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.6, interrupt)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            L0SVC(**parameters).fit(*big)
        late.append(time.monotonic() - sent[0])
    assert min(late) <= 0.5
    assert L0SVC().fit(*data).fit_status_ == 0


def test_interrupt_before_the_first_minimum(data):
    def interrupt(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        L0SVC(solver="admm", max_iter=10**6, tol=1e-300).fit(*noisy(6000), callback=interrupt)
    assert L0SVC().fit(*data).fit_status_ == 0


def test_callback_is_told_of_every_step(data):
    told = []
    model = L0SVC(C=2.0).fit(*data, callback=told.append)
    steps = [progress for progress in told if progress["iteration"] > 0]
    assert [step["objective"] for step in steps] == model.trace_["objective"].tolist()
    assert {step["stage"] for step in steps} == {"search"}
    with pytest.warns(ConvergenceWarning):
        L0SVC(solver="admm", max_iter=3, tol=1e-300).fit(*data, callback=told.append)
    assert told[-1]["stage"] == "iterate"
    assert told[-1]["iteration"] == 3
    assert told[-1]["worst_residual"] > 0


def test_callback_can_stop(data):
    with pytest.warns(ConvergenceWarning, match="status interrupted"):
        model = L0SVC(solver="admm", tol=1e-300).fit(
            *data, callback=lambda progress: progress["iteration"] == 7
        )
    assert model.n_iter_.tolist() == [7]


def test_what_a_callback_raises_comes_out(data):
    def callback(progress):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        L0SVC().fit(*data, callback=callback)


def test_verbose_shows_a_bar(data, capsys):
    L0SVC(verbose=True).fit(*data)
    assert "objective=" in capsys.readouterr().err
    with pytest.warns(ConvergenceWarning):
        L0SVC(verbose=True, solver="admm", max_iter=3).fit(*noisy(4000))
    assert "residual=" in capsys.readouterr().err


def test_verbose_without_tqdm(data, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match=r"hinge0\[progress\]"):
        L0SVC(verbose=True).fit(*data)


WITH_CALLBACKS = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 9)


class Recorder:
    """A callback of scikit-learn's kind that stops after some tasks."""

    def __init__(self, stop_after=10**9):
        self.begun, self.ended, self.stop_after = [], [], stop_after

    def setup(self, estimator, context):
        self.begun.append("setup")

    def teardown(self, estimator, context):
        self.ended.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.begun.append(context.task_name)

    def on_fit_task_end(self, estimator, context):
        self.ended.append(context.task_name)
        return len(self.ended) >= self.stop_after


@pytest.mark.skipif(not WITH_CALLBACKS, reason="scikit-learn has callbacks since 1.9")
class TestScikitLearnCallbacks:
    def test_hooks(self, data):
        recorder = Recorder()
        model = L0SVC(C=2.0).set_callbacks(recorder).fit(*data)
        steps = ["search"] * len(model.trace_["iteration"])
        assert recorder.begun == ["setup", "fit", *steps]
        assert recorder.ended == [*steps, "fit", "teardown"]

    def test_hooks_of_a_cross_validation(self, data):
        recorder = Recorder()
        model = L0SVCCV(cv=3, n_repeats=3).set_callbacks(recorder).fit(*data)
        fits = ["search"] * len(model.best_estimator_.trace_["iteration"])
        assert recorder.begun[:2] == ["setup", "fit"]
        assert set(recorder.begun[2 : -len(fits)]) <= {"tune"}
        assert recorder.ended[-len(fits) - 2 :] == [*fits, "fit", "teardown"]

    def test_stop(self, data):
        model = L0SVC(solver="admm", tol=1e-300).set_callbacks(Recorder(stop_after=4))
        with pytest.warns(ConvergenceWarning, match="interrupted after 4"):
            model.fit(*data)

    def test_progress_bar_in_a_search(self, data):
        pytest.importorskip("rich")
        from sklearn.callback import ProgressBar

        search = GridSearchCV(L0SVC(), {"C": [1.0, 2.0]}, cv=2)
        assert search.set_callbacks(ProgressBar()).fit(*data).best_score_ > 0.7

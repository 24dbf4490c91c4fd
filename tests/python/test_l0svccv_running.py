"""L0SVCCV while it runs: warnings, limits, callbacks, interrupts."""

import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from conftest import noisy
from hinge0 import L0SVCCV
from sklearn.exceptions import ConvergenceWarning

GRID = {"C": [0.5, 2.0, 8.0, 32.0], "gamma": [0.03, 0.3, 3.0]}


def test_only_the_last_fit_warns(data):
    same = np.zeros((12, 2))
    y = np.arange(12) % 3 > 0
    with pytest.warns(UserWarning) as seen:
        L0SVCCV({"C": [0.5, 1.0, 2.0]}, cv=2).fit(same, y)
    assert [str(w.message)[:38] for w in seen] == ["L0SVC: the classifier is constant, it "]
    assert seen[0].filename == __file__
    with pytest.warns(ConvergenceWarning) as seen:
        L0SVCCV({}, cv=2, solver="admm", max_iter=5).fit(*data)
    assert ["after 5 iterations" in str(w.message) for w in seen] == [True]
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        L0SVCCV({"C": [0.5, 1.0]}, cv=2, refit=False).fit(same, y)


def test_time_limit(big):
    begin = time.monotonic()
    with pytest.warns(ConvergenceWarning, match=r"status time_limit") as seen:
        model = L0SVCCV(time_limit=2.0, rule="best", n_jobs=1).fit(*big)
    assert time.monotonic() - begin < 10  # all of it would take longer
    # On a busy machine the last fit may end early too.
    early = [w for w in seen if "ended early (status time_limit)" in str(w.message)]
    assert [w.filename for w in early] == [__file__]
    scores = model.cv_results_["mean_test_score"]
    assert np.isnan(scores).any()
    assert scores[model.best_index_] == np.nanmax(scores)
    assert model.cv_results_["rank_test_score"][np.isnan(scores)].min() > 1
    assert model.best_estimator_.time_limit == 2.0
    with pytest.raises(RuntimeError, match="before its first score"):
        L0SVCCV(time_limit=1e-6).fit(*big)


def test_callback_can_stop(big):
    told = []

    def stop(progress):
        told.append(progress)
        return progress["stage"] == "tune" and progress["iteration"] >= 5

    with pytest.warns(ConvergenceWarning, match=r"status interrupted"):
        model = L0SVCCV().fit(*big, callback=stop)
    assert told[-1]["iteration"] >= 5
    assert 0 < told[-1]["done"] < 1
    assert np.isnan(model.cv_results_["mean_test_score"]).any()
    assert model.best_estimator_.fit_status_ == 0
    with pytest.raises(RuntimeError, match="before its first score"):
        L0SVCCV(time_limit=1e-9).fit(*big)


def test_callback_hears_of_the_last_fit_too(data):
    told = []
    L0SVCCV(GRID).fit(*data, callback=told.append)
    assert told[-1]["stage"] == "search"


def test_interrupt(big, data):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    try:
        threading.Timer(0.4, interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            L0SVCCV(search="full").fit(*big)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - sent[0] < 2
    assert L0SVCCV(GRID).fit(*data).best_score_ > 0.7


def test_the_gil_is_released():
    """Another thread of Python goes on counting while the cells are tried."""
    count = 0
    thread = threading.Thread(target=L0SVCCV(n_jobs=1).fit, args=noisy(500))
    thread.start()
    while thread.is_alive():
        thread.join(0.01)
        count += 1
    assert count > 10


def test_verbose_shows_a_bar(capsys):
    L0SVCCV(verbose=True).fit(*noisy(600))
    shown = capsys.readouterr().err
    assert "tune" in shown
    assert "objective=" in shown

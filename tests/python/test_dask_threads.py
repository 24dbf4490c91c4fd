"""DaskL0SVC and L0SVCCV on a cluster of threads in this process: the same bits as everywhere."""

import sys
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import DASK_WARNINGS, noisy
from hinge0 import L0SVC, L0SVCCV

pytest.importorskip("distributed")
import dask.array as da
import distributed
from hinge0.dask import DaskL0SVC

pytestmark = DASK_WARNINGS
ROWS = 900
CHUNK = 300
# Fewer rows than there are: the rows stay where they are.
SMALL = {"C": 2.0, "working_set": 200}
FITTED = ("support_", "support_vectors_", "dual_coef_", "intercept_")


@pytest.fixture(scope="module")
def threads() -> Iterator[Any]:
    """Two workers that are threads of this process; not the client that others find."""
    with distributed.Client(
        processes=False, n_workers=2, threads_per_worker=1, dashboard_address=":0",
        set_as_default=False,
    ) as client:  # fmt: skip
        yield client


def lazy(*values: Any) -> list[Any]:
    return [da.from_array(some, chunks=(CHUNK, -1) if some.ndim == 2 else CHUNK) for some in values]


def many_classes() -> tuple[np.ndarray, np.ndarray]:
    X, _ = noisy(ROWS)
    labels = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + X[:, 1] ** 2, [0.2, 1.2])]
    wrong = np.random.default_rng(1).random(ROWS) < 0.05
    return X, np.where(wrong, np.roll(labels, 1), labels)


def weights() -> np.ndarray:
    return np.random.default_rng(2).integers(0, 3, ROWS).astype(float)


@pytest.mark.parametrize("case", ["two", "three", "weights", "sparse", "sparse weights"])
def test_threads_find_what_processes_find(client: Any, threads: Any, case: str) -> None:
    X, y = many_classes() if case == "three" else noisy(ROWS)
    given = lazy(X, y)
    if "sparse" in case:
        given[0] = lazy(np.where(np.abs(X) < 0.5, 0, X))[0].map_blocks(sp.csr_matrix)
    if "weights" in case:
        given += lazy(weights())
    one = DaskL0SVC(**SMALL, client=client).fit(*given)
    other = DaskL0SVC(**SMALL, client=threads).fit(*given)
    assert sp.issparse(other.support_vectors_) == ("sparse" in case)
    for name in FITTED:
        found, expected = getattr(other, name), getattr(one, name)
        if sp.issparse(expected):
            found, expected = found.toarray(), expected.toarray()
        np.testing.assert_array_equal(found, expected, err_msg=name)
    assert other.report_["certificate"] == one.report_["certificate"]
    assert other.report_["train_accuracy"] == one.report_["train_accuracy"]
    assert other.report_["cluster"]["bytes_received"] == one.report_["cluster"]["bytes_received"]


@pytest.mark.parametrize("sparse", [False, True])
def test_few_rows_are_fitted_as_l0svc_fits_them(threads: Any, sparse: bool) -> None:
    X, y = noisy(ROWS)
    X[np.abs(X) < 0.5] = 0
    weight = weights()
    blocks, labels, of_rows = lazy(X, y, weight)
    rows = sp.csr_matrix(X) if sparse else X
    blocks = blocks.map_blocks(sp.csr_matrix) if sparse else blocks
    model = DaskL0SVC(client=threads).fit(blocks, labels, of_rows)
    local = L0SVC().fit(rows, y, weight)
    assert model.report_["objective"] == local.report_["objective"]
    np.testing.assert_array_equal(model.support_, local.support_)
    np.testing.assert_array_equal(model.dual_coef_, local.dual_coef_)
    np.testing.assert_array_equal(model.to_local().violators_, local.violators_)


def test_train_accuracy_is_of_rows_that_weigh(threads: Any) -> None:
    X, y = many_classes()
    weight = weights()
    dX, dy, of_rows = lazy(X, y, weight)
    gone = np.arange(ROWS) < CHUNK  # and the first partition is empty
    keep = ~da.from_array(gone, chunks=CHUNK)
    model = DaskL0SVC(**SMALL, client=threads).fit(dX[keep], dy[keep], of_rows[keep])
    heavy = ~gone & (weight > 0)
    right = model.to_local().predict(X[heavy]) == y[heavy]
    assert model.report_["train_accuracy"] == right.mean()


def test_predictions_and_scores(threads: Any) -> None:
    X, y = many_classes()
    weight = weights()
    dX, dy, of_rows = lazy(X, y, weight)
    model = DaskL0SVC(**SMALL, client=threads).fit(dX, dy)
    local = model.to_local()
    none = da.from_array(np.arange(ROWS) < CHUNK, chunks=CHUNK)
    some = ~(np.arange(ROWS) < CHUNK)
    # As it is, and with an empty partition in front.
    for rows, labels, weigh, at in (
        (dX, dy, of_rows, slice(None)),
        (dX[~none], dy[~none], of_rows[~none], some),
    ):
        found = threads.compute(
            [model.predict(rows), model.decision_function(rows), model.score(rows, labels),
             model.score(rows, labels, weigh)],
            sync=True,
        )  # fmt: skip
        np.testing.assert_array_equal(found[0], local.predict(X[at]))
        assert found[0].dtype == y.dtype
        np.testing.assert_array_equal(found[1], local.decision_function(X[at]))
        assert np.isclose(found[2], local.score(X[at], y[at]), rtol=1e-12)
        assert np.isclose(found[3], local.score(X[at], y[at], weight[at]), rtol=1e-12)


@pytest.mark.parametrize("classes", [2, 3])
def test_data_frames(threads: Any, classes: int) -> None:
    dd = pytest.importorskip("dask.dataframe")
    pd = pytest.importorskip("pandas")
    X, y = noisy(ROWS) if classes == 2 else many_classes()
    names = ["a", "b", "c"]
    frame = pd.DataFrame(X, columns=names).assign(label=y, row=np.arange(ROWS))
    frame.index += 7
    parts = dd.from_pandas(frame, npartitions=3)
    # Few rows: they come here, and their names with them.
    model = DaskL0SVC(client=threads).fit(parts[names], parts["label"])
    assert model.feature_names_in_.tolist() == names
    local = L0SVC(thin=0.0).fit(frame[names], frame["label"])
    np.testing.assert_array_equal(model.dual_coef_, local.dual_coef_)
    late = parts[parts["row"] >= CHUNK]  # the first partition is empty
    expected = frame[frame["row"] >= CHUNK]
    labels = threads.compute(model.predict(late[names]), sync=True)
    values = threads.compute(model.decision_function(late[names]), sync=True)
    assert labels.index.equals(expected.index)
    assert labels.dtype == model.predict(parts[names]).dtype
    np.testing.assert_array_equal(labels, local.predict(expected[names]))
    np.testing.assert_array_equal(values, local.decision_function(expected[names]))
    for answer in (model.predict, model.decision_function):
        with pytest.raises(ValueError, match="feature names should match"):
            threads.compute(answer(parts[["b", "a", "c"]]), sync=True)


def refused(case: str) -> tuple[Any, Any, Any, dict[str, Any], str]:
    """Samples, labels, weights, parameters, and what the error says."""
    X, y = noisy(ROWS)
    weight = np.ones(ROWS)
    options: dict[str, Any] = dict(SMALL)
    if case == "nan":
        X[CHUNK + 5, 1] = np.nan
        message = "partition 1: Input X? ?contains NaN"
    elif case == "label":
        y = y.astype(float)
        y[2 * CHUNK + 1] = np.inf
        message = r"partition 2: Input y contains NaN or infinity\."
    elif case == "weight":
        weight[3] = -1
        message = "partition 0: sample_weight holds values that are negative or not finite"
    elif case == "weightless":
        weight = np.where(y == 1, 0.0, 1.0)
        message = "There is no sample of class 1 with positive weight"
    else:
        assert case == "ties"
        options.update(break_ties=True, decision_function_shape="ovo")
        message = "break_ties must be False"
    return X, y, weight, options, message


@pytest.mark.parametrize("case", ["nan", "label", "weight", "weightless", "ties"])
def test_refused_rows_name_their_partition(threads: Any, case: str) -> None:
    X, y, weight, options, message = refused(case)
    with pytest.raises(ValueError, match=message) as found:
        DaskL0SVC(**options, client=threads).fit(*lazy(X, y, weight))
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("case", ["y", "sample_weight", "features", "rows"])
def test_partitions_that_do_not_fit_together(threads: Any, case: str) -> None:
    X, y = noisy(ROWS)
    dX, dy, weight = lazy(X, y, np.ones(ROWS))
    some = da.from_array(np.arange(ROWS) % 3 > 0, chunks=CHUNK)
    if case == "y":
        given = [dX[some], dy[dy >= 0], None]
        message = rf"partition \d: X has {CHUNK * 2 // 3} rows and y has {CHUNK}\."
    elif case == "sample_weight":
        given = [dX[some], dy[some], weight[weight > 0]]
        message = rf"partition \d: X has {CHUNK * 2 // 3} rows and sample_weight {CHUNK}\."
    elif case == "features":
        narrow = dX.map_blocks(lambda X, block_id: X[:, : 3 - block_id[0] % 2], dtype=float)
        given = [narrow, dy, None]
        message = r"the partitions of X have \[2, 3\] features"
    else:
        given = [dX[dX[:, 0] > 99], dy[dX[:, 0] > 99], None]
        message = r"X has no rows\."
    with pytest.raises(ValueError, match=message):
        DaskL0SVC(**SMALL, client=threads).fit(*given)


def test_features_that_are_too_large_are_refused(threads: Any) -> None:
    X, y = noisy(60)
    rows, labels = da.from_array(X * 1e200, chunks=(20, -1)), da.from_array(y, chunks=20)
    with pytest.raises(ValueError, match="the features are too large to compare: scale them"):
        DaskL0SVC(client=threads).fit(rows, labels)


def test_gamma_auto(threads: Any) -> None:
    X, y = noisy(ROWS)
    model = DaskL0SVC(**SMALL, gamma="auto", client=threads).fit(*lazy(X, y))
    assert model.report_["kernel"]["gamma"] == 1 / 3
    assert model.gamma == "auto"


def test_without_a_client_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Any:
        raise ValueError("No global client found")

    monkeypatch.setattr(distributed, "get_client", none)
    with pytest.raises(ValueError, match=r"there is no Dask client: make one"):
        DaskL0SVC().fit(*lazy(*noisy(ROWS)))


def test_without_dask_the_import_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "hinge0.dask")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"pip install 'hinge0\[dask\]'"):
        import hinge0.dask  # noqa: F401


@pytest.mark.parametrize("n_jobs", [None, -1])
def test_a_search_finds_what_it_finds_here(threads: Any, n_jobs: int | None) -> None:
    X, y = noisy(400)
    options: dict[str, Any] = {"param_grid": {"C": [0.5, 8.0], "gamma": [0.05, 5.0]}, "cv": 3}
    here = L0SVCCV(**options).fit(X, y)
    with joblib.parallel_config("dask", client=threads):
        there = L0SVCCV(**options, n_jobs=n_jobs).fit(X, y)
    for name, column in here.cv_results_.items():
        if "_time" not in name:
            np.testing.assert_array_equal(column, there.cv_results_[name], err_msg=name)
    np.testing.assert_array_equal(here.best_estimator_.dual_coef_, there.best_estimator_.dual_coef_)


def test_what_fails_everywhere_fails_as_here(threads: Any) -> None:
    X, y = noisy(60)
    model = L0SVCCV({"C": [1.0], "gamma": [1.0]}, kernel="poly", cv=2)
    with pytest.raises(ValueError, match="too large for the kernel matrix") as here:
        model.fit(X * 1e60, y)
    with joblib.parallel_config("dask", client=threads), pytest.raises(ValueError) as there:
        model.fit(X * 1e60, y)
    assert str(there.value) == str(here.value)


def search_within(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    with joblib.parallel_config("dask"):
        return L0SVCCV({"C": [1.0, 4.0]}, cv=2).fit(X, y).cv_results_["mean_test_score"]


def test_a_search_in_a_task_stays_in_it(threads: Any) -> None:
    X, y = noisy(90)
    expected = L0SVCCV({"C": [1.0, 4.0]}, cv=2).fit(X, y).cv_results_["mean_test_score"]
    found = threads.submit(search_within, X, y).result(timeout=60)
    np.testing.assert_array_equal(found, expected)

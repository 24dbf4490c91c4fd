"""DaskL0SVC: L0SVC for rows that live on a Dask cluster (``pip install 'hinge0[dask]'``)."""

import copy
import numbers
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

try:
    import dask
    import dask.array as da
    import distributed
except ImportError as error:
    raise ImportError("hinge0.dask needs dask: pip install 'hinge0[dask]'") from error

from hinge0 import _partitions as on_worker
from hinge0._classifier import KERNELS
from hinge0._cluster import Cluster
from hinge0._cluster_fit import fit_local, fit_pairs, sum_up_looks
from hinge0._compat import Callback
from hinge0._l0svc import L0SVC
from hinge0._lazy import check_samples, feature_names, is_frame, is_lazy, partitions_of
from hinge0._warnings import warn_about

__all__ = ["DaskL0SVC"]

# Rows from which they stay where they are: fewer would all be brought here as a sample anyway.
MANY_ROWS = 16384
# Bytes of kernel values and rows on the client.
USUAL_MEMORY = 512 * 1024 * 1024
# Parameters that are not L0SVC's.
OWN = {"client", "worker_timeout"}


class DaskL0SVC(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """:class:`hinge0.L0SVC` for rows that live on a Dask cluster.

    The rows stay where they are. A sample of them and those near the margin are brought to the
    client, which solves for them; support vectors go out, and every partition answers what it sums
    up and which few of its rows matter. The certificate is of all rows. With the same partitions
    the model has the same bits for any number of workers, lost ones included.

    Parameters
    ----------
    client : distributed.Client, default=None
        The cluster. None: the current client.
    worker_timeout : float, default=60.0
        Seconds without any worker after which a fit ends with an error.
    C, kernel, gamma, degree, coef0, beta, hinge_share, keep_margin, thin, time_limit, \
            class_weight, random_state, n_jobs, multi_class, decision_function_shape, break_ties
        As in :class:`hinge0.L0SVC`; kernels but "precomputed" and callables. ``n_jobs`` is of the
        client, a worker's tasks have one thread each.
    working_set : int or "auto", default="auto"
        Rows of the first sample. "auto" is 4096; fewer than 16384 rows in all are brought to the
        client, and fitted there as L0SVC fits them. A number: they are if there are no more.
    memory_limit : float, default=None
        Bytes that the client may hold; None is 512 MiB.
    verbose : bool, default=False
        Tells of every question to the partitions.

    Attributes
    ----------
    classes_, support_, support_vectors_, n_support_, dual_coef_, intercept_, class_weight_, \
            shape_fit_, n_features_in_, feature_names_in_
        As in :class:`hinge0.L0SVC`.
    report_ : dict
        As in :class:`hinge0.L0SVC`; ``cluster`` tells of the questions and the bytes they took.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from hinge0.dask import DaskL0SVC
    >>> client = Client()  # doctest: +SKIP
    >>> X = da.random.normal(size=(1_000_000, 4), chunks=(100_000, -1))  # doctest: +SKIP
    >>> y = (X[:, 0] + X[:, 1] ** 2 > 0.7).astype(int)  # doctest: +SKIP
    >>> model = DaskL0SVC().fit(X, y)  # doctest: +SKIP
    >>> model.predict(X)  # doctest: +SKIP
    dask.array<predict, shape=(1000000,), dtype=int64, chunksize=(100000,), chunktype=numpy.ndarray>
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **{
            name: L0SVC._parameter_constraints[name]
            for name in (
                "C", "gamma", "degree", "coef0", "beta", "hinge_share", "keep_margin", "thin",
                "time_limit", "class_weight", "random_state", "n_jobs", "memory_limit", "verbose",
                "multi_class", "decision_function_shape", "break_ties",
            )
        },
        "kernel": [StrOptions(KERNELS - {"precomputed"})],
        "working_set": [StrOptions({"auto"}), Interval(numbers.Integral, 2, None, closed="left")],
        "client": [HasMethods(["submit", "gather"]), None],
        "worker_timeout": [Interval(numbers.Real, 0, None, closed="neither")],
    }  # fmt: skip

    def __init__(
        self,
        *,
        C: float = 4.0,
        kernel: str = "rbf",
        gamma: float | str = "scale",
        degree: int = 3,
        coef0: float | None = None,
        beta: float = 0.5,
        hinge_share: float = 0.35,
        keep_margin: float | str = "auto",
        thin: float = 0.0,
        working_set: int | str = "auto",
        time_limit: float | None = None,
        class_weight: dict[Any, float] | str | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
        verbose: bool | int = False,
        multi_class: str = "ovo",
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        client: Any = None,
        worker_timeout: float = 60.0,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.beta = beta
        self.hinge_share = hinge_share
        self.keep_margin = keep_margin
        self.thin = thin
        self.working_set = working_set
        self.time_limit = time_limit
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit
        self.verbose = verbose
        self.multi_class = multi_class
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.client = client
        self.worker_timeout = worker_timeout

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, callback: Callback | None = None
    ) -> "DaskL0SVC":
        """Train the classifier.

        Parameters
        ----------
        X : dask array or data frame of shape (n_samples, n_features)
            Training samples in chunks of rows; dense, or SciPy's sparse matrices.
        y : dask array or series of shape (n_samples,)
            Labels of two or more classes, of any type that sorts.
        sample_weight : dask array or series of shape (n_samples,), default=None
            Multiplies the price C of each sample; 0 is no sample.
        callback : callable, default=None
            As in :meth:`hinge0.L0SVC.fit`.

        Returns
        -------
        DaskL0SVC
            The fitted classifier.
        """
        self._validate_params()
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        parts = partitions_of(X, y, sample_weight)
        cluster = Cluster(self._client(), float(self.worker_timeout), self.verbose)
        try:
            with cluster.interrupts:
                local = self._fit(cluster, parts, feature_names(X), callback)
        finally:
            cluster.forget()
        self._local = local
        for name, value in vars(local).items():
            if name.endswith("_") and not name.startswith("_"):
                setattr(self, name, value)
        warn_about(self.report_)
        return self

    def _fit(
        self, cluster: Cluster, parts: list[Any], names: Any, callback: Callback | None
    ) -> L0SVC:
        checked = self._checked_parts(cluster, parts)
        looks = cluster.gather(cluster.each("look", on_worker.look, checked))
        known = sum_up_looks(looks, self)
        local = self._new_local()
        local.classes_, local.class_weight_ = known.classes, known.class_weight
        local.n_features_in_ = known.features
        if names is not None:
            local.feature_names_in_ = names
        few = MANY_ROWS - 1 if isinstance(self.working_set, str) else self.working_set
        cluster.rows = checked
        if known.taking_part <= few:
            return fit_local(cluster, local, callback)
        cluster.rows = cluster.each(
            "numbered", on_worker.number_rows, checked,
            [known.classes] * len(checked), known.first[:-1],
        )  # fmt: skip
        del checked
        return fit_pairs(cluster, known, local, callback)

    def _checked_parts(self, cluster: Cluster, parts: list[Any]) -> list[Any]:
        """The partitions where they are, as futures."""
        make = dask.delayed(on_worker.make_part, pure=False)
        token = dask.base.tokenize(parts, cluster)
        lazy = [
            make(X, y, weight, p, dask_key_name=(f"hinge0-partition-{token}", p))
            for p, (X, y, weight) in enumerate(parts)
        ]
        return list(cluster.client.compute(lazy))

    def _client(self) -> Any:
        if self.client is not None:
            return self.client
        try:
            return distributed.get_client()
        except ValueError as error:
            raise ValueError(
                "there is no Dask client: make one (distributed.Client()), or give DaskL0SVC one"
            ) from error

    def _new_local(self) -> L0SVC:
        wanted = {k: v for k, v in self.get_params(deep=False).items() if k not in OWN}
        wanted["verbose"] = False
        wanted["memory_limit"] = wanted["memory_limit"] or USUAL_MEMORY
        return L0SVC(**wanted)

    def to_local(self) -> L0SVC:
        """The fitted classifier as an ordinary L0SVC, which needs no cluster.

        Returns
        -------
        L0SVC
            A copy. It has ``violators_`` only if the rows were fitted on the client.
        """
        check_is_fitted(self)
        return copy.deepcopy(self._local)

    def predict(self, X: Any) -> Any:
        """Predict the class of every sample, lazily.

        Parameters
        ----------
        X : dask array or data frame of shape (n_samples, n_features)
            Samples; those that are here are predicted here, at once.

        Returns
        -------
        dask array or series of shape (n_samples,)
            Labels.
        """
        return self._map(X, L0SVC.predict, "predict", self.classes_.dtype, None)

    def decision_function(self, X: Any) -> Any:
        """Evaluate h(x) for every sample, lazily.

        Parameters
        ----------
        X : dask array or data frame of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        dask array
            As :meth:`hinge0.L0SVC.decision_function` has them; a series of a data frame with two
            classes.
        """
        check_is_fitted(self)
        width = None
        if len(self.classes_) > 2:
            per_class = self.decision_function_shape == "ovr" or self.multi_class == "ovr"
            width = len(self.classes_) if per_class else len(self.intercept_)
        return self._map(X, L0SVC.decision_function, "decide", np.dtype(float), width)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """The accuracy, lazily.

        Parameters
        ----------
        X : dask array or data frame of shape (n_samples, n_features)
            Samples.
        y : dask array or series of shape (n_samples,)
            Their labels.
        sample_weight : dask array or series of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        dask array without dimensions
            The share of samples that are classified rightly.
        """
        check_is_fitted(self)
        if not is_lazy(X):
            return self._local.score(X, y, sample_weight)
        make, score = dask.delayed(on_worker.make_part), dask.delayed(on_worker.score_part)
        model = dask.delayed(self._local, pure=True)
        scores = [
            score(make(*part, p), model)
            for p, part in enumerate(partitions_of(X, y, sample_weight))
        ]
        return da.from_delayed(dask.delayed(on_worker.share)(scores), shape=(), dtype=float)

    def _map(self, X: Any, method: Any, name: str, dtype: Any, width: int | None) -> Any:
        check_is_fitted(self)
        if not is_lazy(X):
            return method(self._local, X)
        check_samples(X)
        none = np.empty((0,) if width is None else (0, width), dtype)
        if is_frame(X):
            if width is None:
                return X.map_partitions(_of_frame, method, self._local, none, meta=(name, dtype))
            columns = [(k, dtype) for k in range(width)]
            values = X.map_partitions(_of_frame, method, self._local, none, meta=columns)
            return values.to_dask_array()
        shape = {"drop_axis": 1} if width is None else {"chunks": (X.chunks[0], (width,))}
        return X.map_blocks(_of_block, method, self._local, none, **shape, dtype=dtype, meta=none,
                            name=f"{name}-{_token(X, self)}")  # fmt: skip

    def __sklearn_clone__(self) -> "DaskL0SVC":
        """The same parameters; a client is not copied."""
        parameters = self.get_params(deep=False)
        client = parameters.pop("client")
        return type(self)(**copy.deepcopy(parameters), client=client)

    def __getstate__(self) -> Any:
        """A client cannot be written down: the current one takes its place."""
        return {**super().__getstate__(), "client": None}


def _token(X: Any, model: DaskL0SVC) -> str:
    return str(dask.base.tokenize(X, model.dual_coef_, model.intercept_, model.support_vectors_))


def _of_block(X: Any, method: Any, model: L0SVC, none: NDArray[Any]) -> Any:
    return method(model, X) if X.shape[0] > 0 else none


def _of_frame(X: Any, method: Any, model: L0SVC, none: NDArray[Any]) -> Any:
    import pandas as pd

    values = method(model, X) if len(X) > 0 else none
    form = pd.Series if values.ndim == 1 else pd.DataFrame
    return form(values, index=X.index, dtype=none.dtype)

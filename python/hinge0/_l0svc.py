"""L0SVC: the scikit-learn classifier. Validates and stores; the C++ library computes."""

import numbers
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from hinge0 import _core
from hinge0._classes import dual_layout, pair_reports, pairs_from_layout, verification
from hinge0._classifier import KERNELS, KernelClassifier
from hinge0._compat import Callback, FitTask, validate_data, with_callbacks
from hinge0._convert import core_rows, kernel_options, objective_of, settings_of
from hinge0._files import Path, parameters_and_attributes, with_labels
from hinge0._inputs import DTYPES, Codes, Weights, checked_weight, kernel_rows, signs_of
from hinge0._model import FittedModel, fitted_model
from hinge0._progress import progress_callback
from hinge0._threads import thread_count
from hinge0._warnings import warn_about


def _has_probabilities(estimator: Any) -> bool:
    if getattr(estimator, "report_", {}).get("calibration", "none") == "none":
        raise AttributeError(
            "predict_proba is only there in a model of `hinge0 train --calibrate` that was loaded; "
            "CalibratedClassifierCV(L0SVC(), ensemble=False) calibrates any other"
        )
    return True


class L0SVC(KernelClassifier):
    """Kernel classifier with the l0-norm hinge loss.

    A training sample either meets its margin or is given up at a flat price C, however far off it
    is. Wrong labels therefore cannot drag the boundary after them, and the classifier rests on few
    support vectors. The problem is not convex; a fit ends at a certified local minimum.

    Parameters
    ----------
    C : float, default=4.0
        Price of giving up one sample.
    kernel : {"rbf", "linear", "poly", "exponential", "laplacian", "imq", "wendland", \
            "precomputed"} or callable, default="rbf"
        Kernel; a callable takes two sets of rows and returns the matrix between them.
    gamma : {"scale", "auto"} or float, default="scale"
        Width of the kernel. "scale" is 1 / (n_features * X.var()), with the sample weights if there
        are any; "auto" is 1 / n_features.
    degree : int, default=3
        Of the kernel "poly".
    coef0 : float, default=None
        Constant of "poly" (None: 0) and "imq" (None: 1).
    beta : float, default=0.5
        Exponent of "imq".
    loss : {"l0", "hinge", "squared-hinge"}, default="l0"
        What a sample inside its margin costs. The convex ones are solved by SMO.
    solver : {"exact", "admm"}, default="exact"
        "exact" finds a local minimum to rounding error; "admm" is
        Algorithm 1 of the paper, which often does not converge on noisy data.
    start : {"hinge", "admm"} or fitted classifier, default="hinge"
        Where the exact solver starts. Of a classifier the decision function is used; wrap it into
        scikit-learn's ``FrozenEstimator`` where the parameters are cloned.
    search : {"none", "full"}, default="none"
        "none" ends at the minimum that the start leads to, which predicts best; "full" goes on to a
        lower objective, until no move of a single sample lowers it.
    hinge_share : float, default=0.35
        Without search: the hinge start is solved at this share of C.
    keep_margin : float or "auto", default="auto"
        Without search: samples that the start classifies with a margin of at least this are kept.
        "auto" is 0.4, for pairs of several classes 0.
    thin : float or "auto", default="auto"
        Without search: support vectors whose margin without them would be at least 1 - thin are
        given up, for a smaller model. 0.3 saves a part of them and does little harm. "auto" is 0,
        for pairs of several classes 0.3.
    working_set : int, "auto" or "off", default="auto"
        Without search: so many samples to begin with, more as they are needed. "auto" is 4096
        where there are four times as many; "off": all at once.
    n_starts : int, default=1
        More than 1 looks longer for a lower minimum, by a full search.
    tol : float, default=1e-3
        Algorithm 1 stops when all four residuals are below.
    max_iter : int, default=2000
        Iterations of Algorithm 1 at most.
    time_limit : float, default=None
        Seconds at most; the best classifier so far is then kept. Of many classes it is an error if
        not all pairs are solved by then.
    class_weight : dict or "balanced", default=None
        Multiplies C by class; "balanced" makes all classes weigh the same.
    sigma, iota : float, default=1.0
        Penalty and dual step of Algorithm 1.
    random_state : int, RandomState instance or None, default=None
        Seed of the search's kicks and of Algorithm 1's start. None is 0: a fit can be repeated.
    n_jobs : int, default=None
        Threads. None: as many as OpenMP would use. The result does not depend on it.
    memory_limit : float, default=None
        Bytes; what would need more is refused. None: what the machine has free.
    verbose : bool, default=False
        Shows a progress bar (needs tqdm).
    multi_class : {"ovo", "ovr"}, default="ovo"
        More than two classes: every two of them, which vote as in SVC; or each against the rest.
    decision_function_shape : {"ovo", "ovr"}, default="ovr"
        More than two classes: whether the decision function has a value for each pair of classes,
        or for each class. Ignored for ``multi_class="ovr"``.
    break_ties : bool, default=False
        Whether classes with equally many votes are told apart by the decision function.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels; of two the decision function is positive for the second.
    support_ : ndarray of shape (n_SV,)
        Indices of the support vectors, class by class.
    support_vectors_ : {ndarray, sparse matrix} of shape (n_SV, n_features)
        The support vectors; empty for a precomputed kernel.
    n_support_ : ndarray of shape (n_classes,)
        Number of support vectors of each class.
    dual_coef_ : ndarray of shape (1, n_SV)
        Coefficients of the support vectors. Of many classes as in SVC: n_classes - 1 rows; a row
        for each class with ``multi_class="ovr"``.
    intercept_ : ndarray of shape (n_pairs,)
        The constants of the decision functions; two classes are one pair.
    coef_ : ndarray of shape (n_pairs, n_features)
        Weights of the features, for the linear kernel.
    violators_ : ndarray
        Indices of the samples that were given up, in some pair of classes: candidates for wrong
        labels.
    report_ : dict
        The report of ``hinge0 train --json``: status, objective, certificate and more; of many
        classes ``pairs`` has one for each pair.
    trace_ : dict of ndarrays
        The columns of ``hinge0 train --trace``: one entry for every minimum on the way, or every
        iteration of Algorithm 1.
    class_weight_ : ndarray of shape (n_classes,)
        Multipliers of C.
    fit_status_ : int
        0 if converged.
    n_iter_ : ndarray of shape (1,)
        Minima on the way, or iterations of Algorithm 1.
    shape_fit_ : tuple of int
        Shape of the training data.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if X had names that are all text.
    loaded_ : str
        The model as JSON, if it is from a file; see :meth:`load`.

    See Also
    --------
    sklearn.svm.SVC : The same with the hinge loss.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from hinge0 import L0SVC
    >>> X, y = make_moons(200, noise=0.1, random_state=0)
    >>> model = L0SVC(C=2.0, gamma=2.0).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    >>> model.report_["certificate"]["local_minimum"]
    True
    """

    _positive = Interval(numbers.Real, 0, None, closed="neither")
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [_positive],
        "kernel": [StrOptions(KERNELS), callable],
        "gamma": [StrOptions({"scale", "auto"}), _positive],
        "degree": [Interval(numbers.Integral, 1, 100, closed="both")],
        "coef0": [Interval(numbers.Real, 0, None, closed="left"), None],
        "beta": [_positive],
        "loss": [StrOptions({"l0", "hinge", "squared-hinge"})],
        "solver": [StrOptions({"exact", "admm"})],
        "start": [StrOptions({"hinge", "admm"}), HasMethods("decision_function")],
        "search": [StrOptions({"none", "full"})],
        "hinge_share": [_positive],
        "keep_margin": [StrOptions({"auto"}), Interval(numbers.Real, 0, 1, closed="left")],
        "thin": [StrOptions({"auto"}), Interval(numbers.Real, 0, 1, closed="left")],
        "working_set": [
            StrOptions({"auto", "off"}),
            Interval(numbers.Integral, 2, None, closed="left"),
        ],
        "n_starts": [Interval(numbers.Integral, 1, 1_000_000, closed="both")],
        "tol": [_positive],
        "max_iter": [Interval(numbers.Integral, 1, 2**31 - 1, closed="both")],
        "time_limit": [_positive, None],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "sigma": [_positive],
        "iota": [Interval(numbers.Real, 0, 1.618, closed="neither")],
        "random_state": ["random_state"],
        "n_jobs": [numbers.Integral, None],
        "memory_limit": [_positive, None],
        "verbose": ["verbose"],
        "multi_class": [StrOptions({"ovo", "ovr"})],
        "decision_function_shape": [StrOptions({"ovo", "ovr"})],
        "break_ties": ["boolean"],
    }

    def __init__(
        self,
        *,
        C: float = 4.0,
        kernel: str | Callable[..., Any] = "rbf",
        gamma: float | str = "scale",
        degree: int = 3,
        coef0: float | None = None,
        beta: float = 0.5,
        loss: str = "l0",
        solver: str = "exact",
        start: Any = "hinge",
        search: str = "none",
        hinge_share: float = 0.35,
        keep_margin: float | str = "auto",
        thin: float | str = "auto",
        working_set: int | str = "auto",
        n_starts: int = 1,
        tol: float = 1e-3,
        max_iter: int = 2000,
        time_limit: float | None = None,
        class_weight: dict[Any, float] | str | None = None,
        sigma: float = 1.0,
        iota: float = 1.0,
        random_state: Any = None,
        n_jobs: int | None = None,
        memory_limit: float | None = None,
        verbose: bool | int = False,
        multi_class: str = "ovo",
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.beta = beta
        self.loss = loss
        self.solver = solver
        self.start = start
        self.search = search
        self.hinge_share = hinge_share
        self.keep_margin = keep_margin
        self.thin = thin
        self.working_set = working_set
        self.n_starts = n_starts
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.class_weight = class_weight
        self.sigma = sigma
        self.iota = iota
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit
        self.verbose = verbose
        self.multi_class = multi_class
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, callback: Callback | None = None
    ) -> "L0SVC":
        """Train the classifier.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples)
            Training samples; the kernel matrix between them if ``kernel="precomputed"``.
        y : array-like of shape (n_samples,)
            Labels of two or more classes, of any type that sorts.
        sample_weight : array-like of shape (n_samples,), default=None
            Multiplies the price C of each sample. A weight of 2 is the sample twice and 0 is no
            sample, to the last bit; only rows of "precomputed" and callable kernels, and of
            ``solver="admm"`` with ``loss="l0"``, are not merged.
        callback : callable, default=None
            Called as ``callback(progress)`` after every step, and about every 50 ms of long work
            in between, with a dictionary of ``stage``, ``done``, ``iteration`` (0 in between),
            ``objective``, ``support_vectors``, ``bias`` and, for Algorithm 1, ``worst_residual``.
            A true result asks the fit to stop and keep the best it has.

        Returns
        -------
        L0SVC
            The fitted classifier.
        """
        self._train(X, y, sample_weight, callback)
        warn_about(self.report_)
        return self

    @with_callbacks
    def _train(self, X: Any, y: Any, sample_weight: Any, callback: Callback | None) -> None:
        """A fit without its warnings."""
        self._validate_params()
        if self.solver == "admm" and self.start != "hinge":
            raise ValueError("The 'start' parameter belongs to solver='exact'.")
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        X, y, codes, weight = self._checked(X, y, sample_weight)
        self.__dict__.pop("loaded_", None)
        task = FitTask(self, X, y, self.max_iter if self.solver == "admm" else None)
        with progress_callback(callback, task, self.verbose) as tell:
            if len(self.classes_) == 2:
                self._train_two(X, signs_of(codes), weight, tell)
            else:
                self._train_many(X, codes, weight, tell)
        fitted_model(self)  # made here: prediction should leave the estimator as it is
        task.end()

    def _train_two(self, X: Any, signs: Any, weight: Weights | None, tell: Any) -> None:
        start = None
        if not isinstance(self.start, str):
            start = np.asarray(self.start.decision_function(X), dtype=np.float64).ravel()
        result = _core.fit(
            core_rows(kernel_rows(self.kernel, X, X)),
            signs,
            kernel_options(self),
            objective_of(self.loss, self.C, self.class_weight_, weight),
            settings_of(self),
            start=start,
            callback=tell,
        )
        rows, coefficients = result["rows"], result["coefficients"]
        order = np.argsort(signs[rows], kind="stable")
        self.dual_coef_ = coefficients[order].reshape(1, -1)
        self.intercept_ = np.array([result["bias"]])
        self.trace_ = result["trace"]
        self._store(result, X, (signs > 0).astype(np.int64), rows[order])

    def _train_many(self, X: Any, codes: Codes, weight: Weights | None, tell: Any) -> None:
        if not isinstance(self.start, str):
            raise ValueError("A classifier as 'start' is for two classes.")
        result = _core.fit_classes(
            core_rows(kernel_rows(self.kernel, X, X)),
            codes,
            self.class_weight_.tolist(),
            self.multi_class,
            kernel_options(self),
            objective_of(self.loss, self.C, self.class_weight_, weight),
            settings_of(self),
            callback=tell,
        )
        rows = result["rows"]
        order = np.argsort(codes[rows], kind="stable")
        self.dual_coef_, self.intercept_ = dual_layout(
            result, codes, len(self.classes_), self.multi_class
        )
        self.trace_ = {}
        result["report"]["pairs"] = pair_reports(result, self.classes_, self.multi_class)
        self._store(result, X, codes, rows[order])
        if not callable(self.kernel):
            self._model = FittedModel(self, result["classifier"])

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Evaluate h(x) for every sample.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples; the kernel matrix between them and the training samples if
            ``kernel="precomputed"``.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_pairs)
            Two classes: decision values, above 0 the prediction is ``classes_[1]``. More, with
            ``decision_function_shape="ovr"``: one value for each class. With "ovo" one for each
            pair of classes as SVC has it: above 0 is the first of the two.
        """
        return self._decisions(self._checked_rows(X))

    def _decisions(self, X: Any) -> NDArray[np.float64]:
        """The decision function of samples that are checked already."""
        if self._is_two_sided():
            return self._evaluate(_core.decision_function, X)
        if len(self.classes_) == 2:
            return self._evaluate(_core.class_decisions, X, True)[:, 0]
        per_class = self.decision_function_shape == "ovr" or self.multi_class == "ovr"
        values = self._evaluate(_core.class_decisions, X, per_class)
        return values if per_class else -values

    def _codes(self, X: Any) -> NDArray[np.intp]:
        return self._codes_of(self._checked_rows(X))

    def _codes_of(self, X: Any) -> NDArray[np.intp]:
        """The classes of samples that are checked already, as numbers."""
        if self._is_two_sided():
            return self._evaluate(_core.positive_sides, X).astype(np.intp)
        codes: NDArray[np.intp]
        if self.break_ties and len(self.classes_) > 2:
            codes = np.argmax(self._evaluate(_core.class_decisions, X, True), axis=1)
        else:
            codes = self._evaluate(_core.predict_classes, X)
        return codes

    def _is_two_sided(self) -> bool:
        """Whether the library has the classifier as one of two classes; one from a file never."""
        return isinstance(fitted_model(self).prediction, _core.Model)

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities, of a model of ``hinge0 train --calibrate`` that was loaded.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probability of every class; its highest is not always the predicted class.
        """
        return self._evaluate(_core.class_probabilities, self._checked_rows(X))

    @classmethod
    def load(cls, path: Path) -> "L0SVC":
        """The classifier of a model file, of the command line or :meth:`save`.

        It predicts, with :meth:`predict_proba` if it was trained with ``--calibrate``, scales
        samples itself if it was trained with ``--standardize``, and can be verified, saved and
        exported. ``dual_coef_``, ``n_support_`` and ``violators_`` are of fits only.

        Parameters
        ----------
        path : str or path-like
            The file.

        Returns
        -------
        L0SVC
            The classifier.
        """
        parameters, attributes = parameters_and_attributes(path)
        model = cls(**parameters)
        model.__dict__.update(attributes)
        return model

    def _for_files(self) -> _core.Classifier:
        check_is_fitted(self)
        model = fitted_model(self)
        if model.by_callable:
            raise ValueError("A classifier whose kernel is a callable cannot be written to a file.")
        if hasattr(self, "loaded_"):
            return _core.from_json(self.loaded_)  # whose classes may be in another order
        return with_labels(model.training, self)

    def _checked_rows(self, X: Any) -> Any:
        check_is_fitted(self)
        fitted_model(self)  # damage is told before X is
        return validate_data(self, X, accept_sparse="csr", dtype=DTYPES, reset=False)

    def _evaluate(self, function: Any, X: Any, *options: Any) -> NDArray[Any]:
        """What a function of the binding says of samples that are checked already."""
        model = fitted_model(self)
        if model.by_callable:
            if len(self.support_) > 0:
                X = kernel_rows(self.kernel, X, self.support_vectors_)
            else:
                X = np.zeros((X.shape[0], 1))  # the kernel matrix has a column that no one reads
        threads = thread_count(self.n_jobs)
        values: NDArray[Any] = function(core_rows(X), model.prediction, *options, threads)
        return values

    def verify(self, X: Any, y: Any, sample_weight: Any = None) -> dict[str, Any]:
        """Recompute objective and certificate from the training data, by separate code.

        Parameters
        ----------
        X, y, sample_weight
            What :meth:`fit` was given, in the same order.

        Returns
        -------
        dict
            The numbers of ``hinge0 verify --json``; ``local_minimum`` is the verdict, and
            ``objective_agrees`` says whether the objective is the one that the fit reported.
        """
        check_is_fitted(self)
        model = fitted_model(self)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=DTYPES, reset=False)
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown) > 0:
            raise ValueError(f"y holds labels that the fit did not have: {unknown.tolist()}")
        codes = np.searchsorted(self.classes_, y)
        thread_count(self.n_jobs)
        rows = core_rows(kernel_rows(self.kernel, X, X) if model.by_callable else X)
        weight = checked_weight(sample_weight, X)
        if not self._is_two_sided():
            pairs = _core.verify_classes(rows, codes.astype(np.int64), model.training, weight)
            return {**verification(pairs, self.report_), "rows": X.shape[0], "features": X.shape[1]}
        found = _core.verify(rows, signs_of(codes), model.training, weight)
        claimed = self.report_["objective"]
        agrees = abs(found["objective"] - claimed) <= 1e-6 * (1 + abs(claimed))
        return {**found, "objective_agrees": agrees, "rows": X.shape[0], "features": X.shape[1]}

    @property
    def coef_(self) -> Any:
        """Weights of the features, for the linear kernel."""
        if self.kernel != "linear":
            raise AttributeError("coef_ is only available with kernel='linear'")
        if len(self.classes_) == 2 or self.multi_class == "ovr":
            return self.dual_coef_ @ self.support_vectors_
        pairs = pairs_from_layout(self.dual_coef_, self.n_support_, self.multi_class)
        vectors = self.support_vectors_
        weights = [-values @ vectors[columns] for columns, values in zip(*pairs, strict=True)]
        return np.vstack([np.asarray(of_pair).ravel() for of_pair in weights])

    def __getstate__(self) -> Any:
        """All but the C++ model, which is made anew from the attributes."""
        return {key: value for key, value in super().__getstate__().items() if key != "_model"}

    def _store(self, result: dict[str, Any], X: Any, codes: Codes, support: Any) -> None:
        """Keeps the result under SVC's names, support vectors class by class as SVC does."""
        self.support_ = support.astype(np.int32)
        self.n_support_ = np.bincount(codes[support], minlength=len(self.classes_)).astype(np.int32)
        if self.kernel == "precomputed":
            self.support_vectors_ = np.empty((0, 0))
        else:
            self.support_vectors_ = X[self.support_]
        self.violators_ = result["violators"]
        self.shape_fit_ = X.shape
        report = result["report"]
        self.report_ = {
            **report,
            "features": X.shape[1],  # of a callable kernel the library sees the matrix
            "classes": self.classes_.tolist(),
            "version": _core.version,
        }
        self.fit_status_ = int(report["status"] != "converged")
        self.n_iter_ = np.array([max(1, report["iterations"])], dtype=np.int32)

"""L0SVCCV: L0SVC with C and gamma by cross-validation. The library fits, scores and ranks."""

import inspect
import numbers
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError
from sklearn.metrics import get_scorer_names
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from hinge0 import _core
from hinge0._classifier import KernelClassifier
from hinge0._compat import Callback, FitTask, validate_data, with_callbacks
from hinge0._convert import core_rows, seed_of, settings_of
from hinge0._grid import Grid, grid_of, kernels_of
from hinge0._inputs import DTYPES, Codes, Weights, kernel_rows
from hinge0._l0svc import L0SVC
from hinge0._problem import Problem
from hinge0._progress import progress_callback
from hinge0._refit import Refits
from hinge0._scoring import metric_of, score_in_python, scorer_of
from hinge0._splits import (
    Split,
    check_splits,
    from_splitter,
    is_a_number_of_folds,
    stratified,
)
from hinge0._threads import client_of_joblib
from hinge0._tried import Tried, taken
from hinge0._warnings import warn_about, warn_of_early_end

# L0SVC's own, so that both always agree.
_DEFAULT = {name: p.default for name, p in inspect.signature(L0SVC).parameters.items()}
SHARED = tuple(name for name in _DEFAULT if name not in ("C", "gamma"))
# Of the time limit; the rest is for the fit on all samples.
SHARE_OF_CROSS_VALIDATION = 0.8


class L0SVCCV(KernelClassifier):
    """L0SVC with C and gamma chosen by cross-validation.

    Finds what ``GridSearchCV(L0SVC(), ...)`` finds, and has its attributes, in a fraction of the
    time: for each fold and gamma the fits for rising C share the kernel matrix and go on from each
    other, and cells that are clearly worse are given up early. Then fits L0SVC on all samples.

    Parameters
    ----------
    param_grid : dict, default=None
        Lists of values of ``"C"`` and ``"gamma"``; without one of them it is L0SVC's default. Each
        gamma is a number, or "scale" or "auto" of all samples. None: C from 2^-1 to 2^9, and gamma
        from 2^-7 to 2^3 times "scale" if the kernel has one; of "exponential" and "wendland" from
        2^-5 to 2^3 times its root, of "laplacian" from 2^-7 to 2^3 times the root of "scale" / d.
    cv : int, splitter or iterable of (train, test), default=5
        A number: so many folds with the classes' shares, dealt out by ``random_state``. A splitter
        of scikit-learn, or pairs of index arrays: these splits.
    n_repeats : int, default=None
        So many times, with other folds; if ``cv`` is a number. None: until 2,000 rows are
        tested, at most 10 times.
    rule : {"smooth", "consensus", "small", "best", "1se"}, default="smooth"
        What is chosen. "smooth": the highest mean score of a cell and its neighbours in the grid.
        "consensus": cells are judged half by the labels, half by what the best cells together
        predict, where wrong labels are outvoted. In both a doubling of the support vectors must
        bring 0.1 points. "small": the fewest support vectors within 0.2 points of the highest mean
        score of a cell and its neighbours. "best": the highest mean score, as GridSearchCV does.
        "1se": the fewest support vectors within one standard error of the highest score. Of equal
        cells the one with the smallest C, then the smallest gamma.
    scoring : str or callable(estimator, X, y), default=None
        The score; None is "accuracy". The library computes "accuracy", "balanced_accuracy", "f1"
        (of ``classes_[1]``), "roc_auc" and "neg_brier_score" (of the probabilities that one sigmoid
        makes of a cell's decision values); others are computed in Python, from an estimator that
        can predict this X only.
    max_support_vectors : int, default=None
        The best cell whose classifier on all samples has at most so many is chosen; for that as
        few more support vectors are given up (``thin``, if it is "auto") as must be.
    refit : bool, default=True
        Whether to fit on all samples; without it there is no prediction.
    race : bool, default=True
        Whether cells that are clearly worse than the best are given up after some folds. Their
        scores are NaN in the other folds. Only done for accuracy and the Brier score.
    kernel : as in :class:`L0SVC`, or list of names
        Of several kernels each has a grid of its own. The first is taken, unless the score of
        another one's best cell is half a point higher; by the rule "best" the highest.
    degree, coef0, beta, loss, solver, start, search, hinge_share, keep_margin, thin, \
            working_set, n_starts, tol, max_iter, sigma, iota, memory_limit
        As in :class:`L0SVC`, for every fit; ``start`` must be a word.
    class_weight : dict or "balanced", default=None
        Multiplies C by class; "balanced" counts all samples, once and not fold by fold.
    time_limit : float, default=None
        Seconds at most; C and gamma are then chosen from what was tried.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of the fits. None is 0: a fit can be repeated.
    n_jobs : int, default=None
        Threads. None: as many as OpenMP would use. Within ``joblib.parallel_config("dask")`` the
        fits of the folds are made by the workers of the cluster. The result depends on neither.
    verbose : bool, default=False
        Shows a progress bar (needs tqdm).

    Attributes
    ----------
    best_params_ : dict
        The chosen C and, if the kernel has one, gamma; the kernel, if there are several; with
        ``max_support_vectors`` also thin, where more support vectors had to go.
    best_score_ : float
        Mean score of the chosen cell.
    best_index_ : int
        Its place in ``cv_results_``.
    best_estimator_ : L0SVC
        Fitted with these on all samples, if ``refit``.
    report_ : dict
        Its report.
    n_iter_ : ndarray of shape (1,)
        Its iterations, as :class:`L0SVC` counts them.
    cv_results_ : dict
        The columns of GridSearchCV, the cells of one kernel after those of the other; the time of
        a fit includes its score. Besides ``mean_support_vectors`` and, unless ``rule="best"``,
        ``merit``, which the rule compares.
    scorer_ : callable
        What :meth:`score` computes.
    n_splits_ : int
        Number of splits.
    refit_time_ : float
        Seconds of the fit on all samples; with ``max_support_vectors`` of all such fits.
    multimetric_ : bool
        False.
    classes_ : ndarray of shape (2,)
        The labels; the decision function is positive for the second.
    class_weight_ : ndarray of shape (2,)
        Multipliers of C.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if X had names that are all text.

    See Also
    --------
    L0SVC : The classifier with given C and gamma.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from hinge0 import L0SVCCV
    >>> X, y = make_moons(200, noise=0.1, random_state=0)
    >>> model = L0SVCCV({"C": [0.5, 2, 8], "gamma": [0.5, 2]}).fit(X, y)
    >>> bool(model.best_score_ > 0.95)
    True
    >>> sorted(model.best_params_)
    ['C', 'gamma']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **{name: L0SVC._parameter_constraints[name] for name in SHARED},
        "start": [StrOptions({"hinge", "admm"})],
        "kernel": [*L0SVC._parameter_constraints["kernel"], list, tuple],
        "param_grid": [dict, None],
        "cv": ["cv_object"],
        "n_repeats": [Interval(numbers.Integral, 1, 1000, closed="both"), None],
        "rule": [StrOptions({"smooth", "consensus", "small", "best", "1se"})],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
        "max_support_vectors": [Interval(numbers.Integral, 1, None, closed="left"), None],
        "refit": ["boolean"],
        "race": ["boolean"],
    }

    def __init__(
        self,
        param_grid: dict[str, Any] | None = None,
        *,
        cv: Any = 5,
        n_repeats: int | None = None,
        rule: str = "smooth",
        scoring: str | Callable[..., Any] | None = None,
        max_support_vectors: int | None = None,
        refit: bool = True,
        race: bool = True,
        kernel: str | Callable[..., Any] | Sequence[str] = _DEFAULT["kernel"],
        degree: int = _DEFAULT["degree"],
        coef0: float | None = _DEFAULT["coef0"],
        beta: float = _DEFAULT["beta"],
        loss: str = _DEFAULT["loss"],
        solver: str = _DEFAULT["solver"],
        start: str = _DEFAULT["start"],
        search: str = _DEFAULT["search"],
        hinge_share: float = _DEFAULT["hinge_share"],
        keep_margin: float | str = _DEFAULT["keep_margin"],
        thin: float | str = _DEFAULT["thin"],
        working_set: int | str = _DEFAULT["working_set"],
        n_starts: int = _DEFAULT["n_starts"],
        tol: float = _DEFAULT["tol"],
        max_iter: int = _DEFAULT["max_iter"],
        time_limit: float | None = _DEFAULT["time_limit"],
        class_weight: dict[Any, float] | str | None = _DEFAULT["class_weight"],
        sigma: float = _DEFAULT["sigma"],
        iota: float = _DEFAULT["iota"],
        random_state: Any = _DEFAULT["random_state"],
        n_jobs: int | None = _DEFAULT["n_jobs"],
        memory_limit: float | None = _DEFAULT["memory_limit"],
        verbose: bool | int = _DEFAULT["verbose"],
        multi_class: str = _DEFAULT["multi_class"],
        decision_function_shape: str = _DEFAULT["decision_function_shape"],
        break_ties: bool = _DEFAULT["break_ties"],
    ) -> None:
        self.param_grid = param_grid
        self.cv = cv
        self.n_repeats = n_repeats
        self.rule = rule
        self.scoring = scoring
        self.max_support_vectors = max_support_vectors
        self.refit = refit
        self.race = race
        self.kernel = kernel
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
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        callback: Callback | None = None,
    ) -> "L0SVCCV":
        """Choose C and gamma, then train the classifier.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or (n_samples, n_samples)
            Training samples; the kernel matrix between them if ``kernel="precomputed"``.
        y : array-like of shape (n_samples,)
            Labels of two or more classes, of any type that sorts.
        sample_weight : array-like of shape (n_samples,), default=None
            Multiplies the price C of each sample in every fit. Scores count all samples alike.
        groups : array-like of shape (n_samples,), default=None
            What a splitter given as ``cv`` may ask for.
        callback : callable, default=None
            As for :meth:`L0SVC.fit`; during the cross-validation ``stage`` is "tune" and
            ``iteration`` counts its fits, anew for each kernel. A true result ends it: C and gamma
            are then chosen from what was tried.

        Returns
        -------
        L0SVCCV
            The fitted classifier.
        """
        status = self._choose_and_train(X, y, sample_weight, groups, callback)
        if status != "converged":
            warn_of_early_end(status)
        if self.refit:
            warn_about(self.report_)
        return self

    @with_callbacks
    def _choose_and_train(
        self, X: Any, y: Any, sample_weight: Any, groups: Any, callback: Callback | None
    ) -> str:
        """A fit without its warnings; tells how the cross-validation ended."""
        begin = time.monotonic()
        self._check_parameters()
        self._forget_refit()
        given = X
        X, y, codes, weight = self._checked(X, y, sample_weight)
        if len(self.classes_) > 2 and self.rule == "consensus":
            raise ValueError("The rule 'consensus' is for two classes.")
        kernels = kernels_of(self.kernel)
        rows = core_rows(kernel_rows(kernels[0], X, X))
        random_state = None if self.random_state is None else seed_of(self.random_state)
        splits = self._splits(X, y, codes, weight, groups, seed_of(random_state))
        classifier = self._classifier(kernel=kernels[0], random_state=random_state)
        problem = Problem(rows, codes, weight, self.class_weight_, classifier)
        grids = [
            grid_of(self.param_grid, self._classifier(kernel=kernel), rows, problem.objective())
            for kernel in kernels
        ]
        self.n_splits_, self.multimetric_ = len(splits), False
        self.scorer_ = scorer_of(self.scoring, self.classes_)
        sparse = sp.issparse(given)  # some kinds of which cannot be cut into folds
        source = given if hasattr(given, "shape") and not sparse else X
        task = FitTask(self, X, y, None)
        with progress_callback(callback, task, self.verbose) as tell:

            def score(tried: dict[str, Any]) -> None:
                if tried["decisions"]:
                    score_in_python(self, source, y, codes, splits, tried)

            tries, status = self._try_kernels(problem, kernels, grids, splits, score, tell, begin)
            if status == "interrupted":
                tell = None  # who asked to stop waits for one fit: it is what they want
            order = self._ranked(tries, status)
            cells = self.cv_results_["params"]

            def fit(k: int, thin: float | None, limit: float | None, heard: Any) -> L0SVC:
                raised = {} if thin is None else {"thin": thin}
                fitted = self._classifier(
                    **cells[k], **raised, random_state=random_state, time_limit=limit, verbose=False
                )
                fitted._train(given, y, sample_weight, heard)
                fitted.set_params(time_limit=self.time_limit, verbose=self.verbose)
                return fitted

            def time_left() -> float | None:
                if self.time_limit is None:
                    return None
                return float(self.time_limit) - time.monotonic() + begin

            thinner = _core.further_thinnings(problem.objective(), settings_of(classifier))
            self._take(order, thinner, Refits(fit, self.max_support_vectors, time_left, tell))
        task.end()
        return status

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
            As of :meth:`L0SVC.decision_function`.
        """
        best = self._refitted()
        return best._decisions(self._checked_rows(X))

    def _codes(self, X: Any) -> NDArray[np.intp]:
        best = self._refitted()
        return best._codes_of(self._checked_rows(X))

    def _checked_rows(self, X: Any) -> Any:
        return validate_data(self, X, accept_sparse="csr", dtype=DTYPES, reset=False)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score the predictions by ``scoring``.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, for a scorer that takes them.

        Returns
        -------
        float
            The score.
        """
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(self.scorer_(self._refitted(), X, y, **weights))

    def verify(self, X: Any, y: Any, sample_weight: Any = None) -> dict[str, Any]:
        """Recompute objective and certificate of the classifier, as :meth:`L0SVC.verify`.

        Parameters
        ----------
        X, y, sample_weight
            What :meth:`fit` was given, in the same order.

        Returns
        -------
        dict
            The numbers of ``hinge0 verify --json``.
        """
        return self._refitted().verify(X, y, sample_weight)

    def _for_files(self) -> _core.Classifier:
        return self._refitted()._for_files()

    def _refitted(self) -> L0SVC:
        check_is_fitted(self)
        if not hasattr(self, "best_estimator_"):
            raise NotFittedError("This L0SVCCV was fitted with refit=False: it cannot predict.")
        best: L0SVC = self.best_estimator_
        return best

    def _check_parameters(self) -> None:
        self._validate_params()
        if (self.n_repeats or 1) > 1 and not is_a_number_of_folds(self.cv):
            raise ValueError("The 'n_repeats' parameter belongs to a number of folds as 'cv'.")
        if self.max_support_vectors is not None and not self.refit:
            raise ValueError("The 'max_support_vectors' parameter needs refit=True.")

    def _forget_refit(self) -> None:
        for name in ("best_estimator_", "report_", "n_iter_", "refit_time_"):
            self.__dict__.pop(name, None)

    def _classifier(self, **parameters: Any) -> L0SVC:
        shared = {name: getattr(self, name) for name in SHARED}
        return L0SVC(**{**shared, **parameters})

    def _splits(
        self, X: Any, y: Any, codes: Codes, weight: Weights | None, groups: Any, seed: int
    ) -> list[Split]:
        if is_a_number_of_folds(self.cv):
            splits = stratified(codes, self.classes_, self.cv, self.n_repeats or 0, seed)
        else:
            splits = from_splitter(self.cv, X, y, groups)
        check_splits(splits, codes, weight)
        return splits

    def _try(
        self, problem: Problem, grid: Grid, splits: list[Split], callback: Callback | None
    ) -> dict[str, Any]:
        """All cells on all splits; the decision values are kept if Python is to score them."""
        metric = metric_of(self.scoring, len(self.classes_))
        race, word = bool(self.race) and metric is not None, metric or "accuracy"
        client = client_of_joblib()
        if client is None:
            return problem.cross_validate(
                C=grid.C, gamma=grid.gamma, splits=splits, metric=word, race=race,
                decisions=metric is None, callback=callback,
            )  # fmt: skip
        from hinge0._spread import SpreadValidation  # needs dask

        # A callable has been asked for its values, and need not be sent; a task has one thread.
        if callable(self.kernel):
            problem.classifier.set_params(kernel="precomputed")
        problem.classifier.set_params(n_jobs=1, verbose=False)
        tasks = SpreadValidation(client, problem, splits, word, callback)
        return tasks.run(grid, race, decisions=metric is None)

    def _try_kernels(
        self, problem: Problem, kernels: list[Any], grids: list[Grid], splits: list[Split],
        score: Callable[[dict[str, Any]], None], callback: Callback | None, begin: float,
    ) -> tuple[list[Tried], str]:  # fmt: skip
        """The grids of the kernels, one after the other, until one is interrupted."""
        status = "converged"
        tries: list[Tried] = []
        for kernel, grid in zip(kernels, grids, strict=True):
            limit = None
            if self.time_limit is not None:  # each has the same share of what is left
                left = SHARE_OF_CROSS_VALIDATION * self.time_limit - time.monotonic() + begin
                limit = max(1e-9, left) / (len(kernels) - len(tries))
            problem.classifier.set_params(kernel=kernel, time_limit=limit)
            tried = self._try(problem, grid, splits, callback)
            score(tried)
            named = {"kernel": kernel} if isinstance(self.kernel, list | tuple) else {}
            tries.append(self._tried(tried, grid, named))
            if tried["status"] != "converged":
                status = str(tried["status"])
            if status == "interrupted":
                break
        return tries, status

    def _tried(self, found: dict[str, Any], grid: Grid, named: dict[str, str]) -> Tried:
        """What a cross-validation found; `named` are parameters that all cells share."""
        scores = found["scores"]
        ranked = _core.rank(
            scores,
            found["agreements"],
            found["support_vectors"],
            found["raised"],
            C=grid.C,
            gamma=grid.gamma,
            metric=metric_of(self.scoring, len(self.classes_)) or "accuracy",
            classes=len(self.classes_),
            rule=self.rule,
        )
        cells = [{**cell, **named} for cell in grid.cells()]
        return Tried(cells, scores, found["fit_seconds"], ranked)

    def _ranked(self, tries: list[Tried], status: str) -> list[int]:
        """The cells of the kernel that is taken, from the best to the worst; then the others."""
        metric = metric_of(self.scoring, len(self.classes_)) or "accuracy"
        order, table = taken(tries, metric, self.rule)
        if len(order) == 0 and status != "converged":
            raise RuntimeError(f"The fit ended before its first score (status {status}).")
        if len(order) == 0:
            raise ValueError("No cell of the grid has a score: all are NaN.")
        self.cv_results_ = table
        return order

    def _take(self, order: list[int], thinner: list[float], refits: Refits) -> None:
        """The best cell, and the fit with it."""
        begin = time.monotonic()
        self.best_index_ = order[0]
        if self.refit:
            support = self.cv_results_["mean_support_vectors"]
            self.best_index_, self.best_estimator_ = refits.choose(order, support, thinner)
            self.report_, self.n_iter_ = self.best_estimator_.report_, self.best_estimator_.n_iter_
            self.refit_time_ = time.monotonic() - begin
        self.best_params_ = self.cv_results_["params"][self.best_index_]
        if self.refit and self.best_estimator_.thin != self.thin:
            self.best_params_ = {**self.best_params_, "thin": self.best_estimator_.thin}
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])

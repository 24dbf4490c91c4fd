"""What L0SVC and L0SVCCV have in common: the door for samples and labels."""

from typing import Any

from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from hinge0 import _core
from hinge0._compat import CallbackSupportMixin, validate_data
from hinge0._files import Path
from hinge0._inputs import (
    DTYPES,
    Codes,
    checked_weight,
    class_weights,
    classes_and_codes,
)

KERNELS = {"rbf", "linear", "poly", "exponential", "laplacian", "imq", "wendland", "precomputed"}


class KernelClassifier(CallbackSupportMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier with a kernel."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every sample.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples; the kernel matrix between them and the training samples if
            ``kernel="precomputed"``.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels, of the type of those given to :meth:`fit`.
        """
        codes = self._codes(X)
        labels: NDArray[Any] = self.classes_[codes]
        return labels

    def save(self, path: Path) -> None:
        """Write a model file, which the command line and :meth:`L0SVC.load` read.

        Parameters
        ----------
        path : str or path-like
            The file.
        """
        _core.save(self._for_files(), path)

    def export(
        self, path: Path, to: str = "json", *, name: str = "model", single: bool = False
    ) -> None:
        """Write the classifier for another program, as ``hinge0 export`` does.

        Parameters
        ----------
        path : str or path-like
            The file.
        to : {"libsvm", "c", "onnx", "json"}, default="json"
            A model of LIBSVM, a C99 header, an ONNX model of plain operators, or JSON, which
            ``hinge0 import`` reads. Not every one has every kernel.
        name : str, default="model"
            "c": what all names in the header begin with.
        single : bool, default=False
            "c": float instead of double.
        """
        _core.export_model(self._for_files(), path, to, name=name, single=single)

    def _checked(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Codes, Any]:
        """Samples, labels, their numbers and weights; leaves classes_ and class_weight_ behind."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=DTYPES)
        weight = checked_weight(sample_weight, X)
        self.classes_, codes = classes_and_codes(y, weight)
        self.class_weight_ = class_weights(self.class_weight, self.classes_, y, codes, weight)
        return X, y, codes, weight

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _more_tags(self) -> dict[str, bool]:  # scikit-learn before 1.6
        return {"pairwise": self.kernel == "precomputed"}

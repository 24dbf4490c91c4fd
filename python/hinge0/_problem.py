"""What a cross-validation is of: all that its fits need, here or on another machine."""

from typing import Any, NamedTuple

from hinge0 import _core
from hinge0._convert import kernel_options, objective_of, settings_of
from hinge0._inputs import Codes, Weights
from hinge0._l0svc import L0SVC


class Problem(NamedTuple):
    """It can be pickled, unlike the binding's objects, which are made of it where they are used."""

    rows: Any  # as core_rows gives them
    codes: Codes
    weight: Weights | None
    class_weight: Weights
    classifier: L0SVC  # whose parameters, but C and gamma, are those of every fit

    @property
    def n_classes(self) -> int:
        return len(self.class_weight)

    def objective(self) -> _core.Objective:
        fitted = self.classifier
        return objective_of(fitted.loss, fitted.C, self.class_weight, self.weight)

    def cross_validate(self, **options: Any) -> dict[str, Any]:
        return _core.cross_validate(
            self.rows,
            self.codes,
            self.class_weight.tolist(),
            self.classifier.multi_class,
            kernel_options(self.classifier),
            self.objective(),
            settings_of(self.classifier),
            **options,
        )

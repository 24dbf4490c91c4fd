"""scikit-learn's own checks of an estimator, none of them expected to fail."""

import pytest
from hinge0 import L0SVC, L0SVCCV
from sklearn.utils.estimator_checks import parametrize_with_checks


@pytest.mark.filterwarnings("ignore")  # the checks fit hopeless problems on purpose
@parametrize_with_checks(
    [
        L0SVC(),
        L0SVC(loss="hinge"),
        L0SVC(kernel="laplacian", start="admm", search="full"),
        L0SVC(class_weight="balanced", n_starts=2, random_state=1),
        L0SVCCV({"C": [0.5, 4.0], "gamma": ["scale", 0.1]}, cv=2),
        L0SVCCV({"C": [1.0, 2.0, 4.0]}, cv=2, rule="1se", scoring="f1_macro", kernel="laplacian"),
    ]
)
def test_scikit_learn_check(estimator, check):
    check(estimator)

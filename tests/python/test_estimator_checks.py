"""scikit-learn's own checks of an estimator, none of them expected to fail."""

import pytest
from hinge0 import L0SVC
from sklearn.utils.estimator_checks import parametrize_with_checks


@pytest.mark.filterwarnings("ignore")  # the checks fit hopeless problems on purpose
@parametrize_with_checks(
    [
        L0SVC(),
        L0SVC(loss="hinge"),
        L0SVC(kernel="laplacian", start="admm"),
        L0SVC(class_weight="balanced", n_starts=2, random_state=1),
    ]
)
def test_scikit_learn_check(estimator, check):
    check(estimator)

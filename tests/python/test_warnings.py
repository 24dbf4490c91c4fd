"""A constant classifier is told of once; scikit-learn makes Python forget that it has told."""

import warnings

import numpy as np
import pytest
from hinge0 import L0SVC, L0SVCCV
from hinge0._warnings import CONSTANT, Told
from sklearn.model_selection import GridSearchCV

SAME, LABELS = np.zeros((12, 2)), np.arange(12) % 3 > 0


@pytest.fixture(autouse=True)
def _forget():
    Told.forget()
    yield
    Told.forget()


def warnings_of(action, work):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter(action)
        work()
    assert {str(warning.message) for warning in seen} <= {CONSTANT}
    return len(seen)


def search():
    GridSearchCV(L0SVC(), {"C": [1.0, 2.0, 4.0]}, cv=2).fit(SAME, LABELS)


def test_a_grid_search_tells_once():
    assert warnings_of("default", search) == 1
    assert warnings_of("default", search) == 0


def test_filters_may_ask_for_all_or_nothing():
    assert warnings_of("ignore", search) == 0
    assert warnings_of("always", search) == 7  # six cells, and the refit
    with pytest.raises(UserWarning, match="the classifier is constant"):
        L0SVC().fit(SAME, LABELS)  # pytest makes warnings errors


def test_what_is_ignored_is_not_yet_told():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "L0SVC: the classifier is constant")
        L0SVC().fit(SAME, LABELS)
    assert warnings_of("default", search) == 1


def test_filters_for_other_warnings_do_not_count():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        warnings.filterwarnings("always", "something else")
        warnings.filterwarnings("always", category=DeprecationWarning)
        for _ in range(3):
            search()
    assert len(seen) == 1


def test_cross_validation_tells_of_the_last_fit_only():
    model = L0SVCCV({"C": [1.0, 2.0, 4.0]}, cv=2)
    assert warnings_of("always", lambda: model.fit(SAME, LABELS)) == 1
    model.set_params(refit=False)
    assert warnings_of("always", lambda: model.fit(SAME, LABELS)) == 0

"""The picture of suspect rows."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hinge0 import plot
from matplotlib import pyplot
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    quality = rng.uniform(0.3, 1.0, 60)
    quality[[7, 21, 50]] = [0.02, 0.01, 0.05]
    given = np.array(["cat", "dog", "hen"])[np.arange(60) % 3]
    return pd.DataFrame(
        {
            "is_label_issue": quality < 0.1,
            "label_quality": quality,
            "given_label": given,
            "predicted_label": np.where(quality < 0.1, "cow", given),
        }
    )


def test_quality_and_worst_rows(frame):
    axes = plot.suspects(frame, n_worst=5)
    assert len(axes) == 2
    heights = [sum(bar.get_height() for bar in group) for group in axes[0].containers]
    assert heights == [57, 3]
    assert [text.get_text() for text in axes[0].get_legend().get_texts()] == [
        "no issue (57)",
        "issue (3)",
    ]
    words = [text.get_text() for text in axes[1].get_yticklabels()]
    assert words[:3] == [
        "row 21: cat, predicted cow",
        "row 7: dog, predicted cow",
        "row 50: hen, predicted cow",
    ]
    widths = [bar.get_width() for bar in axes[1].patches]
    np.testing.assert_array_equal(widths, np.sort(frame["label_quality"])[:5])
    colours = [bar.get_facecolor() for bar in axes[1].patches]
    assert colours[0] == colours[2] != colours[3]
    assert axes[1].yaxis_inverted()


def test_rows_go_by_the_names_of_the_frame(frame):
    frame.index = [f"r{i}" for i in range(60)]
    _, given = pyplot.subplots(1, 2)
    axes = plot.suspects(frame, n_worst=100, ax=given)
    assert axes == tuple(given)
    words = [text.get_text() for text in axes[1].get_yticklabels()]
    assert len(words) == 60
    assert words[0].startswith("row r21:")


def offsets(ax):
    return {part.get_label(): np.asarray(part.get_offsets()) for part in ax.collections}


def test_two_features_are_drawn_as_they_are(frame):
    X = pd.DataFrame(np.random.default_rng(1).normal(size=(60, 2)), columns=["a", "b"])
    ax = plot.suspects(frame, X)[2]
    drawn = offsets(ax)
    np.testing.assert_array_equal(drawn["issues (3)"], X.to_numpy()[[7, 21, 50]])
    np.testing.assert_array_equal(drawn["dog"], X.to_numpy()[1::3])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("a", "b")


def test_more_features_are_drawn_along_principal_directions(frame):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 3)) * [1, 10, 100]
    X = np.hstack([X, np.ones((60, 1))])  # has no spread to divide by
    ax = plot.suspects(frame, X)[2]
    reference = PCA(2)
    expected = reference.fit_transform(StandardScaler().fit_transform(X))
    np.testing.assert_allclose(np.abs(offsets(ax)["dog"]), np.abs(expected[1::3]))
    share = reference.explained_variance_ratio_[0]
    assert ax.get_xlabel() == f"principal direction 1 ({share:.0%} of the variance)"
    of_sparse = offsets(plot.suspects(frame, sp.csr_matrix(X))[2])
    np.testing.assert_allclose(of_sparse["dog"], offsets(ax)["dog"])


def test_what_is_no_frame_of_suspects(frame):
    with pytest.raises(ValueError, match="no column 'label_quality'"):
        plot.suspects(frame.drop(columns="label_quality"))
    with pytest.raises(ValueError, match="no rows"):
        plot.suspects(frame[:0])
    with pytest.raises(ValueError, match="n_worst must be"):
        plot.suspects(frame, n_worst=0)
    with pytest.raises(ValueError, match="60 rows and 2 features"):
        plot.suspects(frame, np.zeros((59, 2)))
    with pytest.raises(ValueError, match="60 rows and 2 features"):
        plot.suspects(frame, np.zeros((60, 1)))
    with pytest.raises(ValueError, match="into 3 Axes here, got 2"):
        plot.suspects(frame, np.zeros((60, 2)), ax=pyplot.subplots(1, 2)[1])

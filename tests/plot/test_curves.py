"""Curves are the means and frequencies that were measured."""

import numpy as np
import pandas as pd
import pytest

from candide import plot
from candide.evaluate import reliability

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


@pytest.fixture
def ax():
    from matplotlib.figure import Figure

    return Figure().subplots()


def test_learning_curves_are_means_with_standard_errors(ax):
    curve = pd.DataFrame({"model": ["m"] * 4, "n_train": [10, 10, 20, 20], "accuracy": [0.4, 0.6, 0.7, 0.7]})
    plot.learning_curves(curve, ax=ax)
    assert ax.lines[0].get_xdata().tolist() == [10, 20]
    assert ax.lines[0].get_ydata().tolist() == pytest.approx([0.5, 0.7])
    band = ax.collections[0].get_paths()[0].vertices
    error = np.std([0.4, 0.6], ddof=1) / np.sqrt(2)
    assert band[band[:, 0] == 10][:, 1].min() == pytest.approx(0.5 - error)


def test_reliability_draws_the_curve_and_one_diagonal(ax):
    rng = np.random.default_rng(0)
    proba = rng.random(200)
    event = rng.random(200) < proba
    for label in ("first", "second"):
        plot.reliability(event, proba, label=label, ax=ax)
    table = reliability(event, proba)
    assert len(ax.lines) == 3
    assert ax.lines[1].get_xdata().tolist() == table["confidence"].tolist()
    assert ax.lines[2].get_ydata().tolist() == table["frequency"].tolist()


def test_a_score_that_no_curve_can_show_is_said(ax):
    curve = pd.DataFrame({"model": "m", "n_train": [10, 10, 20, 20], "log_loss": [np.inf, 0.5, 0.4, 0.6]})
    plot.learning_curves(curve, "log_loss", ax=ax)
    assert ax.get_legend_handles_labels()[1] == ["m (infinite at 10)"]
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [np.nan, 0.5])

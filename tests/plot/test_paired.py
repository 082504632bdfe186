"""Paired scatter: every data set stands where its two scores say."""

import pytest
from tests.plot.drawing import results

from candide import plot

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

INF = float("inf")


@pytest.fixture
def ax():
    from matplotlib.figure import Figure

    return Figure().subplots()


def drawn(ax):
    return sorted(tuple(point) for points in ax.collections for point in points.get_offsets().tolist())


def test_paired_scatter_puts_a_up_and_b_right(ax):
    got = plot.paired_scatter(results(a=[0.5, 0.6, 0.7], b=[0.4, 0.6, 0.8]), "a", "b", ax=ax)
    assert got is ax
    assert drawn(ax) == [(0.4, 0.5), (0.6, 0.6), (0.8, 0.7)]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("accuracy of b", "accuracy of a")
    assert {text.get_text() for text in ax.texts} == {"x", "y", "z"}
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["a better (1)", "a not better (2)"]


def test_paired_scatter_draws_infinity_on_the_border_and_counts_it_as_a_win(ax):
    plot.paired_scatter(results("log_score", a=[5, 6, 7], b=[INF, 5, 8]), "a", "b", "log_score", ax)
    border = ax.get_xlim()[1]
    assert (border, 5) in drawn(ax)
    assert ax.get_xscale() == "log"
    assert "a better (2)" in [t.get_text() for t in ax.get_legend().get_texts()]


def test_paired_scatter_without_data_sets_shows_folds(ax):
    table = results(a=[0.5, 0.6, 0.7], b=[0.4, 0.6, 0.8]).query("dataset == 'x'").drop(columns="dataset")
    plot.paired_scatter(table, "a", "b", ax=ax)
    assert len(drawn(ax)) == 2
    assert not ax.texts

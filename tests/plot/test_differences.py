"""Differences: every name has a line, every series a colour, and nothing lies beyond the border."""

import numpy as np
import pandas as pd
import pytest

from candide import plot

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


@pytest.fixture
def ax():
    from matplotlib.figure import Figure

    return Figure().subplots()


def table(values, room=1.0, names="xyz"):
    d = np.array(values, dtype=float)
    return pd.DataFrame({"difference": d, "low": d - room, "high": d + room}, index=list(names))


def test_every_point_stands_at_its_difference_on_the_line_of_its_name(ax):
    got = plot.differences({"a": table([1, -2, 3]), "b": table([0, 0, 5])}, ax, unit="points")
    assert got is ax
    assert [text.get_text() for text in ax.get_yticklabels()] == ["x", "y", "z"]
    for line, values in zip(ax.lines[1:], ([1, -2, 3], [0, 0, 5]), strict=True):
        assert line.get_xdata().tolist() == values
        assert np.round(line.get_ydata()).tolist() == [0, 1, 2]
    assert len({line.get_color() for line in ax.lines[1:]}) == 2
    bars = ax.collections[0].get_segments()
    assert [segment[:, 0].tolist() for segment in bars] == [[0, 2], [-3, -1], [2, 4]]
    assert ax.get_xlabel() == "points"


def test_zero_and_every_finite_end_are_inside(ax):
    plot.differences({"a": table([5, 7, np.inf])}, ax)
    low, high = ax.get_xlim()
    assert low < 0
    assert 8 < high < np.inf


def test_series_keep_to_the_order_of_the_first(ax):
    plot.differences({"a": table([1, 2, 3]), "b": table([30, 10], names="zx")}, ax)
    assert np.round(ax.lines[2].get_ydata()).tolist() == [2, 0]


def test_curves_may_share_colours_and_be_shown_in_per_cent(ax):
    lines = [{"model": m, "n_train": n, "accuracy": 0.5} for m in ("NB20", "SH20") for n in (10, 20)]
    styles = {"NB20": {"color": "red"}, "SH20": {"color": "red", "linestyle": "--"}}
    plot.learning_curves(pd.DataFrame(lines), ax=ax, styles=styles, percent=True)
    assert {line.get_color() for line in ax.lines} == {"red"}
    assert [line.get_linestyle() for line in ax.lines] == ["-", "--"]
    assert ax.lines[0].get_ydata().tolist() == [50, 50]
    assert ax.get_ylabel() == "accuracy (%)"

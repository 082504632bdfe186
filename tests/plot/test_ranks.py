"""The diagram names ranks and critical difference, and joins what does not differ."""

import numpy as np
import pytest
from tests.plot.drawing import results

from candide import plot
from candide.evaluate import critical_difference
from candide.plot.ranks import cliques

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


@pytest.fixture
def ax():
    from matplotlib.figure import Figure

    return Figure().subplots()


def test_critical_difference_names_ranks_and_distance(ax):
    table = results(a=[0.9, 0.9, 0.9], b=[0.8, 0.8, 0.7], c=[0.1, 0.1, 0.8])
    plot.critical_difference(table, ax=ax)
    words = " ".join(text.get_text() for text in ax.texts)
    assert "a (1.00)" in words
    assert "b (2.33)" in words
    assert "c (2.67)" in words
    assert f"critical difference {critical_difference(3, 3):.2f}" in words


def test_cliques_are_the_longest_runs_that_do_not_differ():
    assert cliques(np.array([1.0, 1.5, 2.4, 4.0]), 1.0) == [(0, 1), (1, 2)]
    assert cliques(np.array([1.0, 1.1, 1.2]), 1.0) == [(0, 2)]
    assert cliques(np.array([1.0, 3.0]), 1.0) == []

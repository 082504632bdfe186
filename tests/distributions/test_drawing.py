"""Positions are drawn by the weights of their class."""

from __future__ import annotations

import numpy as np
from scipy import stats

from candide.distributions.drawing import draw_positions

WEIGHTS = np.array([[1.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 5e-324, 0.0, 0.0]])


def test_positions_follow_the_weights() -> None:
    y = np.repeat([2, 0, 1], 4000)
    drawn = draw_positions(np.random.default_rng(0), WEIGHTS, y)
    assert np.bincount(drawn[y == 0], minlength=4)[[1, 3]].tolist() == [0, 0]
    assert stats.chisquare(np.bincount(drawn[y == 0])[[0, 2]], [1000, 3000]).pvalue > 1e-3
    assert stats.chisquare(np.bincount(drawn[y == 1], minlength=4)).pvalue > 1e-3
    assert (drawn[y == 2] == 1).all()


def test_what_rounds_up_to_the_whole_is_the_last_of_some_weight() -> None:
    class Ones:
        def random(self, n: int) -> np.ndarray:
            return np.ones(n)

    assert draw_positions(Ones(), WEIGHTS, np.array([0, 1, 2])).tolist() == [2, 3, 1]

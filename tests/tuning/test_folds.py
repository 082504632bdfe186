"""Folds: rows dealt evenly, judged until there are enough, under penalties that may still have a share."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from candide import TunedNB
from candide.tuning.folds import ENOUGH_JUDGED, FOLDS, NEGLIGIBLE, Folds, judge

STARTS = np.array([0, 700, 5200, 5203])


@pytest.mark.parametrize("most", [500, 5000, 100_000])
def test_every_class_is_dealt_evenly(most):
    folds = Folds.deal(STARTS, np.ones(5203), most, np.random.default_rng(0))
    assert (np.diff(folds.rows) > 0).all()
    assert len(folds.rows) == pytest.approx(min(most, 5203), abs=3)
    assert set(np.unique(folds.dealt)) == {0.0, 1.0}
    for a, b in pairwise(STARTS.tolist()):
        assert np.ptp(folds.dealt[(folds.rows >= a) & (folds.rows < b)].sum(axis=0)) <= 1


@pytest.mark.parametrize(("most", "used"), [(500, 5), (2500, 4), (5000, 2)])
def test_folds_are_judged_until_there_are_enough_rows(most, used):
    folds = Folds.deal(STARTS, np.ones(5203), most, np.random.default_rng(0))
    assert len(folds.parts) == used
    assert used == FOLDS or len(folds.judged.rows) >= ENOUGH_JUDGED
    for learning, judging in folds.parts:
        assert sorted([*learning.rows, *judging.rows]) == folds.rows.tolist()


def test_a_row_of_weight_three_is_dealt_as_three_rows():
    weight = np.random.default_rng(1).choice([0.25, 1.0, 3.0, 7.5, 1e6], 5203)
    folds = Folds.deal(STARTS, weight, 100_000, np.random.default_rng(0))
    np.testing.assert_allclose(folds.dealt.sum(axis=1), weight)
    np.testing.assert_array_equal((folds.dealt > 0).sum(axis=1), np.minimum(np.ceil(weight), FOLDS))
    assert (np.ptp(folds.dealt, axis=1) <= 1.0).all()
    for learning, judging in folds.parts:
        both = np.zeros(5203)
        both[learning.rows] += learning.weight
        both[judging.rows] += judging.weight
        np.testing.assert_allclose(both[judging.rows], weight[judging.rows])


@pytest.mark.parametrize("rows", [600, 6000])
def test_pairs_are_believed_in_a_table_of_few_different_rows(rows):
    """Two columns of two levels, which tell the class together: four rows, and each is there with both classes."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, rows))
    y = np.where(rng.random(rows) < 0.9, a ^ b, 1 - (a ^ b))
    x = pd.DataFrame({"a": a.astype(str), "b": b.astype(str)})
    nb = TunedNB().fit(x, y)
    assert nb.pairs_ == [("a", "b")]
    np.testing.assert_array_equal(nb.predict(x), a ^ b)


class Slope:
    """A problem whose score is known: -(strength - best)²."""

    def __init__(self, best: float) -> None:
        self.best, self.tried = best, []

    def solve_roughly(self, strength, start):
        self.tried.append(strength)
        return np.array([strength])

    def loss(self, p):
        return (p[0] - self.best) ** 2, p


def test_weaker_penalties_than_have_a_share_are_not_tried():
    problems = [(Slope(8.0), Slope(8.0)) for _ in range(3)]
    judged = judge(problems, [12.0, 9.0, 7.5, 6.0, 4.0, 2.0])
    assert [p.tried for p, _ in problems] == [[12.0, 9.0, 7.5, 6.0]] * 3
    np.testing.assert_allclose(judged.scores, [-48.0, -3.0, -0.75, -12.0])
    assert np.exp(judged.scores[3] - judged.scores.max()) < NEGLIGIBLE
    assert [p[0] for p in judged.found[0]] == [12.0, 9.0, 7.5, 6.0]


def test_weaker_penalties_are_tried_while_the_last_does_best():
    problems = [(Slope(1.0), Slope(1.0)) for _ in range(2)]
    judged = judge(problems, [30.0, 10.0])
    np.testing.assert_allclose(judged.strengths, [30.0, 10.0, 3.0, 0.9, 0.27])
    assert np.argmax(judged.scores) == 3


def test_numbers_that_tell_by_their_product_are_found():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1500, 3))
    y = (x[:, 0] * x[:, 1] + 0.3 * rng.normal(size=1500) > 0).astype(int)
    nb = TunedNB().fit(x[:1000], y[:1000])
    assert nb.pairs_[0] == (0, 1)
    assert nb.score(x[1000:], y[1000:]) > 0.83
    table = nb.model_.settled.weights.pairs[0].entries[:-1, :-1]
    corner = table[0, 0] + table[-1, -1] - table[0, -1] - table[-1, 0]
    assert corner[1] > 4.0 > -4.0 > corner[0]

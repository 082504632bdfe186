"""Bins: names that stay apart, steps, and the cuts that a schema hands on."""

from __future__ import annotations

import numpy as np
import pytest

from candide import NaiveBayes
from candide.discretizers import Cuts, EqualFrequency, EqualWidth
from candide.distributions import Bins

FAR = (1e6 + np.arange(40) / 40)[:, None]
Y = np.arange(40) % 2


def test_ten_bins_far_from_zero_have_ten_names() -> None:
    nb = NaiveBayes("equal-width(10)").fit(FAR, Y)
    told = nb.model_.describe(0)
    assert len(told) == 10
    np.testing.assert_allclose(sum(told.values()), 1.0)


@pytest.mark.parametrize("discretizer", [EqualWidth(9), EqualFrequency(9), Cuts(list(1234560.5 + np.arange(8)))])
def test_steps_far_from_zero_have_names_of_their_own_and_add_up(discretizer: object) -> None:
    X = np.arange(1234560.0, 1234569.0)[:, None]
    nb = NaiveBayes(Bins(discretizer, ordinal=True)).fit(X, [0, 1] * 4 + [0])
    why = nb.explain(X)
    assert len(set(why.names)) == len(why.names) == 8
    lines = why.to_text(0, top=8).splitlines()
    numbers = [float(line.split()[-2]) for line in lines[2:-1]]
    assert float(lines[-1].split()[-2]) == pytest.approx(sum(numbers), abs=0.01)
    assert float(lines[-1].split()[-2]) == pytest.approx(nb.predict_joint_log_proba(X[:1])[0].max(), abs=0.01)


def test_a_discretizer_may_be_named_with_its_number_of_bins() -> None:
    nb = NaiveBayes("equal-width(4)").fit(FAR, Y)
    assert nb.schema_.choice(0) == Bins(Cuts(list(1e6 + np.array([0.24375, 0.4875, 0.73125]))))

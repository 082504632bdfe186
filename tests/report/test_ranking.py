"""Ranks: what a column settles on its own is a share of the doubt, whatever the weights of its evidence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes, TunedNB
from candide.report import collect
from candide.report.ranking import rank

RNG = np.random.default_rng(0)
Y = RNG.choice(["late", "on time"], 600, p=[0.3, 0.7])
LATE = Y == "late"
FRAME = pd.DataFrame({"x": RNG.normal(size=600) + 3 * LATE, "z": RNG.normal(size=600) + 2.5 * LATE,
                      "all": Y, "noise": RNG.normal(size=600)})  # fmt: skip


@pytest.mark.parametrize("nb", [NaiveBayes(), TunedNB(), NaiveBayes(prior={"late": 0.01, "on time": 0.99})])
def test_no_column_settles_more_than_all_doubt(nb: NaiveBayes) -> None:
    found = rank(collect(nb.fit(FRAME, Y)))
    assert found["all"].place == 1
    assert max(one.settles for one in found.values()) <= 1.0
    assert all(one.score <= 0 for one in found.values())
    assert found["all"].settles > 0.9


def test_the_score_is_the_mean_log_posterior_of_the_column_alone() -> None:
    nb = NaiveBayes("bins").fit(FRAME[["x"]], Y)
    said = nb.leave_one_out(FRAME[["x"]], Y)[np.arange(600), np.searchsorted(nb.classes_, Y)]
    assert rank(collect(nb))["x"].score == pytest.approx(said.mean(), abs=2e-3)

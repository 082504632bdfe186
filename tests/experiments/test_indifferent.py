"""The indifferent experiment: its counts by hand, its claims on real data."""

import numpy as np
import pandas as pd
import pytest

from candide.experiments import indifferent
from candide.experiments.indifferent import OURS, improvement, toss_ups

INF = float("inf")


def test_improvement_is_relative_and_full_where_only_the_rival_is_infinite():
    assert improvement(np.array([0.9, 0.5]), np.array([0.6, 0.5]), "accuracy").tolist() == pytest.approx([0.5, 0])
    ours, theirs = np.array([80.0, 5.0, INF, 110.0]), np.array([100.0, INF, INF, 100.0])
    assert improvement(ours, theirs, "log_score").tolist() == pytest.approx([0.2, 1.0, 0.0, -0.1])


def results(**by_set):
    return pd.DataFrame(
        [
            {"dataset": d, "model": m, "repeat": 0, "fold": j, "n_train": 9, "n_test": 1, "log_score": value}
            for d, (ours, theirs) in by_set.items()
            for m, side in ((OURS, ours), ("bibl", theirs))
            for j, value in enumerate(side)
        ]
    )


def test_a_toss_up_is_within_one_standard_error_of_zero():
    sure = ([1, 2, 3], [2, 3.1, 4])
    unsure = ([1, 2, 3], [2, 1, 3.1])
    infinite = ([1, 2, 3], [INF, 2, 3])
    assert toss_ups(results(sure=sure), "bibl", "log_score") == 0
    assert toss_ups(results(sure=sure, unsure=unsure, infinite=infinite), "bibl", "log_score") == 1


@pytest.mark.parametrize(
    ("wins", "tosses", "words"), [(12, 0, "the same count"), (10, 3, "no more than the 3"), (6, 3, "differs from the")]
)
def test_the_report_says_where_the_counts_differ_by_more_than_noise(wins, tosses, words):
    line = {"metric": "accuracy", "rival": "bibl", "wins": wins, "n": 16, "toss_ups": tosses, "largest": 0.1}
    line |= {"where": "IRIS", "points": "", "paper": indifferent.INDIFFERENT_WINS["bibl", "accuracy"]}
    assert words in indifferent._in_words(line)

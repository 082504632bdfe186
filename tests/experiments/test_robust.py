"""The robust experiment: verdicts by hand, and the paper's accuracies on real data."""

import os

import pytest

from candide.experiments import robust
from candide.experiments.published import ROBUST_TABLE
from candide.experiments.robust import apart, verdict
from candide.experiments.sets import Settings


@pytest.mark.parametrize(
    ("significance", "answer"), [(0.978, "yes 97.8 %"), (0.94, "equal"), (0.06, "equal"), (0.002, "no 99.8 %")]
)
def test_verdicts_read_like_the_papers(significance, answer):
    assert verdict(significance) == answer


def test_noise_is_twice_the_error_of_a_difference():
    assert not apart(70.0, 1.0, 72.8)
    assert apart(70.0, 1.0, 72.9)


@pytest.mark.skipif("CANDIDE_DATA" not in os.environ, reason="CANDIDE_DATA names no data folder")
def test_accuracies_are_the_papers_within_noise(monkeypatch):
    kept = ("Segmentation", "Vowel", "Wine", "New-Thyroid", "Ionosphere")
    monkeypatch.setattr(robust, "ROBUST_TABLE", {name: ROBUST_TABLE[name] for name in kept})
    results, report = robust.collect(Settings(n_jobs=1))
    assert results["dataset"].unique().tolist() == list(kept)
    for name in kept:
        scores = results[results["dataset"] == name].groupby("model")["accuracy"]
        for model in robust.MODELS:
            published = getattr(ROBUST_TABLE[name], model)
            assert not apart(100 * scores.mean()[model], 100 * scores.sem()[model], published)
    assert "No accuracy differs" in str(report)


@pytest.mark.skipif("CANDIDE_DATA" not in os.environ, reason="CANDIDE_DATA names no data folder")
def test_the_prognostic_set_leaves_out_what_leaks_the_outcome():
    from candide.datasets import load

    kept = load("wpbc").X.drop(columns=list(robust.LEFT_OUT["wpbc"]))
    assert kept.shape[1] == 30
    assert not kept.isna().any(axis=None)

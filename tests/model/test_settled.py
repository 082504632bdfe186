"""Settled: what was chosen and is not a sum. It follows from the statistics, and is kept while they are the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candide
from candide import NaiveBayes
from candide.distributions.automatic import Automatic
from candide.distributions.base import Choice

RNG = np.random.default_rng(0)
Y = np.arange(200) % 2
X = pd.DataFrame(
    {
        "tells": RNG.normal(size=200) + 3 * Y,
        "noise": RNG.normal(size=200),
        "k": RNG.choice(["u", "v"], 200),
    }
)


def test_every_column_has_its_choice_with_the_scores_of_the_candidates() -> None:
    settled = NaiveBayes().fit(X, Y).model_.settled
    assert [choice.name for choice in settled.choices[1:]] == ["nothing", "categorical"]
    assert settled.choices[0].name == max(settled.scores[0], key=lambda name: settled.scores[0][name])
    assert settled.scores[2] == {}
    assert settled.smoothing.name == "laplace"


def test_what_was_chosen_is_told_in_words_and_only_where_there_was_a_choice() -> None:
    settled = NaiveBayes({"noise": "normal"}).fit(X, Y).model_.settled
    told = settled.in_words(tuple(X))
    gain = settled.scores[0][settled.choices[0].name] - settled.scores[0]["nothing"]
    assert told == {"tells": f"{settled.choices[0].name} ({gain:+.3f} nats)"}


@pytest.fixture
def settling(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the columns for which a choice is made."""
    chosen: list[int] = []
    original = Automatic.settle

    def settle(self: Automatic, evidence: Any, positions: Any, discrete: bool) -> list[Choice]:
        chosen.extend(positions.tolist())
        return original(self, evidence, positions, discrete)

    monkeypatch.setattr(Automatic, "settle", settle)
    return chosen


def test_nothing_is_chosen_again_while_the_statistics_and_the_rules_are_the_same(settling: list[int]) -> None:
    nb = NaiveBayes().fit(X, Y)
    assert settling == [0, 1]
    nb.predict(X)
    nb.leave_one_out(X, Y)
    nb.set_params(costs=[[0, 1], [1, 0]]).predict(X)
    assert settling == [0, 1]
    nb.partial_fit(X[:5], Y[:5])
    assert settling == [0, 1]  # until an answer is asked for
    nb.predict(X)
    assert settling == [0, 1, 0, 1]


def test_a_model_that_was_saved_does_not_choose_again(settling: list[int], tmp_path: Path) -> None:
    nb = NaiveBayes(smoothing="auto").fit(X, Y)
    nb.save(tmp_path / "model.json")
    settling.clear()
    again = candide.load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict_proba(X), nb.predict_proba(X))
    assert settling == []
    assert again.model_.settled.scores == nb.model_.settled.scores
    assert again.model_.smoothing == nb.model_.smoothing
    again.partial_fit(X[:5], Y[:5]).predict(X)
    assert settling == [0, 1]


def test_what_is_settled_does_not_depend_on_how_the_rows_came() -> None:
    whole = NaiveBayes(smoothing="auto").fit(X, Y)
    parts = NaiveBayes(smoothing="auto").fit(X[::2], Y[::2]) + NaiveBayes(smoothing="auto").fit(X[1::2], Y[1::2])
    assert parts.model_.settled.distributions == whole.model_.settled.distributions
    assert parts.model_.settled.scores == whole.model_.settled.scores
    assert parts.model_.smoothing == whole.model_.smoothing

"""Rows that wait: counted when somebody asks, refused at once, and the same as rows that never waited."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.statistics.learnt import Learnt

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)).round(1)
Y = RNG.integers(0, 3, 60)
MIXED = pd.DataFrame(
    {"x": X[:, 0], "s": RNG.choice(["a", "b", "c"], 60), "k": pd.Categorical(RNG.choice(["u", "v"], 60))}
)


def same(a: NaiveBayes, b: NaiveBayes) -> bool:
    """Whether two models learnt the same: counts to the last one."""
    assert a.classes_.tolist() == b.classes_.tolist()
    counts = [np.asarray(m.statistics_["cells"].table) for m in (a, b)]
    return np.array_equal(*counts)


def waiting(nb: NaiveBayes) -> int:
    """How many tables wait to be counted."""
    return len(nb._state.held[1])


@pytest.mark.parametrize("table", [X, MIXED], ids=["array", "frame"])
@pytest.mark.parametrize("weight", [None, np.arange(1, 61), np.linspace(0.5, 2, 60)], ids=["none", "whole", "broken"])
def test_rows_learnt_one_by_one_are_those_learnt_at_once(table: Any, weight: Any) -> None:
    nb = NaiveBayes()
    for i in range(60):
        rows = slice(i, i + 1)
        nb.partial_fit(table[rows], Y[rows], sample_weight=None if weight is None else weight[rows])
    assert waiting(nb) > 30
    whole = NaiveBayes().fit(table, Y, sample_weight=weight)
    np.testing.assert_allclose(nb.predict_proba(table), whole.predict_proba(table), rtol=1e-12)
    assert waiting(nb) == 0
    assert weight is None or weight.dtype.kind == "f" or same(nb, whole)


def test_one_row_more_adds_nothing_up_before_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    nb = NaiveBayes().fit(X, Y)
    sums = []
    add = Learnt.__add__
    monkeypatch.setattr(Learnt, "__add__", lambda a, b: sums.append(1) or add(a, b))
    for i in range(40):
        nb.partial_fit(X[i : i + 1], Y[i : i + 1])
    assert sums == []
    assert nb.class_counts_.sum() == 100
    assert len(sums) == 1


def test_many_rows_do_not_wait() -> None:
    rng = np.random.default_rng(1)
    nb = NaiveBayes().fit(X, Y)
    nb.partial_fit(rng.normal(size=(20_000, 3)), rng.integers(0, 3, 20_000))
    assert waiting(nb) == 0


def test_whoever_gave_rows_may_write_over_them() -> None:
    nb = NaiveBayes("bins").fit(X, Y)
    row, label = X[:1].copy(), Y[:1].copy()
    nb.partial_fit(row, label)
    row[:] = 99.0
    label[:] = 2
    assert same(nb, NaiveBayes("bins").fit(np.concatenate([X, X[:1]]), np.concatenate([Y, Y[:1]])))


@pytest.mark.parametrize(
    ("rows", "label", "rule", "says"),
    [
        ([[1.0, np.inf, 0.0]], [0], "auto", "infinity"),
        ([[1.0, 2.0, 0.0]], ["a"], "auto", "two types"),
        ([[1.0, 1e200, 0.0]], [0], "normal", "overflows"),
        ([[1.0, -1.0, 0.0]], [0], "exponential", "outside the support"),
        ([[1.0, 2.0]], [0], "auto", "2 features"),
    ],
)
def test_what_cannot_be_counted_is_refused_at_once_and_changes_nothing(
    rows: Any, label: Any, rule: str, says: str
) -> None:
    nb = NaiveBayes(rule).fit(np.abs(X), Y).partial_fit(np.abs(X[:1]), Y[:1])
    before = nb.predict_proba(np.abs(X))
    nb.partial_fit(np.abs(X[1:2]), Y[1:2])
    with pytest.raises((ValueError, TypeError), match=says):
        nb.partial_fit(np.array(rows), label)
    assert nb.class_counts_.sum() == 62
    assert before.shape == nb.predict_proba(np.abs(X)).shape


def test_a_new_class_and_a_new_level_may_wait() -> None:
    nb = NaiveBayes().fit(MIXED, Y)
    new = pd.DataFrame({"x": [7.0], "s": ["z"], "k": pd.Categorical(["u"], categories=["u", "v"])})
    nb.partial_fit(new, [9])
    assert waiting(nb) == 1
    assert nb.classes_.tolist() == [0, 1, 2, 9]
    assert same(nb, NaiveBayes().fit(pd.concat([MIXED, new]), [*Y, 9]))


def test_a_model_is_pickled_with_the_rows_that_wait() -> None:
    nb = NaiveBayes().fit(X, Y).partial_fit(X[:1], Y[:1])
    again = pickle.loads(pickle.dumps(nb))
    assert same(again, nb)
    assert again.class_counts_.sum() == 61


def test_classes_declared_again_do_not_count_what_waits() -> None:
    nb = NaiveBayes().partial_fit(X, Y, classes=[0, 1, 2])
    for i in range(5):
        nb.partial_fit(X[i : i + 1], Y[i : i + 1], classes=[0, 1, 2])
    assert waiting(nb) == 5
    with pytest.raises(ValueError, match="not the same as on last call"):
        nb.partial_fit(X[:1], Y[:1], classes=[0, 1, 2, 3])
    assert waiting(nb) == 5

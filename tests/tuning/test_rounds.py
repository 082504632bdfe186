"""Two rounds of pairs, and what a user does with tuned weights besides: costs, priors, late classes, many of them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from candide import NaiveBayes, TunedNB, native
from candide.tuning import Tuned, settling
from candide.tuning.pairs import CoarseRows, Together


def two_pairs(n: int = 1500, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Two pairs of columns, one of which tells more than the other, and nothing that a column tells alone."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2, (n, 4))
    loud, quiet = bits[:, 0] ^ bits[:, 1], bits[:, 2] ^ bits[:, 3]
    y = rng.random(n) < 1.0 / (1.0 + np.exp(-(4.0 * loud + 2.0 * quiet - 3.0)))
    return pd.DataFrame(np.where(bits == 1, "yes", "no"), columns=list("abcd")), np.where(y, "in", "out")


def log_loss(nb: NaiveBayes, x: pd.DataFrame, y: np.ndarray) -> float:
    at = np.searchsorted(nb.classes_, y)
    return float(-nb.predict_log_proba(x)[np.arange(len(at)), at].mean())


def test_what_one_round_leaves_over_the_next_finds(monkeypatch):
    x, y = two_pairs()
    both = TunedNB(weights=Tuned(pairs=1)).fit(x, y)
    assert sorted(both.pairs_) == [("a", "b"), ("c", "d")]
    monkeypatch.setattr(settling, "ROUNDS", settling.ROUNDS[:1])
    one = TunedNB(weights=Tuned(pairs=1)).fit(x, y)
    assert one.pairs_ == [("a", "b")]
    new = two_pairs(seed=1)
    assert log_loss(both, *new) < log_loss(one, *new) - 0.02


def test_many_rows_share_the_pairs_of_all_folds():
    """Of more rows than are dealt into folds, these are not looked through again, and both rounds find the same."""
    x, y = two_pairs(9000)
    noise = np.random.default_rng(0).normal(size=(9000, 2))  # so that rows stay apart
    x = x.assign(p=noise[:, 0], q=noise[:, 1])
    assert set(TunedNB(weights=Tuned(pairs=1)).fit(x, y).pairs_) == {("a", "b"), ("c", "d")}


def test_pairs_have_the_cells_that_occur():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 4, 300)
    codes = np.column_stack([a, (a + rng.integers(0, 2, 300)) % 4]).astype(np.uint8)
    sized = [type("Sized", (), {"size": 5, "cuts": None})() for _ in range(2)]
    pairs = Together.found(CoarseRows(sized, codes), [(0, 1)])
    assert pairs.sizes == [8]
    behind = pairs.behind(np.zeros((300, 1), dtype=np.uint8))
    cells = codes[:, 0].astype(int) * 5 + codes[:, 1]
    np.testing.assert_array_equal(pairs.occurring[0][behind[:, 1]], cells)


def test_threads_change_nothing():
    x, y = two_pairs(2600)
    x = x.assign(n=np.random.default_rng(0).normal(size=2600))
    together = TunedNB().fit(x, y).predict_proba(x)
    native.set_threads(1)
    try:
        np.testing.assert_array_equal(TunedNB().fit(x, y).predict_proba(x), together)
    finally:
        native.set_threads(1 << 20)


def test_costs_and_priors_decide_as_without_weights():
    x, y = two_pairs()
    nb = TunedNB().fit(x, y)
    dear = TunedNB(costs={"in": {"in": 0, "out": 50}, "out": {"in": 1, "out": 0}}).fit(x, y)
    np.testing.assert_array_equal(dear.predict_proba(x), nb.predict_proba(x))
    assert (dear.predict(x) == "in").sum() < (nb.predict(x) == "in").sum()
    x = x.assign(n=np.random.default_rng(0).normal(size=len(x)))
    even = TunedNB(prior="uniform").fit(x, y)
    assert even.pairs_[0] == ("a", "b")
    assert log_loss(even, x, y) < log_loss(NaiveBayes(prior="uniform").fit(x, y), x, y) - 0.1


def test_late_classes_and_unseen_levels_are_scored():
    x, y = two_pairs()
    nb = TunedNB().fit(x, y).partial_fit(x[:30].assign(a="new"), ["late"] * 30)
    assert nb.classes_.tolist() == ["in", "late", "out"]
    p = nb.predict_proba(x.assign(b="never seen"))
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    late = nb.predict_proba(pd.concat([x[:1], x[:1].assign(a="new")]))[:, 1]
    assert late[1] > 1.5 * late[0]  # the column told little when its weight was settled
    both = (pd.concat([x, x[:30].assign(a="new")]), [*y, *["late"] * 30])
    parts = ((both[0][i : i + 400], both[1][i : i + 400]) for i in range(0, 1530, 400))
    tuned = nb.tune((part.assign(side=labels) for part, labels in parts), "side")
    assert tuned.tuned_on_ == 1530
    assert tuned.predict(x[:1].assign(a="new")) == ["late"]
    np.testing.assert_allclose(tuned.predict_proba(x), TunedNB().fit(*both).predict_proba(x), atol=0.02)


def test_of_many_classes_evenly_spaced_rows_are_weighed(monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(4000) % 40
    x = (rng.random((4000, 10)) < 0.3 + 0.4 * ((y[:, None] >> np.arange(10)) & 1)).astype(str)
    monkeypatch.setattr(settling, "WORK", 40 * 10 * 1000)
    nb = TunedNB().fit(x, y)
    assert nb.tuned_on_ == 1000  # every fourth row of each class, though classes come in turns
    plain = NaiveBayes().fit(x, y)
    at = np.arange(4000)
    assert nb.leave_one_out(x, y)[at, y].mean() > plain.leave_one_out(x, y)[at, y].mean() - 0.01


def test_twenty_rows_are_not_worse_than_naive_bayes_by_more_than_noise():
    losses = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        y = np.arange(420) % 2
        x = rng.normal(size=(420, 4)) + 0.8 * y[:, None]
        losses.append([log_loss(model().fit(x[:20], y[:20]), x[20:], y[20:]) for model in (TunedNB, NaiveBayes)])
    tuned, plain = np.mean(losses, axis=0)
    assert tuned < plain + 0.02

"""Performance against outside authorities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta
from sklearn.metrics import log_loss, roc_auc_score

from candide.evaluate.performance import area, jeffreys, performance


@given(st.integers(1, 500), st.data())
def test_jeffreys_interval_is_that_of_the_beta(n, data):
    k = data.draw(st.integers(0, n))
    low, high = jeffreys(k, n)
    assert low == pytest.approx(0 if k == 0 else beta.ppf(0.025, k + 0.5, n - k + 0.5))
    assert high == pytest.approx(1 if k == n else beta.ppf(0.975, k + 0.5, n - k + 0.5))


@given(st.lists(st.tuples(st.integers(0, 10), st.booleans(), st.integers(1, 3)), min_size=2, max_size=40))
def test_the_area_is_scikit_learns_with_ties_and_weights(rows):
    p, event, weight = (np.array(column) for column in zip(*rows, strict=True))
    if event.all() or not event.any():
        assert area(p / 10, event, weight.astype(float)) is None
    else:
        expected = roc_auc_score(event, p / 10, sample_weight=weight)
        assert area(p / 10, event, weight.astype(float)) == pytest.approx(expected)


def test_a_weight_is_as_many_rows():
    rng = np.random.default_rng(0)
    log_p = np.log(rng.dirichlet(np.ones(3), 30))
    truth, weight = rng.integers(0, 3, 30), rng.integers(1, 4, 30)
    one = performance(truth, log_p, np.full(3, 1 / 3), weight=weight)
    many = performance(np.repeat(truth, weight), np.repeat(log_p, weight, axis=0), np.full(3, 1 / 3))
    for name in ("rows", "accuracy", "interval", "log_loss", "doubt", "area", "confidence"):
        assert one[name] == pytest.approx(many[name])
    assert one["log_loss"] == pytest.approx(log_loss(truth, np.exp(log_p), sample_weight=weight))
    assert (one["confusion"] == many["confusion"]).all()
    assert one["doubt"] == pytest.approx(np.log(3))


def test_claims_are_in_bins_that_hold_rows_and_count_all_of_them():
    rng = np.random.default_rng(1)
    log_p = np.log(rng.dirichlet(np.ones(2), 200))
    found = performance(rng.integers(0, 2, 200), log_p, np.array([0.5, 0.5]))["classes"][1]
    rows = [b["rows"] for b in found["reliability"]]
    assert sum(rows) == 200
    assert min(rows) > 0
    assert found["histogram"]["came_true"].sum() + found["histogram"]["did_not"].sum() == 200

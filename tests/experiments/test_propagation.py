"""Equations 21 and 22 against exact fractions."""

from fractions import Fraction
from itertools import pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.experiments.propagation import _look_up, error_table, expanded_product_error, identity_gaps

shares = st.lists(st.tuples(st.integers(1, 20), st.integers(-10, 10)), min_size=1, max_size=6)


@given(shares)
def test_the_expansion_is_the_error_of_the_product(pairs):
    p = [Fraction(a, 20) for a, _ in pairs]
    delta = [Fraction(d, 40) for _, d in pairs]
    exact = prod(a + d for a, d in zip(p, delta, strict=True)) - prod(p)
    got = expanded_product_error(np.array(p, dtype=float), np.array(delta, dtype=float))
    assert got == pytest.approx(float(exact), abs=1e-12)


def test_both_identities_hold_to_rounding():
    assert max(identity_gaps(np.random.default_rng(0))) < 1e-13


def test_look_up_reads_the_table_of_each_class_and_attribute():
    table = np.arange(24).reshape(2, 3, 4)
    X = np.array([[0, 1, 3], [2, 2, 2]])
    expected = [[[table[c, i, x] for i, x in enumerate(row)] for c in range(2)] for row in X]
    assert _look_up(table, X).tolist() == expected


def test_errors_shrink_with_the_sample_and_the_product_is_best_in_the_end(monkeypatch):
    monkeypatch.setattr("candide.experiments.propagation.WORLDS", 5)
    lines = error_table(np.random.default_rng(1))
    for a, b in pairwise(lines):
        assert b["sum_relative"] < a["sum_relative"]
        assert b["product_changed"] < a["product_changed"]
    assert lines[-1]["product_accuracy"] > lines[-1]["sum_accuracy"]
    assert lines[-1]["product_best"] >= lines[-1]["product_accuracy"] - 0.01

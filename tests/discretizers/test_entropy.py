from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.discretizers.columns import columns

from candide.discretizers import Entropy


def entropy(rows):
    n = len(rows)
    shares = [Fraction(sum(c == k for _, c in rows), n) for k in {c for _, c in rows}]
    return -math.fsum(float(p) * math.log2(p) for p in shares)


def textbook(rows):
    """Fayyad and Irani's recursion over rows (value, class), every cut tried: slow and plain."""
    values = sorted({v for v, _ in rows})
    if len(values) < 2:
        return []
    options = []
    for a, b in itertools.pairwise(values):
        left, right = [r for r in rows if r[0] <= a], [r for r in rows if r[0] > a]
        remaining = (len(left) * entropy(left) + len(right) * entropy(right)) / len(rows)
        options.append((round(remaining, 12), (a + b) / 2, left, right))
    remaining, cut, left, right = min(options, key=lambda option: option[:2])
    n, k, k1, k2 = len(rows), *(len({c for _, c in part}) for part in (rows, left, right))
    delta = math.log2(3**k - 2) - (k * entropy(rows) - k1 * entropy(left) - k2 * entropy(right))
    if entropy(rows) - remaining <= (math.log2(n - 1) + delta) / n + 1e-12:
        return []
    return [*textbook(left), cut, *textbook(right)]


@given(columns(weights=st.integers(0, 6) | st.just(0), max_size=10))
def test_agrees_with_the_textbook(column):
    values, counts = column
    rows = [(v, c) for c, row in enumerate(counts.tolist()) for v, n in zip(values, row, strict=True) for _ in range(n)]
    np.testing.assert_array_equal(Entropy().cuts(values, counts), textbook(rows))


def test_finds_the_steps_of_a_clear_column():
    values = np.arange(300.0)
    classes = np.digitize(values, [100, 180])
    counts = np.eye(3)[:, classes]
    np.testing.assert_array_equal(Entropy().cuts(values, counts), [99.5, 179.5])


def test_noise_is_left_in_one_bin():
    rng = np.random.default_rng(0)
    found = [Entropy().cuts(np.arange(400.0), np.eye(2)[:, rng.integers(0, 2, 400)]).size for _ in range(20)]
    assert sum(found) <= 1


def test_light_weights_are_no_evidence():
    assert Entropy().cuts([0.0, 1.0], [[0.3, 0], [0, 0.3]]).size == 0
    assert Entropy().cuts([0.0, 1.0], [[60, 0], [0, 60]]).size == 1


def test_ten_thousand_values_and_twenty_six_classes_are_cut_between_the_humps():
    rng = np.random.default_rng(0)
    values = np.arange(10_000.0)
    means = rng.integers(0, 10_000, 26)
    counts = rng.poisson(np.exp(-0.5 * ((values - means[:, None]) / 400) ** 2))
    cuts = Entropy().cuts(values, counts)
    # neighbouring humps that do not overlap much are parted
    humps = np.sort(means)
    apart = np.flatnonzero(np.diff(humps) > 800)
    assert len(apart) > 2
    for low, high in zip(humps[apart], humps[apart + 1], strict=True):
        assert ((cuts > low) & (cuts < high)).any()

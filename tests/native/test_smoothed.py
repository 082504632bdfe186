"""Cells of equal mass, spread by rank: the kernels against their twins, and against what they promise."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide import native
from candide.native import reference

KERNELS = pytest.mark.parametrize("kernels", [native, reference], ids=["native", "reference"])


@st.composite
def cells(draw):
    """Counts (K, M) of some columns, their offsets, shares and widths."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    k, m = draw(st.integers(1, 3)), sum(sizes)
    weights = st.sampled_from([0.0, 0.25, 1.0, 2.0, 7.0])
    counts = np.array(draw(st.lists(st.lists(weights, min_size=m, max_size=m), min_size=k, max_size=k)))
    masses = np.array(draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=m, max_size=m)))
    offsets = np.cumsum([0, *sizes]).astype(np.int64)
    shares = np.concatenate([masses[a:b] / masses[a:b].sum() for a, b in pairwise(offsets)])
    widths = np.array(draw(st.lists(st.sampled_from([0.0, 0.02, 0.3]), min_size=len(sizes), max_size=len(sizes))))
    return counts, offsets, shares, widths


@given(cells())
def test_smoothing_is_that_of_the_twin_and_moves_no_weight_between_classes(some):
    counts, offsets, _, _ = some
    both = native.smooth(*some), reference.smooth(*some)
    for mine, theirs in zip(*both, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-14)
    for a, b in pairwise(offsets):
        np.testing.assert_allclose(both[0][0][:, a:b].sum(axis=1), counts[:, a:b].sum(axis=1), rtol=1e-12)


@given(cells(), st.integers(0, 3))
def test_scores_are_those_of_the_twin(some, halvings):
    counts, offsets, shares, _ = some
    class_counts = np.ceil(counts.sum(axis=1)) + 1.0
    rest = (class_counts, np.full(len(offsets) - 1, 0.4), halvings, np.array([0.5, 10.0]))
    for mine, theirs in zip(
        native.smooth_scores(counts, offsets, shares, *rest),
        reference.smooth_scores(counts, offsets, shares, *rest),
        strict=True,
    ):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-11)


def test_a_score_is_that_of_refitting_without_each_row():
    rng = np.random.default_rng(0)
    counts, offsets, shares = rng.integers(0, 4, (2, 5)).astype(float), np.array([0, 5]), np.full(5, 0.2)
    a, width, class_counts = 3.0, 0.2, counts.sum(axis=1)
    scores, nothing = native.smooth_scores(counts, offsets, shares, class_counts, np.array([width]), 0, np.array([a]))
    _, stays, _ = reference.smooth(counts, offsets, shares, np.array([width]))
    prior = (class_counts + 1) / (class_counts + 1).sum()
    pseudo = a * 5 / (1 / stays).sum() * prior[:, None] + shares
    total = silent = 0.0
    for c, k in np.argwhere(counts > 0):
        without = counts.copy()
        without[c, k] -= 1
        spread, _, _ = reference.smooth(without, offsets, shares, np.array([width]))
        theta = (spread + pseudo) / (without.sum(axis=1) + pseudo.sum(axis=1))[:, None]
        joint = (class_counts + 1 - (np.arange(2) == c)) * theta[:, k]
        total += counts[c, k] * np.log(joint[c] / joint.sum())
        silent += counts[c, k] * np.log(class_counts[c] / (class_counts.sum() + 1))
    np.testing.assert_allclose(scores[0, 1], total, rtol=1e-12)
    np.testing.assert_allclose(nothing[0], silent, rtol=1e-12)


@st.composite
def counted(draw):
    """Ascending values of some columns, and their counts (2, V)."""
    numbers = st.integers(-400, 400).map(lambda i: i / 8) | st.sampled_from([-1e300, -1e-300, 0.0, 5e-324, 1e300])
    columns = []
    for _ in range(draw(st.integers(1, 3))):
        values = np.array(sorted(set(draw(st.lists(numbers, max_size=30)))), dtype=float)
        rows = [[draw(st.sampled_from([0, 0, 1, 2, 9])) for _ in values] for _ in range(2)]
        columns.append((values, np.array(rows, dtype=draw(st.sampled_from([np.int8, np.int64, float])))))
    return columns


@given(counted(), st.integers(1, 8))
def test_cells_of_equal_mass_part_values_and_are_those_of_the_twin(columns, most):
    cuts, at, counts, means, ends = native.partition(columns, 2, most)
    for mine, theirs in zip((cuts, at, counts, means, ends), reference.partition(columns, 2, most), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)
    for j, (values, table) in enumerate(columns):
        weight = table.sum(axis=0, dtype=float)
        x, w = values[weight > 0], weight[weight > 0]
        mine = cuts[at[j] : at[j + 1]]
        assert len(mine) == max(len(x), 1) - 1 if len(x) <= most else len(mine) < most
        inside = np.searchsorted(mine, x, side="left")
        assert set(inside) == (set(range(len(mine) + 1)) if len(x) else set())  # no cell is empty
        if len(x) > most:  # no cell is heavier than its share and its two ends
            heavy = np.bincount(inside, weights=w)
            assert heavy.max() <= w.sum() / most + 2 * w.max()
    assert counts.sum() == sum(table.sum(dtype=float) for _, table in columns)


@KERNELS
@pytest.mark.parametrize("at", [0, 50, 100])
def test_a_heavy_value_leaves_the_others_as_many_cells_as_if_it_was_not_there(kernels, at):
    weights = np.ones((1, 101))
    weights[0, at] = 900
    cuts = kernels.partition([(np.arange(101.0), weights)], 1, 22)[0]
    masses = np.bincount(np.searchsorted(cuts, np.arange(101.0)), weights=weights[0])
    assert masses.max() == 900  # alone in its cell
    assert 20 <= len(masses) <= 22
    assert np.sort(masses)[-2] <= 6


@KERNELS
@pytest.mark.parametrize("most", [1, 3, 7])
def test_the_smallest_weights_there_are_end_in_cells_though_their_share_of_a_cell_is_no_number(kernels, most):
    weights = np.full((1, 9), 5e-324)
    weights[0, 4] = 1e-322  # beside which the others have no share
    cuts = kernels.partition([(np.arange(9.0), weights)], 1, most)[0]
    assert (np.diff(cuts) > 0).all()
    assert len(cuts) <= 8


@given(counted())
def test_cuts_that_are_given_are_kept(columns):
    given = [np.array([-1.0, 0.5]), *[None] * (len(columns) - 1)]
    found = native.partition(columns, 2, 4, given)
    for mine, theirs in zip(found, reference.partition(columns, 2, 4, given), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)
    assert found[0][:2].tolist() == [-1.0, 0.5]


@KERNELS
def test_cuts_are_short_in_decimals(kernels):
    values = np.array([1.2345, 1.2399, 2.0, 2.7, 300.0, 1000.0])
    cuts = kernels.partition([(values, np.ones((1, 6)))], 1, 6)[0]
    assert [repr(float(cut)) for cut in cuts] == ["1.237", "1.6", "2.0", "200.0", "600.0"]
    assert ((cuts >= values[:-1]) & (cuts < values[1:])).all()


@KERNELS
def test_what_cannot_be_is_refused(kernels):
    with pytest.raises(ValueError, match="at least 1"):
        kernels.partition([], 1, 0)
    with pytest.raises(ValueError, match="a row for each class"):
        kernels.partition([(np.zeros(1), np.ones((1, 1)))], 2, 4)


@given(counted())
def test_moments_of_values_are_those_of_the_twin_and_of_rows(columns):
    columns = [(v, c) for v, c in columns if not len(v) or np.abs(v).max() <= 1e100]
    n, mean, m2 = native.value_moments(columns, 2)
    for ours, theirs in zip((n, mean, m2), reference.value_moments(columns, 2), strict=True):
        assert ours.shape == (2, len(columns))
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-300)
    for j, (values, counts) in enumerate(columns):
        for c in range(2):
            rows = np.repeat(values, counts[c].astype(int))
            assert n[c, j] == len(rows)
            if len(rows):
                np.testing.assert_allclose(mean[c, j], rows.mean(), rtol=1e-12, atol=1e-12)
                np.testing.assert_allclose(m2[c, j], ((rows - rows.mean()) ** 2).sum(), rtol=1e-9, atol=1e-9)

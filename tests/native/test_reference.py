"""The NumPy kernels against outside authorities: NumPy's own statistics, SciPy, exact fractions."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats
from tests.native import strategies as some

from candide.native import reference


@given(st.data(), some.shapes(), some.seeds())
def test_moments_are_numpys(data, shape, rng):
    x = data.draw(some.numbers(shape, rng, some.FLOATS))
    y = rng.integers(0, 2, shape[0])
    n, mean, m2 = reference.moments(x, y, 2)
    for k in range(2):
        for j in range(shape[1]):
            cells = x[y == k, j].astype(np.float64)
            cells = cells[~np.isnan(cells)]
            assert n[k, j] == len(cells)
            if len(cells):
                np.testing.assert_allclose(mean[k, j], np.mean(cells))
                np.testing.assert_allclose(m2[k, j], np.var(cells) * len(cells), atol=1e-9)


def test_moments_equal_exact_fractions():
    values = [Fraction(1, 3), Fraction(10**9), Fraction(10**9 + 1), Fraction(-7, 8)]
    x = np.array([[float(v)] for v in values])
    exact = [Fraction(float(v)) for v in values]
    mean = sum(exact) / 4
    _, found, m2 = reference.moments(x, np.zeros(4, np.int64), 1)
    np.testing.assert_allclose(found, float(mean), rtol=1e-15)
    np.testing.assert_allclose(m2, float(sum((v - mean) ** 2 for v in exact)), rtol=1e-15)


@given(st.data(), some.shapes(), some.seeds())
def test_weights_repeat_rows(data, shape, rng):
    x = data.draw(some.numbers(shape, rng, (np.float64,)))
    y, w = rng.integers(0, 3, shape[0]), rng.integers(0, 4, shape[0])
    once = reference.moments(x, y, 3, w.astype(np.float64))
    repeated = reference.moments(np.repeat(x, w, axis=0), np.repeat(y, w), 3)
    for a, b in zip(once, repeated, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-9)


@given(st.data(), some.shapes(), some.seeds())
def test_level_counts_count_every_cell_once(data, shape, rng):
    codes, offsets = data.draw(some.codes(shape, rng))
    rows = data.draw(some.rows(shape[0], rng))
    counts, missing = reference.level_counts(codes, offsets, rows.y, rows.n_classes, rows.w)
    weight = np.ones(shape[0]) if rows.w is None else rows.w
    for k in range(rows.n_classes):
        for j in range(shape[1]):
            of_column = counts[k, offsets[j] : offsets[j + 1]]
            assert of_column.sum() + missing[k, j] == weight[rows.y == k].sum()
            for level, count in enumerate(of_column):
                assert count == weight[(rows.y == k) & (codes[:, j] == level)].sum()


def test_bins_are_open_below_and_closed_above():
    x = np.array([[0.5, 1.0, 1.5, 2.0, 3.0, np.nan]]).T
    codes = reference.bin_codes(x, np.array([1.0, 2.0]), np.array([0, 2]))
    assert codes.ravel().tolist() == [0, 0, 1, 1, 2, -1]


def test_normal_log_density_is_scipys():
    rng = np.random.default_rng(0)
    x, mean, var = rng.normal(size=(20, 3)), rng.normal(size=(2, 3)), rng.uniform(0.5, 2, (2, 3))
    out = np.zeros((20, 2))
    reference.add_normal(x, mean, var, out)
    wanted = stats.norm.logpdf(x[:, None, :], mean, np.sqrt(var)).sum(axis=2)
    np.testing.assert_allclose(out, wanted)


def test_normal_log_density_without_a_row_is_scipys_of_the_others():
    rng = np.random.default_rng(0)
    x, y = rng.normal(50, 3, size=(12, 2)), np.repeat([0, 1, 2], 4)
    x[y == 2, 1] = 50.0  # floored: the class does not deviate
    out = np.zeros((12, 3))
    n, mean, m2 = reference.moments(x, y, 3)
    reference.add_normal_left_out(x, n.astype(float), mean, m2, y, None, 0.01, 0.0, out)
    for row in range(12):
        others = np.arange(12) != row
        floor = 0.01 * np.var(x[others], axis=0)
        for k in range(3):
            left = x[others & (y == k)]
            scale = np.sqrt(np.maximum(np.var(left, axis=0), floor))
            wanted = stats.norm.logpdf(x[row], left.mean(axis=0), scale).sum()
            np.testing.assert_allclose(out[row, k], wanted, rtol=1e-9)


def test_own_table_is_read_for_the_own_class_alone():
    codes, y = np.array([[0, 1], [1, -1], [1, 0]]), np.array([1, 0, -1])
    table, own = np.arange(8.0).reshape(4, 2), 10 * np.arange(8.0).reshape(4, 2)
    out = np.ones((3, 2))
    reference.add_gather_left_out(codes, np.array([0, 2, 4]), table, own, y, out)
    np.testing.assert_array_equal(out, [[1 + 0 + 6, 1 + 10 + 70], [1 + 20, 1 + 3], [1 + 2 + 4, 1 + 3 + 5]])


def test_log_normalize_is_scipys_log_softmax():
    scores = np.random.default_rng(0).normal(0, 50, (30, 4))
    wanted = special.log_softmax(scores, axis=1)
    assert reference.log_normalize(scores) is None
    np.testing.assert_allclose(scores, wanted, atol=1e-12)


def test_impossible_rows_stay_and_are_reported():
    scores = np.array([[-np.inf, -np.inf], [0.0, -np.inf]])
    assert reference.log_normalize(scores).tolist() == [True, False]
    np.testing.assert_array_equal(scores, [[-np.inf, -np.inf], [0.0, -np.inf]])


def test_sparse_kernels_are_products_with_the_labels():
    rng = np.random.default_rng(0)
    dense = np.where(rng.uniform(size=(50, 7)) < 0.4, rng.integers(1, 5, (50, 7)), 0)
    y, w, weights = rng.integers(0, 3, 50), rng.uniform(size=50), rng.normal(size=(7, 3))
    onehot = (y == np.arange(3)[:, None]) * w
    from scipy.sparse import csr_array

    x = csr_array(dense)
    parts = (x.data, x.indices, x.indptr)
    np.testing.assert_allclose(reference.csr_sums(*parts, y, 3, 7, w), onehot @ dense)
    out = np.ones((50, 3))
    reference.add_csr(*parts, weights, out)
    np.testing.assert_allclose(out, 1 + dense @ weights)

"""Counts, moments and sums of tables: every compiled kernel computes what its NumPy twin computes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native import strategies as some
from tests.native.same import assert_same
from threadpoolctl import threadpool_limits

from candide.native import reference

native = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")


def table_of(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    x = rng.normal(size=(n, 5))
    x[rng.uniform(size=x.shape) < 0.05] = np.nan
    return x, rng.integers(0, 3, n)


@given(st.data(), some.shapes(), some.seeds())
def test_level_counts(data, shape, rng):
    codes, offsets = data.draw(some.codes(shape, rng))
    rows = data.draw(some.rows(shape[0], rng))
    arguments = (codes, offsets, rows.y, rows.n_classes, rows.w)
    expected = reference.level_counts(*arguments)
    assert_same(native.level_counts(*arguments), expected)
    if shape[1]:
        apart = [np.ascontiguousarray(column) for column in codes.T]
        assert_same(native.level_counts(apart, *arguments[1:]), expected)


@given(st.data(), some.shapes(), some.seeds(), st.booleans())
def test_moments(data, shape, rng, log):
    x = data.draw(some.numbers(shape, rng))
    rows = data.draw(some.rows(shape[0], rng))
    arguments = (x, rows.y, rows.n_classes, rows.w, log)
    assert_same(native.moments(*arguments), reference.moments(*arguments), atol=1e-7)


@given(st.data(), some.shapes(), some.seeds())
def test_dense_sums(data, shape, rng):
    x = data.draw(some.numbers(shape, rng))
    rows = data.draw(some.rows(shape[0], rng))
    arguments = (x, rows.y, rows.n_classes, rows.w)
    assert_same(native.dense_sums(*arguments), reference.dense_sums(*arguments))


@given(st.data(), some.shapes(), some.seeds())
def test_bins(data, shape, rng):
    x = data.draw(some.numbers(shape, rng))
    cuts, offsets = some.random_cuts(shape[1], rng)
    rows = data.draw(some.rows(shape[0], rng))
    assert_same(native.bin_codes(x, cuts, offsets), reference.bin_codes(x, cuts, offsets))
    arguments = (x, cuts, offsets, rows.y, rows.n_classes, rows.w)
    assert_same(native.bin_counts(*arguments), reference.bin_counts(*arguments))


@pytest.mark.parametrize("scale", ["even", "skewed", "touching"])
@pytest.mark.parametrize("n_cuts", [1, 2, 24, 25, 26, 10_000])
def test_bins_of_values_on_and_beside_cuts(n_cuts, scale):
    rng = np.random.default_rng(n_cuts)
    cuts = np.sort(rng.normal(size=n_cuts))
    if scale == "skewed":
        cuts = np.exp(10 * cuts)
    if scale == "touching":  # neighbouring doubles: buckets cannot tell them apart
        cuts = 1 + np.arange(n_cuts) * np.finfo(float).eps
    x = np.concatenate([cuts, np.nextafter(cuts, -np.inf), np.nextafter(cuts, np.inf), [np.nan, 0.0, -1e300, 1e300]])
    offsets = np.array([0, n_cuts])
    assert_same(native.bin_codes(x[:, None], cuts, offsets), reference.bin_codes(x[:, None], cuts, offsets))


def test_threads_change_no_count_and_sums_only_by_rounding():
    x, y = table_of(200_000, np.random.default_rng(0))
    codes = np.nan_to_num(x, nan=-1).astype(np.int8).clip(-1, 2)
    offsets, cuts = np.arange(0, 18, 3), np.tile([-0.5, 0.5], 5)
    results = []
    for threads in (1, 2, 3):
        with threadpool_limits(threads, user_api="openmp"):
            scores = np.zeros((len(x), 3))
            native.add_gather(codes, offsets, np.arange(45.0).reshape(15, 3) / 9, scores)
            native.log_normalize(scores)
            n, mean, m2 = native.moments(x, y, 3)
            native.add_normal_left_out(x, n.astype(float), mean, m2, y, None, 1e-3, 0.0, scores)
            results.append(
                (
                    native.level_counts(codes, offsets, y, 3),
                    native.bin_counts(x, cuts, np.arange(0, 12, 2), y, 3),
                    native.moments(x, y, 3),
                    scores,
                )
            )
    for other in results[1:]:
        assert_same(other[:2], results[0][:2])
        assert_same(other[2:], results[0][2:], rtol=1e-12, atol=1e-12)
    assert_same(results[0][2], reference.moments(x, y, 3), atol=1e-7)


@pytest.mark.parametrize("ratio", [1e3, 1e6, 1e8])
@pytest.mark.parametrize("weighted", [False, True])
def test_moments_keep_small_spreads_about_large_means(ratio, weighted):
    rng = np.random.default_rng(1)
    deviation = rng.normal(size=(50_000, 3))
    y = rng.integers(0, 2, 50_000)
    x = deviation + ratio * np.array([1.0, -2.0, 3.0]) * (1 + y[:, None])  # classes lie far apart, too
    w = rng.uniform(0.5, 2, 50_000) if weighted else None
    m2 = native.moments(x, y, 2, w)[2]
    exact = reference.moments((x - ratio * np.array([1.0, -2.0, 3.0]) * (1 + y[:, None])), y, 2, w)[2]
    np.testing.assert_allclose(m2, exact, rtol=1e-6)


def test_an_outlier_first_does_not_spoil_the_variance():
    x = np.concatenate([[1e8], np.random.default_rng(2).normal(size=100_000)])[:, None]
    y = np.zeros(len(x), np.int64)
    w = np.concatenate([[1e-16], np.ones(100_000)])  # and counts for next to nothing
    np.testing.assert_allclose(native.moments(x, y, 1, w)[2], reference.moments(x, y, 1, w)[2], rtol=1e-6)


@pytest.mark.parametrize("light", [1, 60, 1_000, 9_000])
@pytest.mark.parametrize("growing", [False, True])
def test_rows_of_next_to_no_weight_do_not_spoil_the_variance(light, growing):
    # light rows lie far from the heavy ones, and come first
    rng = np.random.default_rng(3)
    n = 10_000
    heavy = np.arange(n) >= light
    x = rng.normal(size=(n, 3)) + 1e6 * heavy[:, None]
    x[: n // 2, 2] = np.nan
    w = np.where(heavy, 1.0, 1e-15)
    if growing:
        w = 10 ** np.linspace(-15, 0, n)
        w[~heavy] = 1e-30
    y = np.zeros(n, np.int64)
    assert_same(native.moments(x, y, 1, w), reference.moments(x, y, 1, w), rtol=1e-8, atol=0)


@pytest.mark.parametrize("lightest", [1e-3, 1e-9, 1e-15])
def test_weights_of_every_size_keep_small_spreads_about_large_means(lightest):
    rng = np.random.default_rng(4)
    x = rng.normal(size=(20_000, 3)) + 1e6
    w = np.exp(rng.uniform(np.log(lightest), 0, 20_000))
    y = rng.integers(0, 2, 20_000)
    assert_same(native.moments(x, y, 2, w), reference.moments(x, y, 2, w), rtol=1e-9, atol=0)


def test_logarithms_are_accurate_over_the_whole_range():
    x = np.concatenate([np.exp(np.linspace(-744, 709, 4001)), [1.0, 1 - 1e-16, 1 + 1e-15, 5e-324]])
    found = native.moments(np.repeat(x[None, :], 1, 0), np.zeros(1, np.int64), 1, None, True)[3][0]
    np.testing.assert_allclose(found, np.log(x), rtol=1e-15, atol=1e-300)


@given(st.data(), some.seeds(), st.integers(0, 300), st.integers(1, 9), st.booleans())
def test_columns_that_lie_apart_are_summed_and_counted_as_a_matrix(data, rng, n, d, log):
    x = np.round(rng.lognormal(size=(n, d)), 1).astype(data.draw(st.sampled_from(some.FLOATS)))
    x[rng.uniform(size=x.shape) < 0.1] = np.nan
    if log:
        x[x == 0] = 1
    apart = [x[:, j].copy() for j in range(d)]
    y = rng.integers(-1, 3, n)
    for kernels in (native, reference):
        assert_same(kernels.moments(apart, y, 3, log=log), kernels.moments(x, y, 3, log=log))
        for ours, theirs in zip(kernels.count_values(apart, y, 3), kernels.count_values(x, y, 3), strict=True):
            assert_same(ours, theirs)


def test_columns_that_do_not_lie_alike_are_refused():
    y = np.zeros(3, dtype=np.int64)
    for wrong in ([np.zeros(3), np.zeros(2)], [np.zeros(3), np.zeros(3, np.float32)], [np.zeros(3), np.zeros(6)[::2]]):
        with pytest.raises(ValueError, match="one length, type and layout"):
            native.moments(wrong, y, 1)
    with pytest.raises(ValueError, match="must have a column"):
        native.moments([], y, 1)

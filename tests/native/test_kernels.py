"""Every compiled kernel computes what its NumPy twin computes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from tests.native import strategies as some
from tests.native.same import assert_same
from threadpoolctl import threadpool_limits

from candide.native import reference

native = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")


def assert_adds_the_same(name: str, *arguments: Any, shape: tuple[int, int], rng: np.random.Generator) -> None:
    found = rng.normal(size=shape)
    wanted = found.copy()
    getattr(native, name)(*arguments, found)
    getattr(reference, name)(*arguments, wanted)
    assert_same(found, wanted)


@given(st.data(), some.shapes(), some.seeds())
def test_level_counts(data, shape, rng):
    codes, offsets = data.draw(some.codes(shape, rng))
    rows = data.draw(some.rows(shape[0], rng))
    arguments = (codes, offsets, rows.y, rows.n_classes, rows.w)
    assert_same(native.level_counts(*arguments), reference.level_counts(*arguments))


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
    table = rng.normal(size=(len(cuts) + shape[1], rows.n_classes))
    out = (shape[0], rows.n_classes)
    assert_adds_the_same("add_bin_gather", x, cuts, offsets, table, shape=out, rng=rng)


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


@given(st.data(), some.shapes(), some.seeds(), st.integers(1, 40))
def test_add_gather(data, shape, rng, n_classes):
    codes, offsets = data.draw(some.codes(shape, rng))
    table = rng.normal(size=(offsets[-1], n_classes))
    table[rng.uniform(size=table.shape) < 0.05] = -np.inf
    assert_adds_the_same("add_gather", codes, offsets, table, shape=(shape[0], n_classes), rng=rng)


def test_codes_outside_their_column_add_nothing():
    codes = np.array([[0, 2**40], [5, 1], [-(2**40), -1]])
    table, out = np.arange(6.0).reshape(3, 2), np.zeros((3, 2))
    native.add_gather(codes, np.array([0, 1, 3]), table, out)
    np.testing.assert_array_equal(out, [[0, 1], [4, 5], [0, 0]])


@given(st.data(), some.shapes(), some.seeds(), st.integers(1, 40))
def test_add_normal(data, shape, rng, n_classes):
    x = data.draw(some.numbers(shape, rng))
    mean, var = rng.normal(70, 20, (n_classes, shape[1])), rng.uniform(100, 400, (n_classes, shape[1]))
    var[rng.uniform(size=var.shape) < 0.1] = np.inf
    assert_adds_the_same("add_normal", x, mean, var, shape=(shape[0], n_classes), rng=rng)


@given(st.data(), some.shapes(), some.seeds())
def test_add_gather_left_out(data, shape, rng):
    codes, offsets = data.draw(some.codes(shape, rng))
    rows = data.draw(some.rows(shape[0], rng))
    table, own = rng.normal(size=(2, offsets[-1], rows.n_classes))
    table[rng.uniform(size=table.shape) < 0.05] = -np.inf
    own[rng.uniform(size=own.shape) < 0.05] = -np.inf
    out = (shape[0], rows.n_classes)
    assert_adds_the_same("add_gather_left_out", codes, offsets, table, own, rows.y, shape=out, rng=rng)


@given(st.data(), some.shapes(), some.seeds(), st.sampled_from([0.0, 0.5, 3.0]))
def test_add_normal_left_out(data, shape, rng, scatter):
    x = data.draw(some.numbers(shape, rng))
    rows = data.draw(some.rows(shape[0], rng))
    if x.size and x.flags.writeable and data.draw(st.booleans()):
        x[:, 0] = 5  # a constant column says nothing
        x[:1, 0] = 6  # unless the first row is there
        x[rows.y == 0, -1] = 3  # a class that does not deviate is floored
    n, mean, m2 = reference.moments(x, rows.y, rows.n_classes, rows.w)
    # moments of rows that were learnt before, too; some classes never saw some columns
    n = n + (scatter * (rng.uniform(size=n.shape) < 0.7)).round()
    m2 = np.where(n > 0, m2 + scatter, 0.0)
    arguments = (x, n.astype(float), mean, m2, rows.y, rows.w, 1e-3, 1e-14)
    assert_adds_the_same("add_normal_left_out", *arguments, shape=(shape[0], rows.n_classes), rng=rng)


@given(
    some.seeds(),
    st.integers(0, 30),
    st.integers(1, 40),
    st.sampled_from([0.1, 10.0, 1000.0]),
    st.sampled_from([0.0, 1e-12, 1e-3]),
)
def test_log_normalize_and_argmax(rng, n, n_classes, scale, tie):
    scores = rng.normal(0, scale, (n, n_classes)) - 500
    scores[rng.uniform(size=scores.shape) < 0.2] = -np.inf
    scores[rng.uniform(size=n) < 0.2] = -np.inf
    assert_same(native.argmax(scores), reference.argmax(scores))
    wanted = scores.copy()
    assert_same(native.log_normalize(scores, tie), reference.log_normalize(wanted, tie))
    assert_same(scores, wanted, rtol=1e-14, atol=1e-15)


@given(some.seeds(), st.sampled_from([(1, 1), (30, 12), (200, 50), (3, 2000)]), st.data())
def test_sparse(rng, shape, data):
    types = st.sampled_from([np.float64, np.float32, np.int64, np.int8])
    dense = np.where(rng.uniform(size=shape) < 0.3, rng.integers(-3, 9, shape), 0).astype(data.draw(types))
    x = sparse.csr_array(dense)
    x.data[rng.uniform(size=x.nnz) < 0.1] = 0  # stored zeros
    index = data.draw(st.sampled_from([np.int32, np.int64]))
    parts = (x.data, x.indices.astype(index), x.indptr.astype(index))
    rows = data.draw(some.rows(shape[0], rng))
    arguments = (*parts, rows.y, rows.n_classes, shape[1], rows.w)
    assert_same(native.csr_sums(*arguments), reference.csr_sums(*arguments))
    assert_same(native.csr_nonzero(*arguments), reference.csr_nonzero(*arguments))
    weights = rng.normal(size=(shape[1], rows.n_classes))
    weights[rng.uniform(size=weights.shape) < 0.02] = -np.inf
    with np.errstate(invalid="ignore"):  # inf - inf, in both
        assert_adds_the_same("add_csr", *parts, weights, shape=(shape[0], rows.n_classes), rng=rng)


@given(some.seeds(), st.integers(0, 3000), st.integers(1, 2000), st.integers(0, 1500), st.data())
def test_distinct(rng, n, n_values, limit, data):
    x = rng.integers(-n_values // 2, n_values // 2 + 1, n) / 4
    x[rng.uniform(size=n) < 0.1] = np.nan
    x[rng.uniform(size=n) < 0.1] *= -0.0
    x = x.astype(data.draw(st.sampled_from(some.FLOATS)))
    found = native.distinct(x[::2], limit)
    assert_same(found, reference.distinct(x[::2], limit))
    assert found is None or not np.signbit(found[found == 0]).any()


@given(some.seeds(), st.integers(0, 2000), st.sampled_from([np.bool_, *some.INTEGERS]), st.sampled_from([1, 3, 10**15]))
def test_label_codes(rng, n, dtype, spread):
    y = (rng.integers(0, 90, n) * (spread if np.dtype(dtype).itemsize == 8 else 1)).astype(dtype)
    if np.dtype(dtype).kind == "i":
        y = y - dtype(40)
    assert_same(native.label_codes(y), reference.label_codes(y))
    assert_same(native.label_codes(y[::-3]), reference.label_codes(y[::-3]))


@given(st.data(), some.shapes(), some.seeds(), st.booleans())
def test_checks(data, shape, rng, strict):
    x = data.draw(some.numbers(shape, rng))
    bound = float(rng.choice([1.0, 30.0, 50.0]))
    assert native.first_below(x, bound, strict) == reference.first_below(x, bound, strict)
    assert native.check_finite(x) is None
    if x.dtype.kind == "f" and x.size and x.flags.writeable:
        cell = (int(rng.integers(shape[0])), int(rng.integers(shape[1])))
        x[cell] = -np.inf
        assert native.check_finite(x) == reference.check_finite(x) == cell


def table_of(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    x = rng.normal(size=(n, 5))
    x[rng.uniform(size=x.shape) < 0.05] = np.nan
    return x, rng.integers(0, 3, n)


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


def test_exponentials_are_accurate():
    gaps = np.concatenate([np.linspace(0, 40, 2001), [700.0, 750.0, 1e5]])
    scores = np.stack([np.zeros_like(gaps), -gaps], axis=1)
    native.log_normalize(scores)
    np.testing.assert_allclose(scores[:, 0], -np.log1p(np.exp(-gaps)), rtol=1e-13, atol=3e-16)

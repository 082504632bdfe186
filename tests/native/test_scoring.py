"""Scores: every compiled kernel computes what its NumPy twin computes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native import strategies as some
from tests.native.same import assert_adds_the_same, assert_same
from threadpoolctl import threadpool_limits

from candide.native import reference

native = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")


@given(st.data(), some.shapes(), some.seeds(), st.integers(1, 40))
def test_add_gather(data, shape, rng, n_classes):
    codes, offsets = data.draw(some.codes(shape, rng))
    table = rng.normal(size=(offsets[-1], n_classes))
    table[rng.uniform(size=table.shape) < 0.05] = -np.inf
    assert_adds_the_same("add_gather", codes, offsets, table, shape=(shape[0], n_classes), rng=rng)
    if shape[1]:
        assert_adds_the_same("add_gather", list(codes.T), offsets, table, shape=(shape[0], n_classes), rng=rng)


@given(st.data(), some.shapes(), some.seeds(), st.integers(1, 40))
def test_add_bin_gather(data, shape, rng, n_classes):
    x = data.draw(some.numbers(shape, rng))
    cuts, offsets = some.random_cuts(shape[1], rng)
    table = rng.normal(size=(len(cuts) + shape[1], n_classes))
    assert_adds_the_same("add_bin_gather", x, cuts, offsets, table, shape=(shape[0], n_classes), rng=rng)


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


def test_thousands_of_columns_without_a_row():
    # the product of all variances overflows, and so would that of their mantissas, which are close to √2
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(5, 12_000)), np.array([0, 1, 1, 0, -1])
    n, mean, m2 = np.full((3, 2, 12_000), [[[1e6]], [[0.0]], [[1.4e6]]])
    assert_adds_the_same("add_normal_left_out", x, n, mean, m2, y, None, 1e-3, 0.0, shape=(5, 2), rng=rng)


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
    best, lost = native.argmax(scores, tie), n_classes - 1
    assert_same(best, reference.argmax(scores, tie))
    assert_same(native.argmax(scores, tie, lost), reference.argmax(scores, tie, lost))
    np.testing.assert_array_equal(native.argmax(scores, tie, lost), np.where(np.isneginf(scores).all(1), lost, best))
    wanted = scores.copy()
    assert_same(native.log_normalize(scores, tie), reference.log_normalize(wanted, tie))
    assert_same(scores, wanted, rtol=1e-14, atol=1e-15)
    assert_same(best, native.argmax(scores))


@pytest.mark.parametrize("n_classes", [2, 16, 33, 41])
@pytest.mark.parametrize("tie", [0.0, 1e-3])
def test_nothing_ties_with_an_infinite_score(n_classes, tie):
    scores = np.random.default_rng(0).normal(0, 1e6, (9, n_classes))
    scores[np.arange(8), np.arange(8) % n_classes] = np.inf
    assert_same(native.argmax(scores, tie), reference.argmax(scores, tie))
    np.testing.assert_array_equal(native.argmax(scores, tie)[:8], np.isinf(scores).argmax(axis=1)[:8])


def test_exponentials_are_accurate():
    gaps = np.concatenate([np.linspace(0, 40, 2001), [700.0, 750.0, 1e5]])
    scores = np.stack([np.zeros_like(gaps), -gaps], axis=1)
    native.log_normalize(scores)
    np.testing.assert_allclose(scores[:, 0], -np.log1p(np.exp(-gaps)), rtol=1e-13, atol=3e-16)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 4, 5, 13, 20])
@pytest.mark.parametrize("x", [1e155, -1e200, 1e308])
def test_a_class_without_a_variance_says_nothing_of_numbers_whose_squares_overflow(x, n_classes):
    mean, var = np.zeros((n_classes, 2)), np.full((n_classes, 2), np.inf)
    mean[-1, 0], var[-1] = 3.0, 1e300
    numbers = np.array([[x, 1.0], [x, np.nan]])
    rng = np.random.default_rng(0)
    assert_adds_the_same("add_normal", numbers, mean, var, shape=(2, n_classes), rng=rng)
    for kernels in (native, reference):
        out = np.zeros((2, n_classes))
        kernels.add_normal(numbers, mean, var, out)
        assert (out[:, :-1] == 0).all()
        assert not np.isnan(out).any()


@given(some.seeds(), st.integers(1, 11), st.integers(1, 140), st.booleans(), st.booleans())
def test_logarithms_of_softened_counts(rng, n_classes, n_columns, whole, each):
    """Whole and weighed counts, small and large; one pseudo-count and total for all columns, or one each."""
    counts = rng.choice(
        [0, 1, 2, 63, 64, 1e6, 1e-300], (n_classes, n_columns), p=[0.5, 0.2, 0.1, 0.05, 0.05, 0.05, 0.05]
    )
    counts = np.floor(counts) if whole else counts + rng.uniform(size=counts.shape)
    pseudo = np.where(rng.uniform(size=n_columns if each else 1) < 0.2, 0.0, rng.uniform(0, 2))
    log_total = rng.normal(size=(n_columns if each else 1, n_classes))
    found = native.log_softened(counts, pseudo, log_total)
    assert_same(found, reference.log_softened(counts, pseudo, log_total), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_logarithms_do_not_depend_on_threads(threads):
    counts = np.random.default_rng(0).poisson(0.3, (900, 6_001)).astype(float)
    pseudo, log_total = np.ones(1), np.log(counts.sum(axis=1) + 1)[None]
    with threadpool_limits(threads, user_api="openmp"):
        found = native.log_softened(counts, pseudo, log_total)
    assert_same(found, reference.log_softened(counts, pseudo, log_total), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize(("pseudo", "total"), [((3,), (1, 2)), ((1,), (1, 3)), ((1,), (3, 2)), ((0,), (1, 2))])
def test_softening_refuses_shapes_that_do_not_fit(pseudo, total):
    with pytest.raises(ValueError, match="has shape"):
        native.log_softened(np.ones((2, 4)), np.ones(pseudo), np.ones(total))


@given(some.seeds(), st.integers(0, 1200), st.integers(1, 6), st.integers(1, 9))
def test_normal_densities_by_group(rng, n, n_classes, n_groups):
    x = np.where(rng.uniform(size=n) < 0.1, np.nan, rng.normal(scale=10.0 ** rng.integers(-3, 150), size=n))
    groups = rng.integers(-2, n_groups + 1, n)  # none, or none of them
    mean, var = rng.normal(size=(n_classes, n_groups)), rng.gamma(1.0, size=(n_classes, n_groups))
    var[rng.uniform(size=var.shape) < 0.2] = np.inf
    assert_adds_the_same("add_normal_at", x, groups, mean, var, shape=(n, n_classes), rng=rng)

"""The convex problem: exact derivatives, the least that SciPy finds, and the same numbers without a compiler."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import check_grad, minimize

from candide import native
from candide.native import reference

SHAPES = [(2, 90, 3, 0), (3, 70, 4, 2), (5, 60, 2, 1), (1, 20, 2, 0), (11, 80, 3, 0)]


def problem(n_classes: int, rows: int, columns: int, loose: int, seed: int = 0):
    """Rows of random codes, one beyond the last cell among them, and random entries of all three kinds."""
    rng = np.random.default_rng(seed)
    sizes = [1, *rng.integers(2, 6, columns)]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    codes = np.column_stack([rng.integers(0, size + (size > 1), rows) for size in sizes]).astype(np.uint8)
    y = np.sort(rng.integers(0, n_classes, rows))
    starts = np.searchsorted(y, np.arange(n_classes + 1)).astype(np.int64)
    entries = int(offsets[-1])
    others, own = rng.normal(size=(2, entries, n_classes))
    line, free = np.full((2, entries), -1)
    line[1 : offsets[2]] = 0
    free[offsets[2] :] = np.arange(entries - offsets[2])
    dense = rng.normal(size=(rows, loose * n_classes)) if loose else None
    given = (codes, starts, rng.random(rows) + 0.5, dense)
    told = (offsets, others, own, rng.normal(size=entries), line, free, columns - 1)
    size = 2 + columns - 1 + loose + n_classes + n_classes * (1 + entries - int(offsets[2]))
    return given, told, rng.normal(size=size)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kernels", [native, reference])
def test_the_derivative_is_that_of_the_loss(kernels, shape):
    rows, entries, p = problem(*shape)
    value = lambda p: kernels.weight_loss(rows, entries, True, p)[0]  # noqa: E731
    gradient = lambda p: kernels.weight_loss(rows, entries, True, p)[1]  # noqa: E731
    assert check_grad(value, gradient, p) < 1e-4 * (1.0 + np.abs(gradient(p)).max())


@pytest.mark.parametrize("shape", [*SHAPES, *((k, 60, 2, 0) for k in (4, 8, 16, 17, 18, 19, 26, 33, 35, 67))])
def test_kernels_give_what_numpy_gives(shape):
    rows, entries, p = problem(*shape)
    found, expected = (kernels.weight_loss(rows, entries, True, p) for kernels in (native, reference))
    assert found[0] == pytest.approx(expected[0], rel=1e-12)
    np.testing.assert_allclose(found[1], expected[1], atol=1e-10)
    codes, starts, w, _ = rows
    offsets, others, own = entries[:3]
    base = np.random.default_rng(1).normal(size=(len(codes), others.shape[1]))
    left = [np.empty_like(base) for _ in range(2)]
    both = [
        kernels.tuning_loss(codes, offsets, others, own, starts, w, base, residual, True)
        for kernels, residual in zip((native, reference), left, strict=True)
    ]
    for one, other in zip(*both, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)
    np.testing.assert_allclose(*left, atol=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("shifting", [True, False])
def test_the_descent_ends_where_scipys_does(shape, shifting):
    rows, entries, p = problem(*shape)
    if not shifting:
        p = np.delete(p, slice(2, 2 + shape[2] - 1 + shape[3]))
    penalty, centre = np.full(len(p), 2.0), np.zeros(len(p))

    def value(p):
        loss, gradient = native.weight_loss(rows, entries, shifting, p)
        return loss + float(p @ p), gradient + 2.0 * p

    found = native.fit_weights(rows, entries, shifting, centre, penalty, p, 500, 1e-14)
    expected = minimize(value, p, jac=True, method="BFGS", options={"gtol": 1e-8, "maxiter": 2000})
    assert value(found)[0] == pytest.approx(expected.fun, abs=1e-6)
    np.testing.assert_allclose(found, expected.x, atol=1e-3)
    again = reference.fit_weights(rows, entries, shifting, centre, penalty, p, 500, 1e-14)
    np.testing.assert_allclose(found, again, atol=1e-3)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 8, 9, 17, 26, 33, 41])
def test_single_precision_leads_to_the_same_weights(n_classes):
    rows, entries, p = problem(n_classes, 80, 3, 1)
    penalty, centre = np.full(len(p), 2.0), np.zeros(len(p))
    double, single = (
        native.fit_weights(rows, entries, True, centre, penalty, p, 500, 1e-9, 1, single) for single in (False, True)
    )
    np.testing.assert_allclose(single, double, atol=2e-3)
    assert np.abs(double - p).max() > 0.5


def test_pairs_gain_what_numpy_says():
    rng = np.random.default_rng(0)
    sizes = np.array([3, 2, 5], dtype=np.int64)
    codes = np.column_stack([rng.integers(0, size, 200) for size in sizes]).astype(np.uint8)
    residual, curvature = rng.normal(size=(200, 3)), rng.random((200, 3))
    for one, other in zip(
        native.pair_gains(codes, sizes, residual, curvature, 3.0),
        reference.pair_gains(codes, sizes, residual, curvature, 3.0),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, rtol=1e-10)
    with pytest.raises(ValueError, match="code beyond"):
        native.pair_gains(codes, sizes - 1, residual, curvature, 3.0)


def test_many_rows_are_parted_among_threads_to_the_same_end():
    rows, entries, p = problem(2, 200_000, 9, 0)
    value, gradient = native.weight_loss(rows, entries, True, p)
    expected = reference.weight_loss(rows, entries, True, p)
    assert value == pytest.approx(expected[0], rel=1e-10)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-8, atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_one_weight_of_all_evidence_is_the_least_that_scipy_finds(n_classes):
    """By Newton's method, compiled and in NumPy; and it is where the descent of all weights ends."""
    rng = np.random.default_rng(n_classes)
    rows, k = 400, n_classes
    y = np.sort(rng.integers(0, k, rows))
    starts = np.searchsorted(y, np.arange(k + 1)).astype(np.int64)
    said = rng.normal(size=(rows, k)) + 3.0 * (rng.random((rows, 1)) < 0.6) * np.eye(k)[y]
    prior, w = rng.normal(size=(k, k)) - 1.0, rng.random(rows) + 0.5
    start, penalty = np.append([1.0, 1.0], np.zeros(k)), np.append([4.0, 4.0], np.ones(k))

    def value(p):
        log_p = p[0] * prior[y] + p[1] * said + p[2:]
        log_p -= np.logaddexp.reduce(log_p, axis=1)[:, None]
        return -float(w @ log_p[np.arange(rows), y]) + 0.5 * float(penalty @ (p - start) ** 2)

    found, twin = (kernels.fit_temperature(prior, said, starts, w, 20, 1e-12) for kernels in (native, reference))
    np.testing.assert_allclose(found, twin, rtol=1e-9)
    expected = minimize(value, start, method="BFGS", options={"gtol": 1e-6})
    assert value(found) <= expected.fun + 1e-8
    np.testing.assert_allclose(found, expected.x, atol=1e-3)


def test_one_weight_of_many_classes_is_that_of_few(monkeypatch):
    """The second derivative is not worth its sums of many classes, and the descent ends in the same place."""
    from candide import NaiveBayes
    from candide.tuning import temperature

    rng = np.random.default_rng(0)
    y = np.arange(900) % 3
    x = (rng.random((900, 6)) < 0.2 + 0.2 * y[:, None]).astype(str)
    few = NaiveBayes(weights="temperature").fit(x, y)
    monkeypatch.setattr(temperature, "FEW_CLASSES", 1)
    many = NaiveBayes(weights="temperature").fit(x, y)
    assert few.temperature_ == pytest.approx(many.temperature_, rel=0.01) != 1.0
    np.testing.assert_allclose(few.predict_proba(x), many.predict_proba(x), atol=0.005)


def test_what_is_summed_does_not_depend_on_threads():
    rows, entries, p = problem(3, 120_000, 12, 1)
    together = native.weight_loss(rows, entries, True, p)
    native.set_threads(1)
    try:
        alone = native.weight_loss(rows, entries, True, p)
    finally:
        native.set_threads(1 << 20)
    assert together[0] == alone[0]
    np.testing.assert_array_equal(together[1], alone[1])

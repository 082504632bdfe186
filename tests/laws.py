"""Laws that every model obeys, as assertions on two models or on one."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide import NaiveBayes
from candide.statistics import Counts, Joint, Moments, Statistics

Array = np.ndarray[Any, Any]

EPS = np.finfo(float).eps


def same_counts(a: Counts, b: Counts, exact: bool = True) -> None:
    """Two tables of counts are equal; to rounding where weights are not whole."""
    if exact:
        np.testing.assert_array_equal(a.table, b.table)
    else:
        np.testing.assert_allclose(a.table, b.table, rtol=1e-12, atol=1e-12)


def same_moments(a: Moments, b: Moments) -> None:
    """Two moments are equal to rounding: m2 loses digits as the ratio of mean to deviation grows."""
    np.testing.assert_allclose(a.n, b.n, rtol=1e-12, atol=1e-12)
    known = np.broadcast_to(np.asarray(a.n) > 0, np.shape(a.mean))
    largest = np.abs(a.mean[known]).max(initial=1.0) + np.sqrt(np.max(a.m2, initial=0.0))
    np.testing.assert_allclose(a.mean[known], b.mean[known], rtol=1e-12, atol=64 * EPS * largest)
    weight = float(np.max(a.n, initial=1.0))
    np.testing.assert_allclose(a.m2[known], b.m2[known], rtol=1e-11, atol=1024 * EPS * weight * largest**2)


def same_statistics(a: Statistics, b: Statistics, exact: bool = True) -> None:
    """Two statistics are the same value."""
    for name in ("classes", "cells", "missing"):
        same_counts(getattr(a, name), getattr(b, name), exact)
    np.testing.assert_allclose(a.totals.table, b.totals.table, rtol=1e-12, atol=1e-12)
    shape = np.broadcast_shapes(a.unknown.table.shape, b.unknown.table.shape)
    wide = [Counts(np.broadcast_to(s.unknown.table, shape)) for s in (a, b)]
    same_counts(*wide, exact)
    for name in ("moments", "log_moments", "log_x"):
        same_moments(getattr(a, name), getattr(b, name))
    assert len(a.joints) == len(b.joints)
    for one, other in zip(a.joints, b.joints, strict=True):
        same_joint(one, other, exact)


def same_joint(a: Joint, b: Joint, exact: bool = True) -> None:
    """Two joint counts are the same value."""
    np.testing.assert_array_equal(a.codes, b.codes)
    same_counts(a.counts, b.counts, exact)
    assert (a.density is None) == (b.density is None)
    if a.density is not None and b.density is not None:
        same_moments(a.density, b.density)


def same_schema(a: NaiveBayes, b: NaiveBayes) -> None:
    """Two models know the same classes and domains."""
    assert a.classes_.tolist() == b.classes_.tolist()
    one, other = a.schema_, b.schema_
    assert one.names == other.names
    for x, y in zip(one.columns, other.columns, strict=True):
        assert (x.kind, x.storage, x.declared, x.frozen) == (y.kind, y.storage, y.declared, y.frozen)
        assert (x.levels is None) == (y.levels is None)
        if x.levels is not None and y.levels is not None:
            assert x.levels.tolist() == y.levels.tolist()


def same_model(a: NaiveBayes, b: NaiveBayes, X: Any, exact: bool = True, rtol: float = 1e-7) -> None:
    """Two models hold the same statistics under the same schema, and score alike."""
    same_schema(a, b)
    same_statistics(a.statistics_, b.statistics_, exact)
    np.testing.assert_allclose(a.predict_joint_log_proba(X), b.predict_joint_log_proba(X), rtol=rtol, atol=rtol)


def probabilities(nb: NaiveBayes, X: Any) -> Array:
    """Return posteriors, checked: finite, not negative, adding up to one, and the labels are their largest."""
    p = nb.predict_proba(X)
    assert np.isfinite(p).all()
    assert (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.exp(nb.predict_log_proba(X)), p, rtol=1e-12)
    if nb.costs is None:
        assert nb.predict(X).tolist() == nb.classes_[p.argmax(axis=1)].tolist()
    return p


def without(nb: NaiveBayes, X: Any, y: Array, weight: Array | None, row: int) -> Array:
    """Return log P(c | x) of one row by a model fitted anew on the others under the same schema."""
    keep = np.arange(len(y)) != row
    params = {**nb.get_params(deep=False), "schema": nb.schema_}
    again = type(nb)(**params).fit(X[keep], y[keep], None if weight is None else weight[keep])
    return again.predict_log_proba(X.iloc[[row]] if hasattr(X, "iloc") else X[[row]])[0]


def leaves_one_out(nb: NaiveBayes, X: Any, y: Array, weight: Array | None = None, rtol: float = 1e-7) -> None:
    """Leaving one row out is fitting without it, for every row that weighs anything."""
    got = nb.leave_one_out(X, y, weight)
    np.testing.assert_allclose(np.exp(got).sum(axis=1), 1.0, atol=1e-9)
    for row in range(len(y)):
        if weight is None or 0 < weight[row] < weight.sum():
            wanted = without(nb, X, y, weight, row)
            np.testing.assert_allclose(got[row], wanted, rtol=rtol, atol=rtol, err_msg=f"row {row}")

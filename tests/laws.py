"""Laws that every model obeys, as assertions on two models or on one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.estimator import Classifier
from candide.schema.lattice import Lattice
from candide.statistics import Counts, Learnt, Moments, layout
from candide.statistics.words import Sparse

Array = np.ndarray[Any, Any]

EPS = np.finfo(float).eps

LEFT_OUT = 1e-7
"""Leaving a row out is refitting without it to this: moments lose as many digits when they are subtracted."""
LEFT_OUT_OF = {
    # log f is a table of cubics, within 1e-3 of the sum of kernels where they are seen; the refit makes its own table
    "kde": 1e-3,
}
"""Distributions that know themselves less exactly, with the reason. No other tolerance is theirs anywhere."""


def tolerance(*kinds: str) -> float:
    """Return how far leaving a row out may lie from refitting, in nats, for columns of some kinds."""
    return max([LEFT_OUT, *(LEFT_OUT_OF.get(kind, LEFT_OUT) for kind in kinds)])


def learnt(nb: Classifier) -> Learnt:
    """Return what an estimator has learnt."""
    schema = replace(nb.schema_, settled=None)
    return Learnt(schema, nb.statistics_)


def numbers(nb: Classifier) -> dict[str, Any]:
    """Return every number of the statistics, with the type it is kept in: equal where nothing at all has changed."""
    parts = nb.statistics_.parts.items()
    arrays = {(name, field): array for name, part in parts for field, array in vars(part).items()}
    return {"/".join(place): (array.dtype.str, array.tolist()) for place, array in arrays.items()}


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


def same_sparse(a: Sparse, b: Sparse, exact: bool = True) -> None:
    """Two sums of words are equal, entry by entry; to rounding where weights are not whole."""
    assert a.sizes == b.sizes
    np.testing.assert_array_equal(a.at, b.at)
    for mine, theirs in zip(a.sums, b.sums, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0 if exact else 1e-12)


def same_part(a: Counts | Moments | Sparse, b: Counts | Moments | Sparse, exact: bool = True) -> None:
    """Two parts of statistics are the same value."""
    assert type(a) is type(b)
    if isinstance(a, Moments):
        same_moments(a, b)
    elif isinstance(a, Sparse):
        same_sparse(a, b, exact)
    else:
        same_counts(a, b, exact and a.table.dtype.kind == "i")


def same_statistics(a: Learnt, b: Learnt, exact: bool = True) -> None:
    """Two statistics are the same value, part by part of the layout; a part that is not there is zero."""
    for name, part in layout(a.schema):
        zero = part.type.zero(*part.shape(a.schema))
        same_part(a.statistics.parts.get(name, zero), b.statistics.parts.get(name, zero), exact)


def same_schema(a: Learnt, b: Learnt) -> None:
    """Two models know the same classes and domains: axis by axis, the same entries in the same order."""
    assert a.schema.names == b.schema.names
    assert list(a.schema.axes) == list(b.schema.axes)
    for name, axis in a.schema.axes.items():
        other = b.schema.axes[name]
        assert type(axis) is type(other)
        assert [axis.tell(i) for i in range(axis.size)] == [other.tell(i) for i in range(other.size)]
        np.testing.assert_array_equal(axis.stays, other.stays)
    for x, y in zip(a.schema.columns, b.schema.columns, strict=True):
        assert (x.kind, x.keeps, x.declared, x.missing) == (y.kind, y.keeps, y.declared, y.missing)
        if isinstance(x.axis, Lattice):
            np.testing.assert_array_equal(x.axis.dropped, y.axis.dropped)


def same_model(a: Classifier, b: Classifier, X: Any, exact: bool = True, rtol: float = 1e-7) -> None:
    """Two models hold the same statistics under the same schema, and score alike."""
    one, other = learnt(a), learnt(b)
    same_schema(one, other)
    same_statistics(one, other, exact)
    np.testing.assert_allclose(a.predict_joint_log_proba(X), b.predict_joint_log_proba(X), rtol=rtol, atol=rtol)


def probabilities(nb: Classifier, X: Any) -> Array:
    """Return posteriors, checked: finite, not negative, adding up to one, and the labels are their largest."""
    p = nb.predict_proba(X)
    assert np.isfinite(p).all()
    assert (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.exp(nb.predict_log_proba(X)), p, rtol=1e-12)
    if nb.costs is None:
        assert nb.predict(X).tolist() == nb.classes_[p.argmax(axis=1)].tolist()
    return p


def without(nb: Classifier, X: Any, y: Array, weight: Array | None, row: int) -> Array:
    """Return log P(c | x) of one row by a model fitted anew on the others under the same schema."""
    keep = np.arange(len(y)) != row
    params = {**nb.get_params(deep=False), "schema": nb.schema_}
    again = type(nb)(**params).fit(X[keep], y[keep], None if weight is None else weight[keep])
    return again.predict_log_proba(X.iloc[[row]] if hasattr(X, "iloc") else X[[row]])[0]


def leaves_one_out(nb: Classifier, X: Any, y: Array, weight: Array | None = None, rtol: float = LEFT_OUT) -> None:
    """Leaving one row out is fitting without it, for every row that weighs anything."""
    got = nb.leave_one_out(X, y, weight)
    np.testing.assert_allclose(np.exp(got).sum(axis=1), 1.0, atol=1e-9)
    for row in range(len(y)):
        if weight is None or 0 < weight[row] < weight.sum():
            wanted = without(nb, X, y, weight, row)
            np.testing.assert_allclose(got[row], wanted, rtol=rtol, atol=rtol, err_msg=f"row {row}")

"""Distinct values, labels as codes, and cells that cannot be used."""

import numpy as np

from candide.native.reference.rows import Array, Cell, Codes, Floats, Ints, first_cell

__all__ = ["distinct", "label_codes", "check_finite", "first_below"]


def distinct(x: Array, limit: int) -> Floats | None:
    """The sorted distinct values of one column, NaN left out; None where there are more than ``limit``."""
    column = x.astype(np.float64) + 0.0  # -0.0 becomes 0.0
    for row in np.flatnonzero(np.isinf(column))[:1]:
        raise ValueError(f"infinity in row {row}")
    values = np.unique(column[~np.isnan(column)])
    return values if len(values) <= limit else None


def label_codes(y: Array) -> tuple[Codes, Ints]:
    """Code integer (or boolean) labels by their rank among the sorted distinct ones."""
    values, codes = np.unique(y, return_inverse=True)
    return codes.astype(np.int32), values.astype(np.int64)


def check_finite(x: Array) -> Cell | None:
    """Row and column of the first infinity in row order, or None."""
    return first_cell(np.isinf(x))


def first_below(x: Array, bound: float, strict: bool) -> Cell | None:
    """Row and column of the first x < bound (``strict``) or x <= bound in row order, or None; NaN is not."""
    return first_cell(x < bound if strict else x <= bound)

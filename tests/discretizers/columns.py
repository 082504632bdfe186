"""Strategies: the values statistic of a column, small and adversarial."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

FEW = st.integers(0, 4)
MODERATE = st.integers(-60, 60).map(lambda i: i / 4)
EXTREME = st.sampled_from(
    [-1e300, -1.7e308, -1.0, -5e-324, 0.0, 5e-324, 1e-310, 1.0, np.nextafter(1, 2), 1e300, 1.7e308]
)


@st.composite
def columns(draw, values=MODERATE, max_size=12, weights=FEW):
    """Distinct ascending values and their weights per class; zeros anywhere."""
    v = np.array(sorted(set(draw(st.lists(values, min_size=1, max_size=max_size)))), dtype=np.float64)
    k = draw(st.integers(1, 4))
    row = st.lists(weights, min_size=v.size, max_size=v.size)
    return v, np.array(draw(st.lists(row, min_size=k, max_size=k)))


def statistic(x, y):
    """Return the distinct values of a column, ascending, and how often each occurs in each class."""
    values, at = np.unique(x, return_inverse=True)
    counts = np.zeros((y.max() + 1, len(values)))
    np.add.at(counts, (y, at), 1)
    return values, counts

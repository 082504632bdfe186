"""Cuts by class entropy: the kernel equals its twin."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from candide import native
from candide.native import reference

SIZES = st.tuples(st.integers(2, 4), st.integers(2, 40))


@given(
    SIZES.flatmap(lambda shape: arrays(float, shape, elements=st.sampled_from([0, 0, 1, 2, 5, 30, 0.25]))),
    st.booleans(),
)
def test_cuts_are_those_of_the_twin(counts, once):
    counts = np.ascontiguousarray(counts[:, counts.any(axis=0)])
    found = native.entropy_cuts(counts, once)
    np.testing.assert_array_equal(found, reference.entropy_cuts(counts, once) if counts.shape[1] else [])
    assert len(found) <= 1 or not once


def test_many_values_are_cut_as_by_the_twin():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 20_000)
    x = np.round(rng.normal(size=20_000) + y * (y % 2), 3)
    values, at = np.unique(x, return_inverse=True)
    counts = np.zeros((5, len(values)))
    np.add.at(counts, (y, at), 1.0)
    found = native.entropy_cuts(counts)
    assert len(found) > 3
    np.testing.assert_array_equal(found, reference.entropy_cuts(counts))

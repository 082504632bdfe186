"""Distinct values, labels and checks: every compiled kernel computes what its NumPy twin computes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native import strategies as some
from tests.native.same import assert_same

from candide.native import reference

native = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")


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

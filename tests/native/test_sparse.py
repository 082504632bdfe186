"""Sparse rows: every compiled kernel computes what its NumPy twin computes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from tests.native import strategies as some
from tests.native.same import assert_adds_the_same, assert_same
from threadpoolctl import threadpool_limits

from candide.native import reference

native = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")


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
    weights = rng.normal(size=(shape[1], rows.n_classes))
    weights[rng.uniform(size=weights.shape) < 0.02] = -np.inf
    with np.errstate(invalid="ignore"):  # inf - inf, in both
        assert_adds_the_same("add_csr", *parts, weights, shape=(shape[0], rows.n_classes), rng=rng)


@pytest.mark.parametrize("n_classes", [2, 900])  # sums of each block of rows, and blocks of whole classes
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_sums_do_not_depend_on_threads(n_classes, threads):
    rng = np.random.default_rng(0)
    n, width, n_columns = 60_000, 15, 2_000
    parts = (rng.integers(1, 9, n * width), rng.integers(0, n_columns, n * width), np.arange(0, n * width + 1, width))
    y = rng.integers(-1, n_classes - 1, n)  # the last class has no rows
    with threadpool_limits(threads, user_api="openmp"):
        found = native.csr_sums(*parts, y, n_classes, n_columns)
    np.testing.assert_array_equal(found, reference.csr_sums(*parts, y, n_classes, n_columns))
    parts[1][-3] = n_columns
    y[-1] = 1
    with pytest.raises(ValueError, match="column index"):
        native.csr_sums(*parts, y, n_classes, n_columns)

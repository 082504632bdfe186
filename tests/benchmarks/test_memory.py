"""Extra memory: the peak above what was there, also where it fills what was freed before."""

import os

import numpy as np
import pytest
import scipy.sparse as sp
from benchmarks.memory import size_of, watch

MEGABYTE = 2**20
uncounted = pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""), reason="the address checks keep freed memory, so peaks are theirs"
)


def peak_of(call):
    risen = watch()
    call()
    extra = risen()
    if extra is None:
        pytest.skip("this system does not count resident memory")
    return extra / MEGABYTE


def fill(megabytes):
    np.ones(megabytes * MEGABYTE // 8)


@uncounted
def test_a_peak_is_seen_though_the_memory_is_free_again():
    assert peak_of(lambda: fill(64)) == pytest.approx(64, abs=4)


@uncounted
def test_an_earlier_and_higher_peak_does_not_hide_it():
    fill(128)
    assert peak_of(lambda: fill(32)) == pytest.approx(32, abs=4)


@uncounted
def test_small_pieces_that_were_freed_before_do_not_hide_it():
    pieces = [np.ones(4096) for _ in range(2000)]  # 62 MB from the heap, not from the system
    keep = pieces[-1]
    del pieces
    assert peak_of(lambda: [np.ones(4096) for _ in range(1000)]) == pytest.approx(31, abs=5)
    assert keep.sum() == 4096


def test_the_size_of_a_model_is_that_of_its_arrays_each_counted_once():
    class Model:
        def __init__(self):
            self.theta = np.zeros(10)
            self.same = self.theta
            self.parts = [np.zeros(5), (np.zeros(2),)]
            self.self = self

    assert size_of(Model()) == 8 * 17
    assert size_of(np.zeros((3, 4), dtype=np.uint8)) == 12
    assert size_of(None) == 0
    matrix = sp.csr_array(np.eye(3))
    assert size_of(matrix) == matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes

"""Bad arguments are named, by the compiled kernels and their twins alike."""

from typing import Any

import numpy as np
import pytest

from candide import native
from candide.native import reference

KERNELS = [native, reference]
Y = np.array([0, 1, 0])


@pytest.fixture(params=KERNELS, ids=lambda kernels: kernels.__name__.rpartition(".")[2])
def kernels(request) -> Any:
    return request.param


def test_infinity_is_named(kernels):
    x = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, -np.inf]])
    with pytest.raises(ValueError, match="infinity in row 2, column 1"):
        kernels.moments(x, Y, 2)
    with pytest.raises(ValueError, match="infinity in row 2, column 1"):
        kernels.bin_counts(x, np.zeros(0), np.zeros(3, np.int64), Y, 2)
    with pytest.raises(ValueError, match="infinity in row 2, column 1"):
        kernels.count_values(x, Y, 2)
    with pytest.raises(ValueError, match="infinity in row 2"):
        kernels.distinct(x[:, 1], 10)
    assert kernels.check_finite(x) == (2, 1)


def test_infinity_in_a_row_left_out_is_no_matter(kernels):
    x = np.array([[1.0], [3.0], [np.inf]])
    assert kernels.moments(x, np.array([0, 0, -1]), 1)[1] == [[2.0]]
    assert kernels.moments(x, np.zeros(3, np.int64), 1, np.array([1.0, 1.0, 0.0]))[1] == [[2.0]]


@pytest.mark.parametrize("bad", [0.0, -1.0])
def test_logarithm_of_what_is_not_positive_is_named(kernels, bad):
    x = np.array([[1.0, 2.0], [3.0, bad], [5.0, 6.0]])
    with pytest.raises(ValueError, match="not positive in row 1, column 1"):
        kernels.moments(x, Y, 2, None, True)


def test_a_code_beyond_its_column_is_named(kernels):
    codes = np.array([[0, 0], [1, 2], [0, 0]], np.int16)
    with pytest.raises(ValueError, match="in row 1, column 1"):
        kernels.level_counts(codes, np.array([0, 2, 4]), Y, 2)
    with pytest.raises(ValueError, match="in row 1, column 1"):
        kernels.level_counts(list(codes.T), np.array([0, 2, 4]), Y, 2)


def test_a_class_beyond_their_number_is_named(kernels):
    for call in (
        lambda y: kernels.moments(np.ones((3, 1)), y, 2),
        lambda y: kernels.dense_sums(np.ones((3, 1)), y, 2),
        lambda y: kernels.count_values(np.ones((3, 1)), y, 2),
        lambda y: kernels.level_counts(np.zeros((3, 1), np.int8), np.array([0, 1]), y, 2),
        lambda y: kernels.add_gather_left_out(
            np.zeros((3, 1), np.int8), np.array([0, 1]), np.zeros((1, 2)), np.zeros((1, 2)), y, np.zeros((3, 2))
        ),
        lambda y: kernels.add_normal_left_out(
            np.ones((3, 1)), np.ones((2, 1)), np.ones((2, 1)), np.ones((2, 1)), y, None, 0.1, 0.0, np.zeros((3, 2))
        ),
        lambda y: kernels.csr_sums(np.ones(3), np.zeros(3, np.int32), np.arange(4, dtype=np.int32), y, 2, 1),
    ):
        with pytest.raises(ValueError, match=r"class code .* row 2"):
            call(np.array([0, 1, 2]))


def test_lengths_must_agree(kernels):
    with pytest.raises(ValueError, match=r"\by\b"):
        kernels.moments(np.ones((4, 1)), Y, 2)
    with pytest.raises(ValueError, match=r"\bw\b"):
        kernels.moments(np.ones((3, 1)), Y, 2, np.ones(2))


def test_no_threads_at_all_are_refused(kernels):
    with pytest.raises(ValueError, match="at least 1"):
        kernels.set_threads(0)


compiled = pytest.mark.skipif(native.kernels() != "native", reason="the kernels were not compiled")


@compiled
def test_results_go_into_arrays_that_fit():
    codes, offsets, table = np.zeros((3, 1), np.int8), np.array([0, 1]), np.zeros((1, 2))
    with pytest.raises(ValueError, match="out has shape"):
        native.add_gather(codes, offsets, table, np.zeros((2, 2)))
    with pytest.raises(TypeError, match="out must hold C-contiguous float64"):
        native.add_gather(codes, offsets, table, np.zeros((3, 2), np.float32))
    with pytest.raises(TypeError, match="out must hold C-contiguous float64"):
        native.add_gather(codes, offsets, table, np.zeros((2, 3)).T)
    with pytest.raises(TypeError, match=r"offsets must hold C-contiguous int64, not 'i'"):
        native.add_gather(codes, offsets.astype(np.int32), table, np.zeros((3, 2)))
    with pytest.raises(TypeError, match=r"table must hold C-contiguous float64, not strided 'd'"):
        native.add_gather(codes, offsets, np.zeros((1, 4))[:, ::2], np.zeros((3, 2)))
    frozen = np.zeros((3, 2))
    frozen.setflags(write=False)
    with pytest.raises((ValueError, BufferError), match="read-only"):
        native.add_gather(codes, offsets, table, frozen)


@compiled
def test_what_could_point_outside_memory_is_refused():
    x, y = np.ones((3, 2)), Y
    with pytest.raises(ValueError, match="offsets"):
        native.bin_counts(x, np.zeros(4), np.array([0, 3, 2]), y, 2)
    with pytest.raises(ValueError, match="offsets"):
        native.add_gather(np.zeros((3, 2), np.int8), np.array([0, 5, 9]), np.zeros((4, 2)), np.zeros((3, 2)))
    with pytest.raises(ValueError, match="column index"):
        native.csr_sums(np.ones(1), np.array([7]), np.array([0, 1]), y[:1], 2, 3)
    with pytest.raises(ValueError, match="indptr"):
        native.csr_sums(np.ones(1), np.array([0]), np.array([0, 9]), y[:1], 2, 3)
    with pytest.raises(ValueError, match="indptr"):
        native.add_csr(np.ones(2), np.array([0, 0]), np.array([0, 2, 1]), np.ones((1, 2)), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="dimensions"):
        native.moments(np.ones(3), y, 2)


@compiled
@pytest.mark.parametrize("dtype", ["O", "U3", "c16", ">f8", "M8[s]"])
def test_other_types_are_refused(dtype):
    with pytest.raises((TypeError, ValueError, BufferError)):
        native.moments(np.zeros((3, 1), dtype), Y, 2)
    with pytest.raises(TypeError, match="codes must hold integers"):
        native.level_counts(np.zeros((3, 1)), np.array([0, 1]), Y, 2)


@compiled
def test_a_label_beyond_64_bits_with_sign_is_refused():
    with pytest.raises(ValueError, match="label 18446744073709551615"):
        native.label_codes(np.array([1, 2**64 - 1], np.uint64))

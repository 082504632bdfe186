"""Blocks of CSV and of JSON are cut where a record ends, and nowhere else."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide import native
from candide.native import reference


def cut(kernels, block, separator=b","):
    return kernels.record_end(np.frombuffer(block, dtype=np.uint8), separator)


def opened(kernels, block, separator=b","):
    return kernels.open_quote(np.frombuffer(block, dtype=np.uint8), separator)


BYTES = st.lists(st.sampled_from([b"a", b",", b'"', b'""', b"\n", b"\r\n", b"\r", b'","', b'"\n"'])).map(b"".join)


@given(BYTES, st.sampled_from([b",", b"a"]))
def test_the_kernel_is_its_twin(block, separator):
    assert cut(native, block, separator) == cut(reference, block, separator)
    assert opened(native, block, separator) == opened(reference, block, separator)


def records(block):
    return [record for record in csv.reader(io.StringIO(block.decode(), newline="")) if record]


@given(BYTES)
def test_what_is_cut_is_read_as_if_it_were_whole(block):
    """Python's reader is the authority; a quote behind a closed one, which it reads in its own way, is not asked."""
    block = block + b"\n"
    end = cut(native, block)
    try:
        whole, apart = records(block), records(block[:end]) + records(block[end:])
    except csv.Error:
        return
    if not end:
        assert len(whole) <= 1 or b"\n" not in block.rstrip(b"\n")
    assert whole == apart


@pytest.mark.parametrize(
    ("block", "end"),
    [
        (b"", 0),
        (b"a,b", 0),
        (b"a\nb", 2),
        (b"a\r\nb\r", 3),
        (b"a\rb", 2),
        (b"a\r", 0),  # a newline may follow
        (b'"a\nb"', 0),
        (b'x\n"a\nb"\ny', 8),
        (b'x\n"a""\nb', 2),
        (b'x\n"a"', 2),  # a quote may follow
        (b'5" pipe\n6" pipe\n', 16),  # no cell begins with these
        (b'a,"\n', 0),
    ],
)
def test_places(block, end):
    assert cut(native, block) == cut(reference, block) == end


def test_a_separator_is_one_byte():
    for kernels in (native, reference):
        for find in (cut, opened):
            with pytest.raises(ValueError, match="one byte"):
                find(kernels, b"a", b"::")


@given(BYTES)
def test_a_quote_that_stays_open_is_an_error_of_pythons_strict_reader(block):
    """Strict, it refuses every quote that is not closed where a cell ends, and an end of all within one."""
    try:
        list(csv.reader(io.StringIO(block.decode(), newline=""), strict=True))
        error = ""
    except csv.Error as refused:
        error = str(refused)
    if opened(native, block) >= 0:
        assert error
    if "end of data" in error:
        assert opened(native, block) >= 0


@pytest.mark.parametrize(
    ("block", "at"),
    [
        (b"", -1),
        (b'1,"a"\n2,"b"', -1),
        (b'1,"a\nb"\n', -1),
        (b'1,"a\nb""\n",2\n', -1),
        (b'1,"a"b\n', -1),  # odd, and one line
        (b'1,5" pipe\n', -1),
        (b'1,"a', 2),
        (b'1,a\n2,"b\n3,c\n4,"d\n', 6),  # two that meet
        (b'1,"a\n2,"b"\n', 2),
    ],
)
def test_quotes_that_stay_open(block, at):
    assert opened(native, block) == opened(reference, block) == at


OBJECTS = st.lists(st.sampled_from([b"{", b"}", b"\n", b"\r", b'"a"', b" ", b"{\n", b'{"a": 1}\n'])).map(b"".join)


@given(OBJECTS)
def test_lines_of_objects_end_where_the_twin_says(block):
    given_ = np.frombuffer(block, dtype=np.uint8)
    assert native.object_end(given_) == reference.object_end(given_)


@pytest.mark.parametrize("n", [10, 20_000, 200_000])
def test_an_object_that_a_line_leaves_open_is_found_anywhere(n):
    for rest in (b"{\n", b"{\r\n", b"{", b"{}\n", b""):
        block = np.frombuffer(b'{"a": 1}\n' * (n // 9) + rest + b"xx", dtype=np.uint8)
        assert native.object_end(block) == reference.object_end(block)
        assert (native.object_end(block) < 0) == (rest in (b"{\n", b"{\r\n"))


@given(st.binary(max_size=300), st.integers(0, 80))
def test_bytes_are_counted(block, times):
    block = np.frombuffer(block + b"a\n" * 300 * times, dtype=np.uint8)
    for byte in (b"\n", b"\xff", b"\0"):
        assert native.count_byte(block, byte) == reference.count_byte(block, byte) == block.tobytes().count(byte)


def test_no_more_than_a_byte_is_counted():
    for kernels in (native, reference):
        with pytest.raises(ValueError, match="one byte"):
            kernels.count_byte(np.zeros(1, np.uint8), b"ab")

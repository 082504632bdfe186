"""Blocks of CSV are cut where a record ends, and nowhere else."""

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


BYTES = st.lists(st.sampled_from([b"a", b",", b'"', b'""', b"\n", b"\r\n", b"\r", b'","', b'"\n"'])).map(b"".join)


@given(BYTES, st.sampled_from([b",", b"a"]))
def test_the_kernel_is_its_twin(block, separator):
    assert cut(native, block, separator) == cut(reference, block, separator)


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
        with pytest.raises(ValueError, match="one byte"):
            cut(kernels, b"a", b"::")

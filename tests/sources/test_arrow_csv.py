"""A CSV is the same table whatever the blocks are that it is read in."""

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.sources import arrow_csv
from candide.sources.arrow_csv import ArrowCsv, may_have_code
from candide.sources.faults import UnevenRowError
from candide.sources.text import plain_batches

pytest.importorskip("pyarrow")

CELLS = st.text(st.sampled_from('ab ,"\n'), max_size=5)


def read(content, block_bytes, ahead=True):
    parser = ArrowCsv(["x", "y"], ",", [], ["x", "y"], "table", {})
    batches = parser.batches(io.BufferedReader(io.BytesIO(content)), 1, block_bytes, ahead)
    return [row for batch in batches for row in zip(*(batch[name].to_pylist() for name in "xy"), strict=True)]


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1), st.integers(1, 60), st.booleans())
def test_blocks_do_not_matter(rows, block_bytes, ahead):
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(rows)
    assert read(out.getvalue().encode(), block_bytes, ahead) == rows


@pytest.mark.parametrize("block_bytes", [1, 7, 1000])
def test_a_quote_within_a_cell_opens_nothing(block_bytes):
    assert read(b'5" pipe,1\n6" pipe,2\n', block_bytes) == [('5" pipe', "1"), ('6" pipe', "2")]


@pytest.mark.parametrize("block_bytes", [4, 1000])
def test_the_line_of_an_uneven_row_is_told_behind_other_blocks(block_bytes):
    with pytest.raises(UnevenRowError, match="table, line 4: a row has 3 cells"):
        read(b"a,b\nc,d\ne,f,g\n", block_bytes)


def test_what_is_wrong_first_is_told_first():
    with pytest.raises(UnevenRowError, match="line 2"):
        read(b"a\n" + b"b,c\n" * 50 + b"d\n", 8)


def outcome(rows):
    """The rows, or what is said of them."""
    try:
        return list(rows())
    except ValueError as error:
        return str(error)


@given(st.lists(st.sampled_from(["a", "b", ",", "\n", "\r\n", '"', '""', " "]), max_size=40).map("".join))
def test_the_standard_library_reads_and_refuses_the_same(body):
    def plain():
        stream = io.BufferedReader(io.BytesIO(body.encode()))
        for batch in plain_batches(stream, ["x", "y"], ",", [], ["x", "y"], "table", 1):
            yield from zip(batch["x"], batch["y"], strict=True)

    assert outcome(lambda: read(body.encode(), 1000)) == outcome(plain)


@given(
    st.lists(st.sampled_from([b"0", b"00", b"01", b"10", b"1.05", b"-01", b"a0", b"", b'"', b",", b"\n"])).map(b"".join)
)
def test_a_cell_that_may_be_a_code_is_seen_wherever_it_stands(block):
    wanted = re.search(rb'(?:\A|[,"\r\n-])0[0-9]', block) is not None
    assert may_have_code(np.frombuffer(block, dtype=np.uint8), b",") == wanted


def test_the_kernels_read_plain_blocks_however_often_the_empty_cell_is_declared_missing(monkeypatch):
    asked = []
    monkeypatch.setattr(arrow_csv, "plain_batch", lambda *given: asked.append(given))
    for missing in ([""], ["", ""], ["", "NA"]):
        ArrowCsv(["x", "y"], ",", missing, ["x", "y"], "table", {}).read(np.frombuffer(b"1,2\n", dtype=np.uint8))
    assert len(asked) == 2

"""Cells of plain CSV: the kernel is its twin, and both are PyArrow's reader where they take a block at all."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from candide import native
from candide.native import reference
from candide.sources.arrow_csv import ArrowCsv

DTYPES = {"numbers": np.float64, "codes": np.int32, "text": np.int32}


def cells(kernels, block, kinds, separator=b",", rows=None):
    """Return what a kernel makes of a block: None, or its columns as lists with what is told of each."""
    n = block.count(b"\n") + (block != b"" and not block.endswith(b"\n")) if rows is None else rows
    outs = [None if kind is None else np.zeros(n + (kind == "text"), DTYPES[kind]) for kind in kinds]
    present = np.zeros((len(kinds), (n + 7) // 8), dtype=np.uint8)
    told = kernels.csv_cells(np.frombuffer(block, dtype=np.uint8), separator, n, outs, present)
    if told is None:
        return None
    # the bits of numbers: there are two zeros
    views = [None if out is None else out.view(np.int64 if out.dtype == np.float64 else np.int32) for out in outs]
    return [(None if v is None else v.tolist(), p.tolist(), t) for v, p, t in zip(views, present, told, strict=True)]


NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(allow_nan=False, allow_infinity=False, places=4).map(str),
    st.integers().map(str),
    st.from_regex(r"\A-?[0-9]{0,25}\.?[0-9]{0,25}([eE][+-]?[0-9]{1,3})?\Z"),
)
ODD = st.sampled_from(
    ["", "", "-", ".", "+1", " 1", "1 ", "nan", "inf", "-inf", "1e", "0x1", "1_0", '"1"', "1e999", "1e-999"]
)
TEXTS = st.one_of(
    st.sampled_from(
        ["", "a", "b", "petrol", "a longer text", "a longer test", '""', '"a"', '"a, b"', '"a""b"', 'a"b', '"a']
    ),
    st.text(max_size=12).filter(lambda t: not set(t) & set(',"\r\n')),
)
KINDS = st.sampled_from(["numbers", "codes", "text", None])


@st.composite
def blocks(draw):
    """Return a block and the kinds of its columns: mostly as it should be."""
    kinds = draw(st.lists(KINDS, min_size=1, max_size=4))
    columns = [NUMBERS if kind == "numbers" else TEXTS for kind in kinds]
    if draw(st.booleans()):
        columns = [st.one_of(column, ODD) for column in columns]
    n = draw(st.integers(0, 12))
    lines = [",".join(draw(column) for column in columns) for _ in range(n)]
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = "".join(line + end for line in lines)
    return text[: len(text) - draw(st.sampled_from([0, 0, 0, 1]))].encode("utf-8", "surrogatepass"), kinds


RAW = st.lists(st.sampled_from([b"1", b"a", b".", b"-", b"e", b",", b'"', b"\n", b"\r", b"\xc3", b"\xa9", b"\0"])).map(
    b"".join
)


@given(st.one_of(blocks(), st.tuples(RAW, st.lists(KINDS, min_size=1, max_size=3))))
@example((b"01.5,00e5\n0.,0\n", ["numbers", "numbers"]))
@example((b"0e5,-0\n0.0e-400,1e-400", ["numbers", "numbers"]))
@example((b"9007199254740993,12345678901234567890123\n", ["numbers", "numbers"]))
def test_the_kernel_is_its_twin(case):
    block, kinds = case
    assert cells(native, block, kinds) == cells(reference, block, kinds)


@pytest.mark.skipif(native.kernels() != "native", reason="the twin serves nobody here")
@given(st.one_of(blocks(), st.tuples(RAW, st.lists(KINDS, min_size=1, max_size=3))))
def test_a_block_that_is_taken_is_read_as_pyarrow_reads_it(case):
    block, kinds = case
    names = [f"x{j}" for j in range(len(kinds))]
    wanted = [name for name, kind in zip(names, kinds, strict=True) if kind is not None][::-1]
    guesses = {name: kind for name, kind in zip(names, kinds, strict=True) if kind is not None}
    if not wanted or cells(native, block, kinds) is None:
        return
    records = np.frombuffer(block, dtype=np.uint8)
    found = ArrowCsv(names, ",", [""], wanted, "table", guesses).read(records)
    # to whom another spelling of a missing cell is told, which is none of these, PyArrow reads all
    expected = ArrowCsv(names, ",", ["", "\x07"], wanted, "table", guesses).read(records)
    assert (found.batch is None) == (expected.batch is None)
    assert found.n_lines == expected.n_lines
    if expected.batch is not None:
        assert found.batch.schema == expected.batch.schema
        for here, there in zip(found.batch.columns, expected.batch.columns, strict=True):
            assert here.equals(there)
            here.validate(full=True)


def test_plain_blocks_are_taken():
    block = b'1.5,petrol,"a text, too",x\n-2,,,y\r\n,diesel,text,\n.5,petrol,,'
    told = cells(native, block, ["numbers", "codes", "text", None])
    numbers, codes, texts, none = told
    np.testing.assert_array_equal(np.array(numbers[0]).view(np.float64), [1.5, -2.0, np.nan, 0.5])
    assert [column[1] for column in told] == [[0b1011], [0b1101], [0b0101], [0]]
    assert codes[0] == [0, -1, 1, 0]
    assert codes[2] == (1, b"petroldiesel", np.array([6, 12], np.int32).tobytes())
    assert texts[0] == [0, 11, 11, 15, 15]
    assert texts[2] == (2, b"a text, tootext", b"")
    assert none == (None, [0], (0, b"", b""))


def test_many_texts_of_one_beginning_have_a_place_each():
    levels = [f"{'level of some length ' * (i % 3)}{i}" for i in range(3_000)]
    codes = np.random.default_rng(0).integers(0, len(levels), 9_000)
    block = "".join(levels[i] + "\n" for i in codes).encode()
    places, _, (missing, data, ends) = cells(native, block, ["codes"])[0]
    found = [
        data[a:b].decode()
        for a, b in zip([0, *np.frombuffer(ends, np.int32)], np.frombuffer(ends, np.int32), strict=False)
    ]
    assert missing == 0
    assert [found[place] for place in places] == [levels[i] for i in codes]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    "block",
    [
        b"1,2\n",
        b"\n1\n",
        b"1\n\n",
        b"x\n",
        b'"1"\n',
        b"+1\n",
        b" 1\n",
        b"1\r2\n",
        b"nan\n",
        b"1e999\n",
        b"1\n2\n3",
        b"1\n01\n",
        b"1\n-00\n",
    ],
)
def test_other_blocks_are_not(block):
    for kernels in (native, reference):
        assert cells(kernels, block, ["numbers"], rows=2) is None


@pytest.mark.parametrize("block", [b"\xff\n", b"\xc3\n\xa9\n", b"a\xc3\n"])
def test_bytes_that_are_no_text_are_told_as_pyarrow_tells_them(block):
    found = ArrowCsv(["x"], ",", [""], ["x"], "table", {"x": "codes"}).read(np.frombuffer(block, np.uint8))
    assert "UTF-8" in str(found.error)


def test_wrong_arguments_are_refused():
    block, bits = np.frombuffer(b"1\n", np.uint8), np.zeros((1, 1), np.uint8)
    for kernels in (native, reference):
        with pytest.raises(ValueError, match="one byte"):
            kernels.csv_cells(block, b"::", 1, [np.zeros(1)], bits)
        with pytest.raises(ValueError, match="a bit for every cell"):
            kernels.csv_cells(block, b",", 9, [np.zeros(9)], bits)
        with pytest.raises(ValueError, match="a place for every record"):
            kernels.csv_cells(block, b",", 1, [np.zeros(2)], bits)
        with pytest.raises(ValueError, match="a place for every record"):
            kernels.csv_cells(block, b",", 1, [np.zeros(3, np.int32)], bits)

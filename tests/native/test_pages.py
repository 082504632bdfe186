"""Pages of Parquet files: every compiled kernel computes what its NumPy twin computes, of broken pages too."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native import strategies as some
from tests.native.same import assert_same

from candide.native import reference

native = pytest.importorskip("candide.native._kernels", reason="the kernels were not compiled")

KERNELS = pytest.mark.parametrize("kernels", [native, reference])
TYPES = [np.uint8, np.uint16, np.uint32, np.uint64]
PLAIN, CODED, RUNS = 0, 8, 3


def varint(n: int) -> bytes:
    out = b""
    while n >= 128:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def runs(values: np.ndarray, width: int, rng: np.random.Generator) -> bytes:
    """Write numbers as runs: of one of them again and again, or packed in eights, as chance has it."""
    out, at = b"", 0
    while at < len(values):
        same = at + int(np.argmin(np.append(values[at:] == values[at], False)))
        if same - at > 8 * rng.random():
            out += varint((same - at) << 1) + int(values[at]).to_bytes((width + 7) // 8, "little")
            at = same
            continue
        eights = int(rng.integers(1, 5))
        some_ = np.zeros(8 * eights, np.uint64)
        here = values[at : at + 8 * eights]
        some_[: len(here)] = here
        bits = (some_[:, None] >> np.arange(width, dtype=np.uint64)) & np.uint64(1)
        out += varint(eights << 1 | 1) + np.packbits(bits.astype(np.uint8).ravel(), bitorder="little").tobytes()
        at += len(here)
    return out


def page_of(there, values, codes, width, coded, optional, rng):
    """Write a page of data."""
    levels = runs(there.astype(np.uint64), 1, rng)
    head = len(levels).to_bytes(4, "little") + levels if optional else b""
    if coded:
        return head + bytes([width]) + runs(codes.astype(np.uint64), width, rng)
    if values.dtype == np.uint8:
        return head + np.packbits(values, bitorder="little").tobytes()
    return head + values.tobytes()


def headers_of(rows, coded):
    """Return the headers of pages of data of so many rows each, as far as they are read."""
    return np.array([[0, CODED if c else PLAIN, RUNS, n, 0, 0, 0] for n, c in zip(rows, coded, strict=True)])


@given(some.seeds(), st.integers(0, 9), st.sampled_from(TYPES), st.integers(0, 20), st.booleans())
def test_pages_are_decoded(rng, first, dtype, width, optional):
    dictionary = rng.integers(0, 2 if dtype == np.uint8 else np.iinfo(dtype).max, 1 << min(width, 10), dtype=dtype)
    rows, coded = rng.integers(0, 300, 3), rng.random(3) < 0.5
    hole = int(rng.choice([0, -1, np.float64(np.nan).view(np.int64)]))
    pages, expected, is_there = [], [np.zeros(first, dtype)], []
    for n, as_codes in zip(rows, coded, strict=True):
        there = rng.random(n) < rng.choice([0, 0.5, 0.97, 1]) if optional else np.ones(n, bool)
        codes = rng.integers(0, len(dictionary), there.sum())
        if rng.random() < 0.5:
            codes.sort()
        pages.append(page_of(there, dictionary[codes], codes, width, as_codes, optional, rng))
        expected.append(np.full(n, np.int64(hole).astype(dtype)))
        expected[-1][there] = dictionary[codes]
        is_there += there.tolist()
    expected = np.concatenate([*expected, np.zeros(2, dtype)])
    for kernels in (native, reference):
        out, present = np.zeros(len(expected), dtype), np.zeros(len(expected) if optional else 0, np.uint8)
        about = headers_of(rows, coded)
        assert kernels.decode_pages(pages, about, first, optional, dictionary, out, present, hole) == is_there.count(
            False
        )
        assert_same(out, expected)
        assert not optional or present[first:-2].tolist() == is_there


@pytest.mark.parametrize("width", range(33))
def test_codes_of_every_width_are_unpacked(width):
    rng = np.random.default_rng(width)
    codes = rng.integers(0, 1 << min(width, 16), 1_003)
    codes[::2] = (1 << min(width, 16)) - 1  # all bits
    dictionary = rng.integers(0, 1 << 60, 1 << 16, dtype=np.uint64)
    page, rows = bytes([width]) + runs(codes.astype(np.uint64), width, rng), [len(codes)]
    for kernels in (native, reference):
        out = np.zeros(len(codes), np.uint64)
        kernels.decode_pages([page], headers_of(rows, [True]), 0, False, dictionary, out, np.zeros(0, np.uint8))
        assert_same(out, dictionary[codes])


def answer(kernels, page, rows, optional, coded, dictionary):
    """Return what a page is decoded to, or what is said against it."""
    out, present = np.zeros(rows, dictionary.dtype), np.zeros(rows, np.uint8)
    try:
        missing = kernels.decode_pages([page], headers_of([rows], [coded]), 0, optional, dictionary, out, present)
    except ValueError as error:
        return str(error)
    return missing, out.tolist(), present.tolist()


@given(st.binary(max_size=60), st.integers(0, 200), st.sampled_from(TYPES), st.booleans(), st.booleans())
def test_bytes_of_any_kind_are_decoded_or_refused_alike(data, rows, dtype, optional, coded):
    page, dictionary = np.frombuffer(data, np.uint8), np.arange(5, dtype=dtype)
    found, expected = (answer(k, page, rows, optional, coded, dictionary) for k in (native, reference))
    assert found == expected


@given(st.binary(max_size=60))
def test_headers_of_any_kind_are_read_or_refused_alike(data):
    chunk, found = np.frombuffer(data, np.uint8), []
    for kernels in (native, reference):
        try:
            found.append(kernels.page_headers(chunk).tolist())
        except ValueError as error:
            found.append(str(error))
    assert found[0] == found[1]


@KERNELS
def test_a_header_is_read_and_what_is_unknown_passed_over(kernels):
    inner = b"\x15\x0a\x15\x10\x15\x06\x15\x06\x1c\x18\x02ab\x11\x00\x00"  # five rows of codes, and statistics
    header = b"\x15\x00\x15\x14\x15\x06\x15\x02\x1c" + inner + b"\x00"  # data, ten bytes, three packed, a checksum
    found = kernels.page_headers(np.frombuffer(header + b"xyz" + header + b"xyz", np.uint8))
    size = len(header)
    assert found.tolist() == [[0, 8, 3, 5, size, 3, 10], [0, 8, 3, 5, 2 * size + 3, 3, 10]]


@KERNELS
def test_pages_that_do_not_fit_are_refused(kernels):
    two, none = np.zeros(2, np.uint64), np.zeros(0, np.uint8)

    def decode(page, first, rows, optional=False, coded=False, out=two):
        about = headers_of([rows], [coded])
        return kernels.decode_pages([page], about, first, optional, out, out.copy(), none)

    for first, rows in ((1, 2), (-1, 1), (0, -1), (3, 0)):
        with pytest.raises(ValueError, match="more rows than there is room for"):
            decode(bytes(16), first, rows)
    with pytest.raises(ValueError, match="more rows than there is room for"):
        kernels.decode_pages([bytes(8), bytes(16)], headers_of([1, 2], [False] * 2), 0, False, two, two.copy(), none)
    with pytest.raises(ValueError, match="more rows than there is room for"):
        decode(bytes(16), 0, 2, optional=True)
    with pytest.raises(ValueError, match="unsigned integers"):
        decode(bytes(16), 0, 2, out=two.view(float))
    with pytest.raises(ValueError, match="beyond its dictionary"):
        decode(b"\x02\x04\x03", 0, 2, coded=True)
    with pytest.raises(ValueError, match="too many bits"):
        decode(b"\x21\x04\x03", 0, 2, coded=True)
    with pytest.raises(ValueError, match="ends before"):
        decode(bytes(15), 0, 2)


@KERNELS
@pytest.mark.parametrize(("entry", "value"), [(0, 2), (0, 3), (1, 5), (2, 4)])
def test_pages_of_other_kinds_are_refused(kernels, entry, value):
    about, two = headers_of([2], [False]), np.zeros(2, np.uint64)
    about[0, entry] = value
    with pytest.raises(ValueError, match="not of the plainest kind"):
        kernels.decode_pages([bytes(24)], about, 0, True, two, two.copy(), np.zeros(2, np.uint8))

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


class Text(str):
    """A text of another class."""

    __slots__ = ()


TEXTS = st.one_of(st.text(max_size=20), st.text(st.characters(codec=None), max_size=3), st.text("ab").map(Text))
GAPS = st.sampled_from([None, float("nan"), np.float64("nan")])


@given(st.lists(st.one_of(TEXTS, GAPS), max_size=40), st.integers(1, 3))
def test_texts_are_coded_by_first_appearance(cells, step):
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    codes, levels = native.text_codes(column[::step])
    for kernels, given_ in ((reference, column[::step]), (reference, cells[::step]), (native, cells[::step])):
        expected_codes, expected_levels = kernels.text_codes(given_)
        assert_same(codes, expected_codes)
        assert levels == expected_levels
    assert [None if code < 0 else levels[code] for code in codes.tolist()] == [
        cell if isinstance(cell, str) else None for cell in cells[::step]
    ]


@pytest.mark.parametrize("of_bytes", ["utf-16-le", "utf-32-le"])
@given(st.text(min_size=1, max_size=6))
def test_texts_of_the_same_bytes_in_memory_are_two(of_bytes, text):
    # as CPython keeps them: a character of two or four bytes, and the characters that have these bytes one by one
    column = np.array([text, text.encode(of_bytes, "surrogatepass").decode("latin-1")], dtype=object)
    assert native.text_codes(column)[1] == [text] + [column[1]] * (column[1] != text)


@given(some.seeds(), st.integers(1, 3000))
def test_many_texts_on_two_threads_are_coded_as_by_one(rng, n_levels):
    words = np.array([f"level {v}" * (v % 5) for v in range(n_levels)], dtype=object)
    column = words[rng.integers(0, n_levels, 70_000)]
    column[rng.random(len(column)) < 0.1] = None
    codes, levels = native.text_codes(column)
    expected_codes, expected_levels = reference.text_codes(column)
    assert_same(codes, expected_codes)
    assert levels == expected_levels


@given(st.lists(st.text(max_size=9), min_size=1, max_size=40))
def test_texts_of_as_many_bytes_each_are_coded_by_first_appearance(cells):
    texts = np.array(cells)
    column = np.zeros((len(texts), 0), np.uint8)
    if texts.dtype.itemsize:
        column = texts.view(np.uint8).reshape(len(texts), -1)
    found = native.fixed_codes(column)
    assert_same(found, reference.fixed_codes(column))
    codes, first = found
    assert texts[first][codes].tolist() == texts.tolist()
    assert texts[first].tolist() == list(dict.fromkeys(texts.tolist()))


@given(st.lists(st.one_of(st.text(), st.none(), st.integers(), st.binary(max_size=3)), max_size=40))
def test_texts_among_other_cells(cells):
    texts = [cell for cell in cells if isinstance(cell, str)]
    told = len(texts), cells.count(None), sum(map(len, texts))
    assert native.texts_among(cells) == reference.texts_among(cells) == told


def test_texts_of_another_class_are_none():
    class Text(str):
        __slots__ = ()

    assert native.texts_among([Text("a"), "b"]) == reference.texts_among([Text("a"), "b"]) == (1, 0, 1)


HOLED = [np.float64, np.float32, np.int8, np.int16, np.int32, np.int64]


@given(some.seeds(), st.integers(0, 200), st.integers(0, 20), st.sampled_from(HOLED), st.sampled_from([0, 0.03, 1]))
def test_cells_that_are_not_there_are_filled(rng, n, first, dtype, share):
    values = rng.integers(-100, 100, n).astype(dtype)
    there = rng.uniform(size=first + n) >= share
    bits = np.packbits(there, bitorder="little")
    found = native.filled(values, bits, first)
    assert_same(found, reference.filled(values, bits, first))
    np.testing.assert_array_equal(found[there[first:]], values[there[first:]])
    hole = np.isnan(found) if np.dtype(dtype).kind == "f" else found == -1
    assert hole[~there[first:]].all()
    for kernels in (native, reference):
        assert kernels.filled(found, bits, first) is found  # it holds them, and no copy is needed


@pytest.mark.parametrize("kernels", [native, reference])
def test_filling_needs_a_bit_of_each_row(kernels):
    bits = np.full(1, 255, np.uint8)
    for first in (-1, 1):
        with pytest.raises(ValueError, match="of each row"):
            kernels.filled(np.zeros(8), bits, first)
    with pytest.raises(ValueError, match="floats or signed integers"):
        kernels.filled(np.zeros(8, np.uint8), bits, 0)


UTF8 = st.one_of(st.none(), st.text(st.characters(codec="utf-8"), max_size=20))


@pytest.mark.parametrize(("kind", "width"), [("string", 4), ("large_string", 8), ("string_view", 16)])
@given(cells=st.lists(UTF8, max_size=40), start=st.integers(0, 9), times=st.sampled_from([1, 1, 3000]))
def test_texts_of_arrow_are_coded_where_they_lie(kind, width, cells, start, times):
    pa = pytest.importorskip("pyarrow")
    values = pa.array(cells * times, getattr(pa, kind)())[start:]
    arguments = (values.buffers(), values.offset, len(values), width)
    codes, levels = native.arrow_codes(*arguments)
    assert [None if code < 0 else levels[code] for code in codes.tolist()] == (cells * times)[start:]
    assert len(set(levels)) == len(levels)
    if times == 1:
        expected_codes, expected_levels = reference.arrow_codes(*arguments)
        assert_same(codes, expected_codes)
        assert levels == expected_levels


def test_what_is_no_column_of_text_is_refused():
    for buffers, width in (([], 4), ([None, b""], 4), ([None, None, b"ab"], 8), ([None, b"", b""], 5)):
        with pytest.raises(ValueError, match="no buffers of a column of text"):
            native.arrow_codes(buffers, 0, 1, width)


@pytest.mark.parametrize("odd", [1, 1.5, b"bytes", True, ("a",), object()])
def test_columns_with_other_cells_are_left_to_others(odd):
    column = np.empty(3, dtype=object)
    column[:] = ["a", None, odd]
    for given_ in (column, column.tolist()):
        assert native.text_codes(given_) is None
        assert reference.text_codes(given_) is None


@pytest.mark.parametrize("kernels", [native, reference])
def test_texts_are_a_column_of_objects(kernels):
    for wrong in (np.zeros(3), np.empty((2, 2), dtype=object)):
        with pytest.raises(TypeError, match="a list, or a 1-d array of objects"):
            kernels.text_codes(wrong)


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

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils import check_array
from sklearn.utils.estimator_checks import _NotAnArray

from candide.table import Numbers, Symbols, read

MIXED = {
    "colour": ["red", None, "blue"],
    "wheels": [4, None, 2],
    "heated": [True, False, None],
    "hp": [1.5, 2.0, None],
}


def cells(column):
    if isinstance(column, Numbers):
        return [None if value != value else value for value in column.values.tolist()]
    return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]


def contents(table):
    return [cells(table.column(i)) for i in range(table.n_columns)]


class Capsule:
    """A frame of an unknown library that speaks the Arrow interface."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def narwhals_frame(frame):
    import narwhals as nw

    return nw.from_native(frame)


FRAMES = {
    "pandas": pd.DataFrame,
    "pandas objects": lambda t: pd.DataFrame(t, dtype=object),
    "pandas nullable": lambda t: pd.DataFrame(t).convert_dtypes(),
    "pandas Arrow": lambda t: pa.table(t).to_pandas(types_mapper=pd.ArrowDtype),
    "Polars": pl.DataFrame,
    "Polars lazy": pl.LazyFrame,
    "Arrow": pa.table,
    "Arrow batch": pa.RecordBatch.from_pydict,
    "Arrow stream": lambda t: pa.table(t).to_reader(),
    "Arrow interface": lambda t: Capsule(pa.table(t)),
    "narwhals": lambda t: narwhals_frame(pl.DataFrame(t)),
    "narwhals lazy": lambda t: narwhals_frame(pl.LazyFrame(t)),
}


@pytest.mark.parametrize("frame", FRAMES)
def test_every_frame_gives_the_same_table(frame):
    table = read(FRAMES[frame](MIXED))
    assert table.names == tuple(MIXED)
    assert (table.n_rows, table.n_columns) == (3, 4)
    assert contents(table) == list(MIXED.values())
    assert [type(table.column(i)) for i in range(4)] == [Symbols, Numbers, Symbols, Numbers]


def test_arrays_and_lists_go_by_position():
    rows = [list(row) for row in zip(*MIXED.values(), strict=True)]
    for X in (rows, tuple(map(tuple, rows)), np.array(rows, object), _NotAnArray(np.array(rows, object))):
        table = read(X)
        assert table.names is None
        assert table.matrix is None
        assert contents(table) == list(MIXED.values())


tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.floats(width=32), min_size=width, max_size=width), min_size=1, max_size=6)
)


@settings(deadline=None)
@given(tables, st.sampled_from([np.float16, np.float32, np.float64]), st.sampled_from("CF"))
@pytest.mark.filterwarnings("ignore:overflow")
def test_an_array_of_numbers_is_its_own_matrix(rows, dtype, order):
    X = np.array(rows, dtype, order=order)[::-1]
    X.flags.writeable = False
    table = read(X)
    np.testing.assert_array_equal(table.matrix, X)
    assert dtype is np.float16 or table.matrix is X
    for i in range(table.n_columns):
        np.testing.assert_array_equal(table.column(i).values, X[:, i])
    np.testing.assert_array_equal(read(X.tolist()).matrix, X)
    np.testing.assert_array_equal(read(_NotAnArray(X)).matrix, X)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u4", "i8", "u8", ">i4", ">f8", "f2", "g"])
def test_every_type_of_number(dtype):
    table = read(np.array([[1, 2], [3, 4]], dtype))
    assert table.matrix.dtype.isnative
    assert table.matrix.tolist() == [[1, 2], [3, 4]]


def test_a_memory_map_is_read_where_it_is(tmp_path):
    X = np.memmap(tmp_path / "x", np.float64, "w+", shape=(5, 2))
    X[:] = 1
    assert np.shares_memory(read(X).matrix, X)


def test_booleans_text_bytes_dates_and_masked_arrays():
    assert contents(read(np.array([[True, True], [False, True]]))) == [[True, False], [True, True]]
    assert contents(read(np.array([["a", "b"], ["c", "b"]]))) == [["a", "c"], ["b", "b"]]
    assert contents(read(np.array([[b"a"], [b"c"]]))) == [["a", "c"]]
    assert contents(read(np.array([["1970-01-02", "NaT"]], "M8[D]"))) == [[86400.0], [None]]
    assert contents(read(np.ma.array([[1, 2]], mask=[[False, True]]))) == [[1.0], [None]]
    assert contents(read(np.ma.array([["a"], ["b"]], object, mask=[[False], [True]]))) == [["a", None]]


def test_lists_are_not_turned_into_text():
    assert contents(read([[1, "a"], [2, "b"]])) == [[1, 2], ["a", "b"]]
    assert contents(read([[True, 2], [False, 3]])) == [[True, False], [2, 3]]
    assert read([[1, 2**70]]).matrix.tolist() == [[1.0, float(2**70)]]
    assert read([np.array([1.0, 2.0]), np.array([3.0, 4.0])]).matrix.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
@pytest.mark.parametrize("make", [sp.coo_array, sp.coo_matrix])
def test_sparse_matrices_of_any_format(form, make):
    dense = np.array([[0, 2, 0], [1, 0, 0], [0, 0, 5], [0, 0, 0]], np.float32)
    table = read(make(dense).asformat(form))
    assert isinstance(table.sparse, sp.csr_array)
    assert table.sparse.dtype == np.float32
    np.testing.assert_array_equal(table.sparse.toarray(), dense)
    np.testing.assert_array_equal(np.transpose([table.column(i).values for i in range(3)]), dense)
    np.testing.assert_array_equal(table.rows(1, 3).sparse.toarray(), dense[1:3])
    np.testing.assert_array_equal(table.rows(1, 3).column(0).values, dense[1:3, 0])
    np.testing.assert_array_equal(table.select([2, 0]).sparse.toarray(), dense[:, [2, 0]])


def test_repeated_sparse_entries_add_up_and_the_given_matrix_stays_as_it_was():
    X = sp.csr_array((np.array([1.0, 2.0, 4.0]), np.array([1, 0, 1]), np.array([0, 3])), shape=(1, 2))
    table = read(X)
    assert table.sparse.has_canonical_format
    assert table.sparse.toarray().tolist() == [[2.0, 5.0]]
    assert X.indices.tolist() == [1, 0, 1]
    assert read(sp.csr_array(np.eye(2, dtype=bool))).sparse.data.tolist() == [1, 1]
    canonical = sp.csr_array(np.eye(3))
    assert np.shares_memory(read(canonical).sparse.data, canonical.data)


def test_a_pandas_frame_of_one_block_is_a_matrix_in_place():
    X = np.arange(6.0).reshape(3, 2)
    frame = pd.DataFrame(X, columns=["a", "b"], copy=False)
    table = read(frame)
    assert table.names == ("a", "b")
    assert np.shares_memory(table.matrix, X)
    assert table.matrix.tolist() == X.tolist()
    swapped = read(frame[["b", "a"]])
    assert [swapped.column(i).values.tolist() for i in range(2)] == [[1.0, 3.0, 5.0], [0.0, 2.0, 4.0]]
    assert read(frame.astype({"a": int})).matrix is None


def test_a_pandas_frame_without_the_quick_way_in(monkeypatch):
    monkeypatch.delattr(pd.DataFrame, "_get_column_array")
    for dtype in (None, object):
        assert contents(read(pd.DataFrame(MIXED, dtype=dtype))) == list(MIXED.values())


def test_a_subclass_of_a_frame_is_a_frame():
    class Mine(pd.DataFrame):
        pass

    assert contents(read(Mine(MIXED))) == list(MIXED.values())


def test_slices_of_rows_share_levels_and_memory():
    table = read(pd.DataFrame(MIXED))
    part = table.rows(1, 3)
    assert (part.n_rows, part.names) == (2, table.names)
    assert contents(part) == [column[1:] for column in MIXED.values()]
    assert part.column(0).levels is table.column(0).levels
    assert contents(part.rows(1, 99)) == [column[2:] for column in MIXED.values()]
    X = np.arange(6.0).reshape(3, 2)
    assert np.shares_memory(read(X).rows(0, 2).matrix, X)
    assert table.rows(2, 1).n_rows == 0


def test_columns_in_another_order():
    table = read(pd.DataFrame(MIXED))
    chosen = table.select([2, 0])
    assert chosen.names == ("heated", "colour")
    assert contents(chosen) == [MIXED["heated"], MIXED["colour"]]
    assert table.select(range(4)) is table
    X = np.arange(6.0).reshape(2, 3)
    assert np.shares_memory(read(X).select([1, 2]).matrix, X)
    assert read(X).select([2, 0]).matrix.tolist() == X[:, [2, 0]].tolist()


def test_columns_are_read_once():
    table = read(pd.DataFrame(MIXED))
    assert table.column(0) is table.column(0)


def test_columns_by_name():
    table = read(pd.DataFrame(MIXED))
    assert table.index("hp") == 3
    assert read(np.zeros((1, 3))).index(2) == 2
    with pytest.raises(ValueError, match="no column 'cc'; there are 'colour', 'wheels', 'heated', 'hp'"):
        table.index("cc")
    with pytest.raises(ValueError, match="no column 3; there are 0, 1, 2"):
        read(np.zeros((1, 3))).index(3)


def test_names_that_are_not_text():
    assert read(pd.DataFrame([[1, 2]])).names is None
    assert read(pd.DataFrame([[1, "a"]], columns=[(1, 2), (3, 4)])).names is None
    with pytest.raises(TypeError, match=r"Feature names are only supported if .* \['int', 'str'\]"):
        read(pd.DataFrame([[1, 2]], columns=["a", 1]))


@pytest.mark.parametrize("columns", [["a", "b", "a"], [1, 2, 1]])
def test_repeated_names_are_named(columns):
    with pytest.raises(ValueError, match=f"repeated: {columns[0]!r}"):
        read(pd.DataFrame([[1, 2, 3]], columns=columns))


@pytest.mark.parametrize(
    "X",
    [
        np.zeros(3),
        np.zeros((0, 3)),
        np.zeros((12, 0)),
        np.float64(5),
        np.zeros((2, 2, 2)),
        [1.0, 2.0],
        [],
        [[]],
        np.array([[1j]]),
        sp.csr_array(np.array([[1j]])),
        sp.csr_array((0, 3)),
    ],
    ids=str,
)
def test_the_wording_of_scikit_learn(X):
    with pytest.raises(ValueError) as theirs:
        check_array(X, accept_sparse=True)
    with pytest.raises(ValueError) as ours:
        read(X)
    first = str(theirs.value).splitlines()[0]
    assert str(ours.value).startswith(first.rstrip(".")[:60])
    if "Reshape" in str(theirs.value):
        assert str(theirs.value).splitlines()[-1] in str(ours.value)


@pytest.mark.parametrize("empty", [pd.DataFrame(), pl.DataFrame(), pa.table({}), pd.DataFrame({"a": []})])
def test_empty_frames(empty):
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=.* while a minimum of 1 is required"):
        read(empty)


@pytest.mark.parametrize("X", [[[1, 2], [3]], [["a"], ["b", "c"]], [["a", "b"], 5]])
def test_ragged_lists(X):
    with pytest.raises(ValueError, match="rows of X do not all have the same number of cells"):
        read(X)


@pytest.mark.parametrize("X", [[1.0, "a"], ["a", "bc"]])
def test_one_row_is_told_as_such(X):
    with pytest.raises(ValueError, match="got 1D array instead: X is one row; give a list of rows"):
        read(X)


@pytest.mark.parametrize("X", [None, 5, object(), pd.Series([1, 2]), pl.Series([1, 2])])
def test_what_is_no_table(X):
    with pytest.raises(ValueError, match="Expected 2D array"):
        read(X)


def test_a_dict_of_columns_says_what_to_do_in_a_line():
    with pytest.raises(TypeError, match=r"^X is a dict of columns: make it a data frame, as pandas.DataFrame\(X\)$"):
        read({"a": list(range(100_000))})


@pytest.mark.parametrize(
    "X", [Path("table.csv"), iter([[1.0]]), (row for row in [{"a": 1}])], ids=lambda X: type(X).__name__
)
def test_what_is_read_in_batches_says_by_what(X):
    with pytest.raises(TypeError, match=r"^X is a \w+ and no table: fit and predict_batches read it, in batches$"):
        read(X)


@pytest.mark.parametrize("shape", [2, (2, 1)])
def test_structured_arrays_say_what_to_do_in_a_line(shape):
    with pytest.raises(TypeError, match=r"fields with names: make it a data frame, as pandas.DataFrame\(X\)$"):
        read(np.zeros(shape, [("a", float)]))


def test_odd_cells_are_named_by_column():
    with pytest.raises(TypeError, match="column 'a' mixes text and numbers: row 1 holds 1"):
        read(pd.DataFrame({"a": ["x", 1, "y"]})).column(0)
    with pytest.raises(TypeError, match="train's column 1 mixes text and numbers: row 1 holds 1"):
        read([[0, "x"], [0, 1], [0, "y"]], "train").column(1)


def test_wide_and_tall_in_levels():
    wide = pd.DataFrame(np.zeros((2, 10_000)), columns=[f"x{i}" for i in range(10_000)])
    assert read(wide).matrix.shape == (2, 10_000)
    levels = [f"v{i}" for i in range(100_000)]
    assert read(pd.DataFrame({"a": levels})).column(0).levels.tolist() == levels

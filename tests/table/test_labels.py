import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.estimator_checks import _NotAnArray

from candide import NaiveBayes
from candide.table.columns import level_array
from candide.table.encode import encode
from candide.table.labels import code_labels, column_labels, read_labels
from candide.table.objects import SMALL


def check(y, expected):
    """The codes give the labels back, and the classes are the distinct labels, sorted."""
    labels = read_labels(y, len(expected))
    assert labels.classes.tolist() == sorted(set(expected))
    assert labels.classes[labels.codes].tolist() == expected
    assert labels.codes.dtype in (np.int8, np.int32, np.int64)
    return labels


ANY = [
    list,
    tuple,
    np.array,
    lambda y: np.array(y, object),
    lambda y: _NotAnArray(np.array(y)),
    pd.Series,
    lambda y: pd.Series(y, dtype=object),
    lambda y: pd.Series(y, dtype="category"),
    pd.Categorical,
    pd.Index,
    lambda y: pd.Series(y).convert_dtypes(),
    lambda y: pd.Series(pd.arrays.ArrowExtensionArray(pa.array(y))),
    pl.Series,
    pa.array,
    lambda y: pa.chunked_array([y[:1], y[1:]]),
    lambda y: pa.array(y).dictionary_encode(),
]
TEXT = [
    *ANY,
    lambda y: pd.Series(y, dtype="string[python]"),
    lambda y: pl.Series(y, dtype=pl.Categorical),
    lambda y: pl.Series(y, dtype=pl.Enum(["never", *sorted(set(y))])),
    lambda y: pd.Categorical(y, categories=["never", *sorted(set(y), reverse=True)]),
]
sizes = st.sampled_from([1, SMALL + 1])
text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=3)


@given(st.lists(text.filter(lambda label: label != "never"), min_size=2, max_size=6), sizes)
def test_text_labels_of_every_sort(y, repeat):
    for make in TEXT:
        assert check(make(y * repeat), y * repeat).classes.dtype.kind == "U"


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=6), sizes)
def test_integer_labels_of_every_sort(y, repeat):
    for make in ANY:
        assert check(make(y * repeat), y * repeat).classes.dtype == np.int64


@given(st.lists(st.booleans(), min_size=2, max_size=6), sizes)
def test_boolean_labels_of_every_sort(y, repeat):
    for make in ANY:
        assert check(make(y * repeat), y * repeat).classes.dtype == bool


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u4", "i8", "u8", "f4", "f8", ">i4", "?"])
@given(data=st.data())
def test_classes_are_those_of_numpy(dtype, data):
    whole = st.integers(0, 1 if dtype == "?" else 99)
    y = np.array(data.draw(st.lists(whole, min_size=1, max_size=20))).astype(dtype)
    classes, codes = np.unique(y, return_inverse=True)
    labels = read_labels(y, len(y))
    np.testing.assert_array_equal(labels.classes, classes)
    np.testing.assert_array_equal(labels.codes, codes)
    assert labels.classes.dtype.kind == classes.dtype.kind
    assert labels.classes.dtype.itemsize == classes.dtype.itemsize


@given(hnp.arrays(np.uint64, st.integers(1, 10)))
def test_labels_beyond_int64(y):
    check(y, y.tolist())
    check(y.tolist(), y.tolist())


@pytest.mark.parametrize("y", [[2**70, 2**70 + 1, 10**400], [1e300, 1.0], [2**63, -1], [2**63, 1], [2**64 - 1, 0]])
def test_huge_labels_stay_apart(y):
    labels = check(y, y)  # 2**63 is equal to the float that is nearest to it, which stands for its neighbours, too
    assert set(map(type, labels.classes.tolist())) == set(map(type, y))


@pytest.mark.parametrize("y", [[2**70, 2**70 + 1], [2**63 + 1, -1], [2**63, 1]])
def test_huge_labels_stay_apart_in_a_column_of_a_table(y):
    labels = column_labels(encode(np.array(y, object), "y"))
    assert labels.classes.tolist() == sorted(y)
    assert set(map(type, labels.classes.tolist())) == {int}


def test_tuples_and_any_text():
    pairs = np.empty(2, object)
    pairs[:] = [("b", 1), ("a", 2)]
    check(pairs, [("b", 1), ("a", 2)])
    check(["a\0", "a"], ["a\0", "a"])


def test_views_of_a_dict():
    labels = {"b": 1, "a": 2}
    check(labels.keys(), ["b", "a"])
    check(labels.values(), [1, 2])


def test_whole_numbers_may_be_floats():
    assert check([1, 2.0], [1.0, 2.0]).classes.dtype == np.float64
    assert check(np.array([2, 1], np.float32), [2.0, 1.0]).classes.dtype == np.float32


@pytest.mark.parametrize(
    ("y", "row"),
    [
        (["a", None], 1),
        (["a", float("nan"), "b"], 1),
        ([pd.NA, "a"], 0),
        ([None, None], 0),
        ([1.0, np.nan], 1),
        (np.full(3, np.nan), 0),
        (np.array([1.5, 2.0, np.nan]), 2),
        (pd.Series([1, None], dtype="Int64"), 1),
        (pd.Series(["a", None]), 1),
        (pd.Series([True, None], dtype="boolean"), 1),
        (pd.Categorical(["a", None]), 1),
        (pl.Series(["a", None]), 1),
        (pa.array([1, None]), 1),
        (np.ma.array([1, 2], mask=[False, True]), 1),
        (["a"] * SMALL + [None], SMALL),
    ],
)
def test_a_missing_label_is_named(y, row):
    with pytest.raises(ValueError, match=rf"Input y contains NaN\. The label of row {row} is missing"):
        read_labels(y, len(y))


@pytest.mark.parametrize(
    "y",
    [[1.0, 0.5], np.array([1, 0.5], np.float32), pd.Series([1, 0.5], dtype="category"), pa.array([1, 0.5])],
)
def test_continuous_labels_are_refused(y):
    with pytest.raises(ValueError, match=r"^Unknown label type: continuous\. The label of row 1 is 0\.5"):
        read_labels(y, 2)


def test_infinite_labels_are_refused():
    with pytest.raises(ValueError, match=r"Input y contains infinity or a value too large for .* row 1"):
        read_labels([1.0, np.inf], 2)


@pytest.mark.parametrize("y", [["a", 1], [1, "a"], [True, 2], [True, 1], [0, False], ["a", ("b",)]])
@pytest.mark.parametrize("repeat", [1, SMALL])
def test_labels_of_several_types_are_refused(y, repeat):
    with pytest.raises(TypeError, match=r"labels must be of one type: row 0 has .* row 1 has"):
        read_labels(y * repeat, len(y) * repeat)


def test_labels_without_hash_order_or_meaning():
    with pytest.raises(TypeError, match="label of row 1 is a dict, which has no hash"):
        read_labels(["a", {}], 2)
    with pytest.raises(TypeError, match="labels that are tuples of several types have no order"):
        read_labels(level_array([("a", 1), (1, "a")]), 2)
    with pytest.raises(TypeError, match="y holds dates or durations"):
        read_labels(np.array(["2020"], "M8[D]"), 1)
    with pytest.raises(ValueError, match="Complex data not supported"):
        read_labels(np.array([1j]), 1)


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        (b"yes", "bytes"),
        (dt.date(2020, 1, 2), "date"),
        (pd.Timestamp("2020-01-02"), "Timestamp"),
        (("a", b"b"), "tuple"),
        (object(), "object"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
@pytest.mark.parametrize("repeat", [1, SMALL])
def test_labels_that_no_file_holds_are_refused_where_they_are_given(label, kind, repeat):
    cells = level_array([label] * repeat + [label])
    with pytest.raises(
        TypeError, match=rf"the label of row 0 is .* of type {kind}; labels are text, booleans or whole"
    ):
        read_labels(cells, len(cells))
    nb = NaiveBayes()
    with pytest.raises(TypeError, match="labels are text, booleans or whole numbers"):
        nb.fit(np.arange(len(cells))[:, None], cells)
    assert not hasattr(nb, "classes_")


def test_a_target_column_of_bytes_is_text_as_any_column_is():
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": [b"no", b"yes"]})
    assert NaiveBayes().fit(frame, "y").classes_.tolist() == ["no", "yes"]


def test_the_number_of_labels():
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[3, 2\]"):
        read_labels([1, 2], 3)
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        read_labels(None, 3)


@pytest.mark.parametrize(
    "y",
    [
        [["b"], ["a"]],
        np.array([["b"], ["a"]]),
        pd.DataFrame({"y": ["b", "a"]}),
        pl.DataFrame({"y": ["b", "a"]}),
        pa.table({"y": ["b", "a"]}),
    ],
    ids=lambda y: type(y).__module__,
)
def test_a_column_vector_warns(y):
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed when a 1d array was expected"):
        labels = read_labels(y, 2)
    assert labels.classes[labels.codes].tolist() == ["b", "a"]


def test_one_number_is_no_labels_and_no_name():
    with pytest.raises(ValueError, match="y is 7: give a label for each row, or the name of a column"):
        read_labels(7, 3)


@pytest.mark.parametrize("y", [np.zeros((2, 2)), np.zeros((1, 2, 1)), pd.DataFrame({"a": [1], "b": [2]})])
def test_two_columns_are_no_labels(y):
    with pytest.raises(ValueError, match="y should be a 1d array, got an array of shape"):
        read_labels(y, 2)


def test_labels_that_are_not_there_yet_are_no_labels():
    with pytest.raises(TypeError, match="y is a LazyFrame, whose rows are not there yet: collect it"):
        read_labels(pl.DataFrame({"desk": ["a", "b"]}).lazy(), 2)


@given(st.lists(st.sampled_from("abcd"), min_size=1), st.sets(st.sampled_from("abcd"), min_size=1))
def test_codes_by_known_classes(y, known):
    classes = np.array(sorted(known))
    for make in (list, np.array, pd.Series, pl.Series, pa.array):
        codes = code_labels(make(y), classes)
        assert codes.tolist() == [sorted(known).index(label) if label in known else -1 for label in y]


def test_codes_by_classes_of_another_type_are_unknown():
    assert code_labels([1, 2], np.array(["1", "2"])).tolist() == [-1, -1]
    assert code_labels([1.0, 3.0], np.array([1, 2])).tolist() == [0, -1]

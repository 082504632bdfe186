import datetime as dt
import decimal
import fractions
import sys

import numpy as np
import pandas as pd
import pytest

from candide.table.columns import Numbers, Symbols, level_array
from candide.table.objects import SMALL, code_objects, encode_objects, is_missing, plain_levels


def cells(column):
    if isinstance(column, Numbers):
        return [None if value != value else value for value in column.values.tolist()]
    return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]


def encoded(values, repeat=1):
    return encode_objects(level_array(list(values) * repeat), "column 'a'")


LARGE = SMALL


@pytest.mark.parametrize("repeat", [1, LARGE])
@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, np.float32("nan"), pd.NA, pd.NaT])
@pytest.mark.parametrize(
    ("values", "kind"),
    [(["a", "b"], Symbols), ([True, False], Symbols), ([1, 2], Numbers), ([1.5, 2.0], Numbers)],
)
def test_missing_cells_of_every_sort(values, kind, missing, repeat):
    column = encoded([missing, *values], repeat)
    assert isinstance(column, kind)
    assert cells(column) == [None, *values] * repeat


def test_all_missing_objects_are_numbers_that_are_missing():
    column = encoded([None, pd.NA, np.nan])
    assert isinstance(column, Numbers)
    assert np.isnan(column.values).all()


@pytest.mark.parametrize(
    ("values", "expected", "dtype"),
    [
        ([1, 2], [1, 2], np.int64),
        ([np.int8(1), np.uint64(2)], [1, 2], np.int64),
        ([1, 2.5], [1.0, 2.5], np.float64),
        ([2**70, 1], [float(2**70), 1.0], np.float64),
        ([decimal.Decimal("1.5"), None], [1.5, None], np.float64),
        ([decimal.Decimal("NaN"), decimal.Decimal(2)], [None, 2.0], np.float64),
        ([fractions.Fraction(1, 4), 1], [0.25, 1.0], np.float64),
    ],
)
def test_numbers_of_every_sort(values, expected, dtype):
    column = encoded(values)
    assert cells(column) == expected
    assert column.values.dtype == dtype


def test_dates_and_durations_are_seconds():
    noon = dt.datetime(1970, 1, 2, 12)
    east = dt.datetime(1970, 1, 2, 14, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    for values in ([noon, None], [pd.Timestamp(noon), pd.NaT], [east, None]):
        assert cells(encoded(values)) == [129600.0, None]
    assert cells(encoded([dt.date(1970, 1, 2)])) == [86400.0]
    assert cells(encoded([dt.timedelta(minutes=1), None])) == [60.0, None]


def test_bytes_are_text_in_utf8():
    assert cells(encoded([b"\xc3\xa9", b"a", None])) == ["é", "a", None]
    with pytest.raises(TypeError, match="not text in UTF-8"):
        encoded([b"\xff"])


def test_numpy_text_becomes_python_text():
    assert [type(level) for level in encoded([np.str_("a")]).levels] == [str]


@pytest.mark.parametrize("repeat", [1, LARGE])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["a", "b", 1.5], r"mixes text and numbers: row 2 holds 1.5 \(float\)"),
        ([1, 2, "x"], r"mixes numbers and text: row 2 holds 'x' \(str\)"),
        (["a", "b", True], r"mixes text and booleans: row 2 holds True \(bool\)"),
        ([True, 1, True], r"mixes booleans and numbers: row 1 holds 1 \(int\)"),
        ([1, True, 1], r"mixes numbers and booleans: row 1 holds True \(bool\)"),
        (["a", {"foo": "bar"}, "b"], r"holds \{'foo': 'bar'\} \(dict\) in row 1"),
        ([None, {"foo": "bar"}], r"holds \{'foo': 'bar'\} \(dict\) in row 1"),
        ([None, (1, 2)], r"holds \(1, 2\) \(tuple\) in row 1"),
        (["a", "b", b"a"], "mixes text and bytes: row 2"),
    ],
)
def test_odd_cells_are_named(values, message, repeat):
    with pytest.raises(TypeError, match="column 'a' " + message):
        encoded(values, repeat)


def test_an_integer_beyond_float64_is_named():
    with pytest.raises(ValueError, match="column 'a' holds a number too large for float64 in row 1"):
        encoded([1, 10**400])


def test_a_long_odd_cell_is_cut():
    with pytest.raises(TypeError, match=r"holds \{0: 0, .{0,60}\.\.\. \(dict\) in row 2"):
        encoded(["a", "b", {i: i for i in range(1000)}])


def test_codes_are_the_same_with_and_without_pandas(monkeypatch):
    values = level_array(["b", None, "a", np.nan, "b"] * LARGE)
    with_pandas = code_objects(values)
    monkeypatch.delitem(sys.modules, "pandas")
    without = code_objects(values)
    assert with_pandas[0].tolist() == without[0].tolist()
    assert with_pandas[1] == without[1] == ["b", "a"]


def test_levels_of_a_domain_are_one_kind():
    assert plain_levels([np.int64(1), 2.5], "x").tolist() == [1, 2.5]
    assert plain_levels([dt.date(2020, 1, 2)], "x").tolist() == ["2020-01-02"]
    assert plain_levels([np.True_], "x")[0] is True
    with pytest.raises(TypeError, match=r"column 'a' has levels of several kinds \(numbers, text\)"):
        plain_levels(["a", 1], "column 'a'")


def test_what_is_missing():
    assert all(map(is_missing, [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")]))
    assert not any(map(is_missing, ["", "nan", 0, 0.0, False, float("inf"), np.datetime64("2020")]))


@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_times_of_numpy_are_no_integers(unit):
    moment, duration = np.datetime64("2024-01-03", unit), np.timedelta64(3, "D").astype(f"m8[{unit}]")
    assert cells(encoded([moment, None])) == [dt.datetime(2024, 1, 3, tzinfo=dt.UTC).timestamp(), None]
    assert cells(encoded([duration, np.timedelta64("NaT")])) == [3 * 86400.0, None]
    assert encoded([duration]).measure == "duration"

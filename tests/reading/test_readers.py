"""Readers: what each recognises and refuses, and that they are values which add up and are kept."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reading.corpus import german, indian, swiss, us

from candide import NaiveBayes
from candide.reading import (
    READERS,
    Amounts,
    Dates,
    Documents,
    Omitted,
    ReadAs,
    TableReading,
    Texts,
    Truths,
    UnreadableError,
    find,
    look,
)
from candide.reading.census import Census
from candide.reading.documents import SAMPLE, are_documents
from candide.reading.table_reading import ReadingWarning
from candide.scoring.explanation import readable
from candide.sources import Reading, open_source
from candide.table import Numbers, read

pytestmark = pytest.mark.filterwarnings("ignore::candide.reading.table_reading.ReadingWarning")
Y = ["a", "b"] * 20


def column(cells: list) -> object:
    return read(pd.DataFrame({"x": pd.Series(cells, dtype=object)})).column(0)


@pytest.mark.parametrize("cls", READERS)
def test_equal_readers_have_equal_parameters(cls: type) -> None:
    assert cls() == cls()
    assert hash(cls()) == hash(cls())
    assert cls(**cls().get_params()) == cls()


ONE_OF_EACH = [
    (Amounts(",", ".", "€", ["?"]), ["1.234,50 €", "?", 7, 2.5, None, "(3)", ""]),
    (Dates("dmy", missing=["-"]), ["24.12.2023", "-", None, "2024-02-29"]),
    (Dates("dmy", clock=True), ["24.12.2023 17:30", "1.1.1970", None]),
    (Truths("ja", "nein", ["?"]), ["Ja", "NEIN", "?", 1, 0, True, None, "false"]),
    (Texts(["?"]), ["red", "?", 4, None, " red"]),
    (Omitted(), ["k-1", None, 3]),
]


@pytest.mark.parametrize(("reader", "cells"), ONE_OF_EACH, ids=lambda value: type(value).__name__)
def test_a_cell_alone_is_read_as_in_a_column(reader, cells) -> None:
    for cell in cells:
        parts = reader.read(column([cell]), "it")
        in_column = [part.values.item() if isinstance(part, Numbers) else readable(part)[0] for part in parts]
        alone = reader.cells(cell)
        assert [None if x != x else x for x in in_column] == list(alone), cell


@pytest.mark.parametrize("reader", [cls() for cls in READERS if cls is not Omitted], ids=repr)
def test_a_cell_that_takes_a_column_is_left_to_it(reader) -> None:
    assert reader.cells(object()) is None
    assert {type(reader) for reader, _ in ONE_OF_EACH} >= set(READERS) - {Documents}


ACCOUNTED = [
    ("$ (180.10)", -180.1),
    ("$(180.10)", -180.1),
    ("$ 186.46", 186.46),
    ("($180.10)", -180.1),
    ("€ (1234.5)", -1234.5),
    ("(3.2)%", -3.2),
    (" (3.2) % ", -3.2),
    ("(3.2%)", -3.2),
    ("$ -5", -5.0),
]


@pytest.mark.parametrize(("text", "number"), ACCOUNTED)
def test_brackets_for_a_minus_stand_inside_or_outside_of_the_unit(text, number) -> None:
    unit = next(c for c in text if c in "$€%")
    assert Amounts(unit=unit).value(text) == number


@pytest.mark.parametrize(
    "text", ["$ ((180.10))", "($ (180.10))", "$ (180.10", "$ 180.10)", "-$ (180.10)", "-(3.2)", "$ ()"]
)
def test_brackets_that_do_not_close_or_have_a_sign_before_them_are_no_number(text) -> None:
    assert Amounts(unit="$").value(text) is None


@pytest.mark.parametrize("text", [" " * 5000, "$" + " " * 5000 + "x", "(" + " " * 5000 + "x", "1" + " " * 5000 + "!"])
def test_long_runs_of_spaces_are_gone_through_once(text) -> None:
    assert Amounts(unit="$").value(text) is None or not text.strip()  # each took minutes where spaces were parted


@pytest.mark.parametrize("write", ["$ {:.2f}", "{:.1f}%"])
def test_a_column_as_accountants_write_it_is_numbers_in_frames_and_files(write, tmp_path) -> None:
    cells = [write.format(10 + 1.5 * i) for i in range(120)]
    cells[::3] = [cell.replace(number := cell.strip("$ %"), f"({number})") for cell in cells[::3]]
    table = pd.DataFrame({"x": cells, "y": ["a", "b"] * 60})
    table.to_csv(tmp_path / "t.csv", index=False)
    for given_ in (table, str(tmp_path / "t.csv")):
        nb = NaiveBayes().fit(given_, "y")
        assert nb.schema_.reading["x"].reader == Amounts(unit="$" if "$" in write else "%")
        assert "brackets for a minus" in nb.schema_.reading["x"].said


@pytest.mark.parametrize("other", ["{}.5", "{},5"])
@pytest.mark.parametrize("levels", [["1", "2", "3"], ["0", "1", "1"]])
def test_few_whole_numbers_of_a_frame_are_levels_whatever_other_columns_hold(other, levels) -> None:
    table = pd.DataFrame({"w": levels * 20, "c": [other.format(i) for i in range(60)], "y": ["a", "b"] * 30})
    nb = NaiveBayes().fit(table, "y")
    assert "w" not in nb.schema_.reading
    assert nb.schema_.columns[0].levels.tolist() == sorted(set(levels))


@given(st.floats(-1e12, 1e12, allow_nan=False).map(lambda x: round(x, 2)))
def test_a_number_survives_being_written_as_people_do(x: float) -> None:
    styles = ((us, ".", ","), (german, ",", "."), (swiss, ".", "'"), (indian, ".", ","))
    for write, decimal, thousands in styles:
        if write is not indian or x >= 0:
            assert Amounts(decimal, thousands).value(write(x)) == x
    assert Amounts(".", ",").value(f"({us(abs(x))})") == -abs(x)
    assert Amounts(".", ",", "$").value(f"$ {us(x)}") == x


@given(st.dates(dt.date(1970, 1, 1), dt.date(2068, 12, 31)))
def test_a_day_survives_being_written_in_any_order(day: dt.date) -> None:
    seconds = (dt.datetime(day.year, day.month, day.day) - dt.datetime(1970, 1, 1)).total_seconds()
    spellings = {
        "ymd": "%Y-%m-%d", "dmy": "%d.%m.%Y", "mdy": "%m/%d/%y", "d name y": "%d %B %Y", "name d y": "%b %d, %Y"
    }  # fmt: skip
    for order, form in spellings.items():
        assert Dates(order).value(day.strftime(form)) == seconds


@pytest.mark.parametrize("text", ["31.02.2023", "2023-13-01", "25:99", "hello", "1.2.3", "99/99/99"])
def test_what_is_no_day_is_no_date(text: str) -> None:
    found = find({text: 40})
    assert found is None or not isinstance(found.reader, Dates)


def test_times_zones_and_halves_of_the_day() -> None:
    noon = 12 * 3600.0
    for text in ("1970-01-01T12:00:00Z", "1970-01-01 14:00+02:00", "1970-01-01 12:00 PM"):
        assert Dates("ymd", True).value(text) == noon
    assert Dates("time").value("1:30 pm") == 13.5 * 3600


def test_day_and_month_that_cannot_be_told_apart_are_said() -> None:
    found = find({"01/02/2023": 5, "03/04/2023": 6})
    assert found.reader == Dates("dmy")
    assert "could be month/day/year as well" in found.said
    assert found.doubted
    found = find({"01/02/2023": 5, "03/14/2023": 6})
    assert found.reader == Dates("mdy")
    assert "as well" not in found.said
    assert not found.doubted


def test_what_is_warned_of_does_not_depend_on_the_words_of_the_table(recwarn: pytest.WarningsRecorder) -> None:
    levels = ["nothing", "ring as well", "Ring as well"] * 10
    reading = NaiveBayes().fit(pd.DataFrame({"stolen": levels}), ["a", "b", "c"] * 10).schema_.reading
    assert "beside 'ring as well'" in reading["stolen"].said
    assert not recwarn.list


def test_a_comma_that_may_be_either_follows_the_other_columns() -> None:
    open_column = [f"{i},{i}00" for i in range(1, 10)]
    table = pd.DataFrame({"x": open_column, "z": [f"{i},5" for i in range(1, 10)]})
    assert look(read(table))["x"].reader == Amounts(",")
    with pytest.warns(ReadingWarning, match="could have a decimal comma"):
        assert look(read(table[["x"]]))["x"].reader == Amounts(".", ",")


def test_the_score_of_the_issue() -> None:
    cells = [str(i % 30) for i in range(535)] + ["?"] * 65
    said = look(read(pd.DataFrame({"score": cells})))
    assert said.lines() == ["score: 535 numbers and 65 times '?', read as missing"]


def test_a_cell_that_cannot_be_read_later_is_named() -> None:
    frame = pd.DataFrame({"x": [f"${i}.50" for i in range(40)]})
    nb = NaiveBayes().fit(frame, sorted(Y))
    with pytest.raises(UnreadableError, match=r"column 'x', row 1: 'dear' is none of the numbers.*reading='plain'"):
        nb.predict(pd.DataFrame({"x": ["$ 3", "dear"]}))
    assert nb.predict({"x": 3.5}) == nb.predict({"x": "$3.50"}) == nb.predict([{"x": "3.5"}])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, lambda d: pd.DataFrame(d).to_dict("records")])
def test_every_library_is_read_alike(make) -> None:
    columns = {
        "id": [f"K{i:03d}" for i in range(40)],
        "x": [f"{i},5 %" for i in range(40)],
        "when": [f"{1 + i % 28}.{1 + i % 12}.2022" for i in range(40)],
        "level": ["red", "blue"] * 20,
    }
    nb = NaiveBayes().fit(make(columns), Y)
    assert nb.schema_.names == ["x", "when", "when.month", "when.weekday", "level"]
    assert [type(nb.schema_.reading[name].reader) for name in nb.schema_.reading] == [Omitted, Amounts, Dates]
    assert nb.n_features_in_ == 4
    whole = NaiveBayes().fit(pd.DataFrame(columns), Y)
    np.testing.assert_allclose(nb.predict_proba(make(columns)), whole.predict_proba(pd.DataFrame(columns)), rtol=1e-12)


def test_numbers_and_categories_are_taken_as_they_are() -> None:
    frame = pd.DataFrame({
        "n": np.arange(40), "f": np.linspace(0, 1, 40), "b": [True, False] * 20,
        "c": pd.Categorical(["1,5", "2,5"] * 20), "few": ["1", "2"] * 20,
    })  # fmt: skip
    auto, plain = NaiveBayes().fit(frame, Y), NaiveBayes(reading="plain").fit(frame, Y)
    assert not auto.schema_.reading
    np.testing.assert_array_equal(auto.predict_proba(frame), plain.predict_proba(frame))


def test_a_reader_by_column_and_bad_ones() -> None:
    frame = pd.DataFrame({"when": ["01/02/2023", "03/04/2023"] * 20, "x": ["1", "2"] * 20})
    nb = NaiveBayes(reading={"when": Dates("mdy")}).fit(frame, Y)
    assert nb.schema_.reading["when"].reader == Dates("mdy")
    assert nb.explain(frame[:1]).cells[0][:2] == ["2023-01-02", "January"]
    with pytest.raises(ValueError, match="no column 'wehn'; did you mean 'when'"):
        NaiveBayes(reading={"wehn": "plain"}).fit(frame, Y)
    with pytest.raises(TypeError, match="takes 'auto', 'plain' or a reader"):
        NaiveBayes(reading={"when": "dates"}).fit(frame, Y)
    with pytest.raises(ValueError, match="reading='atuo' is not known"):
        NaiveBayes(reading="atuo").fit(frame, Y)


def test_parts_of_a_table_add_where_they_are_read_alike() -> None:
    frame = pd.DataFrame({"x": [f"{i}.5" if i % 5 else "?" for i in range(80)], "y": Y * 2})
    other = frame.assign(x=frame["x"].replace("?", "NA"))
    one, two = NaiveBayes().fit(frame, "y"), NaiveBayes().fit(other, "y")
    both = one + two
    assert both.schema_.reading["x"].reader.missing == ("?", "NA")
    np.testing.assert_allclose(both.predict_proba(frame), both.predict_proba(other))
    words = NaiveBayes().fit(frame.assign(x=["1/1/2023"] * 80), "y")
    with pytest.raises(ValueError, match=r"column|columns"):
        _ = one + words
    later = NaiveBayes(schema=one.schema_).fit(frame[:3], "y")
    assert later.schema_.reading["x"].reader == one.schema_.reading["x"].reader


def test_partial_fit_reads_as_the_first_rows_were_read() -> None:
    frame = pd.DataFrame({"x": [f"{i},5" for i in range(80)], "y": Y * 2})
    whole = NaiveBayes().fit(frame, "y")
    nb = NaiveBayes().partial_fit(frame[:40], "y").partial_fit(frame[40:], "y")
    np.testing.assert_allclose(nb.predict_proba(frame[["x"]]), whole.predict_proba(frame[["x"]]))
    nb.forget(frame[40:], "y")
    first = NaiveBayes().fit(frame[:40], "y")
    np.testing.assert_allclose(nb.predict_proba(frame[["x"]]), first.predict_proba(frame[["x"]]))


def test_parts_of_dates_that_tell_something_are_chosen_and_others_ignored() -> None:
    days = pd.date_range("2020-01-01", periods=730)
    y = np.where(days.day_of_week >= 5, "weekend", "week")
    nb = NaiveBayes().fit(pd.DataFrame({"day": days.strftime("%d/%m/%Y")}), y)
    chosen = {name: type(nb.schema_.choice(name)).__name__ for name in nb.schema_.names}
    assert chosen["day.weekday"] != "Nothing"
    assert chosen["day.month"] == "Nothing"
    assert nb.score(pd.DataFrame({"day": days.strftime("%d/%m/%Y")}), y) > 0.99


def test_a_census_in_batches_finds_what_the_whole_shows() -> None:
    census = Census()
    for start in range(0, 60_000, 1000):
        census.see({f"{i},5": 1 for i in range(start, start + 1000)})
    census.see({"?": 7})
    found = find(census.counts)
    assert found.reader == Amounts(",", missing=("?",))
    assert found.said.startswith("60000 numbers")
    assert len(census.counts) < 30_000


def test_free_text_is_told_by_a_few_cells_first() -> None:
    class Counted(list):
        seen = 0

        def __getitem__(self, part):
            Counted.seen = max(Counted.seen, part.stop)
            return list.__getitem__(self, part)

    assert not are_documents(Counted(["red", "blue"] * 5000))
    assert Counted.seen < 100
    assert are_documents(Counted([f"please send the form number {i} to me" for i in range(5000)]))
    assert Counted.seen == SAMPLE


def test_a_reading_is_a_mapping_that_tells_itself() -> None:
    reading = TableReading(("a", "b"), {"a": ReadAs(Omitted(), "left out"), "b": ReadAs(Texts(("?",)))})
    assert reading.left_out == ["a"]
    assert reading.learnt == ("b",)
    assert str(reading) == "a: left out\nb: read as Texts(missing=('?',))"
    assert isinstance(Amounts().read(column([1, 2]), "it")[0], Numbers)


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ([f"{i}" for i in range(39)] + ["unknown"], "39 numbers and once 'unknown', which is none"),
        ([f"{i % 30}" for i in range(38)] + ["a", "b"], "38 numbers and once 'a' and 1 more"),
        ([f"2023-01-{1 + i % 28:02d}" for i in range(38)] + ["soon"] * 2, "38 dates and 2 times 'soon'"),
        (["0", "1", "2", "3+"] * 10, None),  # levels
        ([f"0{i % 20:04d}" for i in range(39)] + ["unknown"], None),  # codes
        ([f"{i} {'€$'[i % 2]}" for i in range(40)], r"20 numbers and once '1 \$' and 19 more"),  # of two kinds
    ],
)
def test_cells_that_are_odd_among_dates_and_numbers_are_told_of(cells: list[str], says: str | None) -> None:
    frame = pd.DataFrame({"x": cells, "level": ["low", "high"] * 20})
    if says is None:
        assert not NaiveBayes().fit(frame, Y).schema_.reading
        return
    with pytest.warns(ReadingWarning, match=says):
        nb = NaiveBayes().fit(frame, Y)
    assert nb.schema_.reading["x"].reader == Texts()
    assert sorted(nb.schema_.columns[0].levels) == sorted(set(cells))


def test_the_way_out_that_is_said_works() -> None:
    frame = pd.DataFrame({"x": [f"{i}" for i in range(39)] + ["unknown"]})
    said = look(read(frame))["x"].said
    reading = eval(said.partition("reading=")[2].removesuffix(", makes it missing"), globals(), {"column": "x"})
    assert np.isnan(NaiveBayes(reading=reading).fit(frame, Y).schema_.reading["x"].reader.value("unknown"))


def test_a_date_that_is_open_is_shown_where_it_is() -> None:
    frame = pd.DataFrame({"x": ["03/03/2023", "04/05/2023"] * 20})
    said = look(read(frame))["x"].said
    assert "'04/05/2023' could be month/day/year as well" in said
    reading = eval(said.partition("reading=")[2].removesuffix(", says so"), globals(), {"column": "x"})
    assert look(read(frame), reading)["x"].reader == Dates("mdy")


def test_dates_of_another_column_settle_which_number_is_the_day(tmp_path: Path) -> None:
    open_, clear = ["03/04/2023", "05/06/2023"] * 20, ["03/19/2023", "04/05/2023"] * 20
    frame = pd.DataFrame({"x": open_, "z": clear, "y": Y})
    frame.to_csv(tmp_path / "t.csv", index=False)
    for nb in (NaiveBayes().fit(frame, "y"), NaiveBayes().fit(tmp_path / "t.csv", "y")):
        assert {name: read.reader for name, read in nb.schema_.reading.items()} == {
            "x": Dates("mdy"),
            "z": Dates("mdy"),
        }
        assert "as well" not in nb.schema_.reading["x"].said
    frame.drop(columns="z").to_csv(tmp_path / "t.csv", index=False)
    for dates in ("dmy", "mdy"):
        source = open_source(tmp_path / "t.csv", Reading(dates=dates))
        assert NaiveBayes().fit(source, "y").schema_.reading["x"].reader == Dates(dates)


def test_whole_numbers_of_a_frame_that_are_all_days_are_dates() -> None:
    days = [20230101 + 10_000 * (i // 20) + 100 * (i % 12) + i % 28 for i in range(40)]
    frame = pd.DataFrame({"when": days, "sold": range(19_000_000, 19_000_040), "y": ["a"] * 20 + ["b"] * 20})
    for table in (frame, frame.assign(when=[float(d) for d in days]), frame.assign(level=["low", "high"] * 20)):
        nb = NaiveBayes().fit(table, "y")
        assert {name: read.reader for name, read in nb.schema_.reading.items()} == {"when": Dates("compact")}
        assert "eight digits" in nb.schema_.reading["when"].said
        first = table.drop(columns="y")[:1]
        row = first.to_dict("records")[0]
        np.testing.assert_allclose(nb.predict_proba(row), nb.predict_proba(first), rtol=1e-9)
        np.testing.assert_allclose(nb.predict_proba(row | {"when": "20230101"}), nb.predict_proba(first), rtol=1e-9)
    with pytest.raises(UnreadableError, match=r"column 'when', row 0: '20231301' is none of the eight digits"):
        nb.predict(frame.drop(columns="y").assign(when=20231301, level="low"))
    assert not NaiveBayes(reading="plain").fit(frame, "y").schema_.reading
    few = frame.assign(when=[20230101, 20230102] * 20)  # two days may as well be two numbers
    assert not NaiveBayes().fit(few, "y").schema_.reading


def test_a_number_of_another_unit_is_refused() -> None:
    frame = pd.DataFrame({"w": [f"{i},5 kg" for i in range(40)], "y": ["a"] * 20 + ["b"] * 20})
    nb = NaiveBayes().fit(frame, "y")
    assert nb.schema_.reading["w"].said == "40 numbers with a decimal comma and the unit 'kg'"
    assert nb.predict_proba({"w": "3,5"}).tolist() == nb.predict_proba({"w": "3,5kg"}).tolist()
    with pytest.raises(UnreadableError, match="'3,5 lb' is none of the numbers"):
        nb.predict({"w": "3,5 lb"})


@pytest.mark.parametrize("name", ["Januar", "janvier", "ENERO", "Jän", "Sept", "juil", "mrz", "Marble", "jui", "ma"])
def test_months_go_by_their_names_and_beginnings_of_these(name: str) -> None:
    second = Dates("name y").value(f"{name} 2023")
    assert (second is None) == (name in ("Marble", "jui", "ma"))


def test_columns_of_identifiers_alone_are_learnt_and_said_to_be() -> None:
    frame = pd.DataFrame({"x": [f"P{i:03d}" for i in range(40)]})
    with pytest.warns(ReadingWarning, match="40 different texts in 40 rows: identifiers, taken as text, since there"):
        nb = NaiveBayes().fit(frame, Y)
    assert nb.schema_.names == ["x"]


def test_codes_that_differ_in_every_row_are_identifiers() -> None:
    frame = pd.DataFrame({"x": [f"0{i:04d}" for i in range(40)], "level": ["low", "high"] * 20})
    with pytest.warns(ReadingWarning, match="identifiers, ignored"):
        assert NaiveBayes().fit(frame, Y).schema_.names == ["level"]


def test_cells_without_the_unit_of_the_others_are_told_of() -> None:
    assert find({**{f"{i} %": 1 for i in range(30)}, "0.5": 3, "NA": 2}).said == (
        "33 numbers with the unit '%' (3 of them without it, taken as if they had it) and 2 times 'NA', read as missing"
    )


@pytest.mark.parametrize("cells", [["2023-W54-1"], ["2023-W10-8"], ["2023-W00"], ["27:60"]])
def test_what_is_no_week_and_no_hour_is_none(cells) -> None:
    assert find({f"{cell}": 1 for cell in cells}) is None


def test_a_column_of_months_is_described_by_their_names() -> None:
    days = [f"2023-{1 + i % 6 + 6 * (i % 2):02d}-{1 + i % 28:02d}" for i in range(200)]
    nb = NaiveBayes(distributions="bins").fit(pd.DataFrame({"day": days}), ["early", "late"] * 100)
    described = nb.describe("day.month")
    assert next(iter(described)).startswith("January")
    assert list(described)[-1].endswith("December")
    assert sum(told["late"] for told in described.values()) == pytest.approx(1.0)


# -- numbers among texts and dates -----------------------------------------------------------------------------------


@pytest.fixture
def dated() -> NaiveBayes:
    """A model of dates, of durations and of numbers with a decimal comma."""
    n = 80
    return NaiveBayes("normal").fit(
        pd.DataFrame(
            {
                "day": [f"{1 + i % 28:02d}.{1 + i // 28:02d}.2023" for i in range(n)],
                "took": pd.to_timedelta(np.arange(n), unit="h"),
                "x": [german(3000.0 * i / n + 1) for i in range(n)],
                "y": ["a"] * (n // 2) + ["b"] * (n // 2),
            }
        ),
        "y",
    )


def with_cells(**cells: object) -> dict[str, object]:
    return {"day": None, "took": None, "x": None, **cells}


@pytest.mark.parametrize("number", [5, 2023, 1677888000, 1677888000000, 20231399, 0.5])
def test_a_number_is_no_date_since_it_may_be_any(dated: NaiveBayes, number: float) -> None:
    row = with_cells(day=number)
    for rows in (row, [row, with_cells(day="04.03.2023")], pd.DataFrame([row])):
        with pytest.raises(ValueError, match="column 'day', row 0"):
            dated.predict_proba(rows)


def test_eight_digits_are_a_day_as_iso_writes_it(dated: NaiveBayes) -> None:
    expected = dated.predict_proba(with_cells(day="04.03.2023"))
    for day in (20230304, 20230304.0, "20230304", "2023-03-04", dt.date(2023, 3, 4)):
        for rows in (with_cells(day=day), [with_cells(day=day)] * 40):
            np.testing.assert_allclose(dated.predict_proba(rows)[:1], expected, rtol=1e-12)


@pytest.mark.parametrize(("column", "cell"), [("day", dt.timedelta(days=3)), ("took", dt.date(2023, 3, 4))])
def test_a_duration_is_no_date_and_a_date_no_duration(dated: NaiveBayes, column: str, cell: object) -> None:
    with pytest.raises(ValueError, match=f"column '{column}' holds d.*, and was read as d"):
        dated.predict_proba(with_cells(**{column: cell}))


@pytest.mark.parametrize("n", [2, 300])
def test_a_number_of_json_stays_that_number_beside_texts_with_a_decimal_comma(dated: NaiveBayes, n: int) -> None:
    rows = [with_cells(x=123.456), with_cells(x="1,5")] * n
    expected = dated.predict_proba(with_cells(x="123,456"))[0]
    for given_rows in (rows, json.dumps(rows)):
        np.testing.assert_allclose(dated.predict_proba(given_rows)[0], expected, rtol=1e-12)


def test_a_box_that_is_ticked_or_empty_is_not_said_to_tell_nothing(tmp_path: Path) -> None:
    frame = pd.DataFrame({"box": ["x", None] * 40, "x": np.arange(80) % 7, "y": ["a", "b"] * 40})
    frame.to_csv(tmp_path / "t.csv", index=False)
    for table in (frame, pl.from_pandas(frame), tmp_path / "t.csv"):
        told = NaiveBayes(missing="level").fit(table, "y").schema_.reading["box"].said
        assert told.startswith("always 'x' or missing (40 times): tells something where missing is a level")
    told = NaiveBayes().fit(frame.assign(box="x"), "y").schema_.reading["box"].said
    assert told == "always 'x', which tells nothing"


def test_times_of_day_are_read_alike_as_objects_as_texts_and_from_polars() -> None:
    clock = [dt.time(i // 40 * 12 + i % 9, i % 60) for i in range(80)]
    y = ["a"] * 40 + ["b"] * 40
    frames = [
        pd.DataFrame({"t": clock, "y": y}),
        pd.DataFrame({"t": [f"{time:%H:%M}" for time in clock], "y": y}),
        pl.DataFrame({"t": clock, "y": y}),
        [{"t": time, "y": label} for time, label in zip(clock, y, strict=True)],
    ]
    models = [NaiveBayes().fit(frame, "y") for frame in frames]
    expected = models[0].predict_proba(frames[0])
    for nb in models:
        for frame in frames:
            np.testing.assert_allclose(nb.predict_proba(frame), expected, rtol=1e-9)
        for cell in (clock[50], f"{clock[50]:%H:%M}"):
            np.testing.assert_allclose(nb.predict_proba({"t": cell}), expected[50:51], rtol=1e-9)

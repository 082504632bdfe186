"""Rows that arrive: batches of whole lines, encodings, comments, workbooks."""

from __future__ import annotations

import io
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes
from candide.cli.tables import open_arriving
from candide.sources import Reading
from candide.sources.arriving import Arriving
from candide.sources.decoding import decoded
from candide.sources.objects import arrow_columns
from candide.sources.paths import expand

NB = NaiveBayes().fit(pd.DataFrame({"s": ["a", "b", "a", "c"] * 5, "x": [1.0, 2.0, 3.0, 4.0] * 5}), ["p", "q"] * 10)


class Dripping(io.RawIOBase):
    """A pipe that gives what it was handed, piece by piece."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = list(pieces)

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("no descriptor")

    def readinto(self, buffer: memoryview) -> int:
        piece = self.pieces.pop(0) if self.pieces else b""
        buffer[: len(piece)] = piece
        return len(piece)


def arriving(*pieces: bytes, most: int | None = None, **options: object) -> list[int]:
    source = Arriving(io.BufferedReader(Dripping(pieces)), Reading(**options), most)
    known = NB.learnt_.schema
    return [batch.n_rows for batch in source.raw_for(known, known.used_names) if source.typed(batch, known, None)]


def test_lines_are_given_out_as_they_come() -> None:
    assert arriving(b"s,x\na,1\n", b"b,2\nc,", b"3\n", b"a,4") == [1, 1, 1, 1]
    assert arriving(b'{"s": "a"}\n', b'{"x": 1}\n{"s": "b"}\n') == [1, 2]
    assert arriving(b"s,x\n" + b"a,1\n" * 10, most=4) == [4, 4, 2]


@pytest.mark.parametrize("bare", [b"{}\n", b'{"other": 1}\n', b"{}\n{}\n"])
def test_an_object_without_any_column_is_answered_whether_it_comes_alone_or_not(bare: bytes) -> None:
    row = b'{"s": "a"}\n'
    alone, together = arriving(row, bare, row), arriving(row + bare + row)
    assert sum(alone) == sum(together) == 2 + bare.count(b"\n")
    if b"other" not in bare:
        assert arriving(bare, row) == [bare.count(b"\n"), 1]
        return
    with pytest.raises(ValueError, match="2 of the model's columns are not there"):
        arriving(bare, row)  # of another table


@pytest.mark.parametrize("blank", [b"\n", b"\r\n\r\n", b"\xef\xbb\xbf\n"])
def test_blank_lines_that_come_first_tell_no_format(monkeypatch, blank) -> None:
    row = b'{"s": "a", "x": 1}\n'
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=Dripping([blank, b"\n", row, row])))
    source, known = open_arriving(Reading(), None), NB.learnt_.schema
    assert [batch.n_rows for batch in source.raw_for(known, known.used_names)] == [1, 1]
    lines = blank.count(b"\n") + 1
    assert source.place(1) == f"line {lines + 2}"


def test_an_object_that_is_printed_over_lines_is_given_out_when_it_ends() -> None:
    row, spread = b'{"s": "a", "x": 1}\n', b'{\n  "s": "}",\n  "x": 1\n}'
    assert arriving(spread) == [1]
    assert arriving(spread[:9], spread[9:], b"\n", row) == [1, 1]
    assert arriving(row + spread + b"\n" + row, row) == [3, 1]
    nested = b'{\r\n  "s": "a",\r\n  "beside": [\r\n    {\r\n    }\r\n  ]\r\n}\r\n'
    assert arriving(row, nested[:40], nested[40:]) == [1, 1]


def test_an_object_that_is_printed_over_lines_names_its_line() -> None:
    with pytest.raises(ValueError, match="standard input, line 5 is not JSON"):
        arriving(b'{\n"s": "a"\n}\n\n{\n"s" 1\n}\n{"s": "b"}\n')
    with pytest.raises(ValueError, match="standard input, line 2 is not JSON"):  # at once, whatever comes behind
        arriving(b'{"s": "a"}\n{"s":\n', b'"b"}\n')


def test_an_open_quote_waits_for_its_end() -> None:
    assert arriving(b's,x\n"a', b'\nb",1\n', b"a,2\n") == [1, 1]


def test_a_quote_within_a_cell_does_not_keep_its_line_waiting() -> None:
    assert arriving(b's,x\n5" pipe,1\n', b"a,2\n") == [1, 1]


def test_a_row_of_other_cells_names_its_line() -> None:
    with pytest.raises(ValueError, match="standard input, line 3: a row has 3 cells"):
        arriving(b"s,x\na,1\n", b"b,2,3\n")
    with pytest.raises(ValueError, match="standard input, line 6: a row has 3 cells"):
        arriving(b's,x\n"a\nb",1\n', b"\n", b"a,1\nb,2,3\n")
    with pytest.raises(ValueError, match="standard input, line 3 is not JSON"):
        arriving(b'{"s": "a"}\n', b'{"s": "a"}\n', b"{]\n")


@pytest.mark.parametrize("before", range(9))
@pytest.mark.parametrize("after", [0, 1, 7])
@pytest.mark.parametrize(
    ("head", "good", "bad", "said"),
    [
        (b"s,x\n", b"a,1\n", b"b,2,3\n", "a row has 3 cells"),
        (b"s,x\n", b"a,1\n", b"b\n", "a row has 1 cell"),
        (b"s,x\n", b'"a\nb",1\n', b'"c\n\n\n\nd",2,3\n', "a row, which a quote makes go on to line"),
        (b"", b'{"s": "a"}\n', b"{]\n", "is not JSON"),
        (b"", b'{"s": "a"}\n', b"7\n", "a row must be a JSON object"),
        (b"", b'{"s": "a"}\n', b'{"s": [1]}\n', "'s' holds a list or an object"),
        (b"", b'{"s": "a"}\n', b'{"s": "\xff"}\n', "is not text in UTF-8"),
    ],
)
def test_the_rows_before_one_that_is_none_are_given_out(
    head: bytes, good: bytes, bad: bytes, said: str, before: int, after: int
) -> None:
    source = Arriving(
        io.BufferedReader(Dripping([head + good * before + bad + good * after])),
        Reading(format=None if head else "ndjson"),
    )
    known = NB.learnt_.schema
    batches = source.raw_for(known, known.used_names)
    if before:
        assert next(batches).n_rows == before
    line = (head + good * before).count(b"\n") + 1
    with pytest.raises(ValueError, match=rf"standard input, line {line}\b.*{said}"):
        next(batches)


@pytest.mark.parametrize("last", [b"", b"\n", b"\nb,2\n"])
def test_a_quote_that_stays_open_names_its_line(last: bytes) -> None:
    with pytest.raises(ValueError, match="standard input, line 3: a quote opens a cell of this row and is not closed"):
        arriving(b's,x\na,1\n2,"open', last)


def test_a_record_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("candide.sources.arriving.LONGEST_RECORD", 1 << 10)
    with pytest.raises(ValueError, match="a quote opens a cell and is not closed"):
        arriving(b's,x\n"a,1\n', *[b"b,2\n"] * 1000)
    with pytest.raises(ValueError, match="a line is too long for a row"):
        arriving(b'{"s": "', *[b"b" * 100] * 100)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1", "cp1252", "utf-8"])
@pytest.mark.parametrize("comment", [None, "%"])
def test_text_is_the_same_in_every_encoding(encoding: str, comment: str | None) -> None:
    text = "größe,y\n% no row\n" + "ä,1\n" * 100_000
    said = None if encoding.startswith("utf") else encoding
    stream = io.BufferedReader(io.BytesIO(text.encode(encoding)))
    found = decoded(stream, said, comment, "t.csv").read().decode("utf-8-sig")
    assert found == (text if comment is None else text.replace("% no row", ""))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_told_by_its_zeros(encoding: str) -> None:
    stream = io.BufferedReader(io.BytesIO("a,größe\n1,2\n".encode(encoding)))
    assert decoded(stream, None, None, "t.csv").read().decode() == "a,größe\n1,2\n"


def test_what_an_encoding_does_not_hold_is_said() -> None:
    with pytest.raises(ValueError, match=r"t\.csv is not text in utf-16"):
        decoded(io.BufferedReader(io.BytesIO(b"abc")), "utf-16", None, "t.csv").read()
    with pytest.raises(ValueError, match="encoding='latin-99' is not known"):
        Reading(encoding="latin-99")


def test_dates_in_objects_stay_text() -> None:
    block = b'{"d": "2024-01-01", "n": 1}\n{"d": "2024-01-02", "n": null}\n'
    columns, n = arrow_columns(np.frombuffer(block, np.uint8), 2)
    assert n == 2
    assert columns["d"].to_pylist() == ["2024-01-01", "2024-01-02"]
    unlike = b'{"a": 1, "d": "2024-01-01"}\n{"a": 2}\n'
    columns, n = arrow_columns(np.frombuffer(unlike, np.uint8), 2)
    assert {name: cells.to_pylist() for name, cells in columns.items()} == {"a": [1, 2], "d": ["2024-01-01", None]}
    assert list(columns) == ["a", "d"]
    assert arrow_columns(np.frombuffer(b'{"d": {"e": 1}}\n', np.uint8), 1) is None


def test_a_folder_is_its_tables(tmp_path) -> None:
    for name in ("b.csv", "a.csv.gz", ".hidden.csv", "notes.md"):
        (tmp_path / name).write_bytes(b"")
    assert [path.rpartition("/")[2] for path in expand([tmp_path])] == ["a.csv.gz", "b.csv"]

from __future__ import annotations

import os
import sys
import threading

import pytest
from tests.sources.reading import files, raw, write

from candide.sources import Reading, text
from candide.sources.files import Files


@pytest.fixture(params=["pyarrow", "standard library"], autouse=True)
def reader(request, monkeypatch):
    if request.param != "pyarrow":
        monkeypatch.setitem(sys.modules, "pyarrow", None)


def test_the_empty_cell_is_missing_and_others_by_their_spelling(tmp_path):
    path = write(tmp_path, 'a,b\nNA,\nnone,""\nnull,nan\n')
    assert raw(path) == {"a": ["NA", "none", "null"], "b": [None, None, "nan"]}
    assert raw(path, missing=["NA", "nan"]) == {"a": [None, "none", "null"], "b": [None, None, None]}


def test_quotes_commas_and_newlines_in_cells(tmp_path):
    path = write(tmp_path, 'a,"b, c"\n"x, y","1\n2"\n"say ""hi""",z\n')
    assert raw(path) == {"a": ["x, y", 'say "hi"'], "b, c": ["1\n2", "z"]}


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_seen_from_the_first_line(tmp_path, separator):
    path = write(tmp_path, f"a{separator}b\n1{separator}2\n")
    assert raw(path) == {"a": ["1"], "b": ["2"]}


def test_the_separator_is_what_it_is_said_to_be(tmp_path):
    path = write(tmp_path, "a,x:b,y\n1,0:2,0\n")
    assert raw(path, separator=":") == {"a,x": ["1,0"], "b,y": ["2,0"]}


def test_a_decimal_comma_separates_no_cells(tmp_path):
    assert raw(write(tmp_path, "a,b;c\n1;2\n"), decimal=",") == {"a,b": ["1"], "c": ["2"]}
    assert raw(write(tmp_path, 'a,b\n"1,5",x\n'), decimal=",") == {"a": ["1,5"], "b": ["x"]}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_lines_of_unix_windows_and_old_macs(tmp_path, end, mark):
    lines = end.join(["", 'a,"b', 'c"', "1,2", "", "3,4", ""])
    assert raw(write(tmp_path, mark + lines.encode())) == {"a": ["1", "3"], f"b{end}c": ["2", "4"]}


def test_uneven_rows_are_counted(tmp_path):
    with pytest.raises(ValueError, match="a row has 3 cells and the first line names 2 columns"):
        raw(write(tmp_path, "a,b\n1,2\n1,2,3\n"))


QUOTED = [
    ('a,b\n"1\n2",x,y\n3,x\n', "line 2: a row, which a quote makes go on to line 3, has 3 cells"),
    ('a,b\n1,x\n2,"open\n3,x\n4,x\n', "line 3: a quote opens a cell of this row and is not closed"),
    ('a,b\n1,x\n"open,x\n3,x\n', "line 3: a quote opens a cell of this row and is not closed"),
    ('a,b\n"1\n2",x\n3,"x', "line 4: a quote opens a cell of this row and is not closed"),
    ('a,b\n1,"x\n2,x\n3,"x"\n4,x\n', "line 2: a quote opens a cell of this row and is not closed"),
    ('a,b\n1,x\n2,"x\n3,x\n4,"x\n5,x\n', "line 3: a quote opens a cell of this row and is not closed"),
    ('% no row\na,b\n% no row\n1,x\n2,"open\n', "line 5: a quote opens a cell of this row and is not closed"),
    ("% no row\na,b\n% no row\n1,x,y\n", "line 4: a row has 3 cells"),
]


@pytest.mark.parametrize(("content", "says"), QUOTED)
def test_the_line_in_which_a_quote_stays_open_is_told(tmp_path, content, says):
    with pytest.raises(ValueError, match=f"t.csv, {says}"):
        raw(write(tmp_path, content, "t.csv"), comment="%")


@pytest.mark.parametrize(("content", "says"), QUOTED)
def test_a_pipe_that_is_read_once_tells_the_line_as_a_file_does(tmp_path, content, says):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=[content])
    writer.start()
    with pytest.raises(ValueError, match=f"pipe, {says}"):
        list(Files([str(pipe)], Reading(format="csv", comment="%")).raw())
    writer.join()


def test_a_quote_that_stays_open_over_megabytes_is_told(tmp_path):
    with pytest.raises(ValueError, match="line 3: a quote opens a cell of this row and is not closed"):
        raw(write(tmp_path, 'a,b\n1,x\n2,"x\n' + "3,x\n" * (1 << 21), "t.csv"))


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("last", ['"open,x', '1,"open'])
def test_a_quote_that_stays_open_in_the_last_of_many_lines_is_told(tmp_path, last, end):
    with pytest.raises(ValueError, match="line 3002: a quote opens a cell of this row and is not closed"):
        raw(write(tmp_path, "a,b\n" + '"1","x"\n' * 3000 + last + end, "t.csv"))


def test_a_record_without_an_end_is_told_by_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr("candide.sources.arrow_csv.LONGEST_RECORD", 1 << 16)
    monkeypatch.setattr("candide.sources.text.BLOCK_BYTES", 1 << 12)
    with pytest.raises(ValueError, match="line 4: a quote opens a cell of this row and is not closed"):
        raw(write(tmp_path, 'a,b\n1,"x\ny"\n2,"' + "x" * (1 << 18), "t.csv"))


def test_quotes_within_cells_open_nothing(tmp_path):
    assert raw(write(tmp_path, 'a,b\n1,5" wide\n2,x\n')) == {"a": ["1", "2"], "b": ['5" wide', "x"]}


def test_a_column_named_twice_is_refused(tmp_path):
    with pytest.raises(ValueError, match="'a' stands twice"):
        raw(write(tmp_path, "a,b,a\n1,2,3\n"))


def test_an_empty_file_and_a_header_alone(tmp_path):
    with pytest.raises(ValueError, match="is empty"):
        raw(write(tmp_path, "\n"))
    assert files(write(tmp_path, "a,b\n")).names() == ["a", "b"]
    assert raw(write(tmp_path, "a,b\n")) == {}


def test_text_that_is_not_utf8(tmp_path):
    with pytest.raises(ValueError, match="UTF-8"):
        raw(write(tmp_path, b"a,b\n\xe9,1\n"))
    with pytest.raises(ValueError, match="not a table in a known format"):
        raw(write(tmp_path, bytes(range(128, 256)), "t"))


@pytest.mark.parametrize(("start", "line"), [(b"", 1), (b"# made by hand\n", 2)])
def test_names_of_columns_that_are_not_utf8_are_told_by_their_byte(tmp_path, start, line):
    with pytest.raises(ValueError, match=f"t.csv, line {line} is not text in UTF-8: byte 3 of it is 0xf6; .*latin-1"):
        raw(write(tmp_path, start + "größe,desk\n1,a\n".encode("latin-1")))
    assert raw(write(tmp_path, "größe,desk\n1,a\n".encode("latin-1")), encoding="latin-1") == {
        "größe": ["1"],
        "desk": ["a"],
    }
    with pytest.raises(ValueError, match="not a table in a known format"):
        raw(write(tmp_path, b"gr\xf6\x00\x01,desk\n"))


def test_a_name_too_long_for_a_name_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"does not name columns: a cell has more than 131,072 characters"):
        raw(write(tmp_path, "a," + "b" * 200_000 + "\n1,2\n"))


def test_a_first_line_without_an_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "LONGEST_LINE", 1 << 20)
    with pytest.raises(ValueError, match="the first line has over 1 MB"):
        raw(write(tmp_path, "a" * (1 << 22)))


def test_only_the_columns_wanted_are_read(tmp_path):
    source = files(write(tmp_path, "a,b,c\n1,2,3\n"))
    assert [list(batch.columns) for batch in source.raw(["c", "a"])] == [["c", "a"]]
    with pytest.raises(ValueError, match=r"t\.csv: there is no column 'd'"):
        list(source.raw(["d"]))


@pytest.mark.parametrize(("byte", "encoding"), [(b"\x80", "cp1252"), (b"\xf6", "latin-1")])
def test_the_encoding_that_is_offered_reads_the_character(tmp_path, byte, encoding):
    path = write(tmp_path, b"a\nx" + byte + b"\n")
    with pytest.raises(ValueError, match=f"as --encoding {encoding} does"):
        raw(path)


def test_a_row_that_looks_like_a_comment_is_told_how_to_be_passed_over(tmp_path):
    path = write(tmp_path, "x,y\n1,a\n# over\n2,b\n")
    with pytest.raises(ValueError, match=r"line 3: a row has 1 cell .*; --comment '#', or Reading\(comment='#'\)"):
        list(files(path).batches())

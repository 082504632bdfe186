from __future__ import annotations

import sys
from pathlib import Path

import pytest

from candide.cli.cells import walk
from candide.cli.failures import BadInput
from candide.cli.reading import open_table


@pytest.fixture(params=["pyarrow", "standard library"])
def reader(request, monkeypatch):
    if request.param != "pyarrow":
        monkeypatch.setitem(sys.modules, "pyarrow", None)


def read(path: Path, **options) -> dict[str, list]:
    columns = open_table(str(path), **options).whole().columns
    return {name: list(walk(cells)) for name, cells in columns.items()}


def write(folder: Path, text: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.usefixtures("reader")
class TestCsv:
    def test_only_the_empty_cell_is_missing(self, tmp_path):
        path = write(tmp_path, 'a,b\nNA,\nnone,""\nnull,nan\n')
        assert read(path) == {"a": ["NA", "none", "null"], "b": [None, None, "nan"]}
        assert read(path, na=["NA", "nan"])["a"] == [None, "none", "null"]

    def test_quotes_commas_and_newlines_in_cells(self, tmp_path):
        path = write(tmp_path, 'a,"b, c"\n"x, y","1\n2"\n"say ""hi""",z\n')
        assert read(path) == {"a": ["x, y", 'say "hi"'], "b, c": ["1\n2", "z"]}

    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    def test_the_delimiter_is_seen_from_the_first_line(self, tmp_path, delimiter):
        path = write(tmp_path, f"a{delimiter}b\n1{delimiter}2\n")
        assert read(path) == {"a": ["1"], "b": ["2"]}

    def test_windows_lines_marks_and_blank_lines(self, tmp_path):
        path = write(tmp_path, b"\xef\xbb\xbfa,b\r\n1,2\r\n\r\n3,4\r\n")
        assert read(path) == {"a": ["1", "3"], "b": ["2", "4"]}

    def test_uneven_rows_are_counted(self, tmp_path):
        with pytest.raises(BadInput, match="a row has 3 cells and the first line names 2 columns"):
            read(write(tmp_path, "a,b\n1,2\n1,2,3\n"))

    def test_a_column_named_twice_is_refused(self, tmp_path):
        with pytest.raises(BadInput, match="'a' stands twice"):
            read(write(tmp_path, "a,b,a\n1,2,3\n"))

    def test_an_empty_file_and_a_header_alone(self, tmp_path):
        with pytest.raises(BadInput, match="is empty"):
            read(write(tmp_path, "\n"))
        assert open_table(str(write(tmp_path, "a,b\n"))).names == ["a", "b"]
        assert read(write(tmp_path, "a,b\n")) == {}

    def test_text_that_is_not_utf8(self, tmp_path):
        with pytest.raises(BadInput, match="UTF-8"):
            read(write(tmp_path, b"a,b\n\xe9,1\n"))


class TestNdjson:
    def test_absent_keys_are_missing(self, tmp_path):
        path = write(tmp_path, '{"a": 1}\n\n{"b": "x", "a": null}\n', "t.ndjson")
        assert read(path) == {"a": [1, None], "b": [None, "x"]}

    @pytest.mark.parametrize(
        ("line", "message"),
        [('{"a":', "line 2 is not JSON"), ("[1]", "must be a JSON object"), ('{"a": [1]}', "'a' holds a list")],
    )
    def test_a_bad_line_is_named(self, tmp_path, line, message):
        with pytest.raises(BadInput, match=message):
            read(write(tmp_path, '{"a": 1}\n' + line + "\n", "t.ndjson"))

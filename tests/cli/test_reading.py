from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from candide.cli import text_tables
from candide.cli.cells import walk
from candide.cli.failures import BadInput
from candide.cli.formats import by_ending
from candide.cli.reading import open_table

TABLE = pa.table({"a": [1.5, None, 3.0], "b": ["x", "y", None]})


def read(path: Path, **options) -> dict[str, list]:
    return {name: list(walk(cells)) for name, cells in open_table(str(path), **options).whole().columns.items()}


@pytest.mark.parametrize(
    ("name", "found"), [("a.CSV", "csv"), ("a.b.tsv", "tsv"), ("a.jsonl", "ndjson"), ("a.txt", None)]
)
def test_the_ending_tells_the_format(name, found):
    assert by_ending(name) == (found, False)
    assert by_ending(f"{name}.gz") == (found, True)


@pytest.mark.parametrize("name", ["t.parquet", "t.unknown"])
def test_parquet_by_ending_or_by_its_first_bytes(tmp_path, name):
    pyarrow.parquet.write_table(TABLE, tmp_path / name)
    assert read(tmp_path / name) == TABLE.to_pydict()


@pytest.mark.parametrize("name", ["t.feather", "t.arrow", "t.unknown"])
def test_arrow_files(tmp_path, name):
    pyarrow.feather.write_feather(TABLE, tmp_path / name)
    assert read(tmp_path / name) == TABLE.to_pydict()


def test_arrow_streams(tmp_path):
    with pa.ipc.new_stream(str(tmp_path / "t.arrow"), TABLE.schema) as writer:
        writer.write_table(TABLE)
    assert read(tmp_path / "t.arrow") == TABLE.to_pydict()


def test_compressed_text_whatever_its_name(tmp_path):
    for name in ("t.csv.gz", "t"):
        (tmp_path / name).write_bytes(gzip.compress(b"a,b\n1,x\n"))
        assert read(tmp_path / name) == {"a": ["1"], "b": ["x"]}


def test_a_cut_gzip_file_is_refused(tmp_path):
    whole = gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(10_000)))
    (tmp_path / "t.csv.gz").write_bytes(whole[:-500])
    with pytest.raises(BadInput, match="not a whole gzip file"):
        read(tmp_path / "t.csv.gz")


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_a_damaged_file_is_refused(tmp_path, name):
    (tmp_path / name).write_bytes(b"PAR1 and nothing more")
    with pytest.raises(BadInput, match="is not a whole"):
        read(tmp_path / name)


def test_a_binary_file_is_no_table(tmp_path):
    (tmp_path / "t").write_bytes(bytes(range(128, 256)))
    with pytest.raises(BadInput, match="not a table in a known format"):
        read(tmp_path / "t")


def test_missing_files_and_folders(tmp_path):
    (tmp_path / "requests.csv").touch()
    with pytest.raises(BadInput, match=r"no such file; did you mean 'requests\.csv'"):
        open_table(str(tmp_path / "request.csv"))
    with pytest.raises(BadInput, match="there is no folder"):
        open_table(str(tmp_path / "nowhere" / "request.csv"))
    with pytest.raises(BadInput, match="is a folder"):
        open_table(str(tmp_path))


def test_binary_formats_name_the_extra_that_reads_them(tmp_path, monkeypatch):
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadInput, match=r"candide\[arrow\]"):
        open_table(str(tmp_path / "t.parquet"))


@pytest.mark.parametrize("arrow", [True, False])
def test_batches_keep_the_order_and_number_of_rows(tmp_path, monkeypatch, arrow):
    monkeypatch.setattr(text_tables, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(text_tables, "BATCH_ROWS", 50)
    if not arrow:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "t.csv").write_text("a\n" + "".join(f"{i}\n" for i in range(1000)))
    source = open_table(str(tmp_path / "t.csv"))
    batches = list(source)
    assert len(batches) > 3
    assert [b.start for b in batches[1:]] == [b.start + b.n_rows for b in batches[:-1]]
    assert [int(c) for b in batches for c in walk(b.columns["a"])] == list(range(1000))
    assert source.fraction() == 1.0

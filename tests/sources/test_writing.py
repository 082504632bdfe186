from __future__ import annotations

import csv
import io
import json

import numpy as np
import pyarrow as pa
import pytest
from tests.sources.reading import raw

from candide.sources.packings import PACKINGS
from candide.sources.writing import TextWriter, harmless, open_writer, output_format

COLUMNS = {"label": np.array(["=1+1", "@a", "b"]), "p": np.array([-1.5, np.nan, 0.1])}


@pytest.mark.parametrize("ending", ["csv", "tsv", "ndjson", "parquet", "arrow", "feather"])
@pytest.mark.parametrize("packing", ["", ".gz", ".bz2", ".zst"])
def test_what_is_written_is_read_again(tmp_path, ending, packing):
    path = tmp_path / f"out.{ending}{packing}"
    with open_writer(str(path), output_format(str(path), None)) as writer:
        writer.write(COLUMNS)
        writer.write(COLUMNS)
    found = raw(path)
    assert found["label"] == COLUMNS["label"].tolist() * 2
    assert [None if p is None or np.isnan(float(p)) else float(p) for p in found["p"]] == [-1.5, None, 0.1] * 2


def test_text_that_a_spreadsheet_computes_is_made_harmless_only_when_asked_for():
    def written(safe: bool) -> list[list[str]]:
        sink = io.BytesIO()
        writer = TextWriter(sink, ",", safe)
        writer.write({"=x": COLUMNS["label"], "p": COLUMNS["p"]})
        writer.close()
        return list(csv.reader(io.StringIO(sink.getvalue().decode())))

    assert written(False) == [["=x", "p"], ["=1+1", "-1.5"], ["@a", ""], ["b", "0.1"]]
    assert written(True) == [["'=x", "p"], ["'=1+1", "-1.5"], ["'@a", ""], ["b", "0.1"]]


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("=1", "'=1"),
        ("+a", "'+a"),
        ("-a", "'-a"),
        ("\tx", "'\tx"),
        ("-5", "-5"),
        ("+1e3", "+1e3"),
        (-5, -5),
        (None, None),
    ],
)
def test_numbers_and_other_values_are_harmless(cell, shown):
    assert harmless(cell) == shown


def test_only_text_is_made_safe(tmp_path):
    with pytest.raises(ValueError, match="not parquet"), open_writer(str(tmp_path / "o.parquet"), "parquet", safe=True):
        pass
    assert not list(tmp_path.iterdir())


def test_rows_of_other_types_are_refused_and_nothing_is_left(tmp_path):
    def write() -> None:
        with open_writer(str(tmp_path / "o.parquet"), "parquet") as writer:
            writer.write({"a": np.array([1.0])})
            writer.write({"a": np.array(["x"])})

    with pytest.raises(ValueError, match="do not all have the same columns and types"):
        write()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["out", "out.json", "out.xyz"])
def test_an_ending_that_tells_nothing_is_refused(name):
    with pytest.raises(ValueError, match="the ending tells no format"):
        output_format(name, None)


def test_missing_cells_of_objects_are_null(tmp_path):
    path = tmp_path / "o.ndjson"
    with open_writer(str(path), "ndjson") as writer:
        writer.write({"a": np.array([np.nan]), "b": pa.array([None], pa.string())})
    assert json.loads(path.read_text()) == {"a": None, "b": None}


@pytest.mark.parametrize("ending", ["csv", "ndjson"])
def test_bytes_are_written_as_the_text_that_they_are(tmp_path, ending):
    path = tmp_path / f"o.{ending}"
    with open_writer(str(path), ending) as writer:
        writer.write({"note": pa.array(["grün".encode(), None, b"\xff"], pa.binary()), "n": np.arange(3)})
    found = raw(path)["note"]
    assert found[0] == "grün"
    assert found[2] == "\ufffd"


@pytest.mark.parametrize("packing", PACKINGS.values(), ids=lambda packing: packing.name)
def test_what_is_packed_is_the_same_bytes_every_time(tmp_path, packing):
    found = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.csv{packing.ending}"
        with open_writer(str(path), "csv") as writer:
            writer.write({"a": ["x", "y"]})
        found.append(path.read_bytes())
    assert found[0] == found[1]
    assert raw(path) == {"a": ["x", "y"]}

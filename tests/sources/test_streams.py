"""Arrow readers and datasets, lazy frames, iterators and lists of frames as sources."""

from __future__ import annotations

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest
from scipy import sparse
from tests.sources.reading import together

import candide
from candide.sources import Reading, batch, is_source, open_source, streams

CELLS = {"x": [float(i) for i in range(10)], "a": ["p", "q"] * 5, "y": ["u"] * 5 + ["v"] * 5}
TABLE = pa.table(CELLS)


class Capsule:
    """Something that hands out an Arrow stream, and nothing else."""

    def __arrow_c_stream__(self, requested_schema=None):
        return TABLE.__arrow_c_stream__(requested_schema)


def dataset(folder):
    for n in range(3):
        pyarrow.parquet.write_table(TABLE.slice(4 * n, 4), folder / f"{n}.parquet")
    return pyarrow.dataset.dataset(folder)


SOURCES = {
    "reader": lambda _: TABLE.to_reader(4),
    "dataset": dataset,
    "capsule": lambda _: Capsule(),
    "lazy": lambda _: pl.DataFrame(CELLS).lazy(),
    "list of pandas": lambda _: [pd.DataFrame(CELLS)[:4], pd.DataFrame(CELLS)[4:]],
    "tuple of Arrow": lambda _: (TABLE.slice(0, 4), TABLE.slice(4)),
    "generator of Polars": lambda _: (part for part in pl.DataFrame(CELLS).iter_slices(4)),
    "batches": lambda _: iter(TABLE.to_batches(4)),
}
ONCE = {"reader", "capsule", "generator of Polars", "batches"}


@pytest.mark.parametrize("name", SOURCES)
class TestEverySource:
    def test_gives_all_rows_in_order(self, tmp_path, name):
        given = SOURCES[name](tmp_path)
        assert is_source(given)
        assert together(open_source(given).batches()) == CELLS

    def test_says_whether_it_can_be_read_again(self, tmp_path, name):
        source = open_source(SOURCES[name](tmp_path))
        assert source.repeatable is (name not in ONCE)
        assert together(source.batches()) == CELLS
        if source.repeatable:
            assert together(source.batches()) == CELLS
        else:
            with pytest.raises(ValueError, match="can be read only once, and has been"):
                list(source.batches())

    def test_gives_the_columns_asked_for(self, tmp_path, name):
        assert list(together(open_source(SOURCES[name](tmp_path)).batches(columns=["y", "x"]))) == ["y", "x"]
        excluded = open_source(SOURCES[name](tmp_path), Reading(exclude=("a",)))
        assert list(together(excluded.batches())) == ["x", "y"]
        with pytest.raises(ValueError, match="there is no column 'z'"):
            list(open_source(SOURCES[name](tmp_path)).batches(columns=["z"]))

    def test_leaves_columns_aside_that_a_schema_does_not_know(self, tmp_path, name):
        known = candide.NaiveBayes().fit(TABLE.select(["x", "y"]), "y").schema_
        assert list(together(open_source(SOURCES[name](tmp_path)).batches(known))) == ["x", "y"]

    def test_teaches_what_the_whole_table_teaches(self, tmp_path, name):
        model = candide.NaiveBayes().fit(SOURCES[name](tmp_path), "y")
        whole = candide.NaiveBayes().fit(TABLE, "y")
        assert (model.predict_proba(TABLE) == whole.predict_proba(TABLE)).all()

    def test_gives_a_target_that_the_schema_does_not_remember(self, tmp_path, name):
        model = candide.NaiveBayes().fit(TABLE.select(["x", "a"]), CELLS["y"])
        assert model.partial_fit(SOURCES[name](tmp_path), "y").class_counts_.tolist() == [10, 10]

    def test_is_read_once_by_all_who_read_it(self, tmp_path, name):
        source = open_source(SOURCES[name](tmp_path))
        learning = source.learning("y", None)
        assert together(learning.batches()) == CELLS
        if not source.repeatable:
            with pytest.raises(ValueError, match="can be read only once"):
                list(source.batches())


@pytest.mark.parametrize(
    "table",
    [
        np.zeros((2, 2)),
        [[1.0, 2.0]],
        [["a", "b"]],
        sparse.csr_array(np.eye(2)),
        pd.DataFrame(CELLS),
        pl.DataFrame(CELLS),
        TABLE,
        TABLE.to_batches()[0],
        nw.from_native(pl.DataFrame(CELLS)),
        ["a document. It ends so", "another"],
        [],
        None,
    ],
    ids=lambda table: type(table).__name__,
)
def test_ordinary_tables_are_no_sources(table):
    assert not is_source(table)
    assert open_source(table) is None


def test_frames_without_rows_are_passed_over():
    empty = pd.DataFrame(CELLS)[:0]
    assert together(open_source([empty, pd.DataFrame(CELLS), empty]).batches()) == CELLS


def test_arrays_have_no_names_to_choose_by():
    (array,) = open_source(iter([np.eye(2)])).batches()
    assert array.tolist() == [[1.0, 0.0], [0.0, 1.0]]


class Slices:
    """A lazy frame of an older Polars."""

    __module__ = "polars.lazy"

    def __init__(self, frame):
        self.frame, self.collected = frame, 0

    def slice(self, start, n):
        return Slices(self.frame.slice(start, n))

    def select(self, names):
        return Slices(self.frame.select(names))

    def collect(self):
        assert len(self.frame) <= batch.BATCH_ROWS, "collected whole"
        return self.frame

    def collect_schema(self):
        return self.frame.schema


def test_an_older_polars_is_read_in_slices(monkeypatch):
    monkeypatch.setattr(batch, "BATCH_ROWS", 4)
    source = streams.LazyFrames(Slices(pl.DataFrame(CELLS)), Reading())
    frames = list(source.batches())
    assert [len(frame) for frame in frames] == [4, 4, 2]
    assert together(frames) == CELLS


def test_a_lazy_frame_is_never_collected_whole(tmp_path, monkeypatch):
    pl.DataFrame({"x": range(1000)}).write_parquet(tmp_path / "t.parquet", row_group_size=100)
    monkeypatch.setattr(batch, "BATCH_ROWS", 100)
    monkeypatch.setattr(pl.LazyFrame, "collect", None)
    frames = list(open_source(pl.scan_parquet(tmp_path / "t.parquet")).batches())
    assert max(len(frame) for frame in frames) <= 100
    assert together(frames) == {"x": list(range(1000))}

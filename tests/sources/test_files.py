"""Files as sources: any number of them, any format, read once or twice, typed once."""

from __future__ import annotations

import bz2
import gc
import gzip
import json
import os
import sys
import threading
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from tests.sources.reading import files, raw, together, typed, write

import candide
from candide import native
from candide.sources import SourceWarning, text, written
from candide.sources import files as module
from candide.sources.base import Reading
from candide.sources.files import Files
from candide.sources.paths import expand
from candide.sources.spelling import walk

TABLE = pa.table({"a": [1.5, None, 3.0], "b": ["x", "y", None]})
CSV = "weight,energy,wheels,desk\n180,petrol,2,0\n,electric,2,0\n1300,,4,1\n8000,diesel,6,1\n"
CELLS = {
    "weight": [180.0, None, 1300.0, 8000.0],
    "energy": ["petrol", "electric", None, "diesel"],
    "wheels": [2.0, 2.0, 4.0, 6.0],
    "desk": [0, 0, 1, 1],
}


LEARNT = {"code": ["1", "2"], "flag": [True, False], "n": [1, 2], "x": [1.5, 2.0], "y": [0, 1]}
WRITTEN = "y,x,flag,code,n,id\n0,1.5,true,1,1,u\n1,2,FALSE,2,2.0,v\n"
OBJECTS = """{"code": 1, "flag": true, "n": 1, "x": 1.5, "y": 0}
{"code": 2.0, "flag": "no", "n": "2", "x": "2", "y": "1"}
"""
PACKINGS = [gzip.compress, bz2.compress, lambda data: pa.compress(data, "zstd", asbytes=True)]


def blank(cells: dict[str, list]) -> dict[str, list]:
    """What is missing as None."""
    return {name: [None if pd.isna(cell) else cell for cell in column] for name, column in cells.items()}


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(text, "BLOCK_BYTES", 32)
    monkeypatch.setattr(text, "BATCH_ROWS", 2)


class TestCellTypes:
    @pytest.mark.parametrize("arrow", [True, False])
    @pytest.mark.parametrize("kept", [1 << 26, 0])
    @pytest.mark.usefixtures("small_batches")
    def test_columns_have_one_kind_in_all_batches(self, tmp_path, monkeypatch, arrow, kept):
        monkeypatch.setattr(module, "KEPT_BYTES", kept)
        if not arrow:
            monkeypatch.setitem(sys.modules, "pyarrow", None)
        source = files(write(tmp_path, CSV), target="desk")
        frames = list(source.batches())
        assert len(frames) > 1
        assert blank(together(frames)) == CELLS
        assert source.cell_types() == {"weight": "numbers", "energy": "text", "wheels": "numbers", "desk": "integers"}

    @pytest.mark.usefixtures("small_batches")
    def test_a_word_in_the_last_row_makes_the_column_text_from_the_first(self, tmp_path):
        path = write(tmp_path, "x,y\n" + "1,a\n" * 20 + "few,b\n")
        with pytest.warns(SourceWarning, match=r"column 'x' is taken as text because of 'few' in row 20"):
            assert typed(path)["x"] == ["1"] * 20 + ["few"]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert blank(typed(path, missing=["few"]))["x"] == [1.0] * 20 + [None]

    def test_one_word_in_many_cells_among_different_numbers_is_pointed_out(self, tmp_path):
        rows = [f"{'<5' if i % 4 == 0 else i},{'ab'[i % 2]}\n" for i in range(40)]
        path = write(tmp_path, "x,y\n" + "".join(rows))
        with pytest.warns(SourceWarning, match=r"column 'x' is taken as text because of '<5' in row 0"):
            assert typed(path)["x"][:2] == ["<5", "1"]

    def test_few_numbers_among_words_are_no_reason_for_doubt(self, tmp_path):
        assert typed(write(tmp_path, "x\n" + "1\n" * 8 + "a\nb\n"))["x"][0] == "1"

    def test_codes_stay_as_they_are_written(self, tmp_path):
        path = write(tmp_path, "zip,wheels\n01234,2.0\n1234,4.0\n")
        cells = {"zip": ["01234", "1234"], "wheels": [2.0, 4.0]}
        assert typed(path) == typed(path, text=["zip", "wheels"]) == cells

    @pytest.mark.parametrize("arrow", [True, False])
    @pytest.mark.parametrize("quoted", ["a", '"a"', '"a,b"'])
    @pytest.mark.usefixtures("small_batches")
    def test_a_code_in_the_last_row_makes_the_column_codes_from_the_first(self, tmp_path, monkeypatch, arrow, quoted):
        if not arrow:
            monkeypatch.setitem(sys.modules, "pyarrow", None)
        path = write(tmp_path, "x,y\n" + f"10115,{quoted}\n" * 2_000 + f"01067,{quoted}\n")
        assert typed(path)["x"] == ["10115"] * 2_000 + ["01067"]

    def test_digits_behind_a_zero_are_numbers_where_another_cell_is_no_code(self, tmp_path):
        path = write(tmp_path, "x,y\n" + "007,a\n" * 3 + "1.5,b\n")
        assert typed(path)["x"] == [7.0, 7.0, 7.0, 1.5]

    @pytest.mark.parametrize(
        ("labels", "found"),
        [
            (["0", "1"], [0, 1]),
            (["-5", "7"], [-5, 7]),
            (["00", "01"], ["00", "01"]),
            (["1.5", "2"], ["1.5", "2"]),
            (["--5", "5"], ["--5", "5"]),
            (["-0", "1"], ["-0", "1"]),
            (["9" * 5000, "1"], ["9" * 5000, "1"]),
            (["9007199254740993", "1"], [9007199254740993, 1]),
            (["9223372036854775808", "1"], ["9223372036854775808", "1"]),
        ],
    )
    def test_labels_are_whole_numbers_only_where_written_so(self, tmp_path, labels, found):
        path = write(tmp_path, "x,y\n" + "".join(f"a,{label}\n" for label in labels))
        assert typed(path, target="y")["y"] == found

    def test_objects_have_kinds_of_their_own(self, tmp_path):
        path = write(tmp_path, '{"n": 1, "t": "1", "f": true, "y": 1}\n{"n": 2.5, "t": null, "y": 2}\n', "t.ndjson")
        assert typed(path, target="y") == {"n": [1.0, 2.5], "t": ["1", None], "f": [True, None], "y": [1, 2]}

    @pytest.mark.usefixtures("small_batches")
    @pytest.mark.parametrize("looked", [True, False])
    @pytest.mark.parametrize(("name", "content"), [("t.ndjson", '{"a": 1}\n'), ("t.csv", "a\n1\n")])
    def test_a_column_that_no_row_has_is_refused(self, tmp_path, name, content, looked):
        source = files(write(tmp_path, content, name))
        if looked:
            source.cell_types()
        with pytest.raises(ValueError, match="there is no column 'b'; there are 'a'"):
            list(source.batches(columns=["a", "b"]))

    def test_all_columns_are_looked_at_once(self, tmp_path, monkeypatch):
        source = files(write(tmp_path, '{"a": 1}\n', "t.ndjson"))
        source.cell_types()
        monkeypatch.setattr(module.Files, "_look", None)
        assert together(source.batches()) == together(source.batches()) == {"a": [1.0]}

    @pytest.mark.usefixtures("small_batches")
    @pytest.mark.parametrize(
        ("first", "later"),
        [
            (lambda n: "rgb"[n % 3], lambda n: n % 3),
            (lambda n: n % 3, lambda n: "rgb"[n % 3]),
            (lambda n: str(n * 1.5), lambda n: n * 1.5),
            (lambda n: "1" if n % 2 else "1.0", lambda _: 1.5),
            (lambda n: n, lambda n: n + 0.5),
            (lambda _: "?", lambda n: n * 1.25),
            (lambda n: n % 2 == 0, lambda n: n % 2),
            (lambda n: n % 2 == 0, lambda n: ("true", "false")[n % 2]),
            (lambda n: ("true", "false")[n % 2], lambda n: n % 2 == 0),
            (lambda n: f"{n % 40:02d}", lambda n: n % 40),
            (lambda n: n % 40, lambda n: f"{n % 40:02d}"),
            (lambda n: f"{1 + n % 12:02d}/{1 + n % 7:02d}/2024", lambda n: f"{1 + n % 12:02d}/{1 + n % 28:02d}/2024"),
            (lambda n: f"{n} kg", lambda n: f"{n} lb"),
            (lambda n: f"c{n}", lambda n: f"c{n % 5}"),
            (lambda _: "k", lambda n: "kz"[n % 2]),
        ],
    )  # fmt: skip
    @pytest.mark.filterwarnings("ignore")
    def test_lines_of_objects_are_read_as_csv_whatever_a_later_batch_holds(self, tmp_path, first, later):
        rows = [{"a": (first if n < 80 else later)(n), "b": "uv"[n % 2], "y": "pqq"[n % 3]} for n in range(120)]
        objects = write(tmp_path, "\n".join(map(json.dumps, rows)), "t.ndjson")
        cells = "\n".join(",".join(map(str, row.values())) for row in rows)
        table = write(tmp_path, f"a,b,y\n{cells}\n", "t.csv")
        found, wanted = (candide.NaiveBayes().fit(str(path), "y") for path in (objects, table))
        assert found.schema_.reading == wanted.schema_.reading
        assert found.schema_.names == wanted.schema_.names
        assert found.predict_log_proba(rows).tolist() == wanted.predict_log_proba(rows).tolist()

    @pytest.mark.skipif(native.kernels() != "native", reason="the kernels were not compiled")
    def test_texts_of_objects_are_codes_in_batches_where_few_differ(self, tmp_path, monkeypatch):
        monkeypatch.setattr(text, "BLOCK_BYTES", 1 << 17)
        rows = [{"a": f"text {n}" if 4000 <= n < 8000 else "rgb"[n % 3], "y": "pq"[n % 2]} for n in range(12_000)]
        objects = write(tmp_path, "".join(json.dumps(row) + "\n" for row in rows), "t.ndjson")
        table = write(tmp_path, pd.DataFrame(rows).to_csv(index=False), "t.csv")
        source = files(objects, target="y")
        kinds = [{n: hasattr(cells, "dictionary") for n, cells in b.columns.items()} for b in source._cells(None)]
        assert {kind["a"] for kind in kinds} == {True, False}
        assert all(kind["y"] for kind in kinds)
        assert not any(hasattr(cells, "dictionary") for b in source.raw() for cells in b.columns.values())
        found, wanted = (candide.NaiveBayes().fit(str(path), "y") for path in (objects, table))
        assert found.schema_.columns[0].levels.tolist() == wanted.schema_.columns[0].levels.tolist()
        assert found.schema_.columns[0].axis.declared == 0
        assert found.predict_log_proba(rows).tolist() == wanted.predict_log_proba(rows).tolist()

    @pytest.mark.parametrize("ending", ["csv", "ndjson"])
    @pytest.mark.parametrize(
        ("name", "first", "later", "said"),
        [
            ("day", lambda n: 20240101 + n % 28, lambda n: 12345678 + n, None),
            (
                "day",
                lambda _: 20240101,
                lambda n: 20240101 + n % 28,
                "120 dates as eight digits of year, month and day",
            ),
            ("user_id", lambda n: n, lambda n: n % 4, None),
            ("user_id", lambda n: n, lambda n: n, "120 different whole numbers in 120 rows: identifiers, ignored"),
        ],
    )
    @pytest.mark.filterwarnings("ignore")
    def test_numbers_are_days_or_identifiers_by_all_of_them(
        self, tmp_path, monkeypatch, ending, name, first, later, said
    ):
        monkeypatch.setattr(text, "BLOCK_BYTES", 700)
        monkeypatch.setattr(text, "BATCH_ROWS", 50)
        rows = [{name: (first if n < 60 else later)(n), "z": n % 5, "y": "pq"[n % 2]} for n in range(120)]
        lines = [",".join(map(str, row.values())) for row in rows] if ending == "csv" else map(json.dumps, rows)
        head = f"{name},z,y\n" if ending == "csv" else ""
        model = candide.NaiveBayes().fit(str(write(tmp_path, head + "\n".join(lines), f"t.{ending}")), "y")
        assert (model.schema_.reading[name].said if name in model.schema_.reading else None) == said

    @pytest.mark.parametrize("first", [lambda n: f"c{n}", lambda _: "k"])
    def test_what_the_first_batch_shows_is_not_told_of_all_cells(self, tmp_path, monkeypatch, first):
        monkeypatch.setattr(text, "BLOCK_BYTES", 240)
        monkeypatch.setattr(text, "BATCH_ROWS", 40)
        rows = [f"{first(n) if n < 60 else 'uvk'[n % 3]},{'pq'[n % 2]}\n" for n in range(120)]
        model = candide.NaiveBayes().fit(str(write(tmp_path, "a,y\n" + "".join(rows))), "y")
        assert model.schema_.names == ["a"]
        assert "a" not in model.schema_.reading

    @pytest.mark.parametrize("small", [False, True])
    def test_objects_of_mixed_kinds_are_read_as_a_table_of_text_is(self, tmp_path, request, small):
        if small:
            request.getfixturevalue("small_batches")
        rows = [{"a": n / 4, "b": "no" if small else n % 3 == 0, "y": n % 2} for n in range(40)]
        for n in (13, 29):
            rows[n] |= {"a": "?", "b": "unknown", "y": str(n % 2)}
        objects = write(tmp_path, "\n".join(map(json.dumps, rows)), "t.ndjson")
        cells = "\n".join(",".join(map(str, row.values())) for row in rows)
        table = write(tmp_path, f"a,b,y\n{cells}\n", "t.csv")
        found, wanted = (candide.NaiveBayes().fit(str(path), "y") for path in (objects, table))
        assert found.schema_.reading == wanted.schema_.reading
        assert "2 times '?'" in found.schema_.reading["a"].said
        assert found.predict_log_proba(rows).tolist() == wanted.predict_log_proba(rows).tolist()
        told = [
            pa.Table.from_batches(nb.predict_batches(str(path), proba=True)).to_pydict()
            for nb, path in ((found, objects), (wanted, table))
        ]
        assert told[0] == told[1]

    @pytest.mark.usefixtures("small_batches")
    def test_a_key_that_comes_late_is_missing_before(self, tmp_path):
        path = write(tmp_path, '{"a": 1}\n' * 3 + '{"a": 2, "b": "x"}\n', "t.ndjson")
        assert typed(path) == {"a": [1.0, 1.0, 1.0, 2.0], "b": [None, None, None, "x"]}

    def test_a_column_without_a_cell_is_numeric(self, tmp_path):
        assert files(write(tmp_path, "a,b\n,x\n,y\n")).cell_types() == {"a": "numbers", "b": "text"}

    def test_infinity_is_refused_where_it_stands(self, tmp_path):
        with pytest.raises(ValueError, match="column 'a', row 1: infinity"):
            typed(write(tmp_path, "a,b\n1,x\ninf,y\n"))

    def test_labels_and_weights_must_be_there(self, tmp_path):
        path = write(tmp_path, "x,y,w\na,u,1\nb,,\n")
        with pytest.raises(ValueError, match="the target column 'y' is empty in row 1"):
            typed(path, target="y")
        with pytest.raises(ValueError, match="the weight column 'w' is empty in row 1"):
            typed(path, weight="w")
        with pytest.raises(ValueError, match="column 'x', row 0: 'a' is not a number"):
            typed(path, weight="x")

    def test_decimal_commas(self, tmp_path):
        path = write(tmp_path, "x;y\n1,5;a\n-2,25;b\n")
        assert typed(path, decimal=",") == {"x": [1.5, -2.25], "y": ["a", "b"]}
        assert typed(path, separator=";") == {"x": ["1,5", "-2,25"], "y": ["a", "b"]}


class TestBySchema:
    @pytest.fixture
    def known(self):
        frame = pd.DataFrame(
            {"code": ["1", "2"] * 5, "flag": [True, False] * 5, "n": pd.Categorical([1, 2] * 5), "x": np.arange(10.0)}
        )
        return candide.NaiveBayes().fit(frame.assign(y=[0, 1] * 5), "y").schema_

    @pytest.mark.parametrize(("name", "content"), [("t.csv", WRITTEN), ("t.ndjson", OBJECTS)])
    def test_cells_are_typed_as_they_were_learnt(self, tmp_path, known, name, content):
        path = write(tmp_path, content, name)
        assert typed(path, known=known) == {
            "code": ["1", "2"],
            "flag": [True, False],
            "n": [1, 2],
            "x": [1.5, 2.0],
            "y": [0, 1],
        }

    def test_binary_files_too(self, tmp_path, known):
        table = pa.table({"code": [1, 2], "flag": [1, 0], "n": ["1", "2"], "x": [1.5, 2.0], "y": ["0", "1"]})
        pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
        assert typed(tmp_path / "t.parquet", known=known) == LEARNT

    def test_labels_are_not_looked_at_where_they_are_not_asked_for(self, tmp_path, known):
        path = write(tmp_path, "code,flag,n,x,y\n1,1,1,1,\n")
        assert list(typed(path, known=known, columns=known.names)) == known.names
        with pytest.raises(ValueError, match="target column 'y' is empty"):
            typed(path, known=known)

    def test_lacking_columns_are_named_before_anything_is_read(self, tmp_path, known):
        with pytest.raises(ValueError, match=r"the model's column 'code' is not there; did you mean 'coed'\?"):
            typed(write(tmp_path, "coed,flag,n,x\n"), known=known)

    def test_no_first_pass_is_needed(self, tmp_path, known, monkeypatch):
        monkeypatch.setattr(module.Files, "_look", None)
        typed(write(tmp_path, "code,flag,n,x\n1,1,1,1\n"), known=known)

    def test_columns_of_which_nothing_is_known_have_their_own_kind(self, tmp_path):
        frame = pd.DataFrame({"a": ["p", "q"], "x": [1.0, 2.0], "y": ["u", "v"]})
        forgotten = candide.NaiveBayes().fit(frame, "y").forget(frame, "y")
        path = write(tmp_path, "a,x,y\n1,2,0\nr,3,1\n")
        assert typed(path, known=forgotten._state.learnt.schema) == {"a": ["1", "r"], "x": [2.0, 3.0], "y": [0, 1]}

    def test_a_model_without_names_goes_by_position(self, tmp_path):
        known = candide.NaiveBayes().fit(np.arange(20.0).reshape(10, 2), [0, 1] * 5).schema_
        (array,) = files(write(tmp_path, "u,v\n1,2\n3,4\n")).batches(known)
        assert array.tolist() == [[1.0, 2.0], [3.0, 4.0]]
        (frame,) = files(write(tmp_path, "u,y,v\n1,0,2\n"), target="y").batches(known)
        assert frame.to_pydict() == {"u": [1.0], "v": [2.0], "y": [0]}


class TestSeveralFiles:
    def test_a_pattern_stands_for_files_in_the_order_of_their_names(self, tmp_path):
        for name in ("b", "a", "c"):
            write(tmp_path, f"x\n{name}\n", f"{name}.csv")
        assert raw(*expand([tmp_path / "[ab].csv", str(tmp_path / "c.csv")])) == {"x": ["a", "b", "c"]}

    def test_a_file_may_be_called_like_a_pattern(self, tmp_path):
        path = write(tmp_path, "x\n1\n", "data[1].csv")
        write(tmp_path, "x\n2\n", "data1.csv")
        assert raw(*expand([path])) == {"x": ["1"]}

    def test_missing_files_and_folders(self, tmp_path):
        write(tmp_path, "", "requests.csv")
        with pytest.raises(FileNotFoundError, match=r"no such file; did you mean 'requests\.csv'"):
            expand([tmp_path / "request.csv"])
        with pytest.raises(FileNotFoundError, match="there is no folder"):
            expand([tmp_path / "nowhere" / "request.csv"])
        assert expand([tmp_path]) == [str(tmp_path / "requests.csv")]
        (tmp_path / "empty").mkdir()
        with pytest.raises(FileNotFoundError, match="holds no table"):
            expand([tmp_path / "empty"])
        with pytest.raises(FileNotFoundError, match="no file is called so"):
            expand([tmp_path / "*.tsv"])

    def test_kinds_are_those_of_all_files(self, tmp_path):
        paths = [write(tmp_path, "x,y\n1,0\n", "a.csv"), write(tmp_path, "y,x\n1,b\n", "b.csv")]
        assert typed(*paths, target="y") == {"x": ["1", "b"], "y": [0, 1]}

    def test_rows_are_counted_in_each_file(self, tmp_path):
        paths = [write(tmp_path, "x\n1\n", "a.csv"), write(tmp_path, "x\n1\ninf\n", "b.csv")]
        with pytest.raises(ValueError, match=r"b\.csv: column 'x', row 1: infinity"):
            typed(*paths)

    def test_tables_of_other_columns_are_refused(self, tmp_path):
        paths = [write(tmp_path, "x,y\n1,0\n", "a.csv"), write(tmp_path, "x\n1\n", "b.csv")]
        with pytest.raises(ValueError, match=r"b\.csv and .*a\.csv differ in the column 'y'"):
            typed(*paths)

    def test_files_of_two_formats_are_typed_by_a_schema_alone(self, tmp_path):
        pyarrow.parquet.write_table(pa.table({"x": [1.0], "y": ["u"]}), tmp_path / "b.parquet")
        paths = [write(tmp_path, "x,y\n2,v\n", "a.csv"), tmp_path / "b.parquet"]
        with pytest.raises(ValueError, match=r"a\.csv and .*b\.parquet are of two formats"):
            typed(*paths)
        known = candide.NaiveBayes().fit(pd.DataFrame({"x": [1.0, 2.0], "y": ["u", "v"]}), "y").schema_
        assert typed(*paths, known=known) == {"x": [2.0, 1.0], "y": ["v", "u"]}

    def test_the_name_says_how_many(self, tmp_path):
        assert files("a.csv").name == "a.csv"
        assert files("a.csv", "b.csv", "c.csv").name == "a.csv and 2 more"


class TestFormats:
    @pytest.mark.parametrize("name", ["t.parquet", "t.unknown"])
    def test_parquet_by_ending_or_by_its_first_bytes(self, tmp_path, name):
        pyarrow.parquet.write_table(TABLE, tmp_path / name)
        assert raw(tmp_path / name) == typed(tmp_path / name) == TABLE.to_pydict()

    @pytest.mark.parametrize("name", ["t.feather", "t.arrow", "t.unknown"])
    def test_arrow_files(self, tmp_path, name):
        pyarrow.feather.write_feather(TABLE, tmp_path / name)
        assert raw(tmp_path / name) == TABLE.to_pydict()

    def test_arrow_streams(self, tmp_path):
        with pa.ipc.new_stream(str(tmp_path / "t.arrow"), TABLE.schema) as writer:
            writer.write_table(TABLE)
        assert raw(tmp_path / "t.arrow") == TABLE.to_pydict()

    @pytest.mark.parametrize("name", ["t.csv.gz", "t"])
    @pytest.mark.parametrize(
        "pack", [gzip.compress, bz2.compress, lambda data: pa.compress(data, "zstd", asbytes=True)]
    )
    def test_packed_files_whatever_their_name(self, tmp_path, name, pack):
        assert raw(write(tmp_path, pack(b"a,b\n1,x\n"), name)) == {"a": ["1"], "b": ["x"]}
        pyarrow.parquet.write_table(TABLE, tmp_path / "t.parquet")
        assert (
            raw(write(tmp_path, pack((tmp_path / "t.parquet").read_bytes()), name.replace("csv", "parquet")))
            == TABLE.to_pydict()
        )

    @pytest.mark.parametrize(
        "pack", [gzip.compress, bz2.compress, lambda data: pa.compress(data, "zstd", asbytes=True)]
    )
    def test_a_packed_file_that_was_cut_is_refused(self, tmp_path, pack):
        whole = pack(b"a\n" + np.random.default_rng(0).bytes(50_000).hex("\n", 4).encode())
        with pytest.raises(ValueError, match="is not a whole packed file"):
            raw(write(tmp_path, whole[: len(whole) // 2]))

    @pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
    def test_a_damaged_file_is_refused(self, tmp_path, name):
        with pytest.raises(ValueError, match="is not a whole"):
            raw(write(tmp_path, b"PAR1 and nothing more", name))

    def test_binary_formats_name_the_extra_that_reads_them(self, tmp_path, monkeypatch):
        path = write(tmp_path, b"PAR1", "t.parquet")
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(ImportError, match=r"candide\[arrow\]"):
            raw(path)

    def test_a_parquet_file_gives_only_the_columns_asked_for(self, tmp_path):
        pyarrow.parquet.write_table(TABLE, tmp_path / "t.parquet")
        assert list(typed(tmp_path / "t.parquet", columns=["b"])) == ["b"]
        assert list(typed(tmp_path / "t.parquet", exclude=["b"])) == ["a"]


@pytest.mark.parametrize("arrow", [True, False])
def test_batches_keep_the_order_and_number_of_rows(tmp_path, monkeypatch, arrow):
    monkeypatch.setattr(text, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(text, "BATCH_ROWS", 50)
    if not arrow:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    source = files(write(tmp_path, "a\n" + "".join(f"{i}\n" for i in range(1000))))
    told: list[float | None] = []
    source.done = told.append
    batches = list(source.raw())
    assert len(batches) > 3
    assert [b.start for b in batches[1:]] == [b.start + b.n_rows for b in batches[:-1]]
    assert [int(cell) for batch in batches for cell in walk(batch.columns["a"])] == list(range(1000))
    assert told == sorted(told)
    assert told[-1] == 1.0


class TestPipes:
    def piped(self, path: Path, content: bytes) -> threading.Thread:
        os.mkfifo(path)
        writer = threading.Thread(target=path.write_bytes, args=(content,))
        writer.start()
        return writer

    def test_a_pipe_is_copied_where_it_has_to_be_read_twice(self, tmp_path):
        writer = self.piped(tmp_path / "fifo", CSV.encode())
        source = files(tmp_path / "fifo", target="desk")
        assert not source.repeatable
        assert source.names() == list(CELLS)
        writer.join()
        assert blank(together(source.batches())) == CELLS
        assert blank(together(source.batches())) == CELLS

    def test_a_copy_outlives_the_source_that_made_it(self, tmp_path):
        writer = self.piped(tmp_path / "fifo", CSV.encode())
        source = files(tmp_path / "fifo")
        source.names()
        writer.join()
        source = source.learning("desk", None)
        gc.collect()
        assert blank(together(source.batches())) == CELLS

    def test_a_pipe_is_read_as_it_comes_where_once_is_enough(self, tmp_path, monkeypatch):
        monkeypatch.setattr(written, "spooled", None)
        writer = self.piped(tmp_path / "fifo", b"a,b\n1,x\n")
        assert raw(tmp_path / "fifo") == {"a": ["1"], "b": ["x"]}
        writer.join()

    def test_parquet_through_a_pipe(self, tmp_path):
        pyarrow.parquet.write_table(TABLE, tmp_path / "t.parquet")
        writer = self.piped(tmp_path / "fifo", (tmp_path / "t.parquet").read_bytes())
        assert raw(tmp_path / "fifo") == TABLE.to_pydict()
        writer.join()

    def test_files_can_be_read_again(self, tmp_path):
        source = files(write(tmp_path, CSV), target="desk")
        assert source.repeatable
        assert blank(together(source.batches())) == blank(together(source.batches())) == CELLS


# -- behind some rows --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [0, 1, 9, 10, 11, 24, 25, 26, 30, 44, 50])
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_rows_are_passed_over_by_whole_groups(tmp_path, ending, rows):
    paths = []
    for n in range(2):
        frame = pd.DataFrame({"x": np.arange(25.0 * n, 25.0 * n + 25)})
        paths.append(str(tmp_path / f"{n}.{ending}"))
        frame.to_csv(paths[-1], index=False) if ending == "csv" else frame.to_parquet(paths[-1], row_group_size=10)
    rest, first = Files(paths, Reading()).behind(rows)
    read = [x for frame in rest.batches() for x in frame["x"].to_pylist()]
    assert read[first:] == np.arange(rows, 50.0).tolist()
    if ending == "parquet":
        assert first < 10  # nothing before the row's own group is read
        assert len(read) <= 50 - rows + first


def test_an_archive_of_tables_is_no_workbook(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("t.csv", "a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"t\.zip is an archive and no Excel file: unpack it first"):
        raw(tmp_path / "t.zip")

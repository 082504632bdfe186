from __future__ import annotations

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from tests.sources.reading import raw

from candide import NaiveBayes
from candide.distributions import Text
from candide.sources import batch, open_source
from candide.sources.base import Reading
from candide.sources.table_file import TableFile

TABLE = pa.table({"a.b": range(100), "a": [str(i) for i in range(100)], "c": [None] * 100})


@pytest.fixture(params=["parquet", "arrow", "stream"])
def path(request, tmp_path) -> str:
    place = str(tmp_path / "t")
    if request.param == "parquet":
        pyarrow.parquet.write_table(TABLE, place, row_group_size=40)
    elif request.param == "arrow":
        pyarrow.feather.write_feather(TABLE, place, compression="uncompressed")
    else:
        with pa.ipc.new_stream(place, TABLE.schema) as writer:
            writer.write_table(TABLE)
    return place


def test_batches_have_a_bounded_number_of_rows(path, monkeypatch):
    monkeypatch.setattr(batch, "BATCH_ROWS", 15)
    with TableFile(path, path, Reading()) as file:
        batches = list(file.batches(None))
    assert max(batch.n_rows for batch in batches) == 15
    assert [batch.start for batch in batches][:2] == [0, 15]
    assert raw(path) == TABLE.to_pydict()


def test_only_the_columns_wanted_are_given(path):
    with TableFile(path, path, Reading()) as file:
        assert file.names == ["a.b", "a", "c"]
        (batch, *_) = file.batches(["c", "a.b"])
        assert list(batch.columns) == ["c", "a.b"]


def test_two_columns_of_one_name_are_refused(tmp_path):
    table = pa.table([[1], [2]], names=["a", "a"])
    with pa.ipc.new_file(str(tmp_path / "t.arrow"), table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(ValueError, match="two columns are called 'a'"):
        raw(tmp_path / "t.arrow")


def test_a_file_that_was_cut_is_refused(path, tmp_path):
    from pathlib import Path

    content = Path(path).read_bytes()
    (tmp_path / "cut").write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match="is not a whole"):
        raw(tmp_path / "cut")


def test_text_that_is_stored_as_codes_is_given_as_codes_and_declares_nothing(tmp_path):
    import numpy as np
    from tests import laws

    from candide import NaiveBayes

    rng = np.random.default_rng(0)
    n = 4_000
    few = rng.choice(["p", "q", "r"], n).tolist()
    table = pa.table({"few": few, "many": [f"k{i}" for i in range(n)], "y": rng.choice(["u", "v"], n).tolist()})
    domain = pa.array(["p", "q", "r", "never"])
    declared = pa.DictionaryArray.from_arrays(pa.array([["p", "q", "r"].index(c) for c in few], pa.int32()), domain)
    table = table.append_column("declared", declared)
    path = str(tmp_path / "t.parquet")
    pyarrow.parquet.write_table(table, path, row_group_size=1_000)
    with TableFile(path, path, Reading()) as file:
        (first, *_) = file.batches(None)
    assert first.stored == {"few", "y"}
    assert pa.types.is_dictionary(first.columns["few"].type)
    assert first.spelt["few"].to_pylist() == few[: first.n_rows]
    nb = NaiveBayes(reading="plain").fit(path, "y")
    laws.same_model(nb, NaiveBayes(reading="plain").fit(table, "y"), table.drop_columns("y").slice(0, 20))
    assert nb.schema_.columns[2].axis.declared == 4
    assert nb.schema_.columns[0].axis.declared == 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize(
    ("first", "later"),
    [
        (lambda n: f"{1 + n % 12:02d}/{1 + n % 7:02d}/2024", lambda n: f"{1 + n % 12:02d}/{1 + n % 28:02d}/2024"),
        (lambda n: f"{n} kg", lambda n: f"{n} lb"),
        (lambda n: ("yes", "no")[n % 2], lambda n: ("YES", "No")[n % 2]),
        (lambda n: f"c{n}", lambda n: f"c{n % 5}"),
        (lambda _: "k", lambda n: "kz"[n % 2]),
    ],
)
def test_texts_are_read_as_those_of_all_files_and_groups_show(tmp_path, ending, first, later):
    cells = [(first if n < 200 else later)(n) for n in range(400)]
    table = pa.table({"x": cells, "z": list(range(400)), "y": ["pqq"[n % 3] for n in range(400)]})
    wanted = NaiveBayes().fit(table, "y")
    for k, part in enumerate((table[:100], table[100:])):
        if ending == "parquet":
            pyarrow.parquet.write_table(part, tmp_path / f"{k}.parquet", row_group_size=50)
        else:
            with pa.ipc.new_file(tmp_path / f"{k}.arrow", part.schema) as sink:
                sink.write_table(part, 50)
    model = NaiveBayes().fit(str(tmp_path / f"*.{ending}"), "y")
    assert model.schema_.names == wanted.schema_.names
    assert model.schema_.reading == wanted.schema_.reading
    assert model.predict_log_proba(table).tolist() == wanted.predict_log_proba(table).tolist()


def not_utf8(kind: str) -> pa.Array:
    """Three texts, of which the last is none."""
    cells = pa.array([b"caf\xc3\xa9", None, b"my \xff car"])
    return cells.dictionary_encode() if kind == "codes" else cells if kind == "binary" else cells.view(pa.string())


@pytest.mark.parametrize("kind", ["string", "binary", "codes"])
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_bytes_that_are_no_text_are_told_by_row_and_place_or_replaced(kind, ending, tmp_path):
    path = tmp_path / f"mails.{ending}"
    table = pa.table({"message": not_utf8(kind), "desk": ["a", "b", "a"]})
    if ending == "arrow":
        pyarrow.feather.write_feather(table, path)
    else:
        pyarrow.parquet.write_table(table, path)
    nb = NaiveBayes(distributions={"message": "text"})
    told = "column 'message' is not text in UTF-8 in row 2: byte 4 of it is 0xff; have --replace-invalid"
    with pytest.raises(ValueError, match=told):
        nb.fit(path, "desk")
    nb.fit(open_source(path, Reading(replace_invalid=True)), "desk")
    assert nb.schema_.columns[0].axis.words.text == ["café", "car", "my"]
    with pytest.raises(ValueError, match=told):
        list(nb.predict_batches(path))


@pytest.mark.parametrize("coded", [False, True])
def test_bytes_that_are_text_are_read_as_text(coded, tmp_path):
    cells = {"message": ["été à la plage", "my café", None, "ein Fahrrad"] * 5, "size": ["1,5", "2,5", "3,5", None] * 5}
    texts = pa.table({**cells, "desk": ["a", "b"] * 10})
    given = {name: pa.array([None if cell is None else cell.encode() for cell in of]) for name, of in cells.items()}
    coded_or_not = {name: of.dictionary_encode() if coded else of for name, of in given.items()}
    pyarrow.parquet.write_table(texts, tmp_path / "texts.parquet")
    pyarrow.parquet.write_table(pa.table({**coded_or_not, "desk": ["a", "b"] * 10}), tmp_path / "bytes.parquet")
    models = [
        NaiveBayes(distributions={"message": Text(analyzer="char")}).fit(tmp_path / f"{name}.parquet", "desk")
        for name in ("texts", "bytes")
    ]
    wanted = next(models[0].predict_batches(tmp_path / "texts.parquet", proba=True))
    for nb in models:
        for name in ("texts", "bytes"):
            assert next(nb.predict_batches(tmp_path / f"{name}.parquet", proba=True)).equals(wanted)

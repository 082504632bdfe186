from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests import laws

from candide import NaiveBayes
from candide.sources import Reading, batch, open_source
from candide.sources.databases import Cursor, Relation

duckdb = pytest.importorskip("duckdb", reason="needs duckdb")


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    n = 5_000
    frame = pd.DataFrame(
        {
            'a "b"': rng.normal(size=n),
            "c": rng.choice(list("xyz"), n),
            "i": rng.integers(0, 9, n),
            "y": rng.integers(0, 2, n),
        }
    )
    frame.loc[::7, "c"] = None
    return frame


def test_a_relation_is_a_table_or_a_query_and_can_be_read_again(frame):
    con = duckdb.connect()
    con.register("frame", frame)
    con.execute("create table t as select * from frame")
    expected = NaiveBayes().fit(frame, "y")
    for relation in (con.table("t"), con.sql("select * from t"), con.sql("from frame")):
        for _ in range(2):
            laws.same_model(NaiveBayes().fit(relation, "y"), expected, frame.drop(columns="y"))


def test_a_relation_gives_the_columns_that_are_asked_for_in_batches(frame, monkeypatch):
    monkeypatch.setattr(batch, "BATCH_ROWS", 2048)
    con = duckdb.connect()
    con.register("frame", frame)
    source = open_source(con.sql("from frame"))
    assert isinstance(source, Relation)
    nb = NaiveBayes().fit(frame[['a "b"', "y"]], "y")
    frames = list(source.batches(nb.schema_, nb.schema_.names))
    assert {tuple(f.schema.names) for f in frames} == {('a "b"',)}
    assert len(frames) > 1
    assert np.concatenate([b["prediction"] for b in nb.predict_batches(con.sql("from frame"))]).tolist() == (
        nb.predict(frame[['a "b"']]).tolist()
    )


def test_a_cursor_gives_its_result_once(frame):
    adbc = pytest.importorskip("adbc_driver_sqlite.dbapi", reason="needs adbc-driver-sqlite")
    plain = frame.rename(columns={'a "b"': "a"}).astype({"c": object})
    with adbc.connect() as connection, connection.cursor() as cursor:
        import pyarrow as pa

        cursor.adbc_ingest("t", pa.Table.from_pandas(plain, preserve_index=False))
        cursor.execute("select * from t")
        source = open_source(cursor)
        assert isinstance(source, Cursor)
        laws.same_model(NaiveBayes().fit(source, "y"), NaiveBayes().fit(plain, "y"), plain.drop(columns="y"))
        with pytest.raises(ValueError, match="can be read only once"):
            list(source.batches())


def test_booleans_of_a_data_base_without_them_are_the_numbers_that_it_gives(frame):
    adbc = pytest.importorskip("adbc_driver_sqlite.dbapi", reason="needs adbc-driver-sqlite")
    import pyarrow as pa

    told = pd.DataFrame({"told": frame["y"].to_numpy() == frame["y"].iloc[0], "y": frame["y"]})
    with adbc.connect() as connection, connection.cursor() as cursor:
        cursor.adbc_ingest("t", pa.Table.from_pandas(told, preserve_index=False))
        for rule in ("auto", {"told": "categorical"}):
            cursor.execute("select * from t")
            found = NaiveBayes(distributions=rule).fit(cursor, "y")
            numbers = told.astype({"told": int})
            laws.same_model(found, NaiveBayes(distributions=rule).fit(numbers, "y"), numbers[["told"]])
    # as levels, which the user has to say that they are, they tell what booleans tell
    expected = NaiveBayes().fit(told, "y").predict_log_proba(told[["told"]])
    np.testing.assert_allclose(found.predict_log_proba(numbers[["told"]]), expected, rtol=1e-12)


def test_what_is_no_data_base_is_none():
    assert open_source(np.zeros((2, 2)), Reading()) is None

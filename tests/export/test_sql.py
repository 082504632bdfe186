"""SQL: run for real, the query gives the labels and log-probabilities of the model."""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.export.cases import HOSTILE, LABELS, Y, learning_table, random_rows, same
from tests.strategies import KINDS

from candide import NaiveBayes
from candide.export.dialects import DIALECTS
from candide.structure import AveragedOneDependence, TreeAugmentedNB

TABLE = 'my "table`'
SAMPLED = {"kde", "mixture"}


def run_duckdb(query: str, rows: pd.DataFrame) -> pd.DataFrame:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    with duckdb.connect() as connection:
        connection.register("given", rows)
        quoted = TABLE.replace('"', '""')
        connection.execute(f'CREATE TABLE "{quoted}" AS SELECT * FROM given')
        return connection.execute(query).df()


def run_sqlite(query: str, rows: pd.DataFrame) -> pd.DataFrame:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("SELECT LN(EXP(1.0))")
    except sqlite3.OperationalError:
        pytest.skip("SQLite has no mathematical functions here")
    heads = ", ".join('"' + name.replace('"', '""') + '"' for name in rows)
    quoted = TABLE.replace('"', '""')
    connection.execute(f'CREATE TABLE "{quoted}" ({heads})')
    cells = [[None if pd.isna(c) else c for c in row] for row in rows.astype(object).itertuples(index=False, name=None)]
    marks = ", ".join("?" * rows.shape[1])
    connection.executemany(f'INSERT INTO "{quoted}" VALUES ({marks})', cells)
    cursor = connection.execute(query)
    return pd.DataFrame(cursor.fetchall(), columns=[head[0] for head in cursor.description])


ENGINES = {"duckdb": run_duckdb, "sqlite": run_sqlite}


def check(nb: NaiveBayes, rows: pd.DataFrame, engine: str, tolerance: float = 1e-9, **more: Any) -> None:
    found = ENGINES[engine](nb.to_sql((TABLE,), engine, **more), rows).sort_values("id")
    assert list(found.columns[: rows.shape[1]]) == list(rows.columns)
    same(found["prediction"], found[[f"log_p_{label}" for label in nb.classes_]], nb, rows, tolerance)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("kind", [*KINDS, "auto", "smooth"])
def test_every_distribution_is_scored_as_in_python(kind: str, missing: str, engine: str) -> None:
    frame = learning_table(kind)
    nb = NaiveBayes({"x": kind}, missing=missing).fit(frame, Y)
    if kind in SAMPLED:
        with pytest.raises(ValueError, match="column 'x' cannot be written as SQL: its density has no formula"):
            nb.to_sql("t", engine)
        inside = random_rows(frame, 500, strange=False)
        check(nb, inside, engine, tolerance=1e-3, sampled=True)
        return
    check(nb, random_rows(frame, 10_000 if engine == "duckdb" else 1000), engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_probabilities_of_zero_are_told(engine: str) -> None:
    frame = learning_table("categorical")
    nb = NaiveBayes("categorical", smoothing="none").fit(frame[::9], Y[::9])
    check(nb, random_rows(frame, 1000), engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("estimator", ["groups", "tree"])
def test_columns_that_are_joined_are_scored_with_gaps_and_unseen_levels(estimator: str, engine: str) -> None:
    frame = learning_table("normal").assign(k=np.where(Y == "no", "s", "t"))
    frame.loc[::6, "k"] = None
    groups = [["x", "k"], ['hostile "name`; --', "flag"]]
    nb = (
        NaiveBayes("equal-width(4)", groups=groups) if estimator == "groups" else TreeAugmentedNB()
    ).fit(frame, Y)  # fmt: skip
    check(nb, random_rows(frame, 2000), engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_ties_go_to_the_first_class(engine: str) -> None:
    frame = pd.DataFrame({"a": ["u", "v"] * 10})
    nb = NaiveBayes().fit(frame, ["p", "p", "q", "q"] * 5)
    check(nb, pd.DataFrame({"id": [0, 1, 2], "a": ["u", "v", None]}), engine)


@pytest.mark.parametrize("labels", [[0, 1, 2], [True, False, True]])
def test_labels_keep_their_type(labels: list[Any]) -> None:
    y = [labels[LABELS.index(label)] for label in Y]
    frame = learning_table("normal")
    check(NaiveBayes({"x": "normal"}).fit(frame, y), random_rows(frame, 200), "duckdb")


def test_columns_are_passed_on_as_asked() -> None:
    frame = learning_table("normal")
    nb = NaiveBayes({"x": "normal"}).fit(frame, Y)
    rows = random_rows(frame, 20)
    for engine, run in ENGINES.items():
        found = run(nb.to_sql((TABLE,), engine, keep=["id"]), rows)
        assert list(found.columns)[:2] == ["id", "prediction"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_parses(dialect: str) -> None:
    sqlglot = pytest.importorskip("sqlglot", reason="sqlglot is not installed")
    frame = learning_table("gamma").assign(k=np.where(Y == "no", "s", "t"))
    nb = NaiveBayes({"x": "gamma"}, groups=[["k", "flag"]]).fit(frame, Y)
    tree = sqlglot.parse_one(nb.to_sql("schema.table", dialect), dialect=dialect)
    levels = {literal.this for literal in tree.find_all(sqlglot.exp.Literal) if literal.is_string}
    assert set(HOSTILE) <= levels
    columns = {column.name for column in tree.find_all(sqlglot.exp.Column)}
    assert 'hostile "name`; --' in columns
    assert [table.name for table in tree.find_all(sqlglot.exp.Table) if table.db][:1] == ["table"]
    assert len(sqlglot.parse(nb.to_sql("t", dialect), dialect=dialect)) == 1


def test_what_sql_cannot_tell_is_refused_by_name() -> None:
    frame = learning_table("normal")
    for params, says in [
        ({"combination": "sum"}, "not Sum"),
        ({"unseen": "error"}, "set unseen='ignore'"),
        ({"costs": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}, "set costs=None"),
    ]:
        with pytest.raises(ValueError, match=says):
            NaiveBayes(**params).fit(frame, Y).to_sql("t")
    with pytest.raises(ValueError, match="cannot be written as SQL"):
        AveragedOneDependence().fit(frame, Y).to_sql("t")
    two = pd.DataFrame({"a": ["u", None] * 5, "b": ["v", "w"] * 5})
    joined = NaiveBayes(groups=[["a", "b"]], missing="level").fit(two, ["p", "q"] * 5)
    with pytest.raises(ValueError, match="columns are joined in it, and missing cells are levels"):
        joined.to_sql("t")
    nb = NaiveBayes().fit(frame, Y)
    with pytest.raises(ValueError, match="there is no dialect 'duckbd'; did you mean 'duckdb'"):
        nb.to_sql("t", "duckbd")
    with pytest.raises(ValueError, match="give a name"):
        nb.to_sql("a..b")
    with pytest.raises(ValueError, match="NUL"):
        nb.to_sql(("a\x00",))


@pytest.mark.parametrize("engine", ENGINES)
def test_tuned_weights_and_pairs_are_scored_as_in_python(engine: str) -> None:
    frame = learning_table("normal").assign(k=np.where(Y == "no", "s", "t"))
    nb = NaiveBayes(weights="tuned").fit(frame, Y)
    check(nb, random_rows(frame, 2000), engine)


def test_what_a_query_takes_in_the_place_of_text_is_said_and_scores_as_the_library_does() -> None:
    duckdb = pytest.importorskip("duckdb")
    rng = np.random.default_rng(0)
    late = rng.random(200) < 0.5
    days = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 150, 200) + 90 * late, unit="D")
    price = (rng.normal(20, 4, 200) + 5 * late).round(2)
    text = pd.DataFrame({"day": days.strftime("%d.%m.%Y"), "price": [f"{x} €" for x in price]})
    nb = NaiveBayes(distributions={"price": "normal"}).fit(text, np.where(late, "late", "early"))
    query = nb.to_sql("numbers")
    assert query.splitlines()[:4] == [
        "-- day: seconds since 1970-01-01 00:00 UTC",
        "-- day.month: the month, 1 to 12",
        "-- day.weekday: the weekday, 0 for Monday to 6",
        "-- price: a number without '€'",
    ]
    numbers = pd.DataFrame(
        {"day": days.astype("datetime64[s]").astype(np.int64), "day.month": days.month, "day.weekday": days.day_of_week}
    ).assign(price=price)
    assert len(numbers) == 200  # which the query finds by its name
    assert duckdb.sql(query).df()["prediction"].tolist() == nb.predict(text).tolist()

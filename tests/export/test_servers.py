"""SQL on database servers that a test starts by itself: Postgres, and Spark."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.engines.sessions import session
from tests.export.cases import Y, learning_table, random_rows, same

from candide import NaiveBayes
from candide.structure import TreeAugmentedNB

pytestmark = pytest.mark.long

MODELS: dict[str, Any] = {
    "normal": lambda frame: NaiveBayes({"x": "normal"}).fit(frame, Y),
    "gamma": lambda frame: NaiveBayes({"x": "gamma"}, missing="level").fit(frame.assign(x=frame["x"].abs()), Y),
    "auto": lambda frame: NaiveBayes().fit(frame, Y),
    "no smoothing": lambda frame: NaiveBayes({"x": "equal-width(3)"}, smoothing="none").fit(frame[::9], Y[::9]),
    "groups": lambda frame: NaiveBayes("equal-width(4)", groups=[["x", "flag"]]).fit(frame, Y),
    "tree": lambda frame: TreeAugmentedNB().fit(frame, Y),
}


def programs() -> Path | None:
    """Return the folder of Postgres' programs, where there is one."""
    found = [*Path("/usr/lib/postgresql").glob("*/bin"), *map(Path, os.environ.get("PATH", "").split(":"))]
    return next((folder for folder in found if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Any]:
    """A server of our own in a temporary folder, reached through a socket there."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")
    bin_ = programs()
    if bin_ is None:
        pytest.skip("Postgres is not on this machine")
    user = "postgres" if os.geteuid() == 0 else None
    if user is not None and user not in {entry.pw_name for entry in pwd.getpwall()}:
        pytest.skip("Postgres does not run as root, and there is no user 'postgres'")
    folder = Path(tempfile.mkdtemp(prefix="candide-postgres-"))
    if user is not None:
        shutil.chown(folder, user)
    as_user = {"user": user} if user is not None else {}
    try:

        def run(*command: Any) -> None:
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            subprocess.run(list(map(str, command)), check=True, cwd=folder, **quiet, **as_user)

        run(bin_ / "initdb", "-D", folder / "data", "-U", "candide", "--auth=trust", "-E", "UTF8")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        run(bin_ / "pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log", "-o", options, "start")
        try:
            with psycopg.connect(host=str(folder), user="candide", dbname="postgres") as connection:
                yield connection
        finally:
            run(bin_ / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A session of our own on two threads."""
    started = session("local[2]")
    yield started
    started.stop()


@pytest.mark.parametrize("name", MODELS)
def test_postgres_scores_as_python_does(name: str, postgres: Any) -> None:
    frame = learning_table("normal")
    nb, rows = MODELS[name](frame), random_rows(frame, 2000)
    types = {"i": "bigint", "f": "double precision", "b": "boolean", "O": "text"}
    heads = ", ".join(f'"{n.replace(chr(34), chr(34) * 2)}" {types.get(rows[n].dtype.kind, "text")}' for n in rows)
    with postgres.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS t")
        cursor.execute(f"CREATE TABLE t ({heads})")
        with cursor.copy("COPY t FROM STDIN") as copy:
            for row in rows.astype(object).itertuples(index=False, name=None):
                copy.write_row([None if pd.isna(cell) else cell for cell in row])
        cursor.execute(nb.to_sql("public.t", "postgres"))
        found = pd.DataFrame(cursor.fetchall(), columns=[head.name for head in cursor.description]).sort_values("id")
    postgres.commit()
    assert list(found.columns[: rows.shape[1]]) == list(rows.columns)
    same(found["prediction"], found[[f"log_p_{label}" for label in nb.classes_]], nb, rows)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_spark_scores_as_python_does(name: str, spark: Any, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="PyArrow is not installed")
    frame = learning_table("normal")
    nb, rows = MODELS[name](frame), random_rows(frame, 1000)
    path = tmp_path / "rows.parquet"
    rows.to_parquet(path)
    spark.read.parquet(str(path)).createOrReplaceTempView("t")
    found = spark.sql(nb.to_sql("t", "spark")).toArrow().to_pandas().sort_values("id")
    assert list(found.columns[: rows.shape[1]]) == list(rows.columns)
    same(found["prediction"], found[[f"log_p_{label}" for label in nb.classes_]], nb, rows)
    assert np.isfinite(found["id"]).all()

"""Sessions of Spark for tests: in this process, on executors of their own, and behind a server."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

# Jobs of a test are over before code that is compiled a second time would pay.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
MASTERS = ("local[2]", "local-cluster[2,1,1024]", "connect")


def session(master: str):
    """Start a session; the test is skipped where Spark or Java is not there."""
    sql = pytest.importorskip("pyspark.sql", reason="needs pyspark")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, which is not here (Debian: default-jre-headless)")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["JAVA_TOOL_OPTIONS"] = SHORT_LIVED
    quiet = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        # nor would code that is made of queries
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.ui.showConsoleProgress": "false",
        "spark.task.maxFailures": "4",
    }
    builder = sql.SparkSession.builder
    if master == "connect":
        pytest.importorskip("grpc", reason="a session behind a server needs grpcio")
        builder = builder.remote("local[2]")
        quiet = {"spark.ui.enabled": "false"}
    else:
        builder = builder.master(master)
    for key, value in quiet.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()

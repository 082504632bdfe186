"""Spark: a fit on the executors beside MLlib's naive Bayes on the same rows, in turns of one warm session.

    python -m benchmarks.spark FOLDER [--rows 1000000]      # FOLDER as `benchmarks.beyond_memory make` writes it

MLlib takes one vector of numbers: text is indexed and spelt out as zeros and ones, missing cells are filled, and all
of it is assembled before its Gaussian or multinomial model is fitted. That is part of its time, since the fit
needs none.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.about import about
from benchmarks.beyond_memory import LEVELS, NUMBERS, TARGET, files

RESULTS = Path(__file__).parent / "results"


def session(master: str) -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.ui.showConsoleProgress", "false")
    return builder.getOrCreate()


def ours(frame: Any) -> None:
    """candide: NaiveBayes().fit(frame, "desk")"""
    from candide import NaiveBayes

    NaiveBayes().fit(frame, TARGET)


def prepared(frame: Any, numbers: bool) -> Any:
    """Return MLlib's pipeline of what comes before its model, of the numbers or of the levels."""
    from pyspark.ml import Pipeline
    from pyspark.ml.feature import Imputer, OneHotEncoder, StringIndexer, VectorAssembler

    label = StringIndexer(inputCol=TARGET, outputCol="label")
    if numbers:
        filled = Imputer(inputCols=list(NUMBERS), outputCols=[f"{c}_" for c in NUMBERS])
        stages = [label, filled, VectorAssembler(inputCols=[f"{c}_" for c in NUMBERS], outputCol="features")]
    else:
        coded = [f"{c}_" for c in LEVELS]
        index = StringIndexer(inputCols=list(LEVELS), outputCols=coded, handleInvalid="keep")
        spelt = OneHotEncoder(inputCols=coded, outputCols=[f"{c}__" for c in LEVELS], dropLast=False)
        features = VectorAssembler(inputCols=[f"{c}__" for c in LEVELS], outputCol="features")
        stages = [label, index, spelt, features]
    # casting is part of MLlib's contract: whole numbers are imputed as doubles
    given = frame.withColumn("age", frame["age"].cast("double")) if numbers else frame
    return Pipeline(stages=stages).fit(given).transform(given).select("features", "label")


def gaussian(frame: Any) -> None:
    """MLlib: impute, assemble, Gaussian naive Bayes on six columns of numbers"""
    from pyspark.ml.classification import NaiveBayes

    NaiveBayes(modelType="gaussian").fit(prepared(frame, numbers=True))


def multinomial(frame: Any) -> None:
    """MLlib: index, spell out, assemble, multinomial naive Bayes on three columns of text"""
    from pyspark.ml.classification import NaiveBayes

    NaiveBayes().fit(prepared(frame, numbers=False))


def both(frame: Any) -> None:
    """MLlib: both, as a mixed table needs"""
    gaussian(frame)
    multinomial(frame)


PARTS: tuple[Callable[[Any], None], ...] = (ours, gaussian, multinomial, both)


def seconds(part: Callable[[Any], None], frame: Any) -> float:
    start = time.perf_counter()
    part(frame)
    return time.perf_counter() - start


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--output", type=Path, default=RESULTS / "spark.md")
    asked = parser.parse_args()
    spark = session(asked.master)
    frame = spark.read.parquet(*files(asked.folder, asked.rows)).repartition(4).cache()
    frame.count()
    for part in PARTS:  # the first calls of a session are slower by far
        part(frame)
    turns = [{part: seconds(part, frame) for part in PARTS} for _ in range(asked.turns)]
    best = {part: min(turn[part] for turn in turns) for part in PARTS}
    lines = [
        "# Spark",
        "",
        f"{asked.rows:,} rows of ten mixed columns, cached, in one warm session of {asked.master}; the best of "
        f"{asked.turns} turns. Spark {spark.version}, "
        + ", ".join(f"{k} {v}" for k, v in about().items() if k != "home")
        + ". Written by `python -m benchmarks.spark`.",
        "",
        "| | seconds | beside the fit |",
        "| --- | ---: | ---: |",
        *(f"| {part.__doc__} | {found:.2f} | {found / best[ours]:.1f} |" for part, found in best.items()),
        "",
    ]
    spark.stop()
    asked.output.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()

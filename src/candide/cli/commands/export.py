"""candide export: a model as a scorer for another system."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.options import model_argument
from candide.messages import unknown

FILES = {".onnx": "onnx", ".pmml": "pmml", ".sql": "sql"}
"""What is written into a file of an ending."""


@click.command(short_help="Write a model as SQL, ONNX or PMML.")
@model_argument
@click.option(
    "--output", "-o", metavar="OUT", help="The file to write: .sql, .onnx or .pmml; without one SQL is printed."
)
@click.option("--table", metavar="NAME", default="rows", show_default=True, help="SQL: the table to score.")
@click.option(
    "--dialect",
    metavar="NAME",
    default="duckdb",
    show_default=True,
    help="SQL: duckdb, postgres, sqlite, spark, bigquery or snowflake.",
)
@click.option("--keep", metavar="COL", multiple=True, help="SQL: a column to pass on; all without. May be repeated.")
@click.option(
    "--sampled", is_flag=True, help="Tell densities that have no formula there by straight lines between points."
)
def export(model_file: str, output: str | None, table: str, dialect: str, keep: tuple[str, ...], sampled: bool) -> None:
    """Write MODEL as a scorer that runs where the data are: a query, an ONNX graph, or a PMML document.

    They give the labels and probabilities that 'candide predict' gives. A column that cannot be told there is named.
    What was read from text, such as dates and amounts, they take as numbers: which ones is said.

    \b
    candide export desk.json --dialect postgres --table requests > score.sql
    candide export desk.json -o desk.onnx
    """  # noqa: D301
    from candide.cli.models import announce, check_output, load_whole
    from candide.cli.screens import note
    from candide.export.taken import taken

    kind = "sql" if output in {None, "-"} else FILES.get(Path(str(output)).suffix.lower())
    if kind is None:
        raise BadInput(f"{output}: {unknown('ending', Path(str(output)).suffix, list(FILES))}")
    check_output(output, model_file)
    model = load_whole(model_file, output)
    if kind == "sql":
        write_query(model.to_sql(table, dialect, list(keep) or None, sampled), output)
    elif kind == "onnx":
        model.to_onnx(output, sampled)
    else:
        model.to_pmml(output)
    for line in taken(model.learnt_.schema.reading):
        note(f"the {kind.upper()} takes {line}")
    if output not in {None, "-"}:
        announce(f"wrote {model_file} as {kind.upper()}: {output}", str(output))


def write_query(text: str, output: Any) -> None:
    """Write a query to a file, or to standard output."""
    from candide.writing import replacing

    if output in {None, "-"}:
        sys.stdout.write(f"{text}\n")
        return
    with replacing(output) as file:
        file.write(f"{text}\n".encode())

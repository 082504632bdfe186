"""candide predict: a label for every row, in batches, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import numpy as np

from candide.cli.failures import BadInput
from candide.cli.formats import FORMATS, Format
from candide.cli.options import model_argument, reading_options, table_argument

PREVIEW_ROWS = 20
PREDICTION = "prediction"


@click.command(short_help="Predict the class of every row of a table.")
@model_argument
@table_argument
@click.option("--proba", is_flag=True, help="Also write the probability of every class, as columns P(class).")
@click.option("--keep", is_flag=True, help="Keep TABLE's own columns before the prediction.")
@click.option(
    "--output", "-o", metavar="OUT", help="The table to write; its ending tells the format. '-' is standard output."
)
@click.option("--to", type=click.Choice(FORMATS), help="OUT's format; CSV on standard output by default.")
@reading_options
def predict(
    model_file: str,
    table: str,
    proba: bool,
    keep: bool,
    output: str | None,
    to: Format | None,
    format_: Format | None,
    na: tuple[str, ...],
) -> None:
    """Predict the class of every row of TABLE by MODEL.

    Columns are found by name and read as the model was taught; others (ids, the target) are left aside. Rows keep their
    order. Tables are read and written in batches, so they may be larger than memory.

    \b
    candide predict desk.json new.csv > routed.csv
    candide predict desk.json new.parquet --proba --keep -o routed.parquet
    echo '{"wheels": 2, "energy": "petrol"}' | candide predict desk.json -
    """  # noqa: D301
    from candide.cli import screens
    from candide.cli.models import check_output, load_model, refuse_two_inputs
    from candide.cli.reading import open_table
    from candide.cli.writing import open_writer, output_format
    from candide.progress import watched

    kind = output_format(output, to)
    refuse_two_inputs(model_file, table)
    check_output(output, model_file, table)
    model = load_model(model_file)
    source = open_table(table, format_, na)
    read = watched(source, f"predicting {source.name}", lambda _: source.fraction())
    batches = predictions(model, read, source, proba, keep, typed=kind not in ("csv", "tsv"))
    if output is None and to is None and screens.terminal():
        preview(batches)
        return
    with open_writer(output or "-", kind) as writer:
        rows = 0
        for columns in batches:
            writer.write(columns)
            rows += len(columns[PREDICTION])
        if not rows:
            writer.write({n: np.array([], object) for n in source.names or () if keep} | answers(model, None, proba))
    if output not in (None, "-"):
        click.echo(f"predicted {rows} rows: {output}")


def predictions(
    model: Any, batches: Iterator[Any], source: Any, proba: bool, keep: bool, typed: bool
) -> Iterator[dict[str, Any]]:
    """Yield the columns to write for each batch of rows."""
    from candide.cli.frames import by_schema

    schema = model.schema_
    for batch in batches:
        frame = by_schema(batch, schema, source)
        try:
            found = answers(model, frame, proba)
        except (ValueError, TypeError) as error:
            if batch.start:
                error.add_note(f"rows counted from row {batch.start}")
            raise
        kept = dict(batch.columns) if keep else {}
        if keep and typed and not source.typed:
            kept |= {name: frame[name] for name in kept if name in schema.names}
        taken = [name for name in found if name in kept]
        if taken:
            raise BadInput(f"{source.name} has a column {taken[0]!r} already: rename it, or leave out --keep")
        yield kept | found


def answers(model: Any, frame: Any, proba: bool) -> dict[str, Any]:
    """Return the columns that predicting adds; without rows where there is no frame."""
    from candide.scoring.decision import cost_matrix, decide

    classes = model.classes_
    if not proba:
        return {PREDICTION: classes[:0] if frame is None else model.predict(frame)}
    # scored once for both the decision and the probabilities
    log_p = np.zeros((0, len(classes))) if frame is None else model.predict_log_proba(frame)
    costs = None if model.costs is None else cost_matrix(model.costs, classes)
    columns = {f"P({label})": np.exp(log_p[:, c]) for c, label in enumerate(classes.tolist())}
    return {PREDICTION: classes[decide(log_p, costs)]} | columns


def preview(batches: Iterator[dict[str, Any]]) -> None:
    """Show the first rows on a terminal."""
    from candide.cli.screens import say, show_table
    from candide.cli.writing import listed

    shown: list[tuple[Any, ...]] = []
    heads: list[str] = []
    total = 0
    for columns in batches:
        heads = heads or ["row", *columns]
        start, total = total, total + len(columns[PREDICTION])
        if len(shown) < PREVIEW_ROWS:
            cells = [listed(c[: PREVIEW_ROWS - len(shown)]) for c in columns.values()]
            shown += [(start + n, *row) for n, row in enumerate(zip(*cells, strict=True))]
    if not total:
        say("the table has no rows")
        return
    show_table("", heads, shown)
    if total > len(shown):
        say(f"{total - len(shown)} more rows; -o OUT writes all of them, as does a pipe")

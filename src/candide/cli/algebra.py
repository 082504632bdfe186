"""candide merge, update, forget: models add up, learn more rows, and unlearn rows."""

from __future__ import annotations

from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.formats import Format
from candide.cli.options import model_argument, reading_options, table_argument
from candide.messages import unknown


@click.command(short_help="Add models up.")
@click.argument("model_files", metavar="MODEL...", nargs=-1, required=True)
@click.option("--output", "-o", metavar="OUT", required=True, help="The model file to write; '-' is standard output.")
def merge(model_files: tuple[str, ...], output: str) -> None:
    """Add models up: OUT is the model of all their rows, as if one model had seen them together.

    The rules (smoothing, combination ...) are those of the first model.

    \b
    candide merge north.json south.json -o all.json
    """  # noqa: D301
    from candide.cli.inspecting import amount
    from candide.cli.models import check_output, load_model, save_model, told

    check_output(output, *model_files)
    total: Any = None
    for path in model_files:
        model = load_model(path)
        try:
            total = model if total is None else total + model
        except (ValueError, TypeError) as error:
            raise BadInput(f"{path} does not add to {model_files[0]}: {error}") from None
    save_model(total, output)
    told(f"merged {len(model_files)} models of {amount(float(total.class_counts_.sum()))} rows: {output}", output)


def learning_options(command: Any) -> Any:
    """Add the options of commands that change what a model has learnt."""
    for option in (
        click.option("--output", "-o", metavar="OUT", help="The model file to write; by default MODEL itself."),
        click.option("--weight", metavar="COL", help="A column of row weights."),
        click.option("--target", "-t", metavar="COL", help="The column of the labels, if not called as it was in fit."),
    ):
        command = option(command)
    return command


@click.command(short_help="Teach a model more rows.")
@model_argument
@table_argument
@learning_options
@reading_options
def update(model_file: str, table: str, **given: Any) -> None:
    """Teach MODEL the rows of TABLE as well. New classes and levels may appear.

    The result is the model that would have been learnt from all rows together.

    \b
    candide update desk.json monday.csv
    """  # noqa: D301
    change(model_file, table, "partial_fit", "learnt", **given)


@click.command(short_help="Let a model forget rows.")
@model_argument
@table_argument
@learning_options
@reading_options
def forget(model_file: str, table: str, **given: Any) -> None:
    """Let MODEL forget the rows of TABLE, which it has learnt before, exactly.

    \b
    candide forget desk.json withdrawn.csv
    """  # noqa: D301
    change(model_file, table, "forget", "forgot", **given)


def change(
    model_file: str,
    table: str,
    method: str,
    did: str,
    target: str | None,
    weight: str | None,
    output: str | None,
    format_: Format | None,
    na: tuple[str, ...],
) -> None:
    """Let a model learn or forget a table, batch by batch; the file changes only when all went well."""
    from candide.cli.inspecting import amount
    from candide.cli.models import check_output, held, load_model, refuse_two_inputs, save_model, told

    out = output or model_file
    refuse_two_inputs(model_file, table)
    check_output(out, table)
    with held(model_file, out) as check:
        model = load_model(model_file)
        rows = learn_table(model, model_file, table, method, target, weight, format_, na)
        check()
        save_model(model, out)
    told(f"{did} {rows} rows, the model now stands on {amount(float(model.class_counts_.sum()))}: {out}", out)


def learn_table(
    model: Any,
    model_file: str,
    table: str,
    method: str,
    target: str | None,
    weight: str | None,
    format_: Format | None,
    na: tuple[str, ...],
) -> int:
    """Let a model learn or forget a table; return the number of rows."""
    from candide.cli.reading import open_table
    from candide.progress import watched

    schema = model.schema_
    name = target or schema.target
    if name is None:
        raise BadInput(f"{model_file} does not say what its target column is called: give --target")
    source = open_table(table, format_, na)
    rows = 0
    for batch in watched(source, f"reading {source.name}", lambda _: source.fraction()):
        try:
            take(model, schema, batch, source, method, name, weight)
        except (ValueError, TypeError) as error:
            if batch.start:
                error.add_note(f"rows counted from row {batch.start}")
            raise
        rows += batch.n_rows
    return rows


def take(model: Any, schema: Any, batch: Any, source: Any, method: str, target: str, weight: str | None) -> None:
    """Let a model learn or forget one batch, typed by the schema that it had before the first."""
    from candide.cli.cells import as_numbers
    from candide.cli.frames import by_schema, labels_by_schema

    for column in (target, weight):
        if column is not None and column not in batch.columns:
            raise BadInput(f"{source.name}: {unknown('column', column, list(batch.columns))}")
    labels = labels_by_schema(batch.columns[target], schema.classes, target, batch.start)
    weights = None if weight is None else as_numbers(batch.columns[weight], weight, batch.start)
    getattr(model, method)(by_schema(batch, schema, source), labels, sample_weight=weights)

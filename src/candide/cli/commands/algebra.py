"""candide merge, update, forget: models add up, learn more rows, and unlearn rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.options import Command, model_argument, reading_options, tables_argument, weight_option
from candide.cli.screens import amount
from candide.sources.base import Reading


@click.command(short_help="Add models up.")
@click.argument("model_files", metavar="MODEL...", nargs=-1, required=True)
@click.option("--output", "-o", metavar="OUT", required=True, help="The model file to write; '-' is standard output.")
def merge(model_files: tuple[str, ...], output: str) -> None:
    """Add models up: OUT is the model of all their rows, as if one model had seen them together.

    The rules (smoothing, combination ...) are those of the first model.

    \b
    candide merge north.json south.json -o all.json
    """  # noqa: D301
    from candide.cli.models import announce, check_inputs, check_output, load_whole, save_model

    check_inputs(*model_files)
    check_output(output, *model_files)
    total: Any = None
    for path in model_files:
        model = load_whole(path, output)
        try:
            total = model if total is None else total + model
        except (ValueError, TypeError) as error:
            raise BadInput(f"{path} does not add to {model_files[0]}: {error}") from None
    save_model(total, output)
    n, rows = len(model_files), float(total.class_counts_.sum())
    announce(f"merged {n} model{'s' * (n != 1)} of {amount(rows)} row{'s' * (rows != 1)}: {output}", output)


def learning_options(command: Command) -> Command:
    """Add the options of commands that change what a model has learnt."""
    for option in (
        click.option("--output", "-o", metavar="OUT", help="The model file to write; by default MODEL itself."),
        weight_option,
        click.option("--target", "-t", metavar="COL", help="The column of the labels, if not called as it was in fit."),
    ):
        command = option(command)
    return command


@click.command(short_help="Teach a model more rows.")
@model_argument
@tables_argument
@learning_options
@reading_options
def update(model_file: str, tables: tuple[str, ...], **given: Any) -> None:
    """Teach MODEL the rows of TABLEs as well. New classes and levels may appear.

    The result is the model that would have been learnt from all rows together.

    \b
    candide update desk.json monday.csv
    """  # noqa: D301
    change(model_file, tables, "partial_fit", "learnt", **given)


@click.command(short_help="Let a model forget rows.")
@model_argument
@tables_argument
@learning_options
@reading_options
def forget(model_file: str, tables: tuple[str, ...], **given: Any) -> None:
    """Let MODEL forget the rows of TABLEs, which it has learnt before, exactly.

    \b
    candide forget desk.json withdrawn.csv
    """  # noqa: D301
    change(model_file, tables, "forget", "forgot", **given)


def change(
    model_file: str,
    tables: tuple[str, ...],
    method: str,
    did: str,
    target: str | None,
    weight: str | None,
    output: str | None,
    reading: Reading,
) -> None:
    """Let a model learn or forget tables, batch by batch; the file changes only when all went well."""
    from candide.cli.models import announce, check_inputs, check_output, held, load_whole, save_model
    from candide.cli.tables import open_tables
    from candide.progress import working

    out = output or model_file
    check_inputs(model_file, *tables)
    check_output(out, tables=tables)
    with held(model_file, out) as check:
        model = load_whole(model_file, out)
        name = target_of(model, model_file, target)
        source = open_tables(tables, replace(reading, target=name, weight=weight))
        with working(f"reading {source.name}") as source.done:
            getattr(model, method)(source, name, sample_weight=weight)
        check()
        save_model(model, out)
    rows = f"{source.rows} row{'s' * (source.rows != 1)}"
    announce(f"{did} {rows}, the model now stands on {amount(float(model.class_counts_.sum()))}: {out}", out)


def target_of(model: Any, model_file: str, given: str | None) -> str:
    """Return the name of the column of the labels: the one that is given, or that the model was taught to tell."""
    from candide.cli.models import learnt_schema

    schema = learnt_schema(model)
    name: str | None = given or schema.target
    if name is None:
        raise BadInput(f"{model_file} does not say what its target column is called: give --target")
    if name in schema.given_names:
        raise BadInput(f"--target: {name!r} is a column that {model_file} reads, and not the one that it tells")
    return name

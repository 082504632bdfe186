"""candide report: what there is to see of a model, on one page."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial

import click

from candide.cli.commands.algebra import target_of
from candide.cli.failures import BadInput
from candide.cli.options import model_argument, reading_options
from candide.sources.base import Reading

DEFAULT_OUTPUT = "report.html"


@click.command(short_help="Make a page of a model: what it learnt, how far to trust it.")
@model_argument
@click.argument("table", metavar="[TABLE]", required=False)
@click.option("--against", metavar="OLDER", help="An older model of the same columns, to show what has moved since.")
@click.option("--class", "label", metavar="LABEL", help="The class asked about; by default the rarer one of two.")
@click.option("--target", "-t", metavar="COL", help="The column of the labels; by default as the model was taught.")
@click.option("--weight", metavar="COL", help="A column of row weights.")
@click.option("--learnt", is_flag=True, help="The model has learnt the rows of TABLE; by default it is found out.")
@click.option("--new", is_flag=True, help="The model has not learnt any of them.")
@click.option("--title", metavar="TEXT", default="", help="The page's title.")
@click.option("--columns", metavar="N", type=click.IntRange(min=1), default=200, show_default=True,
              help="How many columns the page carries, those of most evidence.")  # fmt: skip
@click.option("--min-count", metavar="N", type=click.IntRange(min=0),
              help="Levels of fewer rows are not named; by default 5 in columns of more than 12 levels.")  # fmt: skip
@click.option("--output", "-o", metavar="OUT", default=DEFAULT_OUTPUT, show_default=True,
              help="The page, or the facts in it as JSON where OUT ends in .json; '-' is standard output.")  # fmt: skip
@reading_options
def report(
    model_file: str,
    table: str | None,
    against: str | None,
    label: str | None,
    target: str | None,
    weight: str | None,
    learnt: bool,
    new: bool,
    title: str,
    columns: int,
    min_count: int | None,
    output: str,
    reading: Reading,
) -> None:
    """Make a page of MODEL: what it learnt, to ask and to read; with TABLE, how far to trust it.

    The page is one file that needs no network. The rows of TABLE may be those that the model has learnt, each of which
    is then scored by a model without it (in folds, where weights were settled on them), or new ones; of very many a
    sample is scored, and the page says so. The page holds counts and curves, no rows.

    \b
    candide report desk.json requests.csv -o desk.html
    candide report desk.json requests.csv --against last-year.json
    candide report desk.json -o facts.json
    """  # noqa: D301
    from candide.cli.models import announce, check_inputs, check_output, load_whole
    from candide.cli.screens import note
    from candide.cli.tables import open_tables
    from candide.progress import working
    from candide.report import Report, facts

    if learnt and new:
        raise BadInput("--learnt and --new: the rows are either learnt or new; by default it is found out")
    models, tables = [path for path in (model_file, against) if path is not None], [] if table is None else [table]
    check_inputs(*models, *tables)
    check_output(output, *models, tables=tables)
    model = load_whole(model_file, output)
    older = None if against is None else load_whole(against, output)
    tell = partial(
        facts,
        model,
        older=older,
        learnt=learnt if learnt or new else None,
        label=label,
        title=title,
        min_count=min_count,
    )
    if table is None:
        told = tell()
    else:
        name = target_of(model, model_file, target)
        source = open_tables(tables, replace(reading, target=name, weight=weight))
        with working(f"reading {source.name}") as source.done:
            told = tell(table=(source, name, weight))
    made = Report(told, columns)
    if output == "-":
        sys.stdout.write(made.html)
    else:
        made.save(output)
        announce(f"report of {model_file}: {output}", output)
    if told.get("performance", {}).get("how") == "unclear":
        note(
            "the rows may be part of what the model has learnt: each is scored by a model without it; --new scores "
            "them as new"
        )

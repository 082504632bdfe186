"""candide predict: a label for every row, in batches, in order."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.literals import cost_rule, option_files
from candide.cli.options import model_argument, reading_options, tables_argument
from candide.schema.same_level import NearLevels
from candide.schema.silent import SilentCells
from candide.sources.base import Reading
from candide.sources.formats import written_formats

PREVIEW_ROWS = 20


@click.command(short_help="Predict the class of every row of tables.")
@model_argument
@tables_argument
@click.option("--proba", is_flag=True, help="Also write the probability of every class, as columns P(class).")
@click.option("--risk", is_flag=True, help="Also write what each decision costs on average, as columns R(class).")
@click.option(
    "--costs",
    metavar="COSTS",
    help="What a decision costs, DECIDED:TRUE=COST,... or @costs.json, in the place of what MODEL was made with.",
)
@click.option("--keep", is_flag=True, help="Keep TABLE's own columns before the prediction.")
@click.option(
    "--output", "-o", metavar="OUT", help="The table to write; its ending tells the format. '-' is standard output."
)
@click.option("--to", type=click.Choice(written_formats()), help="OUT's format; CSV on standard output by default.")
@click.option(
    "--safe-csv",
    "safe",
    is_flag=True,
    help="Put an apostrophe before text in OUT that a spreadsheet would compute, such as =1+1; it is no longer the "
    "same text.",
)
@click.option(
    "--batch",
    "most",
    metavar="N",
    type=click.IntRange(min=1),
    help="Answer so many rows of standard input at a time at the most; by default all that have arrived.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Refuse levels that were never learnt, missing columns, and columns of which many more cells are missing than "
    "in the rows that were learnt.",
)
@click.option("--lines", is_flag=True, help="TABLE is plain text, a document a line; each is answered as it comes.")
@reading_options
def predict(
    model_file: str,
    tables: tuple[str, ...],
    proba: bool,
    risk: bool,
    costs: str | None,
    keep: bool,
    output: str | None,
    to: str | None,
    safe: bool,
    most: int | None,
    strict: bool,
    lines: bool,
    reading: Reading,
) -> None:
    """Predict the class of every row of TABLEs by MODEL.

    Columns are found by name and read as the model was taught; others (ids, the target) are left aside, and those that
    are not there are missing cells, which is said. Rows keep their order. Tables are read and written in batches, so
    they may be larger than memory; lines of standard input are answered as they come.

    \b
    candide predict desk.json new.csv > routed.csv
    candide predict desk.json new.parquet --proba --keep -o routed.parquet
    echo '{"wheels": 2, "energy": "petrol"}' | candide predict desk.json -
    tail -f mails.txt | candide predict desk.json - --lines
    """  # noqa: D301
    from candide.cli import screens
    from candide.cli.lines import answer_lines, check_options, telling_of_lines
    from candide.cli.models import (
        announce,
        check_inputs,
        check_output,
        ignored_columns,
        learnt_schema,
        load_model,
        load_whole,
        usual_missing,
    )
    from candide.cli.screens import note
    from candide.cli.tables import open_arriving, open_tables
    from candide.progress import working
    from candide.sources.writing import open_writer, output_format

    if lines:
        check_options(reading, output=output, to=to, keep=keep, safe_csv=safe, batch=most, strict=strict)
    kind = output_format(output, to)
    check_inputs(model_file, *tables)
    check_output(output, model_file, *option_files(costs), tables=tables)
    model = (load_whole if costs is not None or strict else load_model)(model_file, output)
    if costs is not None:
        model.set_params(costs=cost_rule(costs, model.classes_))
    wanted = [name for name, asked in (("P", proba), ("R", risk)) if asked]
    if lines:
        answer_lines(model, tables, wanted, reading)
        return
    if strict:
        model.unseen = "error"
    reading = replace(reading, may_lack=not strict)
    arrives = tables == ("-",)
    source = open_arriving(reading, most) if arrives else open_tables(tables, reading)
    if not arrives:  # levels in another case are told in the end, with their cells; whoever waits is told at once
        warnings.simplefilter("ignore", NearLevels)
    silent = SilentCells(learnt_schema(model), usual_missing(model), ignored_columns(model))
    with working(f"predicting {source.name}") as source.done, strictly(strict), telling_of_lines(model):
        batches = predictions(model, source, wanted, keep, kind not in ("csv", "tsv"), silent)
        if output is None and to is None and screens.terminal():
            preview(batches)
            refuse_many(silent, strict)
        else:
            with open_writer(output or "-", kind, safe) as writer:
                rows = write(batches, writer, lambda: no_rows(model, source, wanted, keep), arrives)
                refuse_many(silent, strict)  # before the file is put in its place
    for line in [*silent.lines(), *([] if arrives else silent.near_lines())]:
        note(line)
    if output not in (None, "-"):
        announce(f"predicted {rows} rows: {output}", str(output))


@contextmanager
def strictly(strict: bool) -> Iterator[None]:
    """Say by which word of the command a level was refused."""
    from candide.schema.rows import UnseenLevelError

    try:
        yield
    except UnseenLevelError as error:
        if not strict:
            raise
        raise BadInput(f"--strict: {error.told}") from None


def refuse_many(silent: SilentCells, strict: bool) -> None:
    """Refuse tables of which many cells say nothing, where that was asked for."""
    lines = silent.lines() if strict else []
    if lines:
        raise BadInput(f"--strict: {lines[0]}" + (f", and {len(lines) - 1} more" if len(lines) > 1 else ""))


def write(batches: Iterator[dict[str, Any]], writer: Any, empty: Any, at_once: bool = False) -> int:
    """Write predictions, each batch at once where somebody waits; without any, the names of their columns."""
    from candide.estimator.answers import PREDICTION

    rows = 0
    for columns in batches:
        writer.write(columns)
        if at_once:
            writer.flush()
        rows += len(columns[PREDICTION])
    if not rows:
        writer.write(empty())
    return rows


def predictions(
    model: Any, source: Any, wanted: Sequence[str], keep: bool, typed: bool, silent: SilentCells
) -> Iterator[dict[str, Any]]:
    """Yield the columns to write for each batch of rows; one is predicted while the next is read.

    The rows before one that cannot be read are answered.

    Parameters
    ----------
    model : NaiveBayes
    source : Files
    wanted : sequence of "P" and "R"
        Also the probabilities; also the risks.
    keep : bool
        The table's own columns as well.
    typed : bool
        What is kept goes to a format that has types: the model's columns are kept as the model reads them.
    silent : SilentCells
        Counts the cells that say nothing.
    """
    from candide.cli.bad_rows import until_bad
    from candide.cli.models import learnt_schema
    from candide.estimator.answers import answers
    from candide.overlap import overlapped
    from candide.sources.batch import Batch
    from candide.sources.typing import has_names, make_array, make_table

    known = learnt_schema(model)
    if not (keep and typed):  # what is kept as the model reads it has the type of its column
        known = known.without_types(silent.ignored)

    def predicted(batch: Batch) -> dict[str, Any]:
        columns = source.typed(batch, known, known.used_names)
        table = make_table(columns, batch.stored) if has_names(known) else make_array(columns)
        found = answers(model, table, wanted)
        silent.see(table, batch.columns if has_names(known) else None, batch.loose)
        kept = batch.echoed if keep else {}
        if keep and typed:
            kept |= {name: cells for name, cells in columns.items() if name in kept}
        taken = next((name for name in found if name in kept), None)
        if taken is not None:
            raise BadInput(f"{source.name} has a column {taken!r} already: rename it, or leave out --keep")
        return kept | found

    each: Any = overlapped if source.repeatable else map  # what comes through a pipe is answered as it comes
    batches = source.raw_for(known, known.used_names, every=keep)
    for answered, wrong in each(lambda batch: until_bad(predicted, batch, source.place), batches):
        yield from answered
        if wrong is not None:
            raise wrong


def no_rows(model: Any, source: Any, wanted: Sequence[str], keep: bool) -> dict[str, Any]:
    """Return the columns of a prediction of no rows."""
    from candide.estimator.answers import answers

    names = source.read_names or () if keep else ()
    return {name: [] for name in names} | answers(model, None, wanted)


def preview(batches: Iterator[dict[str, Any]]) -> None:
    """Show the first rows on a terminal."""
    from candide.cli.screens import say, show_table
    from candide.estimator.answers import PREDICTION
    from candide.sources.writing import listed

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

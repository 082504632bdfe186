"""candide questions: what to ask next about a row that is partly known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.options import model_argument
from candide.messages import shortened, unknown


@click.command(short_help="Tell what to ask next about a row.")
@model_argument
@click.argument("cells", metavar="[COLUMN=CELL]...", nargs=-1)
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many questions to show, those that settle most.",
)
def questions(model_file: str, cells: tuple[str, ...], top: int) -> None:
    """Tell what asking for each unknown column is worth, given what is known of a row.

    A question settles the share of doubt that its answer is expected to take away, and turns the answer in as many
    cases as it is expected to change the decision.

    \b
    candide questions desk.json energy=petrol wheels=4
    """  # noqa: D301
    from candide.cli.models import learnt_schema, load_whole
    from candide.cli.screens import note, say, show_table
    from candide.report.numbers import nats
    from candide.shares import chance, share

    model = load_whole(model_file)
    schema = learnt_schema(model)
    row = row_of(cells, schema)
    found = model.questions(row)
    for line in never_seen(row, schema):
        note(line)
    of_decision = float(found.posterior[model.classes_.tolist().index(found.decision)])
    left = "what to ask, by how much of the doubt it would settle" if found.questions else "nothing is left to ask"
    say(f"{found.decision}, {chance(of_decision)}: {left}", bold=True)
    lines = [
        [str(q.column), share(q.share), chance(q.turns) if q.turns else "cannot", nats(q.information)] for q in found
    ]
    if lines:
        show_table("", ["ask for", "settles", "turns the answer", "nats"], lines[:top])
    if len(lines) > top:
        say(f"{len(lines) - top} more settle less; --top shows them")


def row_of(cells: Sequence[str], schema: Any) -> dict[str, Any]:
    """Return "COLUMN=CELL" words as a row of the columns that were given, each cell in the type of its column."""
    from candide.sources.spelling import as_numbers

    names = [str(name) for name in schema.given_names]
    columns = {str(column.name): column for column in schema.columns if column.name not in schema.reading}
    row: dict[str, Any] = {}
    for word in cells:
        name = next((name for name in names if word.startswith(f"{name}=")), word.partition("=")[0])
        if "=" not in word or name not in names:
            raise BadInput(unknown("column", name, names) if "=" in word else f"{word!r}: write COLUMN=CELL")
        if name in row:
            raise BadInput(f"column {name!r} is given twice: a row has one cell of it")
        column, text = columns.get(name), word[len(name) + 1 :]
        if column is None:  # a date, an amount or the like, which the model reads itself
            row[name] = text
        elif column.kind == "numbers":
            try:
                row[name] = float(as_numbers([text], f"column {name!r}", 0)[0])
            except ValueError:  # which advises what is said of whole tables
                raise BadInput(f"column {name!r} takes a number, not the text {shortened(text)}") from None
        else:
            levels = {} if column.levels is None else {str(level): level for level in column.levels.tolist()}
            row[name] = levels.get(text, text)
    return row


def never_seen(row: dict[str, Any], schema: Any) -> Iterator[str]:
    """Say which cells of a row are levels that were never learnt, and what there is."""
    from candide.schema.silent import SilentCells, known_levels

    silent = SilentCells(schema)
    silent.see([{**dict.fromkeys(schema.used_names), **row}])
    for j, levels in silent.levels.items():
        for level in levels:
            told = unknown("level", level, sorted(known_levels(schema.columns[j]), key=str))
            yield f"column {schema.columns[j].name!r}: {told}; it says nothing"

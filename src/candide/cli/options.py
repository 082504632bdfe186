"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from candide.sources.base import Reading
from candide.sources.formats import FORMATS

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

SPELT_SEPARATORS = {"tab": "\t", "\\t": "\t"}
"""What is hard to type in a shell."""

table_argument: Decorator = click.argument("table", metavar="TABLE")
tables_argument: Decorator = click.argument("tables", metavar="TABLE...", nargs=-1, required=True)
model_argument: Decorator = click.argument("model_file", metavar="MODEL")
target_option: Decorator = click.option(
    "--target", "-t", metavar="COL", required=True, help="The column of the labels."
)
weight_option: Decorator = click.option("--weight", metavar="COL", help="A column of row weights; it is no attribute.")
exclude_option: Decorator = click.option(
    "--exclude", "-x", metavar="COL", multiple=True, help="A column to leave out, such as an id. May be repeated."
)


def keeping_options(command: Command) -> Command:
    """Add the options that say which columns are taken as they are written."""
    for option in (
        click.option("--as-written", is_flag=True, help="Take every column as it is written: look for no numbers in "
                     "disguise, dates, identifiers or free text."),
        click.option("--keep", metavar="COL", multiple=True, help="A column to take as it is written, such as one that "
                     "is left out as identifiers. May be repeated."),
    ):  # fmt: skip
        command = option(command)
    return command


def reading_options(command: Command) -> Command:
    """Add the options that say how a table is read; the command gets them as one `reading`."""
    options = [
        click.option("--missing", "missing_spellings", metavar="TEXT", multiple=True,
                     help="Cells that are missing besides the empty ones, such as NA or '?'. "
                     "May be repeated."),
        click.option("--na", multiple=True, hidden=True),
        click.option("--decimal", type=click.Choice([".", ","]), default=".", show_default=True,
                     help="The decimal point of numbers."),
        click.option("--dates", type=click.Choice(["dmy", "mdy"]), help="What dates such as 03/04/2024 are: day or "
                     "month first; by default other cells and columns tell, or the day comes first."),
        click.option("--separator", metavar="CHAR", help="What stands between the cells of a CSV, such as ';' or tab; "
                     "by default the first line tells."),
        click.option("--encoding", metavar="NAME", help="How the characters of TABLE are written, such as latin-1; by "
                     "default UTF-8, or UTF-16 by its mark."),
        click.option("--replace-invalid", is_flag=True, help="Read bytes that are no character as U+FFFD; by default "
                     "they are refused, and their place is told."),
        click.option("--comment", metavar="CHAR", help="Lines that begin with this are no rows; those of # before the "
                     "first line are told without it."),
        click.option("--sheet", metavar="NAME", help="The sheet of a workbook; by default the first that has rows."),
        click.option("--format", "format_", type=click.Choice(list(FORMATS)),
                     help="TABLE's format; by default its ending or its first bytes tell."),
    ]  # fmt: skip

    @wraps(command)
    def reading(
        missing_spellings: tuple[str, ...], na: tuple[str, ...], decimal: str, dates: str | None,
        separator: str | None, format_: Any, encoding: str | None, replace_invalid: bool, comment: str | None,
        sheet: str | None, **given: Any,
    ) -> Any:  # fmt: skip
        between = SPELT_SEPARATORS.get(separator or "", separator)
        missing = (*missing_spellings, *na)
        told = Reading(
            missing, decimal, between, format=format_, encoding=encoding, comment=comment,
            replace_invalid=replace_invalid, sheet=sheet, dates=dates,
        )  # fmt: skip
        return command(reading=told, **given)

    decorated: Command = reading
    for option in reversed(options):
        decorated = option(decorated)
    return decorated

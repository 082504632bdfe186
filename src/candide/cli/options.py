"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from candide.cli.formats import FORMATS

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

table_argument: Decorator = click.argument("table", metavar="TABLE")
model_argument: Decorator = click.argument("model_file", metavar="MODEL")
target_option: Decorator = click.option(
    "--target", "-t", metavar="COL", required=True, help="The column of the labels."
)
exclude_option: Decorator = click.option(
    "--exclude", "-x", metavar="COL", multiple=True, help="A column to leave out, such as an id. May be repeated."
)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how a table is read."""
    command = click.option(
        "--na", metavar="TEXT", multiple=True,
        help="Cells of a CSV or TSV that are missing besides the empty ones, such as NA or '?'. May be repeated.",
    )(command)  # fmt: skip
    return click.option(
        "--format", "format_", type=click.Choice(FORMATS),
        help="TABLE's format; by default its ending or its first bytes tell.",
    )(command)  # fmt: skip

"""Screens: rich tables on a terminal, plain columns of text in a pipe.

Names, levels and labels come from files: all text goes through `visible`, which lets nothing through that a terminal
would obey.
"""

from __future__ import annotations

import math
import numbers
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import click

from candide.cli.layout import BETWEEN, EDGE, WORD, at_joints, longest_word, shared, side_by_side
from candide.messages import visible

Row = Sequence[Any]


def terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


def console() -> Any:
    """Return rich's console on standard output."""
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False)


def cell(value: Any, digits: int = 4) -> str:
    """Return a cell for showing: numbers to a few digits, nothing for what is missing.

    Examples
    --------
    >>> cell(0.123456), cell(12345.67), cell(4.0), cell(None), cell(-math.inf)
    ('0.1235', '12346', '4', '', '-inf')
    """
    if value is None:
        return ""
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral):
        value = float(value)
        whole = 10.0**digits <= abs(value) < 1e15 or value.is_integer()
        return f"{value:.0f}" if whole and math.isfinite(value) else f"{value:.{digits}g}"
    return str(value)


def amount(n: float) -> str:
    """Return a weight of rows as a person writes it.

    Examples
    --------
    >>> amount(1500.0), amount(2.5)
    ('1500', '2.5')
    """
    return f"{n:.0f}" if n == round(n) else f"{n:.6g}"


def is_number(text: str) -> bool:
    """Whether a shown cell is a number, to be aligned at the right."""
    try:
        float(text.rstrip("% ").lstrip("×÷<>+ ").replace("−", "-").replace(",", "") or "0")
    except ValueError:
        return text in ("", "–")
    return True


def show_table(title: str, heads: Sequence[str], rows: Iterable[Row], foot: int = 0) -> None:
    """Print a table.

    Parameters
    ----------
    title : str
        "" for none.
    heads : sequence of str
    rows : iterable of rows
        Cells are shown by `cell`.
    foot : int
        How many of the last rows are set apart as results.
    """
    title, heads = visible(title), [visible(head) for head in heads]
    texts = [[visible(value if isinstance(value, str) else cell(value)) for value in row] for row in rows]
    right = [bool(texts) and all(is_number(row[j]) for row in texts) for j in range(len(heads))]
    if terminal():
        _rich(title, heads, texts, right, foot)
    else:
        _plain(title, heads, texts, right)


def _rich(title: str, heads: Sequence[str], texts: list[list[str]], right: list[bool], foot: int) -> None:
    """Print a table on a terminal, in as many parts as it is too wide for, each with the first column."""
    from rich import box
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    screen = console()
    if title:
        screen.print(Text(title, style="bold"))
    columns = [[head, *(row[j] for row in texts)] for j, head in enumerate(heads)]
    narrowest = [min(longest_word(cells), WORD) for cells in columns]
    for part in side_by_side(narrowest, screen.width - EDGE):
        table = Table(box=box.SIMPLE_HEAD)
        widest = [max(map(cell_len, columns[j])) for j in part]
        widths = shared(widest, [narrowest[j] for j in part], screen.width - EDGE - BETWEEN * len(part))
        for j, width in zip(part, widths, strict=True):
            head = Text(at_joints(heads[j], width))
            table.add_column(head, justify="right" if right[j] else "left", overflow="fold", width=width)
        for n, row in enumerate(texts):
            if foot and n == len(texts) - foot:
                table.add_section()
            # Text keeps brackets such as "(2, 3]" from being read as markup
            cells = (Text(at_joints(row[j], width)) for j, width in zip(part, widths, strict=True))
            table.add_row(*cells, style="bold" if n >= len(texts) - foot else None)
        screen.print(table)


def _plain(title: str, heads: Sequence[str], texts: list[list[str]], right: list[bool]) -> None:
    lines = [list(heads), *texts]
    widths = [max(len(line[j]) for line in lines) for j in range(len(heads))]
    if title:
        click.echo(title)
    for line in lines:
        cells = [t.rjust(w) if end else t.ljust(w) for t, w, end in zip(line, widths, right, strict=True)]
        click.echo("  ".join(cells).rstrip())
    click.echo()


def heading(text: str) -> None:
    """Print the heading of a screen."""
    text = visible(text)
    if terminal():
        from rich.rule import Rule
        from rich.text import Text

        console().print(Rule(Text(text, style="bold"), align="left"))
    else:
        click.echo(f"{text}\n{'=' * len(text)}")


def say(text: str = "", bold: bool = False) -> None:
    """Print a line of text, filled to the terminal's width."""
    text = visible(text)
    if terminal():
        from rich.text import Text

        console().print(Text(text, style="bold" if bold else ""))
    else:
        click.echo(text)


def note(text: str) -> None:
    """Tell something on standard error, beside the results."""
    click.echo(filled(f"note: {text}", sys.stderr), err=True)


def filled(text: str, stream: Any) -> str:
    """Return text as it may be shown, on a terminal broken between words, in the lines that the terminal has."""
    text = visible(text)
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False) for line in text.split("\n")
    )

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

from candide.messages import visible

Row = Sequence[Any]

WORD = 36
"""Characters of a word, such as a name or a level, beyond which it may be broken."""

BETWEEN, EDGE = 3, 1
"""Characters that the table on a terminal puts beside each column, and around all of them."""


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


def p_value(p: float) -> str:
    """Return a p-value to the digits that mean something.

    Examples
    --------
    >>> p_value(0.03456), p_value(1e-9)
    ('0.035', '< 0.001')
    """
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def per_cent(p: float) -> str:
    """Return a probability as a share of hundred, which is neither all nor nothing unless it is.

    Examples
    --------
    >>> per_cent(0.7871), per_cent(0.99999), per_cent(1e-9), per_cent(1.0)
    ('78.7 %', '> 99.9 %', '< 0.1 %', '100.0 %')
    """
    if 0 < p < 0.001:
        return "< 0.1 %"
    return "> 99.9 %" if 0.999 < p < 1 else f"{100 * p:.1f} %"


def is_number(text: str) -> bool:
    """Whether a shown cell is a number, to be aligned at the right."""
    try:
        float(text.rstrip("% ").lstrip("×÷<>+ ").replace("−", "-").replace(",", "") or "0")
    except ValueError:
        return text == ""
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
            table.add_column(Text(heads[j]), justify="right" if right[j] else "left", overflow="fold", width=width)
        for n, row in enumerate(texts):
            if foot and n == len(texts) - foot:
                table.add_section()
            # Text keeps brackets such as "(2, 3]" from being read as markup
            table.add_row(*(Text(row[j]) for j in part), style="bold" if n >= len(texts) - foot else None)
        screen.print(table)


def longest_word(texts: Iterable[str]) -> int:
    """Return the width below which some text would be broken within a word; a number goes with its unit.

    Examples
    --------
    >>> longest_word(["balanced accuracy", "0.5"]), longest_word(["61.67 ± 1.76"])
    (8, 12)
    """
    from rich.cells import cell_len

    words = (word for text in texts for word in ([text] if _measured(text) else text.split()))
    return max(map(cell_len, words), default=0)


def _measured(text: str) -> bool:
    """Whether a text is a number with what belongs to it."""
    return text[:1].isdigit() and len(text) <= WORD and not any(map(str.isalpha, text))


def side_by_side(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return which columns stand side by side in each part of a table, the first of them in every part.

    Examples
    --------
    >>> side_by_side([10, 20, 30, 5], 80), side_by_side([10, 20, 30, 5], 55)
    ([[0, 1, 2, 3]], [[0, 1], [0, 2, 3]])
    """
    parts: list[list[int]] = [[0]]
    for j in range(1, len(widths)):
        if len(parts[-1]) > 1 and sum(widths[k] + BETWEEN for k in [*parts[-1], j]) > room:
            parts.append([0])
        parts[-1].append(j)
    return parts


def shared(widest: Sequence[int], narrowest: Sequence[int], room: int) -> list[int]:
    """Return the widths of columns that share some room: as wide as their cells, or the widest of them less.

    Examples
    --------
    >>> shared([10, 40, 12], [10, 6, 6], 80), shared([10, 40, 12], [10, 6, 6], 30)
    ([10, 40, 12], [10, 10, 10])
    """
    widths = list(widest)
    while sum(widths) > room:  # ends: the sum falls by one each time
        slack = [w if w > least else 0 for w, least in zip(widths, narrowest, strict=True)]
        if not any(slack):
            break
        widths[slack.index(max(slack))] -= 1
    return widths


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

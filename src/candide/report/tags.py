"""Tags that survive: tables with coloured spans, no style sheet, no script, no colour of text or ground.

An untrusted notebook keeps tables, `details` and style attributes with plain values, and drops the rest; so every
number is text, and reads even where all styling is stripped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from candide.report.escaping import as_html

BLUE, ORANGE, GREY = "#3d87c9", "#d9722e", "#8a94a3"
"""The class asked about, its rival, the rest: 3 : 1 and more on white and on near-black."""


class Raw(str):
    """HTML that is put in as it is."""

    __slots__ = ()


def text(value: Any) -> str:
    """Return a value as HTML."""
    return value if isinstance(value, Raw) else as_html(str(value))


def bar(width: float, colour: str, before: float = 0.0) -> Raw:
    """Return a bar of some pixels, and how far it stands from the left."""
    gap = f'<span style="display:inline-block;width:{max(before, 0):.0f}px"></span>' if before >= 0.5 else ""
    style = f"display:inline-block;width:{max(width, 1):.0f}px;height:10px;background-color:{colour}"
    return Raw(f'{gap}<span style="{style}"></span>')


def together(*parts: Any) -> Raw:
    """Return texts and tags one behind the other."""
    return Raw(" ".join(text(part) for part in parts))


def table(heads: Sequence[Any], rows: Sequence[Sequence[Any]], left: Sequence[int] = (0,)) -> str:
    """Return a table; the columns at the positions `left` begin at the left, the others end at the right."""
    sides = ["left" if i in left else "right" for i in range(len(heads))]
    head = "".join(f'<th style="text-align:{side}">{text(h)}</th>' for h, side in zip(heads, sides, strict=True))
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:{side}">{text(cell)}</td>'
                         for cell, side in zip(row, sides, strict=True)) + "</tr>"
        for row in rows
    )  # fmt: skip
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def paragraph(*parts: Any) -> str:
    """Return a line of text."""
    return f"<div>{together(*parts)}</div>"


def bold(value: Any) -> Raw:
    """Return a value in bold."""
    return Raw(f"<b>{text(value)}</b>")


def folded(title: str, body: str) -> str:
    """Return something that opens when it is asked for."""
    return f"<details><summary>{as_html(title)}</summary>{body}</details>"

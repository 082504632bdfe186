"""Reports: a plain dict of blocks, rendered to Markdown and to HTML from that one source."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Sequence
from typing import Any

from candide.report.escaping import as_html

Block = dict[str, Any]
STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 64rem; margin: 2rem auto;
  padding: 0 1rem; }
h2 { margin-top: 2.2rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.8rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.5rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: bottom; }
td { white-space: nowrap; vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
thead th { border-bottom: 2px solid #888; }
table.prose th, table.prose td { text-align: left; white-space: normal; }
table.wide td { white-space: normal; }
table.prose td:first-child { font-weight: 600; }
figure { margin: 1rem 0; break-inside: avoid; }
img { width: 100%; height: auto; }
figcaption { color: #555; font-size: 0.85rem; }
footer { margin-top: 2.5rem; border-top: 1px solid #ddd; padding-top: 0.6rem; color: #555; font-size: 0.8rem; }
@page { size: A4; margin: 14mm; }
@media print {
  body { margin: 0; padding: 0; max-width: none; font-size: 10pt; }
  table { font-size: 7.5pt; }
  th, td { padding: 0.1rem 0.3rem; }
  tr, h2 { break-inside: avoid; }
  h2 { break-after: avoid; }
}
"""


def heading(text: str) -> Block:
    """A section's heading."""
    return {"kind": "heading", "text": text}


def paragraph(text: str) -> Block:
    """A paragraph of plain words."""
    return {"kind": "paragraph", "text": text}


def bullets(items: Sequence[str]) -> Block:
    """A list of plain sentences."""
    return {"kind": "bullets", "items": list(items)}


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, prose: bool = False) -> Block:
    """A table of strings; the first column names the rows, and the others hold numbers, or prose."""
    return {"kind": "table", "columns": list(columns), "rows": [list(row) for row in rows], "prose": prose}


def figure(caption: str, svg: bytes) -> Block:
    """A picture with its caption."""
    return {"kind": "figure", "caption": caption, "uri": _data_uri(svg)}


def footer(items: Sequence[str]) -> Block:
    """What a reader needs to cite the report and to run it again."""
    return {"kind": "footer", "items": list(items)}


def percent(share: float, digits: int = 2) -> str:
    """0.7078 as 70.78."""
    return "–" if math.isnan(share) else f"{100 * share:.{digits}f}"


def number(value: float, digits: int = 1) -> str:
    """A number with this many decimals; infinity as its sign."""
    if math.isnan(value):
        return "–"
    return ("∞" if value > 0 else "−∞") if math.isinf(value) else f"{value:.{digits}f}"


MARKUP = re.compile(
    r"[\\`*\[\]<|~$]"  # code, emphasis, links, HTML, cells of tables, strikes, formulas
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis; not within a word, such as log_score
    r"|&(?=#?\w+;)"  # entities
    r"|^(?:>|[-+](?=[-+\s]|$)|=(?==*$)|#(?=#{0,5}(?:\s|$))|\d{1,9}(?=[.)](?:\s|$)))"  # blocks: lists, headings, rules
    r"|(?<=\s)#+(?=\s*$)"  # a heading's closing
)
"""What Markdown would not take literally; a backslash before it makes it so."""


def literal(text: str) -> str:
    r"""Return a text as Markdown that shows it as it is, in one line.

    Examples
    --------
    >>> literal("a*b* | log_score of <x>")
    'a\\*b\\* \\| log_score of \\<x>'
    """
    return MARKUP.sub(_escaped, " ".join(text.split()))


def _escaped(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


WIDEST = 130
"""Characters of a row of numbers, with four for each gap between columns, up to which no cell need be broken."""


def is_wide(block: Block) -> bool:
    """Whether a table is too wide for a page unless its cells are broken at spaces."""
    return sum(max(map(len, cells), default=0) + 4 for cells in zip(*block["rows"], strict=True)) > WIDEST


def to_markdown(report: dict[str, Any]) -> str:
    """Render a report {"title", "blocks"} as Markdown; pictures stand at the end as data URIs."""
    lines = [f"# {literal(report['title'])}", ""]
    pictures: list[str] = []
    for block in report["blocks"]:
        if block["kind"] == "figure":
            pictures.append(f"[figure-{len(pictures) + 1}]: {block['uri']}")
            caption = literal(block["caption"])
            lines += [f"![{caption}][figure-{len(pictures)}]", "", f"*{caption}*", ""]
        else:
            lines += [*_markdown_lines(block), ""]
    return "\n".join([*lines, *pictures]).rstrip() + "\n"


def to_html(report: dict[str, Any]) -> str:
    """Render a report {"title", "blocks"} as one HTML page that needs no other file."""
    title = as_html(report["title"])
    body = "\n".join(_html(block) for block in report["blocks"])
    head = f'<meta charset="utf-8">\n<title>{title}</title>\n<style>{STYLE}</style>'
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n</head>\n'
        f"<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )


def _markdown_lines(block: Block) -> list[str]:
    if block["kind"] == "heading":
        return [f"## {literal(block['text'])}"]
    if block["kind"] in ("bullets", "footer"):
        return [f"- {literal(item)}" for item in block["items"]]
    if block["kind"] == "paragraph":
        return [literal(block["text"])]
    cells = [[literal(cell) for cell in row] for row in (block["columns"], *block["rows"])]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    left = [i == 0 or block["prose"] for i in range(len(widths))]
    rule = ["-" * w if left[i] else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    padded = [
        [cell.ljust(w) if left[i] else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))]
        for row in cells
    ]
    return ["| " + " | ".join(row) + " |" for row in (padded[0], rule, *padded[1:])]


def _html(block: Block) -> str:
    kind = block["kind"]
    if kind == "heading":
        return f"<h2>{as_html(block['text'])}</h2>"
    if kind == "paragraph":
        return f"<p>{as_html(block['text'])}</p>"
    if kind == "bullets":
        return "<ul>" + "".join(f"<li>{as_html(item)}</li>" for item in block["items"]) + "</ul>"
    if kind == "footer":
        return "<footer>" + "<br>\n".join(as_html(item) for item in block["items"]) + "</footer>"
    if kind == "figure":
        caption = as_html(block["caption"])
        picture = f'<img src="{block["uri"]}" alt="{caption}">'
        return f"<figure>{picture}<figcaption>{caption}</figcaption></figure>"
    head = _html_row("th", block["columns"])
    rows = "\n".join(_html_row("td", row) for row in block["rows"])
    name = ' class="prose"' if block["prose"] else ' class="wide"' if is_wide(block) else ""
    return f"<table{name}>\n<thead>{head}</thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _html_row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{as_html(cell)}</{tag}>" for cell in cells) + "</tr>"


def _data_uri(svg: bytes) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg).decode("ascii")

"""What the page says without a script: the tables of what was learnt and of how far to trust it, and the about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from candide.report import sentences
from candide.report.escaping import as_html
from candide.report.numbers import amount, nats
from candide.report.origin import origin_html
from candide.shares import chance, share

Facts = dict[str, Any]

MOST = 60
"""Rows of a table."""


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of texts."""
    head = "".join(f'<th scope="col">{as_html(h)}</th>' for h in heads)
    body = "".join(
        "<tr>" + "".join(f'<th scope="row">{as_html(c)}</th>' if i == 0 else f"<td>{as_html(c)}</td>"
                         for i, c in enumerate(row)) + "</tr>"
        for row in rows
    )  # fmt: skip
    return (
        f'<div class="scroll"><table><caption>{as_html(caption)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def columns_html(facts: Facts) -> str:
    """Return what each column is worth, as a table."""
    ranked = sentences.ranked(facts)[:MOST]
    rows = [
        [item["name"], nats(item["alone"]["mean"]), nats(item["beyond"]["mean"]) if "beyond" in item else "–",
         share(item["without"]["accuracy"]) if "without" in item else "–"]
        for item in ranked
    ]  # fmt: skip
    heads = ["column", "alone, nats", "beyond the others, nats", "right without it"]
    return table("Columns by evidence, each row scored by the model without it", heads, rows) if rows else ""


def performance_html(facts: Facts) -> str:
    """Return the confusion and the reliability, as tables."""
    p, classes = facts["performance"], facts["classes"]
    out = ""
    if len(classes) <= MOST:
        rows = [[f"was {name}", *(amount(n) for n in row)] for name, row in zip(classes, p["confusion"], strict=True)]
        out += table("What was, and what it said", ["", *(f"said {name}" for name in classes)], rows)
    asked = facts["asked"]
    found = p["answers"] if asked is None else p["classes"][asked]
    what = "how sure it was of its answer" if asked is None else f"chance of {classes[asked]} it gave"
    bins = [
        [chance(b["claimed"]), amount(b["rows"]), chance(b["came_true"]), " to ".join(map(chance, b["interval"]))]
        for b in found["reliability"]
    ]
    return out + table("Do its chances come true?", [what, "rows", "came true", "95 % interval"], bins)


def about_html(facts: Facts) -> str:
    """Return the rules, the choices, where the model comes from, and the words of the page."""
    rules = " ".join([*sentences.rules(facts), *facts["left_out"]])
    out = [f"<p>{as_html(rules)} The page holds counts and curves, no rows.</p>"]
    chosen = [column for column in facts["columns"] if column["candidates"]][:MOST]
    if chosen:
        rows = [
            [c["name"], c["chosen"], ", ".join(f"{name} {nats(score)}" for name, score in c["candidates"].items())]
            for c in chosen
        ]
        caption = "What was chosen for each column, by mean log P(class given the column), rows left out"
        choices = table(caption, ["column", "chosen", "candidates, nats"], rows)
        out.append(f"<details><summary>Choices</summary>{choices}</details>")
    terms = "".join(f"<dt>{word}</dt><dd>{as_html(meaning)}</dd>" for word, meaning in sentences.GLOSSARY.items())
    out.append(f'<details><summary>Words</summary><dl class="glossary">{terms}</dl></details>')
    return "".join([*out, origin_html(facts)])

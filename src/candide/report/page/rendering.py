"""Rendering: the template filled with the style, the script, the facts, and what stands there without a script."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from string import Template
from typing import Any

from candide.report import sentences
from candide.report.page.embedding import PACKED, embed
from candide.report.page.plainly import about_html, columns_html, performance_html
from candide.report.page.script import TOLD, is_asked, part, policy, script_of, style_sheet

Facts = dict[str, Any]

MOST_COLUMNS = 200
"""Columns that a page carries, those of most evidence."""


def render(facts: Facts, columns: int = MOST_COLUMNS, asks: Mapping[str, str] | None = None) -> str:
    """Return the page of some facts.

    Parameters
    ----------
    facts : dict
        Of `candide.report.facts`.
    columns : int
        How many columns the page carries, those of most evidence; others count as unknown, or are asked for.
    asks : mapping of str to str or None
        What the server that the page comes from can be asked for, and what it takes: "number", "boolean", "text" or
        "document" of a column's name. None: there is no server.
    """
    carried = trimmed(facts, columns, asks or {})
    if "drift" in carried:
        carried = {**carried, "drift": {**carried["drift"], "sentence": sentences.moved(facts)}}
    told = embed(carried)
    style, script = style_sheet(), script_of(carried, PACKED in told)
    parts = sections(facts, carried)
    return Template(part("template.html")).substitute(
        title=escape(facts["title"]),
        subtitle=escape(sentences.subtitle(facts)),
        verdict=verdict_html(facts),
        links="".join(f'<li><a href="#{id_}">{name}</a></li>' for id_, name, _ in parts),
        sections="\n".join(section for _, _, section in parts),
        facts=told,
        style=style,
        script=script,
        policy=policy(style, script, asks is not None),
    )


def trimmed(facts: Facts, most: int, asks: Mapping[str, str]) -> Facts:
    """Return the facts of the columns of most evidence; the others are asked of a server, or count as unknown."""
    columns = facts["columns"]
    order = sorted(range(len(columns)), key=lambda j: -columns[j].get("alone", {"mean": 0.0})["mean"])
    kept = sorted(order[:most])
    together = {j for one in facts["joint"] for j in one["columns"]}  # what they say depends on other cells
    askable = [
        columns[j]
        for n, j in enumerate(order)
        if columns[j]["name"] in asks
        and columns[j]["position"] not in together
        and (n >= most or columns[j]["kind"] not in TOLD)
    ]
    if facts["additive"] and askable:
        facts = {**facts, "rest": [{"name": one["name"], "takes": asks[one["name"]]} for one in askable]}
    if len(columns) <= most:
        return facts
    place = {columns[j]["position"]: new for new, j in enumerate(kept)}
    joint = [
        {**one, "columns": [place[j] for j in one["columns"]]}
        for one in facts["joint"]
        if all(j in place for j in one["columns"])
    ]
    asked = sum(one["name"] in asks for one in facts.get("rest", []))
    others = "the others count as unknown." if not asked else f"of {asked} others the server is asked."
    note = f"The page carries the {most} columns of most evidence out of {len(columns)}; {others}"
    return {
        **facts,
        "columns": [{**columns[j], "position": new} for new, j in enumerate(kept)],
        "joint": joint,
        "left_out": [note, *facts["left_out"]],
    }


def verdict_html(facts: Facts) -> str:
    """Return the verdict, the tiles and what is worth trying."""
    lead = escape(" ".join(sentences.verdict(facts, "\x02{}\x03".format)))  # signs that no text is written with
    out = [f'<p class="lead">{lead.replace(chr(2), "<b>").replace(chr(3), "</b>")}</p>']
    tiles = sentences.tiles(facts)
    if tiles:
        cells = "".join(
            f'<div class="tile"><dt>{escape(what)}</dt><dd><b>{escape(value)}</b>'
            f"<span>{escape(beside)}</span></dd></div>"
            for what, value, beside in tiles
        )
        out.append(f'<dl class="tiles">{cells}</dl>')
    out += [f'<p class="try"><b>Worth trying:</b> {escape(one)}</p>' for one in sentences.worth_trying(facts)]
    return "\n".join(out)


def sections(facts: Facts, carried: Facts) -> list[tuple[str, str, str]]:
    """Return the sections that there are facts for: id, name in the navigation, and HTML."""
    p = facts.get("performance")
    out = []
    if is_asked(carried):
        words = f"{ASK} {COMPUTED_HERE if 'rest' not in carried else COMPUTED_THERE}"
        out.append(section("ask", "Ask", "Ask it", muted(words), live=True))
    if is_asked(facts):
        out.append(section("nomogram", "Nomogram", "Nomogram", muted(NOMOGRAM), live=True))
    if facts["joint"] or any(column["kind"] != "untold" for column in facts["columns"]):
        words = muted(LEARNT) if sentences.ranked(facts) else ""
        out.append(section("learnt", "What it learnt", "What it learnt", words, plain=columns_html(facts)))
    if p is not None:
        words = muted(sentences.scored(p))
        out.append(section("trust", "How far to trust it", "How far to trust it", words, performance_html(facts)))
    if "drift" in facts:
        moved = f"<p>{escape(sentences.moved(facts))}</p>"
        out.append(section("drift", "What moved", "What moved", plain=moved))
    out.append(section("about", "About", "About this model", about_html(carried)))
    return out


ASK = (
    "Fill in what you know; leave the rest unknown, it then says nothing. Each known cell pushes the chance up or "
    "down; the pushes add up, longest first."
)
COMPUTED_HERE = "Everything is computed on this page."
COMPUTED_THERE = "What the page does not carry is asked of the server that it comes from."
NOMOGRAM = (
    "Read each value’s points from the scale on top, add them up, and find the chance below. Ten points double the "
    "odds. Drag a marker, or use the arrow keys; Delete makes a column unknown."
)
LEARNT = (
    "Share of the doubt about the class that a column settles, each row scored by the model without it; lines are 95% "
    "intervals. Choose a column to see it."
)


def muted(words: str) -> str:
    """Return a paragraph that explains."""
    return f'<p class="muted">{escape(words)}</p>'


def section(
    id_: str, name: str, title: str, words: str = "", plain: str = "", live: bool = False
) -> tuple[str, str, str]:
    """Return a section whose body the script draws, with what stands there without one."""
    without = plain or ("<p>This part is drawn by the page's script, which does not run here.</p>" if live else "")
    return (
        id_,
        name,
        (
            f'<section id="{id_}" aria-labelledby="{id_}-title"><h2 id="{id_}-title">{title}</h2>{words}'
            f'<div class="body live"></div><div class="plain">{without}</div></section>'
        ),
    )

"""Rendering: the template filled with the style, the script, the facts, and what stands there without a script."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from candide.report import sentences
from candide.report.page.embedding import embed
from candide.report.page.plainly import about_html, columns_html, performance_html

Facts = dict[str, Any]

SCRIPTS = ("numbers", "model", "draw", "state", "ask", "nomogram", "learnt", "trust", "drift", "main")
"""The parts of the script, in order; they share one scope."""
MOST_COLUMNS = 200
"""Columns that a page carries, those of most evidence."""


def render(facts: Facts, columns: int = MOST_COLUMNS, connect: bool = False) -> str:
    """Return the page of some facts.

    Parameters
    ----------
    facts : dict
        Of `candide.report.facts`.
    columns : int
        How many columns the page carries, those of most evidence; others count as unknown.
    connect : bool
        Whether the page may call the server that it came from.
    """
    carried = trimmed(facts, columns)
    if "drift" in carried:
        carried = {**carried, "drift": {**carried["drift"], "sentence": sentences.moved(facts)}}
    style, script = style_sheet(), whole_script()
    parts = sections(facts, carried)
    return Template(part("template.html")).substitute(
        title=escape(facts["title"]),
        subtitle=escape(sentences.subtitle(facts)),
        verdict=verdict_html(facts),
        links="".join(f'<li><a href="#{id_}">{name}</a></li>' for id_, name, _ in parts),
        sections="\n".join(section for _, _, section in parts),
        facts=embed(carried),
        style=style,
        script=script,
        policy=policy(connect),
    )


@cache
def policy(connect: bool = False) -> str:
    """Return what a browser lets the page do: run its own script, and nothing else; with `connect`, ask its server."""
    own = f"script-src '{sha256(whole_script())}'; style-src '{sha256(style_sheet())}'; img-src data:"
    asks = "; connect-src 'self'" if connect else ""
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'{asks}"


@cache
def part(name: str) -> str:
    """Return one of the page's files."""
    return files("candide.report.page").joinpath(name).read_text("utf-8")


@cache
def whole_script() -> str:
    """Return the script: its parts in one scope, which begins when the facts are unpacked."""
    parts = "\n".join(bare(part(f"{name}.js")) for name in SCRIPTS)
    return (
        '"use strict";\n(async () => {\nconst facts = JSON.parse(document.getElementById("facts").textContent);\n'
        f"{bare(part('unpack.js'))}\nif (facts.packed) await unpack();\n{parts}\nstart();\n}})();"
    )


@cache
def style_sheet() -> str:
    """Return the style sheet, without what only its readers need."""
    return bare(part("style.css"), re.compile(r"\s*([{};,])\s*"))


TEXTS = re.compile(r'"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`')
"""The texts of a script or style sheet; no template stands within another."""
SPACES = re.compile(r"[ \t]*([=+*/?:;,<>{}()\[\]&|!])[ \t]*")
"""Signs that need no space around them."""


def bare(text: str, signs: re.Pattern[str] = SPACES) -> str:
    """Return a script or style sheet without comments, indentation and needless spaces; its texts stay as they are."""
    lines = (line.strip() for line in text.splitlines())
    whole = "\n".join(line for line in lines if line and not line.startswith("//"))
    out, at = [], 0
    for found in TEXTS.finditer(whole):
        out += [signs.sub(r"\1", whole[at : found.start()]), found[0]]
        at = found.end()
    return "".join([*out, signs.sub(r"\1", whole[at:])])


def sha256(text: str) -> str:
    """Return a hash as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def trimmed(facts: Facts, most: int) -> Facts:
    """Return the facts of the columns of most evidence; to the others the page says nothing."""
    columns = facts["columns"]
    if len(columns) <= most:
        return facts
    order = sorted(range(len(columns)), key=lambda j: -columns[j].get("alone", {"mean": 0.0})["mean"])
    kept = sorted(order[:most])
    place = {columns[j]["position"]: new for new, j in enumerate(kept)}
    joint = [
        {**one, "columns": [place[j] for j in one["columns"]]}
        for one in facts["joint"]
        if all(j in place for j in one["columns"])
    ]
    note = f"The page carries the {most} columns of most evidence out of {len(columns)}; the others count as unknown."
    return {
        **facts,
        "columns": [{**columns[j], "position": new} for new, j in enumerate(kept)],
        "joint": joint,
        "left_out": [note, *facts["left_out"]],
    }


def verdict_html(facts: Facts) -> str:
    """Return the verdict, the tiles and what is worth trying."""
    out = [f'<p class="lead">{escape(" ".join(sentences.verdict(facts)))}</p>']
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
    told = any(column["kind"] in ("levels", "bins", "density") for column in facts["columns"]) and facts["additive"]
    p = facts.get("performance")
    out = []
    if told:
        out.append(section("ask", "Ask", "Ask it", muted(ASK), live=True))
        out.append(section("nomogram", "Nomogram", "Nomogram", muted(NOMOGRAM), live=True))
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
    "down; the pushes add up, longest first. Everything is computed on this page."
)
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

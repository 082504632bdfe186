"""Rendering: the template filled with the style, the script, the facts, and what stands there without a script."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Template
from typing import Any

from candide.report import sentences
from candide.report.escaping import as_html, unbroken
from candide.report.page.embedding import PACKED, embed
from candide.report.page.plainly import about_html, columns_html, performance_html
from candide.report.page.script import TOLD, is_asked, part, policy, script_of, style_sheet

Facts = dict[str, Any]
PageSection = tuple[str, str, str]
"""Its id, its name in the navigation, and its HTML."""

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
        carried = {**carried, "drift": {**carried["drift"], "sentence": unbroken(sentences.moved(facts))}}
    told = embed(carried)
    style, script = style_sheet(), script_of(carried, PACKED in told)
    parts = sections(facts, carried)
    return Template(part("template.html")).substitute(
        title=as_html(facts["title"]),
        subtitle=as_html(sentences.subtitle(facts)),
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
    lead = as_html(" ".join(sentences.verdict(facts, "\x02{}\x03".format)))  # signs that no text is written with
    out = [f'<p class="lead">{lead.replace(chr(2), "<b>").replace(chr(3), "</b>")}</p>']
    tiles = sentences.tiles(facts)
    if tiles:
        cells = "".join(
            f'<div class="tile"><dt>{as_html(what)}</dt><dd><b>{as_html(value)}</b>'
            f"<span>{as_html(beside)}</span></dd></div>"
            for what, value, beside in tiles
        )
        out.append(f'<dl class="tiles">{cells}</dl>')
    out += [f'<p class="try"><b>Worth trying:</b> {as_html(one)}</p>' for one in sentences.worth_trying(facts)]
    return "\n".join(out)


def sections(facts: Facts, carried: Facts) -> list[PageSection]:
    """Return the sections that there are facts for."""
    made = (make(facts, carried) for make in SECTIONS)
    return [section for section in made if section is not None]


def ask_section(_: Facts, carried: Facts) -> PageSection | None:
    """Return where a row is asked for, of what the page carries and of what a server knows."""
    words = f"{ASK} {COMPUTED_HERE if 'rest' not in carried else COMPUTED_THERE}"
    return section("ask", "Ask", "Ask it", muted(words), live=True) if is_asked(carried) else None


def nomogram_section(facts: Facts, *_: Facts) -> PageSection | None:
    """Return the nomogram, of what is told in tables."""
    words = f"{NOMOGRAM} {TOGETHER}" if facts["joint"] else NOMOGRAM
    return section("nomogram", "Nomogram", "Nomogram", muted(words), live=True) if is_asked(facts) else None


def learnt_section(facts: Facts, *_: Facts) -> PageSection | None:
    """Return what each column says, where any says something by itself."""
    if not facts["joint"] and all(column["kind"] == "untold" for column in facts["columns"]):
        return None
    kept = f" {WEIGHTS_KEPT}" if "folds" in facts.get("performance", {}) else ""
    words = muted(LEARNT + kept) if sentences.ranked(facts) else ""
    return section("learnt", "What it learnt", "What it learnt", words, plain=columns_html(facts))


def trust_section(facts: Facts, *_: Facts) -> PageSection | None:
    """Return how well rows were judged, where there were any."""
    if "performance" not in facts:
        return None
    words = muted(sentences.scored(facts["performance"]))
    return section("trust", "How far to trust it", "How far to trust it", words, performance_html(facts))


def drift_section(facts: Facts, *_: Facts) -> PageSection | None:
    """Return what moved since an older model."""
    if "drift" not in facts:
        return None
    return section("drift", "What moved", "What moved", plain=f"<p>{as_html(sentences.moved(facts))}</p>")


def about_section(_: Facts, carried: Facts) -> PageSection:
    """Return what the model is."""
    return section("about", "About", "About this model", about_html(carried))


SECTIONS: list[Callable[[Facts, Facts], PageSection | None]] = [
    ask_section,
    nomogram_section,
    learnt_section,
    trust_section,
    drift_section,
    about_section,
]
"""What makes the sections of a page, in their order: of all facts, and of those that the page carries."""


ASK = (
    "Fill in what you know; leave the rest unknown, it then says nothing. Each known cell pushes the chance up or "
    "down; the pushes add up, longest first, and each opens to its arithmetic."
)
COMPUTED_HERE = "Everything is computed on this page."
COMPUTED_THERE = "What the page does not carry is asked of the server that it comes from."
NOMOGRAM = (
    "Read each value’s points from the scale on top, add them up, and find the chance below. Ten points double the "
    "odds. Drag a marker, or use the arrow keys; Delete makes a column unknown."
)
TOGETHER = "What columns say together has no scale of its own: the total has it, where they are known."
LEARNT = (
    "Share of the doubt about the class that a column settles, each row scored by the model without it; lines are 95 % "
    "intervals. Choose a column to see it."
)
WEIGHTS_KEPT = "The weights, which were settled on these rows, are kept here."


def muted(words: str) -> str:
    """Return a paragraph that explains."""
    return f'<p class="muted">{as_html(words)}</p>'


def section(id_: str, name: str, title: str, words: str = "", plain: str = "", live: bool = False) -> PageSection:
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

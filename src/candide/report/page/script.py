"""The script and the style of a page: the parts that its sections need, without what only their readers need."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any

Facts = dict[str, Any]


TOLD = ("levels", "bins", "density")
"""Kinds of columns that tables tell."""


def is_asked(facts: Facts) -> bool:
    """Whether the page can be asked for chances: its columns are told in tables that add up, here or by a server."""
    told = any(c["kind"] in TOLD for c in facts["columns"])
    return bool(facts["additive"]) and (told or bool(facts.get("rest")))


def parts_of(facts: Facts) -> list[str]:
    """Return the parts of the script that some facts need, in order; they share one scope."""
    asked, trusted, two = is_asked(facts), "performance" in facts, len(facts["classes"]) == 2
    dense = any(column["kind"] == "density" for column in facts["columns"])
    needed = {
        "numbers": True,
        "model": True,
        "draw": True,
        "state": True,
        "ask": asked,
        "outside": bool(facts.get("rest")),
        "nomogram": asked,
        "nomogram_densities": asked and dense,
        "learnt": True,
        "densities": dense,
        "trust": trusted,
        "line": trusted and two,
        "mistakes": trusted and not two,
        "drift": "drift" in facts,
        "main": True,
    }
    return [name for name, is_needed in needed.items() if is_needed]


def script_of(facts: Facts, packed: bool = False) -> str:
    """Return the script: its parts in one scope, which begins when the facts are unpacked, if they are packed."""
    parts = "\n".join(bare(part(f"{name}.js")) for name in parts_of(facts))
    unpacking = f"{bare(part('unpack.js'))}\nawait unpack();\n" if packed else ""
    return (
        '"use strict";\n(async () => {\nconst facts = JSON.parse(document.getElementById("facts").textContent);\n'
        f"{unpacking}{parts}\nstart();\n}})();"
    )


def policy(style: str, script: str, connect: bool = False) -> str:
    """Return what a browser lets the page do: run its own script, and nothing else; with `connect`, ask its server."""
    own = f"script-src '{sha256(script)}'; style-src '{sha256(style)}'; img-src data:"
    asks = "; connect-src 'self'" if connect else ""
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'{asks}"


def policy_of(page: str) -> str:
    """Return the policy that stands in a page."""
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None, "every page has one"
    return found[1]


@cache
def part(name: str) -> str:
    """Return one of the page's files."""
    return files("candide.report.page").joinpath(name).read_text("utf-8")


@cache
def style_sheet() -> str:
    """Return the style sheet, without what only its readers need."""
    return bare(part("style.css"), re.compile(r"\s*([{};,])\s*"))


TEXTS = re.compile(r'"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`')
"""The texts of a script or style sheet; no template stands within another."""
SPACES = re.compile(r"[ \t]*([;,{(\[])\s*|\s*([)}\]])[ \t]*|[ \t]*([=+*/?:<>&|!])[ \t]*")
"""Signs that need no space around them, nor an end of line after what opens or divides, or before what closes."""


def bare(text: str, signs: re.Pattern[str] = SPACES) -> str:
    """Return a script or style sheet without comments, indentation and needless spaces; its texts stay as they are."""
    lines = (line.strip() for line in text.splitlines())
    whole = "\n".join(line for line in lines if line and not line.startswith("//"))
    out, at = [], 0
    for found in TEXTS.finditer(whole):
        out += [signs.sub(sign, whole[at : found.start()]), found[0]]
        at = found.end()
    return "".join([*out, signs.sub(sign, whole[at:])])


def sign(found: re.Match[str]) -> str:
    """Return a sign without what stands around it."""
    return found[found.lastindex or 0]


def sha256(text: str) -> str:
    """Return a hash as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")

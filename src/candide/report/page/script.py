"""The script and the style of a page: the parts that its sections need, without what only their readers need."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any

from candide.report.page.short import short

Facts = dict[str, Any]


TOLD = ("levels", "bins", "density")
"""Kinds of columns that tables tell."""


def is_asked(facts: Facts) -> bool:
    """Whether the page can be asked for chances: there are classes to choose from, and tables that add up tell of them.

    The tables are here, or with a server.
    """
    told = any(c["kind"] in TOLD for c in facts["columns"])
    return len(facts["classes"]) > 1 and bool(facts["additive"]) and (told or bool(facts.get("rest")))


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
    """Return the script of some facts."""
    return joined(tuple(parts_of(facts)), packed)


@cache
def joined(names: tuple[str, ...], packed: bool) -> str:
    """Return parts of the script in one scope, which begins when the facts are unpacked, if they are packed."""
    parts = "\n".join(part(f"{name}.js") for name in names)
    unpacking = f"{part('unpack.js')}\nawait unpack();\n" if packed else ""
    return short(
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
    lines = (line.strip() for line in part("style.css").splitlines())
    return re.sub(r"\s*([{};,])\s*", r"\1", "\n".join(line for line in lines if not line.startswith("/*")))


def sha256(text: str) -> str:
    """Return a hash as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")

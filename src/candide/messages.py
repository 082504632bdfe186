"""Messages: what is said of an unknown name, of a library that is not there, and of text that came with the data."""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from collections.abc import Sequence
from typing import Any

EXTRAS = {
    "arrow": "PyArrow",
    "cli": "click and rich",
    "evaluate": "pandas",
    "excel": "openpyxl",
    "onnx": "onnx",
    "plot": "matplotlib",
    "serve": "uvicorn and msgspec",
    "text": "PyStemmer and simplemma",
}
"""The optional extras, and the libraries that they bring."""

LISTED = 12
"""Known names that are listed where none is close."""

INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Characters that move the cursor, begin a terminal's commands, reorder a line, or have no form at all."""


def unknown(what: str, name: Any, known: Sequence[Any]) -> str:
    """Say that a name is not known, with the closest that are.

    Examples
    --------
    >>> unknown("column", "wieght", ["weight", "wheels", "energy"])
    "there is no column 'wieght'; did you mean 'weight'?"
    >>> unknown("class", "1", [0, 1])
    "there is no class '1'; did you mean 1?"
    """
    hint = did_you_mean(str(name), known)
    if hint or not known:
        return f"there is no {what} {shortened(name)}{hint}"
    return f"there is no {what} {shortened(name)}; there are {few_of(known)}"


def few_of(names: Sequence[Any]) -> str:
    """Return names in a row, the first of them where they are many.

    Examples
    --------
    >>> few_of(range(20))
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 more'
    """
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"{', '.join(map(shortened, names[:LISTED]))}{more}"


def did_you_mean(name: str, known: Sequence[Any]) -> str:
    """Return the end of a sentence that offers the known names closest to another, "" if none is close.

    Examples
    --------
    >>> did_you_mean("Desk", ["desk", "disk"]), did_you_mean("y", [" x", " y"])
    ("; did you mean 'desk'?", "; did you mean ' y'?")
    """
    spelt = {str(k): k for k in known}
    folded = [k for k in spelt if k.strip().casefold() == name.strip().casefold()]
    near = folded or difflib.get_close_matches(name, spelt, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(shortened(spelt[k]) for k in near)}?" if near else ""


def not_known(parameter: str, value: Any, known: Sequence[Any], others: Sequence[str] = ()) -> str:
    """Return what is wrong with a parameter that is none of the known values; `others` are understood, but not listed.

    Examples
    --------
    >>> not_known("kernel", "epanechnikof", ["normal", "epanechnikov"])
    "kernel='epanechnikof' is not known; known are 'normal', 'epanechnikov'; did you mean 'epanechnikov'?"
    """
    words = [name for name in (*known, *others) if isinstance(name, str)]
    hint = did_you_mean(value, words) if isinstance(value, str) else ""
    return f"{parameter}={value!r} is not known; known are {', '.join(map(repr, known))}{hint}"


def shortened(value: Any, limit: int = 60) -> str:
    """Return a cell as a message shows it: what came with the data is never told wholesale.

    Examples
    --------
    >>> shortened("petrol"), len(shortened("x" * 1000))
    ("'petrol'", 60)
    """
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def need(what: str, extra: str) -> str:
    """Say which library things (in the plural) need, and how to get it.

    Examples
    --------
    >>> need("plots", "plot")
    "plots need matplotlib: pip install 'candide[plot]'"
    """
    return f"{what} need {EXTRAS[extra]}: pip install 'candide[{extra}]'"


def visible(text: str) -> str:
    r"""Return text with the characters spelt out that a terminal would obey rather than show.

    Names, levels and labels come from files; raw, they could clear the screen or forge a line.

    Examples
    --------
    >>> visible("\x1b[2Jdesk\n")
    '\\x1b[2Jdesk\\n'
    """
    return INVISIBLE.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)


OURS = frozenset({"candide", "sklearn"})
"""Packages whose lines are not the user's."""


def warn(text: str, category: type[Warning]) -> None:
    """Warn of the line of the user's that led here, however deep."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in OURS:  # ends: outside
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)

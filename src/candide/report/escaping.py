"""Text as HTML, in which no line ends between a number and its sign."""

from __future__ import annotations

import re
from html import escape

JOINT = re.compile(r"(?<=\d) (?=%)|(?<=[<>]) (?=\d)")
"""The space of 78.7 % and those of > 99.9 %."""


def unbroken(text: str) -> str:
    r"""Return a text whose numbers keep their signs beside them, by spaces that do not break.

    Examples
    --------
    >>> unbroken("right in > 99.9 % of rows")
    'right in >\u202f99.9\u202f% of rows'
    """
    return JOINT.sub("\u202f", text)


def as_html(text: str) -> str:
    r"""Return a text as HTML.

    Examples
    --------
    >>> as_html("a & b: < 0.1 %")
    'a &amp; b: &lt;\u202f0.1\u202f%'
    """
    return escape(unbroken(text))

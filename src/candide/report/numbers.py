"""Numbers as a person reads them: factors on the odds, points, amounts, intervals between cuts.

Every renderer says them in these words, and chances as `candide.shares` does; the page's script has the same rules in
`page/numbers.js`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from candide.distributions.discrete import told_apart
from candide.table.measures import shown

POINTS = 10.0 / math.log(2.0)
"""Points per nat: ten points double the odds."""

IMPOSSIBLE = 1e6
"""Nats beyond which one side is impossible."""

LONG = 22
"""Characters of a name that are shown where there is little room."""

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def factor(nats: float) -> str:
    """Return by what the odds are multiplied or divided: two decimals below 2, one below 10, then whole.

    Examples
    --------
    >>> [factor(math.log(f)) for f in (1.5, 2.71, 3.0, 0.25, 64.2, 1.0)]
    ['×1.50', '×2.7', '×3', '÷4', '×64', '×1']
    """
    sign = "÷" if nats < 0 else "×"
    if abs(nats) > IMPOSSIBLE:
        return f"{sign}∞"
    exponent = abs(nats) / math.log(10.0)
    if exponent >= 6:
        return f"{sign}10{f'{exponent:.0f}'.translate(SUPERSCRIPTS)}"
    by = math.exp(abs(nats))
    if round(by, 2) < 2:
        text = f"{by:.2f}"
        return "×1" if text == "1.00" else f"{sign}{text}"
    return f"{sign}{f'{by:.1f}'.removesuffix('.0')}" if round(by, 1) < 10 else f"{sign}{by:,.0f}"


def points(nats: float) -> str:
    """Return log-odds as points, signed and whole; ten points double the odds.

    Examples
    --------
    >>> [points(x) for x in (1.5, -0.97, 0.001, -math.inf)]
    ['+22', '−14', '0', '−∞']
    """
    if abs(nats) > IMPOSSIBLE:
        return "+∞" if nats > 0 else "−∞"
    return signed(round(POINTS * nats))


def signed(value: int) -> str:
    """Return a whole number with its sign, a true minus, and no sign of zero."""
    return f"+{value:,}" if value > 0 else f"−{-value:,}" if value else "0"


def nats(value: float | None) -> str:
    """Return nats, with three decimals."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.3f}".replace("-", "−")


def amount(n: float) -> str:
    """Return a weight of rows.

    Examples
    --------
    >>> amount(48842.0), amount(2.5)
    ('48,842', '2.5')
    """
    return f"{n:,.0f}" if n == round(n) else f"{n:,.6g}"


def short(name: Any, length: int = LONG) -> str:
    """Return a name that fits, cut off with an ellipsis.

    Examples
    --------
    >>> short("diaporthe-stem-canker-of-the-north")
    'diaporthe-stem-canker…'
    """
    text = str(name)
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


CLOSE = 0.05
"""How far a cut may be rounded, as a share of the smallest distance between two."""


def cut_names(cuts: Sequence[float] | np.ndarray[Any, Any]) -> list[str]:
    """Return ascending cuts with the fewest decimals that keep them where they are.

    Examples
    --------
    >>> cut_names([7.5208, 7.8542, 10.5, 77.2917])
    ['7.52', '7.85', '10.5', '77.29']
    """
    values = np.asarray(cuts, dtype=float)
    if not len(values):
        return []
    gaps = np.diff(values)
    least = float(gaps.min()) if len(gaps) else abs(float(values[0])) or 1.0
    decimals = max(0, math.ceil(-math.log10(2 * CLOSE * least))) if least > 0 else 17
    scale = float(np.abs(values).max())
    if decimals > 9 or scale >= 1e15:
        told = [f"{value:.6g}" for value in values]
        return told if len(set(told)) == len(told) else [repr(float(value)) for value in values]
    if np.allclose(np.round(values, decimals + 1), values, rtol=1e-12, atol=0):  # one more makes them exact
        decimals += 1
    return [trimmed(f"{value:.{decimals}f}") for value in values]


def trimmed(text: str) -> str:
    """Return a decimal number without the zeros behind it, with a true minus and no minus before zero."""
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text.replace("-", "−")


def interval_names(cuts: Sequence[float] | np.ndarray[Any, Any], whole: bool = False, measure: str = "") -> list[str]:
    """Return the intervals (a, b] between cuts, as a person writes them.

    Parameters
    ----------
    cuts : sequence of float
        Ascending.
    whole : bool
        Whether the numbers are whole: intervals are then named by the numbers in them, if all have some.
    measure : str
        What the numbers are: days and months are called as they are.

    Examples
    --------
    >>> interval_names([10.5, 14.45])
    ['≤ 10.5', '10.5–14.45', '> 14.45']
    >>> interval_names([-1.0, 2.0]), interval_names([])
    (['≤ −1', '−1 to 2', '> 2'], ['any number'])
    >>> interval_names([0, 1.5, 2, 6], whole=True)
    ['≤ 0', '1', '2', '3–6', '> 6']
    >>> interval_names([1.5, 2.0, 10.0], measure="month"), interval_names([1703376000.0], measure="day")
    (['January', 'February', 'March–October', 'November–December'], ['≤ 2023-12-24', '> 2023-12-24'])
    """
    ends = np.floor(np.asarray(cuts, dtype=float))
    if measure in ENDS and len(ends) and (np.diff(ends) >= 1).all():
        low, high = ENDS[measure]
        if low <= ends[0] and ends[-1] < high:
            return [
                shown(a, measure) if a == b else f"{shown(a, measure)}–{shown(b, measure)}"
                for a, b in zip([low, *(ends + 1)], [*ends, high], strict=True)
            ]
    if measure and measure not in ENDS and len(ends):
        told = [shown(cut, measure) for cut in cuts]
        return told_apart([f"≤ {told[0]}", *(f"{a} to {b}" for a, b in pairwise(told)), f"> {told[-1]}"])
    told = cut_names(cuts)
    if whole and len(told) and (np.diff(ends) >= 1).all():
        return whole_names(ends)
    if not told:
        return ["any number"]
    between = "–" if not told[0].startswith("−") else " to "
    return [f"≤ {told[0]}", *(f"{a}{between}{b}" for a, b in pairwise(told)), f"> {told[-1]}"]


ENDS = {"month": (1, 12), "weekday": (0, 6), "hour": (0, 23)}
"""The first and the last of what goes round."""


def whole_names(ends: np.ndarray[Any, Any]) -> list[str]:
    """Return intervals of whole numbers by the last number of each but the last."""
    last = [number(int(end)) for end in ends]
    first = [number(int(end) + 1) for end in ends]
    between = "–" if ends[0] >= -1 else " to "
    inner = [a if a == b else f"{a}{between}{b}" for a, b in zip(first, last[1:], strict=False)]
    return [f"≤ {last[0]}", *inner, f"> {last[-1]}"]


def value_name(column: Mapping[str, Any], value: float, digits: int) -> str:
    """Return a number of a column whose facts are told, as it is read."""
    return shown(value, column["measure"]) if "measure" in column else number(float(value), digits)


def number(value: Any, digits: int = 5) -> str:
    """Return a cell as it is read: numbers to a few digits, other cells as they are.

    Examples
    --------
    >>> number(0.123456789), number(4.0), number(-3), number("male"), number(True)
    ('0.12346', '4', '−3', 'male', 'True')
    """
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value)).replace("-", "−")
    if isinstance(value, (float, np.floating)):
        whole = 10.0**digits <= abs(float(value)) < 1e15
        return (f"{float(value):.0f}" if whole else f"{float(value):.{digits}g}").replace("-", "−")
    return str(value)

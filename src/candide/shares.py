"""Chances, shares and p-values as a person reads them, in one spelling: 78.7 %, > 99.9 %, p < 0.001.

The page's script has the same rules in `report/page/numbers.js`.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

UNKNOWN = "–"


def chance(p: float) -> str:
    """Return a probability as a person says it: whole per cent between 10 and 90, never 0 or 100 per cent.

    Examples
    --------
    >>> [chance(p) for p in (0.697, 0.0712, 0.9991, 0.0)]
    ['70 %', '7.1 %', '> 99.9 %', '< 0.1 %']
    """
    if math.isnan(p):
        return UNKNOWN
    percent = 100.0 * p
    if percent < 0.1:
        return "< 0.1 %"
    if percent > 99.9:
        return "> 99.9 %"
    return f"{rounded(percent, 0 if 10 <= percent <= 90 else 1)} %"


def share(p: float, digits: int = 1) -> str:
    """Return a share in per cent with one decimal: nearly all is not all, and next to nothing not nothing.

    Examples
    --------
    >>> share(0.76543), share(-0.0712), share(0.99996), share(0.998, 0), share(1e-9), share(1.0)
    ('76.5 %', '−7.1 %', '> 99.9 %', '> 99 %', '< 0.1 %', '100.0 %')
    """
    if math.isnan(p):
        return UNKNOWN
    percent = rounded(100.0 * p, digits)
    if percent == 100 and p < 1:
        return f"> {percent - Decimal(1).scaleb(-digits)} %"
    if percent == 0 and p > 0:
        return f"< {Decimal(1).scaleb(-digits)} %"
    return f"{'−' if percent < 0 else ''}{abs(percent)} %"


def p_value(p: float) -> str:
    """Return a p-value to the digits that mean something.

    Examples
    --------
    >>> p_value(0.03456), p_value(1e-9)
    ('0.035', '< 0.001')
    """
    if math.isnan(p):
        return UNKNOWN
    return "< 0.001" if p < 0.001 else f"{rounded(p, 3)}"


def rounded(x: float, digits: int) -> Decimal:
    """Return a number to so many decimals, the half away from zero, as scripts of pages round."""
    return Decimal(x).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)

"""Formulas: the terms of numbers as SQL expressions."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.distributions.bell import Bell
from candide.distributions.forms import Form, Linear, Quadratic
from candide.export.dialects import Dialect

Array = np.ndarray[Any, Any]


def interval(x: str, cuts: Array, dialect: Dialect) -> str:
    """Return the number of the interval (a, b] that x lies in; NULL where x is."""
    whens = [f"WHEN {x} IS NULL THEN NULL"]
    whens += [f"WHEN {x} <= {dialect.number(cut)} THEN {code}" for code, cut in enumerate(cuts.tolist())]
    return f"CASE {' '.join(whens)} ELSE {len(cuts)} END"


def clipped(x: str, low: float, high: float, dialect: Dialect) -> str:
    """Return x cut off below and above."""
    whens = [f"WHEN {x} < {dialect.number(low)} THEN {dialect.number(low)}"] if np.isfinite(low) else []
    whens += [f"WHEN {x} > {dialect.number(high)} THEN {dialect.number(high)}"] if np.isfinite(high) else []
    return f"(CASE {' '.join(whens)} ELSE {x} END)" if whens else x


def or_else(x: str, known: str, missing: float, dialect: Dialect) -> str:
    """Return what a known cell adds, or a missing one."""
    return f"CASE WHEN {x} IS NULL THEN {dialect.number(missing)} ELSE {known} END"


def formula(x: str, form: Form, c: int, dialect: Dialect) -> str:
    """Return the term of a number for one class."""
    if isinstance(form, Quadratic):
        return parabola(x, form, c, dialect)
    if isinstance(form, Linear):
        return line(x, form, c, dialect)
    if isinstance(form, Bell):
        return bell(x, form, c, dialect)
    raise TypeError(f"{type(form).__name__} has no formula")


def parabola(x: str, form: Quadratic, c: int, dialect: Dialect) -> str:
    """Return height − (t − mean)² / (2 var)."""
    number = dialect.number
    t = f"LN({x})" if form.logarithm else x
    away = f"({t} - {number(form.mean[c])})"
    out = f"{number(form.height[c])} - {away} * {number(0.5 / form.var[c])} * {away}"
    return f"CASE WHEN {x} <= 0 THEN {dialect.infinity} ELSE {out} END" if form.logarithm else out


def line(x: str, form: Linear, c: int, dialect: Dialect) -> str:
    """Return intercept + slope x + log_slope log x; minus infinity outside the support."""
    number = dialect.number
    out = f"{number(form.intercept[c])} + {number(form.slope[c])} * {x}"
    if form.log_slope is not None:
        out += f" + {number(form.log_slope[c])} * LN({x})"
    whens = []
    if np.isfinite(form.least):
        whens.append(f"WHEN {x} {'<=' if form.open else '<'} {number(form.least)} THEN {dialect.infinity}")
    if form.whole:
        whens.append(f"WHEN {x} <> FLOOR({x}) THEN {dialect.infinity}")
    if not np.isfinite(form.slope[c]):  # 0 · infinity is 0 here
        whens.append(f"WHEN {x} = 0 THEN {number(form.intercept[c])}")
    return f"CASE {' '.join(whens)} ELSE {out} END" if whens else out


def bell(x: str, form: Bell, c: int, dialect: Dialect) -> str:
    """Return h − a d² − b log(1 + c d²), of which a or b is zero and is not written."""
    number = dialect.number
    height, square, power, width = (float(of[c]) for of in form.constants)
    away = f"({x} - {number(form.mean[c])})"
    if power == 0:
        return f"{number(height)} - {away} * {number(square)} * {away}"
    return f"{number(height)} - {number(power)} * LN(1 + {away} * {number(width)} * {away})"

"""Coarsening: the tables of a slim model in roots of chances, as coarse as its rows know them, and cheap to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import kl_div

from candide.distributions.forms import Lookup, Steps
from candide.estimator.slim.format.conditional import Conditional
from candide.estimator.slim.format.roots import Roots
from candide.estimator.slim.rounding import less_largest, shortened
from candide.estimator.slim.slim import Slim

Array = np.ndarray[Any, Any]

COARSEST = 3**0.5
"""Unit of the roots of counts whose rounding, of unit / √12, is off by as much as counting is, by 1 / 2."""
UNITS = tuple(COARSEST * 0.97**k for k in range(128))
"""Of which the least is taken that makes a model small."""

LEAST = 1 / 8
"""Of a unit, which every root has at least: no chance is told to be none."""

PRICE = 1 / 3
"""Of a nat of text in squares of units: rounding costs a cell 2 / 12 of them, and e^(−2) of that for every nat more."""
ROUNDS = 3
"""In which whole numbers are chosen by what they cost, and priced by how often they were chosen."""
REACH = np.arange(-2, 3)
"""Whole numbers about the nearest one among which it is chosen."""
FAR = 31
"""From one cell to the next, and of a cell, beyond which prices do not tell whole numbers apart."""

IN_ALL = 0.1
"""Nats to which the prior is told, taken as often as there are columns."""


def can_be_coarse(made: Slim) -> bool:
    """Whether there are tables of chances."""
    tables = [form.table for form in made.forms if isinstance(form, (Lookup, Steps))]
    return made.relative and bool(tables) and bool(np.isfinite(made.log_prior).all())


def in_roots(made: Slim, n: float, unit: float) -> Slim:
    """Return a slim model whose tables are told in roots of chances.

    Parameters
    ----------
    n : float
        Rows that were learnt.
    unit : float
        Of the roots of counts.
    """
    at = [i for i, form in enumerate(made.forms) if isinstance(form, (Lookup, Steps))]
    forms: list[Any] = list(made.forms)
    step = float(f"{IN_ALL / len(at):.1g}")
    given = less_largest(made.log_prior)  # which is small to tell
    chances = [np.exp(forms[i].table + given[:, None]) for i in at]
    unit = float(f"{unit / np.sqrt(n * np.exp(made.log_prior.max())):.3g}")
    zeros = any((table == 0).any() for table in chances)
    lowest = min(float(np.sqrt(table[table > 0].min(initial=1.0))) for table in chances)
    least = float(f"{max(LEAST * unit, lowest):.3g}")
    whole = cheapest([np.sqrt(table) / unit for table in chances], least / unit)
    if zeros:
        whole = [np.where(table == 0, 0, of + 1) for table, of in zip(chances, whole, strict=True)]
    scale = Roots(unit, least, given, zeros)
    tables = [scale.table(of, isinstance(forms[i], Steps)) for i, of in zip(at, whole, strict=True)]
    # what rounding adds to a class in all columns is taken off by the prior, which every table is told with;
    # conditional chances add up to one whatever the rounding
    beyond = [
        np.log(np.exp(t).sum(axis=1) / np.exp(forms[i].table).sum(axis=1))
        for i, t in zip(at, tables, strict=True)
        if not isinstance(forms[i], Conditional)
    ]
    log_prior = np.round((given + sum(beyond) / max(len(beyond) - 1, 1)) / step) * step
    scale = Roots(unit, least, log_prior, zeros)
    for i, form in enumerate(forms):
        if i not in at:
            forms[i] = shortened(form, step)
    for i, of in zip(at, whole, strict=True):
        missing = np.round(less_largest(forms[i].missing) / step) * step + 0.0
        forms[i] = replace(forms[i], table=scale.table(of, isinstance(forms[i], Steps)), missing=missing)
    told = (unit, least, 1.0) if zeros else (unit, least)
    return replace(made, log_prior=log_prior, forms=tuple(forms), step=step, roots=told)


def cheapest(roots: Sequence[Array], least: float) -> list[Array]:
    """Return whole numbers near roots (K, cells), all in units, that are cheap to tell after the one to their left.

    Of a cell with root ρ the number k costs ρ² log(ρ² / q) − ρ² + q with q = (k + least)², and `PRICE` times the nats
    in which it is told: a path through the cells of each class is chosen that costs least in all.

    Examples
    --------
    >>> cheapest([np.array([[3.1, 3.0, 3.2, 2.4, 3.1, 2.9]])], 0.0)[0].tolist()
    [[3, 3, 3, 3, 3, 3]]
    """
    nearest = [np.rint(np.maximum(root - least, 0)).astype(np.int64) for root in roots]
    among = [np.maximum(of[:, :, None] + REACH, 0) for of in nearest]
    costs = [kl_div(root[:, :, None] ** 2, (of + least) ** 2) for root, of in zip(roots, among, strict=True)]
    whole = nearest
    for _ in range(ROUNDS):
        price = prices(whole)
        whole = [path(*of, price) for of in zip(among, costs, strict=True)]
    return whole


def places(left: Array, right: Array) -> tuple[Array, Array]:
    """Return where the price of a number stands, by the one to its left and by how far it lies from there."""
    return np.minimum(left, FAR), np.clip(right - left, -FAR, FAR) + FAR


def prices(whole: Sequence[Array]) -> Array:
    """Return the prices of numbers by how often they stand where they do; of rare ones, by how often elsewhere."""
    seen = np.zeros((FAR + 1, 2 * FAR + 1))
    for of in whole:
        np.add.at(seen, places(np.pad(of, ((0, 0), (1, 0)))[:, :-1], of), 1)
    anywhere = seen.sum(axis=0) + 0.1
    seen += 2 * anywhere / anywhere.sum()
    out: Array = -PRICE * np.log(seen / seen.sum(axis=1, keepdims=True))
    return out


def path(among: Array, costs: Array, price: Array) -> Array:
    """Return for every class the numbers (K, cells) that cost least in all, among several (K, cells, n) for a cell."""
    n_classes, n_cells, _ = among.shape
    before, so_far = np.zeros((n_classes, 1), np.int64), np.zeros((n_classes, 1))
    came_from = []
    for v in range(n_cells):
        ways = so_far[:, :, None] + price[places(before[:, :, None], among[:, v][:, None, :])]
        came_from.append(ways.argmin(axis=1))
        before, so_far = among[:, v], ways.min(axis=1) + costs[:, v]
    out, rows = np.zeros((n_classes, n_cells), np.int64), np.arange(n_classes)
    chosen = so_far.argmin(axis=1)
    for v in reversed(range(n_cells)):
        out[:, v] = among[rows, v, chosen]
        chosen = came_from[v][rows, chosen]
    return out

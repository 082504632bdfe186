"""Families of a network as tables: log P(node | parents), and log P(node | known parents, c) where some are not known.

Rows that know all columns have the sum of these as their score. Of others all that is unknown would be summed out of
several tables at once; here it is summed out for one node at a time, as if only its parents were known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, product
from typing import Any

import numpy as np

from candide.arithmetic import log
from candide.distributions.coders import Told
from candide.distributions.forms import Form, Lookup, nothing
from candide.schema.cells import MISSING
from candide.structure.attributes import weights_within
from candide.structure.factors import Factors
from candide.structure.families import ClassFamily, ColumnFamily, flat
from candide.structure.joined import chances_together, joined_lookup, told_values

Array = np.ndarray[Any, Any]


def form_of_column(factors: Factors, i: int) -> Form:
    """Return what a column adds, given its parents: nothing where no arcs lead to it from the class."""
    family, parents = factors.columns[i], factors.columns[i].columns[:-1]
    if i not in after_class(factors):
        return nothing((i,), factors.n_classes)
    if not family.of_class:
        return where_nothing_between_is_known(factors, i)
    if not parents:
        return factors.plain.form(i)
    levels, terms = [], []
    for unknown in some_unknown(factors, parents):
        codes = combinations_of(factors, family.columns, unknown)
        levels += levels_of(factors, codes, (i, *parents))
        terms.append(given_parents(factors, family, codes, unknown))
    return joined_lookup(factors.plain, (i, *parents), levels, np.concatenate(terms).T)


def chances_of_column(factors: Factors, i: int) -> Lookup | None:
    """Return the chances of a column and its parents together; None where it has none, or none that tell classes."""
    family = factors.columns[i]
    *parents, _ = family.columns
    if not parents or not family.of_class or not family.theta.size:
        return None
    _, whole = weights_within(factors.plain, i, flat(family.counts))
    chances = family.theta * whole.reshape(*family.theta.shape[:-1], 1)
    return chances_together(factors.plain, (i, *parents), chances)


def where_nothing_between_is_known(factors: Factors, i: int) -> Form:
    """Return what a column adds that does not depend on the class itself: log P(x_i | c), or nothing.

    Given its parents it adds the same to every class. Of a tree any column between it and the class takes from it what
    it says of the class.
    """
    between = sorted(before(factors, i) & after_class(factors))
    if factors.plain.absent[between].any():  # one of them is always known
        return nothing((i,), factors.n_classes)
    codes = combinations_of(factors, (i,), ())
    form = joined_lookup(
        factors.plain,
        (i, *between),
        levels_of(factors, codes, (i, *between)),
        given_parents(factors, factors.columns[i], codes, tuple(between)).T,
    )
    # of the others it counts whether they are known, and not as what
    cuts = (form.cuts[0], *(None if of is None else np.zeros(0) for of in form.cuts[1:]))
    return replace(form, cuts=cuts, domains=())


def form_of_class(factors: Factors, family: ClassFamily, log_prior: Array) -> Form:
    """Return log P(c, parents) less the log P(c) that the model adds; what all classes share does not count."""
    levels, terms = [], []
    for unknown in some_unknown(factors, family.columns):
        codes = combinations_of(factors, family.columns, unknown)
        levels += levels_of(factors, codes, family.columns)
        terms.append(log_joint(factors, codes) - log_prior)
    table, plain = np.concatenate(terms).T, factors.plain
    if len(family.columns) > 1:
        return joined_lookup(plain, family.columns, levels, table)
    (j,) = family.columns  # the cell that is not known comes last, be it a value or not
    known = plain.domain.levels[j][: len(levels) - 1]
    return plain.coder.form(j, known, table[:, :-1], Told((j,), table[:, -1]))


def after_class(factors: Factors) -> set[int]:
    """Return the columns to which arcs lead from the class."""
    out: set[int] = set()
    for i in factors.order:
        if factors.columns[i].of_class or out & set(factors.columns[i].columns[:-1]):
            out.add(i)
    return out


def before(factors: Factors, i: int) -> set[int]:
    """Return the columns from which arcs lead to a column."""
    out: set[int] = {*factors.columns[i].columns[:-1]}
    for j in reversed(factors.order):  # children before their parents
        if j in out:
            out |= {*factors.columns[j].columns[:-1]}
    return out


def given_parents(factors: Factors, family: ColumnFamily, codes: Array, unknown: tuple[int, ...]) -> Array:
    """Return log P(x_i | parents, c) (rows, K), of parents that are known."""
    if not unknown:
        return log(family.at(codes, set(), None)[0])
    alone = codes.copy()
    alone[:, family.node] = MISSING
    of_parents = log_joint(factors, alone)
    can_be = np.isfinite(of_parents)
    return np.where(can_be, log_joint(factors, codes) - np.where(can_be, of_parents, 0.0), 0.0)


def log_joint(factors: Factors, codes: Array) -> Array:
    """Return log P(x, c) (rows, K) of what rows know, without P(c) where the class has no parents."""
    out = np.zeros((len(codes), factors.n_classes))
    for some, unknown in factors.patterns(codes):
        out[some] = factors.joint(codes[some], unknown, None)
    return out


def some_unknown(factors: Factors, parents: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the parents that may be unknown together, none first; a missing cell that is a value is known."""
    may = [p for p in parents if not factors.plain.absent[p]]
    return chain.from_iterable(combinations(may, n) for n in range(len(may) + 1))


def combinations_of(factors: Factors, columns: tuple[int, ...], unknown: tuple[int, ...]) -> Array:
    """Return rows (rows, all columns) that know, of some columns, all but those that are unknown: each combination."""
    values = [[MISSING] if j in unknown else range(int(factors.plain.domain.sizes[j])) for j in columns]
    together = np.array(list(product(*values)), dtype=np.int64).reshape(-1, len(columns))
    out = np.full((len(together), len(factors.columns)), MISSING, dtype=np.int64)
    out[:, columns] = together
    return out


def levels_of(factors: Factors, codes: Array, columns: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """Return what rows are in some columns, as joined look-ups tell it."""
    told = [[*told_values(factors.plain, j), None] for j in columns]  # MISSING finds the last
    return [tuple(of[v] for of, v in zip(told, row, strict=True)) for row in codes[:, columns].tolist()]

"""Groups: columns joined into one attribute, with one density column among them where asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import logsumexp

from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.bins import CutCoder
from candide.distributions.density import Density, MomentDistribution, Parameters, remove
from candide.distributions.discrete import Discrete, log
from candide.distributions.drawing import draw_positions
from candide.domains import Domain
from candide.evidence import Evidence, RefitError
from candide.rows import MISSING, UNSEEN, Rows
from candide.schema import object_array
from candide.statistics import Moments

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Member:
    """A discrete column of a group: its block on its own, and the value that each counted cell has."""

    position: int
    block: Discrete
    value_of_cell: Array
    exhaustive: bool

    @property
    def levels(self) -> Array:
        """The values, as a person names them."""
        return self.block.domain.levels[0]


def member(evidence: Evidence, position: int, rule: Distribution, rules: Rules) -> Member:
    """Estimate a member on its own; its domain is exhaustive if it was declared or made of bins."""
    block = rule.estimate(evidence, np.array([position]), rules)
    assert isinstance(block, Discrete)
    column = evidence.schema.columns[position]
    if isinstance(block.coder, CutCoder):
        cell = np.searchsorted(block.coder.cuts[0], column.cell_values, side="left")
        return Member(position, block, cell, exhaustive=True)
    return Member(position, block, np.arange(column.n_cells), exhaustive=0 < column.declared == column.n_cells)


def estimate_group(evidence: Evidence, g: int, plans: Sequence[Distribution], rules: Rules) -> GroupBlock:
    """Return P(x_a, x_b, ... | c) of a group: softened joint counts, and a density within each combination.

    Parameters
    ----------
    evidence : Evidence
    g : int
        Which group of the schema.
    plans : sequence of Distribution
        One per column of the table.
    rules : Rules
    """
    schema, group = evidence.schema, evidence.schema.groups[g]
    members = tuple(member(evidence, j, plans[j], rules) for j in group if plans[j].discrete)
    joint = evidence.joint(g)
    if joint.codes.shape[1] != len(members) or (joint.density is None) != (len(members) == len(group)):
        names = [schema.columns[j].name for j in group]
        raise RefitError(f"a density joined or left the group {names} since fit, and joint counts need data: refit")
    codes = np.empty_like(joint.codes)
    for i, m in enumerate(members):
        last = len(m.levels) - 1 if m.block.absent[0] else MISSING
        known = joint.codes[:, i] >= 0
        codes[known, i] = m.value_of_cell[joint.codes[known, i]]
        codes[~known, i] = last
    complete: Array = (codes >= 0).all(axis=1) & np.any(joint.counts.table, axis=0)
    seen = codes[complete]
    kept = kept_combinations(evidence.combinations(g), members)
    if len(kept):
        combinations = np.unique(np.concatenate([kept, seen]), axis=0)
    elif all(m.exhaustive for m in members):
        sizes = [len(m.levels) for m in members]
        combinations = np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij"), axis=-1).reshape(-1, len(members))
    else:
        combinations = np.unique(seen, axis=0) if len(seen) else seen
    coder = GroupCoder(members, combinations)
    place = coder.find(seen)
    counts = joint.counts.take(1, complete).move(1, place, len(combinations)).table
    name = " & ".join(str(schema.columns[j].name) for j in group)
    labels = object_array([tuple(m.levels[v] for m, v in zip(members, c, strict=True)) for c in combinations])
    domain = Domain((name,), (labels,), evidence.classes)
    table = Discrete.estimate(coder, domain, counts, rules.smoothing, np.zeros(1, dtype=bool))
    density = None
    if joint.density is not None:
        rest = next(j for j in group if not plans[j].discrete)
        rule = plans[rest]
        assert isinstance(rule, MomentDistribution)
        moments = joint.density.take(1, complete).move(1, place, len(combinations))
        density = Within(rule, rest, moments, within_parameters(rule, moments))
    return GroupBlock(table, coder, density, group)


def kept_combinations(labels: Sequence[tuple[Any, ...]], members: Sequence[Member]) -> Array:
    """Return the value codes (M, members) of the combinations that a schema keeps, where these members have them."""
    index = [{value: v for v, value in enumerate(m.levels.tolist())} for m in members]
    known = [
        [values[value] for values, value in zip(index, label, strict=True)]
        for label in labels
        if len(label) == len(index) and all(value in values for values, value in zip(index, label, strict=True))
    ]
    return np.array(known, dtype=np.int64).reshape(-1, len(members))


@dataclass(frozen=True, eq=False)
class Within:
    """A density per class and combination of levels, P(H | Y, M)."""

    distribution: MomentDistribution
    position: int
    moments: Moments
    p: Parameters

    def evaluate(self, x: Array, p: Parameters) -> Array:
        """Return log f, through the same guards as any density."""
        return Density(self.distribution, np.array([self.position]), ("",), self.moments, None, p).evaluate(x, p)


def within_parameters(rule: MomentDistribution, moments: Moments) -> Parameters:
    """Estimate (K, M) densities; the floor and the stand-in for an empty cell come from all cells of the column."""
    k = len(moments.n)
    flat = rule.parameters(moments.map(lambda a: a.reshape(-1, *a.shape[2:])), None)
    return {name: value.reshape(k, -1, *value.shape[1:]) for name, value in flat.items()}


@dataclass(frozen=True, eq=False)
class GroupCoder:
    """Codes of the combinations of the members' values that are in the domain."""

    members: tuple[Member, ...]
    combinations: Array

    @property
    def places(self) -> Array:
        """The first member's column."""
        return np.array([self.members[0].position])

    def values(self, rows: Rows) -> Array:
        """Return the members' value codes (rows, members), negative where a member says nothing."""
        return np.column_stack([m.block.codes(rows)[:, 0] for m in self.members]).astype(np.int64)

    def find(self, values: Array) -> Array:
        """Return the combination of each row of values; -1 where one is unknown, -2 where never seen together."""
        radix = np.array([len(m.levels) + 1 for m in self.members], dtype=np.int64)
        weight = np.concatenate([[1], np.cumprod(radix[:-1])])
        keys, wanted = self.combinations @ weight, values @ weight
        order = np.argsort(keys)
        place = np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))
        if not len(keys):
            return np.full(len(values), UNSEEN)
        found = np.where(keys[order][place] == wanted, order[place], UNSEEN)
        return np.where((values < 0).any(axis=1), MISSING, found)

    def codes(self, rows: Rows) -> Array:
        """Return the combinations of the rows."""
        return self.find(self.values(rows))[:, None]

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Leave it to the codes."""
        return False

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Return the members' cells of the combinations."""
        known = codes[:, 0] >= 0
        values = np.full((len(codes), len(self.members)), MISSING)
        values[known] = self.combinations[codes[known, 0]]
        out: dict[int, Array] = {}
        for i, m in enumerate(self.members):
            chosen = values[:, [i]]
            if m.block.absent[0]:
                chosen = np.where(chosen == len(m.levels) - 1, MISSING, chosen)
            out.update(m.block.coder.sample(rng, chosen))
        return out


def spoken(log_density: Array) -> Array:
    """Return log-densities with 0 where the number says nothing."""
    return np.where(np.isnan(log_density), 0.0, log_density)


@dataclass(frozen=True, eq=False)
class GroupBlock(Block):
    """One attribute made of several columns; what is unknown of it is summed out."""

    table: Discrete
    coder: GroupCoder
    within: Within | None
    group: tuple[int, ...]

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # the joined attribute's name
        """The joined name."""
        return self.table.names

    @property
    def domain(self) -> Domain:  # type: ignore[override]  # always discrete
        """The combinations."""
        return self.table.domain

    @property
    def places(self) -> Array:
        """The first member's column."""
        return np.array(self.group[:1])

    def log_likelihood(self, rows: Rows) -> Array:
        """Return log Σ_m theta_mc f(h | c, m) over the combinations m that agree with what is known."""
        values = self.coder.values(rows)
        code = self.coder.find(values)
        h = None if self.within is None else rows.numbers(np.array([self.within.position])).astype(float)[:, 0]
        out = np.full((len(rows), len(self.table.theta)), np.nan)
        whole = code >= 0
        out[whole] = self.table.log_table[code[whole]]
        if self.within is not None and h is not None:
            p = {name: value[:, code[whole]] for name, value in self.within.p.items()}
            out[whole] += spoken(self.within.evaluate(h[whole], p).T)
        if not whole.all():
            self._sum_out(out, np.flatnonzero(~whole), values, code, h)
        return out[:, :, None]

    def log_background(self, cells: Array, rows: Rows) -> Array:
        """Return log Σ_m b_m (rows, 1, 1) of a table b over the combinations that agree with what is known."""
        return replace(self, table=replace(self.table, theta=cells[None])).log_likelihood(rows)

    def _sum_out(self, out: Array, rows: Array, values: Array, code: Array, h: Array | None) -> None:
        values = np.where((code == UNSEEN)[:, None], MISSING, values)  # never seen together: nothing is known of it
        silent = (values[rows] < 0).all(axis=1) & (True if h is None else np.isnan(h[rows]))
        rows = rows[~silent]
        patterns, which = np.unique(np.maximum(values[rows], MISSING), axis=0, return_inverse=True)
        for k, pattern in enumerate(patterns):
            here = rows[which.ravel() == k]
            agree = ((self.coder.combinations == pattern) | (pattern < 0)).all(axis=1)
            if agree.any():
                out[here] = self._mixture(agree, None if h is None else h[here], len(here))

    def _mixture(self, agree: Array, h: Array | None, n: int) -> Array:
        terms = np.broadcast_to(
            log(self.table.theta[:, agree])[:, :, None], (len(self.table.theta), int(agree.sum()), n)
        )
        if h is not None and self.within is not None:
            p = {name: value[:, agree][:, :, None] for name, value in self.within.p.items()}
            terms = terms + spoken(self.within.evaluate(h[None, None, :], p))
        with np.errstate(divide="ignore"):
            out: Array = logsumexp(terms, axis=1).T
        return out

    def leave_one_out(self, rows: Rows, y: Array, weight: Array) -> Array:
        """Leave the row out of its own combination; a partly known row was never counted."""
        out = self.log_likelihood(rows)
        code = self.coder.codes(rows)[:, 0]
        whole = np.flatnonzero(code >= 0)
        out[whole] = self.table.leave_one_out(rows, y, weight)[whole]
        if self.within is not None:
            h = rows.numbers(np.array([self.within.position])).astype(float)[whole, 0]
            out[whole, :, 0] += spoken(self._within_without(h, code[whole], y[whole], weight[whole]).T)
        return out

    def _within_without(self, h: Array, code: Array, y: Array, weight: Array) -> Array:
        within = self.within
        assert within is not None
        k, m = within.moments.n.shape
        own = np.zeros((k * m, len(h)))
        own[y * m + code, np.arange(len(h))] = np.where(np.isnan(h), 0.0, weight)
        left = remove(within.moments.map(lambda a: a.reshape(k * m, 1)), own, np.nan_to_num(h))
        p = within.distribution.parameters(left, None)
        at = np.arange(k)[:, None] * m + code[None, :]
        return within.evaluate(
            h, {name: np.take_along_axis(np.broadcast_to(v, own.shape), at, 0) for name, v in p.items()}
        )

    def draw(self, rng: np.random.Generator) -> GroupBlock:
        """Draw the joint table and the densities within it."""
        within = self.within
        if within is not None:
            p = within.distribution.draw(rng, within.moments, None, within.p)
            within = replace(within, p={**p, "silent": within.p["silent"]})
        return replace(self, table=self.table.draw(rng), within=within)

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw a combination, and a number within it; where no combination was ever complete, nothing."""
        if not len(self.coder.combinations):
            nothing = self.coder.sample(rng, np.full((len(y), 1), MISSING))
            return nothing if self.within is None else {**nothing, self.within.position: np.full(len(y), np.nan)}
        code = draw_positions(rng, self.table.theta, y)
        out = self.coder.sample(rng, code[:, None])
        if self.within is not None:
            p = {name: value[y, code] for name, value in self.within.p.items()}
            out[self.within.position] = self.within.distribution.draw_cells(rng, p)
        return out

    def describe(self, attribute: int) -> dict[str, Array]:
        """Return theta by combination."""
        return self.table.describe(attribute)

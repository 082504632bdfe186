"""Groups: columns joined into one attribute, with one density column among them where asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import log, offsets
from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.blocks import LeftOut
from candide.distributions.coders import Told
from candide.distributions.density import Density, MomentDistribution, Parameters, remove
from candide.distributions.discrete import Discrete
from candide.distributions.drawing import draw_positions
from candide.distributions.forms import Cases, Form, Lookup
from candide.distributions.joint_table import JointTable
from candide.distributions.links import LOG, Link
from candide.distributions.members import LARGEST_DOMAIN, LARGEST_KEY, GroupCoder, Member, member
from candide.frozen import frozen
from candide.schema.column import Column
from candide.schema.combinations import distinct
from candide.schema.domain import Domain
from candide.schema.order import object_array
from candide.schema.rows import MISSING, UNSEEN, Rows
from candide.schema.schema import Schema
from candide.smoothing.backoff import Backoff
from candide.statistics.arrays import scatter
from candide.statistics.evidence import Evidence, RefitError
from candide.statistics.moments import Moments

Array = np.ndarray[Any, Any]

MOST_MEMBERS = 6
"""So many columns of a group at the most are told known in part: there are 2^members ways to be."""


MOST_KNOWN = 1 << 20
"""Numbers up to which all that may be known of a row has a place in a table, by class."""


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
    name = group_name(schema, g)
    counts, *moments = evidence.joint(g)
    if [m.position for m in members] != schema.members(group):
        raise RefitError(f"a density joined or left the group {name!r} since fit, and joint counts need data: refit")
    combinations, place = join(schema.combinations[g].cells, members, name)
    coder = GroupCoder(members, combinations)
    inside = np.arange(len(combinations) + 1) < len(combinations)

    def joined(part: Any) -> Any:
        return part.move(1, place, len(inside)).take(1, inside)

    table = joined(counts).table
    named = [m.levels[coder.combinations[:, i]].tolist() for i, m in enumerate(members)]
    levels = object_array([*zip(*named, strict=True)])
    domain = Domain((name,), (levels,), evidence.classes)
    joint = Discrete.estimate(coder, domain, table, rules.smoothing, np.zeros(1, dtype=bool))
    if isinstance(rules.smoothing, Backoff):
        joint = JointTable.of(joint, tuple(m.block for m in members), coder.combinations, rules.smoothing.strength)
    within = None
    for rest in schema.densities(group):
        rule = plans[rest]
        assert isinstance(rule, MomentDistribution)
        # the moments of x, and those of log x where the density reads them
        x, log_x = (joined(m) if m is not None else None for m in moments)
        assert x is not None
        if rule.logs and log_x is None:
            raise evidence.refit(rest, "moments of log x")
        within = Within.estimate(rule, rest, x, log_x if rule.logs else None)
    return GroupBlock(joint, coder, within, group)


def join(cells: Array, members: Sequence[Member], name: str) -> tuple[Array, Array]:
    """Return the values (P, members) of the joined attribute, and the place among them of combinations of cells (M,).

    They are all combinations of declared domains and bins, or those seen together; a combination of cells of which one
    has no value stands behind the last.
    """
    sizes = [len(m.levels) for m in members]
    exhaustive = all(m.exhaustive for m in members)
    if exhaustive:
        check_product(sizes, name)
    of_cells = [m.value_of_cell for m in members]
    if prod(sizes) >= LARGEST_KEY:  # too many to be numbered
        values = np.column_stack([value[cells[:, i]] for i, value in enumerate(of_cells)])
        complete = (values >= 0).all(axis=1)
        place = np.full(len(cells), int(complete.sum()), dtype=np.int64)
        found, place[complete] = np.unique(values[complete], axis=0, return_inverse=True)
        return found, np.minimum(place, len(found))
    place = native.joint_places(
        np.ascontiguousarray(cells, dtype=np.int64),
        np.concatenate(of_cells),
        offsets(map(len, of_cells)),
        np.array(sizes),
    )
    if exhaustive:
        numbers = np.arange(prod(sizes))
    else:
        numbers, place = np.unique(place, return_inverse=True)
        numbers = numbers[numbers < prod(sizes)]
    return np.stack(np.unravel_index(numbers, sizes), axis=-1), place


def check_group_size(evidence: Evidence, g: int, plans: Sequence[Distribution], rules: Rules) -> None:
    """Refuse a group whose domains, all of them declared or of bins, have too many combinations."""
    schema = evidence.schema
    positions = schema.members(schema.groups[g])
    if not all(multiplied(schema.columns[j], plans[j]) for j in positions):
        return  # the values are the combinations seen
    chosen = [plans[j].settle(evidence, np.array([j]), discrete=True)[0].distribution for j in positions]
    members = [member(evidence, j, rule, rules) for j, rule in zip(positions, chosen, strict=True)]
    check_product([len(m.levels) for m in members], group_name(schema, g))


def multiplied(column: Column, rule: Distribution) -> bool:
    """Whether all values of a column are joined, and not only those seen: it is binned, or its domain is declared."""
    return rule.discrete and not column.blank and (column.closed or column.kind == rule.kind == "numbers")


def group_name(schema: Schema, g: int) -> str:
    """Return what the attribute of a group is called."""
    return " & ".join(str(schema.columns[j].name) for j in schema.groups[g])


def check_product(sizes: Sequence[int], name: str) -> None:
    """Refuse domains whose product is too large."""
    if prod(sizes) > LARGEST_DOMAIN:
        raise ValueError(
            f"the group {name!r} joins declared domains of {' × '.join(map(str, sizes))} = {prod(sizes):,} "
            f"combinations, more than {LARGEST_DOMAIN:,}: declare fewer levels (a categorical dtype declares all of "
            "its categories; text takes the levels seen), or join fewer columns"
        )


@frozen
class Within:
    """A density per class and combination of levels, P(H | Y, M)."""

    density: Density

    @classmethod
    def estimate(cls, rule: MomentDistribution, position: int, x: Moments, log_x: Moments | None) -> Within:
        """Estimate (K, M) densities; the floor and the stand-in for an empty cell come from all cells of the column."""
        flat = rule.parameters(x.map(np.ravel), None if log_x is None else log_x.map(np.ravel))
        p = {name: value.reshape(*x.shape, *value.shape[1:]) for name, value in flat.items()}
        return cls(Density(rule, np.array([position]), ("",), x, log_x, p))

    @property
    def position(self) -> int:
        """The column."""
        return int(self.density.positions[0])

    def numbers(self, rows: Rows) -> Array:
        """Return the column's numbers."""
        return rows.numbers(self.density.positions).astype(float)[:, 0]

    def at(self, h: Array, code: Array) -> Array:
        """Return log f(h | c, m) (rows, K) at combinations (rows,); 0 where the number says nothing."""
        p = {name: value[:, code] for name, value in self.density.p.items()}
        return silenced(self.density.evaluate(h, p).T)

    def among(self, h: Array, agree: Array) -> Array:
        """Return log f(h | c, m) (K, some combinations, rows); 0 where the number says nothing."""
        p = {name: value[:, agree][:, :, None] for name, value in self.density.p.items()}
        return silenced(self.density.evaluate(h[None, None, :], p))

    def without(self, h: Array, code: Array, left: LeftOut) -> Array:
        """Return log f(h | c, m) (rows, K) at combinations, each row taken out of its own class and combination."""
        k, m = self.density.x.shape
        own = np.zeros((k * m, len(h)))
        known = left.y >= 0
        at = left.y * m + code
        own[at[known], np.flatnonzero(known)] = np.where(np.isnan(h), 0.0, left.weight)[known]
        value = np.nan_to_num(h)
        less = remove(self.density.x.map(lambda a: a.reshape(k * m, 1)), own, value)
        log_less = None
        if self.density.log_x is not None:
            log_value = log(np.where(value > 0, value, 1.0))
            log_less = remove(self.density.log_x.map(lambda a: a.reshape(k * m, 1)), own, log_value)
        p: Parameters = self.density.distribution.parameters(less, log_less)
        read = np.arange(k)[:, None] * m + code[None, :]
        mine = {name: np.take_along_axis(np.broadcast_to(v, own.shape), read, 0) for name, v in p.items()}
        return silenced(self.density.evaluate(h, mine).T)

    def form(self, m: int) -> Form:
        """Return the density within one combination, told in tables."""
        log_x = self.density.log_x
        one = replace(
            self.density,
            x=self.density.x.map(lambda a: a[:, [m]]),
            log_x=None if log_x is None else log_x.map(lambda a: a[:, [m]]),
            p={name: value[:, [m]] for name, value in self.density.p.items()},
        )
        return one.form(0)

    def draw_cells(self, rng: np.random.Generator, y: Array, code: Array) -> Array:
        """Draw a number for each row of class y within a combination."""
        p = {name: value[y, code] for name, value in self.density.p.items()}
        return self.density.distribution.draw_cells(rng, p)


def silenced(terms: Array) -> Array:
    """Return terms with 0 where a row says nothing."""
    return np.where(np.isnan(terms), 0.0, terms)


@frozen
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
    def domain(self) -> Domain:
        """The combinations."""
        return self.table.domain

    @property
    def places(self) -> Array:
        """The first member's column."""
        return np.array(self.group[:1])

    @property
    def n_classes(self) -> int:
        """K."""
        return self.table.n_classes

    @property
    def tables(self) -> list[Any]:
        """The joint table."""
        return [self.table]

    def columns(self, attribute: int) -> tuple[int, ...]:
        """Return all columns of the group."""
        return self.group

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add g(P(x | c)): by one look-up a row where no density is within.

        Rows that are known in part are looked up, too, or apart where they may be of too many kinds.
        """
        if without is not None or self.within is not None:
            super().add(rows, link, out, without)
            return
        every = self.n_classes * self.coder.n_known <= MOST_KNOWN
        table = self._known(link) if every else self.table.table(link)
        ends = np.array([0, len(table)])
        for part, batch in rows.batches():
            values = self.coder.values(batch)
            code = self.coder.known(values) if every else self.coder.find(values)
            native.add_gather(code[:, None], ends, table, out[part])
            partly = np.flatnonzero(code == MISSING)
            if len(partly):
                out[part.start + partly] += silenced(self._known_in_part(link, values[partly], code[partly]))

    def _known(self, link: Link) -> Array:
        """Return g(P(x | c)) (cells, K) of all that may be known of a row, as `GroupCoder.known` numbers it."""
        return self._log_known if link is LOG else self._all_known(link)

    @cached_property
    def _log_known(self) -> Array:
        return self._all_known(LOG)

    def _all_known(self, link: Link) -> Array:
        out = silenced(link.of_log(self._sums(self.table.theta), lambda: self._sums(self.table.background(link)[None])))
        out[self.coder.known(self.coder.combinations)] = self.table.table(link)
        return np.ascontiguousarray(out)

    def _sums(self, theta: Array) -> Array:
        """Return log Σ_m theta_m (cells, K) over the combinations that agree with what is known; NaN where none do."""
        shape, at = [len(m.levels) for m in self.coder.members], tuple(self.coder.combinations.T)
        summed = np.zeros((1 + len(theta), *shape))  # the first: whether any agrees
        summed[(0, *at)], summed[(slice(1, None), *at)] = 1, theta
        for axis in range(1, summed.ndim):
            summed = np.concatenate([summed.sum(axis=axis, keepdims=True), summed], axis=axis)
        some, *sums = summed.reshape(1 + len(theta), -1)
        some[0] = 0  # nothing is known
        return np.where(some > 0, log(np.array(sums)), np.nan).T

    def _known_in_part(self, link: Link, values: Array, code: Array) -> Array:
        """Return g(P(x | c)) (rows, K) of rows that are known in part; NaN where they say nothing."""

        def summed_out(p: Array) -> Array:
            return self._summed_out(p, values, code, None)

        return link.of_log(summed_out(self.table.theta), lambda: summed_out(self.table.background(link)[None]))

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return log Σ_m theta_mc f(h | c, m) over the combinations m that agree with what is known.

        A row left out is taken out of its own combination; a partly known row was never counted in one.
        """
        values = self.coder.values(rows)
        code = self.coder.find(values)
        h = None if self.within is None else self.within.numbers(rows)
        out = self._summed_out(self.table.theta, values, code, h)
        whole = code >= 0
        if without is None:
            out[whole] = self.table.table(LOG)[code[whole]]
        else:
            out[whole] = self.table.terms(rows, LOG, without)[whole, :, 0]
        if self.within is not None and h is not None:
            at, here = code[whole], h[whole]
            out[whole] += self.within.at(here, at) if without is None else self.within.without(here, at, without[whole])
        return out[:, :, None]

    def log_background(self, link: Link, log_p: Array, rows: Rows, without: LeftOut | None) -> Array:
        """Return the background of the combinations that agree with what is known; with a density, the mixture."""
        if self.within is not None:
            return super().log_background(link, log_p, rows, without)
        values = self.coder.values(rows)
        code = self.coder.find(values)
        cells = self.table.background(link)
        out = self._summed_out(cells[None], values, code, None)
        whole = np.flatnonzero(code >= 0)
        weight = np.zeros(len(whole)) if without is None else np.where(without.y < 0, 0.0, without.weight)[whole]
        out[whole, 0] = log(self.table.background_without(link, code[whole], weight))
        return out[:, :, None]

    def _summed_out(self, theta: Array, values: Array, code: Array, h: Array | None) -> Array:
        """Return log Σ_m theta_m f(h | m) (rows, K) for rows that are partly known; NaN for others."""
        out = np.full((len(code), len(theta)), np.nan)
        values = np.where((code == UNSEEN)[:, None], MISSING, values)  # never seen together: nothing is known of it
        silent = (values < 0).all(axis=1) & (True if h is None else np.isnan(h))
        rows = np.flatnonzero((code < 0) & ~silent)
        if not len(rows):
            return out
        values = np.maximum(values[rows], MISSING)
        if h is None or self.within is None:
            out[rows] = self._margins(theta, values)
            return out
        _, first, which = np.unique(self.coder.keys(values), return_index=True, return_inverse=True)
        patterns = values[first]
        from scipy.special import logsumexp

        by_pattern = np.split(rows[np.argsort(which, kind="stable")], np.cumsum(np.bincount(which))[:-1])
        for pattern, here in zip(patterns, by_pattern, strict=True):
            agree = self._agree(pattern)
            if agree.any():
                terms = log(theta[:, agree])[:, :, None] + self.within.among(h[here], agree)
                with np.errstate(divide="ignore"):
                    out[here] = logsumexp(terms, axis=1).T
        return out

    def _margins(self, theta: Array, values: Array) -> Array:
        """Return log Σ_m theta_m (rows, K) over the combinations that agree with the values; NaN where none does."""
        out = np.full((len(values), len(theta)), np.nan)
        patterns, which = distinct((values >= 0).astype(np.int64))
        for p, pattern in enumerate(patterns):
            here, known = np.flatnonzero(which == p), np.flatnonzero(pattern)
            coder, place = self.coder.margin(tuple(known.tolist()))
            summed = scatter(np.ascontiguousarray(theta, dtype=float), 1, place, len(coder.combinations))
            at = coder.find(values[here][:, known])
            out[here[at >= 0]] = log(summed.T)[at[at >= 0]]
        return out

    def _agree(self, pattern: Array) -> Array:
        """Return which combinations agree with what is known of a row."""
        agree: Array = ((self.coder.combinations == pattern) | (pattern < 0)).all(axis=1)
        return agree

    def draw(self, rng: np.random.Generator) -> GroupBlock:
        """Draw the joint table and the densities within it."""
        within = None if self.within is None else Within(self.within.density.draw(rng))
        return replace(self, table=self.table.draw(rng), within=within)

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw a combination, and a number within it; where no combination was ever complete, nothing."""
        if not len(self.coder.combinations):
            nothing = self.coder.sample(rng, np.full((len(y), 1), MISSING))
            return nothing if self.within is None else {**nothing, self.within.position: np.full(len(y), np.nan)}
        code = draw_positions(rng, self.table.theta, y)
        out = self.coder.sample(rng, code[:, None])
        if self.within is not None:
            out[self.within.position] = self.within.draw_cells(rng, y, code)
        return out

    def _cases(self) -> Form:
        assert self.within is not None
        log_theta, zero = LOG.of(self.table.theta), np.zeros(self.n_classes)
        number = self.group.index(self.within.position)
        # where the number is missing, its combination speaks alone
        forms = tuple(replace(self.within.form(m).lifted(t), missing=t) for m, t in enumerate(log_theta.T))
        levels, cuts = self.coder.joined, self.coder.cuts
        return Cases(columns=self.group, missing=zero, levels=levels, cuts=cuts, number=number, forms=forms)

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return theta by combination."""
        return self.table.describe(attribute)

    def form(self, attribute: int) -> Form:
        """Return the table of combinations, or with a density the form within each complete one."""
        if self.within is not None:
            return self._cases()
        told = self.coder.form(
            0, self.domain.levels[0], LOG.of(self.table.theta), Told(self.group, np.zeros(self.n_classes))
        )
        assert isinstance(told, Lookup)
        members = self.coder.members
        if any(m.block.absent[0] for m in members) or len(members) > MOST_MEMBERS:
            return told  # missing is a level here, and a level never seen is another matter: no table tells it
        domains = tuple(None if m.cuts is not None else m.levels for m in members)
        return replace(told, domains=domains, partly=self._partly())

    def _partly(self) -> tuple[Array, Array]:
        """Return the combinations that are known in part, None standing for what is not, and log Σ_m theta_mc."""
        members = self.coder.members
        levels: list[tuple[Any, ...]] = []
        tables = [np.zeros((self.n_classes, 0))]
        for unknown in range(1, 2 ** len(members) - 1):
            known = [i for i in range(len(members)) if not unknown >> i & 1]
            coder, place = self.coder.margin(tuple(known))
            tables.append(LOG.of(scatter(self.table.theta, 1, place, len(coder.combinations))))
            for pattern in coder.combinations.tolist():
                cells = dict(zip(known, pattern, strict=True))
                levels.append(tuple(m.level_of(cells[i]) if i in cells else None for i, m in enumerate(members)))
        return object_array(levels), np.concatenate(tables, axis=1)

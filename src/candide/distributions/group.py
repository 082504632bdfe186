"""Blocks of groups: columns joined into one attribute, with one density column among them where asked."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import log, log_sum_exp
from candide.distributions.base import Block
from candide.distributions.blocks import LeftOut
from candide.distributions.coders import Told
from candide.distributions.discrete import Discrete
from candide.distributions.drawing import draw_positions
from candide.distributions.forms import Cases, Form, Lookup
from candide.distributions.links import LOG, Link
from candide.distributions.members import GroupCoder
from candide.distributions.within import Within, silenced
from candide.frozen import frozen
from candide.schema.cells import MISSING, UNSEEN
from candide.schema.combinations import distinct
from candide.schema.domain import Domain
from candide.schema.order import object_array
from candide.schema.rows import Rows
from candide.statistics.arrays import scatter

Array = np.ndarray[Any, Any]

MOST_MEMBERS = 6
"""So many columns of a group at the most are told known in part: there are 2^members ways to be."""


MOST_KNOWN = 1 << 20
"""Numbers up to which all that may be known of a row has a place in a table, by class."""


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
        if self.within is not None and without is None and link is LOG:
            self._add_within(self.within, rows, out)
            return
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

    def _add_within(self, within: Within, rows: Rows, out: Array) -> None:
        """Add log P(m | c) f(h | c, m) where the combination is known, else what is left when it is summed out."""
        table = self.table.table(LOG)
        for part, batch in rows.batches():
            values, h = self.coder.values(batch), within.numbers(batch)
            code = self.coder.find(values)
            native.add_gather(code[:, None], np.array([0, len(table)]), table, out[part])
            within.add(h, code, out[part])
            partly = np.flatnonzero(code < 0)
            if len(partly):
                summed = self._summed_out(self.table.theta, values[partly], code[partly], h[partly])
                out[part.start + partly] += silenced(summed)

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
        by_pattern = np.split(rows[np.argsort(which, kind="stable")], np.cumsum(np.bincount(which))[:-1])
        for pattern, here in zip(patterns, by_pattern, strict=True):
            agree = self._agree(pattern)
            if agree.any():
                terms = log(theta[:, agree])[:, :, None] + self.within.among(h[here], agree)
                out[here] = log_sum_exp(np.swapaxes(terms, 1, 2)).T
        return out

    def _margins(self, theta: Array, values: Array) -> Array:
        """Return log Σ_m theta_m (rows, K) over the combinations that agree with the values; NaN where none does."""
        out = np.full((len(values), len(theta)), np.nan)
        patterns, which = distinct((values >= 0).astype(np.int64))
        for p, pattern in enumerate(patterns):
            here, known = np.flatnonzero(which == p), np.flatnonzero(pattern)
            coder, table = self._margin(theta, tuple(known.tolist()))
            at = coder.find(values[here][:, known])
            out[here[at >= 0]] = table[at[at >= 0]]
        return out

    def _margin(self, theta: Array, known: tuple[int, ...]) -> tuple[GroupCoder, Array]:
        """Return the coder of some members alone, and log Σ_m theta_m (its combinations, K); that of theta is kept."""
        of_theta = theta is self.table.theta
        if of_theta and known in self._log_margins:
            return self._log_margins[known]
        coder, place = self.coder.margin(known)
        summed = scatter(np.ascontiguousarray(theta, dtype=float), 1, place, len(coder.combinations))
        found = coder, log(summed.T)
        if of_theta:
            self._log_margins[known] = found
        return found

    @cached_property
    def _log_margins(self) -> dict[tuple[int, ...], tuple[GroupCoder, Array]]:
        """The margins of theta that were asked for: the rows come in batches."""
        return {}

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

    @property
    def tells_parts(self) -> bool:
        """Whether its form tells what it says where only a part is known."""
        absent = any(m.block.absent[0] for m in self.coder.members)
        return self.within is None and not absent and len(self.coder.members) <= MOST_MEMBERS

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
        if not self.tells_parts:
            return told  # missing is a level here, and a level never seen is another matter: no table tells it
        members = self.coder.members
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

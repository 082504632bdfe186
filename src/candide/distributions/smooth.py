"""Smooth: a numeric column in cells of about equal mass, smoothed by a kernel over ranks.

How wide the kernel is and how strongly cells are drawn towards saying nothing is chosen by the leave-one-out score of
the class given the column alone, Σ log P(c | x), which needs only the counts by cell. A choice far from the usual one
has a price, since a few rows can make any of them look best by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.bins import Intervals
from candide.distributions.coders import CutCoder
from candide.distributions.known import known
from candide.distributions.smoothed import Smoothed
from candide.frozen import frozen
from candide.schema.lattice import Grid
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]

WIDTH = 0.3
"""The usual width is this times N^(−1/5), in shares of the column's rows."""
STEPS = (0.0, 4.0, 2.0, 1.0, 0.5, 0.25)
"""Widths that come into question, as multiples of the usual one: none, and from the widest down by halves."""
STRENGTHS = (1 / 3, 1.0, 3.0, 10.0, 30.0)
"""Strengths that come into question."""
STRENGTH = 10.0
"""The usual strength: columns of one table say much the same, and the product counts it again for each of them."""
PRICE = 4.0
"""Nats that a step from the usual width to half of it has to be worth, or to a strength of three times or a third; a
wider kernel, which says less, has no price."""
NO_KERNEL = 3.0
"""So many steps away is no kernel at all, where there is something to spread over."""
MOST_CELLS = 1 << 16
"""Cells that a column may be cut into."""


class Smooth(Distribution):
    """P(x in cell | c), cells of about equal mass, smoothed over neighbouring cells; a heavy value has one of its own.

    Parameters
    ----------
    cells : int
        Into how many cells numbers are cut at the most.
    width : float or None
        The kernel's width as a share of the column's rows, 0 for none; None chooses it by leave-one-out.
    strength : float or None
        How strongly a cell is drawn towards saying nothing; None chooses it by leave-one-out.
    cuts : sequence of float or None
        Where to cut; None cuts into cells of about equal mass.
    masses : sequence of float or None
        The weight of each cell in the column, which the kernel measures ranks by; None takes it from the counts.
    """

    name = "smooth"
    needs = ("cells",)

    def __init__(
        self,
        cells: int = 64,
        width: float | None = None,
        strength: float | None = None,
        cuts: Sequence[float] | Array | None = None,
        masses: Sequence[float] | Array | None = None,
    ) -> None:
        self.cells = cells
        self.width = width
        self.strength = strength
        self.cuts = cuts
        self.masses = masses

    def check(self) -> None:
        """Refuse cells, widths, strengths, cuts and masses that are none."""
        if not 1 <= self.cells <= MOST_CELLS:
            raise ValueError(f"Smooth(cells={self.cells!r}): the number of cells is 1 to {MOST_CELLS:,}")
        if self.width is not None and not 0 <= self.width < np.inf:
            raise ValueError(f"Smooth(width={self.width!r}): a share of the rows, 0 for no kernel")
        if self.strength is not None and not 0 < self.strength < np.inf:
            raise ValueError(f"Smooth(strength={self.strength!r}): a number above 0")
        if self.cuts is not None:
            cuts = np.array(self.cuts, dtype=float)
            if not np.isfinite(cuts).all() or (np.diff(cuts) <= 0).any():
                raise ValueError("Smooth has cuts that are not finite numbers in ascending order")
        if self.masses is not None:
            masses = np.array(self.masses, dtype=float)
            if not np.isfinite(masses).all() or (masses < 0).any():
                raise ValueError("Smooth has masses that are not finite, or below 0")

    def __repr__(self) -> str:
        if self.cuts is None:
            return super().__repr__()
        return f"Smooth({len(self.cuts) + 1} cells, width={self.width!r}, strength={self.strength!r})"

    def family(self) -> Any:
        """Smoothed tables of any cuts make one block."""
        return Smooth

    def joined(self, rules: Sequence[Distribution]) -> Distribution:
        """Return smoothed tables by several rules."""
        return SmoothByColumn(rules)

    def rules_of(self, n: int) -> Sequence[Smooth]:
        """Return the rule of each of n columns."""
        return [self] * n

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Cut, choose what is not given, and smooth."""
        by_column = self.rules_of(len(positions))
        cells = Partition.of(evidence, positions, by_column)
        widths, strengths = settle_widths(cells, by_column, evidence.class_counts)
        names = tuple(evidence.schema.columns[j].name for j in positions)
        domain = Intervals(names, cells.cuts, evidence.classes)
        coder = CutCoder(positions, cells.cuts, cells.ends)
        block = Smoothed.of(coder, domain, cells.counts, cells.shares, widths, strengths, evidence.class_counts)
        return known(block, evidence, positions, rules)

    def fixed(self, block: Block, position: int) -> Distribution:
        """Return the rule with what it chose for a column."""
        assert isinstance(block, Smoothed)
        assert isinstance(block.coder, CutCoder)
        i = int(np.flatnonzero(block.places == position)[0])
        if self.cuts is not None and self.masses is not None and self.width is not None and self.strength is not None:
            return self
        cells = slice(*block.domain.offsets[i : i + 2])
        masses = block.counts[:, cells].sum(axis=0) if self.masses is None else self.masses
        return Smooth(
            self.cells,
            float(block.widths[i]),
            float(block.strengths[i]),
            block.coder.cuts[i],
            np.asarray(masses, dtype=float),
        )


class SmoothByColumn(Smooth):
    """Smoothed tables of a block of columns, each by its own rule.

    Parameters
    ----------
    rules : sequence of Smooth
    """

    name = ""

    def __init__(self, rules: Sequence[Any]) -> None:
        self.rules = rules

    def rules_of(self, n: int) -> Sequence[Smooth]:
        """Return the rules."""
        return self.rules


@frozen
class Partition:
    """Columns cut into cells.

    Parameters
    ----------
    cuts : tuple of ndarray
        The cuts of each column.
    counts : ndarray (K, cells)
        Counts by class and cell, the columns one behind the other.
    masses : ndarray (cells,)
        Each cell's weight in its column, as far as ranks go.
    ends : tuple of (float, float)
        The least and the greatest number of each column.
    means : ndarray (cells,)
        The mean of each cell's numbers.
    """

    cuts: tuple[Array, ...]
    counts: Array
    masses: Array
    ends: tuple[tuple[float, float], ...]
    means: Array

    @cached_property
    def shares(self) -> Array:
        """Each cell's share of its column; equal ones where nothing is known."""
        sizes = np.diff(self.offsets)
        total = np.repeat(np.add.reduceat(self.masses, self.offsets[:-1]), sizes)
        return np.where(total > 0, self.masses / np.where(total > 0, total, 1.0), 1.0 / np.repeat(sizes, sizes))

    @property
    def known(self) -> Array:
        """The weight of the rows where each column is known (D,)."""
        return np.asarray(np.add.reduceat(self.counts.sum(axis=0), self.offsets[:-1]))

    @cached_property
    def offsets(self) -> Array:
        """Where each column's cells begin, and the end of the last."""
        return offsets(len(cut) + 1 for cut in self.cuts)

    @classmethod
    def of(cls, evidence: Evidence, positions: Array, rules: Sequence[Smooth]) -> Partition:
        """Cut columns by their rules."""
        before = [evidence.remembered.get((Partition, int(j))) for j in positions]
        if all(b is not None and b.is_cut_by(rule) for b, rule in zip(before, rules, strict=True)):
            return cls.joined([b for b in before if b is not None], rules)
        columns = [evidence.kept_values(int(j)) for j in positions]
        sizes = [rule.cells for rule in rules]
        given: list[Array | None] = [None if r.cuts is None else np.array(r.cuts, dtype=float) for r in rules]
        for i, j in enumerate(positions):
            axis = evidence.schema.columns[j].axis
            if isinstance(axis, Grid) and given[i] is None:  # an interval is counted up to its edge
                given[i] = edges_of(axis, columns[i][1], sizes[i])
        k = len(evidence.classes)
        if len(set(sizes)) > 1:  # columns of another number of cells are cut apart
            parts = [native.partition([c], k, size, [g]) for c, size, g in zip(columns, sizes, given, strict=True)]
            cuts, counts, means, ends = (np.concatenate([part[i] for part in parts], axis=-1) for i in (0, 2, 3, 4))
            at = offsets(len(part[0]) for part in parts)
        else:
            cuts, at, counts, means, ends = native.partition(columns, k, sizes[0], given)
        by_column = tuple(cuts[a:b] for a, b in pairwise(at.tolist()))
        masses = given_masses(rules, by_column, counts)
        return cls(by_column, counts, masses, tuple(map(tuple, ends.reshape(-1, 2).tolist())), means)

    @classmethod
    def joined(cls, columns: Sequence[Partition], rules: Sequence[Smooth]) -> Partition:
        """Return columns that were cut before, side by side."""
        cuts, counts = tuple(c.cuts[0] for c in columns), np.concatenate([c.counts for c in columns], axis=1)
        ends, means = tuple(c.ends[0] for c in columns), np.concatenate([c.means for c in columns])
        return cls(cuts, counts, given_masses(rules, cuts, counts), ends, means)

    def is_cut_by(self, rule: Smooth) -> bool:
        """Whether this is one column, cut where a rule says."""
        return isinstance(rule.cuts, list) and self.cuts[0].tolist() == rule.cuts

    def remember(self, evidence: Evidence, positions: Array) -> None:
        """Keep each column as it was cut: a rule with these cuts need not count again."""
        for i, (j, (a, b)) in enumerate(zip(positions.tolist(), pairwise(self.offsets.tolist()), strict=True)):
            one = Partition(
                self.cuts[i : i + 1], self.counts[:, a:b], self.masses[a:b], self.ends[i : i + 1], self.means[a:b]
            )
            evidence.remembered[Partition, j] = one


def given_masses(rules: Sequence[Smooth], cuts: Sequence[Array], counts: Array) -> Array:
    """Return each cell's weight, as the rules give it or as it was counted."""
    out = np.asarray(counts.sum(axis=0))
    at = offsets(len(cut) + 1 for cut in cuts)
    for rule, (a, b) in zip(rules, pairwise(at.tolist()), strict=True):
        if rule.masses is not None:
            if len(rule.masses) != b - a:
                raise ValueError(
                    f"Smooth has {b - a - 1} cuts and {len(rule.masses)} masses: a cell more than cuts is wanted"
                )
            out[a:b] = rule.masses
    return out


def edges_of(axis: Grid, counts: Array, most: int) -> Array:
    """Return some of a grid's edges: those between cells of about equal mass."""
    cut, *_ = native.partition([(axis.levels, counts)], len(counts), most)
    return np.asarray(axis.levels[np.searchsorted(axis.levels, cut, side="right") - 1])


def settle_widths(cells: Partition, rules: Sequence[Smooth], class_counts: Array) -> tuple[Array, Array]:
    """Return the width and strength of each column: as given, or of the best leave-one-out score less its price."""
    if all(rule.width is not None and rule.strength is not None for rule in rules):
        return np.array([rule.width for rule in rules], float), np.array([rule.strength for rule in rules], float)
    widths, scores, _ = score(cells, class_counts)
    best = np.argmax(scores, axis=1)
    width, strength = np.divmod(best, len(STRENGTHS))
    given = [
        (
            widths[i, width[i]] if rule.width is None else rule.width,
            STRENGTHS[strength[i]] if rule.strength is None else rule.strength,
        )
        for i, rule in enumerate(rules)
    ]
    return np.array([w for w, _ in given], float), np.array([s for _, s in given], float)


def score(cells: Partition, class_counts: Array) -> tuple[Array, Array, Array]:
    """Return widths (D, W), scores less prices (D, W · A), and the scores of saying nothing (D,)."""
    at = cells.offsets
    usual = WIDTH * np.maximum(cells.known, 1.0) ** -0.2
    widths = rounded(np.outer(usual, STEPS))
    scores, nothing = native.smooth_scores(
        np.ascontiguousarray(cells.counts),
        at,
        cells.shares,
        np.ascontiguousarray(class_counts, dtype=np.float64),
        widths[:, 1].copy(),
        len(STEPS) - 2,
        np.array(STRENGTHS),
    )
    spreads = (np.diff(at) > 2)[:, None]
    steps = np.maximum(-np.log2(STEPS[1:]), 0.0)
    price = np.where(spreads, np.array([NO_KERNEL, *steps]), np.array([0.0, *np.full(len(steps), np.inf)]))
    strengths = np.abs(np.log(np.array(STRENGTHS) / STRENGTH) / np.log(3.0))
    return widths, scores - PRICE * (price[:, :, None] + strengths).reshape(len(scores), -1), nothing


def rounded(widths: Array) -> Array:
    """Return widths to three digits: more would not be told apart."""
    digits = 10.0 ** (2.0 - np.floor(np.log10(np.maximum(widths, 1e-300))))
    return np.where(widths > 0, np.rint(widths * digits) / digits, 0.0)

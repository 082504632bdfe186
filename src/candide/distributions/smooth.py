"""Smooth: a numeric column in cells of about equal mass, smoothed by a kernel over ranks.

How wide the kernel is and how strongly cells are drawn towards saying nothing is chosen by the leave-one-out score of
the class given the column alone, Σ log P(c | x), which needs only the counts by cell. A choice far from the usual one
has a price, since a few rows can make any of them look best by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets, ratio
from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.bins import bin_names
from candide.distributions.coders import CutCoder
from candide.distributions.known import known
from candide.distributions.smoothed import Smoothed
from candide.schema.domain import Domain
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
AT_ONCE = 1 << 22
"""Counts gathered at a time, so that memory stays bounded."""


class Smooth(Distribution):
    """P(x in cell | c), cells of about equal mass, smoothed over neighbouring cells.

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
        cuts: Sequence[float] | None = None,
        masses: Sequence[float] | None = None,
    ) -> None:
        self.cells = cells
        self.width = width
        self.strength = strength
        self.cuts = cuts
        self.masses = masses

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
        domain = Domain(names, tuple(bin_names(cut) for cut in cells.cuts), evidence.classes)
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
            block.coder.cuts[i].tolist(),
            [float(m) for m in masses],
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


@dataclass(frozen=True, eq=False)
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
    means : ndarray (cells,) or None
        The mean of each cell's numbers, where it is asked for.
    """

    cuts: tuple[Array, ...]
    counts: Array
    masses: Array
    ends: tuple[tuple[float, float], ...]
    means: Array | None = None

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
    def of(cls, evidence: Evidence, positions: Array, rules: Sequence[Smooth], means: bool = False) -> Partition:
        """Cut columns by their rules, some at a time."""
        parts = [cut_columns(evidence, part, some, means) for part, some in at_once(evidence, positions, rules)]
        return cls(
            tuple(cut for part in parts for cut in part.cuts),
            np.concatenate([part.counts for part in parts], axis=1),
            np.concatenate([part.masses for part in parts]),
            tuple(end for part in parts for end in part.ends),
            np.concatenate([part.means for part in parts]) if means else None,
        )


def at_once(evidence: Evidence, positions: Array, rules: Sequence[Smooth]) -> Any:
    """Yield positions and rules of as many columns as have not too many counts together."""
    schema, k = evidence.schema, max(len(evidence.classes), 1)
    begin, size = 0, 0
    for i, j in enumerate(positions):
        axis = schema.columns[j].axis
        size += 0 if axis is None else axis.size * k
        if size > AT_ONCE and i > begin:
            yield positions[begin:i], rules[begin:i]
            begin, size = i, 0
    if begin < len(positions):
        yield positions[begin:], rules[begin:]


def cut_columns(evidence: Evidence, positions: Array, rules: Sequence[Smooth], means: bool) -> Partition:
    """Cut some columns by their rules, and add their counts up by cell."""
    tables = [evidence.values(int(j)) for j in positions]
    weights = [counts.sum(axis=0, dtype=np.float64) for _, counts in tables]
    found = equal_mass([values for values, _ in tables], weights, rules)
    cuts, counts, masses, ends, middles = [], [], [], [], []
    for (values, table), weight, own, rule, j in zip(tables, weights, found, rules, positions, strict=True):
        cut = own if rule.cuts is None else np.asarray(rule.cuts, dtype=np.float64)
        if rule.cuts is None and isinstance(evidence.schema.columns[j].axis, Grid):
            cut = values[np.searchsorted(values, cut, side="right") - 1]  # an interval is counted up to its edge
        at = np.concatenate([[0], np.searchsorted(values, cut, side="right"), [len(values)]])
        of_cells = sums(table, at)
        mass = of_cells.sum(axis=0) if rule.masses is None else np.asarray(rule.masses, dtype=np.float64)
        if len(mass) != len(cut) + 1:
            raise ValueError(f"Smooth has {len(cut)} cuts and {len(mass)} masses: a cell more than cuts is wanted")
        used = values[weight > 0]
        cuts.append(cut)
        counts.append(of_cells)
        masses.append(mass)
        ends.append((float(used[0]), float(used[-1])) if len(used) else (np.nan, np.nan))
        if means:
            middles.append(ratio(sums((weight * values)[None], at)[0], of_cells.sum(axis=0)))
    flat = np.concatenate(middles) if means else None
    return Partition(tuple(cuts), np.concatenate(counts, axis=1), np.concatenate(masses), tuple(ends), flat)


def equal_mass(values: Sequence[Array], weights: Sequence[Array], rules: Sequence[Smooth]) -> list[Array]:
    """Return the cuts of columns into cells of about equal mass; those of a rule's first number of cells at once."""
    out: list[Array] = [np.zeros(0)] * len(values)
    for most in {rule.cells for rule in rules}:
        if not 1 <= most <= 1 << 16:
            raise ValueError(f"Smooth(cells={most!r}): the number of cells is 1 to {1 << 16:,}")
        some = [i for i, rule in enumerate(rules) if rule.cells == most]
        x = np.concatenate([np.asarray(values[i], dtype=np.float64) for i in some])
        cuts, at = native.equal_mass(
            x, np.concatenate([weights[i] for i in some]), offsets(len(values[i]) for i in some), most
        )
        for i, (a, b) in zip(some, pairwise(at.tolist()), strict=True):
            out[i] = cuts[a:b]
    return out


def sums(table: Array, at: Array) -> Array:
    """Return the sums of a table (K, V) between ascending places, as floats."""
    total = np.zeros((len(table), table.shape[1] + 1))
    np.cumsum(table, axis=1, out=total[:, 1:])
    return np.diff(total[:, at], axis=1)


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

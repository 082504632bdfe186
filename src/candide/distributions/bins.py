"""Bins: a numeric column cut into intervals (a, b], open at both ends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from candide.discretizers import REGISTRY, Cuts, Discretizer, EqualFrequency
from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.categorical import with_missing
from candide.distributions.coders import CutCoder, StepCoder
from candide.distributions.discrete import Discrete
from candide.rules import resolve
from candide.schema.domain import Domain
from candide.schema.order import object_array
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


class Bins(Distribution):
    """P(a < x <= b | c), one parameter per interval; the cut points are an estimate from the values.

    Parameters
    ----------
    discretizer : Discretizer or str
        Where to cut; by default ten bins of equal frequency.
    ordinal : bool
        Whether k bins become k - 1 attributes "x > cut" instead of one attribute with k values.
    """

    name = "bins"
    needs = ("cells",)
    discrete = True

    def __init__(self, discretizer: Discretizer | str | None = None, ordinal: bool = False) -> None:
        self.discretizer = discretizer
        self.ordinal = ordinal

    def _rule(self) -> Discretizer:
        if self.discretizer is None:
            return EqualFrequency(10)
        return resolve(self.discretizer, REGISTRY, "discretizer", Discretizer)  # type: ignore[type-abstract]

    @property
    def given(self) -> Array | None:
        """The cut points where they are given, whatever the values; None where they are sought."""
        rule = self._rule()
        return rule.cuts(np.zeros(0), np.zeros((0, 0))) if isinstance(rule, Cuts) else None

    def family(self) -> Any:
        """Bins of any cuts make one block."""
        return (Bins, self.ordinal)

    def joined(self, rules: Sequence[Distribution]) -> Distribution:
        """Return bins by several rules."""
        return BinsByColumn(rules, self.ordinal)

    def _rules(self, n: int) -> list[Discretizer]:
        """Return the rule of each of n columns."""
        return [self._rule()] * n

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Cut every column, add the counts of its values up by bin, and soften them."""
        cuts, tables, ends = [], [], []
        for j, rule in zip(positions, self._rules(len(positions)), strict=True):
            values, counts = evidence.values(int(j))
            used = counts.any(axis=0)
            if not used.all():
                values, counts = values[used], counts[:, used]
            cut = np.asarray(rule.cuts(values, counts), dtype=np.float64)
            cuts.append(cut)
            tables.append((bin_names(cut), add_up(values, counts, cut)))
            ends.append((float(values[0]), float(values[-1])) if len(values) else (np.nan, np.nan))
        coder = CutCoder(positions, tuple(cuts), tuple(ends))
        if self.ordinal:
            return self._ordinal(evidence, coder, tables, rules)
        domain, counts, absent = with_missing(evidence, positions, tables, rules)
        return Discrete.estimate(coder, domain, counts, rules.smoothing, absent)

    def _ordinal(self, evidence: Evidence, coder: CutCoder, tables: list[tuple[Array, Array]], rules: Rules) -> Block:
        """Turn k bins into k - 1 two-valued attributes x > cut."""
        names, counts = [], []
        for j, cut, (_, table) in zip(coder.places, coder.cuts, tables, strict=True):
            total = table.sum(axis=1)
            told = digits(cut)
            for b in range(len(cut)):
                below = table[:, : b + 1].sum(axis=1)
                names.append(f"{evidence.schema.columns[j].name} > {told[b]}")
                counts += [below, total - below]
        levels = tuple(object_array([False, True]) for _ in names)
        flat = np.column_stack(counts) if counts else np.zeros((len(evidence.classes), 0))
        domain = Domain(tuple(names), levels, evidence.classes)
        steps = StepCoder(coder)
        return Discrete.estimate(steps, domain, flat, rules.smoothing, np.zeros(len(names), dtype=bool))

    def fixed(self, block: Block, position: int) -> Distribution:
        """Return bins at the cut points that the block uses for a column."""
        assert isinstance(block, Discrete)
        coder = block.coder.inner if isinstance(block.coder, StepCoder) else block.coder
        assert isinstance(coder, CutCoder)
        i = int(np.flatnonzero(coder.places == position)[0])
        return Bins(Cuts(coder.cuts[i].tolist()), ordinal=self.ordinal)


class BinsByColumn(Bins):
    """Bins of a block of columns, each cut by its own rule.

    Parameters
    ----------
    rules : sequence of Bins
    ordinal : bool
    """

    name = ""

    def __init__(self, rules: Sequence[Any], ordinal: bool = False) -> None:
        self.rules = rules
        self.ordinal = ordinal

    def _rules(self, n: int) -> list[Discretizer]:
        """Return the rules."""
        return [rule._rule() for rule in self.rules]


def add_up(values: Array, counts: Array, cuts: Array) -> Array:
    """Return counts (K, bins) from counts of ascending values (K, V)."""
    ends = np.searchsorted(values, cuts, side="right")
    cumulative = np.concatenate([np.zeros((len(counts), 1), dtype=counts.dtype), np.cumsum(counts, axis=1)], axis=1)
    at = np.concatenate([[0], ends, [len(values)]])
    return np.diff(cumulative[:, at], axis=1)


class Intervals(Domain):
    """A domain of intervals, which are named when somebody asks.

    Parameters
    ----------
    names : tuple
    cuts : tuple of ndarray
    classes : ndarray
    """

    cuts: tuple[Array, ...]

    def __init__(self, names: tuple[Any, ...], cuts: tuple[Array, ...], classes: Array) -> None:
        self.__dict__.update(names=names, cuts=cuts, classes=classes)

    @cached_property
    def levels(self) -> tuple[Array, ...]:  # made once, and never set
        """The intervals as a person writes them."""
        return tuple(map(bin_names, self.cuts))

    def levels_of(self, attribute: int) -> Array:
        """Return the intervals of one attribute: those of very many take more than their numbers."""
        return bin_names(self.cuts[attribute])

    @cached_property
    def sizes(self) -> Array:
        """The number of intervals of each attribute."""
        return np.array([len(cuts) + 1 for cuts in self.cuts], dtype=np.int64)


def bin_names(cuts: Array) -> Array:
    """Return the intervals as a person writes them."""
    edges = ["-inf", *digits(cuts), "inf"]
    closing = ["]"] * len(cuts) + [")"]
    return object_array([f"({a}, {b}{end}" for a, b, end in zip(edges[:-1], edges[1:], closing, strict=True)])


def digits(cuts: Array) -> list[str]:
    """Return ascending cuts with the fewest digits, six at the least, that tell them apart."""
    for precision in range(6, 17):
        told = [f"{cut:.{precision}g}" for cut in cuts]
        if len(set(told)) == len(told):
            return told
    return [repr(float(cut)) for cut in cuts]

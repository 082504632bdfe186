"""Bins: a numeric column cut into intervals (a, b], open at both ends."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from candide import native
from candide.discretizers import REGISTRY, Cuts, Discretizer, EqualFrequency
from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.categorical import with_missing
from candide.distributions.discrete import Discrete
from candide.rules import resolve
from candide.schema.domain import Domain
from candide.schema.rows import MISSING, Rows
from candide.schema.schema import Storage, object_array
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
    storage: ClassVar[Storage] = "values"
    discrete = True

    def __init__(self, discretizer: Discretizer | str | None = None, ordinal: bool = False) -> None:
        self.discretizer = discretizer
        self.ordinal = ordinal

    def _rule(self) -> Discretizer:
        if self.discretizer is None:
            return EqualFrequency(10)
        return resolve(self.discretizer, REGISTRY, "discretizer", Discretizer)  # type: ignore[type-abstract]

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Cut every column, add the counts of its values up by bin, and soften them."""
        rule = self._rule()
        cuts, tables, ends = [], [], []
        for j in positions:
            values, counts = evidence.values(int(j))
            used = counts.any(axis=0)
            cut = np.asarray(rule.cuts(values[used], counts[:, used]), dtype=np.float64)
            cuts.append(cut)
            tables.append((bin_names(cut), add_up(values, counts, cut)))
            known = values[used] if used.any() else np.full(1, np.nan)
            ends.append((float(known[0]), float(known[-1])))
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
            for b, point in enumerate(cut):
                below = table[:, : b + 1].sum(axis=1)
                names.append(f"{evidence.schema.columns[j].name} > {point:g}")
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


def add_up(values: Array, counts: Array, cuts: Array) -> Array:
    """Return counts (K, bins) from counts of ascending values (K, V)."""
    ends = np.searchsorted(values, cuts, side="right")
    cumulative = np.concatenate([np.zeros((len(counts), 1), dtype=counts.dtype), np.cumsum(counts, axis=1)], axis=1)
    at = np.concatenate([[0], ends, [len(values)]])
    return np.diff(cumulative[:, at], axis=1)


def bin_names(cuts: Array) -> Array:
    """Return the intervals as a person writes them."""
    edges = ["-inf", *(f"{c:.6g}" for c in cuts), "inf"]
    closing = ["]"] * len(cuts) + [")"]
    return object_array([f"({a}, {b}{end}" for a, b, end in zip(edges[:-1], edges[1:], closing, strict=True)])


@dataclass(frozen=True, eq=False)
class CutCoder:
    """The bins of numeric columns."""

    places: Array
    cuts: tuple[Array, ...]
    ends: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        flat = np.concatenate(self.cuts) if self.cuts else np.zeros(0)
        offsets = np.concatenate([[0], np.cumsum([len(c) for c in self.cuts])]).astype(np.int64)
        object.__setattr__(self, "_flat", (flat, offsets))

    @property
    def flat(self) -> tuple[Array, Array]:
        """The cuts of all columns in a row, and where each column's begin."""
        out: tuple[Array, Array] = self._flat  # type: ignore[attr-defined]
        return out

    def codes(self, rows: Rows) -> Array:
        """Return the number of cuts below x."""
        return native.bin_codes(rows.numbers(self.places), *self.flat)

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Bin and gather in one pass."""
        native.add_bin_gather(rows.numbers(self.places), *self.flat, table, out)
        return True

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Draw uniformly within a bin; the outer bins end where the data end."""
        out = {}
        for i, (j, cuts, (low, high)) in enumerate(zip(self.places, self.cuts, self.ends, strict=True)):
            edges = np.concatenate([[low], cuts, [high]])
            code = np.maximum(codes[:, i], 0)
            cells = edges[code] + rng.random(len(code)) * np.maximum(edges[code + 1] - edges[code], 0.0)
            out[int(j)] = np.where(codes[:, i] == MISSING, np.nan, cells)
        return out


@dataclass(frozen=True, eq=False)
class StepCoder:
    """The two-valued attributes x > cut of numeric columns."""

    inner: CutCoder

    @property
    def places(self) -> Array:
        """The column of each step."""
        return np.repeat(self.inner.places, [len(cut) for cut in self.inner.cuts])

    def codes(self, rows: Rows) -> Array:
        """Return 1 where x > cut, 0 where not, -1 where missing."""
        bins = self.inner.codes(rows)
        steps = [
            np.where(bins[:, [i]] < 0, MISSING, bins[:, [i]] > np.arange(len(cut)))
            for i, cut in enumerate(self.inner.cuts)
        ]
        return np.concatenate(steps, axis=1).astype(np.int32) if steps else np.zeros((len(rows), 0), dtype=np.int32)

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Leave it to the codes."""
        return False

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Draw the bin that the steps agree on: as many steps up as say so."""
        sizes = [len(cut) for cut in self.inner.cuts]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        bins = [codes[:, a:b].clip(0).sum(axis=1) for a, b in pairwise(starts)]
        return self.inner.sample(rng, np.column_stack(bins))

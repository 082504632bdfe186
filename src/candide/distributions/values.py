"""A block of densities that are estimated column by column from the values counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.blocks import LeftOut, drawn_variance
from candide.distributions.forms import Curve, Form, sample_curve
from candide.distributions.known import known
from candide.distributions.links import LOG, Link
from candide.frozen import frozen
from candide.schema.rows import Rows
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


class ColumnDensity(ABC):
    """log f(x | c) of one column. Numbers come as (rows,); what is said of them goes as (rows, classes)."""

    @abstractmethod
    def log_density(self, x: Array) -> Array:
        """Return log f(x | c) for numbers that are not missing; NaN where they say nothing."""

    @abstractmethod
    def leave_one_out(self, x: Array, y: Array, weight: Array) -> Array:
        """Return log f(x | c) with each row's weight taken out of its own class y."""

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Self:
        """Return a density drawn from the posterior."""

    def log_variance(self, x: Array, rng: np.random.Generator) -> Array:
        """Return the posterior variance of log f(x | c), here from densities drawn."""
        return drawn_variance(lambda: self.draw(rng).log_density(x))

    @abstractmethod
    def sample(self, rng: np.random.Generator, y: Array) -> Array:
        """Return one number for each row of class y."""

    @abstractmethod
    def describe(self) -> dict[str, Array]:
        """Return the parameters by name, the class axis first."""


@frozen(eq=True)
class Silent(ColumnDensity):
    """A column of one value says nothing; one that was never known has the value NaN."""

    n_classes: int
    value: float = np.nan

    @classmethod
    def of(cls, values: Array, counts: Array) -> Silent:
        """Return what a column of at most one value (V,) says, with weights (K, V)."""
        return cls(len(counts), float(values[0]) if len(values) else np.nan)

    def log_density(self, x: Array) -> Array:
        """Return NaN."""
        return np.full((len(x), self.n_classes), np.nan)

    def leave_one_out(self, x: Array, y: Array, weight: Array) -> Array:
        """Return NaN."""
        return self.log_density(x)

    def log_variance(self, x: Array, rng: np.random.Generator) -> Array:
        """Return zeros."""
        return np.zeros((len(x), self.n_classes))

    def draw(self, rng: np.random.Generator) -> Silent:
        """Return the same."""
        return self

    def sample(self, rng: np.random.Generator, y: Array) -> Array:
        """Return the one value."""
        return np.full(len(y), self.value)

    def describe(self) -> dict[str, Array]:
        """Return nothing."""
        return {}


class ValuesDistribution(Distribution):
    """A density whose parameters are estimated from the values of one column at a time."""

    needs = ("cells",)

    def density(self, values: Array, counts: Array) -> ColumnDensity:
        """Return the density of a column with ascending values (V,) and their weights (K, V)."""
        raise NotImplementedError

    def family(self) -> Any:
        """Densities of single columns make one block, whatever each is."""
        return ValuesDistribution

    def joined(self, rules: Sequence[Distribution]) -> Distribution:
        """Return the densities of several rules."""
        return ValuesByColumn(rules)

    def _densities(self, tables: Sequence[tuple[Array, Array]]) -> tuple[ColumnDensity, ...]:
        """Return the density of each column, given its values and counts."""
        return tuple(self.density(*table) for table in tables)

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Estimate column by column."""
        densities = self._densities([evidence.values(int(j)) for j in positions])
        names = tuple(evidence.schema.columns[j].name for j in positions)
        ends = tuple(reach(*evidence.values(int(j))) for j in positions)
        block = Columnwise(positions, names, densities, len(evidence.classes), ends)
        return known(block, evidence, positions, rules)


class ValuesByColumn(ValuesDistribution):
    """Densities of a block of columns, each by its own rule.

    Parameters
    ----------
    rules : sequence of ValuesDistribution
    """

    def __init__(self, rules: Sequence[Any]) -> None:
        self.rules = rules

    def _densities(self, tables: Sequence[tuple[Array, Array]]) -> tuple[ColumnDensity, ...]:
        """Return the density of each column by its rule."""
        return tuple(rule.density(*table) for rule, table in zip(self.rules, tables, strict=True))


@frozen
class Columnwise(Block):
    """log f(x_i | c), one density per column."""

    positions: Array
    names: tuple[Any, ...]
    densities: tuple[ColumnDensity, ...]
    k: int
    ends: tuple[tuple[float, float], ...]

    @property
    def places(self) -> Array:
        """The columns."""
        return self.positions

    @property
    def n_classes(self) -> int:
        """K."""
        return self.k

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return the log-densities, with each row left out where asked."""
        out = np.full((len(rows), self.n_classes, len(self.names)), np.nan)
        for i in range(len(self.densities)):
            known, said = self._said(rows, i, without)
            out[known, :, i] = said
        return out

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add column by column under the product: no array of rows, classes and columns is made."""
        if link is not LOG:
            super().add(rows, link, out, without)
            return
        for i in range(len(self.densities)):
            known, said = self._said(rows, i, without)
            out[known] += np.where(np.isnan(said), 0.0, said)

    def term_variances(self, rows: Rows, rng: np.random.Generator) -> Array:
        """Return the variances of the log-densities, column by column."""
        out = np.zeros((len(rows), self.n_classes, len(self.names)))
        for i, density in enumerate(self.densities):
            x, known = self._numbers(rows, i)
            out[known, :, i] = density.log_variance(x, rng)
        return out

    def _said(self, rows: Rows, i: int, without: LeftOut | None) -> tuple[Array | slice, Array]:
        """Return where a column is known, and its log-densities (known rows, K) there."""
        x, known = self._numbers(rows, i)
        if without is None:
            return known, self.densities[i].log_density(x)
        left = without[known]
        return known, self.densities[i].leave_one_out(x, np.maximum(left.y, 0), np.where(left.y < 0, 0.0, left.weight))

    def _numbers(self, rows: Rows, i: int) -> tuple[Array, Array | slice]:
        """Return the known numbers of a column and where they stand."""
        x = rows.numbers(self.positions[[i]])[:, 0].astype(np.float64)
        missing = np.isnan(x)
        return (x[~missing], ~missing) if missing.any() else (x, slice(None))

    def draw(self, rng: np.random.Generator) -> Columnwise:
        """Draw every column's density."""
        return replace(self, densities=tuple(density.draw(rng) for density in self.densities))

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw one number per row and column."""
        return {int(j): density.sample(rng, y) for j, density in zip(self.positions, self.densities, strict=True)}

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return the parameters of one column."""
        return self.densities[attribute].describe()

    def form(self, attribute: int) -> Form:
        """Return the density of one column, sampled where the column has numbers."""
        columns, missing = self.columns(attribute), np.zeros(self.n_classes)
        knots, table = sample_curve(self.densities[attribute].log_density, *self.ends[attribute])
        return Curve(columns=columns, missing=missing, knots=knots, table=table)


def reach(values: Array, counts: Array) -> tuple[float, float]:
    """Return how far a sampled curve goes: as far beyond the numbers seen as these are apart."""
    seen = values[counts.any(axis=0)]
    if not len(seen):
        return (-1.0, 1.0)
    wide = seen[-1] / 2 - seen[0] / 2 or max(abs(seen[0]) / 2, 1.0)
    limit = np.finfo(float).max / 4
    return float(max(seen[0] - wide, -limit)), float(min(seen[-1] + wide, limit))

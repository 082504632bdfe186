"""A block of densities that are estimated column by column from the values counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.density import both, presence
from candide.distributions.discrete import Discrete
from candide.evidence import Evidence
from candide.rows import Rows
from candide.schema import Storage

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

    @abstractmethod
    def sample(self, rng: np.random.Generator, y: Array) -> Array:
        """Return one number for each row of class y."""

    @abstractmethod
    def describe(self) -> dict[str, Array]:
        """Return the parameters by name, the class axis first."""


@dataclass(frozen=True)
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

    storage: ClassVar[Storage] = "values"

    def density(self, values: Array, counts: Array) -> ColumnDensity:
        """Return the density of a column with ascending values (V,) and their weights (K, V)."""
        raise NotImplementedError

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Estimate column by column."""
        densities = tuple(self.density(*evidence.values(int(j))) for j in positions)
        names = tuple(evidence.schema.columns[j].name for j in positions)
        known = presence(evidence, positions, rules.smoothing) if rules.missing == "level" else None
        return Columnwise(positions, names, densities, len(evidence.classes), known)


@dataclass(frozen=True, eq=False)
class Columnwise(Block):
    """log f(x_i | c), one density per column."""

    positions: Array
    names: tuple[Any, ...]
    densities: tuple[ColumnDensity, ...]
    n_classes: int
    presence: Discrete | None = None
    domain: None = None

    @property
    def places(self) -> Array:
        """The columns."""
        return self.positions

    def log_likelihood(self, rows: Rows) -> Array:
        """Return the log-densities, with the probability of being known where missing is a level."""
        out = np.full((len(rows), self.n_classes, len(self.names)), np.nan)
        for i, density in enumerate(self.densities):
            x, known = self._numbers(rows, i)
            out[known, :, i] = density.log_density(x)
        return out if self.presence is None else both(out, self.presence.log_likelihood(rows))

    def add(self, rows: Rows, out: Array) -> None:
        """Add column by column: no array of rows, classes and columns is made."""
        for i, density in enumerate(self.densities):
            x, known = self._numbers(rows, i)
            said = density.log_density(x)
            out[known] += np.where(np.isnan(said), 0.0, said)
        if self.presence is not None:
            self.presence.add(rows, out)

    def leave_one_out(self, rows: Rows, y: Array, weight: Array) -> Array:
        """Return the log-densities with each row left out."""
        out = np.full((len(rows), self.n_classes, len(self.names)), np.nan)
        for i, density in enumerate(self.densities):
            x, known = self._numbers(rows, i)
            out[known, :, i] = density.leave_one_out(x, y[known], weight[known])
        return out if self.presence is None else both(out, self.presence.leave_one_out(rows, y, weight))

    def _numbers(self, rows: Rows, i: int) -> tuple[Array, Array | slice]:
        """Return the known numbers of a column and where they stand."""
        x = rows.numbers(self.positions[[i]])[:, 0].astype(np.float64)
        missing = np.isnan(x)
        return (x[~missing], ~missing) if missing.any() else (x, slice(None))

    def draw(self, rng: np.random.Generator) -> Columnwise:
        """Draw every column's density."""
        known = None if self.presence is None else self.presence.draw(rng)
        return replace(self, densities=tuple(density.draw(rng) for density in self.densities), presence=known)

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw one number per row and column."""
        cells = [density.sample(rng, y) for density in self.densities]
        if self.presence is not None:
            for x, missing in zip(cells, self.presence.sample(rng, y).values(), strict=True):
                x[missing] = np.nan
        return {int(j): x for j, x in zip(self.positions, cells, strict=True)}

    def describe(self, attribute: int) -> dict[str, Array]:
        """Return the parameters of one column."""
        return self.densities[attribute].describe()

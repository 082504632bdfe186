"""Nothing: a column that says nothing about the class."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.blocks import LeftOut
from candide.distributions.forms import Form, nothing
from candide.distributions.known import known
from candide.distributions.links import Link
from candide.frozen import frozen
from candide.schema.rows import Rows
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


class Nothing(Distribution):
    """P(x | c) is the same in every class: the number says nothing, though its being missing may."""

    name = "nothing"
    needs = ("cells",)

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Keep where the columns begin and end."""
        names = tuple(evidence.schema.columns[j].name for j in positions)
        block = Silence(positions, names, len(evidence.classes), evidence)
        return known(block, evidence, positions, rules)


@frozen
class Silence(Block):
    """Columns that say nothing."""

    tells: ClassVar[bool] = False

    positions: Array
    names: tuple[Any, ...]
    k: int
    evidence: Evidence

    @property
    def places(self) -> Array:
        """The columns."""
        return self.positions

    @property
    def n_classes(self) -> int:
        """K."""
        return self.k

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return that every cell says nothing."""
        return np.full((len(rows), self.k, len(self.names)), np.nan)

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add nothing."""

    def term_variances(self, rows: Rows, rng: np.random.Generator) -> Array:
        """Return zeros."""
        return np.zeros((len(rows), self.k, len(self.names)))

    def add_draws(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add nothing."""

    def draw(self, rng: np.random.Generator) -> Silence:
        """Return the same."""
        return self

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw numbers that were seen, whatever the class."""
        out = {}
        for j in self.positions.tolist():
            values, counts = self.evidence.values(j)
            weights = np.cumsum(counts.sum(axis=0, dtype=float))
            at = np.searchsorted(weights, rng.random(len(y)) * (weights[-1] if len(weights) else 0.0), side="right")
            out[j] = values[at.clip(max=len(values) - 1)] if len(values) else np.full(len(y), np.nan)
        return out

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return no parameters."""
        return {}

    def form(self, attribute: int) -> Form:
        """Return a form that adds nothing."""
        return nothing(self.columns(attribute), self.k)

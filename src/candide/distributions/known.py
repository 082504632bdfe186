"""Known: a density whose missing cell is a level of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.distributions.base import Block, Rules
from candide.distributions.blocks import LeftOut, Wrapping
from candide.distributions.coders import PresenceCoder
from candide.distributions.discrete import Discrete
from candide.distributions.forms import Form
from candide.distributions.links import LOG, Link
from candide.frozen import frozen
from candide.schema.domain import Domain
from candide.schema.order import object_array
from candide.schema.rows import Rows
from candide.smoothing.base import Smoothing
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


@frozen
class Known(Wrapping):
    """P(x | c) = P(known | c) f(x | c), and P(missing | c) for a missing cell.

    Parameters
    ----------
    inner : Block
        The densities.
    presence : Block
        A table of P(known | c) and P(missing | c), one attribute per attribute of `inner`.
    """

    inner: Block
    presence: Block

    @property
    def heard(self) -> Array:
        """Which columns have shown a missing cell (attributes,): of the others none says anything."""
        out: Array = self.presence.coder.heard  # type: ignore[attr-defined]  # made by `known`
        return out

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Add what a number says and what its being there says; NaN where neither says anything."""
        parts = [self.inner.log_terms(rows, without), self.presence.terms(rows, LOG, without)]
        silent = np.isnan(parts[0]) & np.isnan(parts[1])
        return np.where(silent, np.nan, sum(np.where(np.isnan(part), 0.0, part) for part in parts))

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add both under the product; another link asks for their product first."""
        if link is not LOG:
            super().add(rows, link, out, without)
            return
        self.inner.add(rows, link, out, without)
        self.presence.add(rows, link, out, without)

    def add_variance(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add both."""
        self.inner.add_variance(rows, out, rng)
        self.presence.add_variance(rows, out, rng)

    def term_variances(self, rows: Rows, rng: np.random.Generator) -> Array:
        """Return the sum of both."""
        return self.inner.term_variances(rows, rng) + self.presence.term_variances(rows, rng)

    def add_draws(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add both."""
        self.inner.add_draws(rows, out, rng)
        self.presence.add_draws(rows, out, rng)

    def draw(self, rng: np.random.Generator) -> Known:
        """Draw both."""
        return replace(self, inner=self.inner.draw(rng), presence=self.presence.draw(rng))

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw numbers, and which of them are missing."""
        cells = self.inner.sample(rng, y)
        for j, missing in self.presence.sample(rng, y).items():
            cells[j][missing] = np.nan
        return cells

    def cells_of(self, attribute: int) -> list[Any] | None:
        """Return the levels of an attribute, and a missing one where it is a value."""
        inner = self.inner.cells_of(attribute)
        return [*inner, None] if inner is not None and self.heard[attribute] else inner

    def form(self, attribute: int) -> Form:
        """Return the density's form, lifted by log P(known | c)."""
        form = self.inner.form(attribute)
        if not self.heard[attribute]:
            return form
        known, missing = self.presence.form(attribute).table.T  # type: ignore[attr-defined]  # a look-up
        return replace(form.lifted(known), missing=missing)


def known(block: Block, evidence: Evidence, positions: Array, rules: Rules) -> Block:
    """Return a block of densities with its missing cells as levels, where the rules say so."""
    if rules.missing != "level":
        return block
    return Known(block, presence(evidence, positions, rules.smoothing))


def presence(evidence: Evidence, positions: Array, smoothing: Smoothing) -> Discrete:
    """Estimate P(known | c) and P(missing | c) of density columns."""
    missing = np.column_stack([evidence.missing(int(j)) for j in positions])
    counts = np.stack([evidence.class_counts[:, None] - missing, missing], axis=2).reshape(len(missing), -1)
    names = tuple(evidence.schema.columns[j].name for j in positions)
    domain = Domain(names, tuple(object_array(["known", "missing"]) for _ in names), evidence.classes)
    coder = PresenceCoder(positions, np.array([evidence.missing_occurs(int(j)) for j in positions], dtype=bool))
    return Discrete.estimate(coder, domain, counts, smoothing, np.zeros(len(names), dtype=bool))

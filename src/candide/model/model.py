"""The model: a log prior and the parameters of each block of columns. Immutable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from candide.distributions import Block
from candide.distributions.blocks import LeftOut
from candide.distributions.forms import Form
from candide.distributions.links import LOG, Link
from candide.frozen import frozen
from candide.messages import unknown
from candide.model.prior import Prior
from candide.model.settled import Settled
from candide.schema.rows import Rows
from candide.smoothing.base import Smoothing

Array = np.ndarray[Any, Any]


@frozen
class Model:
    """log P(c) and, for each block of columns, what P(x | c) needs.

    Parameters
    ----------
    classes : ndarray
    prior : Prior
    blocks : tuple of Block
    names : tuple
        The columns.
    settled : Settled
        What was chosen for the columns.
    """

    classes: Array
    prior: Prior
    blocks: tuple[Block, ...]
    names: tuple[Any, ...]
    settled: Settled

    def __repr__(self) -> str:
        return f"Model({len(self.classes)} classes, {len(self.attributes)} attributes, {self.smoothing!r})"

    def describe(self, name: Any) -> dict[Any, Array]:
        """Return the parameters of a column, or of a joined attribute, by name; one number per class.

        Where a column is called as a group is, the name is the column's; a group goes by the tuple of its columns, too.
        """
        alone = [(block, i) for block, i in self.attributes if len(block.columns(i)) == 1]
        joined = [(block, i) for block, i in self.attributes if len(block.columns(i)) > 1]
        for block, i in [*alone, *joined]:
            if name in (block.names[i], tuple(self.names[j] for j in block.columns(i))):
                return block.describe(i)
        raise ValueError(unknown("attribute", name, self.attribute_names))

    @property
    def smoothing(self) -> Smoothing:
        """The smoothing rule used."""
        return self.settled.smoothing

    @property
    def chosen(self) -> dict[Any, str]:
        """What was chosen automatically for each column, in words."""
        return self.settled.in_words(self.names)

    @property
    def chosen_by_attribute(self) -> list[str]:
        """What was chosen automatically, in words, by attribute; empty where there was no choice, and for groups."""
        chosen = self.chosen
        return [chosen.get(self.names[at[0]], "") if len(at) == 1 else "" for at in self.columns]

    @property
    def added(self) -> str:
        """What attributes add to the scores under the product, in words."""
        if self.settled.weights is not None:
            return "what each cell adds, by the weights that were settled"
        odd = [block.adds for block in self.blocks if block.adds != Block.adds]
        return odd[0] if odd else Block.adds

    @property
    def log_prior(self) -> Array:
        """Log P(c)."""
        return self.prior.log

    @cached_property
    def order(self) -> Array:
        """The attributes of all blocks in the order of their columns."""
        places = np.concatenate([block.places for block in self.blocks]) if self.blocks else np.zeros(0)
        return np.argsort(places, kind="stable")

    @cached_property
    def attributes(self) -> list[tuple[Block, int]]:
        """Block and position within it of each attribute, in the order of the columns."""
        flat = [(block, i) for block in self.blocks for i in range(len(block.names))]
        return [flat[j] for j in self.order]

    @property
    def attribute_names(self) -> list[Any]:
        """Names of the attributes, in the order of the columns."""
        return [block.names[i] for block, i in self.attributes]

    @cached_property
    def columns(self) -> list[tuple[int, ...]]:
        """The columns of each attribute, in the order of the columns."""
        return [block.columns(i) for block, i in self.attributes]

    @cached_property
    def ignored(self) -> frozenset[int]:
        """The columns that say nothing, whatever their cells are."""
        heard = {j for block, i in self.attributes if block.bare.tells for j in block.columns(i)}
        return frozenset(range(len(self.names))) - heard

    @property
    def forms(self) -> list[Form]:
        """Every attribute told in tables, in the order of the columns."""
        return [block.form(i) for block, i in self.attributes]

    @property
    def forms_told(self) -> Iterator[Form]:
        """The forms of those attributes that have one: documents have none, nor have averages and networks."""
        for block, i in self.attributes:
            with suppress(ValueError):
                yield block.form(i)

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add Σ_i g(P(x_i | c)) to `out` (rows, classes), block by block."""
        for block in self.blocks:
            block.add(rows, link, out, without)

    def terms(self, rows: Rows, link: Link = LOG, without: LeftOut | None = None) -> Array:
        """Return g(P(x_i | c)) per row, class and attribute; NaN where a cell says nothing."""
        if not self.blocks:
            return np.zeros((len(rows), len(self.classes), 0))
        parts = [block.terms(rows, link, without) for block in self.blocks]
        return np.concatenate(parts, axis=2)[:, :, self.order]

    def draw(self, rng: np.random.Generator) -> Model:
        """Return a model drawn from the posterior of its parameters."""
        return replace(self, prior=self.prior.draw(rng), blocks=tuple(block.draw(rng) for block in self.blocks))

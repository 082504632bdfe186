"""The block of averaged dependence: the mean of models in which all attributes depend on the same super-parents."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from candide.distributions.blocks import Block, LeftOut, narrow
from candide.distributions.discrete import Discrete
from candide.distributions.drawing import draw_positions
from candide.distributions.forms import Form
from candide.distributions.in_pairs import InPairs
from candide.distributions.links import LOG, Link
from candide.frozen import frozen
from candide.schema.cells import MISSING
from candide.schema.rows import Rows
from candide.structure.at_once import AtOnce, runs
from candide.structure.attributes import value_codes
from candide.structure.dependence import Dependence
from candide.structure.joined import beyond
from candide.structure.mean_of_models import mean_of, terms_of_mean, variance_of_mean
from candide.structure.structure_block import StructureBlock

Array = np.ndarray[Any, Any]


@frozen
class SuperParents(StructureBlock):
    """log P(x | c), averaged over super-parents.

    Parameters
    ----------
    models : Dependence
    """

    models: Dependence

    @property
    def plain(self) -> Discrete:  # type: ignore[override]  # read only
        """P(x_i | c)."""
        return self.models.plain

    # -- scoring -----------------------------------------------------------------------------------------------------

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return what each attribute adds to log P(x | c), so that the terms add up."""
        return terms_of_mean(self.models, value_codes(self.plain, rows), self.plain.terms(rows, LOG, without), without)

    @cached_property
    def _at_once(self) -> AtOnce:
        return AtOnce(self.models)

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add log P(x | c), by a kernel where nothing is left out or drawn."""
        fixed = self._at_once.fixed if without is None and self.models.drawn is None else None
        if fixed is not None:
            rest: Block = self.plain if self.models.fewer is None else SuperParents(self.models.fewer)
            for start, stop in runs(self._at_once.add(rows, out, fixed)):
                rest.add(rows.slice(start, stop), LOG, out[start:stop])
            return
        for part, batch in rows.batches(self._narrow):
            left = None if without is None else without[part]
            codes, alone = value_codes(self.plain, batch), self.plain.terms(batch, LOG, left)
            out[part] += mean_of(self.models, codes, alone, left)

    @property
    def _narrow(self) -> int:
        """How many rows can be worked on when every model is kept apart."""
        return narrow(self.n_classes, len(self.names) + sum(1 for _ in self.models.choices()))

    def add_variance(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add the posterior variance of log P(x | c)."""
        for part, batch in rows.batches(self._narrow):
            out[part] += variance_of_mean(self.models, value_codes(self.plain, batch), self.plain.terms(batch, LOG))

    # -- drawing and telling -----------------------------------------------------------------------------------------

    def draw(self, rng: np.random.Generator) -> SuperParents:
        """Draw every table."""
        return SuperParents(self.models.draw(rng))

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw super-parents for each row, their values, and those of all other columns given these."""
        models = self.models
        choices = list(models.choices())
        codes = np.full((len(y), len(self.names)), MISSING, dtype=np.int64)
        if not choices or not self.domain.sizes.all():
            return self.plain.sample(rng, y)
        of_row = rng.integers(0, len(choices), len(y))
        for choice in np.unique(of_row):
            rows, J = np.flatnonzero(of_row == choice), choices[choice]
            codes[rows, J[0]] = draw_positions(rng, self.plain.theta_of(J[0]), y[rows])
            for i in (*J[1:], *(i for i in range(len(self.names)) if i not in J)):
                block, given = (models, J) if i not in J else (models.fewer, J[:-1])
                assert block is not None
                theta = block.theta(given, i)
                at = y[rows] * theta.shape[1] + block.at(codes[rows], given)
                codes[rows, i] = draw_positions(rng, theta.reshape(-1, theta.shape[2]), at)
        last = self.plain.absent & (codes == self.domain.sizes - 1)
        return self.plain.coder.sample(rng, np.where(last, MISSING, codes))

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return P(x_i | c) by value."""
        return self.plain.describe(attribute)

    def in_pairs(self) -> InPairs:
        """Return what columns say alone, and pairs: of D models two have one of a pair as the other's super-parent."""
        of_one, width = self.models if self.models.fewer is None else self.models.fewer, len(self.names)
        weight = min(1.0, 2 * self.models.n / width)
        some = [pair for pair in combinations(range(width), 2) if self.domain.sizes[list(pair)].all()]
        pairs = (beyond(self.plain, (i, j), of_one.beyond(i, j), of_one.chances(i, j), (1, weight)) for i, j in some)
        return InPairs(tuple(self.plain.form(i) for i in range(width)), tuple(pairs))

    def form(self, attribute: int) -> Form:
        """Refuse: no column tells anything by itself."""
        raise ValueError("an average of models is no sum of tables, and cannot be told in them")

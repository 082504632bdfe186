"""The block of a network: Π over nodes of P(node | parents), with what is unknown summed out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from candide.arithmetic import log
from candide.distributions.blocks import DRAWS, Block, LeftOut, narrow
from candide.distributions.discrete import Discrete
from candide.distributions.forms import Form, Lookup, nothing
from candide.distributions.links import Link
from candide.frozen import frozen
from candide.model.prior import Prior
from candide.schema.cells import MISSING
from candide.schema.domain import Domain
from candide.schema.rows import Rows
from candide.structure.attributes import value_codes
from candide.structure.factors import Factors
from candide.structure.families import ClassFamily
from candide.structure.family_tables import chances_of_column, form_of_class, form_of_column

Array = np.ndarray[Any, Any]


@frozen
class NetworkBlock(Block):
    """P(x | c) of a network: the product of all P(node | parents), over the P(c) that the model's prior holds.

    Parameters
    ----------
    factors : Factors
        All P(node | parents).
    target : str
        What the class is called.
    prior : Prior
        P(c), as the model adds it; it is taken off again where the class has parents.
    """

    factors: Factors
    target: str
    prior: Prior

    adds: ClassVar[str] = "what each cell adds, given others"

    @property
    def plain(self) -> Discrete:
        """P(x_i | c), whose domain and coder are those of the columns."""
        return self.factors.plain

    @property
    def of_class(self) -> ClassFamily | None:
        """P(c | parents); None where the class has no parents, and P(c) is the prior."""
        return self.factors.of_class

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # the nodes
        """The columns, and behind them the class, where it has parents."""
        return self.plain.names if self.of_class is None else (*self.plain.names, self.target)

    @property
    def domain(self) -> Domain:
        """The values of the columns."""
        return self.plain.domain

    @property
    def places(self) -> Array:
        """The columns; the class comes last."""
        return np.arange(len(self.names))

    @property
    def n_classes(self) -> int:
        """K."""
        return self.plain.n_classes

    def columns(self, attribute: int) -> tuple[int, ...]:
        """Return the column of a node; for the class, its parents."""
        if self.of_class is not None and attribute == len(self.factors.columns):
            return self.of_class.columns
        return (attribute,)

    # -- scoring -----------------------------------------------------------------------------------------------------

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add log P(x | c), the nodes summed out of which nothing is known."""
        for part, batch in rows.batches(narrow(self.n_classes, len(self.names))):
            codes = value_codes(self.plain, batch)
            left = None if without is None else without[part]
            for some, unknown in self.factors.patterns(codes):
                mine = None if left is None else left[some]
                out[part.start + some] += self._relative(self.factors.joint(codes[some], unknown, mine), mine)

    def _relative(self, joint: Array, left: LeftOut | None) -> Array:
        """Return log P(x, c) less the log P(c) that the prior adds, where the class has parents."""
        if self.of_class is None:
            return joint
        log_prior = self.prior.log if left is None else self.prior.without(left)
        return joint - np.where(np.isfinite(log_prior), log_prior, 0.0)

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return log P(node | parents) per row, class and node; NaN where a cell says nothing.

        Of rows in which something that matters is unknown: log P(x_i | x_1 ... x_i-1, c), so that they add up.
        """
        codes = value_codes(self.plain, rows)
        out = np.full((len(codes), self.n_classes, len(self.names)), np.nan)
        for some, unknown in self.factors.patterns(codes):
            left = None if without is None else without[some]
            whole = self.factors.barren(unknown) == unknown
            out[some] = self._nodes(codes[some], unknown, left) if whole else self._chain(codes[some], unknown, left)
        return out

    def _nodes(self, codes: Array, unknown: set[int], left: LeftOut | None) -> Array:
        out = np.full((len(codes), self.n_classes, len(self.names)), np.nan)
        for i, family in enumerate(self.factors.columns):
            if i not in unknown:
                out[:, :, i] = log(family.at(codes, unknown, left)[0])
        if self.of_class is not None:
            out[:, :, -1] = self._relative(log(self.of_class.at(codes, unknown, left)[0]), left)
        return out

    def _chain(self, codes: Array, unknown: set[int], left: LeftOut | None) -> Array:
        d = len(self.factors.columns)
        out = np.full((len(codes), self.n_classes, len(self.names)), np.nan)
        before = self.factors.joint(codes, set(range(d)), None)
        if self.of_class is not None:
            out[:, :, -1] = self._relative(before, left)
        known = [i for i in range(d) if i not in unknown]
        for i in known:
            now = self.factors.joint(codes, unknown | set(range(i + 1, d)), None)
            if i == known[-1]:  # what leaving the row out changes is told with the last
                now = self.factors.joint(codes, unknown, left)
            with np.errstate(invalid="ignore"):
                out[:, :, i] = np.where(np.isfinite(before), now - before, 0.0)
            before = now
        return out

    def add_variance(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add the posterior variances of log P(node | parents); by drawing where something is summed out."""
        codes = value_codes(self.plain, rows)
        told = [replace(family, theta=family.variance()) for family in self.factors.families]
        for some, unknown in self.factors.patterns(codes):
            silent = self.factors.barren(unknown)
            if silent != unknown:
                drawn = np.stack([self.factors.draw(rng).joint(codes[some], unknown, None) for _ in range(DRAWS)])
                out[some] += np.where(np.isfinite(drawn), drawn, 0.0).var(axis=0)
                continue
            for family in told:
                if not set(family.columns) & silent:
                    out[some] += family.at(codes[some], unknown, None)[0]

    # -- drawing and telling -----------------------------------------------------------------------------------------

    def draw(self, rng: np.random.Generator) -> NetworkBlock:
        """Draw every table."""
        return replace(self, factors=self.factors.draw(rng))

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw columns given the class: parents before children, or by the chain rule where the class has parents."""
        codes = np.full((len(y), len(self.factors.columns)), MISSING, dtype=np.int64)
        for i in self.factors.order if self.of_class is None else range(len(self.factors.columns)):
            if not self.domain.sizes[i]:
                continue
            if self.of_class is None:
                family = self.factors.columns[i]
                k = y if family.of_class else np.zeros(len(y), dtype=np.int64)
                weights = family.theta[(k, *(codes[:, p] for p in family.columns[:-1]))]
            else:
                joint = self.factors.distribution(codes, i)[np.arange(len(y)), :, y]
                weights = np.exp(joint - np.maximum(joint.max(axis=1, keepdims=True), np.finfo(float).min))
            codes[:, i] = draw_each(rng, weights)
        last = self.plain.absent & (codes == self.domain.sizes - 1)
        return self.plain.coder.sample(rng, np.where(last, MISSING, codes))

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return P(x_i | c) of a column by value; of the class, P(c)."""
        if self.of_class is not None and attribute == len(self.factors.columns):
            return {str(self.target): self.prior.alpha}
        return self.plain.describe(attribute)

    def form(self, attribute: int) -> Form:
        """Return the table of a column, where none depends on another: else the unknown is summed out over several."""
        if self.of_class is not None or any(len(family.columns) > 1 for family in self.factors.columns):
            raise ValueError("a network is told by its tables of several columns, and not column by column")
        if not self.factors.columns[attribute].of_class:
            return nothing(self.columns(attribute), self.n_classes)
        return self.plain.form(attribute)

    @property
    def sums_out(self) -> bool:  # type: ignore[override]  # by the graph, and by what may be unknown
        """Whether a node has a column as its parent that may be unknown."""
        parents = {p for family in self.factors.columns for p in family.columns[:-1]}
        if self.of_class is not None:
            parents |= {*self.of_class.columns}
        return not all(self.plain.absent[p] for p in parents)

    def chances_together(self, attribute: int) -> Lookup | None:
        """Return the table of log P(node, parents | c), softened within the parents' values."""
        return None if attribute == len(self.factors.columns) else chances_of_column(self.factors, attribute)

    def form_where_known(self, attribute: int) -> Form:
        """Return the table of a node and its parents."""
        if self.of_class is not None and attribute == len(self.factors.columns):
            log_prior = self.prior.log
            return form_of_class(self.factors, self.of_class, np.where(np.isfinite(log_prior), log_prior, 0.0))
        return form_of_column(self.factors, attribute)


def draw_each(rng: np.random.Generator, weights: Array) -> Array:
    """Return a position for each row, drawn by its own weights (rows, V); evenly where all of them are zero."""
    own = np.where(weights.any(axis=1, keepdims=True), weights, 1.0)
    edges = np.cumsum(own, axis=1)
    u = rng.random((len(own), 1)) * edges[:, -1:]
    return np.asarray((edges > u).argmax(axis=1))

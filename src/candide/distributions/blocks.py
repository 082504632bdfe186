"""Blocks: the parameters of some columns, and all that scoring, drawing and telling needs of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from candide.distributions.forms import Form, Lookup
from candide.distributions.in_pairs import InPairs
from candide.distributions.links import LOG, Link
from candide.distributions.summands import Summands
from candide.frozen import frozen
from candide.schema.rows import BATCH, Rows

Array = np.ndarray[Any, Any]

KEPT_APART = 1 << 22
"""Terms kept at a time where every attribute is kept apart."""


DRAWS = 200
"""Models drawn where a block does not know the variance of its terms."""


def narrow(n_classes: int, n_attributes: int) -> int:
    """Return how many rows can be worked on when every attribute is kept apart."""
    return max(1, min(BATCH, KEPT_APART // max(1, n_classes * n_attributes)))


@frozen
class LeftOut:
    """Rows that are left out of the parameters that score them.

    Parameters
    ----------
    y : ndarray of int (rows,)
        The class in which each row was learnt; negative where it was not learnt at all.
    weight : ndarray (rows,)
        The weight with which it was learnt.
    """

    y: Array
    weight: Array

    def __getitem__(self, part: Any) -> LeftOut:
        return LeftOut(self.y[part], self.weight[part])

    def own(self, n_classes: int) -> Array:
        """Return the weights (rows, K), each in its own class."""
        out = np.zeros((len(self.y), n_classes))
        known = self.y >= 0
        out[known, self.y[known]] = self.weight[known]
        return out


class Block(ABC):
    """The parameters of a block of columns: immutable, and all that scoring needs.

    A block writes `log_terms`, or `terms` itself, and `add` where it can do without an array of rows, classes and
    attributes.

    Attributes
    ----------
    names : tuple
        What each attribute is called.
    reads_sparse : bool
        Whether sparse rows are scored as they are, without spelling out their zeros.
    by_rows : bool
        Whether a few rows cost in proportion: nothing is made anew for every batch.
    adds_pairs : bool
        Whether attributes are pairs of columns that are attributes already, in small tables.
    adds : str
        What its terms are, in words.
    doubted : bool
        Whether intervals know how much its terms vary with the rows that were learnt.
    """

    names: tuple[Any, ...]
    reads_sparse: ClassVar[bool] = False
    by_rows: ClassVar[bool] = True
    adds_pairs: ClassVar[bool] = False
    adds: ClassVar[str] = "the sum of log P(cell | class)"
    doubted: ClassVar[bool] = True

    @property
    @abstractmethod
    def places(self) -> Array:
        """The column that each attribute is read from (the first one of a group)."""

    @property
    @abstractmethod
    def n_classes(self) -> int:
        """K."""

    @property
    def tables(self) -> list[Any]:
        """The tables of counts that a smoothing rule softens (`Discrete`), if there are any."""
        return []

    @property
    def bare(self) -> Block:
        """The block without what was wrapped around it."""
        return self

    def columns(self, attribute: int) -> tuple[int, ...]:
        """Return the columns that an attribute is made of."""
        return (int(self.places[attribute]),)

    def cells_of(self, attribute: int) -> list[Any] | None:
        """Return the levels of an attribute that has a table, None for a missing one; None where it has no table."""
        return None

    def cuts_of(self, attribute: int) -> Array | None:
        """Return the cuts between the cells of numbers; None where the attribute has none."""
        return None

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return log P(x_i | c) per row, class and attribute; NaN where the cell says nothing."""
        return self.terms(rows, LOG, without)

    def terms(self, rows: Rows, link: Link, without: LeftOut | None = None) -> Array:
        """Return g(P(x_i | c)) per row, class and attribute; with `without`, by the parameters without each row."""
        log_p = self.log_terms(rows, without)
        return link.of_log(log_p, lambda: self.log_background(link, log_p, rows, without))

    def log_background(self, link: Link, log_p: Array, rows: Rows, without: LeftOut | None) -> Array:
        """Return the logarithm of the background (rows, 1, attributes): the mixture over classes."""
        return link.mixture(log_p)

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add Σ_i g(P(x_i | c)) to `out` (rows, classes)."""
        for part, batch in rows.batches(narrow(out.shape[1], len(self.names))):
            left = None if without is None else without[part]
            out[part] += np.nansum(self.terms(batch, link.at(part), left), axis=2)

    def spelt_out(self, rows: Rows) -> Summands | None:
        """Return what the block's one attribute is a sum of, where it is one."""
        return None

    def add_variance(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add the posterior variance of Σ_i log P(x_i | c) to `out` (rows, classes): variances of terms add."""
        out += self.term_variances(rows, rng).sum(axis=2)

    def term_variances(self, rows: Rows, rng: np.random.Generator) -> Array:
        """Return the posterior variance of log P(x_i | c) per row, class and attribute; 0 where a cell says nothing.

        Here from models drawn; a block that knows the variance of its terms says that instead.
        """
        return drawn_variance(lambda: self.draw(rng).log_terms(rows))

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Block:
        """Return a block drawn from the posterior of its parameters."""

    def add_draws(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Add Σ_i log P(x_i | c) of as many drawn blocks as `out` (draws, rows, classes) has room for.

        Rows may have draws of their own: a block that knows the posterior of the terms that they ask for draws those.
        """
        for into in out:
            self.draw(rng).add(rows, LOG, into)

    @abstractmethod
    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Return cells drawn for rows of classes y, by column position."""

    @abstractmethod
    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return the parameters of one attribute by name, arrays with the class axis first."""

    @abstractmethod
    def form(self, attribute: int) -> Form:
        """Return one attribute told in tables."""

    tells: ClassVar[bool] = True
    """Whether cells say anything, whatever they are."""

    sums_out: ClassVar[bool] = False
    """Whether what is unknown is summed out of several attributes at once, which no table of one tells."""

    def form_where_known(self, attribute: int) -> Form:
        """Return one attribute told in tables, which add up to the score of rows that know all columns."""
        return self.form(attribute)

    def chances_together(self, attribute: int) -> Lookup | None:
        """Return log P(x_i, others | c) of an attribute that is told given others, as its form is; else None."""
        return None

    def in_pairs(self) -> InPairs | None:
        """Return what attributes say alone and in pairs, of a mean of models, which is no sum; None of all others."""
        return None


class Wrapping(Block):
    """A block around another: the attributes, what they are read from and what is drawn of them are the inner one's.

    Attributes
    ----------
    inner : Block
    """

    inner: Block

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # those of the inner block
        """What each attribute is called."""
        return self.inner.names

    @property
    def places(self) -> Array:
        """The columns."""
        return self.inner.places

    @property
    def n_classes(self) -> int:
        """K."""
        return self.inner.n_classes

    @property
    def bare(self) -> Block:
        """The inner block, without what was wrapped around it."""
        return self.inner.bare

    def columns(self, attribute: int) -> tuple[int, ...]:
        """Return the columns that an attribute is made of."""
        return self.inner.columns(attribute)

    def cuts_of(self, attribute: int) -> Array | None:
        """Return the cuts of the inner block."""
        return self.inner.cuts_of(attribute)

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw cells as the inner block does."""
        return self.inner.sample(rng, y)

    def describe(self, attribute: int) -> dict[Any, Array]:
        """Return the parameters of an attribute, as the inner block has them."""
        return self.inner.describe(attribute)


def drawn_variance(draw: Callable[[], Array]) -> Array:
    """Return the variance of what is drawn, entry by entry; what is drawn as impossible or silent counts as zero."""
    total: Array = np.zeros(())
    squares: Array = np.zeros(())
    for _ in range(DRAWS):
        drawn = draw()
        finite = np.where(np.isfinite(drawn), drawn, 0.0)
        total, squares = total + finite, squares + finite**2
    return np.maximum(squares / DRAWS - (total / DRAWS) ** 2, 0.0)

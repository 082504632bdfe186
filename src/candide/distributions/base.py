"""What a distribution is: a rule that turns evidence on columns into a block, and a block that scores rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from candide.rules import Rule
from candide.schema.domain import Domain
from candide.schema.rows import BATCH, Rows
from candide.schema.schema import Storage
from candide.smoothing.base import Smoothing
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Support:
    """Where a distribution lives: what it is called, and which numbers lie outside."""

    says: str
    outside: Callable[[Array], Array]


REAL = Support("any number", lambda x: np.zeros(np.shape(x), dtype=bool))
NONNEGATIVE = Support("numbers that are not negative", lambda x: x < 0)
POSITIVE = Support("positive numbers", lambda x: x <= 0)
WHOLE = Support("whole numbers that are not negative", lambda x: (x < 0) | ((x != np.floor(x)) & ~np.isnan(x)))
BINARY = Support("0 and 1", lambda x: ~np.isnan(x) & (x != 0) & (x != 1))


def rows_outside(sparse: Any, support: Support) -> Array:
    """Return the rows of a sparse table that hold a number outside a support that zero is in."""
    entries = np.flatnonzero(support.outside(sparse.data))
    return np.unique(np.searchsorted(sparse.indptr, entries, side="right") - 1)


@dataclass(frozen=True)
class Rules:
    """The rules an estimate depends on besides the distribution itself."""

    smoothing: Smoothing
    missing: Literal["ignore", "level"] = "ignore"


class Distribution(Rule):
    """The form of P(x | c) for a block of columns.

    A new distribution says which statistic it reads (`storage`), whether it gives probabilities of values
    (`discrete`) or densities, where it lives (`support`), and how it is estimated (`estimate`).
    """

    kind: ClassVar[Literal["symbols", "numbers"]] = "numbers"
    storage: ClassVar[Storage] = "moments"
    discrete: ClassVar[bool] = False
    support: ClassVar[Support] = REAL
    levels: Sequence[Any] | None = None

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Return the parameters of a block of columns, from statistics alone."""
        raise NotImplementedError

    def settle(self, evidence: Evidence, position: int, discrete: bool) -> Choice:
        """Return the distribution that a column gets; an automatic rule chooses here, from the evidence."""
        return Choice(self.name, self, {})

    def fixed(self, block: Block, position: int) -> Distribution:
        """Return this distribution with the choices it made for a column (its cut points) given."""
        return self


@dataclass(frozen=True)
class Choice:
    """The distribution of a column, and how well every candidate did where there was a choice.

    Parameters
    ----------
    name : str
        The candidate chosen.
    distribution : Distribution
    scores : mapping of str to float
        Mean leave-one-out log P(c | x) in nats per unit of weight, by candidate; simplest first.
    """

    name: str
    distribution: Distribution
    scores: Mapping[str, float]


KEPT_APART = 1 << 22
"""Log-likelihoods kept at a time where every attribute is kept apart."""


def narrow(n_classes: int, n_attributes: int) -> int:
    """Return how many rows can be worked on when every attribute is kept apart."""
    return max(1, min(BATCH, KEPT_APART // max(1, n_classes * n_attributes)))


class Block(ABC):
    """The parameters of a block of columns: immutable, and all that scoring needs.

    Attributes
    ----------
    names : tuple
        What each contribution is called; one per attribute.
    domain : Domain or None
        The values of the attributes, where they are discrete.
    reads_sparse : bool
        Whether sparse rows are scored as they are, without spelling out their zeros.
    """

    names: tuple[Any, ...]
    domain: Domain | None
    reads_sparse: ClassVar[bool] = False

    @property
    @abstractmethod
    def places(self) -> Array:
        """The column that each attribute is read from (the first one of a group)."""

    @abstractmethod
    def log_likelihood(self, rows: Rows) -> Array:
        """Return log P(x_i | c) per row, class and attribute; NaN where the cell says nothing."""

    def add(self, rows: Rows, out: Array) -> None:
        """Add Σ_i log P(x_i | c) to `out` (rows, classes)."""
        out += np.nansum(self.log_likelihood(rows), axis=2)

    @abstractmethod
    def leave_one_out(self, rows: Rows, y: Array, weight: Array) -> Array:
        """Return `log_likelihood` with each row scored by the parameters estimated without it."""

    def add_left_out(self, rows: Rows, y: Array, weight: Array, out: Array) -> None:
        """Add Σ_i log P(x_i | c) to `out` (rows, classes), each row scored by the parameters estimated without it."""
        for part, batch in rows.batches(narrow(out.shape[1], len(self.names))):
            out[part] += np.nansum(self.leave_one_out(batch, y[part], weight[part]), axis=2)

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Block:
        """Return a block drawn from the posterior of its parameters."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Return cells drawn for rows of classes y, by column position."""

    @abstractmethod
    def describe(self, attribute: int) -> dict[str, Array]:
        """Return the parameters of one attribute by name, arrays with the class axis first."""

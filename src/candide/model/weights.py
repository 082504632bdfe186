"""Weights: how much the evidence of each column counts, and what was found to be added to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from candide.distributions.base import Distribution
from candide.distributions.pair_tables import Coarse
from candide.distributions.scaled import middles
from candide.distributions.smooth import Smooth
from candide.frozen import frozen
from candide.messages import unknown
from candide.rules import Rule
from candide.schema.column import Kind

Array = np.ndarray[Any, Any]

FARTHEST = 5.0
"""A number counts as at most so many standard deviations from the mean."""


@frozen
class Slope:
    """β_c z with z = (x − mean) / spread, at most `FARTHEST` in size.

    Parameters
    ----------
    mean, spread : float
    low, high : float
        The ends of the numbers that it was found on.
    by_class : ndarray (K,)
    """

    mean: float
    spread: float
    low: float
    high: float
    by_class: Array

    def at(self, cuts: Array) -> Array:
        """Return z in the middle of each cell between cuts."""
        return deviation(middles(cuts, self.low, self.high), self.mean, self.spread)


def deviation(x: Array, mean: float, spread: float) -> Array:
    """Return (x − mean) / spread, at most `FARTHEST` in size; 0 where all numbers are the same."""
    z = (x - mean) / spread if spread > 0 else np.zeros_like(x)
    return np.clip(z, -FARTHEST, FARTHEST)


@frozen
class ColumnWeight:
    """What was found for one attribute.

    Parameters
    ----------
    shift : float
        u: its evidence counts τ + u.
    slope : Slope or None
        What a number adds besides.
    levels : tuple
        Levels, None for the missing cell, which add something besides.
    by_level : ndarray (levels, K)
    """

    shift: float = 0.0
    slope: Slope | None = None
    levels: tuple[Any, ...] = ()
    by_level: Array = field(default_factory=lambda: np.zeros((0, 0)))


@frozen
class PairWeight:
    """What two columns add together: entries (cells of the first, cells of the second, K)."""

    one: Coarse
    other: Coarse
    entries: Array

    @property
    def columns(self) -> tuple[str | int, str | int]:
        """The two columns."""
        return self.one.column, self.other.column


@frozen
class Weights:
    """θ log P(c) + b_c + Σ_i (τ + u_i) log P(x_i | c) + what numbers, levels and pairs add besides.

    Everything goes by name: of columns, levels and classes, so that what is gone is left out.

    Parameters
    ----------
    labels : ndarray (K,)
        The classes that the arrays are of.
    prior : float
        θ.
    bias : ndarray (K,)
        b.
    temperature : float
        τ.
    columns : mapping of name to ColumnWeight
        By the names of the model's attributes.
    pairs : tuple of PairWeight
    rows : int
        On how many rows they were settled; 0 where they were given.
    learnt : float
        The weight of all rows that were learnt then.
    by : Weighing or None
        The rule that settled them; None where they were given.
    """

    labels: Array
    prior: float = 1.0
    bias: Array = field(default_factory=lambda: np.zeros(0))
    temperature: float = 1.0
    columns: Mapping[Any, ColumnWeight] = field(default_factory=dict)
    pairs: tuple[PairWeight, ...] = ()
    rows: int = 0
    learnt: float = 0.0
    by: Rule | None = None

    @property
    def settled_rank(self) -> tuple[float, ...]:
        """By what the weights of two models are put in order, as `Distribution.settled_rank` of rules."""
        shifts = sorted(column.shift for column in self.columns.values())
        return (self.rows, self.learnt, self.temperature, self.prior, *self.bias.tolist(), *shifts)

    def weight(self, name: Any) -> float:
        """Return τ + u of an attribute."""
        found = self.columns.get(name)
        return self.temperature + (0.0 if found is None else found.shift)

    @classmethod
    def once(cls, labels: Array, rows: int = 0, learnt: float = 0.0) -> Weights:
        """Return weights under which every column counts once."""
        return cls(labels, bias=np.zeros(len(labels)), rows=rows, learnt=learnt)

    def at(self, classes: Array) -> Array:
        """Return where each of other classes is among the labels; -1 where it is not."""
        place = {label: c for c, label in enumerate(self.labels.tolist())}
        return np.array([place.get(label, -1) for label in classes.tolist()], dtype=np.int64)


def by_class(values: Array, at: Array) -> Array:
    """Return values (..., K) for other classes, by their places; 0 where a class has none."""
    padded = np.concatenate([values, np.zeros((*values.shape[:-1], 1))], axis=-1)
    return np.asarray(padded[..., at])


def given_weights(weights: Mapping[Any, float], labels: Array, names: Sequence[Any]) -> Weights:
    """Return weights that the user gave; a column that is not named counts once."""
    for name, weight in weights.items():
        if name not in names:
            raise ValueError(f"weights: {unknown('column', name, names)}")
        if not np.isreal(weight) or not np.isfinite(weight):
            raise ValueError(f"weights: {weight!r} is not a number for column {name!r} to count")
    columns = {name: ColumnWeight(float(weight) - 1.0) for name, weight in weights.items()}
    return Weights(labels, bias=np.zeros(len(labels)), columns=columns)


class Weighing(Rule):
    """How much the evidence of each column counts."""

    on_rows: ClassVar[bool] = True
    """Whether it is settled on rows that were learnt."""

    automatic: ClassVar[Mapping[Kind, type[Distribution]]] = {"numbers": Smooth}
    """What columns get when nothing is said of them, where it is not what they get without weights."""

    def settle(self, model: Any, parts: Sequence[Any], y: Array, weight: Array) -> Weights:
        """Return the weights of a model, settled on rows that it has learnt.

        Parameters
        ----------
        model : Model
        parts : sequence of Rows
        y, weight : ndarray (rows,)
        """
        raise NotImplementedError

    def weigh(self, model: Any) -> Weights:
        """Return the weights of a model where they are not settled on rows."""
        raise NotImplementedError

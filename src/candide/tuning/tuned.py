"""Tuned: the rules by which the evidence of columns is weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from candide.model.model import Model
from candide.model.weights import Weighing, Weights, given_weights
from candide.schema.rows import Rows

Array = np.ndarray[Any, Any]


class Temperature(Weighing):
    """θ log P(c) + b_c + τ Σ_i log P(x_i | c): one number for all the evidence, so that probabilities are honest."""

    name = "temperature"

    def settle(self, model: Model, parts: Sequence[Rows], y: Array, weight: Array) -> Weights:
        """Return one weight for all columns."""
        from candide.tuning.temperature import settle_temperature

        return settle_temperature(model, parts, y, weight)


class Tuned(Weighing):
    """θ log P(c) + b_c + Σ_i (τ + u_i) log P(x_i | c) + what numbers, levels and pairs of columns add besides.

    Parameters
    ----------
    pairs : int
        How many pairs of columns at the most add something together; half as many more are looked for afterwards, in
        what these leave over.
    ridge : bool
        Whether numbers and levels add something besides their weighted evidence.
    seed : int
        Of the folds by which penalties are weighed.
    """

    name = "tuned"

    def __init__(self, pairs: int = 30, ridge: bool = True, seed: int = 0) -> None:
        self.pairs = pairs
        self.ridge = ridge
        self.seed = seed

    def check(self) -> None:
        """Refuse numbers of pairs and seeds that are none."""
        for name in ("pairs", "seed"):
            value = getattr(self, name)
            if not isinstance(value, (int, np.integer)) or value < 0:
                raise ValueError(f"Tuned({name}={value!r}): a whole number that is not negative")

    def settle(self, model: Model, parts: Sequence[Rows], y: Array, weight: Array) -> Weights:
        """Return the weights of all columns, and what they add besides."""
        from candide.tuning.settling import settle

        return settle(model, parts, y, weight, ridge=self.ridge, pairs=self.pairs, seed=self.seed)


class Fixed(Weighing):
    """Weights as they are given, by column.

    Parameters
    ----------
    weights : mapping of column to number
    """

    on_rows = False
    automatic = {}

    def __init__(self, weights: Mapping[Any, float]) -> None:
        self.weights = weights

    def weigh(self, model: Model) -> Weights:
        """Return the weights, for the columns of a model."""
        return given_weights(self.weights, model.classes, model.attribute_names)

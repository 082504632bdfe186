"""Densities estimated from moments: one formula each, on arrays of any shape whose first axis is the class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from candide.distributions.base import Block, Distribution, Rules
from candide.distributions.discrete import Discrete, log
from candide.domains import Domain
from candide.evidence import Evidence
from candide.rows import MISSING, Rows
from candide.schema import Storage, object_array
from candide.smoothing import Smoothing
from candide.statistics import Moments

Array = np.ndarray[Any, Any]
Parameters = dict[str, Array]

VARIANCE_FLOOR = 1e-3
"""A class's variance is at least this share of the column's variance over all classes."""

ROUNDING = 16 * np.finfo(float).eps
"""A column that deviates less than this from its mean, relative to it, is constant."""


class MomentDistribution(Distribution):
    """A density whose parameters are functions of moments.

    A subclass writes `parameters`, `log_density`, `draw` and `draw_cells`; all take and give arrays with the class axis
    first, so that one formula serves the fit (K, D) and leaving one row out (K, rows).
    """

    storage: ClassVar[Storage] = "moments"
    logs: ClassVar[bool] = False

    def parameters(self, x: Moments, log_x: Moments | None) -> Parameters:
        """Return the parameters by name."""
        raise NotImplementedError

    def log_density(self, x: Array, p: Parameters) -> Array:
        """Return log f(x) for numbers inside the support."""
        raise NotImplementedError

    def draw(self, rng: np.random.Generator, x: Moments, log_x: Moments | None, p: Parameters) -> Parameters:
        """Return parameters drawn from their posterior."""
        raise NotImplementedError

    def draw_cells(self, rng: np.random.Generator, p: Parameters) -> Array:
        """Return one number for each entry of the parameters."""
        raise NotImplementedError

    def add(self, x: Array, p: Parameters, out: Array) -> bool:
        """Add the log-densities of (rows, D) numbers to out in one pass; False where there is no such pass."""
        return False

    def add_left_out(self, x: Array, moments: Moments, y: Array, weight: Array, out: Array) -> bool:
        """Add as `add` does, each row taken out of the moments of its class; False where there is no such pass."""
        return False

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Estimate the whole block at once."""
        x = evidence.moments(positions)
        log_x = evidence.log_moments(positions) if self.logs else None
        names = tuple(evidence.schema.columns[j].name for j in positions)
        known = presence(evidence, positions, rules.smoothing) if rules.missing == "level" else None
        return Density(self, positions, names, x, log_x, self.parameters(x, log_x), known)


def floored(x: Moments) -> tuple[Array, Array, Array]:
    """Return mean and variance with the variance floor, and where the column says nothing.

    var = max(m2 / n, 1e-3 v) with v the variance of the column over all classes; a class that has not seen the
    column takes the moments of all classes; a column with v = 0, up to the rounding of its mean, says nothing.
    """
    everything = x.pooled()
    v = np.broadcast_to(everything.var, x.mean.shape)
    mean = np.where(x.n > 0, x.mean, everything.mean)
    var = np.where(x.n > 0, np.maximum(x.var, VARIANCE_FLOOR * v), v)
    return mean, var, v <= (ROUNDING * everything.mean) ** 2


@dataclass(frozen=True, eq=False)
class PresenceCoder:
    """Whether the cells of density columns are known (0) or missing (1); a column that never missed one is silent."""

    places: Array
    heard: Array

    def codes(self, rows: Rows) -> Array:
        """Return 0 or 1, and -1 for a silent column."""
        x = rows.numbers(self.places).astype(float, copy=False)
        return np.where(self.heard, np.isnan(x).astype(np.int32), MISSING)

    def add(self, rows: Rows, table: Array, out: Array) -> bool:
        """Leave it to the codes."""
        return False

    def sample(self, rng: np.random.Generator, codes: Array) -> dict[int, Array]:
        """Return which cells are missing; of a silent column none."""
        return {int(j): (codes[:, i] == 1) & self.heard[i] for i, j in enumerate(self.places)}


def presence(evidence: Evidence, positions: Array, smoothing: Smoothing) -> Discrete:
    """Estimate P(known | c) and P(missing | c) of density columns, where missing is a level of its own."""
    missing = np.column_stack([evidence.missing(int(j)) for j in positions])
    known = evidence.statistics.classes.table[:, None] - missing
    counts = np.stack([known, missing], axis=2).reshape(len(known), -1)
    names = tuple(evidence.schema.columns[j].name for j in positions)
    domain = Domain(names, tuple(object_array(["known", "missing"]) for _ in names), evidence.classes)
    coder = PresenceCoder(positions, np.array([evidence.missing_occurs(int(j)) for j in positions], dtype=bool))
    return Discrete.estimate(coder, domain, counts, smoothing, np.zeros(len(names), dtype=bool))


@dataclass(frozen=True, eq=False)
class Density(Block):
    """log f(x_i | c) for a block of columns."""

    distribution: MomentDistribution
    positions: Array
    names: tuple[Any, ...]
    x: Moments
    log_x: Moments | None
    p: Parameters
    presence: Discrete | None = None
    domain: None = None

    @property
    def places(self) -> Array:
        """The columns."""
        return self.positions

    def evaluate(self, x: Array, p: Parameters) -> Array:
        """Return the log-density: minus infinity outside the support, NaN where x is missing or the column silent."""
        outside = self.distribution.support.outside(x)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            out = self.distribution.log_density(np.where(outside, np.nan, x), p)
        out = np.where(outside, -np.inf, out)
        return np.where(np.isnan(x) | p["silent"], np.nan, out)

    def log_likelihood(self, rows: Rows) -> Array:
        """Return log f(x_i | c), with the probability of being known where missing is a level."""
        x = rows.numbers(self.positions).astype(float, copy=False)
        p = {name: value[None] for name, value in self.p.items()}
        out = self.evaluate(x[:, None, :], p)
        return out if self.presence is None else both(out, self.presence.log_likelihood(rows))

    def add(self, rows: Rows, out: Array) -> None:
        """Add the block's log-densities, in one pass where the distribution has one."""
        if not self.distribution.add(rows.numbers(self.positions), self.p, out):
            super().add(rows, out)
        elif self.presence is not None:
            self.presence.add(rows, out)

    def leave_one_out(self, rows: Rows, y: Array, weight: Array) -> Array:
        """Return log f(x_i | c) with the moments of each row's class less the row."""
        x = rows.numbers(self.positions).astype(float, copy=False)
        out = np.empty((len(x), len(self.x.n), len(self.names)))
        for i in range(len(self.names)):
            out[:, :, i] = self.evaluate(x[:, i], self._parameters_without(x[:, i], i, y, weight)).T
        return out if self.presence is None else both(out, self.presence.leave_one_out(rows, y, weight))

    def add_left_out(self, rows: Rows, y: Array, weight: Array, out: Array) -> None:
        """Add the block's log-densities without each row, in one pass where the distribution has one."""
        if not self.distribution.add_left_out(rows.numbers(self.positions), self.x, y, weight, out):
            super().add_left_out(rows, y, weight, out)
        elif self.presence is not None:
            self.presence.add_left_out(rows, y, weight, out)

    def _parameters_without(self, x: Array, i: int, y: Array, weight: Array) -> Parameters:
        own = np.zeros((len(self.x.n), len(x)))
        own[y, np.arange(len(x))] = np.where(np.isnan(x), 0.0, weight)
        value = np.nan_to_num(x)
        left = remove(self.x.map(lambda a: a[:, [i]]), own, value)
        log_left = None
        if self.log_x is not None:
            log_value = log(np.where(value > 0, value, 1.0))
            log_left = remove(self.log_x.map(lambda a: a[:, [i]]), own, log_value)
        return self.distribution.parameters(left, log_left)

    def draw(self, rng: np.random.Generator) -> Density:
        """Draw the parameters from their posterior."""
        p = self.distribution.draw(rng, self.x, self.log_x, self.p)
        known = None if self.presence is None else self.presence.draw(rng)
        return replace(self, p={**p, "silent": self.p["silent"]}, presence=known)

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw one number per row and column; of a column that was never known, none."""
        cells = self.distribution.draw_cells(rng, {name: value[y] for name, value in self.p.items()})
        cells[:, self.x.pooled().n == 0] = np.nan
        if self.presence is not None:
            for i, missing in enumerate(self.presence.sample(rng, y).values()):
                cells[missing, i] = np.nan
        return {int(j): cells[:, i] for i, j in enumerate(self.positions)}

    def describe(self, attribute: int) -> Parameters:
        """Return the parameters of one column."""
        return {name: value[:, attribute] for name, value in self.p.items() if name != "silent"}


def both(log_density: Array, log_presence: Array) -> Array:
    """Add what a number says and what its being there says; NaN where neither says anything."""
    silent = np.isnan(log_density) & np.isnan(log_presence)
    out = np.where(np.isnan(log_density), 0.0, log_density) + np.where(np.isnan(log_presence), 0.0, log_presence)
    return np.where(silent, np.nan, out)


def remove(moments: Moments, weight: Array, value: Array) -> Moments:
    """Return moments (K, 1) less one row of a weight (K, rows) at a value (rows,): (K, rows)."""
    shape = weight.shape
    whole = moments.map(lambda a: np.broadcast_to(a, shape))
    row = Moments(weight, np.broadcast_to(value, shape), np.zeros(shape))
    left = whole - row
    # where no weight leaves, nothing changes: keep the digits as they are
    stays = weight == 0
    return Moments(
        np.where(stays, whole.n, np.maximum(left.n, 0.0)),
        np.where(stays, whole.mean, left.mean),
        np.where(stays, whole.m2, left.m2),
    )

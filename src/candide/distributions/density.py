"""Densities estimated from moments: one formula each, on arrays of any shape whose first axis is the class."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from candide import native
from candide.arithmetic import log
from candide.distributions.base import REAL, Block, Distribution, Rules
from candide.distributions.blocks import LeftOut, narrow
from candide.distributions.coders import Told
from candide.distributions.forms import Curve, Form, nothing, sample_curve
from candide.distributions.known import known
from candide.distributions.links import LOG, Link
from candide.frozen import frozen
from candide.schema.rows import Rows
from candide.statistics.evidence import Evidence
from candide.statistics.moments import Moments

Array = np.ndarray[Any, Any]
Parameters = dict[str, Array]

VARIANCE_FLOOR = 1e-3
"""A class's variance is at least this share of the column's variance over all classes."""

SAMPLED = 12.0
"""A sampled curve reaches this many standard deviations of the column from its mean."""

CONSTANT = 16 * np.finfo(float).eps
"""A column that deviates less than this from its mean, relative to it, is constant."""


class MomentDistribution(Distribution):
    """A density whose parameters are functions of moments.

    A subclass writes `parameters`, `log_density`, `draw` and `draw_cells`; all take and give arrays with the class axis
    first, so that one formula serves the fit (K, D) and leaving one row out (K, rows).
    """

    needs: ClassVar[tuple[str, ...]] = ("moments",)
    at_once: ClassVar[bool] = False
    """Whether `add` and `add_without` add all columns in one pass."""

    @property
    def logs(self) -> bool:
        """Whether the moments of log x are asked for as well."""
        return "log_x" in self.needs

    def parameters(self, x: Moments, log_x: Moments | None) -> Parameters:
        """Return the parameters by name."""
        raise NotImplementedError

    def log_density(self, x: Array, p: Parameters) -> Array:
        """Return log f(x) for numbers inside the support."""
        raise NotImplementedError

    def draw(self, rng: np.random.Generator, x: Moments, log_x: Moments | None, p: Parameters) -> Parameters:
        """Return parameters drawn from their posterior."""
        raise NotImplementedError

    def log_variance(self, x: Array, n: Array, p: Parameters) -> Array | None:
        """Return the posterior variance of log f(x), to first order, n the rows of each class; None where not known."""
        return None

    def draw_cells(self, rng: np.random.Generator, p: Parameters) -> Array:
        """Return one number for each entry of the parameters."""
        raise NotImplementedError

    def form(self, p: Parameters, told: Told) -> Form | None:
        """Return the density (K,) of one column in tables; None where it has to be sampled."""
        return None

    def add(self, x: Array, p: Parameters, out: Array) -> None:
        """Add the log-densities of (rows, D) numbers to out in one pass, where the distribution has one."""
        raise NotImplementedError

    def add_at(self, x: Array, code: Array, p: Parameters, out: Array) -> None:
        """Add as `add` does for one column (rows,), by the parameters (K, M) of each row's cell; no cell, nothing."""
        raise NotImplementedError

    def add_without(self, x: Array, moments: Moments, without: LeftOut, out: Array) -> None:
        """Add as `add` does, each row taken out of the moments of its class."""
        raise NotImplementedError

    def estimate(self, evidence: Evidence, positions: Array, rules: Rules) -> Block:
        """Estimate the whole block at once."""
        x = evidence.moments(positions)
        log_x = evidence.log_moments(positions) if self.logs else None
        names = tuple(evidence.schema.columns[j].name for j in positions)
        block = Density(self, positions, names, x, log_x, self.parameters(x, log_x))
        return known(block, evidence, positions, rules)


def floored(x: Moments) -> tuple[Array, Array, Array]:
    """Return mean and variance with the variance floor, and where the column says nothing.

    var = max(m2 / n, 1e-3 v) with v the variance of the column over all classes; a class that has not seen the
    column takes the moments of all classes; a column with v = 0, up to the rounding of its mean, says nothing.
    """
    everything = x.pooled()
    v = np.broadcast_to(everything.var, x.mean.shape)
    mean = np.where(x.n > 0, x.mean, everything.mean)
    var = np.where(x.n > 0, np.maximum(x.var, VARIANCE_FLOOR * v), v)
    return mean, var, v <= (CONSTANT * everything.mean) ** 2


@frozen
class Density(Block):
    """log f(x_i | c) for a block of columns."""

    distribution: MomentDistribution
    positions: Array
    names: tuple[Any, ...]
    x: Moments
    log_x: Moments | None
    p: Parameters
    ends: tuple[Array, Array] | None = None
    """Where numbers are cut off (D,), below and above."""

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

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.x.n)

    def numbers(self, rows: Rows) -> Array:
        """Return the numbers of rows, cut off at the ends."""
        x = rows.numbers(self.positions)
        return x if self.ends is None else native.take_columns(x, np.arange(x.shape[1]), *self.ends)

    def log_terms(self, rows: Rows, without: LeftOut | None = None) -> Array:
        """Return log f(x_i | c), with the moments of each row's class less the row where it is left out."""
        return self._log_terms(self.numbers(rows).astype(float, copy=False), without)

    def _log_terms(self, x: Array, without: LeftOut | None) -> Array:
        if without is None:
            return self.evaluate(x[:, None, :], {name: value[None] for name, value in self.p.items()})
        out = np.empty((len(x), self.n_classes, len(self.names)))
        for i in range(len(self.names)):
            out[:, :, i] = self.evaluate(x[:, i], self._parameters_without(x[:, i], i, without)).T
        return out

    def add(self, rows: Rows, link: Link, out: Array, without: LeftOut | None = None) -> None:
        """Add the block's log-densities, in one pass where the distribution has one."""
        if link is not LOG or not self.distribution.at_once:
            super().add(rows, link, out, without)
        elif without is None:
            self.distribution.add(self.numbers(rows), self.p, out)
        else:
            for part, batch in rows.batches(narrow(1, len(self.names))):
                self.distribution.add_without(self.numbers(batch), self.x, without[part], out[part])

    def _parameters_without(self, x: Array, i: int, without: LeftOut) -> Parameters:
        own = np.where(np.isnan(x), 0.0, without.own(self.n_classes).T)
        value = np.nan_to_num(x)
        left = remove(self.x.map(lambda a: a[:, [i]]), own, value)
        log_left = None
        if self.log_x is not None:
            log_value = log(np.where(value > 0, value, 1.0))
            log_left = remove(self.log_x.map(lambda a: a[:, [i]]), own, log_value)
        return self.distribution.parameters(left, log_left)

    def term_variances(self, rows: Rows, rng: np.random.Generator) -> Array:
        """Return the variance that the distribution knows; of what a column does not say there is none."""
        x = self.numbers(rows).astype(float, copy=False)[:, None, :]
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            variance = self.distribution.log_variance(x, self.x.n, {name: a[None] for name, a in self.p.items()})
        if variance is None:
            return super().term_variances(rows, rng)
        return np.where(np.isfinite(variance) & ~self.p["silent"], variance, 0.0)

    def draw(self, rng: np.random.Generator) -> Density:
        """Draw the parameters from their posterior."""
        p = self.distribution.draw(rng, self.x, self.log_x, self.p)
        return replace(self, p={**p, "silent": self.p["silent"]})

    def add_draws(self, rows: Rows, out: Array, rng: np.random.Generator) -> None:
        """Draw the parameters of all models at once."""

        def often(a: Array) -> Array:
            return np.broadcast_to(a, (len(out), *a.shape))

        log_x = None if self.log_x is None else self.log_x.map(often)
        p = self.distribution.draw(rng, self.x.map(often), log_x, {name: often(a) for name, a in self.p.items()})
        for row, x in enumerate(self.numbers(rows).astype(float, copy=False)):
            out[:, row] += np.nansum(self.evaluate(x, {**p, "silent": self.p["silent"]}), axis=2)

    def sample(self, rng: np.random.Generator, y: Array) -> dict[int, Array]:
        """Draw one number per row and column; of a column that was never known, none."""
        cells = self.distribution.draw_cells(rng, {name: value[y] for name, value in self.p.items()})
        cells[:, self.x.pooled().n == 0] = np.nan
        return {int(j): cells[:, i] for i, j in enumerate(self.positions)}

    def describe(self, attribute: int) -> Parameters:
        """Return the parameters of one column."""
        return {name: value[:, attribute] for name, value in self.p.items() if name != "silent"}

    def form(self, attribute: int) -> Form:
        """Return the density of one column, in the distribution's own tables or sampled."""
        columns = self.columns(attribute)
        p = {name: value[:, attribute] for name, value in self.p.items()}
        if p["silent"].all():
            return nothing(columns, self.n_classes)
        told = Told(columns, np.zeros(self.n_classes))
        form = self.distribution.form(p, told) or self._sampled(attribute, p, told)
        return form if self.ends is None else form.within(*(float(end[attribute]) for end in self.ends))

    def _sampled(self, attribute: int, p: Parameters, told: Told) -> Form:
        rule = self.distribution
        if rule.support != REAL:
            raise ValueError(f"{rule!r} takes {rule.support.says}, which no curve tells: give it a `form` of its own")
        everything = self.x.pooled()
        middle, spread = everything.mean[attribute], SAMPLED * np.sqrt(everything.var[attribute])
        by_class = {name: value[:, None] for name, value in p.items()}
        knots, table = sample_curve(lambda x: self.evaluate(x, by_class).T, middle - spread, middle + spread)
        return Curve(columns=told.columns, missing=told.missing, knots=knots, table=table)


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

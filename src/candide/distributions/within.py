"""A column of numbers within a group: its density in every combination of the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.arithmetic import log
from candide.distributions.blocks import LeftOut
from candide.distributions.density import Density, MomentDistribution, Parameters, remove
from candide.distributions.forms import Form
from candide.frozen import frozen
from candide.schema.rows import Rows
from candide.statistics.moments import Moments

Array = np.ndarray[Any, Any]


@frozen
class Within:
    """A density per class and combination of levels, P(H | Y, M)."""

    density: Density

    @classmethod
    def estimate(cls, rule: MomentDistribution, position: int, x: Moments, log_x: Moments | None) -> Within:
        """Estimate (K, M) densities; the floor and the stand-in for an empty cell come from all cells of the column."""
        flat = rule.parameters(x.map(np.ravel), None if log_x is None else log_x.map(np.ravel))
        p = {name: value.reshape(*x.shape, *value.shape[1:]) for name, value in flat.items()}
        return cls(Density(rule, np.array([position]), ("",), x, log_x, p))

    @property
    def position(self) -> int:
        """The column."""
        return int(self.density.positions[0])

    def numbers(self, rows: Rows) -> Array:
        """Return the column's numbers."""
        return rows.numbers(self.density.positions).astype(float)[:, 0]

    def at(self, h: Array, code: Array) -> Array:
        """Return log f(h | c, m) (rows, K) at combinations (rows,); 0 where the number says nothing."""
        p = {name: value[:, code] for name, value in self.density.p.items()}
        return silenced(self.density.evaluate(h, p).T)

    def add(self, h: Array, code: Array, out: Array) -> None:
        """Add log f(h | c, m) at combinations (rows,) to `out` (rows, K); nothing where a row has none."""
        if self.density.distribution.at_once:
            self.density.distribution.add_at(h, code, self.density.p, out)
            return
        whole = np.flatnonzero(code >= 0)
        out[whole] += self.at(h[whole], code[whole])

    def among(self, h: Array, agree: Array) -> Array:
        """Return log f(h | c, m) (K, some combinations, rows); 0 where the number says nothing."""
        p = {name: value[:, agree][:, :, None] for name, value in self.density.p.items()}
        return silenced(self.density.evaluate(h[None, None, :], p))

    def without(self, h: Array, code: Array, left: LeftOut) -> Array:
        """Return log f(h | c, m) (rows, K) at combinations, each row taken out of its own class and combination."""
        k, m = self.density.x.shape
        own = np.zeros((k * m, len(h)))
        known = left.y >= 0
        at = left.y * m + code
        own[at[known], np.flatnonzero(known)] = np.where(np.isnan(h), 0.0, left.weight)[known]
        value = np.nan_to_num(h)
        less = remove(self.density.x.map(lambda a: a.reshape(k * m, 1)), own, value)
        log_less = None
        if self.density.log_x is not None:
            log_value = log(np.where(value > 0, value, 1.0))
            log_less = remove(self.density.log_x.map(lambda a: a.reshape(k * m, 1)), own, log_value)
        p: Parameters = self.density.distribution.parameters(less, log_less)
        read = np.arange(k)[:, None] * m + code[None, :]
        mine = {name: np.take_along_axis(np.broadcast_to(v, own.shape), read, 0) for name, v in p.items()}
        return silenced(self.density.evaluate(h, mine).T)

    def form(self, m: int) -> Form:
        """Return the density within one combination, told in tables."""
        log_x = self.density.log_x
        one = replace(
            self.density,
            x=self.density.x.map(lambda a: a[:, [m]]),
            log_x=None if log_x is None else log_x.map(lambda a: a[:, [m]]),
            p={name: value[:, [m]] for name, value in self.density.p.items()},
        )
        return one.form(0)

    def draw_cells(self, rng: np.random.Generator, y: Array, code: Array) -> Array:
        """Draw a number for each row of class y within a combination."""
        p = {name: value[y, code] for name, value in self.density.p.items()}
        return self.density.distribution.draw_cells(rng, p)


def silenced(terms: Array) -> Array:
    """Return terms with 0 where a row says nothing."""
    return np.where(np.isnan(terms), 0.0, terms)

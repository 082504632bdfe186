"""The bell of Student's t as a form, whose formula others can write as well."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.distributions.forms import Form, nothing, times
from candide.frozen import frozen

Array = np.ndarray[Any, Any]


@frozen(kw_only=True)
class Bell(Form):
    """weight · (height − (df + 1)/2 · log(1 + z²/df)) with z² = (x − mean)² / var, and z²/2 where df is infinite."""

    height: Array
    mean: Array
    var: Array
    df: Array
    weight: float = 1.0

    def lifted(self, by: Array) -> Form:
        """Add to every entry."""
        return replace(self, height=self.height + by / self.weight)

    def scaled(self, by: float) -> Form:
        """Multiply the bell."""
        if by == 0:
            return nothing(self.columns, len(self.missing))
        return replace(self, missing=times(self.missing, by), weight=self.weight * by)

    def check(self) -> None:
        """Refuse spreads and degrees of freedom that no density has."""
        if not (np.isfinite(self.var).all() and (self.var > 0).all() and (self.df > 0).all()):
            raise ValueError("its spreads or degrees of freedom are not above zero")

    def at(self, cells: Array) -> Array:
        """Return the bells."""
        x = self.clipped(cells)[:, None]
        out: Array = self.weight * (self.height - student_fall((x - self.mean) / np.sqrt(self.var), self.df))
        return out

    @property
    def constants(self) -> tuple[Array, Array, Array, Array]:
        """The numbers (K,) h, a, b and c of h − a d² − b log(1 + c d²), d = x − mean, for those who write formulas."""
        sharp = np.isinf(self.df)
        df = np.where(sharp, 1.0, self.df)
        square = np.where(sharp, 0.5 * self.weight / self.var, 0.0)
        power = np.where(sharp, 0.0, 0.5 * self.weight * (df + 1.0))
        return self.weight * self.height, square, power, np.where(sharp, 0.0, 1.0 / (df * self.var))


def student_fall(z: Array, df: Array) -> Array:
    """Return how far the log-density of t lies below its height: (df + 1)/2 · log(1 + z²/df), and z²/2 in the limit.

    Examples
    --------
    >>> student_fall(np.array([0.0, 1.0, 2.0]), np.array([1.0, 1.0, np.inf])).round(4).tolist()
    [0.0, 0.6931, 2.0]
    """
    sharp = np.isinf(df)
    finite = np.where(sharp, 1.0, df)
    # hypot does not overflow: log(1 + z²/df) = 2 log hypot(1, z/√df)
    t = (finite + 1.0) * np.log(np.hypot(1.0, z / np.sqrt(finite)))
    return np.where(sharp, z * z / 2, t) if sharp.any() else np.asarray(t)

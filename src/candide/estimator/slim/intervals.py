"""Intervals: sampled densities in tables of chances, which are cheap to tell, by numbers that the model draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.distributions.forms import Curve, Steps, centred
from candide.distributions.values import Columnwise
from candide.estimator.slim.slim import Slim
from candide.frozen import frozen
from candide.model.model import Model
from candide.table import Numbers, Table

Array = np.ndarray[Any, Any]
LogDensity: TypeAlias = Callable[[Array], Array]
"""From numbers (V,) to log f(x | c) (V, K), up to what all classes share."""

DRAWN = 20_000
"""Rows that chances are averaged over."""
CELLS = (256, 128, 64, 32, 16, 8)
"""Numbers of intervals among which the one is taken that loses least."""
FEW_CELLS = (64, 16)
"""Numbers of intervals that are tried where levels are left out for the size as well."""
LAST_CELLS = (32, 16, 8)
"""Numbers of intervals that are tried at last, of fine tables of intervals, too."""
MOVED, NARROW = 0.5, 0.25
"""Of a cell's share, by which a cut may be moved to a round number, in all but so many of the cells."""
FINE_CELLS = (256, 1024, 4096)
"""Numbers of intervals of which the least is taken that are as near as curves have to be."""
LEAST, FINE_LEAST = 1e-8, 1e-20
"""Chance of a class in a cell, where it has less: tails tell no more; and where they are to be as near as curves."""
ROUND = np.array([1.0, 2.0, 5.0])
"""Units of cuts, times powers of ten."""
DIGITS = 12
"""Of cuts, without those that computing has added."""


@frozen
class DrawnCurve:
    """A curve where numbers are drawn.

    P(c, x) is P(c | x) by the prior and this attribute alone, times how often x is drawn: a form tells densities up to
    a factor that all classes share, and needs no more for that.

    Parameters
    ----------
    curve : Curve or Steps
    values : ndarray (V,)
        Numbers, ascending.
    chances : ndarray (K, V)
        P(c, x).
    """

    curve: Curve | Steps
    values: Array
    chances: Array

    @classmethod
    def of(cls, curve: Curve | Steps, column: Any, log_prior: Array, log_density: LogDensity) -> DrawnCurve | None:
        """Return a curve at the numbers of a drawn column, by the density that it samples; None where none is drawn."""
        x = column.values[np.isfinite(column.values)] if isinstance(column, Numbers) else np.zeros(0)
        if not len(x):
            return None
        values, counts = np.unique(x, return_counts=True)
        said = centred(log_density(values))
        said[np.isneginf(said).all(axis=1)] = 0.0  # what no class draws, and rounding has made, says nothing
        scores = said + log_prior
        return cls(curve, values, (np.exp(scores - log_sum_exp(scores)[:, None]) * (counts / len(x))[:, None]).T)

    def steps(self, n_cells: int, log_prior: Array, least: float) -> Steps:
        """Return the table of about so many intervals, in which no class has a chance below the least."""
        cuts = round_cuts(self.values, self.chances.sum(axis=0), n_cells)
        cell = np.searchsorted(cuts, self.values, side="left")
        chances = np.array([np.bincount(cell, of, len(cuts) + 1) for of in self.chances])
        table = np.log(np.maximum(chances, least)) - log_prior[:, None]
        shared = {key: getattr(self.curve, key) for key in ("columns", "missing", "outliers")}
        return Steps(**shared, cuts=cuts, table=table)


def has_curves(made: Slim) -> bool:
    """Whether a model tells densities by samples."""
    return any(isinstance(form, Curve) for form in made.forms)


def drawn_curves(
    made: Slim, model: Model, table: Table, kinds: tuple[type[Curve | Steps], ...] = (Curve,)
) -> dict[int, DrawnCurve]:
    """Return the curves of a model where rows are drawn, by their places among its forms; or its intervals as well."""
    densities = {
        i: block.densities[k].log_density
        for i, (block, k) in enumerate(model.attributes)
        if isinstance(block, Columnwise)
    }
    curves = {i: form for i, form in enumerate(made.forms) if isinstance(form, kinds)}
    found = {
        i: DrawnCurve.of(curve, table.column(curve.columns[0]), made.log_prior, densities.get(i, curve.at))
        for i, curve in curves.items()
    }
    return {i: of for i, of in found.items() if of is not None}


def in_intervals(made: Slim, curves: Mapping[int, DrawnCurve], n_cells: int, least: float = LEAST) -> Slim:
    """Return a slim model whose curves are tables of about so many intervals."""
    told = {i: of.steps(n_cells, made.log_prior, least) for i, of in curves.items()}
    return replace(made, forms=tuple(told.get(i, form) for i, form in enumerate(made.forms)))


def round_cuts(values: Array, shares: Array, n_cells: int) -> Array:
    """Return cuts between about so many cells of equal shares, on a grid of 1, 2 or 5 times a power of ten.

    Numbers that are few have a cell each, and none counts for more than one.

    Examples
    --------
    >>> round_cuts(np.array([0.0, 1, 2, 4]), np.array([0.1, 0.4, 0.4, 0.1]), 4).tolist()
    [0.5, 1.5, 3.0]
    >>> round_cuts(np.linspace(0, 1, 1000) ** 2, np.full(1000, 0.001), 5).tolist()
    [0.0, 0.2, 0.4, 0.6]
    """
    if len(values) <= n_cells:
        return in_digits(values[1:] / 2 + values[:-1] / 2)
    mass = np.cumsum(np.minimum(shares, one_cell(shares, n_cells)))
    share = np.arange(1, n_cells) / n_cells
    below, wanted, above = (
        np.interp(share + by, mass / mass[-1], values) for by in (-MOVED / n_cells, 0.0, MOVED / n_cells)
    )
    unit = largest_round(float(np.quantile(above - below, NARROW)))
    return in_digits(np.unique(np.rint(wanted / unit)) * unit)


def one_cell(shares: Array, n_cells: int) -> float:
    """Return the share s of a cell where no number has more than one: the sum of min(share, s) is n_cells · s.

    Examples
    --------
    >>> one_cell(np.array([0.7, 0.1, 0.1, 0.1]), 3)  # a cell for the first, and two for the others
    0.15
    """
    largest = np.sort(shares)[::-1]
    rest = np.cumsum(largest[::-1])[::-1][:n_cells] / (n_cells - np.arange(n_cells))
    return float(rest[np.argmax(largest[:n_cells] <= rest * (1 + 1e-9))].round(15))


def in_digits(cuts: Array) -> Array:
    """Return cuts without the digits that computing has added."""
    return np.unique([float(f"{cut:.{DIGITS}g}") for cut in cuts.tolist()])


def largest_round(most: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is at the most so large.

    Examples
    --------
    >>> [largest_round(most) for most in (0.3, 7.0, 1000.0)]
    [0.2, 5.0, 1000.0]
    """
    power = 10.0 ** np.floor(np.log10(most))
    return float(f"{ROUND[most / power * (1 + 1e-9) >= ROUND][-1] * power:.1g}")

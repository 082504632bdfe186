"""Parabolas and bells in whole numbers: means, spreads, heights and tails, as far as steps tell them apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.distributions.bell import Bell
from candide.distributions.forms import Quadratic

Array = np.ndarray[Any, Any]

TOLD = {Quadratic.__name__: ("height", "mean", "var"), Bell.__name__: ("height", "mean", "var", "df")}
"""What whole numbers tell, by the kind of a form; in as many rows."""
FINER = 2
"""Times that spreads and means are told finer than heights: they are multiplied by how far a number lies off."""
TAILS = 4
"""Times that 1 / √df is told finer than heights: so told, thousands of them are not infinitely many yet."""
MOST = 1 << 28
"""Whole numbers lie below it."""
WORTH = 64
"""Bits from which on it is worth telling that wide densities have means of larger units."""


def in_whole(form: Quadratic | Bell, step: float) -> Array | None:
    """Return rows of whole numbers, a column for each class; None where there are none that tell the form.

    Spreads are e^(k · step / FINER), means multiples of the least spread times step / FINER, and heights are told by
    how many steps they lie above those of densities, less what all have in common. Degrees of freedom are told by
    1 / √df, in multiples of step / TAILS: with none of them the bell is a parabola.
    """
    finer, var = step / FINER, form.var
    if not (np.isfinite([var, form.mean, form.height]).all() and (var > 0).all()):
        return None
    above = form.height + np.log(var) / 2
    widths = np.rint(np.log(var) / 2 / finer)
    tails = [np.rint(TAILS / step / np.sqrt(form.df))] if isinstance(form, Bell) else []
    times = wider(widths, finer)
    means = np.rint(form.mean / mean_unit(widths, finer) / times) * times
    rows = np.vstack([widths, means, np.rint((above - above[0]) / step), *tails])
    return rows.astype(np.int64) if (np.abs(rows) < MOST).all() else None


def from_whole(whole: Array, step: float) -> dict[str, Array]:
    """Return the numbers that were told in three rows of whole ones, or four; infinite, where these are too large.

    Examples
    --------
    >>> told = from_whole(np.array([[0, 0], [100, 150], [0, 2]]), 0.02)
    >>> [told[key].round(3).tolist() for key in ("height", "mean", "var")]
    [[0.0, 0.04], [1.0, 1.5], [1.0, 1.0]]
    """
    finer, (widths, means, above, *tails) = step / FINER, whole.astype(float)
    spread = widths * finer
    with np.errstate(over="ignore", invalid="ignore"):
        mean = means * mean_unit(widths, finer)
        out = {"height": above * step - spread, "mean": mean, "var": np.exp(2 * spread)}
    for k in tails:
        out["df"] = np.divide(TAILS / step, k, out=np.full(k.shape, np.inf), where=k > 0) ** 2
    return out


def wider(widths: Array, finer: float) -> Array:
    """Return the power of two by which the spread of each class is larger than the least; ones where that saves little.

    Examples
    --------
    >>> wider(np.array([0.0, 3, 8, 30]), 0.2).tolist()  # spreads of 1, 1.8, 5 and 400
    [1.0, 1.0, 1.0, 1.0]
    >>> np.unique(wider(np.tile([0.0, 3, 8, 30], 9), 0.2)).tolist()
    [1.0, 4.0, 256.0]
    """
    bits = np.floor((widths - widths.min()) * finer / np.log(2))
    return np.asarray(2.0**bits if bits.sum() >= WORTH else np.ones(len(bits)))


def in_own_units(whole: Array, step: float) -> Array | None:
    """Return whole numbers of which those of means are told in the units of each class; None where they are not."""
    times = wider(whole[0].astype(float), step / FINER).astype(np.int64)
    if (times == 1).all() or (whole[1] % times).any():
        return None
    return np.vstack([whole[:1], whole[1:2] // times, whole[2:]])


def from_own_units(own: Array, step: float) -> Array:
    """Return them all in one unit again."""
    with np.errstate(over="ignore"):
        times = wider(own[0].astype(float), step / FINER)
    return np.vstack([own[:1], own[1:2] * times, own[2:]])


def mean_unit(widths: Array, finer: float) -> float:
    """Return the unit of means: of the least spread, so that the narrowest density is told as well as the others."""
    return finer * float(np.exp(widths.min() * finer))


def rounded_parabola(form: Quadratic | Bell, step: float) -> Quadratic | Bell | None:
    """Return the parabolas, or bells, that whole numbers tell, where there are any."""
    whole = in_whole(form, step)
    told: dict[str, Any] = {} if whole is None else from_whole(whole, step)
    return None if whole is None else replace(form, **told)


def told_whole(form: Quadratic | Bell, step: float) -> Array | None:
    """Return the whole numbers of a form that they tell exactly; None of any other."""
    whole = in_whole(form, step)
    if whole is None:
        return None
    told = from_whole(whole, step)
    return whole if all(np.array_equal(of, getattr(form, key)) for key, of in told.items()) else None

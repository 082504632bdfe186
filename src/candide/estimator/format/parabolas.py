"""Parabolas in whole numbers: the means, spreads and heights of normal densities, as far as steps tell them apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.distributions.forms import Quadratic

Array = np.ndarray[Any, Any]

PARABOLA = {"height", "mean", "var"}
"""What whole numbers tell of a parabola."""
FINER = 2
"""Times that spreads and means are told finer than heights: they are multiplied by how far a number lies off."""
MOST = 1 << 28
"""Whole numbers lie below it."""


def in_whole(form: Quadratic, step: float) -> Array | None:
    """Return three rows of whole numbers, a column for each class; None where there are none that tell the form.

    Spreads are e^(k · step / FINER), means multiples of the least spread times step / FINER, and heights are told by
    how many steps they lie above those of densities, less what all have in common.
    """
    finer, var = step / FINER, form.var
    if not (np.isfinite([var, form.mean, form.height]).all() and (var > 0).all()):
        return None
    above = form.height + np.log(var) / 2
    widths = np.rint(np.log(var) / 2 / finer)
    rows = np.vstack([widths, np.rint(form.mean / mean_unit(widths, finer)), np.rint((above - above[0]) / step)])
    return rows.astype(np.int64) if (np.abs(rows) < MOST).all() else None


def from_whole(whole: Array, step: float) -> dict[str, Array]:
    """Return the heights, means and variances that were told in whole numbers; infinite, where these are too large.

    Examples
    --------
    >>> told = from_whole(np.array([[0, 0], [100, 150], [0, 2]]), 0.02)
    >>> [told[key].round(3).tolist() for key in ("height", "mean", "var")]
    [[0.0, 0.04], [1.0, 1.5], [1.0, 1.0]]
    """
    finer, (widths, means, above) = step / FINER, whole.astype(float)
    spread = widths * finer
    with np.errstate(over="ignore", invalid="ignore"):
        mean = means * mean_unit(widths, finer)
        return {"height": above * step - spread, "mean": mean, "var": np.exp(2 * spread)}


def mean_unit(widths: Array, finer: float) -> float:
    """Return the unit of means: of the least spread, so that the narrowest density is told as well as the others."""
    return finer * float(np.exp(widths.min() * finer))


def rounded_parabola(form: Quadratic, step: float) -> Quadratic | None:
    """Return the parabolas that whole numbers tell, where there are any."""
    whole = in_whole(form, step)
    if whole is None:
        return None
    told = from_whole(whole, step)
    return replace(form, height=told["height"], mean=told["mean"], var=told["var"])


def told_whole(form: Quadratic, step: float) -> Array | None:
    """Return the whole numbers of a form that they tell exactly; None of any other."""
    whole = in_whole(form, step)
    if whole is None:
        return None
    told = from_whole(whole, step)
    return whole if all(np.array_equal(told[key], getattr(form, key)) for key in PARABOLA) else None

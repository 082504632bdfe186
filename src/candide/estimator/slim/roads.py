"""Roads to a small file: larger steps, roots of chances, intervals for curves; the first that makes it is taken."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from candide.distributions.forms import Steps
from candide.estimator.slim.coarsening import UNITS, can_be_coarse, in_roots
from candide.estimator.slim.format.conditional import Conditional
from candide.estimator.slim.intervals import CELLS, DrawnCurve, in_intervals
from candide.estimator.slim.rounding import STEPS, Off, in_multiples
from candide.estimator.slim.slim import Slim

SHARE = 0.1
"""Of the whole model's file, beyond which a slim one's tables are made coarser than it is asked for."""

IN_THE_MEAN = 0.001
"""How far probabilities may lie off in the mean over rows and classes, where tables are made coarser for the size."""

NATS = 0.03
"""By which the log-loss of drawn rows may be larger, where tables are told by roots or intervals, for the size."""

FARTHEST = 0.3
"""By which it may be where no file is small by less."""

LARGEST_STEPS = (2.0, 1.6, 1.3, 1.0, 0.8, 0.65, 0.5, 0.4, 0.35, 0.3, 0.25)
"""Steps in nats that are tried at last: where rows are few for each class, counting itself is off by as much."""

LARGEST_UNITS = (4.0, 3.6, 3.2, 2.9, 2.6, 2.4, 2.2, 2.0, 1.9, 1.8)
"""Units of the roots of counts that are tried at last, where columns are told given others: most counts are zero."""

FINEST = 0.01
"""Step of tables that are coarse for the size: finer ones would not make of them what they were."""

MOST_ROOTS = 64
"""Cells of a column up to which roots of chances are tried: of more cells each has too few, and all take time."""

Compared: TypeAlias = tuple[Slim, Off]
"""A model, and how far off it lies."""
Finish: TypeAlias = Callable[..., Compared]
"""From a model whose tables were rounded to what is handed out."""


def is_small(small: Slim) -> bool:
    """Whether a slim model's file has the share of the whole one's that it should have, where that is known."""
    return small.share is None or small.share <= SHARE


def in_larger_steps(exact: Slim, step: float, finished: Finish) -> Slim | None:
    """Return a model of the smallest larger steps that is small, if its chances lie near in the mean."""
    if not is_small(finished(in_multiples(exact, STEPS[0]))[0]):
        return None
    for larger in reversed(STEPS[: STEPS.index(step)]):
        coarse, off = finished(in_multiples(exact, larger))
        if off.mean > IN_THE_MEAN or off.nats > NATS:
            return None
        if is_small(coarse):
            return coarse
    return None


def in_coarse_tables(exact: Slim, by_chances: Slim, n: float, finished: Finish) -> Slim | None:
    """Return a small model of larger steps, or of roots of n rows: the nearer, if its log-loss is not much larger."""
    return nearest([*finest_steps(exact, finished), *finest_roots(by_chances, n, finished)])


def in_fewer_cells(
    exact: Slim, curves: Mapping[int, DrawnCurve], n: float, finished: Finish, others: Sequence[Compared]
) -> Slim | None:
    """Return a model whose curves may be tables of intervals: the nearest that is small, or the smallest that is near.

    Parameters
    ----------
    n : float
        Rows that were learnt.
    others : models that are finer
        Of which one may be taken, too, where none is small.
    """
    tried, seen = [*others, *finest_steps(exact, finished)], set()
    for n_cells in CELLS:
        made = in_intervals(exact, curves, n_cells)
        told = sum(form.table.shape[1] for form in made.forms if isinstance(form, Steps))
        if told in seen:
            continue  # where numbers are few, fewer cells may be the same ones
        seen.add(told)
        by_steps = finest_steps(made, finished)
        tried += by_steps
        if told <= MOST_ROOTS * len(made.forms) and not any(is_small(small) for small, _ in by_steps):
            tried += finest_roots(made, n, finished)
    return nearest(tried) or smallest(tried)


def finest_steps(made: Slim, finished: Finish, steps: Sequence[float] | None = None) -> list[Compared]:
    """Return what was tried to find the smallest steps that make a model small."""
    among = [step for step in STEPS if step >= FINEST] if steps is None else steps
    return finest_small(among, lambda step: finished(in_multiples(made, step)))


def at_last(
    bases: Sequence[Slim], by_chances: Slim, n: float, tried: Sequence[Compared], finished: Finish
) -> Slim | None:
    """Return a small model where no road led to one: of still larger steps, or the nearest of all that were tried.

    Parameters
    ----------
    bases : models of fewer and fewer cells
    by_chances : the model by chances of several columns together
    n : float
        Rows that were learnt.
    """
    largest = [of for made in bases for of in finest_steps(made, finished, LARGEST_STEPS)]
    largest += [of for made in bases[1:] for of in finest_roots(made, n, finished)]
    if any(isinstance(form, Conditional) for form in by_chances.forms):
        largest += finest_roots(by_chances, n, finished, LARGEST_UNITS)
    return nearest(largest) or nearest([*tried, *largest], FARTHEST)


def finest_roots(made: Slim, n: float, finished: Finish, units: Sequence[float] = UNITS) -> list[Compared]:
    """Return what was tried to find the smallest units of roots of n rows that make a model small."""
    return finest_small(units, lambda unit: finished(in_roots(made, n, unit))) if can_be_coarse(made) else []


def finest_small(coarse_to_fine: Sequence[float], tried: Callable[[float], Compared]) -> list[Compared]:
    """Return what was tried to find the finest that is small; the coarsest alone, where that is not."""
    found: list[Compared] = []

    def is_large(coarseness: float) -> bool:
        found.append(tried(coarseness))
        return not is_small(found[-1][0])

    if not is_large(coarse_to_fine[0]):
        bisect_left(coarse_to_fine, True, lo=1, key=is_large)
    return found


def nearest(tried: Sequence[Compared], most: float | None = None) -> Slim | None:
    """Return the small model whose log-loss is larger by the least, if by no more than something, or than `NATS`."""
    small = [of for of in tried if is_small(of[0]) and of[1].nats <= (NATS if most is None else most)]
    return min(small, key=lambda of: of[1].nats)[0] if small else None


def smallest(tried: Sequence[Compared]) -> Slim | None:
    """Return the smallest model whose log-loss is larger by no more than `NATS`."""
    near = [small for small, off in tried if off.nats <= NATS]
    return min(near, key=lambda small: small.share or 0.0, default=None)

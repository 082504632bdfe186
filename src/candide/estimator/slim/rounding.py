"""Rounding the tables of a slim model: as coarsely as its probabilities stay near those of the model it is made of."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
from scipy.special import kl_div

from candide.arithmetic import log
from candide.combination import log_posterior
from candide.distributions.bell import Bell
from candide.distributions.forms import Cases, Curve, Form, Linear, Lookup, Quadratic, Steps
from candide.distributions.spoken import Spoken
from candide.estimator.slim.drawn_rows import drawn_rows
from candide.estimator.slim.format.chords import FINER, Chord, chord
from candide.estimator.slim.format.parabolas import rounded_parabola
from candide.estimator.slim.slim import Slim
from candide.frozen import frozen
from candide.reading import TableReading
from candide.schema.rows import Rows
from candide.scoring import scoring
from candide.scoring.decision import decide
from candide.table import Numbers, Table

Array = np.ndarray[Any, Any]

DRAWN = 1000
"""Rows by which a slim model is compared with the one that it was made of."""

WITHIN = 0.01
"""How far its probabilities may lie off on these rows, where no level was left out."""

STEPS = (
    *(0.2, 0.18, 0.16, 0.14, 0.13, 0.12, 0.11, 0.1, 0.09, 0.08, 0.07, 0.06, 0.05, 0.04, 0.03, 0.025, 0.02, 0.015, 0.01),
    *(0.007, 0.005, 0.003, 0.002, 0.001, 0.0005, 0.0001, 1e-5, 1e-6),
)
"""To multiples of which tables are rounded, in nats: of the largest that keeps within the tolerance."""

MORE_DIGITS = 3
"""Digits of means, variances and slopes beyond those of the step: they are multiplied by numbers."""

LEAST = 1e-9
"""Chances below it are told by a power of ten."""

OTHERS = "of them is another"
"""How a file says that some answers are."""

TOLD_NATS = 0.01
"""By which a log-loss is larger from which on that is said."""

FAR = 2
"""Nats below the likeliest class from which on a curve may lie off by more: tails of thousands of nats tell no more."""


ROUNDS = 64
"""In which knots are added to a curve, one between each two: two dozen are enough, or nearly all knots are needed."""


def drawn(model: Any, n: int = DRAWN, seed: int = 0) -> tuple[Table, Array]:
    """Return rows that a model draws, and their probabilities."""
    table = drawn_rows(model, n, seed)
    _, made = model._modelled()
    scores = scoring.score(made.model, made.plan.combination, Rows(table, model.learnt_.schema))
    return table, np.exp(log_posterior(scores, made.model.log_prior))


@frozen
class Off:
    """How far the probabilities of a slim model lie off those of the one that it was made of."""

    most: float
    mean: float
    """Over rows and classes: of many classes most have next to no chance, before as after."""
    others: int = 0
    """Rows that are decided otherwise."""
    nats: float = np.inf
    """By which the log-loss of these rows is larger, in the mean over them: Kullback and Leibler's divergence."""

    @classmethod
    def of(cls, made: Slim, table: Table, theirs: Array) -> Off:
        """Compare a slim model's probabilities of rows with the model's own."""
        ours = probabilities(made, table)
        off = np.abs(ours - theirs)
        decided, theirs_decided = (decide(log(of), made.costs) for of in (ours, theirs))
        others = int((decided != theirs_decided).sum())
        nats = float(kl_div(theirs, np.maximum(ours, np.finfo(float).tiny)).sum(axis=1).mean())
        return cls(float(off.max()), float(off.mean()), others, nats)

    def said(self, of: str) -> str:
        """Return the sentence of a file, of what was left out."""
        most, mean = (
            np.format_float_positional(off, 1, fractional=False, trim="-") if off >= LEAST or not off else f"{off:.0e}"
            for off in (self.most, self.mean)
        )
        off = f"within {most} of the model's, {mean} in the mean over classes"
        others = f"; the answer to {self.others} {OTHERS}" if self.others else ""
        nats = f"; their log-loss is {self.nats:.1g} larger" if TOLD_NATS <= self.nats < np.inf else ""
        return f"{of}: probabilities lie {off}, on {DRAWN:,} rows that it draws{others}{nats}"


def probabilities(made: Slim, table: Table) -> Array:
    """Return a slim model's probabilities of rows that are drawn, which need no reading."""
    return replace(made, schema=replace(made.schema, reading=TableReading())).predict_proba(table)


def rounded(made: Slim, rows: tuple[Table, Array], within: Any) -> tuple[Slim | None, Off]:
    """Return a slim model whose tables are as coarse as they score like the model's own; None where none does."""
    if not (isinstance(within, (int, float, np.number)) and within > 0):
        raise ValueError(f"within={within!r}: probabilities must be let lie off by something, such as {WITHIN}")
    off = Off(np.inf, np.inf)
    for step in STEPS:
        if 2 * spread(step, len(made.forms)) > within and step > STEPS[-1]:
            continue  # rows that it draws may all be clear, and those that are not lie off by more
        small = in_multiples(made, step)
        off = Off.of(small, *rows)
        if off.most <= within:
            return small, off
    return None, off


def in_multiples(made: Slim, step: float) -> Slim:
    """Return a slim model whose terms are multiples of a step."""
    log_prior = np.round(less_largest(made.log_prior) / step) * step + 0.0
    forms = tuple(shortened(form, step, made.relative) for form in made.forms)
    return replace(made, log_prior=log_prior, forms=forms, step=step)


def by_points(made: Slim, table: Table) -> Slim:
    """Return a slim model whose lines are told by their terms where drawn rows lie."""
    return replace(made, forms=tuple(chord_of(form, table) or form for form in made.forms))


def chord_of(form: Form, table: Table) -> Form | None:
    """Return a line, or those of cases, by its terms where the numbers of its column lie; None of any other form."""
    if isinstance(form, Cases):
        return replace(form, forms=tuple(chord_of(of, table) or of for of in form.forms))
    column = table.column(form.columns[0])
    return chord(form, column.values) if isinstance(form, Linear) and isinstance(column, Numbers) else None


def spread(step: float, n: int) -> float:
    """Return the standard deviation of a chance of one half where n terms are rounded to steps: step · √(n / 6) / 4.

    A term is off by step / √12, two classes' difference by step / √6; odds that are off by d move p by p (1 − p) d.

    Examples
    --------
    >>> spread(0.01, 24)
    0.005
    """
    return step * float(np.sqrt(n / 6)) / 4


def shortened(form: Form, step: float, relative: bool = True) -> Form:
    """Return a form with the terms of each cell in steps, less what is the same for all classes where that counts not.

    That changes no answer, and tells how many rows had the cell. Neighbours that are equal are one cell, and knots that
    lie on the line between others are left out.
    """
    if not relative:
        assert isinstance(form, (Lookup, Steps))
        return in_steps(form, step, form.table, form.missing)
    if isinstance(form, Cases):
        return replace(form, forms=tuple(shortened_case(of, step) for of in form.forms))
    if isinstance(form, (Quadratic, Bell)) and (whole := rounded_parabola(form, step)) is not None:
        return replace(whole, missing=np.round(less_largest(form.missing) / step) * step + 0.0)
    if isinstance(form, Spoken):
        return shortened_words(form, step)
    if not isinstance(form, (Lookup, Steps, Curve, Chord)):
        digits = MORE_DIGITS + round(-np.log10(step))
        told = ((f.name, getattr(form, f.name)) for f in fields(form))
        short: dict[str, Any] = {name: significant(a, digits) for name, a in told if isinstance(a, np.ndarray)}
        return replace(form, **short)
    if isinstance(form, Curve):
        form = thinned(form, step / 4, MORE_DIGITS + round(-np.log10(step)))
    bare = less_largest(form.table) if len(form.table) == 2 else less_common(form.table, not isinstance(form, Lookup))
    return in_steps(form, step, bare, less_largest(form.missing))


def in_steps(form: Lookup | Steps | Curve | Chord, step: float, table: Array, missing: Array) -> Form:
    """Return a form of these terms in steps, without levels that say nothing and cuts that tell nothing apart."""
    fine = step / FINER if isinstance(form, Chord) else step
    table, missing = (np.round(of / to) * to + 0.0 for of, to in ((table, fine), (missing, step)))
    if isinstance(form, (Curve, Chord)):
        return replace(form, table=table, missing=missing)
    if isinstance(form, Lookup):
        known = (table != form.unseen).any(axis=0)
        return replace(form, levels=form.levels[known], table=table[:, known], missing=missing)
    changes = (table[:, 1:] != table[:, :-1]).any(axis=0)
    return replace(form, table=table[:, np.append(True, changes)], cuts=form.cuts[changes], missing=missing)


def shortened_case(form: Form, step: float) -> Form:
    """Return the density within a combination in steps, and what the combination says where no number is known."""
    return replace(shortened(form, step), missing=np.round(less_largest(form.missing) / step) * step + 0.0)


def shortened_words(form: Spoken, step: float) -> Spoken:
    """Return documents with the terms of words in steps; one that says nothing is not known, where none is counted."""
    digits = MORE_DIGITS + round(-np.log10(step))
    bare = less_largest(form.table) if len(form.table) == 2 else less_common(form.table, ordered=False)
    const = significant(less_largest(form.const), digits)
    told: dict[str, Any] = {key: significant(getattr(form, key), digits) for key in ("by_length", "pace")}
    length, weight = significant(np.array([form.length, form.weight]), digits).tolist()
    short = replace(form, table=np.round(bare / step) * step + 0.0, const=const, length=length, weight=weight, **told)
    return short if len(form.pace) else short.without(np.asarray(short.table.any(axis=0)))


def thinned(curve: Curve, within: float, digits: int) -> Curve:
    """Return a curve of fewer knots, of so many digits; at all others it lies off by no more than something.

    A class that lies `FAR` nats below the likeliest one may lie off twice as far, and so on.
    """
    knots, table = curve.knots, curve.table
    if not np.isfinite(table).all():
        return curve
    terms = table - table[:1] if len(table) == 2 else less_common(table, ordered=True)  # which have no kinks
    below = less_largest(table)
    kept, all_ = np.array([0, len(knots) - 1]), np.arange(len(knots))
    for _ in range(ROUNDS):
        lines = np.array([np.interp(knots, knots[kept], row[kept]) for row in terms])
        off = (np.abs(less_largest(lines) - below) / (1 - below / FAR)).max(axis=0)
        between = np.searchsorted(kept, all_, side="right")
        worst = np.lexsort((-off, between))[np.unique(between, return_index=True)[1]]
        more = np.setdiff1d(worst[off[worst] > within], kept)  # of thousands of nats digits are off at a knot, too
        kept = np.union1d(kept, more)
        if not len(more):
            break
    else:
        kept = all_
    short = significant(knots[kept], digits)
    return replace(curve, knots=short if (np.diff(short) > 0).all() else knots[kept], table=terms[:, kept])


def significant(numbers: Array, digits: int) -> Array:
    """Return numbers to so many significant digits.

    Examples
    --------
    >>> significant(np.array([123.456, -0.00123456, np.inf]), 3).tolist()
    [123.0, -0.00123, inf]
    """
    return np.array([float(f"{x:.{digits}g}") for x in numbers.ravel().tolist()]).reshape(numbers.shape)


def less_common(table: Array, ordered: bool) -> Array:
    """Return a table (K, cells) less the median over the classes of each cell; of cells in order, of each step.

    The numbers that remain are the smallest, in the sum of their sizes, that tell the classes from each other. Where a
    class cannot be there is no step, and cells are taken one by one.

    Examples
    --------
    >>> less_common(np.log([[0.1, 0.2], [0.2, 0.4], [0.7, 0.4]]), ordered=False).round(2).tolist()
    [[-0.69, -0.69], [0.0, 0.0], [1.25, 0.0]]
    """
    if ordered and np.isfinite(table).all():
        return np.cumsum(less_common(np.diff(table, axis=1, prepend=0), ordered=False), axis=1)
    known = np.isfinite(table)
    n = known.sum(axis=0)
    sizes = np.sort(np.where(known, table, np.inf), axis=0)  # nanmedian would take five times as long
    middle = np.maximum(n - 1, 0) // 2, np.minimum(n // 2, len(table) - 1)
    low, high = (np.where(n > 0, sizes[at, np.arange(len(n))], 0.0) for at in middle)
    return np.asarray(table - (low + (high - low) / 2))


def less_largest(terms: Array) -> Array:
    """Return terms (K, ...) less the largest over the classes, which is 0 then, unless all are minus infinity."""
    largest = np.max(terms, axis=0)
    out: Array = terms - np.where(np.isfinite(largest), largest, 0.0)
    return out

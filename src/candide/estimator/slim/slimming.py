"""Slimming: of a model one that scores as it does and holds nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from candide.distributions.bag import Bag
from candide.distributions.forms import Curve, Form, Lookup, Steps
from candide.distributions.group import GroupBlock
from candide.distributions.links import Link, Mixed
from candide.distributions.scaled import Scaled
from candide.distributions.spoken import spoken
from candide.estimator import files
from candide.estimator.format.layout import lay_out
from candide.estimator.slim.asking import form_of, rule_of_tables
from candide.estimator.slim.averages import Average, in_fewer_pairs, most_drawn
from candide.estimator.slim.drawn_rows import drawn_rows
from candide.estimator.slim.format.chords import Chord
from candide.estimator.slim.format.conditional import Conditional
from candide.estimator.slim.format.forms import FORMS
from candide.estimator.slim.format.marks import Marked
from candide.estimator.slim.intervals import (
    DRAWN,
    FEW_CELLS,
    FINE_CELLS,
    FINE_LEAST,
    LAST_CELLS,
    DrawnCurve,
    drawn_curves,
    has_curves,
    in_intervals,
)
from candide.estimator.slim.leaving_out import (
    SAY_LEAST,
    Level,
    Unheard,
    by_what_they_say,
    how_many,
    in_fewer_levels,
    rare_levels,
    seen_together,
    without,
    without_names,
)
from candide.estimator.slim.roads import (
    Compared,
    Finish,
    at_last,
    in_coarse_tables,
    in_fewer_cells,
    in_larger_steps,
    is_small,
    nearest,
    smallest,
)
from candide.estimator.slim.rounding import STEPS, WITHIN, Off, by_points, drawn, probabilities, rounded
from candide.estimator.slim.slim import Slim
from candide.model.model import Model
from candide.schema.column import Column
from candide.schema.filled_buckets import FilledBuckets
from candide.schema.schema import Schema
from candide.statistics.evidence import Evidence
from candide.table import Table

Array = np.ndarray[Any, Any]

RARE = 5
"""Rows without which a level is left out: it could tell who was learnt from."""

CANNOT = "counts and values: it cannot learn, forget, be merged or leave rows out"
"""What every slim model has left out."""

WIDER = 0.05
"""How far they may lie off where the size matters more: what is offered where `SHARE` is not reached."""


def slim(model: Any, rare: Any = RARE, within: Any = None) -> Slim:
    """Return a model that scores as another does and holds nothing else; see `Classifier.slim`."""
    if not (isinstance(rare, (int, float, np.number)) and rare >= 0):
        raise ValueError(f"rare={rare!r}: levels are left out that fewer rows have than a number of at least 0")
    rare = float(rare)
    state, made = model._modelled()
    schema = state.learnt.schema
    link = made.plan.combination.link(made.model.log_prior)
    unheard = Unheard()
    mean = next((found for block in made.model.blocks if (found := block.in_pairs()) is not None), None)
    forms = tuple(told_forms(made.model, link, state.evidence, rare, unheard))
    forms = forms if mean is None else (*mean.alone, *forms)
    check_forms(forms, schema)
    rows, whole = drawn(model), size(model)
    exact = by_points(in_forms(model, forms), rows[0])
    lost = rare_levels(exact.forms, state.evidence, rare)
    few = how_many(schema.names, {j: len(levels) for j, levels in lost.items()})
    said = [f"levels of fewer than {rare:g} rows: {few}"] if few else []
    said += [*unheard.said(schema.names, rare), *not_heard(model, schema)]
    # digits are compared with what is left of the model: words that are not known are missed at any
    by_digits = (rows[0], probabilities(exact, rows[0])) if unheard.some else rows

    def finished(small: Slim, names: bool = True) -> Compared:
        """Leave out, after the digits have been compared, what is left out whatever the digits; say what both cost."""
        off = Off.of(small, *by_digits)
        forms = tuple(form for form in without(small, lost).forms if not is_silent(form))
        made = replace(small, forms=forms)
        made = made if names else without_names(made)
        fewer = bool(few) or any(unheard.groups.values()) or any(of.startswith(SAY_LEAST) for of in small.left_out)
        missed = {"levels": fewer, "words": any(unheard.words.values()), "pairs": mean is not None}
        of = " and ".join(["digits", *(what for what, some in missed.items() if some)])
        off_in_all = Off.of(made, *rows) if few or unheard.some else off
        made = replace(made, left_out=(*said, *made.left_out, off_in_all.said(of), CANNOT))
        return replace(made, share=size(made) / whole if np.isfinite(whole) else None), off

    order = by_what_they_say(exact.forms, state.evidence)
    levels = [(j, of) for j, of in order if of not in lost[j]]
    if mean is None:
        return coarsest(exact, by_chances(exact, made.model), model, by_digits, within, levels, finished)
    of_weights = drawn(model, most_drawn(len(schema.classes)), 1)
    n = max(float(np.sum(model.class_counts_)), 1.0)
    return coarsest_average(Average.of(exact, mean, *of_weights), n, rows[0], within, levels, finished)


def in_forms(model: Any, forms: tuple[Form, ...]) -> Slim:
    """Return what scores by the forms of a model as the model does, digit by digit."""
    state, made = model._modelled()
    schema = state.learnt.schema
    columns = tuple(Column(c.name, c.kind, ()) for c in schema.columns)
    return Slim(
        Schema(columns, schema.labels, schema.target, reading=schema.reading.bare),
        made.model.log_prior,
        forms,
        STEPS[-1],
        guarantee=state.learnt.guarantee,
        inputs=model._inputs,
        combination=rule_of_tables(made.plan.combination),
        costs=model._costs(made.model.classes),
    )


def not_heard(model: Any, schema: Schema) -> list[str]:
    """Return what a slim model never does, or never has, in sentences."""
    refuses = model.unseen == "error"
    said = ["errors: a level that is not known says nothing"] if refuses else []
    ignored = ", ".join(map(str, schema.reading.left_out))
    return [*said, f"identifiers: {ignored}"] if ignored else said


def by_chances(exact: Slim, model: Model) -> Slim:
    """Return a model whose columns that are told given others are told by the chances of all of them together."""
    forms = list(exact.forms)
    for at, (block, i) in enumerate(model.attributes):
        chances = block.chances_together(i) if exact.relative else None
        if chances is not None:
            forms[at] = Conditional.of(chances) or forms[at]
    return replace(exact, forms=tuple(forms))


def coarsest(
    exact: Slim,
    chances: Slim,
    model: Any,
    rows: tuple[Table, Array],
    within: float | None,
    levels: Sequence[Level],
    finished: Finish,
) -> Slim:
    """Return a model as coarse as it may be, or where that is not small, as coarse as it has to be.

    Parameters
    ----------
    chances : Slim
        The model by chances of several columns together.
    levels : those that may be left out
        In the order of what they say.
    """
    tolerance = WITHIN if within is None else within
    tried: list[Compared] = []

    def noted(small: Slim, names: bool = True) -> Compared:
        tried.append(finished(small, names))
        return tried[-1]

    near, off = rounded(exact, rows, tolerance)
    fine = [] if near is None else [noted(near)]
    if any(is_small(small) for small, _ in fine):
        return fine[0][0]
    curves = drawn_curves(exact, model.model_, drawn_rows(model, DRAWN, 1)) if has_curves(exact) else {}
    stepped = (rounded(in_intervals(exact, curves, n, FINE_LEAST), rows, tolerance)[0] for n in FINE_CELLS if curves)
    if (near := next(filter(None, stepped), None)) is not None:
        fine = sorted([*fine, noted(near)], key=lambda of: of[0].share or 0.0)
    enough = within is not None or any(is_small(small) for small, _ in fine)
    n = max(float(np.sum(model.class_counts_)), 1.0)
    found = None if enough else coarser(exact, chances, curves, n, noted, fine)
    if not enough and (found is None or not is_small(found)):
        bases = [in_intervals(exact, curves, n) for n in FEW_CELLS] if curves else [exact]
        found = without_levels(bases, levels, noted) or found
    if not enough and (found is None or not is_small(found)):
        every = drawn_curves(exact, model.model_, drawn_rows(model, DRAWN, 1), (Curve, Steps)) if exact.relative else {}
        bases = [exact, *(in_intervals(exact, every, n) for n in LAST_CELLS if every)]
        found = at_last(bases, chances, n, tried, noted) or found
    if not enough and found is None and fine and (fine[0][0].share or 0.0) >= 1:
        found = smallest(tried)  # what is no smaller than the whole would be slim in name only
    if found is None and not fine:
        raise ValueError(f"the model cannot be told in tables alone: they are off by {off.most:.2g}, not {tolerance}")
    return found or fine[0][0]


def coarsest_average(
    average: Average, n: float, rows: Table, within: float | None, levels: Sequence[Level], finished: Finish
) -> Slim:
    """Return the sum that answers most as a mean of models does, of those that are small; where none is, the smallest.

    A tolerance is that of the sum of all pairs.
    """
    if within is not None:
        exact = average.as_sum(len(average.beyond))
        near, off = rounded(exact, (rows, probabilities(exact, rows)), within)
        if near is None:
            raise ValueError(f"the model cannot be told in tables alone: they are off by {off.most:.2g}, not {within}")
        return finished(near)[0]
    found, tried = in_fewer_pairs(average, n, finished)
    found = found or without_levels([average.as_sum(0)], levels, finished) or smallest(tried)
    return found or min(tried, key=lambda of: of[1].nats)[0]


def coarser(
    exact: Slim,
    chances: Slim,
    curves: Mapping[int, DrawnCurve],
    n: float,
    finished: Finish,
    fine: Sequence[Compared],
) -> Slim | None:
    """Return a model of n rows that is small, on the first road that leads there; or one that is as small as can be."""
    found = next((in_larger_steps(exact, small.step, finished) for small, _ in fine), None)
    if found is None:
        cells = partial(in_fewer_cells, exact, curves, n, finished, fine)
        found = cells() if curves else in_coarse_tables(exact, chances, n, finished)
    return found


def without_levels(bases: Sequence[Slim], levels: Sequence[Level], finished: Finish) -> Slim | None:
    """Return a small model without levels that say least, or without that and the names of all others."""
    for finish in (finished, partial(finished, names=False)):
        found = nearest([of for made in bases for of in in_fewer_levels(made, levels, finish)])
        if found is not None:
            return found
    return None


def told_forms(model: Model, link: Link, evidence: Evidence, rare: float, unheard: Unheard) -> Iterator[Form]:
    """Yield the forms of attributes: of documents by words, and of groups by combinations, that are not rare."""
    for block, i in model.attributes:
        if block.in_pairs() is not None:
            continue
        bag = block.bare
        if isinstance(bag, GroupBlock):
            joined = form_of(block, i, link, evidence.schema)
            form, unheard.groups[joined.columns] = seen_together(joined, bag.table.counts.sum(axis=0), rare)
            unheard.partly[joined.columns] = bag.tells_parts
            yield form
            continue
        if not isinstance(bag, Bag):
            if bag.sums_out:
                unheard.sums.update(bag.columns(i))
            yield form_of(block, i, link, evidence.schema)
            continue
        j = bag.position
        counted, axis = evidence.listed(j)
        often = counted.by_entry("documents") >= rare
        used = bag.selection.place >= 0
        if isinstance(axis, FilledBuckets):
            used[-1] = False  # buckets that hold nothing are no words that are left out
        unheard.words[j] = int(np.count_nonzero(~often & used))
        form = spoken(bag, often)
        words = form.scaled(float(block.weights[i])) if isinstance(block, Scaled) else form
        yield replace(words, outliers=link.rate) if isinstance(link, Mixed) else words


def check_forms(forms: Sequence[Form], schema: Schema) -> None:
    """Refuse an attribute that a file of tables does not hold."""
    for form in forms:
        if type(form) not in FORMS.values():
            name = schema.names[form.columns[0]]
            raise ValueError(f"the attribute of column {name!r} cannot be told in tables alone")


def size(model: Any) -> float:
    """Return the bytes of a model's file; of one that no file holds, infinitely many."""
    try:
        return len(model._file() if isinstance(model, Slim) else files.seal(lay_out(model._payload())))
    except (TypeError, ValueError):
        return np.inf


def is_silent(form: Form) -> bool:
    """Whether a form adds nothing, whatever the cell."""
    return isinstance(form, (Lookup, Steps, Curve, Chord, Marked)) and not form.table.any() and not np.any(form.missing)

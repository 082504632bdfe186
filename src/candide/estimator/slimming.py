"""Slimming: of a model one that scores as it does and holds nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from candide.combination import Product, log_posterior
from candide.distributions.forms import Form, Lookup, Steps
from candide.estimator.format.forms import FORMS
from candide.estimator.slim import Slim
from candide.reading import ReadAs, TableReading
from candide.schema.column import Column
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.scoring import scoring
from candide.table import Table, read

Array = np.ndarray[Any, Any]

RARE = 5
"""Rows without which a level is left out: it could tell who was learnt from."""

DRAWN = 1000
"""Rows by which a slim model is compared with the one that it was made of."""

WITHIN = 0.01
"""How far its probabilities may lie off on these rows, where no level was left out."""

STEPS = (0.05, 0.02, 0.01, 0.007, 0.005, 0.002, 0.001, 0.0005, 0.0001, 1e-5, 1e-6)
"""To multiples of which tables are rounded, in nats: of the largest that keeps within the tolerance."""

MORE_DIGITS = 3
"""Digits of means, variances and slopes beyond those of the step: they are multiplied by numbers."""


def slim(model: Any, rare: float = RARE, within: float = WITHIN) -> Slim:
    """Return a model that scores as another does and holds nothing else; see `Classifier.slim`."""
    state, made = model._modelled()
    schema = state.learnt.schema
    if not isinstance(made.plan.combination, Product) or model.costs is not None:
        raise ValueError("only a model of the product, without costs, can be slimmed: score with it as it is")
    for form in made.model.forms:
        if type(form) not in FORMS.values() or (isinstance(form, Lookup) and form.partly is not None):
            name = schema.names[form.columns[0]]
            raise ValueError(f"the attribute of column {name!r} cannot be told in tables alone")
    columns = tuple(Column(c.name, c.kind, ()) for c in schema.columns)
    reading = TableReading(schema.reading.names, {name: ReadAs(as_.reader) for name, as_ in schema.reading.items()})
    bare = Schema(columns, schema.labels, schema.target, reading=reading)
    exact = Slim(bare, made.model.log_prior, made.model.forms, STEPS[-1])
    whole, off = rounded(exact, model, within)  # before anything is left out
    lost = rare_levels(whole.forms, state.evidence, rare)
    said = [f"{schema.names[j]}: {len(few)} levels of fewer than {rare:g} rows" for j, few in lost.items() if few]
    said += [f"{name}: identifiers" for name in schema.reading.left_out]
    said.append(f"digits: probabilities lie within {off:.1g} of the model's on {DRAWN:,} rows that it draws")
    said.append("counts and values: it cannot learn, forget, be merged or leave rows out")
    forms = (without(form, lost) if isinstance(form, Lookup) else form for form in whole.forms if not is_silent(form))
    return replace(whole, forms=tuple(forms), left_out=tuple(said), guarantee=state.learnt.guarantee)


def rounded(made: Slim, model: Any, within: float) -> tuple[Slim, float]:
    """Return a slim model whose tables are as coarse as they score like the model's own, and how far off they are."""
    if not within > 0:
        raise ValueError(f"within={within!r}: probabilities must be let lie off by something, such as {WITHIN}")
    table, theirs = drawn(model)
    off = np.inf
    for step in STEPS:
        if 2 * spread(step, len(made.forms)) > within and step > STEPS[-1]:
            continue  # rows that it draws may all be clear, and those that are not lie off by more
        small = replace(made, forms=tuple(shortened(form, step) for form in made.forms), step=step)
        off = off_by(small, table, theirs)
        if off <= within:
            return small, off
    raise ValueError(f"the model cannot be told in tables alone: they are off by {off:.2g}, not within {within}")


def spread(step: float, n: int) -> float:
    """Return the standard deviation of a chance of one half where n terms are rounded to steps: step · √(n / 6) / 4.

    A term is off by step / √12, two classes' difference by step / √6; odds that are off by d move p by p (1 − p) d.

    Examples
    --------
    >>> spread(0.01, 24)
    0.005
    """
    return step * float(np.sqrt(n / 6)) / 4


def shortened(form: Form, step: float) -> Form:
    """Return a form with the terms of each cell less their largest, in steps; equal neighbours are one cell.

    What is the same for all classes changes no answer, and tells how many rows had the cell.
    """
    if not isinstance(form, (Lookup, Steps)):
        digits = MORE_DIGITS + round(-np.log10(step))
        told = ((f.name, getattr(form, f.name)) for f in fields(form))
        short: dict[str, Any] = {name: significant(a, digits) for name, a in told if isinstance(a, np.ndarray)}
        return replace(form, **short)
    table, missing = (np.round(less_largest(terms) / step) * step + 0.0 for terms in (form.table, form.missing))
    if isinstance(form, Lookup):
        told = (table != form.unseen).any(axis=0)
        return replace(form, levels=form.levels[told], table=table[:, told], missing=missing)
    changes = (table[:, 1:] != table[:, :-1]).any(axis=0)
    return replace(form, table=table[:, np.append(True, changes)], cuts=form.cuts[changes], missing=missing)


def significant(numbers: Array, digits: int) -> Array:
    """Return numbers to so many significant digits.

    Examples
    --------
    >>> significant(np.array([123.456, -0.00123456, np.inf]), 3).tolist()
    [123.0, -0.00123, inf]
    """
    return np.array([float(f"{x:.{digits}g}") for x in numbers.ravel().tolist()]).reshape(numbers.shape)


def less_largest(terms: Array) -> Array:
    """Return terms (K, ...) less the largest over the classes, which is 0 then, unless all are minus infinity."""
    largest = np.max(terms, axis=0)
    out: Array = terms - np.where(np.isfinite(largest), largest, 0.0)
    return out


def drawn(model: Any) -> tuple[Table, Array]:
    """Return rows that a model draws, of the columns that were learnt, and their probabilities."""
    table = read(model.sample(DRAWN, random_state=0)[0])
    scores = scoring.score(model.model_, Product(), Rows(table, model.learnt_.schema))
    return table, np.exp(log_posterior(scores, model.model_.log_prior))


def off_by(made: Slim, table: Table, theirs: Array) -> float:
    """Return how far the probabilities of a slim model lie off those of the one that it was made of."""
    plain = replace(made, schema=replace(made.schema, reading=TableReading()))  # rows that are drawn need no reading
    return float(np.abs(plain.predict_proba(table) - theirs).max())


def rare_levels(forms: Sequence[Form], evidence: Any, rare: float) -> dict[int, set[Any]]:
    """Return the levels of few rows, by column."""
    schema, out = evidence.schema, {}
    for j in sorted({j for form in forms if isinstance(form, Lookup) for j in form.columns}):
        if schema.columns[j].kind == "symbols":
            counts = evidence.statistics["cells"].table[:, schema.cells_of(j)][:, 1:].sum(axis=0).tolist()
            out[j] = {level for level, n in zip(schema.columns[j].levels.tolist(), counts, strict=True) if n < rare}
    return out


def without(form: Lookup, lost: Mapping[int, set[Any]]) -> Lookup:
    """Return a look-up without levels that are left out, alone or together with others."""

    def is_lost(level: Any) -> bool:
        parts = level if len(form.columns) > 1 else (level,)
        return any(part in lost.get(j, ()) for j, part in zip(form.columns, parts, strict=True))

    keep = np.array([not is_lost(level) for level in form.levels.tolist()], dtype=bool)
    return replace(form, levels=form.levels[keep], table=form.table[:, keep])


def is_silent(form: Form) -> bool:
    """Whether a form adds nothing, whatever the cell."""
    return isinstance(form, (Lookup, Steps)) and not form.table.any() and not np.any(form.missing)

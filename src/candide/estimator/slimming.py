"""Slimming: of a model one that scores as it does and holds nothing else."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from candide.combination import Product
from candide.distributions.forms import Curve, Form, Lookup, Steps
from candide.estimator import files
from candide.estimator.coarsening import UNITS, can_be_coarse, in_roots
from candide.estimator.format.forms import FORMS
from candide.estimator.format.layout import lay_out
from candide.estimator.rounding import STEPS, WITHIN, Off, drawn, in_multiples, rounded
from candide.estimator.slim import Slim
from candide.reading import ReadAs, TableReading
from candide.schema.column import Column
from candide.schema.schema import Schema

RARE = 5
"""Rows without which a level is left out: it could tell who was learnt from."""

SHARE = 0.1
"""Of the whole model's file, beyond which a slim one's tables are made coarser than `WITHIN` asks for."""

IN_THE_MEAN = 0.001
"""How far probabilities may lie off in the mean over rows and classes, where tables are made coarser for the size."""

NATS = 0.03
"""By which the log-loss of drawn rows may be larger, where tables are told by their roots for the size."""

WIDER = 0.05
"""How far they may lie off where the size matters more: what is offered where `SHARE` is not reached."""


Finish: TypeAlias = Callable[[Slim], tuple[Slim, Off]]
"""From a model whose tables were rounded to what is handed out, and how far off it lies."""


def slim(model: Any, rare: float = RARE, within: float | None = None) -> Slim:
    """Return a model that scores as another does and holds nothing else; see `Classifier.slim`."""
    if not rare >= 0:
        raise ValueError(f"rare={rare!r}: levels are left out that fewer rows have than a number of at least 0")
    state, made = model._modelled()
    schema = state.learnt.schema
    if not isinstance(made.plan.combination, Product) or model.costs is not None:
        raise ValueError("only a model of the product, without costs, can be slimmed: score with it as it is")
    check_forms(made.model.forms, schema)
    columns = tuple(Column(c.name, c.kind, ()) for c in schema.columns)
    reading = TableReading(schema.reading.names, {name: ReadAs(as_.reader) for name, as_ in schema.reading.items()})
    bare = Schema(columns, schema.labels, schema.target, reading=reading)
    exact = Slim(bare, made.model.log_prior, made.model.forms, STEPS[-1], guarantee=state.learnt.guarantee)
    lost = rare_levels(exact.forms, state.evidence, rare)
    few = ", ".join(f"{len(levels)} of {schema.names[j]}" for j, levels in lost.items() if levels)
    said = [f"levels of fewer than {rare:g} rows: {few}"] if few else []
    if schema.reading.left_out:
        said.append(f"identifiers: {', '.join(map(str, schema.reading.left_out))}")
    rows, whole = drawn(model), size(model)

    def finished(small: Slim) -> tuple[Slim, Off]:
        """Leave out, after the digits have been compared, what is left out whatever the digits."""
        off = Off.of(small, *rows)
        forms = (without(form, lost) if isinstance(form, Lookup) else form for form in small.forms)
        told = (*said, off.said, "counts and values: it cannot learn, forget, be merged or leave rows out")
        small = replace(small, forms=tuple(form for form in forms if not is_silent(form)), left_out=told)
        return replace(small, share=size(small) / whole if np.isfinite(whole) else None), off

    small, _ = finished(rounded(exact, rows, WITHIN if within is None else within))
    if within is not None or is_small(small):
        return small
    n = max(float(np.sum(model.class_counts_)), 1.0)
    return in_larger_steps(exact, small.step, finished) or in_larger_units(exact, n, finished) or small


def in_larger_steps(exact: Slim, step: float, finished: Finish) -> Slim | None:
    """Return a model of the smallest larger steps that is small, if its chances lie near in the mean."""
    if not is_small(finished(in_multiples(exact, STEPS[0]))[0]):
        return None
    for larger in reversed(STEPS[: STEPS.index(step)]):
        coarse, off = finished(in_multiples(exact, larger))
        if off.mean > IN_THE_MEAN:
            return None
        if is_small(coarse):
            return coarse
    return None


def in_larger_units(exact: Slim, n: float, finished: Finish) -> Slim | None:
    """Return a model of the smallest units of roots of n rows that is small, if its log-loss is not much larger."""

    @cache
    def tried(unit: float) -> tuple[Slim, Off]:
        return finished(in_roots(exact, n, unit))

    def is_large(unit: float) -> bool:
        return not is_small(tried(unit)[0])

    if not can_be_coarse(exact) or is_large(UNITS[0]):
        return None
    found, off = tried(UNITS[bisect_left(UNITS, True, key=is_large) - 1])
    return found if off.nats <= NATS else None


def check_forms(forms: Sequence[Form], schema: Schema) -> None:
    """Refuse an attribute that a file of tables does not hold."""
    for form in forms:
        if type(form) not in FORMS.values() or (isinstance(form, Lookup) and form.partly is not None):
            name = schema.names[form.columns[0]]
            raise ValueError(f"the attribute of column {name!r} cannot be told in tables alone")


def size(model: Any) -> float:
    """Return the bytes of a model's file; of one that no file holds, infinitely many."""
    try:
        return len(files.seal(lay_out(model._payload())))
    except (TypeError, ValueError):
        return np.inf


def is_small(small: Slim) -> bool:
    """Whether a slim model's file has the share of the whole one's that it should have, where that is known."""
    return small.share is None or small.share <= SHARE


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
    return isinstance(form, (Lookup, Steps, Curve)) and not form.table.any() and not np.any(form.missing)

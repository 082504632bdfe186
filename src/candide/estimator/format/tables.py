"""The tables of a slim model in its file: columns by position, terms as whole numbers of steps, nothing told twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.distributions.forms import Form, Lookup, Steps
from candide.estimator.format.encoding import RuleBook, encode
from candide.estimator.format.entries import Entry
from candide.estimator.format.forms import form_from_json, form_to_json

Array = np.ndarray[Any, Any]

NOWHERE = 1 << 28
"""Steps that stand for infinitely many: where a class cannot be."""
NEITHER = 2 * NOWHERE
"""What tells a cell in which neither of two classes can be."""

TOLD_BY = {"levels": Lookup.__name__, "cuts": Steps.__name__}
"""The kind of a form of which none is written, by what it has."""


def forms_to_json(forms: Sequence[Form], step: float, rules: RuleBook) -> tuple[list[dict[str, Any]], Array]:
    """Return the JSON form of forms without their tables, and the terms of all tables in steps."""
    lines, steps = [], [np.zeros(0, dtype=np.int64)]
    for form in forms:
        line = form_to_json(form, rules)
        if not np.any(form.missing):
            del line["missing"]
        if isinstance(form, (Lookup, Steps)):
            del line["table"], line["form"]
            steps.append(table_in_steps(form, step))
        lines.append(line)
    return lines, np.concatenate(steps)


def forms_from_json(entry: Entry, steps: Array, step: float, of: tuple[int, int], rules: RuleBook) -> tuple[Form, ...]:
    """Read forms back, `of` so many columns and classes."""
    n_columns, n_classes = of
    forms = []
    for line in entry.items():
        told = line.fields()
        line.value.setdefault("missing", [0.0] * n_classes)
        if "form" not in told:
            by = next((name for name in TOLD_BY if name in told), None)
            if by is None:
                raise line.wrong("has neither levels nor cuts")
            line.value["form"] = TOLD_BY[by]
            n = cells_told(line, by) * told_classes(n_classes)
            if n > len(steps):
                raise line.wrong("has no table: the packed numbers are too few")
            of_form, steps = np.split(steps, [n])
            line.value["table"] = encode(table_from_steps(of_form, by, n_classes, step), rules)
        forms.append(form_from_json(line, n_columns, n_classes, rules))
    if len(steps):
        raise entry.wrong("have fewer cells than there are packed numbers")
    return tuple(forms)


def cells_told(line: Entry, by: str) -> int:
    """Return how many cells the table of a form has that is told by its levels or its cuts."""
    if by == "cuts":
        return len(line["cuts"].items()) + 1
    levels = line["levels"]
    if not isinstance(levels.value, dict):
        return len(levels.items())
    return len(next(iter(levels["at"].items()), levels["of"]).items())


def told_classes(n_classes: int) -> int:
    """Return the classes whose terms are told: of two the one that is not the largest, as the largest is zero."""
    return 1 if n_classes == 2 else n_classes


def in_steps(terms: Array, step: float) -> Array:
    """Return terms below zero as whole numbers of steps."""
    out: Array = np.where(np.isfinite(terms), np.round(terms / -step), NOWHERE).astype(np.int64)
    return out


def from_steps(steps: Array, step: float) -> Array:
    """Return the terms that were told in steps."""
    return np.where(steps == NOWHERE, -np.inf, steps * -step + 0.0)


def table_in_steps(form: Lookup | Steps, step: float) -> Array:
    """Return the terms of a table as whole numbers of steps below zero, class by class.

    The largest term of a cell is zero, so that one number with a sign tells two classes. Terms of intervals are told by
    how far each lies off the one before: neighbours hardly differ.
    """
    whole = in_steps(form.table, step)
    if len(whole) == 2:
        whole = np.where((whole == NOWHERE).all(axis=0), NEITHER, whole[1:] - whole[:1])
    return (np.diff(whole, axis=1, prepend=0) if isinstance(form, Steps) else whole).ravel()


def table_from_steps(told: Array, by: str, n_classes: int, step: float) -> Array:
    """Return the table (K, cells) that was told in steps."""
    whole = told.reshape(told_classes(n_classes), -1)
    if by == "cuts":
        whole = np.cumsum(whole, axis=1)
    if n_classes == 2:
        whole = np.where(whole == NEITHER, NOWHERE, np.maximum(np.vstack([-whole, whole]), 0))
    return from_steps(whole, step)

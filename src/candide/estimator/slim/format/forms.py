"""Forms in files: the tables of a slim model, written as shortly as they can be read back."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from candide.distributions.bell import Bell
from candide.distributions.forms import Cases, Curve, Form, Linear, Lookup, Quadratic, Steps
from candide.distributions.spoken import Spoken
from candide.estimator.format.encoding import RuleBook, decode, encode
from candide.estimator.format.entries import Entry
from candide.estimator.slim.format.chords import Chord
from candide.estimator.slim.format.marks import Marked
from candide.table.columns import level_array

Array = np.ndarray[Any, Any]

FORMS: dict[str, type[Form]] = {
    form.__name__: form for form in (Lookup, Steps, Quadratic, Bell, Linear, Chord, Curve, Marked, Spoken, Cases)
}
"""What a slim model is made of."""


def form_to_json(form: Form, rules: RuleBook) -> dict[str, Any]:
    """Return the JSON form of a form, by the positions of its columns; what is as usual is not told."""
    told = {f.name: getattr(form, f.name) for f in fields(form) if f.name not in ("columns", "forms", "domains")}
    usual = {f.name: f.default for f in fields(form)}
    rest = {key: shortest(encode(value, rules)) for key, value in told.items() if not is_usual(value, usual[key])}
    columns = list(form.columns)
    if len(columns) == 1:
        return {"column": columns[0], "form": type(form).__name__, **rest}
    assert isinstance(form, (Lookup, Cases))
    levels = form.levels.tolist()
    of = [list(dict.fromkeys(parts)) for parts in zip(*levels, strict=True)] or [[] for _ in form.cuts]
    place = [{part: k for k, part in enumerate(parts)} for parts in of]
    at = [[one[level[i]] for level in levels] for i, one in enumerate(place)]
    line = {"column": columns, "form": type(form).__name__, **rest, "levels": {"of": encode(of, rules), "at": at}}
    if isinstance(form, Lookup) and any(domain is not None for domain in form.domains):
        line["domains"] = encode([*map(beyond, form.domains, of)], rules)
    return line


def beyond(domain: Array | None, told: list[Any]) -> list[Any] | None:
    """Return the levels of a domain that are not told anyway; None where any level is known."""
    return None if domain is None else [level for level in domain.tolist() if level not in told]


def shortest(value: Any) -> Any:
    """Return numbers of lists as JSON has them shortest: whole ones without a point."""
    if isinstance(value, list):
        return [shortest(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def is_usual(value: Any, usual: Any) -> bool:
    """Whether a field of a form is as it is where nothing is said of it."""
    return not isinstance(value, np.ndarray) and value == usual


def form_from_json(
    entry: Entry, n_columns: int, n_classes: int, rules: RuleBook, forms: tuple[Form, ...] | None = None
) -> Form:
    """Read a form back, of cases whose forms were read: lists of numbers are arrays of the classes' size."""
    kind = FORMS[entry["form"].word(FORMS)]
    known = {f.name for f in fields(kind)} - {"columns"}
    entry.check_keys(("column", "form", *known))
    column = entry["column"]
    columns = tuple(j.whole(n_columns - 1) for j in (column.items() if isinstance(column.value, list) else [column]))
    apart = ("levels", "domains", "forms")
    values = {key: decode(entry[key], rules) for key in known if entry.get(key) is not None and key not in apart}
    if entry.get("levels") is not None:
        values["levels"] = levels_from_json(entry["levels"], rules)
    if entry.get("domains") is not None:
        values["domains"] = domains_from_json(entry, rules)
    if forms is not None:
        values["forms"] = forms
    try:
        form = kind(columns=columns, **{key: as_array(key, value) for key, value in values.items()})
        check_form(form, n_classes)
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        raise entry.wrong(f"is no {kind.__name__}: {error}") from None
    return form


def as_array(key: str, value: Any) -> Any:
    """Return lists of numbers as arrays; the cuts of several columns are one for each of them that has any."""
    if isinstance(value, list):
        return np.array(value, dtype=float)
    if key == "cuts" and isinstance(value, tuple):
        return tuple(None if of is None else np.array(of, dtype=float) for of in value)
    return value


def check_form(form: Form, n_classes: int) -> None:
    """Refuse a form that does not answer: it is asked for a missing cell and for a known one."""
    n = len(form.columns)
    known: Any = 0.0
    if isinstance(form, Lookup):
        levels = form.levels.tolist()
        parts = {len(form.cuts), len(form.domains) or len(form.cuts)}
        if parts != {n if n > 1 else 0} or any(np.ndim(cuts) != 1 for cuts in ends(form)):
            raise ValueError("its cuts are not of its columns")
        if len(set(levels)) < len(levels) or (n > 1 and any(type(v) is not tuple or len(v) != n for v in levels)):
            raise ValueError("its levels are not distinct, or not of its columns")
        known = levels[0] if levels else 0.0
        known = known if n == 1 else tuple(None if cuts is None else 0.0 for cuts in form.cuts)
    if isinstance(form, (Bell, Chord, Marked, Spoken)):
        form.check()
    known = "" if isinstance(form, Spoken) else known
    if n == 0 or (n > 1) != (isinstance(form, Cases) or (isinstance(form, Lookup) and n > 1)):
        raise ValueError("it is of no column, or of too many")
    if isinstance(form, Cases):
        check_cases(form)
        known = tuple(0.0 if cuts is not None else None for cuts in (*form.cuts, 0))
    missing = np.nan if n == 1 else (None,) * n
    if any(form(level_array([cell])).shape != (1, n_classes) for cell in (missing, known)):
        raise ValueError("it is not of the classes")


def check_cases(form: Cases) -> None:
    """Refuse cases that are not of their columns, or not told each by a form of one number."""
    n, levels = len(form.columns) - 1, form.levels.tolist()
    if (
        type(form.number) is not int
        or not 0 <= form.number <= n
        or len(form.cuts) != n
        or len(form.forms) != len(levels)
    ):
        raise ValueError("its number and cuts are not of its columns, or its forms not of its levels")
    if len(set(levels)) < len(levels) or any(type(level) is not tuple or len(level) != n for level in levels):
        raise ValueError("its levels are not distinct, or not of its columns")
    if any(np.ndim(cuts) != 1 for cuts in form.cuts if cuts is not None):
        raise ValueError("its cuts are not of its columns")


def domains_from_json(entry: Entry, rules: RuleBook) -> tuple[Array | None, ...]:
    """Read back which levels each column of a joined attribute may have: those that are told, and some beyond."""
    domains = decode(entry["domains"], rules)
    if isinstance(domains, tuple):  # as files had them: all levels again
        return tuple(None if of is None else level_array(of) for of in domains)
    told = decode(entry["levels"]["of"], rules) if isinstance(entry["levels"].value, dict) else []
    if not isinstance(domains, list) or len(domains) != len(told):
        raise entry["domains"].wrong("is not of the columns")
    return tuple(
        None if more is None else level_array([*(level for level in of if level is not None), *more])
        for more, of in zip(domains, told, strict=True)
    )


def ends(form: Lookup) -> list[Array]:
    """Return the cuts of those columns of a joined attribute that have any."""
    return [cuts for cuts in form.cuts if cuts is not None]


def levels_from_json(entry: Entry, rules: RuleBook) -> Array:
    """Read the levels of a look-up back: of one column, or of two together."""
    if not isinstance(entry.value, dict):
        return level_array(decode(entry, rules))
    entry.check_keys(("of", "at"))
    of, at = decode(entry["of"], rules), decode(entry["at"], rules)
    try:
        return level_array(
            list(zip(*([parts[k] for k in places] for parts, places in zip(of, at, strict=True)), strict=True))
        )
    except (TypeError, ValueError, IndexError):
        raise entry.wrong("tells no levels of two columns") from None

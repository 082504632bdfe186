"""The tables of a slim model in its file: columns by position, terms as whole numbers of steps, nothing told twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any, Protocol, TypeAlias

import numpy as np

from candide.distributions.bell import Bell
from candide.distributions.forms import Cases, Curve, Form, Linear, Lookup, Quadratic, Steps
from candide.distributions.spoken import Spoken
from candide.estimator.format.encoding import RuleBook, decode, encode
from candide.estimator.format.entries import Entry
from candide.estimator.slim.format.chords import FINER, Chord
from candide.estimator.slim.format.conditional import Conditional
from candide.estimator.slim.format.forms import FORMS, check_form, form_from_json, form_to_json
from candide.estimator.slim.format.grids import (
    LEAST_FILLED,
    MOST_CELLS,
    JoinedGrid,
    Tellings,
    cuts_in_units,
    grid_to_json,
    parts_from_json,
    remember,
)
from candide.estimator.slim.format.marks import Marked
from candide.estimator.slim.format.parabolas import TOLD, from_own_units, from_whole, in_own_units, told_whole
from candide.estimator.slim.format.roots import Roots
from candide.estimator.slim.format.units import in_units
from candide.frozen import frozen

Array = np.ndarray[Any, Any]
Tabled: TypeAlias = Lookup | Steps | Curve | Chord | Marked | Spoken
"""Forms that have a table of terms."""

NOWHERE = 1 << 28
"""Steps below zero that stand for infinitely many: where a class cannot be."""
NEITHER = 2 * NOWHERE
"""What tells, below zero, a cell in which neither of two classes can be."""

TOLD_BY = {"levels": Lookup.__name__, "cuts": Steps.__name__, "unit": Steps.__name__}
"""The kind of a form of which none is written, by what it has."""
ENDS = {
    Steps.__name__: "cuts",
    Curve.__name__: "knots",
    Chord.__name__: "points",
    Marked.__name__: "marks",
    Spoken.__name__: "levels",
}
"""What a unit tells, by the kind of a form: of documents, their buckets."""
APART = {Lookup.__name__, Marked.__name__, Spoken.__name__}
"""The kinds of forms whose cells have no order, so that each is told by itself."""


class Tables(Protocol):
    """Tables of whole numbers that stand beside the JSON form, in its order."""

    def take(self, rows: int, columns: int | None = None) -> Array:
        """Return the next one, of so many rows and columns, or of so many rows."""

    def end(self) -> None:
        """Refuse what is left."""


@frozen
class Scale:
    """How the terms of a table are told in whole numbers: in steps, or those of levels and intervals by their roots.

    Parameters
    ----------
    n_classes : int
    step : float
        In nats.
    roots : Roots or None
    relative : bool
        Whether only what tells classes apart is told: of two classes the larger term is zero then.
    """

    n_classes: int
    step: float
    roots: Roots | None = None
    relative: bool = True

    @property
    def paired(self) -> bool:
        """Whether one number tells the terms of both classes."""
        return self.relative and self.n_classes == 2

    def of(self, kind: str) -> Roots | None:
        """Return the roots by which the tables of a kind of form are told, if they are."""
        return self.roots if kind in TOLD_BY.values() else None

    def step_of(self, kind: str) -> float:
        """Return the step in which the tables of a kind of form are told."""
        return self.step / FINER if kind == Chord.__name__ else self.step

    def rows(self, kind: str) -> int:
        """Return how many rows tell a table."""
        return 1 if self.paired and self.of(kind) is None else self.n_classes

    def told(self, form: Tabled) -> Array:
        """Return a table in whole numbers."""
        kind = type(form).__name__
        roots = self.of(kind)
        return table_in_steps(form, self.step_of(kind), self.paired) if roots is None else roots.told(form.table)

    def table(self, told: Array, kind: str) -> Array:
        """Return the table that was told in whole numbers."""
        roots = self.of(kind)
        if roots is None:
            return table_from_steps(told, kind, self.paired, self.step_of(kind))
        return roots.table(told, kind == Steps.__name__)


def forms_to_json(forms: Sequence[Form], scale: Scale, rules: RuleBook) -> tuple[list[dict[str, Any]], list[Array]]:
    """Return the JSON form of forms without their tables, and these: cuts in units, and terms in whole numbers."""
    lines: list[dict[str, Any]] = []
    tables: list[Array] = []
    told: Tellings = {}
    for form in forms:
        filled = LEAST_FILLED if scale.roots is None else 1.0
        if isinstance(form, Lookup) and len(form.columns) > 1 and (grid := JoinedGrid.of(form, filled)) is not None:
            line, more = grid_to_json(form, grid, told, rules)
            line = {"column": list(form.columns), "missing": encode(form.missing, rules), **line}
            if isinstance(form, Conditional):
                line["given"] = [form.weight, form.pseudo]
            more.append(scale.told(Lookup(columns=(), missing=form.missing, levels=form.levels, table=grid.table)))
        else:
            line, more = form_and_tables(form, scale, rules)
            remember(form, told)
        if line["column"] == following(forms[: len(lines)]):
            del line["column"]
        if not np.any(form.missing):
            del line["missing"]
        lines.append(line)
        tables += more
    return lines, tables


def form_and_tables(form: Form, scale: Scale, rules: RuleBook) -> tuple[dict[str, Any], list[Array]]:
    """Return the line of a form, and its tables."""
    line = form_to_json(form, rules)
    tables: list[Array] = []
    if isinstance(form, (Quadratic, Bell)) and (whole := told_whole(form, scale.step)) is not None:
        line = {key: of for key, of in line.items() if key not in TOLD[line["form"]]}
        own = in_own_units(whole, scale.step)
        tables.append(np.diff(whole if own is None else own, axis=1, prepend=0))
        if own is not None:
            line["own"] = True
    if isinstance(form, (Lookup, Steps, Curve, Chord, Marked, Spoken)):
        del line["table"]
        ends = None if isinstance(form, Spoken) and form.analyzer.hashing is None else ENDS.get(line["form"])
        if ends is not None and (found := in_units(getattr(form, ends))) is not None:
            del line[ends]
            line["unit"], between = found
            tables.append(between)
        if isinstance(form, (Lookup, Steps)):
            del line["form"]
        if form.table.size:
            tables.append(scale.told(form))
    if isinstance(form, Cases):
        line["forms"], more = cases_to_json(form, scale, rules)
        tables += more
    return line, tables


def cases_to_json(form: Cases, scale: Scale, rules: RuleBook) -> tuple[list[dict[str, Any]], list[Array]]:
    """Return the lines of the densities within combinations, and tables: first what these say without a number."""
    if not form.forms:
        return [], []
    alone = np.column_stack([of.missing for of in form.forms])
    silent = [replace(of, columns=(0,), missing=np.zeros(scale.n_classes)) for of in form.forms]
    lines, tables = forms_to_json(silent, scale, rules)
    return [{key: of for key, of in line.items() if key != "column"} for line in lines], [
        replace(scale, roots=None).told(Lookup(columns=(0,), missing=form.missing, levels=form.levels, table=alone)),
        *tables,
    ]


def cases_from_json(line: Entry, tables: Tables, scale: Scale, rules: RuleBook) -> tuple[Form, ...]:
    """Read the densities within combinations back."""
    n = len(line["forms"].items())
    if not n:
        return ()
    alone = replace(scale, roots=None).table(tables.take(scale.rows(Cases.__name__), n), Lookup.__name__)
    for one in line["forms"].items():
        one.value["column"] = 0
    forms = forms_from_json(line["forms"], tables, scale, 1, rules)
    if not all(isinstance(of, (Quadratic, Bell, Linear, Chord, Curve, Steps)) for of in forms):
        raise line["forms"].wrong("holds what is no density")
    return tuple(replace(of, missing=missing) for of, missing in zip(forms, alone.T, strict=True))


def forms_from_json(entry: Entry, tables: Tables, scale: Scale, n_columns: int, rules: RuleBook) -> tuple[Form, ...]:
    """Read forms back, of so many columns."""
    n_classes = scale.n_classes
    forms: list[Form] = []
    parts: Tellings = {}
    for line in entry.items():
        told = line.fields()
        if "grid" in told:
            forms.append(grid_from_json(line, tables, scale, parts, n_columns, rules))
            continue
        kind = spell_out(line, told, following(forms), n_classes)
        if kind in TOLD and not told.keys() & {*TOLD[kind]}:
            line.value.update(parabola_from_json(line, tables.take(len(TOLD[kind]), n_classes), scale.step, rules))
            line.value.pop("own", None)
        if kind in (*ENDS, *APART) and "table" not in told:
            take_table(line, told, kind, tables, scale, rules)
        cases = cases_from_json(line, tables, scale, rules) if kind == Cases.__name__ else None
        forms.append(form_from_json(line, n_columns, n_classes, rules, cases))
        remember(forms[-1], parts)
    return tuple(forms)


def spell_out(line: Entry, told: Mapping[str, Any], column: int, n_classes: int) -> str:
    """Fill in what the line of a form leaves out, and return the kind of the form."""
    line.value.setdefault("missing", [0.0] * n_classes)
    line.value.setdefault("column", column)
    if "form" not in told:
        by = next((name for name in TOLD_BY if name in told), None)
        if by is None:
            raise line.wrong("has neither levels nor cuts")
        line.value["form"] = TOLD_BY[by]
    return line["form"].word(FORMS)


def take_table(line: Entry, told: Mapping[str, Any], kind: str, tables: Tables, scale: Scale, rules: RuleBook) -> None:
    """Fill in the table of a form, and its cuts where they are told in units, from the arrays behind all forms."""
    if "unit" in told:
        if ENDS.get(kind) in {None, *told}:
            raise line.wrong("has a unit of nothing")
        told_in_units = cuts_in_units(line, tables)
        buckets = kind == Spoken.__name__
        line.value[ENDS[kind]] = [int(of) for of in told_in_units] if buckets else told_in_units
        del line.value["unit"]
    rows, n = scale.rows(kind), cells_told(line, kind)
    of_form = tables.take(rows, n) if n else np.zeros((rows, 0), np.int64)
    if scale.of(kind) is not None and (of_form < 0).any():
        raise line.wrong("has roots below zero")
    line.value["table"] = encode(scale.table(of_form, kind), rules)


def grid_from_json(
    line: Entry, tables: Tables, scale: Scale, told: Tellings, n_columns: int, rules: RuleBook
) -> Lookup:
    """Read a joined look-up back that was told by a grid."""
    line.check_keys(("column", "missing", "grid", "closed", "given"))
    columns = tuple(j.whole(n_columns - 1) for j in line["column"].items())
    parts, cuts = parts_from_json(line, columns, tables, told, rules)
    kind = Lookup.__name__
    table = scale.table(tables.take(scale.rows(kind), prod(map(len, parts))), kind)
    zero = [0.0] * scale.n_classes
    missing = np.array(zero if line.get("missing") is None else decode(line["missing"], rules), dtype=float)
    given = None if line.get("given") is None else given_from_json(line["given"])
    grid = JoinedGrid(parts, table, line.get("closed") is not None)
    form = grid.lookup(columns, missing, cuts, all_cells=given is not None)
    if given is not None:
        found = Conditional.of(form, *given)
        if found is None:
            raise line["given"].wrong("is of no grid")
        form = found
    try:
        check_form(form, scale.n_classes)
    except (TypeError, ValueError, IndexError) as error:
        raise line.wrong(f"is no grid: {error}") from None
    return form


def given_from_json(entry: Entry) -> tuple[float, int]:
    """Read back how much conditional chances count, and by how many pseudo-counts those of the column alone are."""
    told = entry.items()
    if len(told) != 2:
        raise entry.wrong("is not a weight and a number of cells")
    return told[0].number(), told[1].whole(MOST_CELLS)


def following(forms: Sequence[Form]) -> int:
    """Return the column that is meant where none is told: the one after that of the form before."""
    return forms[-1].columns[-1] + 1 if forms else 0


def parabola_from_json(line: Entry, told: Array, step: float, rules: RuleBook) -> dict[str, Any]:
    """Return the JSON form of what whole numbers tell of a parabola, or a bell."""
    whole = np.cumsum(told, axis=1)
    if line.get("own") is not None:
        whole = from_own_units(whole, step)
    if (whole[3:] < 0).any():
        raise line.wrong("has tails below zero")
    found = from_whole(whole, step)
    if not all(np.isfinite(of).all() for key, of in found.items() if key != "df"):
        raise line.wrong("has numbers that are too large")
    return {key: encode(of, rules) for key, of in found.items()}


def cells_told(line: Entry, kind: str) -> int:
    """Return how many cells the table of a form has, by its levels, its cuts, its knots or its points."""
    if kind in ENDS:
        return len(line[ENDS[kind]].items()) + (kind == Steps.__name__)
    levels = line["levels"]
    if not isinstance(levels.value, dict):
        return len(levels.items())
    return len(next(iter(levels["at"].items()), levels["of"]).items())


def in_steps(terms: Array, step: float) -> Array:
    """Return terms as whole numbers of steps."""
    known = np.isfinite(terms)
    out: Array = np.where(known, np.round(np.where(known, terms, 0) / step), -NOWHERE).astype(np.int64)
    return out


def from_steps(steps: Array, step: float) -> Array:
    """Return the terms that were told in steps."""
    return np.where(steps == -NOWHERE, -np.inf, steps * step + 0.0)


def table_in_steps(form: Tabled, step: float, paired: bool) -> Array:
    """Return the terms of a table as whole numbers of steps, a row for each class.

    Of two classes that are paired the larger term is zero, so that one number with a sign tells both. Terms of
    intervals, knots and points are told by how far each lies off the one before: neighbours hardly differ.
    """
    whole = in_steps(form.table, step)
    if paired:
        whole = np.where((whole == -NOWHERE).all(axis=0), -NEITHER, whole[1:] - whole[:1])
    return whole if type(form).__name__ in APART else np.diff(whole, axis=1, prepend=0)


def table_from_steps(told: Array, kind: str, paired: bool, step: float) -> Array:
    """Return the table (K, cells) that was told in steps."""
    whole = told if kind in APART else np.cumsum(told, axis=1)
    if paired:
        whole = np.where(whole == -NEITHER, -NOWHERE, np.minimum(np.vstack([-whole, whole]), 0))
    return from_steps(whole, step)

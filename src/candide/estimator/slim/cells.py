"""Cells as slim models take them: read as the whole model reads them, and told as their forms tell levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from candide.distributions.forms import Cases, Form, Lookup
from candide.estimator.slim.format.marks import Marked
from candide.reading.base import ReadColumn, texts_of
from candide.schema.cells import MISSING, Levels
from candide.schema.rows import Rows
from candide.schema.same_level import position
from candide.scoring.explanation import readable
from candide.table import Numbers, Symbols, as_symbols
from candide.table.columns import level_array

Array = np.ndarray[Any, Any]

MOST_CODE = (1 << 63) - 1
"""Below which the codes of columns are joined."""


def told_levels(forms: Sequence[Form]) -> dict[int, Levels]:
    """Return the levels that forms tell of columns, by position; marks tell none."""
    found: dict[int, set[Any]] = {}
    for form in forms:
        for j, levels in levels_of(form):
            found.setdefault(j, set()).update(level for level in levels if level is not None)
    return {j: Levels.of([], levels) for j, levels in found.items() if levels}


def levels_of(form: Form) -> Iterator[tuple[int, Sequence[Any]]]:
    """Yield the columns of levels that a form has, with the levels that it tells of each."""
    if not isinstance(form, (Lookup, Cases)):
        return
    if len(form.columns) == 1:
        yield form.columns[0], form.levels.tolist()
        return
    columns = [j for at, j in enumerate(form.columns) if not isinstance(form, Cases) or at != form.number]
    domains = form.domains if isinstance(form, Lookup) else ()
    told = list(zip(*form.levels.tolist(), strict=True)) or [()] * len(columns)
    for at, (j, cuts) in enumerate(zip(columns, form.cuts, strict=True)):
        if cuts is None:
            domain = domains[at] if domains else None
            yield j, [*told[at], *(() if domain is None else domain.tolist())]


def cells_as_learnt(rows: Rows, j: int, known: Levels | None) -> ReadColumn:
    """Return a column as the whole model reads it: numbers that are finite, or levels in the spelling that is known."""
    if rows.schema.columns[j].kind == "numbers":
        return Numbers(rows.numbers(np.array([j]))[:, 0])
    cells = rows.table.column(j)
    if known is None or (isinstance(cells, Numbers) and not known.some_text):
        return cells
    column = as_symbols(cells, f"column {rows.schema.names[j]!r}") if isinstance(cells, Numbers) else cells
    levels = column.levels.tolist()
    if all(level in known.place for level in levels):
        return column
    at = [position(level, known) for level in levels]
    meant = [known.levels[v] if v >= 0 else level for v, level in zip(at, levels, strict=True)]
    code = {level: c for c, level in enumerate(dict.fromkeys(meant))}
    codes = [MISSING if v == MISSING else code[level] for v, level in zip(at, meant, strict=True)]
    return Symbols(np.array([*codes, MISSING], dtype=np.int32)[column.codes], level_array(list(code)))


def looked_up(columns: Sequence[ReadColumn], form: Form) -> Array:
    """Return what a form says of cells (rows, K); rows that are alike in its columns are looked up together."""
    if not isinstance(form, (Lookup, Marked)) or len(columns[0]) <= form.table.shape[1]:
        return form(cells_of_form(columns, form))
    cuts = form.cuts if isinstance(form, Lookup) else ()
    codes = [codes_of(*of) for of in zip(columns, cuts or [None], strict=True)]
    _, rows, place = np.unique(joined_codes(codes), return_index=True, return_inverse=True)
    return form(cells_of_form([column[rows] for column in columns], form))[place]


def codes_of(column: ReadColumn, cuts: Array | None) -> Array:
    """Return whole numbers, at least 0, that are equal where the cells of a column are, or their intervals."""
    if isinstance(column, Symbols):
        return np.asarray(column.codes, dtype=np.int64) + 1
    if cuts is None:
        return np.asarray(np.unique(column.values, return_inverse=True)[1])
    return np.where(np.isnan(column.values), 0, np.searchsorted(cuts, column.values, side="left") + 1)


def joined_codes(codes: Sequence[Array]) -> Array:
    """Return whole numbers that are equal where the codes of all columns are."""
    out, *others = codes
    for code in others:
        n = int(code.max()) + 1
        if int(out.max()) >= MOST_CODE // n:  # of many columns: those that are there are numbered anew
            out = np.unique(out, return_inverse=True)[1]
        out = out * n + code
    return out


def cells_of_form(columns: Sequence[ReadColumn], form: Form) -> Array:
    """Return the cells that a form takes, tuples of them where it takes two columns together."""
    if isinstance(form, Marked):
        return level_array(readable(texts_of(columns[0])))
    if not isinstance(form, (Lookup, Cases)):
        (column,) = columns
        return column.values if isinstance(column, Numbers) else np.array(readable(column), dtype=object)
    if len(columns) == 1:
        return level_array(named(columns[0], form.levels.tolist()))
    known = dict(levels_of(form))  # of columns of levels; all others are of numbers
    parts = (named(c, known[j]) if j in known else values_of(c) for j, c in zip(form.columns, columns, strict=True))
    return level_array(list(zip(*parts, strict=True)))


def named(column: ReadColumn, levels: Sequence[Any]) -> list[Any]:
    """Return the cells of a column as levels are named: as texts where these are."""
    return readable(texts_of(column) if all(isinstance(of, (str, type(None))) for of in levels) else column)


def values_of(column: ReadColumn) -> list[Any]:
    """Return a column's numbers."""
    return column.values.tolist() if isinstance(column, Numbers) else readable(column)

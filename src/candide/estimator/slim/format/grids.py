"""Grids: joined look-ups told by what each column may be, and a table of all that these may be together.

What a column may be is told once: a part is a list of levels, or cuts; or, where the column was told before, a number,
twice the place of that telling, and one more where a missing cell is a value of the part, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Any, TypeAlias

import numpy as np

from candide.distributions.forms import Form, Lookup, Steps
from candide.estimator.format.encoding import RuleBook, decode, encode
from candide.estimator.format.entries import Entry
from candide.estimator.slim.format.units import MOST_DECIMALS, MOST_UNITS, from_units, in_units
from candide.frozen import frozen
from candide.table.columns import level_array

Array = np.ndarray[Any, Any]
Tellings: TypeAlias = dict[int, list["list[Any] | Array"]]
"""What columns may be, levels or cuts, in the order in which they were told."""

LEAST_FILLED = 0.5
"""Of a grid, so that what is not there is told as well: that it adds nothing."""
MOST_CELLS = 1 << 24
"""Of a grid."""


@frozen
class JoinedGrid:
    """A joined look-up on all that its columns may be together; the first column changes fastest.

    Parameters
    ----------
    parts : list of lists
        The levels of each column, or the numbers of its intervals; None, a missing cell, before them.
    table : ndarray (K, cells)
        Zeros where nothing is added.
    closed : bool
        Whether a level that is not told counts as missing.
    """

    parts: list[list[Any]]
    table: Array
    closed: bool

    @classmethod
    def of(cls, form: Lookup, filled: float) -> JoinedGrid | None:
        """Return the grid of a look-up, at least so much of which is there; None where it has none."""
        levels = form.levels.tolist()
        seen = [dict.fromkeys(parts) for parts in zip(*levels, strict=True)] or [{}] * len(form.cuts)
        parts = [values_of(of, cuts) for of, cuts in zip(seen, form.cuts, strict=True)]
        closed = [domain is not None for domain, cuts in zip(form.domains, form.cuts, strict=False) if cuts is None]
        same = [
            domain is None or cuts is not None or {*domain.tolist()} == {*of} - {None}
            for domain, of, cuts in zip(form.domains, seen, form.cuts, strict=False)
        ]
        cells = prod(map(len, parts))
        if form.unseen or not levels or len(levels) < filled * cells or not all(same) or len(set(closed)) > 1:
            return None
        place = [{part: k for k, part in enumerate(of)} for of in parts]
        strides = np.cumprod([1, *map(len, parts[:-1])])
        at = np.array([sum(s * one[v] for s, one, v in zip(strides, place, level, strict=True)) for level in levels])
        table = np.zeros((len(form.table), cells))
        table[:, at] = form.table
        return cls(parts, table, any(closed))

    def lookup(
        self, columns: tuple[int, ...], missing: Array, cuts: Sequence[Array | None], all_cells: bool = False
    ) -> Lookup:
        """Return the look-up of cells that add something, or of all."""
        levels = [tuple(reversed(level)) for level in product(*reversed(self.parts))]
        said = np.asarray(self.table.any(axis=0)) | all_cells
        known = level_array([level for level, says in zip(levels, said.tolist(), strict=True) if says])
        domains = tuple(
            level_array([level for level in of if level is not None]) if cut is None else None
            for of, cut in zip(self.parts, cuts, strict=True)
        )
        return Lookup(
            columns=columns, missing=missing, levels=known, table=self.table[:, said], cuts=tuple(cuts),
            domains=domains if self.closed else (),
        )  # fmt: skip


def values_of(seen: Iterable[Any], cuts: Array | None) -> list[Any]:
    """Return all that a column may be, of which some was seen: a missing cell first, then levels or intervals."""
    levels = list(seen)
    known = [level for level in levels if level is not None] if cuts is None else range(len(cuts) + 1)
    return [*([None] if None in levels else []), *known]


def remember(form: Form, told: Tellings) -> None:
    """Note what a column may be that a form of it alone tells."""
    if isinstance(form, (Lookup, Steps)) and len(form.columns) == 1:
        one: list[Any] | Array = form.cuts if isinstance(form, Steps) else form.levels.tolist()
        told.setdefault(form.columns[0], []).append(one)


def grid_to_json(form: Lookup, grid: JoinedGrid, told: Tellings, rules: RuleBook) -> tuple[dict[str, Any], list[Array]]:
    """Return the line of a grid, and the tables of its cuts."""
    tables: list[Array] = []
    parts: list[Any] = []
    for i, (j, part) in enumerate(zip(form.columns, grid.parts, strict=True)):
        none, cuts = int(None in part), form.cuts[i]
        before = told.setdefault(j, [])
        one: list[Any] | Array = [level for level in part if level is not None] if cuts is None else cuts
        place = next((k for k, of in enumerate(before) if alike(of, one)), None)
        if place is not None:
            if cuts is None:
                reorder(grid, i, before[place])
            parts.append(2 * place + none)
            continue
        before.append(one)
        if cuts is None:
            parts.append(encode(part, rules))
        elif (found := in_units(cuts)) is not None:
            parts.append({"unit": found[0], **({"none": 1} if none else {})})
            tables.append(found[1])
        else:
            parts.append({"cuts": encode(cuts, rules), **({"none": 1} if none else {})})
    return {"grid": parts, **({"closed": True} if grid.closed else {})}, tables


def alike(told: list[Any] | Array, one: list[Any] | Array) -> bool:
    """Whether two tellings are of the same levels, or of the same cuts."""
    if isinstance(told, np.ndarray) or isinstance(one, np.ndarray):
        return isinstance(told, np.ndarray) and isinstance(one, np.ndarray) and np.array_equal(told, one)
    return len(told) == len(one) and all(isinstance(level, str) for level in (*told, *one)) and {*told} == {*one}


def reorder(grid: JoinedGrid, i: int, levels: list[Any] | Array) -> None:
    """Put the levels of a part in the order in which they were told before, and the cells of the table with them."""
    part = grid.parts[i]
    wanted = [*([None] if None in part else []), *levels]
    place = {level: k for k, level in enumerate(part)}
    shape = [len(of) for of in reversed(grid.parts)]
    axis = len(grid.parts) - i
    grid.table[:] = np.take(grid.table.reshape(-1, *shape), [place[v] for v in wanted], axis=axis).reshape(
        grid.table.shape
    )
    part[:] = wanted


def parts_from_json(
    line: Entry, columns: Sequence[int], tables: Any, told: Tellings, rules: RuleBook
) -> tuple[list[list[Any]], tuple[Array | None, ...]]:
    """Read back what each column of a grid may be, and the cuts of those that have any."""
    parts, cuts = [], []
    entries = line["grid"].items()
    if len(entries) != len(columns) or len(columns) < 2:
        raise line["grid"].wrong("is not of the columns")
    for j, part in zip(columns, entries, strict=True):
        one, none = part_from_json(part, tables, told.setdefault(j, []), rules)
        values = list(range(len(one) + 1)) if isinstance(one, np.ndarray) else one
        parts.append([*([None] if none else []), *values])
        cuts.append(one if isinstance(one, np.ndarray) else None)
    if prod(map(len, parts)) > MOST_CELLS:
        raise line["grid"].wrong("has too many cells")
    return parts, tuple(cuts)


def part_from_json(part: Entry, tables: Any, before: list[Any], rules: RuleBook) -> tuple[list[Any] | Array, bool]:
    """Read back what one column of a grid may be, and whether it may be missing."""
    if isinstance(part.value, int):
        place, none = divmod(part.whole(2 * len(before) - 1), 2)
        return before[place], bool(none)
    if isinstance(part.value, list):
        levels = decode(part, rules)
        none = None in levels[:1]
        one: list[Any] | Array = levels[1:] if none else levels
        try:
            distinct = len(set(one)) == len(one) and None not in one
        except TypeError:
            distinct = False
        if not distinct:
            raise part.wrong("does not hold distinct levels")
    else:
        part.check_keys(("unit", "cuts", "none"))
        none = part.get("none") is not None
        given = cuts_in_units(part, tables) if part.get("unit") is not None else decode(part["cuts"], rules)
        one = np.array(given, dtype=float)
        if one.ndim != 1 or not (np.diff(one) > 0).all():
            raise part.wrong("has cuts that do not ascend")
    before.append(one)
    return one, none


def cuts_in_units(line: Entry, tables: Any) -> list[float]:
    """Return cuts, or knots, that were told in units."""
    unit = line["unit"].items()
    if len(unit) != 2:  # a numerator and decimals
        raise line["unit"].wrong("is no unit")
    between = tables.take(1)
    if (between[:, 1:] <= 0).any():
        raise line["unit"].wrong("tells cuts that do not ascend")
    return from_units([of.whole(most) for of, most in zip(unit, (MOST_UNITS, MOST_DECIMALS), strict=True)], between)

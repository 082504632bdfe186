"""Rows: from JSON to rows of the model's columns, each cell of the kind that its column was learnt with."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

import msgspec

from candide.messages import unknown
from candide.schema.column import Column
from candide.schema.schema import Schema
from candide.serve.refusals import BAD_REQUEST, TOO_LARGE, UNFIT, Refusal
from candide.table.columns import level_array
from candide.table.mappings import RepeatedKey, unrepeated
from candide.table.objects import encode_objects
from candide.table.table import Table

JsonRow = dict[str, Any]

MOST_ROWS = 10_000
"""Rows of a request."""
SHOWN = 40
"""Characters of a cell that a sentence repeats."""

WORDS = {str: "text", bool: "true or false", int: "a number", float: "a number"}


class Reader:
    """The columns of a model, as a request names them: as they were given, before dates became their parts.

    Parameters
    ----------
    schema : Schema
    binary : set of int
        The columns of numbers that hold zeros and ones, which true and false may stand for.

    Attributes
    ----------
    names : list of str
        The columns as they were given.
    used : list of str
        Those of them that something was learnt from.
    columns : dict of str to Column
        Those that were learnt as they were given.
    takes : dict of str to set of type
        What the cells of a column may be; anything that JSON writes, where a reader or nobody reads them.
    """

    def __init__(self, schema: Schema, binary: set[int]) -> None:
        self.schema = schema
        self.names = [str(name) for name in schema.given_names]
        self.used = [str(name) for name in schema.used_names]
        self.named = isinstance(schema.names[0], str)
        self.columns: dict[str, Column] = {}
        self.takes: dict[str, set[type]] = {name: {str, bool, int, float} for name in self.names}
        for j, column in enumerate(schema.columns):
            name = str(column.name)
            if column.name not in schema.reading and name in self.takes:
                self.columns[name] = column
                self.takes[name] = takes(column) | ({bool} if j in binary else set())

    @property
    def asks(self) -> dict[str, str]:
        """What a person types into the field of a column that was learnt as it was given."""
        return {name: typed(column, self.takes[name]) for name, column in self.columns.items()}

    def learnt(self, row: JsonRow) -> JsonRow:
        """Return a row in the columns that were learnt; without those that take a whole column to be read."""
        read = self.schema.reading.row(row)
        return dict(read) if read is not None else {n: cell for n, cell in row.items() if n in self.columns}

    def decode(self, body: bytes) -> tuple[list[JsonRow], bool]:
        """Return the rows of a request, and whether it asked for several; their cells are not looked at."""
        try:
            value = msgspec.json.decode(body)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise Refusal(BAD_REQUEST, f"the body is not JSON: {one_line(error)}") from None
        if type(value) is not dict:
            raise Refusal(UNFIT, f'the body is {kind(value)}: give an object of cells, or {{"rows": [...]}}')
        rows = value.get("rows") if len(value) == 1 and "rows" not in self.takes else None
        check_keys(body, value, rows)
        if rows is None:
            return [value], False
        if type(rows) is not list:
            raise Refusal(UNFIT, f"'rows' is {kind(rows)}: give a list of objects")
        if len(rows) > MOST_ROWS:
            raise Refusal(TOO_LARGE, f"there are {len(rows)} rows: send at most {MOST_ROWS} at a time")
        return rows, True

    def checked(self, rows: list[Any], several: bool) -> list[JsonRow]:
        """Return rows whose cells fit their columns; the target, which a row may have, is left aside."""
        return [self._checked(row, f"row {n}: " if several else "") for n, row in enumerate(rows)]

    def _checked(self, row: Any, where: str) -> JsonRow:
        if type(row) is not dict:
            raise Refusal(UNFIT, f"{where}a row is an object of cells, not {kind(row)}")
        if self.schema.target in row and self.schema.target not in self.takes:
            row = {name: cell for name, cell in row.items() if name != self.schema.target}
        for name, cell in row.items():
            if name not in self.takes:
                raise Refusal(UNFIT, f"{where}{unknown('column', name, self.names)}", name)
            if cell is not None and not fits(cell, self.takes[name]):
                wanted = " or ".join(sorted({WORDS[t] for t in self.takes[name]}))
                raise Refusal(UNFIT, f"{where}column {name!r} takes {wanted}, not {cell_in_words(cell)}", name)
        checked: JsonRow = row
        return checked

    def table(self, rows: list[JsonRow]) -> Table:
        """Return rows that were checked as a table of the model's columns."""

        def cells(j: int) -> Any:
            return level_array([row.get(self.names[j]) for row in rows])

        names = tuple(self.names) if self.named else None
        shape = (len(rows), len(self.names))
        return Table(shape, names, lambda j: encode_objects(cells(j), f"column {self.names[j]!r}"), texts=cells)


def check_keys(body: bytes, value: JsonRow, rows: Any) -> None:
    """Refuse a key that stands twice in an object, of which the decoder took the last.

    Every key has its colon. Only where there are more of them, as in text or behind such a key, objects are read again.
    """
    inner = sum(len(row) for row in rows if type(row) is dict) if type(rows) is list else 0
    if body.count(b":") == len(value) + inner:
        return
    try:
        json.loads(body, object_pairs_hook=unrepeated)
    except RepeatedKey as error:
        raise Refusal(UNFIT, str(error)) from None
    except (ValueError, RecursionError):
        return  # which the decoder has read all the same


def takes(column: Column) -> set[type]:
    """Return the types of cells that a column takes; all where nothing was seen of it."""
    if column.blank:
        return {str, bool, int, float}
    if column.kind == "bags":
        return {str}
    if column.kind == "numbers" or column.levels is None:
        return {int, float}
    types = {type(level) for level in column.levels.tolist()}
    return types | ({int, float} if types & {int, float} else set())


def typed(column: Column, types: set[type]) -> str:
    """Return what the text of a field stands for, where a column takes cells of some types."""
    if column.kind == "bags":
        return "document"
    return "text" if str in types else "number" if float in types else "boolean"


def fits(cell: Any, types: set[type]) -> bool:
    """Whether a cell is of one of some types, and no number beyond all bounds."""
    if type(cell) is int and float in types:
        return abs(cell) < 1 << 1023
    return type(cell) in types and (type(cell) is not float or isfinite(cell))


def kind(value: Any) -> str:
    """Say what a JSON value is."""
    words = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return words.get(type(value), "a number")


def cell_in_words(cell: Any) -> str:
    """Return a cell for a sentence, shortened."""
    if type(cell) is str:
        return f"the text {cell[:SHOWN] + '...' if len(cell) > SHOWN else cell!r}"
    if type(cell) is bool:
        return str(cell).lower()
    if type(cell) in (int, float):
        return f"the number {float(cell):g}" if abs(cell) < 1 << 1023 else "so large a number"
    return kind(cell)


def one_line(error: Exception) -> str:
    """Return what a decoder says, on one line."""
    return " ".join(str(error).split()) if str(error) else type(error).__name__

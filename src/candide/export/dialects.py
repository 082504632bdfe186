"""Dialects: how names, literals, tables of constants and a few functions are written in each SQL."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import Any, Literal

from candide.frozen import frozen
from candide.messages import unknown


@frozen(eq=True)
class Dialect:
    """One SQL.

    Parameters
    ----------
    name : str
    quote : str
        What stands around names.
    double : str
        The type of 64-bit floats.
    backslash : bool
        Whether a backslash in text is an escape.
    infinity : str
        Minus infinity.
    nan : str or None
        How a number that is NaN becomes NULL: a pattern of the number; None where there is no NaN.
    materialized : str
        What keeps a WITH part from being pasted where it is used.
    constants : "values", "listed" or "structs"
        How a table of constants is written.
    rest : "exclude", "except", "row" or "rowid"
        How all columns of the table, and nothing else, are passed on.
    """

    name: str
    quote: str = '"'
    double: str = "DOUBLE"
    backslash: bool = False
    infinity: str = "CAST('-Infinity' AS DOUBLE)"
    nan: str | None = "NULLIF({0}, CAST('NaN' AS DOUBLE))"
    materialized: str = ""
    constants: Literal["values", "listed", "structs"] = "values"
    rest: Literal["exclude", "except", "row", "rowid"] = "exclude"

    def identifier(self, name: str) -> str:
        """Return a name between quotes."""
        if "\x00" in name:
            raise ValueError(f"the name {name!r} cannot be written in SQL: it holds a NUL")
        if self.name == "bigquery":
            name = name.replace("\\", "\\\\").replace("`", "\\`")
            return f"`{name}`"
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote

    def table(self, table: str | Sequence[str]) -> str:
        """Return a table's name, its schema before it: "schema.table", or the parts."""
        parts = table.split(".") if isinstance(table, str) else list(table)
        if not parts or not all(parts):
            raise ValueError(f"table={table!r}: give a name such as 'schema.table', or its parts")
        return ".".join(self.identifier(part) for part in parts)

    def text(self, text: str) -> str:
        """Return text between quotes."""
        if "\x00" in text or any("\ud800" <= c <= "\udfff" for c in text):
            raise ValueError(f"the text {text!r} cannot be written in SQL")
        if not self.backslash:
            return "'" + text.replace("'", "''") + "'"
        text = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
        return f"'{text}'"

    def number(self, value: float) -> str:
        """Return a 64-bit float, with an exponent, so that it is not taken for a decimal."""
        if isinf(value):
            return self.infinity
        text = repr(float(value))
        return text if "e" in text else f"{text}e0"

    def literal(self, value: Any) -> str:
        """Return a level or a label."""
        if isinstance(value, bool):
            return ("1" if value else "0") if self.name == "sqlite" else str(value).upper()
        if isinstance(value, str):
            return self.text(value)
        return str(int(value)) if isinstance(value, int) else self.number(float(value))

    def type_of(self, value: Any) -> str:
        """Return the type of a literal."""
        if isinstance(value, str):
            return {"bigquery": "STRING", "spark": "STRING", "sqlite": "TEXT"}.get(self.name, "VARCHAR")
        if isinstance(value, bool):
            return {"bigquery": "BOOL", "sqlite": "INTEGER"}.get(self.name, "BOOLEAN")
        if isinstance(value, int):
            return {"bigquery": "INT64", "sqlite": "INTEGER"}.get(self.name, "BIGINT")
        return self.double

    def known_number(self, expression: str) -> str:
        """Return a number as a float, NULL where it is NaN."""
        cast = f"CAST({expression} AS {self.double})"
        return cast if self.nan is None else self.nan.format(cast)

    def constant_table(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
        """Return a WITH part of constants: rows of literals, in columns of one type each."""
        heads = [self.identifier(column) for column in columns]
        typed = [self.type_of(cell) for cell in rows[0]]
        first = ", ".join(f"CAST({self.literal(c)} AS {t})" for c, t in zip(rows[0], typed, strict=True))
        lines = [f"({first})", *(f"({', '.join(map(self.literal, row))})" for row in rows[1:])]
        listed, own, columns = ",\n  ".join(lines), self.identifier(name), ", ".join(heads)
        if self.constants == "listed":
            return f"{own}({columns}) AS {self.materialized}(VALUES\n  {listed})"
        if self.constants == "structs":
            fields = ", ".join(f"{head} {t}" for head, t in zip(heads, typed, strict=True))
            return f"{own} AS (SELECT * FROM UNNEST(ARRAY<STRUCT<{fields}>>[\n  {listed}]))"
        return f"{own} AS {self.materialized}(SELECT * FROM (VALUES\n  {listed}) AS {self.identifier('v')}({columns}))"


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("duckdb", materialized="MATERIALIZED "),
        Dialect(
            "postgres",
            double="DOUBLE PRECISION",
            infinity="CAST('-Infinity' AS DOUBLE PRECISION)",
            nan="NULLIF({0}, CAST('NaN' AS DOUBLE PRECISION))",
            materialized="MATERIALIZED ",
            rest="row",
        ),
        Dialect(
            "sqlite",
            double="REAL",
            infinity="(-9e999)",
            nan=None,
            materialized="MATERIALIZED ",
            constants="listed",
            rest="rowid",
        ),
        Dialect("spark", quote="`", backslash=True, rest="except"),
        Dialect(
            "bigquery",
            quote="`",
            double="FLOAT64",
            backslash=True,
            infinity="CAST('-inf' AS FLOAT64)",
            nan="IF(IS_NAN({0}), NULL, {0})",
            constants="structs",
            rest="except",
        ),
        Dialect(
            "snowflake",
            backslash=True,
            infinity="CAST('-inf' AS DOUBLE)",
        ),
    )
}  # fmt: skip
"""The dialects that are known, by name."""


def dialect_of(name: str) -> Dialect:
    """Return a dialect by its name."""
    if name not in DIALECTS:
        raise ValueError(unknown("dialect", str(name), list(DIALECTS)))
    return DIALECTS[name]

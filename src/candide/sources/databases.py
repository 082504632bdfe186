"""Data bases: relations of DuckDB, and cursors whose results are Arrow batches (ADBC, DuckDB)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from candide.sources.batch import batch_rows
from candide.sources.streams import ArrowStream, Stream, gathered


class Relation(Stream):
    """A relation of DuckDB, a table or a query: run when it is read, and anew each time."""

    name = "the relation"

    def names(self) -> list[str]:
        return list(self.given.columns)

    def frames(self, columns: Sequence[str] | None) -> Iterator[Any]:
        names = self.names() if columns is None else list(columns)
        chosen = self.given if columns is None else self.given.project(", ".join(map(quoted, names)))
        # given as an Arrow stream, DuckDB would keep the whole result
        return iter(chosen.to_arrow_reader(batch_rows(len(names))))


def quoted(name: str) -> str:
    """Return the name of a column as SQL has it.

    Examples
    --------
    >>> print(quoted('a "big" price'))
    "a ""big"" price"
    """
    return '"' + name.replace('"', '""') + '"'


class Cursor(ArrowStream):
    """A cursor that was told to execute a query, whose result is fetched as Arrow batches."""

    name = "the cursor"

    def frames(self, columns: Sequence[str] | None) -> Iterator[Any]:
        return gathered(self.given.fetch_record_batch())


def is_relation(X: Any) -> bool:
    """Whether X is a relation of DuckDB."""
    return (
        type(X).__module__.partition(".")[0] in {"duckdb", "_duckdb"}
        and hasattr(X, "to_arrow_reader")
        and hasattr(X, "project")
    )


def is_cursor(X: Any) -> bool:
    """Whether X is a cursor that gives Arrow batches."""
    return hasattr(X, "fetch_record_batch") and hasattr(X, "execute") and not isinstance(X, type)

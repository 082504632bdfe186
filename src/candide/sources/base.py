"""Sources: anything that gives a table batch by batch, and how its text is to be read."""

from __future__ import annotations

import codecs
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from candide.frozen import frozen
from candide.progress import Done
from candide.sources.formats import FORMATS, by_ending

if TYPE_CHECKING:
    from candide.reading import ReadAs
    from candide.schema.schema import Schema


class SourceWarning(UserWarning):
    """Something that the user may not have meant."""


@frozen(eq=True)
class Reading:
    """How the cells of files are to be read; of Parquet and Arrow, which say what they are, missing ones and dates.

    Parameters
    ----------
    missing : sequence of str
        Spellings of a missing cell, such as "?" or "NA"; the empty cell always is one.
    decimal : str
        The decimal point of numbers: "." or ",".
    separator : str, optional
        What stands between the cells of a CSV; by default seen from its first line.
    text : sequence of str
        Columns of codes, in which 01234 stays as it is written.
    documents : sequence of str
        Columns of documents, whose cells are text though all are numbers.
    target : str, optional
        The column of the labels: whole numbers where all are written so, otherwise text.
    weight : str, optional
        The column of the rows' weights: numbers, and no attribute.
    format : str, optional
        "csv", "tsv", "ndjson", "parquet", "arrow" or "excel"; by default the file's ending or its first bytes tell.
    exclude : sequence of str
        Columns to leave out.
    encoding : str, optional
        How the characters of a text file are written, such as "latin-1"; by default UTF-8, or UTF-16 by its mark.
    replace_invalid : bool
        Whether bytes of a file that are no character are read as U+FFFD; they are refused otherwise.
    comment : str, optional
        What the lines of a CSV or TSV begin with that are no rows; lines of "#" before the names of the columns are
        told without it.
    sheet : str, optional
        The sheet of a workbook; by default the first that has rows.
    may_lack : bool, optional
        Whether a table may lack columns of the model that reads it: their cells are missing then, which is said. By
        default the rows of objects may.
    dates : "dmy" or "mdy", optional
        What dates are that leave open which number is the day; by default other columns tell, or the day comes first.

    Examples
    --------
    >>> Reading(missing=["?"], decimal=",").missing
    ('?',)
    """

    missing: tuple[str, ...] = ("",)
    decimal: str = "."
    separator: str | None = None
    text: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    target: str | None = None
    weight: str | None = None
    format: str | None = None
    exclude: tuple[str, ...] = ()
    encoding: str | None = None
    replace_invalid: bool = False
    comment: str | None = None
    may_lack: bool | None = None
    sheet: str | None = None
    dates: str | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in {"missing", "text", "documents", "exclude"}:
                object.__setattr__(self, field.name, (value,) if isinstance(value, str) else tuple(value))
        if self.decimal not in {".", ","}:
            raise ValueError(f"decimal={self.decimal!r}: a decimal point is '.' or ','")
        if self.dates not in {None, "dmy", "mdy"}:
            raise ValueError(
                f"dates={self.dates!r}: 'dmy' where the day comes before the month, 'mdy' where it follows"
            )
        one = self.separator is None or (len(self.separator) == 1 and self.separator.isascii())
        if not one or (self.separator is not None and self.separator in '"\r\n' + self.decimal):
            raise ValueError(
                f"separator={self.separator!r}: one ASCII character, and not a quote, a line end or the decimal"
            )
        if self.format is not None and self.format not in FORMATS:
            raise ValueError(f"format={self.format!r}: one of {', '.join(FORMATS)}")
        if self.encoding is not None:
            try:
                codecs.lookup(self.encoding)
            except LookupError:
                raise ValueError(f"encoding={self.encoding!r} is not known; such as 'latin-1', 'cp1252'") from None


class Source(ABC):
    """A table that is read batch by batch, in constant memory.

    Attributes
    ----------
    name : str
        What to call it in messages and on a progress bar.
    repeatable : bool
        Whether it can be read twice: files and lists can, generators and pipes cannot.
    done : function
        Told, as the source is read, how much has been: 0 .. 1, or None where the end is not known.
    options : Reading
        How its text is read.
    n_rows : int or None
        How many rows there are, where it is known before they are read.
    by_position : bool
        Whether its columns go by position: their names serve to tell the labels.
    looks_at_all : bool
        Whether `readers` tells what all of its cells show, so that the first batch need not be looked at.
    """

    name: str
    repeatable: bool
    done: Done
    options: Reading = Reading()
    n_rows: int | None = None
    by_position: bool = False
    looks_at_all: bool = False

    @abstractmethod
    def learning(self, target: str, weight: str | None) -> Source:
        """Return the source with the columns of its labels and weights named, so that these are read as such."""

    @abstractmethod
    def batches(self, known: Schema | None = None, columns: Sequence[str | int] | None = None) -> Iterator[Any]:
        """Yield tables that `candide.table.read` takes, in the order of the rows.

        Parameters
        ----------
        known : Schema, optional
            Cells of files are typed as this schema has its columns and classes; without one, by their own kinds.
        columns : sequence of names, optional
            The columns to yield, which must be there; by default all, or with `known` its own, those that the
            reading names as target and weights, and its target where that is there. To predict, give `known.names`:
            labels are then not looked at.
        """

    def parts(self, known: Schema | None = None) -> Iterator[tuple[Source, int]]:
        """Yield sources that can be read at the same time, in the order of their rows, each with the row of this one
        that it begins with. Nothing is yielded where there are none.
        """
        return iter(())

    def readers(self) -> Mapping[str, ReadAs | None]:
        """Return how columns are to be read, as all cells show, None as they are; nothing where only batches do."""
        return {}


def is_source(X: Any) -> bool:
    """Whether X is read batch by batch: paths, patterns, streams, datasets, lazy frames, iterators and lists of frames.

    Nothing is opened or read.

    Examples
    --------
    >>> is_source("data/*.parquet"), is_source([[1.0, 2.0]])
    (True, False)
    """
    return is_path(X) or are_paths(X) or is_opened(X) or _is_stream(X)


def is_opened(X: Any) -> bool:
    """Whether X is a source already."""
    return isinstance(X, Source)


def is_path(X: Any) -> bool:
    """Whether X names a file, or by a pattern several."""
    return isinstance(X, (str, os.PathLike))


def are_paths(X: Any) -> bool:
    """Whether X is a list of paths; texts among them must end as tables do, since a list of texts may be documents."""
    return (
        isinstance(X, (list, tuple))
        and len(X) > 0
        and all(isinstance(p, os.PathLike) or (isinstance(p, str) and by_ending(p)[0] is not None) for p in X)
    )


def _is_stream(X: Any) -> bool:
    from candide.sources.openers import OPENERS

    return any(fits(X) for fits, _ in OPENERS)


def is_frame(X: Any) -> bool:
    """Whether X is a table in memory of pandas, Polars or PyArrow."""
    from candide.table.encode import library

    return library(X) is not None and hasattr(X, "columns") and not hasattr(X, "collect")


def files_of(X: Any) -> tuple[str, ...]:
    """Return the files that X names, those of folders and patterns among them; none where X is no name of files.

    Examples
    --------
    >>> files_of([[1.0, 2.0]])
    ()
    """
    from candide.sources.written import WrittenFiles

    opened = open_source(X) if is_path(X) or are_paths(X) else X
    return opened.paths if isinstance(opened, WrittenFiles) else ()


def open_source(X: Any, options: Reading | None = None) -> Source | None:
    """Return X as a source; None if it is an ordinary table in memory.

    Parameters
    ----------
    X : path, pattern, list of paths, PyArrow reader or dataset, anything with an Arrow stream, lazy frame of Polars,
        iterator or list of frames, or a source
    options : Reading, optional

    Examples
    --------
    >>> open_source([[1.0, 2.0]]) is None
    True
    """
    reading = options or Reading()
    if isinstance(X, Source):
        return X
    if is_path(X) or are_paths(X):
        from candide.sources.files import Files
        from candide.sources.paths import expand

        return Files(expand([X] if is_path(X) else X), reading)
    from candide.sources.openers import OPENERS

    return next((make(X, reading) for fits, make in OPENERS if fits(X)), None)

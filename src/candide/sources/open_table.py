"""What a format makes of an open file: the names of its columns, and its rows in batches of raw cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from candide.frozen import frozen
from candide.sources.opening import ByteStream, Counted, Place, is_repeatable, open_bytes

if TYPE_CHECKING:
    from candide.sources.base import Reading
    from candide.sources.text import TextColumns


@frozen
class OpenFile:
    """A file that is open, and what is known of it before it is read.

    Parameters
    ----------
    place : path, "-" or file
    name : str
        What to call it in a message.
    options : Reading
    stream : ByteStream
        Its bytes, unpacked.
    counted : Counted
        What counts the bytes that were read, packed as they are.
    block_bytes : int or None
        How much of a CSV or of lines of objects becomes a batch, where somebody wants little at a time.
    """

    place: Place
    name: str
    options: Reading
    stream: ByteStream
    counted: Counted
    block_bytes: int | None = None

    @property
    def is_packed(self) -> bool:
        """Whether what is read are not the bytes of the file itself."""
        return self.stream.raw is not self.counted

    @property
    def is_repeatable(self) -> bool:
        """Whether the file can be read again from its beginning."""
        return is_repeatable(self.place)

    def again(self) -> OpenFile:
        """Return the same file, open at its beginning."""
        stream, counted = open_bytes(self.place, self.name)
        return replace(self, stream=stream, counted=counted, block_bytes=None)

    def close(self) -> None:
        """Let go of the file."""
        self.stream.close()
        self.counted.close()


class OpenTable:
    """The table in an open file; a format derives from it what reads such files.

    Attributes
    ----------
    names : list of str, or None
        The columns, where the format names them before the first row.
    stored : frozenset of str
        The columns of text that come as codes into a dictionary.
    group_rows : list of int
        The rows of each group of rows that can be passed over unread; none where the format has no such groups.
    texts : list of str
        The columns that the file itself says are text, and no declared levels.
    """

    names: list[str] | None = None
    texts: Sequence[str] = ()
    stored: frozenset[str] = frozenset()
    group_rows: Sequence[int] = ()

    def __init__(self, file: OpenFile) -> None:
        self.file = file

    def columns(
        self, wanted: Sequence[str] | None, known: Mapping[str, str] | None
    ) -> Iterator[tuple[TextColumns, int]]:
        """Return the rows in batches: raw cells of the columns wanted, or all, and how many rows they have.

        Parameters
        ----------
        wanted : sequence of str, or None
        known : mapping of names to types of cells, or None
            Where it is given, cells of text that are numbers may come as numbers, unless their column is known to be
            something else; and text as codes.
        """
        raise NotImplementedError

    def beginnings(self, wanted: Sequence[str], rows: int) -> Iterator[tuple[TextColumns, int]]:
        """Return the first rows of each group, about so many of all groups together, as `columns` does."""
        raise NotImplementedError

    @property
    def fraction(self) -> float | None:
        """How much has been read, 0 .. 1; None where the end is not known."""
        return self.file.counted.fraction

    def read_only(self, groups: slice, alone: bool) -> None:
        """Read no more than some groups of rows, by one thread where others read others."""

    def close(self) -> None:
        """Let go of what it holds beside the file."""


def counted_rows(batches: Iterator[TextColumns]) -> Iterator[tuple[TextColumns, int]]:
    """Return batches with how many rows they have."""
    return ((columns, len(next(iter(columns.values())))) for columns in batches)

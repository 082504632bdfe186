"""Bags: columns of documents, of which an analyzer makes bags of words. Text stays where it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise, repeat
from operator import is_
from typing import Any

import numpy as np

from candide import native
from candide.arithmetic import offsets
from candide.frozen import frozen
from candide.table.columns import Array
from candide.table.objects import MixedKindsError, is_missing
from candide.table.pandas import in_arrow

MOST_REACHED = (1 << 31) - 1
"""Bytes of text that the offsets of an Arrow array of strings reach, unless it is a large one."""

MOST_TAKEN = 1 << 22
"""Bytes of text whose places are held at a time where documents are taken."""


class Notes:
    """A sheet for whoever reads documents first, from which the next reads what was found: it is asked for by that one.

    Attributes
    ----------
    words : WordList or None
        The words.
    rows : tuple of ndarray or None
        Where each document begins, its words by number, and how often each stands in it.
    """

    def __init__(self) -> None:
        self.words: Any = None
        self.rows: tuple[Array, Array, Array] | None = None

    def write(self, words: Any, rows: tuple[Array, Array, Array] | None) -> None:
        """Put down the words that were found, and the rows of them."""
        self.words, self.rows = words, rows

    def rows_of(self, words: Any) -> tuple[Array, Array, Array] | None:
        """Return the rows, where they are of just these words."""
        return self.rows if words is not None and words is self.words else None


@frozen
class Bags:
    """Documents.

    Parameters
    ----------
    given : list of str, bytes or None; or (bytes, starts)
        The texts themselves, or the UTF-8 of all of them as uint8 and where each begins (documents + 1,).
    nulls : ndarray of bool (documents,) or None
        Which documents are missing, where it is known; None: those of a list that are None, and none else.
    notes : Notes or None
        Where to put down what is found in them; None: nowhere.
    characters : int or None
        How long all documents are together, where it is known.

    Examples
    --------
    >>> bags = Bags(["a claim", None])
    >>> len(bags), bags.missing.tolist(), bags[:1].texts()
    (2, [False, True], ['a claim'])
    """

    given: Any
    nulls: Array | None = None
    notes: Notes | None = None
    characters: int | None = None

    def __len__(self) -> int:
        return len(self.given) if isinstance(self.given, list) else len(self.given[1]) - 1

    def __getitem__(self, rows: slice) -> Bags:
        start, stop, _ = rows.indices(len(self))
        if (start, stop) == (0, len(self)):
            return self
        if isinstance(self.given, list):
            return Bags(self.given[start:stop], None if self.nulls is None else self.nulls[start:stop])
        data, starts = self.given
        stop = max(start, stop)
        return Bags((data, starts[start : stop + 1]), None if self.nulls is None else self.nulls[start:stop])

    def without_blanks(self) -> Bags:
        """Return the same documents, of which empty ones are missing, as cells of files are.

        Examples
        --------
        >>> Bags(["a claim", ""]).without_blanks().texts()
        ['a claim', None]
        """
        gone = self.missing | (self.sizes == 0)
        if np.array_equal(gone, self.missing):
            return self
        given = [text or None for text in self.given] if isinstance(self.given, list) else self.given
        return replace(self, given=given, nulls=gone)

    def noted(self) -> Bags:
        """Return the same documents with a sheet for what is found in them."""
        return replace(self, notes=Notes())

    @cached_property
    def missing(self) -> Array:
        """Which documents are missing."""
        if isinstance(self.given, list) and self.nulls is None:
            return np.fromiter(map(is_, self.given, repeat(None)), dtype=bool, count=len(self.given))
        return np.zeros(len(self), dtype=bool) if self.nulls is None else self.nulls

    @cached_property
    def sizes(self) -> Array:
        """How long each document is, in bytes or characters."""
        if isinstance(self.given, list):
            texts = ("" if text is None else text for text in self.given) if self.missing.any() else self.given
            return np.fromiter(map(len, texts), dtype=np.int64, count=len(self.given))
        return np.diff(self.given[1])

    @cached_property
    def total(self) -> int:
        """How long all documents are together."""
        if self.characters is not None:
            return self.characters
        if isinstance(self.given, list):
            return sum(map(len, filter(None, self.given)))
        return int(self.given[1][-1] - self.given[1][0])

    @property
    def keys(self) -> Array:
        """A number of 64 bits for each document, the same for the same text on every machine; 0 where it is missing.

        Examples
        --------
        >>> a, b, c = Bags(["a claim", None, "a claim"]).keys.tolist()
        >>> a == c, b
        (True, 0)
        """
        if isinstance(self.given, list):
            texts = (t.encode("utf-8", "surrogatepass") if isinstance(t, str) else t or b"" for t in self.given)
        else:
            texts = (self.given[0][a:b].tobytes() for a, b in pairwise(self.given[1].tolist()))
        digests = b"".join(blake2b(text, digest_size=8).digest() for text in texts)
        return np.where(self.missing, 0, np.frombuffer(digests, dtype="<u8")).astype(np.uint64)

    def take(self, rows: Array) -> Bags:
        """Return some documents."""
        if isinstance(self.given, list):
            return Bags([self.given[i] for i in rows.tolist()], None if self.nulls is None else self.nulls[rows])
        data, starts = self.given
        lengths = np.diff(starts)[rows]
        ends = offsets(lengths)
        taken = Bags((np.empty(ends[-1], dtype=np.uint8), ends), None if self.nulls is None else self.nulls[rows])
        for part in taken.parts(MOST_TAKEN):  # the places of bytes take sixteen times as much as these
            shift = np.repeat(starts[:-1][rows[part]] - ends[:-1][part], lengths[part])
            start, stop = ends[part.start], ends[part.stop]
            taken.given[0][start:stop] = data[np.arange(start, stop) + shift]
        return taken

    def parts(self, size: int) -> Iterator[slice]:
        """Yield ranges of documents of about this size at the most together, at least one in each."""
        if len(self) <= 1 or self.total <= size:
            yield slice(0, len(self))
            return
        part = np.concatenate([[0], np.cumsum(self.sizes)[:-1]]) // size
        ends = [*(np.flatnonzero(np.diff(part)) + 1).tolist(), len(self)]
        yield from (slice(a, b) for a, b in zip([0, *ends], ends, strict=False))

    def texts(self) -> list[str | None]:
        """Return the documents as text, None where missing; bytes that are no UTF-8 are replaced."""
        if isinstance(self.given, list):
            return [t.decode("utf-8", "replace") if isinstance(t, bytes) else t for t in self.given]
        data, at = self.given[0], self.given[1].tolist()
        cells = [data[a:b].tobytes().decode("utf-8", "replace") for a, b in pairwise(at)]
        return [None if gone else cell for cell, gone in zip(cells, self.missing.tolist(), strict=True)]


def bags_of(values: Any, where: str) -> Bags:
    """Return the documents of a column of text, whichever library holds it.

    Parameters
    ----------
    values : list, NumPy array, pandas array or series, PyArrow array, Polars series, or the documents themselves
    where : str
        What to call the column in a message.
    """
    if isinstance(values, Bags):
        return values
    origin = type(values).__module__.partition(".")[0]
    if origin == "pandas":
        values = getattr(values, "array", values)
        if in_arrow(values.dtype):
            return _from_arrow(values.__arrow_array__(), where)
    elif origin == "polars" and str(values.dtype) != "Object":
        return _from_arrow(values.to_arrow(), where) if _has_arrow() else _from_objects(values.to_list(), where)
    elif origin == "pyarrow":
        return _from_arrow(values, where)
    if origin == "polars":
        values = values.to_list()
    return _from_objects(values if isinstance(values, list) else np.asanyarray(values).tolist(), where)


def _has_arrow() -> bool:
    from candide.table.arrays import installed

    return installed("pyarrow")


def _from_objects(cells: list[Any], where: str) -> Bags:
    n_texts, gaps, characters = native.texts_among(cells)
    if n_texts + gaps == len(cells):
        return Bags(cells, None if gaps else np.zeros(len(cells), dtype=bool), characters=characters)
    texts = [None if is_missing(cell) else cell for cell in cells]
    for row, text in enumerate(texts):
        if text is not None and not isinstance(text, (str, bytes)):
            error = MixedKindsError if n_texts else TypeError
            raise error(f"{where} holds {text!r:.60} ({type(text).__name__}) in row {row}; a document is text")
    return Bags([str(t) if isinstance(t, str) else t for t in texts])


def _from_arrow(values: Any, where: str) -> Bags:
    import pyarrow as pa

    if isinstance(values, pa.ChunkedArray):
        values = values.chunk(0) if values.num_chunks == 1 else combined(values)
    if isinstance(values, pa.ExtensionArray):
        values = values.storage
    kind = values.type
    if pa.types.is_null(kind) or (pa.types.is_floating(kind) and values.is_null(nan_is_null=True).false_count == 0):
        return Bags([None] * len(values))  # a file whose cells are all empty has numbers
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):  # looked at where it is read, which tells the byte
        values = values.view(pa.string() if pa.types.is_binary(kind) else pa.large_string())
    elif not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        try:
            values = values.cast(pa.large_string())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise TypeError(f"{where} holds {kind}, which is no text: {error}") from None
        if not _is_text(kind):
            if pa.types.is_integer(kind) or pa.types.is_floating(kind):
                said = "a document is text: give it as such, of a file by Reading(documents=[column])"
                raise TypeError(f"{where} holds numbers ({kind}); {said}")
            raise TypeError(f"{where} holds {kind}; a document is text")
    nulls = None
    if values.null_count:
        nulls = values.is_null().to_numpy(zero_copy_only=False)
        values = values.fill_null("")
    _, starts, data = values.buffers()
    wide = np.int64 if pa.types.is_large_string(values.type) else np.int32
    at = np.frombuffer(starts, dtype=wide)[values.offset : values.offset + len(values) + 1] if starts else np.zeros(1)
    raw = np.zeros(0, dtype=np.uint8) if data is None else np.frombuffer(data, dtype=np.uint8)
    return Bags((raw, at.astype(np.int64)), nulls)


def combined(chunks: Any) -> Any:
    """Return the chunks of an Arrow column as one array, with wider offsets where theirs do not reach so far."""
    import pyarrow as pa

    wider = {pa.string(): pa.large_string(), pa.binary(): pa.large_binary()}
    if chunks.type in wider and chunks.nbytes > MOST_REACHED:
        chunks = chunks.cast(wider[chunks.type])
    return chunks.combine_chunks()


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return any(word in str(kind) for word in ("string", "binary"))

"""Decoding: text in other characters than UTF-8 as UTF-8, and lines that are comments emptied."""

from __future__ import annotations

import codecs
import io

from candide.sources.opening import BUFFER, ByteStream

MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""What a file begins with that says how its characters are written; the longer ones first."""


def decoded(
    stream: ByteStream, encoding: str | None, comment: str | None, name: str, replace: bool = False
) -> ByteStream:
    """Return the text of a file as UTF-8, lines that are comments empty.

    Parameters
    ----------
    stream : ByteStream
    encoding : str or None
        None: the file's mark says it, or it is UTF-8.
    comment : str or None
        What such lines begin with.
    name : str
        What to call the file in a message.
    replace : bool
        Whether bytes that are no character become U+FFFD.
    """
    start = stream.peek(4)
    found = encoding or next((name for mark, name in MARKS.items() if start.startswith(mark)), None) or unmarked(start)
    raw: io.RawIOBase | None = None
    if replace or (found is not None and codecs.lookup(found).name not in ("utf-8", "ascii")):
        raw = _Recoded(stream, found or "utf-8", name, "replace" if replace else "strict")
    if comment:
        raw = _Uncommented(stream if raw is None else io.BufferedReader(raw, BUFFER), comment.encode())
    return stream if raw is None else io.BufferedReader(raw, BUFFER)


def unmarked(start: bytes) -> str | None:
    """Return how characters are written in a file without a mark whose first two have a zero byte each, if they do.

    Examples
    --------
    >>> unmarked("id,desk".encode("utf-16-le")), unmarked(b"id,desk")
    ('utf-16-le', None)
    """
    zeros = [byte == 0 for byte in start[:4]]
    if zeros == [False, True, False, True]:
        return "utf-16-le"
    return "utf-16-be" if zeros == [True, False, True, False] else None


class _Pieces(io.RawIOBase):
    """A raw file of pieces that are made when they are asked for."""

    def __init__(self) -> None:
        self.held = b""

    def readable(self) -> bool:
        return True

    def piece(self) -> bytes | None:
        """Return the next piece, which may be empty; None at the end."""
        raise NotImplementedError

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # the narrower of Buffer
        while not self.held:  # ends: with the pieces
            piece = self.piece()
            if piece is None:
                return 0
            self.held = piece
        n = min(len(buffer), len(self.held))
        buffer[:n], self.held = self.held[:n], self.held[n:]
        return n


class _Recoded(_Pieces):
    """A file in another encoding, as UTF-8."""

    def __init__(self, stream: ByteStream, encoding: str, name: str, errors: str = "strict") -> None:
        super().__init__()
        self.stream, self.encoding, self.name = stream, encoding, name
        self.decoder = codecs.getincrementaldecoder(encoding)(errors)
        self.ended = False

    def piece(self) -> bytes | None:
        if self.ended:
            return None
        raw = self.stream.read1(BUFFER)
        self.ended = not raw
        try:
            return self.decoder.decode(raw, final=self.ended).encode()
        except UnicodeError as error:
            raise ValueError(f"{self.name} is not text in {self.encoding}: {error}") from None


class _Uncommented(_Pieces):
    """A file whose lines that begin as comments do are empty: a line that is told is the file's."""

    def __init__(self, stream: ByteStream, comment: bytes) -> None:
        super().__init__()
        self.stream, self.comment = stream, comment

    def piece(self) -> bytes | None:
        lines = self.stream.readlines(BUFFER)
        return b"".join(b"\n" if line.lstrip().startswith(self.comment) else line for line in lines) if lines else None

"""UTF-8: text and bytes of files that keep both, whose characters nobody has looked at before."""

from __future__ import annotations

from typing import Any

from candide.sources.spelling import is_text


def in_utf8(cells: Any, where: str, start: int, replace: bool = False) -> Any:
    r"""Return an Arrow column of text, or of bytes that are text, as text in UTF-8; any other as it is.

    Parameters
    ----------
    cells : PyArrow array
    where : str
        What to call the column in a message.
    start : int
        The row of the table that is its first.
    replace : bool
        Whether bytes that are no character become U+FFFD; they are refused otherwise.

    Examples
    --------
    >>> import pyarrow as pa
    >>> in_utf8(pa.array([b"caf\xc3\xa9", b"caf\xe9"]), "column 'desk'", 0, replace=True).to_pylist()
    ['café', 'caf�']
    """
    import pyarrow as pa

    if not (is_text(cells) or are_bytes(cells.type)):
        return cells
    coded = pa.types.is_dictionary(cells.type)
    texts = cells.dictionary if coded else cells
    try:
        if are_bytes(cells.type):
            return _recoded(cells, texts.cast(pa.large_string()))
        texts.validate(full=True)
        return cells
    except pa.ArrowInvalid:
        known = texts.cast(pa.large_binary()).to_pylist()
    if not replace:
        raise ValueError(_first_wrong(known, cells.indices if coded else None, where, start))
    replaced = [None if text is None else text.decode("utf-8", "replace") for text in known]
    return _recoded(cells, pa.array(replaced, pa.large_string()))


def are_bytes(kind: Any) -> bool:
    """Whether an Arrow type is bytes, any number in each cell, or codes of such."""
    from pyarrow import types as of

    kind = kind.value_type if of.is_dictionary(kind) else kind
    return bool(of.is_binary(kind) or of.is_large_binary(kind) or of.is_binary_view(kind))


def _recoded(cells: Any, texts: Any) -> Any:
    """Return a column with these texts in the place of its own, of which some may be one now."""
    return texts.take(cells.indices).dictionary_encode() if hasattr(cells, "dictionary") else texts


def _first_wrong(known: list[bytes | None], codes: Any, where: str, start: int) -> str:
    """Say which row is the first whose bytes are no text, and which of these."""
    rows = range(len(known)) if codes is None else codes.to_pylist()
    for row, code in enumerate(rows, start):
        text = None if code is None else known[code]
        try:
            (text or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            byte = f"byte {error.start + 1} of it is 0x{error.object[error.start]:02x}"
            return (
                f"{where} is not text in UTF-8 in row {row}: {byte}; have --replace-invalid, or "
                "Reading(replace_invalid=True), read such bytes as U+FFFD"
            )
    return f"{where} is not text in UTF-8"

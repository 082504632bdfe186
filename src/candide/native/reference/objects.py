"""Lines of JSON objects as rows of CSV."""

import json
import re

__all__ = ["json_rows"]

TEXT = rb'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"'
NUMBER = rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
CELL = re.compile(
    rb'[ \t]*("[^"\\\x00-\x1f]*")[ \t]*:[ \t]*(' + TEXT + rb"|null|true|false|" + NUMBER + rb")[ \t]*(,|\})"
)
BLANK = b" \t\r\n"
LONGEST_WHOLE = 18
"""Digits that surely are a number of 64 bits."""


def json_rows(lines: bytes) -> tuple[list[bytes], list[str], bytes] | None:
    """Return the keys of lines of objects, what each column's cells are, and the objects as rows of CSV.

    Texts stand in quotes, what is null is nothing, and all else is as it was spelt; kinds are "null", "bool", "int64",
    "double" and "string". None where a line is anything but an object of the first one's keys, in their order, and
    plain values, where a column is of two kinds, or where a character is none.
    """
    keys: list[bytes] = []
    kinds: list[str] = []
    out = []
    for line in lines.split(b"\n"):
        if not line.strip(BLANK):
            continue
        cells = _cells(line.lstrip(BLANK))
        if cells is None or (keys and [key for key, _ in cells] != keys):
            return None
        if not keys:
            keys = [key for key, _ in cells]
            kinds = ["null"] * len(keys)
        spelt = [_spelt(cell) for _, cell in cells]
        if len(set(keys)) < len(keys) or None in spelt:
            return None
        for j, (kind, _) in enumerate(spelt):  # type: ignore[misc]  # none is None
            if kinds[j] == "null" or (kinds[j], kind) == ("int64", "double"):
                kinds[j] = kind
            elif kind not in ("null", kinds[j]) and (kinds[j], kind) != ("double", "int64"):
                return None
        out.append(b",".join(text for _, text in spelt) + b"\n")  # type: ignore[misc]
    return ([key[1:-1] for key in keys], kinds, b"".join(out)) if keys else None


def _cells(line: bytes) -> list[tuple[bytes, bytes]] | None:
    """Return the keys and values of an object, as they are spelt."""
    if not line.startswith(b"{"):
        return None
    at, end, cells = 1, b",", []
    while end == b",":  # ends: every cell has a byte at least
        found = CELL.match(line, at)
        if found is None:
            return None
        key, value, end = found.groups()
        cells.append((key, value))
        at = found.end()
    return cells if line[at:].lstrip(b" \t") in (b"", b"\r") else None


def _spelt(value: bytes) -> tuple[str, bytes] | None:
    """Return what a value is, and how CSV spells it."""
    if value == b"null":
        return "null", b""
    if value in (b"true", b"false"):
        return "bool", value
    if value[:1] != b'"':
        whole = value.lstrip(b"-").isdigit()
        return None if whole and len(value.lstrip(b"-")) > LONGEST_WHOLE else ("int64" if whole else "double", value)
    # bytes that are no text stay as they are, for the reader behind to refuse
    text = json.loads(value.decode("utf-8", "surrogateescape"))
    try:
        spelt = text.replace('"', '""').encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None
    return None if b"\0" in spelt else ("string", b'"' + spelt + b'"')

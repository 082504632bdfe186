"""The layout of a model file's text: JSON with one line a column, so that two files can be compared line by line."""

from __future__ import annotations

import json
from typing import Any

ONE_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


class Section(dict[str, Any]):
    """An object whose entries stand each on a line of its own."""


class Lines(list[Any]):
    """A list whose items stand each on a line of its own."""


def lay_out(value: Any, indent: str = "") -> str:
    """Return a JSON text; sections and lines are broken, everything else stands on one line.

    Examples
    --------
    >>> print(lay_out(Section(target=None, columns=Lines([{"name": "a"}, {"name": "b"}]))))
    {
     "target": null,
     "columns": [
      {"name": "a"},
      {"name": "b"}
     ]
    }
    """
    if not value or not isinstance(value, (Section, Lines)):
        return ONE_LINE.encode(value)
    inner = indent + " "
    if isinstance(value, Section):
        parts = [f"{inner}{ONE_LINE.encode(key)}: {lay_out(entry, inner)}" for key, entry in value.items()]
    else:
        parts = [inner + lay_out(item, inner) for item in value]
    left, right = "{}" if isinstance(value, Section) else "[]"
    return left + "\n" + ",\n".join(parts) + f"\n{indent}{right}"

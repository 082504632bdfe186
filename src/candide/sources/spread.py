r"""Spread objects: JSON that is printed over several lines, found among objects that take a line each.

Such an object is opened by a brace that stands alone in its line, as every printer writes it. A line that holds more
must be a whole object, so that one which is cut short is told at once and keeps nothing waiting.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from candide import native

Array = np.ndarray[Any, Any]

OPENS = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*\{\r?$", re.MULTILINE)
CLOSES = re.compile(rb"\}[ \t\r]*$", re.MULTILINE)


def whole_end(block: Array) -> int:
    r"""Return where the last line of a block ends that leaves no object open.

    Examples
    --------
    >>> blocks = b'{"a": 1}\n{"a":', b'{"a": 1}\n{\n "a": 2\n', b'{\n "a": 2\n}\n'
    >>> [whole_end(np.frombuffer(block, np.uint8)) for block in blocks]
    [9, 9, 12]
    """
    end = native.object_end(block)
    if end >= 0:  # as nearly always
        return end
    lines, behind = block.tobytes(), 0
    lines = lines[: lines.rfind(b"\n") + 1]
    while opening := OPENS.search(lines, behind):  # ends: with the lines
        closing = _end(lines, opening.start())
        if closing is None:
            return opening.start()
        behind = closing
    return len(lines)


def records(lines: Iterable[bytes], first: int = 1) -> Iterator[tuple[int, bytes]]:
    r"""Yield every object with the number of the line that it begins in; blank lines are none.

    Examples
    --------
    >>> list(records([b'{"a": 1}\n', b"\n", b"{\n", b'"a": 2}\n']))
    [(1, b'{"a": 1}\n'), (3, b'{\n"a": 2}\n')]
    """
    numbered = enumerate(lines, first)
    for n, line in numbered:
        record = line
        if OPENS.match(line):
            for _, more in numbered:
                record += more
                if CLOSES.search(more) and _end(record, 0) is not None:
                    break
        if record.strip():
            yield n, record


def _end(lines: bytes, start: int) -> int | None:
    """Return where the object that is opened at a place ends, None if it goes on; one that is broken ends there."""
    for closing in CLOSES.finditer(lines, start):
        try:
            json.loads(lines[start : closing.end()])
        except json.JSONDecodeError as error:
            if error.pos >= len(error.doc.rstrip()):
                continue
        except (ValueError, RecursionError):  # which whoever reads the object tells
            pass
        return closing.end()
    return None

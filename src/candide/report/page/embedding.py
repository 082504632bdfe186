"""Facts as the page carries them: compact JSON, large tables as planes of bytes, and nothing that ends a script."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import numpy as np

Facts = dict[str, Any]

PACKED = '"packed":"'
"""What stands in JSON whose tables are packed, and in no other: quotes within texts are escaped."""
LARGE = 1 << 20
"""Bytes of JSON beyond which tables are packed."""
DRAWN = 6
"""Significant digits of numbers that are only drawn."""
EXACT = ("weights", "forms", "counts", "levels", "cuts")
"""Entries that scoring reads digit by digit."""

TABLES = ("weights", "counts", "log", "sd")
"""Entries by class and level, which are packed where there are many."""


def embed(facts: Facts) -> str:
    """Return facts as JSON that can stand in a script element."""
    text = dumps(shortened(facts))
    if len(text) > LARGE:
        text = dumps(packed(shortened(facts)))
    return escaped(text)


def dumps(value: Any) -> str:
    """Return compact JSON; what is not finite was made None before."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def escaped(text: str) -> str:
    r"""Return JSON in which nothing can end its script element, nor a line of a script.

    Examples
    --------
    >>> escaped('"</script>"')
    '"\\u003c/script>"'
    """
    out = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return out.encode("utf-8", "backslashreplace").decode("utf-8")  # lone surrogates as JSON escapes


def shortened(facts: Facts) -> Facts:
    """Return the facts with fewer digits where numbers are only drawn; `log` of a table by level stays as it is."""
    out = {name: value if name in ("columns", "joint", "prior") else fewer(value) for name, value in facts.items()}
    out["columns"] = [
        {name: value if name in EXACT or (name == "log" and column["kind"] != "density") else fewer(value)
         for name, value in column.items()}
        for column in facts["columns"]
    ]  # fmt: skip
    return out


def fewer(value: Any) -> Any:
    """Return numbers to a few significant digits, however deep they stand."""
    if isinstance(value, dict):
        return {name: fewer(item) for name, item in value.items()}
    if isinstance(value, list):
        return [fewer(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{DRAWN}g}")
    return value


def packed(facts: Facts) -> Facts:
    """Return the facts with every table of weights or logarithms by level as one gzipped run of bytes."""
    tables: list[np.ndarray[Any, Any]] = []

    def pack(table: Any) -> Any:
        a = np.array([[np.nan if x is None else x for x in row] for row in table], dtype=float)
        whole = bool(np.isfinite(a).all() and (a == np.round(a)).all() and (a >= 0).all())
        kind = (
            "u16" if whole and a.max(initial=0) < 1 << 16 else "u32" if whole and a.max(initial=0) < 1 << 32 else "f64"
        )
        tables.append(planes(a.astype({"u16": "<u2", "u32": "<u4", "f64": "<f8"}[kind])))
        return {"packed": kind, "shape": list(a.shape)}

    columns = [
        {name: pack(value) if name in TABLES and column["kind"] in ("levels", "bins") else value
         for name, value in column.items()}
        for column in facts["columns"]
    ]  # fmt: skip
    data = b"".join(table.tobytes() for table in tables)
    whole = gzip.compress(data, 6, mtime=0)
    return {**facts, "columns": columns, "packed": base64.b64encode(whole).decode("ascii")}


def planes(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the bytes of numbers, all first bytes before all second ones: the high ones are mostly zero."""
    return np.ascontiguousarray(a.reshape(-1).view(np.uint8).reshape(-1, a.itemsize).T)

"""One row that is a JSON object, answered in JSON and counted."""

import re
from bisect import bisect_left
from math import isfinite, log

import numpy as np

from candide.native.reference.rows import Floats, Ints
from candide.native.reference.scoring import log_normalize

__all__ = ["json_row_answer"]

LevelTexts = tuple[bytes, dict[bytes, tuple[int, int]]]
"""Key, and by how JSON writes a level its places in the table and among the counts."""
CutNumbers = tuple[bytes, int, list[float], int, list[float]]
"""Key, place among the counts of numbers up to the first cut, ascending cuts; the same for the table."""
CurvedNumbers = tuple[bytes, int, list[float], int, float, float, bool]
"""Key, place among the counts and cuts, row of the parabola, where numbers are cut off, and whether of logarithms."""
JsonColumn = LevelTexts | CutNumbers | CurvedNumbers
"""Keys and levels have the quotes that JSON has."""

TEXT = rb'"[^"\\\x00-\x1f]*"'
NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
SOME = re.compile(rb"[-0.]*[1-9]")
"""What is more than zero, however near to it."""
SPACE = rb"[ \t\r\n]*"
CELL = re.compile(
    SPACE
    + b"("
    + TEXT
    + b")"
    + SPACE
    + b":"
    + SPACE
    + b"("
    + TEXT
    + rb'|[^\x00-\x20,}"\x80-\xff]+)'
    + SPACE
    + b"([,}])"
)
BEGINS, ENDS = re.compile(SPACE + rb"\{"), re.compile(SPACE + rb"\Z")


def json_row_answer(
    body: bytes,
    columns: list[JsonColumn],
    index: dict[bytes, int],
    table: Floats,
    curves: Floats,
    counts: Ints,
    labels: list[bytes],
    texts: list[bytes],
    tie: float = 0.0,
) -> tuple[bytes, int] | None:
    """Return the answer to the row that an object of plain cells is, and its class; add its cells to the counts.

    What is added up are the rows of the table (places, K) at the prior, which is the first, and at the place of each
    cell, and parabolas as `row_log_posterior` has them. The answer has the likeliest class by its label, its chance and
    those of all classes by their texts, which are spelt as JSON has them. None, and nothing is counted, where the
    object has not each column once and nothing else, where a key or a level is written with escapes, a level is not
    known, a cell is no ordinary number, or no class is possible.
    """
    if not len(labels) == len(texts) == table.shape[1]:
        raise ValueError("every class has a label and a text")
    values = cells(body, index)
    if values is None or len(values) < len(columns):
        return None
    terms, places = [table[0]], []
    for j, column in enumerate(columns):
        found = told(column, values[j], table, curves)
        if found is None:
            return None
        terms.append(found[0])
        places.append(found[1])
    total = np.sum(terms, axis=0, keepdims=True)
    if log_normalize(total, tie) is not None:
        return None
    np.add.at(counts, places, 1)
    best, p = int(total[0].argmax()), [repr(x).encode() for x in np.exp(total[0]).tolist()]
    chances = b",".join(text + b":" + x for text, x in zip(texts, p, strict=True))
    return b'{"label":%b,"chance":%b,"chances":{%b}}' % (labels[best], p[best], chances), best


def cells(body: bytes, index: dict[bytes, int]) -> dict[int, bytes] | None:
    """Return the values of an object by the number of their column; None where a key is not known or there twice."""
    begun = BEGINS.match(body)
    out: dict[int, bytes] = {}
    at = None if begun is None else begun.end()
    while at is not None and (cell := CELL.match(body, at)) is not None:  # ends: every cell has a byte at least
        key, value, then = cell.groups()
        if key not in index or index[key] in out:
            return None
        out[index[key]], at = value, cell.end()
        if then == b"}":
            return out if ENDS.match(body, at) else None
    return None


def told(column: JsonColumn, value: bytes, table: Floats, curves: Floats) -> tuple[Floats, int] | None:
    """Return what a value adds, and its place among the counts; None where it is not one of the column's."""
    if len(column) == 2:
        found = column[1].get(value)
        return None if found is None else (table[found[0]], found[1])
    x = float(value) if NUMBER.fullmatch(value) else np.inf
    if not isfinite(x) or (x == 0 and SOME.match(value)):
        return None
    counted = column[1] + bisect_left(column[2], x)
    if len(column) == 5:
        return table[column[3] + bisect_left(column[4], x)], counted
    curve, low, high, logarithm = column[3:]
    x = min(max(x, low), high)
    if logarithm and x <= 0:
        return None
    x = log(x) if logarithm else x
    height, mean, shape = curves[curve : curve + 3]
    return height + shape * (x - mean) ** 2, counted

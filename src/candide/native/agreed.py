"""What kernels agree on with those who call them: places in tables of a model, bits of numbers, kinds of cells.

It stands apart from the kernels' twins, which nobody imports where the kernels are there.
"""

from math import isfinite
from typing import Any, Literal

MANTISSA = 52
"""Bits of a number that a cell of a lattice may drop."""

PRIOR, ODD = 0, -1
"""The place of the prior in the table, and what stands for the place of a cell that has none."""
UNSEEN, KNOWN = 1, 2
"""Places in a column's part of the table, counted from its missing cell: of a level never seen, and of the others."""

LevelColumn = tuple[Any, int, dict[Any, int], type, set[str]]
"""Name, place of the missing cell, places of the levels, their one type, and texts without case and ends which may be a
level in another spelling; "0" and a character: as may be all that begin with it."""
StepColumn = tuple[Any, int, list[float]]
"""Name, place of the missing cell, and ascending cuts of intervals (a, b]."""
ParabolaColumn = tuple[Any, int, float, float, bool]
"""Name, place of the missing cell, the ends at which numbers are cut off, and whether their logarithm is taken."""

CellKind = Literal["null", "bool", "int64", "double", "codes", "string"]
"""What the cells of a column are that was read: as Arrow calls it, or text as codes into the texts that differ."""


def is_number(cell: Any) -> bool:
    """Whether a cell is an ordinary number."""
    try:
        return type(cell) in (int, float) and isfinite(cell)
    except OverflowError:  # an integer that no float holds
        return False

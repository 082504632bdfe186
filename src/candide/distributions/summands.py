"""Summands: what an attribute adds that is a sum itself, row by row. A document is told by its words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from candide.arithmetic import offsets
from candide.distributions.word_rows import WordRows
from candide.frozen import frozen

Array = np.ndarray[Any, Any]


@frozen
class Summands:
    """What an attribute adds in rows: Σ_w x_w f_wc over the summands w that a row holds, which are few of all.

    Parameters
    ----------
    names : list
        Every summand that any of the rows holds.
    f : ndarray (summands, K)
    rows : WordRows
        Which of them each row holds, and x.
    cells : ndarray of object (entries of the rows,)
        What the row holds of each, for reading.
    """

    names: list[Any]
    f: Array
    rows: WordRows
    cells: Array

    @property
    def terms(self) -> Array:
        """x_w f_wc (entries, K)."""
        return np.asarray(self.rows.x[:, None] * self.f[self.rows.words]) + 0.0  # what is nothing has no sign

    def slice(self, start: int, stop: int) -> Summands:
        """Return a range of rows."""
        a, b = self.rows.starts[start], self.rows.starts[stop]
        return replace(self, rows=self.rows.slice(start, stop), cells=self.cells[a:b])

    def after(self, names: list[Any], f: Array, x: Array, cells: Array, rows: Array) -> Summands:
        """Return the same with summands before them that some rows all hold.

        Parameters
        ----------
        names : list
        f : ndarray (more summands, K)
        x, cells : ndarray (rows, more summands)
        rows : ndarray of bool (rows,)
            Which rows hold them.
        """
        at = np.repeat(self.rows.starts[:-1][rows], len(names))
        which = np.tile(np.arange(len(names)), np.count_nonzero(rows))
        all_rows = WordRows(
            self.rows.starts + len(names) * offsets(rows),
            np.insert(self.rows.words + len(names), at, which),
            np.insert(self.rows.x, at, x[rows].ravel()),
        )
        all_cells = np.insert(self.cells, at, cells[rows].ravel())
        return Summands([*names, *self.names], np.concatenate([f, self.f]), all_rows, all_cells)

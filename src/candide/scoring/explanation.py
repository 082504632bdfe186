"""Explanation: the same numbers as the score, before they were added."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from candide.distributions.blocks import Block
from candide.frozen import frozen
from candide.schema.labels import place_of
from candide.schema.rows import Rows
from candide.scoring.attributes import Attributes, RowTerms
from candide.shares import share
from candide.table import Numbers, Symbols
from candide.table.measures import shown

Array = np.ndarray[Any, Any]


PRIOR = "(prior)"
"""What log P(c) is called beside the attributes."""

LARGEST_WHOLE = 1e15
"""Whole numbers from here on are written with an exponent."""


@frozen
class Ranked:
    """The attributes of one row, those that tell most for a class against its strongest rival first.

    Attributes
    ----------
    names : list
    cells : list
    terms : ndarray (attributes, classes)
        The contributions.
    differences : ndarray (attributes,)
        How much more each adds to the class than to the rival.
    at : ndarray (attributes,)
        Where they are among the names of the explanation.
    """

    names: list[Any]
    cells: list[Any]
    terms: Array
    differences: Array
    at: Array


@frozen
class Explanation:
    """What the prior and each attribute add to the score of each class.

    A row is told by `weights`, `strongest` and `to_text`. Arrays of all rows are made when they are first asked for:
    of documents they have a column for every word of any of them, and are large.

    Attributes
    ----------
    classes : ndarray (classes,)
    prior : ndarray (classes,)
        log P(c) under the product; 0 under the sum, whose contributions hold it.
    attributes : Attributes
        What attributes add, row by row.
    posterior : ndarray (rows, classes)
    decisions : ndarray (rows,)
        The predicted labels.
    additive : "log" or "probability"
        What the contributions are, and so what they add up to.
    added : str
        What they are under the product, in words: log P(x_i | c) where nothing weighs them.
    rescued : ndarray (rows, classes) or None
        Under the robust rule: the scores, which in rows impossible under every class are no sum of contributions.
    zeros : ndarray (rows, classes) or None
        Under the robust rule: how many attributes exclude each class, in rows impossible under every class; NaN in
        other rows.
    log_prior : ndarray (classes,) or None
        log P(c), by which the robust rule weighs those zeros.
    credible : function of a row, or None
        Gives credible intervals (classes, 2) of the posterior, where there are any.
    """

    classes: Array
    prior: Array
    attributes: Attributes
    posterior: Array
    decisions: Array
    additive: str = "log"
    added: str = Block.adds
    rescued: Array | None = None
    zeros: Array | None = None
    log_prior: Array | None = None
    credible: Callable[[int], Array] | None = field(default=None, repr=False)

    @property
    def names(self) -> list[Any]:
        """The attributes; in the place of a column of documents all their words."""
        return self.attributes.names

    @property
    def contributions(self) -> Array:
        """What attributes add (rows, classes, attributes), 0 where a cell says nothing.

        log P(x_i | c) under the product, P(c) · P(x_i | c) under the sum.
        """
        return self.attributes.contributions

    @property
    def cells(self) -> list[list[Any]]:
        """The cells of each row, for reading; None where one is missing, or a word is not in the row's document."""
        return self.attributes.cells

    @property
    def chosen(self) -> list[str]:
        """What was chosen automatically for each attribute, and by how much it told the class better than nothing."""
        return self.attributes.chosen

    @cached_property
    def scores(self) -> Array:
        """Prior plus contributions: the scores (rows, classes) before normalisation, or what the robust rule gave."""
        out: Array = self.prior + self.attributes.terms.sum(axis=2)
        return out if self.rescued is None else self.rescued

    @property
    def summed(self) -> str:
        """What the scores are the sum of, in words."""
        return f"log P(class) + {self.added}" if self.additive == "log" else "the sum of P(class) · P(cell | class)"

    @property
    def unit(self) -> str:
        """What the contributions are; "" where they are no probabilities of cells, as those of settled weights."""
        if self.additive != "log":
            return "probabilities"
        return "log-probabilities" if self.added == Block.adds else ""

    def __len__(self) -> int:
        return len(self.posterior)

    def weights(self, row: int = 0, label: Any = None) -> list[tuple[Any, Any, float]]:
        """Return (name, cell, weight of evidence) of a row, strongest first.

        The weight compares the class with the strongest other class: the difference of their contributions.

        Parameters
        ----------
        row : int
        label : class label or None
            None takes the decision.
        """
        told = self.strongest(row, label)
        return list(zip(told.names, told.cells, told.differences.tolist(), strict=True))

    def strongest(self, row: int = 0, label: Any = None) -> Ranked:
        """Return the attributes of a row, those first that tell most for a class, by default the decision."""
        c, rival = self.pair(row, label)
        told = self._rows(row)
        theirs = 0.0 if rival is None else told.terms[:, rival]
        with np.errstate(invalid="ignore"):
            differences = np.nan_to_num(told.terms[:, c] - theirs, nan=0.0)
        order = np.argsort(-np.abs(differences), kind="stable")
        at = told.at[order]
        names = [self.names[j] for j in at.tolist()]
        return Ranked(names, told.cells[order].tolist(), told.terms[order], differences[order], at)

    def _rows(self, row: int) -> RowTerms:
        start = range(len(self))[row]  # a negative one is counted from the end
        return self.attributes.of_rows(start, start + 1)

    def _described(self, name: Any, cell: Any, j: int) -> str:
        """Return an attribute of a row and its cell in words; of what every document adds there is no cell."""
        return str(name) if cell == "" and self.attributes.is_summand(j) else describe(name, cell)

    def pair(self, row: int = 0, label: Any = None) -> tuple[int, int | None]:
        """Return the class that is told of, by default the decision, and its strongest rival, if there is one."""
        c = self._class(row, label)
        return c, self._rival(row, c)

    def interval(self, row: int = 0) -> Array | None:
        """Return where the probabilities of a row lie with 95 per cent, (classes, 2); None where that is not known."""
        return None if self.credible is None else self.credible(row)

    def _class(self, row: int, label: Any) -> int:
        if not -len(self) <= row < len(self):
            raise IndexError(f"there is no row {row} among the {len(self)} that are explained (the first is row 0)")
        return place_of(self.decisions[row] if label is None else label, self.classes)

    def _rival(self, row: int, c: int) -> int | None:
        if len(self.classes) < 2:
            return None
        scores = np.where(np.arange(len(self.classes)) == c, -np.inf, self.posterior[row])
        return int(scores.argmax()) if scores.max() > -np.inf else int(c == 0)

    def to_text(self, row: int = 0, top: int = 10) -> str:
        """Return the explanation of one row as text.

        Parameters
        ----------
        row : int
        top : int
            How many attributes to show, the ones that tell the classes apart most.
        """
        c = self._class(row, None)
        rival = self._rival(row, c)
        label = self.classes[c]
        lines = [f"row {row}: {label} (probability {share(self.posterior[row, c])})"]
        shown = [c] if rival is None else [c, rival]
        heads = [str(self.classes[k]) for k in shown]
        width = max([12, *(len(h) + 2 for h in heads)])
        told = self.strongest(row)
        at = told.at[:top].tolist()
        lines_of = list(map(self._described, told.names[:top], told.cells[:top], at))
        left = max([12, *map(len, lines_of)]) + 2

        def line(what: str, numbers: Array) -> str:
            return f"{what:<{left}}" + "".join(f"{number:>{width}.3f}" for number in numbers)

        if not self.unit:
            lines.append(f"score = {self.summed}")
        lines.append(f"{self.unit:<{left}}" + "".join(f"{h:>{width}}" for h in heads))
        if self.additive == "log":
            lines.append(line("prior", self.prior[shown]))
        lines += list(map(line, lines_of, told.terms[:top, shown]))
        rest = told.terms[top:, shown]
        if len(rest):
            lines.append(line(f"{len(rest)} more", rest.sum(axis=0)))
        lines.append(line("score", self.scores[row, shown]))
        lines += [line(what, numbers[shown]) for what, numbers in self.counted_zeros(row)]
        chosen = [f"{name}: {self.chosen[j]}" for name, j in zip(told.names, at, strict=False) if self.chosen[j]]
        return "\n".join([*lines, *(["chosen: " + "; ".join(chosen)] if chosen else [])])

    def counted_zeros(self, row: int = 0) -> list[tuple[str, Array]]:
        """Say how the robust rule decided a row that is impossible under every class, by class; nothing of other rows.

        The attributes n that exclude each class, P(c), and n / P(c), of which the least wins.
        """
        if self.zeros is None or self.log_prior is None or np.isnan(self.zeros[row]).all():
            return []
        n, p = self.zeros[row], np.exp(self.log_prior)
        with np.errstate(divide="ignore", invalid="ignore"):
            cost = np.where(p > 0, n / p, np.inf)
        return [("zeros n", n), ("P(class)", p), ("n / P(class)", cost)]

    def to_frame(self) -> Any:
        """Return the contributions as a pandas frame: one row per row, class and attribute, the prior included.

        Of documents, words are attributes of the rows that hold them.
        """
        import pandas as pd

        told = self.attributes.after(PRIOR, self.prior).of_rows(0, len(self))
        by_row = np.argsort(np.tile(told.row, len(self.classes)), kind="stable")  # and in a row by class
        c, entry = np.divmod(by_row, len(told.row))
        return pd.DataFrame(
            {
                "row": told.row[entry],
                "class": pd.Index(self.classes.tolist()).take(c),
                "attribute": pd.Index([PRIOR, *self.names]).take(told.at[entry]),
                "contribution": told.terms[entry, c],
                "cell": pd.Series(told.cells.tolist()).array[entry],
            }
        )

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from candide.report.notebook import explanation_html

        return explanation_html(self)

    def __str__(self) -> str:
        shown = "\n\n".join(self.to_text(row) for row in range(min(len(self), 3)))
        rest = len(self) - 3
        return shown if rest <= 0 else f"{shown}\n\n({rest} more row{'s' * (rest > 1)})"


def cells_of(rows: Rows, columns: Sequence[tuple[int, ...]]) -> list[list[Any]]:
    """Return the cells of attributes for reading, by attribute, each as a person names it."""
    by_attribute = [[readable(rows.table.column(j)) for j in positions] for positions in columns]
    return [parts[0] if len(parts) == 1 else list(map(joined_text, zip(*parts, strict=True))) for parts in by_attribute]


def readable(column: Numbers | Symbols) -> list[Any]:
    """Return the cells of a column as Python values, None where missing."""
    if isinstance(column, Symbols):
        levels = [*column.levels.tolist(), None]  # code -1 reads the last
        return [levels[code] for code in column.codes.tolist()]
    cells: list[Any] = column.values.tolist()
    for row in np.flatnonzero(np.isnan(column.values)).tolist():
        cells[row] = None
    if not column.measure:
        return cells
    return [cell if cell is None else shown(cell, column.measure) for cell in cells]


def joined_text(cells: Sequence[Any]) -> str:
    """Return the cells of a group of columns as one text."""
    return " & ".join("missing" if cell is None else spelt(cell) for cell in cells)


def spelt(cell: Any) -> str:
    """Return a cell as a person would write it: whole numbers whole, others to six digits.

    Examples
    --------
    >>> spelt(1234564.0), spelt(0.123456789), spelt("petrol")
    ('1234564', '0.123457', 'petrol')
    """
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:.0f}" if cell.is_integer() and abs(cell) < LARGEST_WHOLE else f"{cell:.6g}"


def describe(name: Any, cell: Any) -> str:
    """Return 'name = cell' as a person would write it."""
    return f"{name} missing" if cell is None else f"{name} = {spelt(cell)}"

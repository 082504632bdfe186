"""Questions: what would be learnt of the class by asking for a cell that is not known yet.

An answer v turns P(c | x) into P(c | x, v), and comes with probability P(v | x) = Σ_c P(c | x) P(v | x, c). So asking
is expected to take away H(c | x) − Σ_v P(v | x) H(c | x, v) nats of doubt, and the decision becomes another one with
the probability of the answers that turn it. Both come from scoring the row once with every answer filled in: so they
hold for groups, trees and averages as they do for columns that say what they say apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.combination import Combination, Product, log_posterior
from candide.model.model import Model
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.scoring.answers import AnswerCells
from candide.scoring.decision import decide
from candide.scoring.scoring import score
from candide.table import Numbers, Symbols, Table
from candide.table.columns import level_array

Array = np.ndarray[Any, Any]

FILLED_IN = 1 << 22
"""Cells that are filled in at a time."""


@dataclass(frozen=True)
class Question:
    """What asking for a column is worth.

    Parameters
    ----------
    column : str or int
    information : float
        The doubt that the answer is expected to take away, in nats.
    share : float
        The same as a share of all doubt there is.
    turns : float
        The probability that the answer changes the decision.
    """

    column: Any
    information: float
    share: float
    turns: float

    def __str__(self) -> str:
        return f"{self.column} settles {self.share:.0%} and turns the answer in {self.turns:.0%} of cases"


@dataclass(frozen=True, eq=False)
class Questions:
    """The columns of a row that are not known, those worth most first.

    Parameters
    ----------
    decision : label
        What is decided on what is known.
    posterior : ndarray (classes,)
        P(c | x), in the order of the model's classes.
    doubt : float
        The entropy of the posterior, in nats.
    questions : tuple of Question
    """

    decision: Any
    posterior: Array
    doubt: float
    questions: tuple[Question, ...]

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[Question]:
        return iter(self.questions)

    def __getitem__(self, position: int) -> Question:
        return self.questions[position]

    def to_frame(self) -> Any:
        """Return the questions as a pandas frame."""
        import pandas as pd

        return pd.DataFrame([vars(question) for question in self], columns=["column", "information", "share", "turns"])

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        shown = "\n".join(str(question) for question in self.questions[:10])
        more = f"\n({len(self) - 10} more)" if len(self) > 10 else ""
        return f"{self.decision}, with {self.doubt:.3g} nats of doubt" + (f"\n{shown}{more}" if self.questions else "")


def ask(
    model: Model, rule: Combination, rows: Rows, known: Mapping[int, AnswerCells], costs: Array | None = None
) -> Questions:
    """Return the questions of one row.

    Parameters
    ----------
    model : Model
    rule : Combination
    rows : Rows
        One row.
    known : mapping of positions to AnswerCells
        What each column may turn out to hold.
    costs : ndarray (classes, classes) or None
    """
    now = log_posterior(score(model, rule, rows), model.log_prior)
    decided = int(decide(now, costs)[0])
    doubt = float(entropy(now)[0])
    open_ = [j for j in known if rows.missing(j)[0]]
    found = []
    for part in portions(open_, known, rows.table.n_columns):
        filled = Rows(filled_in(rows.table, part, known), rows.schema)
        joint = score(model, Product(), filled)
        own = joint.copy() if isinstance(rule, Product) else score(model, rule, filled)
        after = log_posterior(own, model.log_prior)
        left, turned = entropy(after), decide(after, costs) != decided
        start = 0
        for j in part:
            here = slice(start, start := start + len(known[j]))
            p = chances(joint[here], known[j].width)
            information = doubt - float(p @ left[here]) if p.any() else 0.0
            share = information / doubt if doubt > 0 else 0.0
            found.append(Question(model.names[j], information, share, float(p @ turned[here])))
    ranked = sorted(found, key=lambda question: -question.information)
    return Questions(model.classes.tolist()[decided], np.exp(now[0]), doubt, tuple(ranked))


def entropy(log_p: Array) -> Array:
    """Return −Σ_c p log p of log-probabilities (rows, classes), in nats."""
    from scipy.special import entr

    return np.asarray(entr(np.exp(log_p)).sum(axis=1))


def chances(joint: Array, width: Array | None) -> Array:
    """Return P(v | x) of answers from the scores (V, classes) of the rows with them; zeros where none is possible."""
    weight = np.asarray(log_sum_exp(joint)).ravel()
    top = weight.max()
    if not np.isfinite(top):
        return np.zeros(len(weight))
    p = np.exp(weight - top) * (1.0 if width is None else width)
    return np.asarray(p / p.sum())


def portions(positions: list[int], known: Mapping[int, AnswerCells], n_columns: int) -> Iterator[list[int]]:
    """Part columns so that the rows with their answers filled in stay within bounds."""
    part: list[int] = []
    cells = 0
    for j in positions:
        more = len(known[j]) * n_columns
        if part and cells + more > FILLED_IN:
            yield part
            part, cells = [], 0
        part.append(j)
        cells += more
    if part:
        yield part


def filled_in(table: Table, asked: list[int], known: Mapping[int, AnswerCells]) -> Table:
    """Return the one row of a table with the answers of columns filled in, column after column, a row for each."""
    starts = dict(zip(asked, np.cumsum([0, *(len(known[j]) for j in asked)]).tolist(), strict=False))
    n = sum(len(known[j]) for j in asked)

    def column(j: int) -> Numbers | Symbols:
        cell = table.column(j)
        if j not in starts:
            if isinstance(cell, Symbols):
                return Symbols(np.repeat(cell.codes, n), cell.levels)
            exact = None if cell.exact is None else Symbols(np.repeat(cell.exact.codes, n), cell.exact.levels)
            return Numbers(np.repeat(cell.values, n), cell.measure, exact)
        cells, here = known[j].cells, slice(starts[j], starts[j] + len(known[j]))
        if cells.dtype == object:
            codes = np.full(n, -1, dtype=np.int32)
            codes[here] = np.arange(len(cells))
            return Symbols(codes, level_array(cells.tolist()))
        values = np.full(n, np.nan)
        values[here] = cells
        return Numbers(values)

    return Table((n, table.n_columns), table.names, column)


def known(row: Any) -> bool:
    """Whether anything is known of a row at all."""
    return row is not None and not (isinstance(row, Mapping) and not len(row))


def unknown_row(schema: Schema) -> Table:
    """Return one row of which nothing is known."""
    names = schema.names
    named = tuple(map(str, names)) if isinstance(names[0], str) else None
    return Table((1, len(names)), named, lambda _: Numbers(np.full(1, np.nan)))

"""Questions: what would be learnt of the class by asking for a cell that is not known yet.

An answer v turns P(c | x) into P(c | x, v), and comes with probability P(v | x) = Σ_c P(c | x) P(v | x, c). So asking
is expected to take away H(c | x) − Σ_v P(v | x) H(c | x, v) nats of doubt, and the decision becomes another one with
the probability of the answers that turn it. All comes from scoring the row once with every answer filled in: so it
holds for groups, trees and averages as it does for columns that say what they say apart.

What is not known says nothing, whatever a missing cell would say. Before anything is known, P(c | x) is what the score
begins with: P(c), or what was settled in its place where evidence is weighed. Answers come as often as cells do,
however much these weigh. An answer says as well that there is one, and weighed evidence does not add up over answers:
so the doubt before it is that of the mean of P(c | x, v).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.combination import Combination, Product, log_posterior
from candide.frozen import frozen
from candide.model.model import Model
from candide.model.weighing import unweighted
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.scoring.answers import AnswerCells
from candide.scoring.decision import decide
from candide.scoring.scoring import score
from candide.shares import share
from candide.table import Bags, Numbers, Symbols, Table
from candide.table.columns import level_array

Array = np.ndarray[Any, Any]

FILLED_IN = 1 << 22
"""Cells that are filled in at a time."""
COMBINED = 64
"""Points of a density that are combined with the other parts of a date."""


@frozen(eq=True)
class Question:
    """What asking for a column is worth.

    Parameters
    ----------
    column : str or int
    information : float
        The doubt that the answer is expected to take away, in nats.
    share : float
        The same as a share of the doubt there is before it.
    turns : float
        The probability that the answer changes the decision.
    """

    column: Any
    information: float
    share: float
    turns: float

    def __str__(self) -> str:
        return f"{self.column} settles {share(self.share, 0)} and turns the answer in {share(self.turns, 0)} of cases"


@frozen
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
        One row; its missing cells are not known.
    known : mapping of positions to AnswerCells
        What each column may turn out to hold.
    costs : ndarray (classes, classes) or None
    """
    kinds = [column.kind for column in rows.schema.columns]
    unknown = np.array([kind != "bags" and bool(rows.missing(j)[0]) for j, kind in enumerate(kinds)])
    rows = Rows(rows.table, rows.schema, rows.unseen, unknown=unknown[None])
    now = log_posterior(score(model, rule, rows), model.log_prior)
    decided = int(decide(now, costs)[0])
    doubt = float(entropy(now)[0])
    open_ = [j for j in known if unknown[j]]
    found, plain = [], unweighted(model)
    documents = {j: rows.table.bags(j).texts() for j, kind in enumerate(kinds) if kind == "bags"}
    for part in portions(asked_together(open_, known, rows.schema), rows.table.n_columns):
        table = filled_in(rows.table, part, documents)
        filled = Rows(table, rows.schema, unknown=np.broadcast_to(unknown, (table.n_rows, len(unknown))))
        joint = score(plain, Product(), filled)
        own = joint.copy() if plain is model and isinstance(rule, Product) else score(model, rule, filled)
        after = log_posterior(own, model.log_prior)
        left, turned = entropy(after), decide(after, costs) != decided
        start = 0
        for asked in part:
            here = slice(start, start := start + len(asked))
            p = chances(joint[here], asked.width, np.exp(now[0]))
            before = float(entropy(np.log(np.maximum(p @ np.exp(after[here]), 1e-300))[None])[0])
            information = max(before - float(p @ left[here]), 0.0) if p.any() else 0.0
            share = information / before if before > 0 else 0.0
            found.append(Question(asked.name, information, share, float(p @ turned[here])))
    ranked = sorted(found, key=lambda question: -question.share)
    return Questions(model.classes.tolist()[decided], np.exp(now[0]), doubt, tuple(ranked))


def entropy(log_p: Array) -> Array:
    """Return −Σ_c p log p of log-probabilities (rows, classes), in nats."""
    from scipy.special import entr

    return np.asarray(entr(np.exp(log_p)).sum(axis=1))


def chances(joint: Array, width: Array | None, posterior: Array) -> Array:
    """Return P(v | x) = Σ_c P(c | x) P(v | x, c) of answers from the scores (V, classes) of the rows with them.

    Those of a class are made to add up to one: evidence that is weighed, or asked no further than where numbers were
    seen, does not. Zeros where no answer is possible.
    """
    weight = joint if width is None else joint + np.log(width)[:, None]
    total = np.asarray(log_sum_exp(weight.T))
    possible = np.isfinite(total) & (posterior > 0)
    p = np.exp(weight[:, possible] - total[possible]) @ posterior[possible]
    return np.asarray(p / p.sum()) if possible.any() else np.zeros(len(joint))


@frozen
class Inquiry:
    """A column as a person is asked for it: of a date, what all its parts may turn out to be together.

    Parameters
    ----------
    name : str or int
    parts : dict of positions to AnswerCells
        The columns that are learnt of it, and what each of them holds in every answer: all as long.
    width : ndarray or None
        What each answer stands for, where parts are densities.
    """

    name: Any
    parts: dict[int, AnswerCells]
    width: Array | None

    def __len__(self) -> int:
        return len(next(iter(self.parts.values())))


def asked_together(positions: list[int], known: Mapping[int, AnswerCells], schema: Schema) -> list[Inquiry]:
    """Return the columns that can be asked for as they are given: the parts of one are known together."""
    origins: dict[Any, list[int]] = {}
    for j in positions:
        origins.setdefault(schema.reading.origin(schema.names[j]), []).append(j)
    return [together(name, {j: known[j] for j in some}) for name, some in origins.items()]


def together(name: Any, parts: dict[int, AnswerCells]) -> Inquiry:
    """Return every combination of the answers of some columns, of long densities fewer points."""
    if len(parts) == 1:
        (only,) = parts.values()
        return Inquiry(name, parts, only.width)
    parts = {j: thinned(cells, COMBINED) for j, cells in parts.items()}
    codes = np.indices([len(cells) for cells in parts.values()]).reshape(len(parts), -1)
    width: Array | None = None
    for cells, at in zip(parts.values(), codes, strict=True):
        if cells.width is not None:
            width = cells.width[at] if width is None else width * cells.width[at]
    return Inquiry(name, {j: AnswerCells(c.cells[at]) for (j, c), at in zip(parts.items(), codes, strict=True)}, width)


def thinned(answers: AnswerCells, most: int) -> AnswerCells:
    """Return fewer points of a density, each for as many as it stands for now."""
    if answers.width is None or len(answers) <= most:
        return answers
    starts = np.linspace(0, len(answers), most, endpoint=False).astype(int)
    return AnswerCells(answers.cells[starts], np.add.reduceat(answers.width, starts))


def portions(asked: list[Inquiry], n_columns: int) -> Iterator[list[Inquiry]]:
    """Part columns so that the rows with their answers filled in stay within bounds."""
    part: list[Inquiry] = []
    cells = 0
    for one in asked:
        more = len(one) * n_columns
        if part and cells + more > FILLED_IN:
            yield part
            part, cells = [], 0
        part.append(one)
        cells += more
    if part:
        yield part


def filled_in(table: Table, asked: list[Inquiry], documents: Mapping[int, list[str | None]]) -> Table:
    """Return the one row of a table with the answers of columns filled in, column after column, a row for each.

    Its documents are the same in all of them.
    """
    starts: dict[int, int] = {}
    answers: dict[int, AnswerCells] = {}
    n = 0
    for one in asked:
        starts |= dict.fromkeys(one.parts, n)
        answers |= one.parts
        n += len(one)

    def column(j: int) -> Numbers | Symbols:
        cell = table.column(j)
        if j not in starts:
            if isinstance(cell, Symbols):
                return Symbols(np.repeat(cell.codes, n), cell.levels)
            exact = None if cell.exact is None else Symbols(np.repeat(cell.exact.codes, n), cell.exact.levels)
            return Numbers(np.repeat(cell.values, n), cell.measure, exact)
        cells, here = answers[j].cells, slice(starts[j], starts[j] + len(answers[j]))
        if cells.dtype == object:
            levels = list(dict.fromkeys(cells.tolist()))
            place = {level: code for code, level in enumerate(levels)}
            codes = np.full(n, -1, dtype=np.int32)
            codes[here] = [place[cell] for cell in cells.tolist()]
            return Symbols(codes, level_array(levels))
        values = np.full(n, np.nan)
        values[here] = cells
        return Numbers(values)

    def texts(j: int) -> Bags | None:
        return Bags(documents[j] * n) if j in documents else None

    return Table((n, table.n_columns), table.names, column, texts=texts)

"""SQL: a query that adds to the rows of a table what the model decides of them.

    cells    every column as it is read: a level, or a number
    codes    the interval of every number that is told in steps
    scores   log P(c) + Σ_i log P(x_i | c), from tables of constants that are joined, and from formulas
    best     the largest score
    near     how far each score lies from it; the prior where every class is impossible
    total    log Σ_c exp of that

Constants are joined and never nested in CASEs, and each stage stands by itself: a planner that pastes one expression
into another takes minutes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.combination import TIE
from candide.distributions.forms import Curve, Form, Lookup, Steps
from candide.export.dialects import Dialect
from candide.export.formulas import clipped, formula, interval, or_else
from candide.export.scorer import TableScorer, domain_of

Array = np.ndarray[Any, Any]

PREFIX, PREDICTION = "candide_", "prediction"
UNDERFLOW = -700.0
"""Postgres refuses the exponential of less."""


def to_sql(scorer: TableScorer, table: str | Sequence[str], dialect: Dialect, keep: Sequence[str] | None) -> str:
    """Return the query.

    Parameters
    ----------
    scorer : TableScorer
    table : str or parts of a name
    dialect : Dialect
    keep : names of columns or None
        Which columns of the table to pass on; None: all.
    """
    if isinstance(keep, str):
        raise TypeError(f"keep={keep!r}: give a list of columns")
    return Query(scorer, dialect, keep).text(dialect.table(table))


class Query:
    """The parts of the query of a model."""

    def __init__(self, scorer: TableScorer, dialect: Dialect, keep: Sequence[str] | None) -> None:
        self.scorer, self.dialect, self.keep = scorer, dialect, keep
        self.number = dialect.number
        self.classes = range(len(scorer.classes))
        self.codes: dict[str, str] = {}
        self.constants: list[str] = []
        self.joins: list[str] = []
        self.domains: set[int] = set()
        self.sums = [[self.number(p)] for p in scorer.log_prior.tolist()]
        for i, form in enumerate(scorer.forms):
            if isinstance(form, Lookup):
                self._levels(i, form)
            elif isinstance(form, Steps):
                self._join(i, [self._code(i, form.columns[0], form.cuts)], [[*range(form.table.shape[1])]], form.table)
                self._add(self._x(form.columns[0]), [self._at(i, f"s{c}") for c in self.classes], form)
            elif isinstance(form, Curve):
                self._curve(i, form)
            else:
                x = clipped(self._x(form.columns[0]), form.low, form.high, dialect)
                self._add(self._x(form.columns[0]), [formula(x, form, c, dialect) for c in self.classes], form)

    # -- names -------------------------------------------------------------------------------------------------------

    def _q(self, name: str) -> str:
        """Return a name of our own between quotes."""
        return self.dialect.identifier(PREFIX + name)

    def _x(self, j: int) -> str:
        return f"{self._q('codes')}.{self._q(f'x{j}')}"

    def _at(self, i: int, column: str) -> str:
        return f"{self._q(f't{i}')}.{self.dialect.identifier(column)}"

    # -- attributes --------------------------------------------------------------------------------------------------

    def _add(self, x: str, known: list[str], form: Form) -> None:
        """Add terms of known cells, and what a missing cell adds."""
        for total, term, missing in zip(self.sums, known, form.missing.tolist(), strict=True):
            total.append(or_else(x, term, missing, self.dialect))

    def _code(self, i: int, j: int, cuts: Array) -> str:
        """Return the interval of a number, as a column of the stage of codes."""
        name = f"k{i}_{j}"
        self.codes[name] = interval(f"{self._q('cells')}.{self._q(f'x{j}')}", cuts, self.dialect)
        return f"{self._q('codes')}.{self._q(name)}"

    def _levels(self, i: int, form: Lookup) -> None:
        levels, table = form.entries
        terms = [f"COALESCE({self._at(i, f's{c}')}, {self.number(form.unseen)})" for c in self.classes]
        if not form.cuts:
            x = self._x(form.columns[0])
            self._join(i, [x], [levels], table)
            self._add(x, terms if levels else [self.number(form.unseen)] * len(terms), form)
            return
        cells, columns = [], []
        for at, (j, cuts) in enumerate(zip(form.columns, form.cuts, strict=True)):
            own = [level[at] for level in levels]
            if cuts is not None:
                cells.append(f"COALESCE({self._code(i, j, cuts)}, -1)")
                columns.append([-1 if cell is None else cell for cell in own])
            else:
                domain = domain_of(form, at)
                place = {level: v for v, level in enumerate(domain)}
                cells.append(self._domain(i, j, domain, outside=-1 if form.domains else -2))
                columns.append([-1 if cell is None else place[cell] for cell in own])
        self._join(i, cells, columns, table)
        for total, term in zip(self.sums, terms, strict=True):
            total.append(term)

    def _domain(self, i: int, j: int, domain: list[Any], outside: int) -> str:
        """Return the position of a level in its domain by a join of its own; -1 where it is missing."""
        if not domain:
            return f"CASE WHEN {self._x(j)} IS NULL THEN -1 ELSE {outside} END"
        name, q = f"d{i}_{j}", self.dialect.identifier
        rows = [(level, v) for v, level in enumerate(domain)]
        self.constants.append(self.dialect.constant_table(PREFIX + name, ["x", "code"], rows))
        self.joins.append(f"LEFT JOIN {self._q(name)} ON {self._q(name)}.{q('x')} = {self._x(j)}")
        return f"CASE WHEN {self._x(j)} IS NULL THEN -1 ELSE COALESCE({self._q(name)}.{q('code')}, {outside}) END"

    def _join(self, i: int, cells: list[str], keys: list[list[Any]], table: Array) -> None:
        """Join a table of constants on cells."""
        heads = [f"key{k}" for k in range(len(keys))]
        rows = [(*key, *terms) for key, terms in zip(zip(*keys, strict=True), table.T.tolist(), strict=True)]
        if rows:
            columns = [*heads, *(f"s{c}" for c in self.classes)]
            self.constants.append(self.dialect.constant_table(f"{PREFIX}t{i}", columns, rows))
            on = " AND ".join(f"{self._at(i, head)} = {cell}" for head, cell in zip(heads, cells, strict=True))
            self.joins.append(f"LEFT JOIN {self._q(f't{i}')} ON {on}")

    def _curve(self, i: int, form: Curve) -> None:
        """Join the straight line that a number lies on: its left end, and the terms and slopes there."""
        slopes = np.diff(form.table, axis=1) / np.diff(form.knots)
        lines = np.vstack([form.knots[:-1], form.table[:, :-1], slopes])
        code = self._code(i, form.columns[0], form.knots[1:-1])
        heads = ["key0", "x0", *(f"a{c}" for c in self.classes), *(f"b{c}" for c in self.classes)]
        rows = [(v, *line) for v, line in enumerate(lines.T.tolist())]
        self.constants.append(self.dialect.constant_table(f"{PREFIX}t{i}", heads, rows))
        self.joins.append(f"LEFT JOIN {self._q(f't{i}')} ON {self._at(i, 'key0')} = {code}")
        low, high = max(form.low, form.knots[0]), min(form.high, form.knots[-1])
        x = clipped(self._x(form.columns[0]), low, high, self.dialect)
        along = f"({x} - {self._at(i, 'x0')})"
        lines_ = [f"{self._at(i, f'a{c}')} + {self._at(i, f'b{c}')} * {along}" for c in self.classes]
        self._add(self._x(form.columns[0]), lines_, form)

    # -- the query ---------------------------------------------------------------------------------------------------

    def text(self, table: str) -> str:
        """Return the whole query over a table."""
        q, stages = self._q, ["cells", "codes", "scores", "best", "near", "total"]
        bodies = [
            self._cells(table),
            self._after("cells", [f"{code} AS {q(name)}" for name, code in self.codes.items()]),
            self._after("codes", [f"{' + '.join(total)} AS {q(f's{c}')}" for c, total in enumerate(self.sums)])
            + "".join(f"\n  {join}" for join in self.joins),
            self._after("scores", [f"{self._greatest()} AS {q('m')}"]),
            self._after("best", [f"{self._near(c)} AS {q(f'd{c}')}" for c in self.classes]),
            self._after("near", [f"LN({' + '.join(self._exp(c) for c in self.classes)}) AS {q('z')}"]),
        ]
        parts = [
            f"{q(name)} AS {self.dialect.materialized}(\n  {body})" for name, body in zip(stages, bodies, strict=True)
        ]
        return "WITH\n" + ",\n".join([*self.constants, *parts]) + "\n" + self._final(table)

    def _after(self, stage: str, columns: list[str]) -> str:
        return f"SELECT {', '.join([f'{self._q(stage)}.*', *columns])} FROM {self._q(stage)}"

    def _cells(self, table: str) -> str:
        d, t = self.dialect, self._q("t")
        columns = {
            f"x{j}": d.known_number(f"{t}.{d.identifier(self.scorer.names[j])}")
            if self.scorer.numeric(j)
            else f"{t}.{d.identifier(self.scorer.names[j])}"
            for j in self.scorer.used
        }
        mark = {"row": t, "rowid": f"{t}.rowid"}.get(d.rest)
        kept = (
            [f"{t}.{d.identifier(name)}" for name in self.keep]
            if self.keep is not None
            else [f"{t}.*" if mark is None else f"{mark} AS {self._q('row')}"]
        )
        own = [f"{expression} AS {self._q(name)}" for name, expression in columns.items()]
        return f"SELECT {', '.join([*kept, *own])} FROM {table} AS {t}"

    def _greatest(self) -> str:
        scores = ", ".join(self._q(f"s{c}") for c in self.classes)
        if len(self.classes) == 1:
            return scores
        return f"{'MAX' if self.dialect.name == 'sqlite' else 'GREATEST'}({scores})"

    def _near(self, c: int) -> str:
        """Return how far a score lies from the best; 0 where it ties with it up to rounding."""
        s, m = self._q(f"s{c}"), self._q("m")
        size = f"CASE WHEN ABS({m}) > 1 THEN ABS({m}) ELSE 1 END"
        prior = self.number(float(self.scorer.log_prior[c]))
        impossible = f"{m} = {self.dialect.infinity}"
        tie = f"{s} >= {m} - {self.number(TIE)} * {size}"
        return f"CASE WHEN {impossible} THEN {prior} WHEN {tie} THEN {self.number(0.0)} ELSE {s} - {m} END"

    def _exp(self, c: int) -> str:
        d = self._q(f"d{c}")
        return f"CASE WHEN {d} > {self.number(UNDERFLOW)} THEN EXP({d}) ELSE {self.number(0.0)} END"

    def _final(self, table: str) -> str:
        d, total = self.dialect, self._q("total")
        told = [f"{self._label()} AS {d.identifier(PREDICTION)}"]
        told += [
            f"{total}.{self._q(f'd{c}')} - {total}.{self._q('z')} AS {d.identifier(name)}"
            for c, name in enumerate(self.outputs())
        ]
        if self.keep is not None:
            kept = [f"{total}.{d.identifier(name)}" for name in self.keep]
        elif d.rest == "row":
            kept = [f"({total}.{self._q('row')}).*"]
        elif d.rest == "rowid":
            kept = ["source.*"]
        else:
            kept = [f"{total}.* {d.rest.upper()} ({', '.join(self._own())})"]
        joined = f" JOIN {table} AS source ON source.rowid = {total}.{self._q('row')}" if kept == ["source.*"] else ""
        return f"SELECT {', '.join([*kept, *told])}\nFROM {total}{joined}"

    def _own(self) -> list[str]:
        """Return the columns that the stages have added."""
        names = [*(f"x{j}" for j in self.scorer.used), *self.codes, *(f"s{c}" for c in self.classes), "m"]
        return [self._q(name) for name in [*names, *(f"d{c}" for c in self.classes), "z"]]

    def _label(self) -> str:
        """Return the first class that no other lies above."""
        d, total, labels = self.dialect, self._q("total"), self.scorer.classes
        most = int(self.scorer.log_prior.argmax())
        cases = [f"WHEN {total}.{self._q('m')} = {d.infinity} THEN {d.literal(labels[most])}"]
        cases += [f"WHEN {total}.{self._q(f'd{c}')} = 0 THEN {d.literal(label)}" for c, label in enumerate(labels[:-1])]
        return f"CASE {' '.join(cases)} ELSE {d.literal(labels[-1])} END"

    def outputs(self) -> list[str]:
        """Return the names of the columns of log P(c | x)."""
        names = [f"log_p_{label}" for label in self.scorer.classes]
        if self.dialect.name == "bigquery":  # whose columns have letters, digits and underscores
            names = [re.sub(r"\W", "_", name, flags=re.ASCII) for name in names]
        return [name if names.index(name) == c else f"{name}_{c}" for c, name in enumerate(names)]

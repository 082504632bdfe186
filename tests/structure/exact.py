"""The formulas in exact fractions, one row at a time, written for reading: what the structures are checked against."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from tests.strategies import Case

Row = dict[str, Any]


class Exact:
    """A table, and P(x_i | parents, c) by a rule: Laplace's, or back-off of a strength m.

    Parameters
    ----------
    case : Case
        Cells are levels, None where missing.
    m : Fraction or None
        The strength of back-off; None: Laplace.
    """

    def __init__(self, case: Case, m: Fraction | None = None) -> None:
        self.rows: list[Row] = case.X.astype(object).where(case.X.notna(), None).to_dict("records")
        self.y = case.y.tolist()
        self.classes = sorted(set(self.y))
        self.columns = list(case.X.columns)
        self.levels = {j: sorted({row[j] for row in self.rows if row[j] is not None}) for j in self.columns}
        self.m = m

    def count(self, c: Any, **cells: Any) -> int:
        return sum(
            label == c and all(row[j] == v for j, v in cells.items())
            for row, label in zip(self.rows, self.y, strict=True)
        )

    def known(self, i: str, c: Any, **cells: Any) -> int:
        return sum(self.count(c, **cells, **{i: v}) for v in self.levels[i])

    def prior(self, c: Any) -> Fraction:
        return Fraction(self.count(c) + 1, len(self.y) + len(self.classes))

    def p(self, i: str, v: Any, c: Any, **given: Any) -> Fraction:
        """P(x_i = v | given, c)."""
        n, total = self.count(c, **given, **{i: v}), self.known(i, c, **given)
        if not given or self.m is None:
            return Fraction(n + 1, total + len(self.levels[i]))
        return (n + self.m * self.p(i, v, c)) / (total + self.m)

    def tree(self, row: Row, c: Any, parents: dict[str, str | None]) -> Fraction:
        """P(c) Π_i P(x_i | x_parent, c)."""
        out = self.prior(c)
        for i, parent in parents.items():
            if row[i] is not None:
                heard = parent is not None and row[parent] is not None
                out *= self.p(i, row[i], c, **({parent: row[parent]} if heard else {}))
        return out

    def naive(self, row: Row, c: Any) -> Fraction:
        return self.tree(row, c, dict.fromkeys(self.columns))

    def averaged(self, row: Row, c: Any, n: int, least: int = 1) -> Fraction:
        """P(c) times the mean over super-parents of P(x_J | c) Π_i P(x_i | x_J, c)."""
        models = [self.dependent(row, c, J) for J in combinations(self.columns, n) if self.frequent(row, J, least)]
        if models:
            return self.prior(c) * sum(models) / len(models)
        return self.averaged(row, c, n - 1, least) if n > 1 else self.naive(row, c)

    def frequent(self, row: Row, J: Sequence[str], least: int) -> bool:
        here = {j: row[j] for j in J}
        return None not in here.values() and sum(self.count(c, **here) for c in self.classes) >= least

    def dependent(self, row: Row, c: Any, J: Sequence[str]) -> Fraction:
        out = Fraction(1)
        for g, j in enumerate(J):
            out *= self.p(j, row[j], c, **{k: row[k] for k in J[:g]})
        for i in self.columns:
            if i not in J and row[i] is not None:
                out *= self.p(i, row[i], c, **{j: row[j] for j in J})
        return out

    def posterior(self, joint: dict[Any, Fraction]) -> list[float]:
        return [float(joint[c] / sum(joint.values())) for c in self.classes]

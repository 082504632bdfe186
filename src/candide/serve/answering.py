"""Answering: a model that is asked rows, and never changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import exp, log
from typing import Any

import numpy as np

from candide import __version__
from candide.combination import Product
from candide.estimator import Classifier
from candide.report import facts
from candide.report.page import render
from candide.scoring.decision import decide
from candide.serve import replies
from candide.serve.metrics import Metrics, incoming, number
from candide.serve.ordinary import OrdinaryRows
from candide.serve.refusals import TOO_LARGE, UNFIT, Refusal
from candide.serve.rows import JsonRow, Reader
from candide.statistics.request import BINARY

Array = np.ndarray[Any, Any]

MOST_EXPLAINED = 100
"""Rows that one request has explained."""
POINTS = 10 / log(2)
"""Points of a nat: ten double the odds."""


class Answering:
    """A fitted model, ready for rows that come as JSON.

    Parameters
    ----------
    model : Classifier
    checksum : str or None
        Of the file that it was loaded from.
    """

    def __init__(self, model: Classifier, checksum: str | None = None) -> None:
        self.model = model
        self.checksum = checksum
        state, made = model._modelled()
        self.schema = made.schema
        binary = {j for j, rule in enumerate(made.model.settled.distributions) if rule.support == BINARY}
        self.reader = Reader(self.schema, binary)
        self.metrics = Metrics([incoming(state.evidence, j) for j in range(len(self.schema.columns))])
        self.labels: list[Any] = made.model.classes.tolist()
        self.texts = [str(label) for label in self.labels]
        self.costs = model._costs(made.model.classes)
        quick = model.unseen == "ignore" and isinstance(made.plan.combination, Product) and self.reader.named
        self.look_up = made.look_up if quick and made.look_up.tells else None
        plain = self.look_up is not None and self.costs is None
        self.ordinary = OrdinaryRows(made.look_up, self.metrics, self.reader.names, self.labels) if plain else None
        self.names = frozenset(self.reader.names)

    # -- predict -----------------------------------------------------------------------------------------------------

    def at_once(self, body: bytes) -> bytes | None:
        """Return the answer to an ordinary row, written; None where the body has to be read."""
        found = None if self.ordinary is None else self.ordinary(body)
        if found is None:
            return None
        answer, code = found
        self.metrics.decide(self.texts[code])
        return answer

    def predict(self, body: bytes, interval: float | None = None) -> replies.Prediction | replies.Predictions:
        """Return the labels and chances of the rows of a request."""
        rows, several = self.reader.decode(body)
        quick = None if several or interval is not None else self._quick(rows[0])
        if quick is not None:
            return quick
        rows = self.reader.checked(rows, several)
        if not rows:
            return replies.Predictions([])
        table = self.reader.table(rows)
        log_p = self.model.predict_log_proba(table)
        bounds = None if interval is None else self._intervals(table, interval)
        found = self._predictions(rows, log_p, bounds)
        return replies.Predictions(found) if several else found[0]

    def _quick(self, row: JsonRow) -> replies.Prediction | None:
        """Answer one row from the model's tables; None where it has to be looked at more closely."""
        found = None if self.look_up is None else self.look_up.row(row)
        if found is None:
            return None
        log_p, unseen, n_known = found
        whole = n_known == len(row) == len(self.names)  # then all its columns are the model's, and none is unknown
        if not whole and not self.names.issuperset(row):
            return None
        code = self._code(log_p)
        self.metrics.decided([row if not self.schema.reading else self.reader.learnt(row)], [self.texts[code]])
        return self._prediction(code, log_p, [] if whole else self._unknown(row), unseen)

    def _code(self, log_p: list[float]) -> int:
        """Return which class is decided for."""
        if self.costs is None:
            return log_p.index(max(log_p))  # the first of those that tie, as `decide` has it
        return int(decide(np.array([log_p]), self.costs)[0])

    def _prediction(
        self, code: int, log_p: list[float], unknown: Sequence[str] = (), unseen: Sequence[str] = ()
    ) -> replies.Prediction:
        p = [*map(exp, log_p)]
        chances = dict(zip(self.texts, p, strict=True))
        if not unknown and not unseen:
            return replies.Prediction(self.labels[code], p[code], chances)
        return replies.Prediction(self.labels[code], p[code], chances, None, [*unknown], [*unseen])

    def _predictions(self, rows: list[JsonRow], log_p: Array, bounds: Array | None) -> list[replies.Prediction]:
        codes = decide(log_p, self.costs).tolist()
        learnt = [self.reader.learnt(row) for row in rows] if self.schema.reading else rows
        self.metrics.decided(learnt, [self.texts[code] for code in codes])
        unseen = [self.metrics.unseen(row) for row in learnt]
        found = []
        for n, (p, code) in enumerate(zip(np.exp(log_p).tolist(), codes, strict=True)):
            chances = dict(zip(self.texts, p, strict=True))
            answer = replies.Prediction(self.labels[code], p[code], chances, None, self._unknown(rows[n]), unseen[n])
            if bounds is not None:
                ends = [(low, high) for low, high in bounds[n].tolist()]
                answer.interval = dict(zip(self.texts, ends, strict=True))
            found.append(answer)
        return found

    def _intervals(self, table: Any, level: float) -> Array:
        try:
            return self.model.predict_interval(table, level)
        except ValueError as error:
            raise Refusal(UNFIT, f"interval: {error}") from None

    def _unknown(self, row: JsonRow) -> list[str]:
        """Return the columns of which a row says nothing."""
        return [name for name in self.reader.used if row.get(name) is None]

    # -- explain and ask ---------------------------------------------------------------------------------------------

    def explain(self, body: bytes) -> replies.Explained | replies.ExplainedRows:
        """Return why the rows of a request get their labels."""
        rows, several = self.reader.decode(body)
        if len(rows) > MOST_EXPLAINED:
            raise Refusal(TOO_LARGE, f"there are {len(rows)} rows: have at most {MOST_EXPLAINED} explained at a time")
        rows = self.reader.checked(rows, several)
        if not rows:
            return replies.ExplainedRows([])
        explanation = self.model.explain(self.reader.table(rows))
        found = [self._explanation(explanation, n, row) for n, row in enumerate(rows)]
        return replies.ExplainedRows(found) if several else found[0]

    def _explanation(self, why: Any, n: int, row: JsonRow) -> replies.Explained:
        label = why.decisions[n : n + 1].tolist()[0]
        code = self.labels.index(label)
        rival = why._rival(n, code)
        told = why.strongest(n)
        columns = [
            replies.ExplainedColumn(str(name), cell, number(POINTS * by), self._by_class(terms))
            for name, cell, by, terms in zip(told.names, told.cells, told.differences.tolist(), told.terms, strict=True)
            if cell is not None
        ]
        return replies.Explained(
            label,
            float(why.posterior[n, code]),
            None if rival is None else self.labels[rival],
            why.additive,
            self._by_class(why.prior),
            self._by_class(why.scores[n]),
            columns,
            self._unknown(row),
            self.metrics.unseen(self.reader.learnt(row)),
        )

    def _by_class(self, values: Array) -> dict[str, float | None]:
        return {text: number(value) for text, value in zip(self.texts, values.tolist(), strict=True)}

    def questions(self, body: bytes) -> replies.Asked:
        """Return what to ask next about the one row of a request."""
        rows, several = self.reader.decode(body)
        if several:
            raise Refusal(UNFIT, "questions are asked of one row: give an object of cells")
        (row,) = self.reader.checked(rows, several)
        found = self.model.questions(self.reader.table([row]))
        return replies.Asked(
            found.decision,
            float(found.posterior[self.labels.index(found.decision)]),
            found.doubt,
            [replies.AskedColumn(str(q.column), q.information, q.share, q.turns) for q in found],
        )

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What is told of the model, once."""
        return facts(self.model)

    @cached_property
    def page(self) -> str:
        """The report page, once."""
        return render(self.facts, asks=self.reader.asks)

    # -- the model itself --------------------------------------------------------------------------------------------

    def health(self) -> replies.Health:
        """Return which model answers."""
        return replies.Health(
            "ok",
            type(self.model).__name__,
            float(self.model.class_counts_.sum()),
            len(self.schema.columns),
            len(self.labels),
            self.checksum,
            __version__,
        )

"""Exporter: the model as a scorer that runs where the rows are: SQL, ONNX, PMML."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from candide.estimator.learner import Learner, check_is_fitted
from candide.writing import replacing

if TYPE_CHECKING:
    from candide.export.scorer import TableScorer


class Exporter(Learner):
    """A learner whose model other systems can score by."""

    def _scorer(self, target: str, sampled: bool) -> TableScorer:
        """Return what another system needs to score rows as this model does."""
        from candide.export.scorer import scorer_of

        check_is_fitted(self)
        _, made = self._modelled()
        if self.costs is not None:
            raise ValueError(f"{target} decides by the largest probability: set costs=None, and weigh risks there")
        missing = getattr(self, "missing", "ignore")
        return scorer_of(made.model, made.plan.combination, target, missing, self.unseen, sampled)

    def to_sql(
        self,
        table: str | Sequence[str],
        dialect: str = "duckdb",
        keep: Sequence[str] | None = None,
        sampled: bool = False,
    ) -> str:
        """Return a query that adds `prediction` and the columns `log_p_...`, log P(c | x), to the rows of a table.

        What a column has to hold that was learnt from dates or formatted numbers is told in comments above it.

        Parameters
        ----------
        table : str or sequence of str
            "table", "schema.table", or the parts of a name that holds dots.
        dialect : "duckdb", "postgres", "sqlite", "spark", "bigquery" or "snowflake"
        keep : names of columns or None
            Which columns of the table to pass on; None: all.
        sampled : bool
            Whether densities that have no formula there are told by straight lines between sampled points.
        """
        from candide.export.dialects import dialect_of
        from candide.export.sql import to_sql
        from candide.export.taken import taken

        query = to_sql(self._scorer("SQL", sampled), table, dialect_of(dialect), keep)
        return "".join(f"-- {' '.join(line.split())}\n" for line in taken(self.learnt_.schema.reading)) + query

    def to_onnx(self, path: str | os.PathLike[str], sampled: bool = False) -> None:
        """Write the model as an ONNX graph of 64-bit floats: outputs `label`, `log_probabilities`, `probabilities`.

        Every column is an input (rows, 1) of its name: text where it has levels of text, in which "" is a missing cell
        unless it is a level; float64 otherwise, in which NaN is.

        Parameters
        ----------
        path : path
        sampled : bool
            Whether densities that have no formula there are told by straight lines between sampled points.
        """
        from candide.export.onnx import to_onnx

        scorer = self._scorer("ONNX", sampled)
        self._check_apart(path)
        with replacing(path) as file:
            file.write(to_onnx(scorer))

    def to_pmml(self, path: str | os.PathLike[str]) -> None:
        """Write the model as PMML 4.4, for evaluators of many languages.

        Parameters
        ----------
        path : path
        """
        from candide.export.pmml import to_pmml

        scorer = self._scorer("PMML", sampled=False)
        self._check_apart(path)
        with replacing(path) as file:
            file.write(to_pmml(scorer))

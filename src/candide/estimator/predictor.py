"""Predictor: what a learnt model answers to rows: labels, probabilities, intervals, reasons, the next question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from candide import table as tables
from candide.analysis.analyzer import is_positive
from candide.combination import Product, impossible, likeliest, log_posterior
from candide.distributions.blocks import LeftOut
from candide.engines import is_spark
from candide.estimator.answers import answered, answered_by_spark
from candide.estimator.given import open_batched, read_given
from candide.estimator.learner import Learner, check_is_fitted, check_option
from candide.estimator.state import Made
from candide.messages import unknown
from candide.model.model import Model
from candide.model.plan import Plan
from candide.model.prior import is_probability
from candide.schema.alignment import align
from candide.schema.rows import Rows
from candide.scoring import sampling, scoring
from candide.scoring.attributes import Attributes, sums_of
from candide.scoring.decision import cost_matrix, decide, risk
from candide.scoring.explanation import Explanation, cells_of
from candide.scoring.look_up import FEW
from candide.scoring.questions import Questions, ask
from candide.sources.base import is_source
from candide.table.labels import Labels, code_labels
from candide.table.mappings import is_row
from candide.table.weights import read_weights

Array = np.ndarray[Any, Any]


class Predictor(Learner):
    """A learner that answers."""

    def _scored(self, X: Any) -> tuple[Rows, Model, Plan]:
        """Return rows, and the model and plan that score them."""
        check_is_fitted(self)
        check_option("unseen", self.unseen, ("ignore", "error"))
        state, made = self._modelled()
        schema = state.learnt.schema
        table = tables.read(self._given(X)[0], empty=True)
        table = align(table, schema, type(self).__name__, self.strict, self.reading)
        rows = Rows(table, schema, self.unseen)
        return rows, made.model, made.plan

    def predict_joint_log_proba(self, X: Any) -> Array:
        """Return the scores (rows, classes): log P(c) + Σ_i log P(x_i | c) under the product."""
        rows, model, plan = self._scored(X)
        return scoring.score(model, plan.combination, rows)

    def predict_log_proba(self, X: Any) -> Array:
        """Return log P(c | x); a row impossible under every class gets the prior."""
        return self._log_proba(X)[0]

    def _log_proba(self, X: Any) -> tuple[Array, Model]:
        made, scores = self._look_up(X)
        if scores is not None:
            return log_posterior(scores, made.model.log_prior), made.model
        rows, model, plan = self._scored(X)
        return log_posterior(scoring.score(model, plan.combination, rows), model.log_prior), model

    def _look_up(self, X: Any) -> tuple[Made, Array | None]:
        """Return the scores of a few rows, without a table; None where the usual way has to be gone.

        A look-up has them normalised already, which does not change what is made of them.
        """
        check_is_fitted(self)
        _, made = self._modelled()
        if self.unseen != "ignore" or not isinstance(made.plan.combination, Product):
            return made, None
        if is_row(X):
            return made, made.look_up([X])
        if isinstance(X, list) and X and all(isinstance(row, Mapping) for row in X[:FEW]):
            return made, made.look_up(X)
        rows = made.few_rows(X)
        return made, None if rows is None else made.look_up(rows)

    def predict_proba(self, X: Any) -> Array:
        """Return P(c | x)."""
        out: Array = np.exp(self.predict_log_proba(X))
        return out

    def predict(self, X: Any) -> Array:
        """Return the labels of the largest posterior, or of the least risk where there are costs."""
        if self.costs is not None:
            log_proba, model = self._log_proba(X)
            return self._decide(log_proba, model.classes)
        made, scores = self._look_up(X)
        if scores is not None:
            model = made.model
            codes = likeliest(scores, model.log_prior)
        else:
            rows, model, plan = self._scored(X)
            codes = scoring.decide(model, plan.combination, rows)
        labels: Array = model.classes[codes]
        return labels

    def predict_batches(self, source: Any, proba: bool = False) -> Any:
        """Predict a source batch by batch, in constant memory.

        Parameters
        ----------
        source : a path, a pattern, a stream, a lazy frame, an iterator of frames ..., or a table
        proba : bool
            Also the probability of every class, as columns P(class).

        Returns
        -------
        iterator of pyarrow.RecordBatch
            With a column "prediction", in the order of the rows. A frame of Spark gives a frame of Spark: its own
            columns and, behind them, these.
        """
        check_is_fitted(self)
        wanted = ("P",) if proba else ()
        return (answered_by_spark if is_spark(source) else answered)(self, source, wanted)

    def risk(self, X: Any) -> Array:
        """Return R(d | x) = Σ_c costs[d][c] P(c | x), what each decision d costs on average: (rows, classes).

        Without `costs` a wrong decision costs one: R(d | x) = Σ_{c ≠ d} P(c | x). `predict` takes the least.
        """
        log_proba, model = self._log_proba(X)
        return risk(log_proba, self._costs(model.classes))

    def _costs(self, classes: Array) -> Array | None:
        return None if self.costs is None else cost_matrix(self.costs, classes)

    def _decide(self, log_proba: Array, classes: Array) -> Array:
        labels: Array = classes[decide(log_proba, self._costs(classes))]
        return labels

    def impossible(self, X: Any) -> Array:
        """Return which rows have probability zero under every class (product)."""
        rows, model, _ = self._scored(X)
        return impossible(scoring.score(model, Product(), rows))

    def leave_one_out(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Return log P(c | x) of rows learnt before, each scored by the model without it, under the same schema.

        Parameters
        ----------
        X, y, sample_weight
            As they were learnt.
        """
        check_is_fitted(self)
        check_option("unseen", self.unseen, ("ignore", "error"))
        X, y = self._given(X, y)
        schema = self._state.learnt.schema
        if self._state.learnt.guarantee is not None:
            raise ValueError(
                "rows cannot be left out of a private model, whose noise hides them: score them as new ones"
            )
        if is_source(X) and isinstance(y, str):
            return np.concatenate([log_p for _, log_p in self._left_out_batches(X, y, sample_weight)])
        table, labels, _ = read_given(X, y, schema, type(self).__name__, self.reading)
        return self._left_out(table, labels, read_weights(sample_weight, table.n_rows))

    def _left_out_batches(self, X: Any, y: str, sample_weight: str | None = None) -> Iterator[tuple[Array, Array]]:
        """Yield the classes of a source's rows, as the model codes them, and log P(c | x) without each, by batch."""
        schema = self._state.learnt.schema
        batched = open_batched(X, y, sample_weight, schema, type(self).__name__, every=True)
        batched.reading = self.reading
        for given in batched:
            log_p = self._left_out(given.table, given.labels, given.weight)
            yield code_labels(given.labels.classes, schema.classes)[given.labels.codes], log_p

    def _left_out(self, table: tables.Table, labels: Labels, weight: Array | None) -> Array:
        """Score rows that were learnt, each by the model without it."""
        state, made = self._modelled()
        schema = state.learnt.schema
        w = np.ones(table.n_rows) if weight is None else weight.astype(float)
        codes = code_labels(labels.classes, schema.classes)[labels.codes]
        strange = np.flatnonzero((codes < 0) & (w > 0))
        if len(strange):
            label = labels.classes.tolist()[labels.codes[strange[0]]]
            raise ValueError(f"row {strange[0]}: the class {label!r} was never learnt")
        rows = Rows(table, schema, self.unseen)
        return scoring.leave_one_out(made.model, made.plan.combination, rows, LeftOut(codes, w))

    def predict_interval(
        self, X: Any, level: float = 0.95, method: str = "counts", draws: int = 1000, random_state: Any = 0
    ) -> Array:
        """Return equal-tailed credible intervals of P(c | x): (rows, classes, 2).

        What words of documents say is held fixed: of models with documents the intervals are too narrow.

        Parameters
        ----------
        X : array, sparse matrix or data frame
        level : float
            Probability that the interval holds.
        method : "counts" or "draws"
            "counts" adds up the posterior variance of every log-likelihood, ψ₁(n + s) − ψ₁(N + S), under the product;
            "draws" draws models from the posterior, as is done under any other combination.
        draws : int
            Models drawn.
        random_state : int, Generator or None
        """
        check_option("method", method, ("counts", "draws"))
        if not (is_probability(level) and 0 < level < 1):
            raise ValueError(f"level={level!r}: a probability between 0 and 1")
        if not is_positive(draws):
            raise ValueError(f"draws={draws!r}: how many models are drawn, a whole number of at least one")
        rows, model, plan = self._scored(X)
        rng = np.random.default_rng(random_state)
        if method == "counts" and isinstance(plan.combination, Product):
            return sampling.closed_intervals(model, rows, level, rng)
        return sampling.intervals(model, plan.combination, rows, level, draws, rng)

    def sample(self, n: int, random_state: Any = None) -> tuple[Any, Array]:
        """Draw n rows and their labels from the model.

        Dates are drawn as dates: each on a day of the trend's that has the month, weekday and hour that were drawn,
        as far as these say something.

        Returns
        -------
        X : data frame, or ndarray if the model was fitted on an array
            With the columns that were given, but for those that are ignored.
        y : ndarray (n,)
        """
        check_is_fitted(self)
        if n != 0 and not is_positive(n):
            raise ValueError(f"n={n!r}: how many rows, a whole number that is not negative")
        state, made = self._modelled()
        cells, codes = self._drawn(n, random_state)
        return sampling.as_frame(sampling.as_given(cells, state.evidence, made.model)), made.model.classes[codes]

    def _drawn(self, n: int, random_state: Any) -> tuple[dict[int, Array], Array]:
        """Return drawn cells of the columns that were learnt, by position, and the codes of the classes."""
        return sampling.sample(self._modelled()[1].model, n, np.random.default_rng(random_state))

    def explain(self, X: Any) -> Explanation:
        """Return what the prior and each column add to the score of each class."""
        rows, model, plan = self._scored(X)
        parts = scoring.contributions(model, plan.combination, rows)
        posterior = log_posterior(parts.scores.copy(), model.log_prior)
        sums = sums_of(model, plan.combination, rows)
        columns = cells_of(rows, [() if i in sums else at for i, at in enumerate(model.columns)])
        doubted = isinstance(plan.combination, Product) and all(block.bare.doubted for block in model.blocks)
        return Explanation(
            classes=model.classes,
            prior=parts.prior,
            attributes=Attributes(model.attribute_names, parts.terms, columns, model.chosen_by_attribute, sums),
            posterior=np.exp(posterior),
            decisions=self._decide(posterior, model.classes),
            additive=plan.combination.additive,
            added=model.added,
            rescued=parts.scores if parts.zeros is not None else None,
            zeros=parts.zeros,
            log_prior=model.log_prior,
            credible=partial(sampling.row_interval, model, rows) if doubted else None,
        )

    def questions(self, row: Any = None) -> Questions:
        """Return what asking for each unknown column of a row is worth, the best question first.

        Parameters
        ----------
        row : a mapping of columns to cells, or a table of one row, or None
            What is known so far; columns that are not there, or missing, are unknown and say nothing, even where a
            missing cell is a level.

        Examples
        --------
        >>> import pandas as pd
        >>> from candide import NaiveBayes
        >>> frame = pd.DataFrame({"wheels": ["2", "4", "4", "6"] * 5, "energy": ["oil", "oil", "gas", "gas"] * 5})
        >>> nb = NaiveBayes().fit(frame, ["bike", "car", "car", "truck"] * 5)
        >>> print(nb.questions({"energy": "oil"})[0])
        wheels settles 40 % and turns the answer in 53 % of cases
        """
        check_is_fitted(self)
        _, made = self._modelled()
        names = made.schema.given_names
        if not isinstance(names[0], str):
            row = np.full((1, len(names)), None) if row is None or (isinstance(row, Mapping) and not row) else row
        elif row is None or isinstance(row, Mapping):  # what is not named is what may be asked
            for name in row or ():
                if name not in names:
                    raise ValueError(unknown("column", name, names))
            row = {**dict.fromkeys(names), **(row or {})}
        rows, model, plan = self._scored(row)
        if len(rows) != 1:
            raise ValueError(f"questions are asked of one row, and there are {len(rows)}: give one of them")
        return ask(model, plan.combination, rows, made.answers, self._costs(model.classes))

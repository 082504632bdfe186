"""Classifier: scikit-learn's contract, the algebra and the files of every estimator that can make a plan."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from candide import table as tables
from candide.estimator.contract import BaseEstimator, ClassifierMixin, clone
from candide.estimator.exporter import Exporter
from candide.estimator.learner import check_is_fitted
from candide.estimator.learnt_from import naming, told_tables
from candide.estimator.predictor import Predictor
from candide.estimator.showing import Shown
from candide.estimator.state import State
from candide.model.settled import OnRows, Settled
from candide.reading.kinds import labels_in, like_known, one_kind_of_labels
from candide.statistics.evidence import UnservedError
from candide.statistics.learnt import Learnt
from candide.statistics.spelt_alike import spelt_alike

if TYPE_CHECKING:
    from candide.estimator.format.layout import Section
    from candide.estimator.slim import Slim

Array = np.ndarray[Any, Any]


class Classifier(Predictor, Exporter, Shown, ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A learner that answers, adds up, is written to files, and keeps scikit-learn's contract."""

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the accuracy; y may be the name of X's target column."""
        X, y = self._given(X, y)
        if y is not None:
            own = labels_in(tables.read(X), y, self.reading) if isinstance(y, str) else None
            labels = like_known(own or one_kind_of_labels(y, len(y), self.reading), self.classes_, self.reading)
            y = labels.classes[labels.codes]
        return float(super().score(X, y, sample_weight))

    # -- algebra -------------------------------------------------------------------------------------------------

    def _with(self, learnt: Learnt, on_rows: OnRows | None = None) -> Self:
        new: Self = clone(self)
        mine = self._state if self.__sklearn_is_fitted__() else None
        if mine is None:
            new._state = State(learnt, on_rows=on_rows)
        else:
            new._state = State(learnt, mine.plan, on_rows=mine.on_rows if on_rows is None else on_rows)
        new._files, new.told_ = frozenset(self._inputs), naming(told_tables(self.told_))
        return new

    def _learnt_by(self, other: Classifier, forgetting: bool = False) -> Learnt:
        """Return what another model has learnt, as it is added to this one, or taken from it."""
        return spelt_alike(other._state.learnt, self._state.learnt.schema, self._reads(), forgetting)

    def merge(self, other: Classifier) -> Self:
        """Return a model of both models' rows; the operands stay as they are. Same as `+`."""
        if not isinstance(other, Classifier):
            raise TypeError(f"only a model can be merged with a model, not a {type(other).__name__}")
        check_is_fitted(self)
        check_is_fitted(other)
        mine = self._state
        merged = self._with(mine.learnt + self._learnt_by(other), mine.on_rows.united(other._state.on_rows))
        merged._files |= frozenset(other._inputs)
        merged.told_ = naming([*told_tables(self.told_), *told_tables(other.told_)])
        return merged

    def __add__(self, other: Any) -> Self:
        return self.merge(other) if isinstance(other, Classifier) else NotImplemented

    def __radd__(self, other: Any) -> Self:
        if not (isinstance(other, int) and other == 0):  # so that sum(models) works
            return NotImplemented
        check_is_fitted(self)
        return self._with(self._state.learnt)

    def __sub__(self, other: Any) -> Self:
        if not isinstance(other, Classifier):
            return NotImplemented
        check_is_fitted(self)
        check_is_fitted(other)
        return self._with(self._state.learnt - self._learnt_by(other, forgetting=True))

    def __mul__(self, factor: Any) -> Self:
        if not isinstance(factor, (int, float, np.integer, np.floating)):
            return NotImplemented
        check_is_fitted(self)
        new, retained = self._with(self._state.learnt.scale(float(factor))), self._state.retained
        new._state.retained = None if retained is None else retained.scale(float(factor))
        return new

    __rmul__ = __mul__

    def privatize(self, epsilon: float, bounds: Any = None, *, cells: Any = 8, random_state: Any = None) -> Self:
        """Return a model of the same rows with noise, that may be handed out: ε-differentially private.

        One row more or less changes the probability of any such model by a factor of e^epsilon at the most. It
        predicts, adds up, learns on and is saved as any other; `privacy_` tells what was promised, and so does its
        file. Names of columns, how they are read, class labels, parameters, bounds and declared levels are taken to be
        public.

        Parameters
        ----------
        epsilon : float
            The budget: below 1 is careful, above 10 promises little. Each column and the classes get an equal share.
        bounds : mapping of columns to (least, most) or to levels, or one pair for all columns of numbers
            What is known of columns without looking at the table. Numbers outside are taken to the nearer end, levels
            outside are missing. A column of declared levels needs none.
        cells : int or mapping of columns to int
            In how many public cells the numbers of a column are counted, at least: each has its noise, and many rows
            bear more of them.
        random_state : None, int or Generator
            None takes the system's randomness; a seed is for tests, since whoever knows it can take the noise away.

        Examples
        --------
        >>> from candide import NaiveBayes
        >>> nb = NaiveBayes().fit([[x / 100] for x in range(1000)], ["low"] * 500 + ["high"] * 500)
        >>> private = nb.privatize(1.0, {0: (0, 10)})
        >>> private.predict([[1.0], [9.0]]), private.privacy_["epsilon"]
        (array(['low', 'high'], dtype='<U4'), 1.0)
        """
        check_is_fitted(self)
        _, made = self._modelled()
        if made.plan.weighs_rows:
            raise ValueError(
                f"weights={made.plan.weights!r} were settled on rows, to which no noise was added: fit with "
                "weights=None, or set_params(weights=None)"
            )
        from candide.private import release

        private: Self = clone(self)
        if "schema" in self.get_params(deep=False):
            private.set_params(schema=None)  # levels and cut points of another table tell of its rows
        private._state = State(release(self._state.learnt, epsilon, bounds, cells, random_state))
        private._files = frozenset(self._inputs)
        return private

    # -- files and contracts -------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as versioned, checksummed JSON, atomically; it keeps learning after `candide.load`."""
        from candide.estimator import files

        self._check_apart(path)
        files.write(path, self._payload())

    def _payload(self) -> Section:
        """Return what a file holds of the model."""
        from candide.estimator import files

        check_is_fitted(self)
        try:
            state, made = self._modelled()
            plan, settled = made.plan, made.model.settled
        except UnservedError:  # what was learnt is kept all the same
            state, settled = self._state, None
            plan = self._planned(state.learnt.schema, state.plan)
        return files.payload_of(self, plan, state.learnt, settled)

    def slim(self, rare: float = 5, within: float | None = None) -> Slim:
        """Return a model that scores and does nothing else: without counts, raw values, identifiers and rare levels.

        What it leaves out is told by its `left_out`. It predicts from what this model reads, is saved and loaded as
        this one is, and has a fraction of its size: `share` says which. Of an average of models there is a sum of what
        columns say alone and in pairs, weighed so that it answers as the average does.

        Parameters
        ----------
        rare : float
            Weight of rows without which a level, or a word of documents, is left out; it then says nothing.
        within : float or None
            How far its probabilities may lie off this model's, on a thousand rows that it draws: digits are left out
            as long as they do not. None: by 0.01, or farther where the file has a tenth of the size then, and either
            they lie within 0.001 in the mean over rows and classes, or the log-loss of these rows is at most 0.03
            larger; densities that only samples tell are told by intervals then, and where names are most of the file,
            levels that say least are left out. Where no file is a tenth so, it may be 0.3 larger. `left_out` says how
            far they lie off, to how many rows the answer is another one, and by how much the log-loss is larger.
        """
        from candide.estimator.slim.slimming import slim

        check_is_fitted(self)
        return slim(self, rare, within)

    @classmethod
    def _restore(cls, params: dict[str, Any], learnt: Learnt, settled: Settled | None) -> Self:
        """Return the estimator that was saved with these parameters."""
        from candide.estimator import files

        new = cls(**params)
        plan = new._planned(learnt.schema, None)
        files.check_plan(plan, learnt.schema, settled)
        new._state = State(learnt) if settled is None else State(learnt, plan, settled)
        return new

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

"""Showing: what a person sees of an estimator. The layers above draw it, and are asked when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from candide.distributions.discrete import told_apart
from candide.sources.base import files_of
from candide.statistics.evidence import UnservedError
from candide.table.measures import parameter_shown, shown

if TYPE_CHECKING:
    from candide.evaluate.worth import ModelWorth
    from candide.report import Report


class Shown:
    """An estimator that shows what it has learnt: fitted, its classes and columns; unfitted, scikit-learn's diagram."""

    def report(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        older: Any = None,
        label: Any = None,
        learnt: bool | None = None,
        title: str = "",
        columns: int = 200,
        min_count: int | None = None,
    ) -> Report:
        """Return what there is to see of the model: `.save(path)` writes it as one page, `.open()` shows it.

        Parameters
        ----------
        X, y, sample_weight
            Rows to judge the model by, those it has learnt or new ones; y may be left out where X holds the target. X
            may be a source, such as a path: a sample of its rows is judged, and said to be one.
        older : fitted classifier or None
            An older model of the same columns, to say what has moved.
        label : class label or None
            The class asked about; None takes the rarer one of two, and the likeliest of more.
        learnt : bool or None
            Whether the rows were learnt; None finds out, by taking them away from the model.
        title : str
        columns : int
            How many columns the page carries, those of most evidence.
        min_count : int or None
            Levels of fewer rows are not named; None takes 5 where a column has more than 12 levels.
        """
        from candide.report import Report, facts

        if isinstance(X, Iterator):  # documents that come one by one are looked at several times
            X, y = self._given(X, y)  # type: ignore[attr-defined]  # a classifier
        table = None if X is None else (X, y, sample_weight)
        told = facts(self, table, older, learnt=learnt, label=label, title=title, min_count=min_count)  # type: ignore[arg-type]  # a classifier
        return Report(told, columns, (*self._inputs, *files_of(X)))  # type: ignore[attr-defined]  # a classifier

    def worth(self, X: Any, y: Any = None) -> ModelWorth | None:
        """Return whether the model tells more than the commonest class does, judged on rows that it has learnt.

        Of up to 5,000 evenly spaced rows each is scored by the model without it: exact, and as fast as predicting them.
        Weights that were settled on these rows would flatter it, and distributions chosen by them may find something in
        noise: there each third of them is asked of the model without it, chosen and settled anew. Printed, it is a
        sentence. `fit` says nothing of the kind, and costs nothing for it.

        Parameters
        ----------
        X, y
            As they were learnt; y may be left out where X holds the target. X may be a source, such as a path.

        Returns
        -------
        ModelWorth or None
            With `better`, `accuracy`, `log_loss` and what they are compared with; None of fewer than 50 rows, or of
            classes in other shares than all.

        Examples
        --------
        >>> from candide import NaiveBayes
        >>> X, y = [[n % 7] for n in range(300)], ["a" if n % 3 else "b" for n in range(300)]
        >>> print(NaiveBayes().fit(X, y).worth(X, y))
        the model is no better than always answering 'a', which 66.7 % of the rows are: ...
        """
        from candide.evaluate.worth import worth

        return worth(self, *self._given(X, y))  # type: ignore[attr-defined]  # a classifier

    def describe(self, column: Any = None) -> dict[Any, dict[Any, Any]]:
        """Return what was learnt of every column, or the parameters of one, as plain dicts.

        Parameters
        ----------
        column : a column's name, or that of a joined attribute, or None

        Returns
        -------
        dict
            Without a column, by column: its kind and distribution, how many cells are missing, its score (the mean of
            log P(class | column), each row left out), what share of the doubt it settles on its own, and its rank by
            that, 1 the best; None where only moments are kept. Of one column: each level's probabilities, or each
            parameter, by class; of dates, times and durations as a person reads them: {"mean": {"old": "2023-04-11"}}.

        Examples
        --------
        >>> import pandas as pd
        >>> from candide import NaiveBayes
        >>> frame = pd.DataFrame({"wheels": ["2", "2", "4", "4"] * 5, "colour": ["red", "blue"] * 10})
        >>> nb = NaiveBayes().fit(frame, ["bike", "bike", "car", "car"] * 5)
        >>> {name: told["rank"] for name, told in nb.describe().items()}
        {'wheels': 1, 'colour': 2}
        >>> nb.describe("wheels")["2"]
        {'bike': 0.917, 'car': 0.083}
        """
        from candide.report import collect
        from candide.report.ranking import rank

        model: Any = self
        if column is not None:
            classes = model.classes_.tolist()
            told_of = measured(model, column, model.model_.describe(column))
            return {name: dict(zip(classes, values, strict=True)) for name, values in told_of.items()}
        facts = collect(model)
        ranks = rank(facts)
        told = {}
        for one in facts["columns"]:
            found = ranks.get(one["name"])
            told[one["name"]] = {
                "kind": one["kind"],
                "distribution": one["distribution"],
                "missing": one["missing"],
                "score": None if found is None else found.score,
                "settles": None if found is None else found.settles,
                "rank": None if found is None else found.place,
            }
        return told

    def _html_repr(self) -> str:
        """Return what a notebook shows."""
        from sklearn.utils import estimator_html_repr

        if not self.__sklearn_is_fitted__():  # type: ignore[attr-defined]  # a classifier
            return str(estimator_html_repr(self))
        from candide.report import collect
        from candide.report.notebook import model_html, unserved_html

        try:
            return model_html(collect(self))  # type: ignore[arg-type]  # a classifier
        except UnservedError as error:  # nothing can be estimated under the present rules, as predicting will say
            return unserved_html(type(self).__name__, error)

    # scikit-learn of before 1.9 does not ask `_html_repr`
    def _repr_html_inner(self) -> str:
        return self._html_repr()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from sklearn import get_config

        text = {"text/plain": repr(self)}
        return {**text, "text/html": self._html_repr()} if get_config()["display"] == "diagram" else text


def measured(model: Any, column: Any, described: dict[Any, Any]) -> dict[Any, list[Any]]:
    """Return the parameters of a column by name; those of dates, times and durations in the words of a calendar."""
    measure = model.learnt_.schema.reading.measures.get(column, "")
    form = own_form(model.model_, column) if measure else None
    if form is None or getattr(form, "logarithm", False):  # logarithms are no moments themselves
        return {name: values.tolist() for name, values in described.items()}
    names = measured_names(form, list(described), measure)
    told_of = zip(names, described.values(), strict=True)
    return {name: [parameters_shown(name, value, measure) for value in values.tolist()] for name, values in told_of}


def own_form(model: Any, column: Any) -> Any:
    """Return the form by which a column is described that speaks for itself; None where it does not."""
    for block, i in model.attributes:
        if [model.names[j] for j in block.columns(i)] == [column]:
            with suppress(ValueError):
                return block.form(i)
            plain = getattr(block, "plain", None)  # averages and networks describe a column as it is on its own
            return None if plain is None else plain.form(i)
    return None


def measured_names(form: Any, names: list[Any], measure: str) -> list[Any]:
    """Return what the parameters of such a column are called: intervals and levels by what they are."""
    from candide.distributions.forms import Lookup, Steps
    from candide.report.numbers import interval_names

    if isinstance(form, Steps):
        intervals = interval_names(form.cuts, False, measure)[: len(names)]  # none of a column that says nothing
        return [*intervals, *(["missing"] if len(names) > len(intervals) else [])]
    if isinstance(form, Lookup) and all(isinstance(level, float) for level in form.levels.tolist()):
        levels = [shown(level, measure) for level in form.levels.tolist()]
        return told_apart([*levels, *names[len(levels) :]])
    return names


def parameters_shown(name: Any, value: Any, measure: str) -> Any:
    """Return a parameter as it is read, each of a class that has several."""
    return (
        [parameters_shown(name, one, measure) for one in value]
        if isinstance(value, list)
        else parameter_shown(name, value, measure)
    )

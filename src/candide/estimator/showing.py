"""Showing: what a person sees of an estimator. The layers above draw it, and are asked when somebody looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from candide.statistics.evidence import UnservedError

if TYPE_CHECKING:
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

        table = None if X is None else (X, y, sample_weight)
        told = facts(self, table, older, learnt=learnt, label=label, title=title, min_count=min_count)  # type: ignore[arg-type]  # a classifier
        return Report(told, columns)

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

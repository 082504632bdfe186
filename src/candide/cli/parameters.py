"""Parameters: what a column's attributes hold, as a table on the screen."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.table.measures import parameter_shown, shown


def show_parameters(model: Any, found: tuple[int, ...], title: str) -> None:
    """Show the parameters of the attributes of a column, a line per parameter and a column per class."""
    from candide.cli.screens import show_table

    made = model.model_
    classes = [str(label) for label in model.classes_.tolist()]
    if not found:
        show_ignored(title)
    for k in found:
        block, i = made.attributes[k]
        parameters, shares, measure = told_parameters(model, block, i)
        rows = [line for name, values in parameters for line in lines(name, values, measure)]
        name = title if len(found) == 1 else str(block.names[i])
        if not rows:
            show_ignored(name)
            continue
        if model.learnt_.schema.columns[block.columns(i)[0]].kind == "bags":
            show_table(f"{name}: what the words say that tell most", ["word", *classes], rows)
            continue
        show_table(
            f"P({name} | class)" if shares else f"{name}: parameters",
            ["value" if shares else "parameter", *classes],
            rows,
        )


def show_ignored(name: str) -> None:
    """Show of a column that has no parameters that it is ignored."""
    from candide.cli.screens import say

    say(f"{name}: ignored; its values tell nothing of the class")
    say()


def told_parameters(model: Any, block: Any, i: int) -> tuple[list[tuple[str, Any]], bool, str]:
    """Return the parameters of an attribute by class, whether they are its values' probabilities, what they measure.

    Levels go by their position: two may read alike. Intervals are named as everywhere.
    """
    from candide.distributions.forms import Steps

    shares = len(block.tables) > 0
    try:
        form = block.form(i)
    except ValueError:  # documents, of which the words are shown that tell most
        form = None
    alone = len(block.columns(i)) == 1
    measure = measure_of(model, block.columns(i)[0]) if alone else ""
    if shares:
        (table,) = block.tables
        start = int(table.domain.offsets[i])
        names = [level_name(level, measure) for level in table.domain.levels[i]]
        values = [table.theta[:, start + v] for v in range(len(names))]
    else:
        described = block.describe(i)
        names, values = list(described), list(described.values())
    # an ignored column has the form of one interval, and describes none
    if isinstance(form, Steps) and names:  # intervals, and perhaps the missing cell behind them
        told = step_names(model, form)
        names, shares = [*told, *names[len(told) :]], True
    # those of logarithms are no moments themselves
    return list(zip(names, values, strict=True)), shares, "" if getattr(form, "logarithm", False) else measure


def step_names(model: Any, form: Any) -> list[str]:
    """Return the names of the intervals of a column."""
    from candide.report.inputs import whole_numbers
    from candide.report.numbers import interval_names

    evidence, j = model._modelled()[0].evidence, form.columns[0]
    return interval_names(form.cuts, whole_numbers(evidence, j), measure_of(model, j))


def measure_of(model: Any, j: int) -> str:
    """Return what a column measures, where it is more than a number."""
    schema = model.learnt_.schema
    return str(schema.reading.measures.get(schema.names[j], ""))


def lines(name: str, values: Any, measure: str = "") -> list[list[str]]:
    """Return a parameter's lines: one, or one per component where a class has several.

    Examples
    --------
    >>> lines("mean", [0.5, 2.0]), lines("mean", [1.7e9, 1.6e9], "day"), lines("var", [4 * 86400.0**2], "day")
    ([['mean', '0.5', '2']], [['mean', '2023-11-14', '2020-09-13']], [['var', '(2 days)²']])
    """
    table = np.asarray(values).reshape(len(values), -1)
    names = [name] if table.shape[1] == 1 else [f"{name} {m + 1}" for m in range(table.shape[1])]
    told = [[parameter_shown(name, value, measure) for value in column] for column in table.T.tolist()]
    written = [[value if isinstance(value, str) else f"{value:.5g}" for value in column] for column in told]
    return [[label, *column] for label, column in zip(names, written, strict=True)]


def level_name(level: Any, measure: str = "") -> str:
    """Return a level for showing; a combination of levels as one text."""
    from candide.cli.screens import cell

    if measure and isinstance(level, float):
        return shown(level, measure)
    return " & ".join(map(level_name, level)) if isinstance(level, tuple) else cell(level, 6)

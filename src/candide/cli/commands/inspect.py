"""candide inspect: what a model file holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import numpy as np

from candide.arithmetic import log_sum_exp
from candide.cli.failures import BadInput
from candide.cli.options import model_argument
from candide.cli.screens import amount
from candide.messages import unknown
from candide.table.measures import shown

if TYPE_CHECKING:
    from candide.estimator.slim import Slim

SHORT = 44

KINDS = {"symbols": "categorical", "numbers": "numeric", "bags": "documents"}
"""What the kinds of columns are called on a screen."""


@click.command(short_help="Show what a model holds.")
@model_argument
@click.option(
    "--column",
    "-c",
    "columns",
    metavar="NAME",
    multiple=True,
    help="Show the parameters of this column. May be repeated.",
)
@click.option("--parameters", is_flag=True, help="Show the parameters of every column.")
def inspect(model_file: str, columns: tuple[str, ...], parameters: bool) -> None:
    """Show what MODEL holds: its rules, classes and columns, and the parameters of columns.

    \b
    candide inspect desk.json
    candide inspect desk.json --column weight
    """  # noqa: D301  # fmt: skip
    from candide.cli.models import check_whole, load_model
    from candide.cli.parameters import show_parameters
    from candide.cli.screens import say
    from candide.estimator.slim import Slim

    model = load_model(model_file)
    if isinstance(model, Slim) and not columns and not parameters:
        show_slim(model)
        return
    check_whole(model, model_file)
    by_name = attributes(model)
    for name in columns:
        if name not in by_name:
            raise BadInput(unknown("column", name, list(by_name)))
    if not columns:
        show_rules(model)
        show_classes(model)
        show_columns(model)
        show_reading(model)
    wanted = list(columns) or (list(by_name) if parameters else [])
    # a group serves all of its columns: show it once
    for found, title in dict.fromkeys(by_name[name] for name in wanted):
        show_parameters(model, found, title)
    for name in columns:
        show_candidates(model, name)
    if not wanted:
        say("--column NAME shows the parameters of a column, --parameters those of all")


def show_slim(model: Slim) -> None:
    """Show the classes and columns of a slim model, and what it has not."""
    from candide.cli.screens import say, show_table

    chances = np.exp(model.log_prior - log_sum_exp(model.log_prior[None]))
    show_table(
        "classes", ["class", "prior"], [[str(c), f"{p:.4f}"] for c, p in zip(model.classes_, chances, strict=True)]
    )
    used = {j for form in model.forms for j in form.columns}
    kinds = [KINDS[column.kind] if j in used else "ignored" for j, column in enumerate(model.schema.columns)]
    show_table(
        "columns", ["column", "kind"], [list(of) for of in zip(map(str, model.schema.names), kinds, strict=True)]
    )
    say("It is slim: it predicts, and does nothing else. Left out are")
    for line in model.left_out:
        say(f"- {line}")


def attributes(model: Any) -> dict[str, tuple[tuple[int, ...], str]]:
    """Return, for each column, the attributes that it is part of and what they are called."""
    schema, made = model.schema_, model.model_
    group_of = {j: group for group in schema.groups for j in group}
    out = {}
    for j, name in enumerate(schema.names):
        first = group_of.get(j, (j,))[0]
        found = tuple(k for k, (block, i) in enumerate(made.attributes) if int(block.places[i]) == first)
        title = " and ".join(str(schema.names[g]) for g in group_of.get(j, (j,)))
        out[str(name)] = (found, title)
    return out


def show_rules(model: Any) -> None:
    """Show the rules that differ from the defaults, and the size of what was learnt."""
    from candide.cli.screens import say
    from candide.report.sentences import private

    usual = {"reading": "auto", "strict": True}
    params = model.get_params(deep=False)
    rules = {name: value for name, value in params.items() if name != "schema" and usual.get(name) != value}
    said = ", ".join(f"{name}={value!r}" for name, value in rules.items() if value is not None)
    target = model.schema_.target
    say(f"{type(model).__name__}({said})")
    say(f"learnt from {amount(float(np.sum(model.class_counts_)))} rows" + (f"; target {target!r}" if target else ""))
    if model.privacy_ is not None:
        say(private(model.privacy_))
    if model.tuned_on_:
        pairs = ", ".join(f"{a} × {b}" for a, b in model.pairs_)
        said = f"weights settled on {amount(float(model.tuned_on_))} rows; temperature {model.temperature_:.3f}"
        say(said + (f"; together: {pairs}" if pairs else ""))
    if rules.get("smoothing") == "auto":
        say(f"smoothing chosen: {model.model_.smoothing!r}")


def show_classes(model: Any) -> None:
    """Show the classes with their counts and prior probabilities."""
    from candide.cli.screens import show_table

    prior = model.model_.prior.alpha
    rows = [
        (str(label), amount(float(n)), f"{p:.4f}")
        for label, n, p in zip(model.classes_.tolist(), model.class_counts_, prior, strict=True)
    ]
    show_table("classes", ["class", "rows", "prior"], rows)


def show_columns(model: Any) -> None:
    """Show each column's kind, distribution, domain and missing cells, and what was chosen by how much."""
    from candide.cli.screens import show_table
    from candide.report import collect
    from candide.report.columns import distribution_name
    from candide.report.ranking import rank
    from candide.statistics.evidence import Evidence

    schema = model.schema_
    evidence = Evidence(schema, model.statistics_)
    ranks = rank(collect(model))
    missing = [float(evidence.missing(j).sum()) for j in range(len(schema.columns))]
    group_of = {j: n for n, group in enumerate(schema.groups, 1) for j in group}
    chosen = model.model_.chosen
    measures = schema.reading.measures
    weights = model.weights_ if model.model_.settled.weights is not None else {}
    rows = []
    for j, (column, choice) in enumerate(zip(schema.columns, schema.choices, strict=True)):
        rows.append(
            [
                str(column.name),
                KINDS[column.kind],
                chosen.get(column.name) or distribution_name(choice),
                domain(column, choice, measures.get(column.name, "")),
                *([amount(missing[j])] if any(missing) else []),
                *([f"{weights[column.name]:.3f}" if column.name in weights else ""] if weights else []),
                *(ranked(ranks.get(column.name)) if ranks else []),
                *([group_of.get(j)] if group_of else []),
            ]
        )
    heads = ["column", "kind", "distribution", "values", *(["missing"] if any(missing) else [])]
    heads += [*(["weight"] if weights else []), *(["settles", "rank"] if ranks else [])]
    show_table("columns", [*heads, *(["group"] if group_of else [])], rows)


def show_reading(model: Any) -> None:
    """Show how columns are read, and which are ignored."""
    from candide.cli.screens import show_table

    reading = model.schema_.reading_as_taken
    ignored = reading.left_out
    rows = [
        [str(name), read.said or ("ignored" if name in ignored else repr(read.reader))]
        for name, read in reading.items()
    ]
    if rows:
        show_table("how columns are read", ["column", "as"], rows)


def ranked(found: Any) -> list[str]:
    """Return which share of the doubt about the class a column settles on its own, and the place that this gives it."""
    from candide.shares import share

    return ["", ""] if found is None else [share(found.settles), str(found.place)]


def domain(column: Any, choice: Any, measure: str = "") -> str:
    """Say which values a column has: its levels or its cut points."""
    from candide.cli.screens import cell

    if column.kind == "bags":
        return f"{column.axis.size - 1} words"
    if column.kind == "symbols" and column.levels is not None:
        return few_items([cell(level, 6) for level in column.levels.tolist()], "levels")
    points = getattr(getattr(choice, "discretizer", None), "points", None)
    if points is not None:
        from candide.report.numbers import cut_names

        cuts = [shown(p, measure) for p in points] if measure else cut_names(points)
        return few_items(cuts, "cuts", f"{len(points) + 1} intervals: ") if len(points) else "any number"
    return ""


def few_items(items: list[str], what: str, before: str = "") -> str:
    """Return a list that fits a cell."""
    whole = before + ", ".join(items)
    if len(whole) <= SHORT:
        return whole
    few = items[:1]
    for item in items[1:]:
        if len(before + ", ".join([*few, item])) >= SHORT - 12:
            break
        few.append(item)
    return f"{before}{', '.join(few)} ... ({len(items)} {what})" if len(few) < len(items) else whole


def show_candidates(model: Any, name: str) -> None:
    """Show how well a column does on its own, and every distribution among which its own was chosen."""
    from candide.cli.screens import say, show_table
    from candide.report import collect
    from candide.report.ranking import rank

    named = {str(known): known for known in model.schema_.names}
    ranks = rank(collect(model))
    found = ranks.get(named[name])
    if found is not None:
        settles, place = ranked(found)
        say(f"{name} settles {settles} of the doubt on its own, place {place} of {len(ranks)}")
        say(f"score: {found.score:.4f}, the mean of log P({model.schema_.class_name} | {name}), row by row left out")
    scores = sorted(model.schema_.score(named[name]).items(), key=lambda item: -item[1])
    if scores:
        rows = [[candidate, f"{score:.4f}"] for candidate, score in scores]
        show_table(
            f"{name}: the candidates, by mean log P(class | {name}), row by row left out",
            ["distribution", "score"],
            rows,
        )

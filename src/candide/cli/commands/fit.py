"""candide fit: from tables to a model file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from candide.cli.literals import cost_rule
from candide.cli.options import exclude_option, reading_options, tables_argument, target_option, weight_option
from candide.cli.words import make_model, prior_rule, rule_options, text_columns
from candide.sources.base import Reading


@click.command(short_help="Learn a model from tables.")
@tables_argument
@target_option
@click.option(
    "--output", "-o", metavar="MODEL", required=True, help="The model file to write, JSON; '-' is standard output."
)
@click.option(
    "--plain", is_flag=True, help="Naive Bayes alone: all evidence counts once. For models that are to be added up."
)
@rule_options
@weight_option
@exclude_option
@reading_options
def fit(
    tables: tuple[str, ...],
    target: str,
    output: str,
    plain: bool,
    weight: str | None,
    exclude: tuple[str, ...],
    reading: Reading,
    **rules: Any,
) -> None:
    """Learn a model from TABLEs and write it to a file.

    Columns of numbers are numeric, all others categorical; an empty cell is a level of its own. How much the evidence
    of each column counts is settled on the rows, or on an even sample of many; with --plain it counts once, and empty
    cells say nothing. Tables are read in batches, so they may be larger than memory. The model file is plain JSON: it
    can be inspected, merged with others, and taught more later.

    \b
    candide fit requests.csv --target desk -o desk.json
    candide fit requests.parquet -t desk -o desk.json --smoothing m-estimate --distribution weight=lognormal
    candide fit mails.csv -t desk -o desk.json --text message --stem english
    """  # noqa: D301
    from candide.cli.models import announce, check_output, save_model
    from candide.cli.tables import attribute_names, open_tables
    from candide.progress import working

    check_output(output, *tables)
    text = [column for column in (*text_columns(rules["distributions"]), *rules["texts"]) if column != weight]
    reading = replace(reading, target=target, weight=weight, exclude=exclude, text=tuple(text))
    source = open_tables(tables, reading)
    with working(f"learning {source.name}") as source.done:
        features = attribute_names(source, reading)
        model = make_model(rules, features, tuned=not plain).fit(source, target, sample_weight=weight)
    prior = prior_rule(rules["prior"], model.classes_.tolist())
    costs = cost_rule(rules["costs"], model.classes_)
    if prior is not None or costs is not None:
        with working("estimating"):
            model.set_params(prior=prior, costs=costs)
            _ = model.model_  # what cannot be estimated is refused before anything is written
    with working("writing"):
        save_model(model, output)
    classes, columns = len(model.classes_), len(features)
    said = f"{columns} column{'s' * (columns != 1)} and {classes} class{'es' * (classes != 1)}"
    announce(f"learnt {source.rows} rows, {said}: {output}", output)

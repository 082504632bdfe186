"""candide fit: from a table to a model file."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from candide.cli.cells import Cells, walk
from candide.cli.failures import BadInput
from candide.cli.formats import Format
from candide.cli.options import exclude_option, reading_options, table_argument, target_option
from candide.cli.rules import make_model, rule_options, text_columns


@click.command(short_help="Learn a model from a table.")
@table_argument
@target_option
@click.option(
    "--output", "-o", metavar="MODEL", required=True, help="The model file to write, JSON; '-' is standard output."
)
@rule_options
@click.option("--weight", metavar="COL", help="A column of row weights; it is no attribute.")
@exclude_option
@reading_options
def fit(
    table: str,
    target: str,
    output: str,
    weight: str | None,
    exclude: tuple[str, ...],
    format_: Format | None,
    na: tuple[str, ...],
    **rules: Any,
) -> None:
    """Learn a model from TABLE and write it to a file.

    Columns of numbers are numeric, all others categorical; empty cells are missing and say nothing. The model file is
    plain JSON: it can be inspected, merged with others, and taught more later.

    \b
    candide fit requests.csv --target desk -o desk.json
    candide fit requests.parquet -t desk -o desk.json --smoothing m-estimate --distribution weight=lognormal
    """  # noqa: D301
    from candide.cli.frames import make_frame
    from candide.cli.models import check_output, save_model, told
    from candide.progress import working

    check_output(output, table)
    with working(f"reading {table}"):
        columns, weights = learning_columns(table, target, exclude, format_, na, rules, weight)
    labels = columns[target]
    features = [name for name in columns if name != target]
    if not features:
        raise BadInput(f"{table} has no column besides {target!r} to learn from")
    model = make_model(rules, features, distinct(labels))
    with working("learning"):
        model.fit(make_frame(columns), target, sample_weight=weights)
    with working("writing"):
        save_model(model, output)
    classes = len(model.classes_)
    told(
        f"learnt {len(labels)} rows, {len(features)} column{'s' * (len(features) != 1)} and {classes} "
        f"class{'es' * (classes != 1)}: {output}",
        output,
    )


def learning_columns(
    table: str,
    target: str,
    exclude: tuple[str, ...],
    format_: Format | None,
    na: tuple[str, ...],
    rules: dict[str, Any],
    weight: str | None = None,
) -> tuple[dict[str, Any], Any]:
    """Return the columns to learn from, target included, and the weights of the rows."""
    from candide.cli.cells import as_numbers
    from candide.cli.frames import by_guess
    from candide.cli.reading import open_table
    from candide.cli.screens import note

    source = open_table(table, format_, na)
    apart = [weight] if weight is not None else []
    if target in exclude or target in apart:
        raise BadInput(f"the target {target!r} cannot be left out or be the weight as well")
    columns = by_guess(
        source, target, exclude, [c for c in text_columns(rules["distributions"]) if c not in apart], note
    )
    if weight is None:
        return columns, None
    if weight not in columns:
        from candide.messages import unknown

        raise BadInput(f"--weight: {unknown('column', weight, list(columns))}")
    weights = as_numbers(columns.pop(weight), weight, 0)
    if np.isnan(weights).any():
        raise BadInput(f"the weight column {weight!r} is empty in row {int(np.isnan(weights).argmax())}")
    return columns, weights


def distinct(labels: Cells) -> list[Any]:
    """Return the distinct labels."""
    return list(dict.fromkeys(labels.tolist() if isinstance(labels, np.ndarray) else walk(labels)))

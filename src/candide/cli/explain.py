"""candide explain: why a row got its label."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from candide.cli.failures import BadInput
from candide.cli.formats import Format
from candide.cli.options import model_argument, reading_options, table_argument

MOST_CLASSES = 5


@click.command(short_help="Explain the decision on one row.")
@model_argument
@table_argument
@click.option(
    "--row",
    "-r",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Which row to explain, counted from 0.",
)
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="How many columns to show, those that tell the classes apart most.",
)
@click.option("--all-classes", is_flag=True, help=f"Show every class, not only the {MOST_CLASSES} most probable.")
@reading_options
def explain(
    model_file: str, table: str, row: int, top: int, all_classes: bool, format_: Format | None, na: tuple[str, ...]
) -> None:
    """Explain the decision on one row of TABLE: what the prior and each column add to the score of each class.

    \b
    candide explain desk.json new.csv --row 3
    """  # noqa: D301  # fmt: skip
    from candide.cli.frames import by_schema
    from candide.cli.models import load_model, refuse_two_inputs
    from candide.cli.reading import Batch, open_table
    from candide.progress import watched

    refuse_two_inputs(model_file, table)
    model = load_model(model_file)
    source = open_table(table, format_, na)
    rows = 0
    for batch in watched(source, f"looking for row {row}", lambda _: source.fraction()):
        rows = batch.start + batch.n_rows
        if row < rows:
            n = row - batch.start
            one = Batch({name: cells[n : n + 1] for name, cells in batch.columns.items()}, row)
            show_explanation(model.explain(by_schema(one, model.schema_, source)), row, top, all_classes)
            return
    raise BadInput(f"{source.name} has {rows} rows: there is no row {row} (the first is row 0)")


def show_explanation(explanation: Any, row: int, top: int, all_classes: bool = False) -> None:
    """Show what adds up to the scores of the first row of an explanation, and what was decided.

    Parameters
    ----------
    explanation : Explanation
    row : int
        What to call the row.
    top : int
        How many attributes to show.
    all_classes : bool
    """
    from candide.cli.screens import cell, say, show_table

    posterior = explanation.posterior[0]
    order = np.argsort(-posterior, kind="stable")
    shown = order if all_classes else order[:MOST_CLASSES]
    labels = [str(explanation.classes[c]) for c in shown]
    decided = explanation.decisions[0]
    sure = float(posterior[explanation.classes.tolist().index(decided)])
    logs = explanation.additive == "log"
    say(f"row {row}: {decided}, with probability {sure:.4g}", bold=True)
    position = {name: j for j, name in enumerate(explanation.names)}
    ranked = [position[name] for name, _, _ in explanation.weights(0)]

    def line(name: str, value: Any, parts: Any) -> list[Any]:
        return [name, cell(value, 6) if value is not None else "", *(f"{parts[c]:.3f}" for c in shown)]

    parts = explanation.contributions[0]
    lines = [line("prior", None, explanation.prior)] if logs else []
    for j in ranked[:top]:
        value = explanation.cells[0][j]
        lines.append(line(str(explanation.names[j]), "(missing)" if value is None else value, parts[:, j]))
    if ranked[top:]:
        lines.append(line(f"{len(ranked) - top} more", None, parts[:, ranked[top:]].sum(axis=1)))
    lines.append(line("score", None, explanation.scores[0]))
    lines.append(["probability", "", *(f"{posterior[c]:.4g}" for c in shown)])
    unit = "log P(class) + the sum of log P(cell | class)" if logs else "the sum of P(class) · P(cell | class)"
    show_table(f"score = {unit}", ["column", "cell", *labels], lines, foot=2)
    if (explanation.scores[0] == -np.inf).all():
        say("the row is impossible under every class: the rule for such rows decided")
    if len(shown) < len(posterior):
        say(f"{len(posterior) - len(shown)} less probable classes are not shown; --all-classes shows them")

"""candide privatize: a model of the same rows with noise, that may be handed out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.literals import json_file, option_files
from candide.cli.options import model_argument
from candide.messages import unknown


@click.command(short_help="Add noise to a model, under a stated guarantee.")
@model_argument
@click.option("--output", "-o", metavar="OUT", required=True, help="The model file to write; '-' is standard output.")
@click.option("--epsilon", metavar="E", type=click.FloatRange(min=0, min_open=True), required=True,
              help="The budget: one row more or less changes the probability of any outcome by a factor of e^E at the "
              "most. Below 1 is careful, above 10 promises little.")  # fmt: skip
@click.option("--bounds", "-b", metavar="COL=PUBLIC", multiple=True,
              help="What is known of a column without looking at the table: LEAST:MOST of numbers, LEVEL,LEVEL,... of "
              "others; or @FILE.json, an object of [least, most] and lists of levels. May be repeated.")  # fmt: skip
@click.option("--cells", metavar="N", type=click.IntRange(2, 1024), default=8, show_default=True,
              help="In how many public cells the numbers of a column are counted, at least.")  # fmt: skip
def privatize(model_file: str, output: str, epsilon: float, bounds: tuple[str, ...], cells: int) -> None:
    """Make of MODEL one of the same rows with noise: differentially private, with the budget E.

    OUT predicts, adds up and learns on as any model, and says what was promised to its rows. Names of columns, class
    labels, bounds and declared levels are taken to be public. Noise comes from the system's randomness: run twice, the
    command gives two models, and handing out both costs twice the budget.

    \b
    candide privatize desk.json --epsilon 1 -b power=0:300 -o public.json
    """  # noqa: D301
    from candide.cli.models import announce, check_inputs, check_output, learnt_schema, load_whole, save_model
    from candide.private.public import NoBoundsError

    check_inputs(model_file)
    check_output(output, model_file, *option_files(bounds))
    model = load_whole(model_file, output)
    if model.tuned_on_:
        raise BadInput(
            f"{model_file} has weights that were settled on rows, to which no noise is added: fit it with --plain"
        )
    try:
        private = model.privatize(epsilon, public_of(bounds, learnt_schema(model)), cells=cells)
    except NoBoundsError as error:
        raise BadInput(str(NoBoundsError(error.name, f"--bounds {error.name}=0:100"))) from None
    save_model(private, output)
    announce(
        f"private with epsilon {epsilon:g}, {len(model.learnt_.schema.names)} columns and the classes a share each: "
        f"{output}",
        output,
    )


def public_of(items: Sequence[str], schema: Any) -> dict[Any, Any]:
    """Return what is public of columns, from COL=LEAST:MOST, COL=LEVEL,LEVEL and @FILE.json.

    Examples
    --------
    >>> from candide import NaiveBayes
    >>> nb = NaiveBayes().fit([[1.0], [2.0]], ["a", "b"])
    >>> public_of(["0=0:10"], nb.learnt_.schema)
    {0: (0.0, 10.0)}
    """
    named = {str(name): (name, column) for name, column in zip(schema.names, schema.columns, strict=True)}
    out: dict[Any, Any] = {}
    for item in items:
        if item.startswith("@"):
            given = json_file(item[1:])
            if not isinstance(given, dict):
                raise BadInput(f'{item[1:]}: an object such as {{"power": [0, 300], "energy": ["petrol", "diesel"]}}')
        else:
            column, equals, public = item.partition("=")
            if not equals:
                raise BadInput(f"--bounds {item!r}: write COL=LEAST:MOST, COL=LEVEL,LEVEL or @FILE.json")
            given = {column: public}
        for column, public in given.items():
            if column not in named:
                raise BadInput(f"--bounds: {unknown('column', column, list(named))}")
            name, known = named[column]
            out[name] = public_cell(column, public, known)
    return out


def public_cell(name: str, public: Any, column: Any) -> Any:
    """Return the bounds or levels of one column, as they are written."""
    numbers = column.kind == "numbers" and not column.blank
    if not isinstance(public, str):
        return tuple(public) if numbers and isinstance(public, list) else public
    try:
        if not numbers:  # whole numbers where the column holds such, whichever were seen
            whole = any(type(level) is int for level in column.levels.tolist())
            return [int(level) if whole else level for level in public.split(",")]
        low, high = (float(end) for end in public.split(":"))
    except ValueError:
        form = f"the least and the most number, such as {name}=0:100" if numbers else "whole numbers: 1,2,3"
        raise BadInput(f"--bounds {name}={public}: write {form}") from None
    return low, high

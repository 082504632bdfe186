"""candide slim: a model that scores and does nothing else."""

from __future__ import annotations

from typing import Any

import click

from candide.cli.options import model_argument

LESS = 0.95
"""Of a size, up to which another one is worth being offered."""


@click.command(short_help="Make a small model that scores and does nothing else.")
@model_argument
@click.option("--output", "-o", metavar="OUT", required=True, help="The model file to write; '-' is standard output.")
@click.option(
    "--rare",
    metavar="N",
    type=click.FloatRange(min=0),
    default=5,
    show_default=True,
    help="Rows without which a level, or a word, is left out.",
)
@click.option(
    "--within",
    metavar="P",
    type=click.FloatRange(min=0, min_open=True),
    help="How far probabilities may lie off MODEL's; the larger, the smaller is the file. [default: 0.01, or as far as "
    "a tenth of the size needs, as long as log-loss grows by no more than 0.03; by 0.3 where no other way leads there]",
)
def slim(model_file: str, output: str, rare: float, within: float | None) -> None:
    """Make of MODEL one that predicts and does nothing else: without counts, raw values, identifiers and rare levels.

    What is left out is said. The file is a fraction of the size, which is said as well, and reveals less: it can be
    handed out.

    \b
    candide slim desk.json -o desk.slim.json
    """  # noqa: D301
    from candide.cli.models import announce, check_inputs, check_output, load_whole, save_model
    from candide.estimator.slim.roads import SHARE
    from candide.estimator.slim.rounding import OTHERS, WITHIN
    from candide.estimator.slim.slimming import WIDER
    from candide.shares import share

    check_inputs(model_file)
    check_output(output, model_file)
    model = load_whole(model_file, output)
    small = model.slim(rare, within)
    save_model(small, output)
    for line in small.left_out:
        announce(f"left out: {line}", output)
    size = "" if small.share is None else f", {share(small.share)} of the size of {model_file}"
    n = len(small.forms)
    announce(f"{len(small.classes_)} classes, {n} attribute{'s' * (n != 1)}{size}: {output}", output)
    if within is not None or small.share is None:
        return
    others = any(OTHERS in line for line in small.left_out)
    if others and (finer := share_within(model, rare, WITHIN)) is not None and finer > small.share:
        coarse = "its tables are coarse, and some answers others"
        announce(f"{coarse}; --within {WITHIN} makes it {share(finer)}", output)
    wider = share_within(model, rare, WIDER) if small.share > SHARE else None
    if wider is not None and wider < LESS * small.share:
        announce(f"that is more than a tenth; --within {WIDER} makes it {share(wider)}", output)


def share_within(model: Any, rare: float, within: float) -> float | None:
    """Return the share of the size with another tolerance, where tables can keep it."""
    try:
        share: float | None = model.slim(rare, within).share
    except ValueError:
        return None
    return share

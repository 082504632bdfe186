"""candide reproduce: a paper's experiment, rerun."""

from __future__ import annotations

from pathlib import Path

import click

from candide.cli.failures import BadInput
from candide.messages import unknown


@click.command(short_help="Rerun a paper's experiment.")
@click.argument("name", metavar="NAME")
@click.option(
    "--data", metavar="DIR", help="The folder of the data sets; by default CANDIDE_DATA, else they are downloaded once."
)
@click.option("--output", "-o", metavar="OUT", help="The folder to write to; by default reproduce-NAME.")
@click.option(
    "--reading",
    "readings",
    metavar="NAME",
    multiple=True,
    help="How the paper is read where it leaves things open: strict (at its word), paper (what comes nearest to its "
    "numbers), one of the experiment's others, or all. By default strict beside paper. May be repeated.",
)
@click.option(
    "--repeats", metavar="N", type=click.IntRange(min=2), help="Draws of folds, or made-up worlds; by default 10 or 5."
)
@click.option("--seed", metavar="N", type=int, default=0, show_default=True, help="Decides folds and made-up data.")
@click.option("--partial", is_flag=True, help="Go without data sets that cannot be had; by default they are an error.")
@click.option("--jobs", metavar="N", type=click.IntRange(min=1), help="Processes; by default all cores.")
def reproduce(
    name: str,
    data: str | None,
    output: str | None,
    readings: tuple[str, ...],
    repeats: int | None,
    seed: int,
    jobs: int | None,
    partial: bool,
) -> None:
    """Rerun the experiment of a paper and put the published numbers beside ours.

    \b
    indifferent  the indifferent naive Bayes classifier
                 (Cerquides and López de Màntaras)
                 readings: strict, floor, plain, paper
    robust       a robust approach to zero probabilities
                 (Chandra, Gupta and Gupta)
                 readings: strict, first, paper
    summation    the summation hack (Barabás and Kovács)
                 readings: strict, laplace, two, paper

    The folder gets NAME.csv (all results), NAME.md and NAME.html: the report, in which every claim of the paper is
    answered under each reading, with plots.
    """  # noqa: D301
    from candide.cli.screens import say
    from candide.experiments import EXPERIMENTS
    from candide.experiments import reproduce as run

    out = Path(output or f"reproduce-{name}")
    check_request(name, list(EXPERIMENTS), data, out)
    known = [*EXPERIMENTS[name].readings, "all"]
    for reading in readings:
        if reading not in known:
            raise BadInput(unknown("reading", reading, known))
    for file in run(name, out, data, reading=readings, seed=seed, repeats=repeats, n_jobs=jobs, partial=partial):
        say(str(file))


def check_request(name: str, known: list[str], data: str | None, out: Path) -> None:
    """Refuse an experiment that there is not, and folders that are none, before hours of work."""
    if name not in known:
        raise BadInput(unknown("experiment", name, known))
    if data is not None and not Path(data).is_dir():
        raise BadInput(f"--data {data}: there is no such folder")
    if out.exists() and not out.is_dir():
        raise BadInput(f"{out} is a file; -o takes a folder")

"""candide evaluate: cross-validate models on one's own table, and compare them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.literals import option_files
from candide.cli.odd_classes import odd_classes
from candide.cli.options import exclude_option, keeping_options, reading_options, tables_argument, target_option
from candide.evaluate.by_class import AVERAGES
from candide.messages import need, unknown
from candide.sources.base import Reading

DEFAULT_MODELS = ("NaiveBayes", "majority")
METRICS = ("accuracy", "log_loss", "brier", "calibration_error", *AVERAGES)


@click.command(short_help="Cross-validate and compare models on a table.")
@tables_argument
@target_option
@click.option(
    "--model",
    "-m",
    "specs",
    metavar="SPEC",
    multiple=True,
    help="A model to evaluate, may be repeated: a preset (RobustNB), rules (smoothing=none,combination=sum), "
    "a preset with rules (LaplaceNB,prior=uniform), majority, TextNB of one column of documents, one of scikit-learn's "
    "(sklearn.GaussianNB), or any classifier like those by its module and name (lightgbm.LGBMClassifier). "
    "The first is compared with the others. By default NaiveBayes and majority.",
)
@click.option("--folds", metavar="N", type=click.IntRange(min=2), default=10, show_default=True, help="Folds.")
@click.option(
    "--repeats", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="Repeats of all folds."
)
@click.option(
    "--train-fraction",
    metavar="F",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    help="The part of each learning fold that is learnt from.",
)
@click.option(
    "--metric",
    metavar="NAME",
    type=click.Choice(METRICS),
    default="accuracy",
    show_default=True,
    help=f"What the tests compare: {', '.join(METRICS)}.",
)
@click.option("--seed", metavar="N", type=int, default=0, show_default=True, help="Decides the folds.")
@click.option(
    "--stream",
    is_flag=True,
    help="Read the tables in batches, which may be larger than memory: folds by a hash of the row's number, and models "
    "of the library alone.",
)
@click.option("--output", "-o", metavar="OUT", help="Also write the results of every fold to this table.")
@exclude_option
@keeping_options
@reading_options
def evaluate(
    tables: tuple[str, ...],
    target: str,
    specs: tuple[str, ...],
    folds: int,
    repeats: int,
    train_fraction: float,
    metric: str,
    seed: int,
    stream: bool,
    output: str | None,
    exclude: tuple[str, ...],
    as_written: bool,
    keep: tuple[str, ...],
    reading: Reading,
) -> None:
    """Cross-validate models on TABLEs, all over the same folds, and test their differences.

    \b
    candide evaluate requests.csv --target desk
    candide evaluate requests.csv -t desk -m NaiveBayes -m sklearn.GaussianNB
    """  # noqa: D301  # fmt: skip
    from candide.cli.evaluations import remarks, show_classes
    from candide.cli.models import check_output
    from candide.cli.screens import note
    from candide.cli.specs import model_of
    from candide.evaluate import cross_validate
    from candide.sources.writing import output_format

    if output is not None:
        output_format(output, None)
        check_output(output, *option_files(specs), tables=tables)
    reading = replace(reading, target=target, exclude=exclude)
    if stream:
        if repeats != 1 or train_fraction != 1.0:
            raise BadInput("--stream: a row has one fold, and all others learn: no --repeats, no --train-fraction")
        if metric in AVERAGES:
            summed = ", ".join(m for m in METRICS if m not in AVERAGES)
            raise BadInput(f"--stream: {metric} takes all rows at once, which a stream never has; compare by {summed}")
        results = streamed(tables, reading, specs or DEFAULT_MODELS[:1], folds, seed)
        show_results(results, metric, f"{results.groupby('model')['n_test'].sum().iloc[0]} rows, {folds} folds", output)
        return
    X, y = learning_frame(tables, reading)
    smallest = int(y.value_counts().min())
    if len(y) < folds:
        raise BadInput(f"{tables[0]} has {len(y)} row{'s' * (len(y) != 1)}, too few for {folds} folds")
    X, said = read_frame(X, as_written, keep)
    counts = y.value_counts().to_dict()
    for line in [*said, *(odd_classes(target, counts, len(y)) if len(counts) > 1 else [])]:  # one is told below
        note(line)
    names = list(dict.fromkeys(specs or DEFAULT_MODELS))
    models = {name: model_of(name) for name in names}
    with others_failures(models):
        results = cross_validate(
            models, X, y.to_numpy(), folds, repeats, train_fraction=train_fraction, seed=seed, by_class=True
        )
    show_classes(results, names[0])
    for remark in remarks(results, models, y):
        note(remark)
    if smallest < folds:
        note(f"the rarest class has {smallest} row{'s' * (smallest > 1)}, fewer than the folds")
    show_results(results, metric, f"{len(y)} rows, {folds} folds" + (f" × {repeats}" if repeats > 1 else ""), output)


@contextmanager
def others_failures(models: Mapping[str, Any]) -> Iterator[None]:
    """Say of a model that is not of the library that it failed, and where; its library does not know the user."""
    from candide.cli.evaluations import ours

    try:
        yield
    except Exception as error:
        where = " ".join(getattr(error, "__notes__", ()))
        if not any(f"model {name!r}," in where for name, model in models.items() if not ours(model)):
            raise
        raise BadInput(f"{type(error).__name__}: {error} ({where})") from error


def streamed(tables: tuple[str, ...], reading: Reading, specs: Sequence[str], folds: int, seed: int) -> Any:
    """Cross-validate models on tables that are read batch by batch."""
    from candide.cli.specs import model_of
    from candide.cli.tables import attribute_names, open_tables
    from candide.evaluate import cross_validate_source
    from candide.progress import working

    source = open_tables(tables, reading)
    with working(f"reading {source.name}") as source.done:
        attribute_names(source, reading)
        if next(source.batches(), None) is None:
            raise BadInput(f"{source.name} has no rows to learn from")
        models = {name: model_of(name) for name in dict.fromkeys(specs)}
        return cross_validate_source(models, source, str(reading.target), folds, seed)


def learning_frame(tables: tuple[str, ...], reading: Reading) -> tuple[Any, Any]:
    """Return tables as one pandas frame and the labels."""
    from candide.cli.tables import attribute_names, open_tables
    from candide.evaluate.tables import whole_frame
    from candide.progress import working

    try:
        import pandas as pd
    except ImportError:
        raise BadInput(need("evaluations", "evaluate")) from None
    source = open_tables(tables, reading)
    with working(f"reading {source.name}") as source.done:
        attribute_names(source, reading)
        frame, labels = whole_frame(source.batches(), source.name, str(reading.target))
    return frame, pd.Series(labels)


def read_frame(frame: Any, as_written: bool, keep: tuple[str, ...]) -> tuple[Any, list[str]]:
    """Return a frame with its columns read, the same for all models, and what is to be said of it."""
    from candide.evaluate.tables import read_columns
    from candide.reading.table_reading import ReadingWarning

    warnings.simplefilter("ignore", ReadingWarning)
    for name in keep:
        if name not in frame.columns:
            raise BadInput(f"--keep: {unknown('column', name, list(frame.columns))}")
    return read_columns(frame, "plain" if as_written else dict.fromkeys(keep, "plain") or "auto")


def show_results(results: Any, metric: str, said: str, output: str | None) -> None:
    """Show scores and comparisons, and write the results of every fold where that is asked for."""
    from candide.cli.evaluations import show_comparisons, show_scores

    names = list(dict.fromkeys(results["model"]))
    show_scores(results, names, said)
    if len(names) > 1:
        show_comparisons(results, names, metric)
    if output is not None:
        write_results(results, output)


def write_results(results: Any, output: str) -> None:
    """Write the results of every fold."""
    from candide.cli.models import announce
    from candide.sources.writing import open_writer, output_format

    with open_writer(output, output_format(output, None)) as writer:
        writer.write({name: results[name].to_numpy() for name in results.columns})
    if output != "-":
        announce(f"results of {len(results)} folds: {output}", output)

"""candide evaluate: cross-validate models on one's own table, and compare them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from candide.cli.failures import BadInput
from candide.cli.options import exclude_option, reading_options, tables_argument, target_option
from candide.messages import need
from candide.sources.base import Reading

DEFAULT_MODELS = ("NaiveBayes", "majority")
METRICS = ("accuracy", "log_loss", "brier", "calibration_error")


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
    "a preset with rules (LaplaceNB,prior=uniform), majority, or one of scikit-learn's (sklearn.GaussianNB). "
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
    "--metric", type=click.Choice(METRICS), default="accuracy", show_default=True, help="What the tests compare."
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
    reading: Reading,
) -> None:
    """Cross-validate models on TABLEs, all over the same folds, and test their differences.

    \b
    candide evaluate requests.csv --target desk
    candide evaluate requests.csv -t desk -m NaiveBayes -m RobustNB -m sklearn.GaussianNB --repeats 3
    """  # noqa: D301  # fmt: skip
    from candide.cli.models import check_output
    from candide.cli.screens import note
    from candide.cli.specs import model_of
    from candide.evaluate import cross_validate
    from candide.sources.writing import output_format

    if output is not None:
        output_format(output, None)
        check_output(output, *tables)
    reading = replace(reading, target=target, exclude=exclude)
    if stream:
        if repeats != 1 or train_fraction != 1.0:
            raise BadInput("--stream: a row has one fold, and all others learn: no --repeats, no --train-fraction")
        results = streamed(tables, reading, specs or DEFAULT_MODELS[:1], folds, seed)
        show_results(results, metric, f"{results.groupby('model')['n_test'].sum().iloc[0]} rows, {folds} folds", output)
        return
    X, y = learning_frame(tables, reading)
    smallest = int(y.value_counts().min())
    if len(y) < folds:
        raise BadInput(f"{tables[0]} has {len(y)} rows, too few for {folds} folds")
    names = list(dict.fromkeys(specs or DEFAULT_MODELS))
    models = {name: model_of(name, X) for name in names}
    results = cross_validate(
        models, X, y.to_numpy(), folds=folds, repeats=repeats, train_fraction=train_fraction, seed=seed
    )
    if smallest < folds:
        note(f"the rarest class has {smallest} rows, fewer than the folds")
    show_results(results, metric, f"{len(y)} rows, {folds} folds" + (f" × {repeats}" if repeats > 1 else ""), output)


def show_results(results: Any, metric: str, said: str, output: str | None) -> None:
    """Show scores and comparisons, and write the results of every fold where that is asked for."""
    names = list(dict.fromkeys(results["model"]))
    show_scores(results, names, said)
    if len(names) > 1:
        show_comparisons(results, names, metric)
    if output is not None:
        write_results(results, output)


def streamed(tables: tuple[str, ...], reading: Reading, specs: Sequence[str], folds: int, seed: int) -> Any:
    """Cross-validate models on tables that are read batch by batch."""
    from candide.cli.specs import model_of
    from candide.cli.tables import attribute_names, open_tables
    from candide.evaluate import cross_validate_source
    from candide.progress import working

    source = open_tables(tables, reading)
    with working(f"reading {source.name}") as source.done:
        attribute_names(source, reading)
        head = as_pandas(next(source.batches(), None))
        if head is None:
            raise BadInput(f"{source.name} has no rows to learn from")
        X = head.drop(columns=str(reading.target))
        models = {name: model_of(name, X) for name in dict.fromkeys(specs)}
        return cross_validate_source(models, source, str(reading.target), folds, seed)


def learning_frame(tables: tuple[str, ...], reading: Reading) -> tuple[Any, Any]:
    """Return tables as one pandas frame and the labels."""
    from candide.cli.tables import attribute_names, open_tables
    from candide.progress import working

    try:
        import pandas as pd
    except ImportError:
        raise BadInput(need("evaluations", "evaluate")) from None
    source = open_tables(tables, reading)
    with working(f"reading {source.name}") as source.done:
        attribute_names(source, reading)
        frames = [as_pandas(frame) for frame in source.batches()]
    if not frames:
        raise BadInput(f"{source.name} has no rows to learn from")
    frame = frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
    y = frame.pop(reading.target)
    return frame, pd.Series(y.astype(object).to_numpy()) if y.dtype.kind not in "iub" else y


def as_pandas(frame: Any) -> Any:
    """Return a frame of any library as one of pandas."""
    return frame.to_pandas() if hasattr(frame, "to_pandas") else frame


def show_scores(results: Any, names: list[str], said: str) -> None:
    """Show each model's mean scores with their spread over the folds."""
    from candide.cli.screens import show_table

    rows = []
    for name in names:
        found = results[results["model"] == name]
        accuracy, loss = found["accuracy"], found["log_loss"]
        rows.append(
            [
                name,
                f"{100 * accuracy.mean():.2f} ± {100 * accuracy.std():.2f}",
                f"{loss.mean():.4f}",
                f"{found['brier'].mean():.4f}",
                f"{found['calibration_error'].mean():.4f}",
                f"{1000 * found['fit_seconds'].mean():.1f}",
                f"{1000 * found['predict_seconds'].mean():.1f}",
            ]
        )
    heads = ["model", "accuracy %", "log-loss", "Brier", "calibration error", "fit ms", "predict ms"]
    show_table(f"{said}; means over folds, ± one standard deviation", heads, rows)


def show_comparisons(results: Any, names: list[str], metric: str) -> None:
    """Show the paired tests of the first model against each other one."""
    from candide.cli.screens import show_table
    from candide.evaluate import compare

    rows = []
    for other in names[1:]:
        found = compare(results, names[0], other, metric=metric)
        rows.append(
            [
                other,
                f"{found['difference']:+.4f}",
                f"{found['t']:.2f}",
                f"{found['p_value']:.3g}",
                f"{found['corrected_p_value']:.3g}",
                f"{found['wins']} / {found['ties']} / {found['losses']}",
            ]
        )
    heads = ["against", "difference", "t", "p", "corrected p", "wins / ties / losses"]
    show_table(f"{metric} of {names[0]}, in pairs over the folds", heads, rows)


def write_results(results: Any, output: str) -> None:
    """Write the results of every fold."""
    from candide.cli.models import announce
    from candide.sources.writing import open_writer, output_format

    with open_writer(output, output_format(output, None)) as writer:
        writer.write({name: results[name].to_numpy() for name in results.columns})
    if output != "-":
        announce(f"results of {len(results)} folds: {output}", output)

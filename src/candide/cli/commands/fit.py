"""candide fit: from tables to a model file."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from candide.cli.failures import BadInput
from candide.cli.literals import cost_rule, option_files
from candide.cli.odd_classes import odd_classes
from candide.cli.options import (
    exclude_option,
    keeping_options,
    reading_options,
    tables_argument,
    target_option,
    weight_option,
)
from candide.cli.words import columns_of, make_model, prior_rule, rule_options
from candide.messages import unknown
from candide.sources.base import Reading
from candide.writing import check_place

if TYPE_CHECKING:
    from candide.estimator.checkpoints import Checkpoint
    from candide.sources.files import Files

ROWS = 10_000_000
"""Rows between two checkpoints, where nothing else is asked for."""


@click.command(short_help="Learn a model from tables.")
@tables_argument
@target_option
@click.option(
    "--output",
    "-o",
    metavar="MODEL",
    help="The model file to write, JSON; by default TARGET.json, where nothing is there yet; '-' is standard output.",
)
@click.option(
    "--plain", is_flag=True, help="Naive Bayes alone: all evidence counts once. For models that are to be added up."
)
@rule_options
@weight_option
@exclude_option
@click.option(
    "--checkpoint",
    "checkpoint_file",
    metavar="FILE",
    help="Write down on the way what was learnt; a fit that is killed goes on from there when it is run again.",
)
@click.option(
    "--every",
    metavar="ROWS",
    type=click.IntRange(min=1),
    default=ROWS,
    show_default=True,
    help="Rows between two checkpoints.",
)
@keeping_options
@reading_options
def fit(
    tables: tuple[str, ...],
    target: str,
    output: str | None,
    plain: bool,
    weight: str | None,
    exclude: tuple[str, ...],
    checkpoint_file: str | None,
    every: int,
    as_written: bool,
    keep: tuple[str, ...],
    reading: Reading,
    **rules: Any,
) -> None:
    """Learn a model from TABLEs and write it to a file.

    Columns of numbers are numeric, all others categorical. Numbers in disguise (1,234.5, 12 %), dates, spellings of
    missing cells, identifiers and free text are recognised, and every such reading is said; predictions read new rows
    alike. The model is tuned: how much the evidence of each column counts is settled on the rows, or on an even sample
    of many, and a missing cell is a level of its own. With --plain all evidence counts once; so it does with a
    structure, with most presets and with another combination than the product. Missing cells then say nothing, unless
    --missing-level is given. Tables are read in batches, so they may be larger than memory. The model file is plain
    JSON: it can be inspected, merged with others, and taught more later.

    \b
    candide fit requests.csv --target desk
    candide fit requests.parquet -t desk -o desk.json --smoothing m-estimate
    candide fit mails.csv -t desk -o desk.json --text message --stem english
    candide fit 'years/*.parquet' -t desk -o desk.json --checkpoint desk.part
    """  # noqa: D301
    from candide.cli.models import announce, check_output, named_after, save_model
    from candide.cli.tables import attribute_names, open_tables
    from candide.estimator.checkpoints import Checkpoint
    from candide.estimator.learnt_from import naming
    from candide.progress import working
    from candide.statistics.constants import told_reading

    read = [*option_files(*rules.values()), *([] if rules["network"] is None else [rules["network"]])]
    output = named_after(target) if output is None else output
    check_output(output, *read, tables=tables)
    if checkpoint_file is not None:
        check_output(checkpoint_file, *read, tables=tables)
        if Path(checkpoint_file).resolve() == Path(output).resolve():
            raise BadInput(f"--checkpoint {checkpoint_file} is the model file, and is removed in the end")
    reading = with_texts(replace(reading, target=target, weight=weight, exclude=exclude), rules)
    source = open_tables(tables, reading)
    with working(f"learning {source.name}") as source.done:
        features = attribute_names(source, reading)
        untaught = set_reading(make_model(rules, features, tuned=not plain), as_written, keep, features)
        if checkpoint_file is None:
            model = untaught.fit(source, target, sample_weight=weight)
        else:
            told = {**rules, "as_written": as_written, "keep": keep}
            model = resumed(untaught, source, Checkpoint(checkpoint_file, every), told)
    prior = prior_rule(rules["prior"], model.classes_.tolist())
    costs = cost_rule(rules["costs"], model.classes_)
    if prior is not None or costs is not None:
        with working("estimating"):
            model.set_params(prior=prior, costs=costs)
            _ = model.model_  # what cannot be estimated is refused before anything is written
    learnt, rows = model.learnt_.schema, source.rows
    with working("judging"):
        judged = judge(model, source, weight)
    with working("writing"):
        names = tables if source.repeatable else [source.name]  # a folder or a pattern names all
        model.told_ = naming(names) | ({} if judged is None else {"evaluation": judged.to_dict()})
        save_model(model, output)
    if checkpoint_file is not None:
        Checkpoint(checkpoint_file).remove()
    classes, columns = len(model.classes_), len(learnt.used_names)
    attributes = len(learnt.columns)  # a date is several
    split = "" if attributes == columns else f" as {attributes} attributes"
    said = f"{columns} column{'s' * (columns != 1)}{split} and {classes} class{'es' * (classes != 1)}"
    worth = [] if judged is None or judged.better else [str(judged)]
    counts = dict(zip(model.classes_.tolist(), model.class_counts_.tolist(), strict=True))
    read = replace(learnt, reading=told_reading(model.learnt_, model.reading)).reading_as_taken
    for line in [*read.lines(), *odd_classes(target, counts, rows), *worth]:
        announce(line, output)
    announce(f"learnt {rows} row{'s' * (rows != 1)}, {said}: {output}", output)


def with_texts(reading: Reading, rules: dict[str, Any]) -> Reading:
    """Return a reading that leaves columns as they are written which are declared to be categorical, or documents."""
    text = columns_of(rules["distributions"], "categorical")
    documents = [*columns_of(rules["distributions"], "text"), *rules["texts"]]
    weight = {reading.weight}
    return replace(
        reading,
        text=tuple(name for name in text if name not in weight),
        documents=tuple(name for name in documents if name not in weight),
    )


def resumed(model: Any, source: Files, checkpoint: Checkpoint, rules: dict[str, Any]) -> Any:
    """Return a model taught all rows, those behind a checkpoint where there is one."""
    import candide
    from candide.cli.screens import note
    from candide.estimator.checkpoints import fit_on

    if not source.repeatable:
        raise BadInput("--checkpoint: standard input cannot be read again from where a fit was killed: give files")
    check_place(checkpoint.path)
    reading = source.options
    asked = [source.signature(), repr(reading), {name: repr(rule) for name, rule in sorted(rules.items())}]
    done = checkpoint.read(asked)
    so_far = None
    if done:
        note(f"going on behind {done} rows, which {checkpoint.path} tells of")
        so_far = checkpoint.load(done, candide.load)
    return fit_on(model, so_far, source, str(reading.target), reading.weight, checkpoint, done, asked)


def set_reading(model: Any, as_written: bool, keep: tuple[str, ...], names: list[str]) -> Any:
    """Return a model that is to take columns as they are written: all of them, or some."""
    from candide.reading.table_reading import ReadingWarning

    warnings.simplefilter("ignore", ReadingWarning)  # every reading is said below
    for name in keep:
        if name not in names:
            raise BadInput(f"--keep: {unknown('column', name, names)}")
    if not as_written and not keep:
        return model
    if "reading" not in model.get_params(deep=False):
        raise BadInput(f"--as-written and --keep: {type(model).__name__} takes every column as it is written")
    return model.set_params(reading="plain" if as_written else dict.fromkeys(keep, "plain"))


def judge(model: Any, source: Any, weight: str | None) -> Any:
    """Return what a model is worth on the first rows of its source; None where that cannot be told."""
    from candide.evaluate.worth import worth

    schema = model.learnt_.schema
    if not source.repeatable or weight is not None or len(model.classes_) < 2:
        return None
    return worth(model, source.beginning(), schema.target)

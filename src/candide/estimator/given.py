"""From what the user gave to an engine and its source: a table with labels in memory, or batches of tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from candide import table as tables
from candide.distributions import as_distribution
from candide.engines import Batched, Batches, Engine, Given, Memory, Spark, SparkRows, is_spark
from candide.messages import did_you_mean, shortened
from candide.model.grouping import listed_groups
from candide.reading.kinds import labels_in, like_known, one_kind_of_labels
from candide.reading.looking import JOINED, NUMBERS, first_read
from candide.schema.alignment import align
from candide.schema.known_numbers import as_numbered
from candide.schema.known_truths import TruthColumns, as_learnt, known_truths, shows_more
from candide.schema.schema import Schema
from candide.sources.base import is_path, is_source, open_source
from candide.table import Table
from candide.table.labels import Labels
from candide.table.weights import read_weights


def open_given(
    X: Any,
    y: Any,
    sample_weight: Any,
    known: Schema | None,
    who: str,
    reading: Any = "plain",
    forgetting: bool = False,
) -> tuple[Engine, Any, str | None]:
    """Return the engine for a source, the source, and the name of the target column where it is one of X's.

    Parameters
    ----------
    X, y, sample_weight
        As they were given.
    known : Schema or None
        What was learnt before.
    who : str
        The estimator's name, for messages.
    reading : "auto", "plain", a mapping or a TableReading
        How columns are read where nothing was learnt before.
    forgetting : bool
        Whether rows that were learnt are to be forgotten.
    """

    def truths() -> TruthColumns | None:
        return None if known is None else known_truths(known, reading, forgetting)

    if is_spark(X):
        check_columns_named(X, y, sample_weight)
        return Spark(), SparkRows(X, y, sample_weight, known, who, reading, truths=truths()), y
    if not isinstance(X, Table) and is_source(X) and (isinstance(y, str) or not collectable(X)):
        batched = open_batched(X, y, sample_weight, known, who)
        batched.reading, batched.truths = reading, truths()
        return Batches(), batched, y
    table, labels, target = read_given(X, y, known, who, reading)
    if known is None:
        table, found = first_read(table, reading)
    else:
        found = known.reading
        if forgetting or shows_more(table, known):
            table = as_learnt(table, truths() or {})
        table = as_numbered(table, known, reading)
    return Memory(), Given(table, labels, read_weights(sample_weight, table.n_rows), reading=found), target


def declared_reading(reading: Any, distributions: Any, groups: Any = None) -> Any:
    """Return how columns are read; those declared to be levels or documents, or to be joined, stay as they are.

    A column that is declared to hold numbers is read, and not ignored.

    Examples
    --------
    >>> declared_reading("auto", {"zip": "categorical", "height": "normal"})
    {'zip': None, 'height': 'numbers'}
    >>> declared_reading("auto", None, groups=[("model", "town")])
    {'model': 'joined', 'town': 'joined'}
    """
    if reading == "plain":
        return reading
    if not isinstance(distributions, Mapping):
        if distributions not in (None, "auto") and as_distribution(distributions).kind != "numbers":
            return "plain"
        distributions = {}
    rules = {name: as_distribution(rule) for name, rule in distributions.items() if rule != "auto"}
    declared = {name: NUMBERS if rule.kind == "numbers" else None for name, rule in rules.items()}
    joined = dict.fromkeys((name for group in listed_groups(groups) for name in group), JOINED)
    return {**declared, **joined, **(reading if isinstance(reading, Mapping) else {})} or reading


def collectable(X: Any) -> bool:
    """Whether a source whose labels are given apart can be taken into memory whole: a lazy frame, an Arrow stream."""
    return hasattr(X, "collect") or hasattr(X, "__arrow_c_stream__")


def open_batched(X: Any, y: Any, sample_weight: Any, known: Schema | None, who: str, every: bool = False) -> Batched:
    """Return a source whose labels, and weights where there are any, are columns of its own, by name."""
    check_columns_named(X, y, sample_weight)
    source = open_source(X)
    assert source is not None
    return Batched(source.learning(y, sample_weight), y, sample_weight, known, who, every=every)


def check_columns_named(X: Any, y: Any, sample_weight: Any) -> None:
    """Refuse labels and weights that are not columns of a source, by name."""
    if not isinstance(y, str):
        raise TypeError(
            f"the labels of {name_of(X)} are one of its columns: give y as the name of that column, not a "
            f"{type(y).__name__}"
        )
    if sample_weight is not None and not isinstance(sample_weight, str):
        raise TypeError("the weights of a source are one of its columns: give sample_weight as the column's name")


def name_of(X: Any) -> str:
    """Return a source as a message names it: its path, or what it is, never its rows."""
    return repr(X) if is_path(X) else f"this {type(X).__name__}"


def read_given(
    X: Any, y: Any, known: Schema | None, who: str, reading: Any = "auto"
) -> tuple[Table, Labels, str | None]:
    """Read a table and its labels, which may be one of its columns; under a known schema, with its columns."""
    table = tables.read(X)
    target = y if isinstance(y, str) else None
    labels = None if target is None else target_labels(table, target, reading)
    if known is not None:
        if target is not None and table.names is not None and target not in known.given_names:
            table = table.select([j for j, name in enumerate(table.names) if name != target])
        table = align(table, known, who, reading=reading)
    elif target is not None:
        table = table.select([j for j in range(table.n_columns) if j != table.index(target)])
        if not table.n_columns:
            raise ValueError(f"X has no column besides the target {target!r}: at least one feature is required")
    labels = one_kind_of_labels(y, table.n_rows, reading) if labels is None else labels
    return table, labels if known is None else like_known(labels, known.classes, reading), target


def target_labels(table: Table, target: str, reading: Any = "auto") -> Labels:
    """Return the labels of a table's target column."""
    if table.names is None or target not in table.names:
        hint = did_you_mean(target, list(table.names or ()))
        do = hint or "; give y as labels or as a column's name"
        raise ValueError(f"X has no column {shortened(target)} to be the target{do}")
    return labels_in(table, target, reading)

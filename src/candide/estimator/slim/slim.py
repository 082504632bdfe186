"""Slim: a model that scores and does nothing else: tables of log-probabilities, without the counts they came from."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.combination import Combination, Product, log_posterior, look_again
from candide.distributions.bag import linked
from candide.distributions.forms import Form
from candide.distributions.links import LOG, Link, Mixed
from candide.distributions.spoken import Spoken
from candide.estimator import files
from candide.estimator.format.encoding import RuleBook, decode, encode, known_rules
from candide.estimator.format.entries import Entry
from candide.estimator.format.labels import classes_from_json, classes_to_json
from candide.estimator.format.privacy import guarantee_from_json, guarantee_to_json
from candide.estimator.format.reading import reading_from_json, reading_to_json
from candide.estimator.slim.asking import rule_of_tables
from candide.estimator.slim.cells import cells_as_learnt, looked_up, told_levels
from candide.estimator.slim.format import lzma_packing
from candide.estimator.slim.format.forms import shortest
from candide.estimator.slim.format.packing import pack, unpack, unpack_unsealed
from candide.estimator.slim.format.primers import FIRST_PRIMER, SECOND_PRIMER
from candide.estimator.slim.format.roots import Roots
from candide.estimator.slim.format.tables import Scale, Tables, forms_from_json, forms_to_json, from_steps, in_steps
from candide.frozen import frozen
from candide.schema.alignment import align
from candide.schema.axes import Classes
from candide.schema.cells import Levels
from candide.schema.column import Column, Kind
from candide.schema.one_column import as_table
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.scoring.decision import decide
from candide.statistics.guarantee import Guarantee
from candide.table import read
from candide.writing import check_apart

Array = np.ndarray[Any, Any]

MOST_STEP = 4.0
"""Nats of a step at the most."""
MOST_ROOT = 1e6
"""Units of roots of chances lie below it, so that no term is infinite."""


@frozen
class Slim:
    """A model that scores.

    Parameters
    ----------
    schema : Schema
        Columns without their levels and values, how they are read, and the classes.
    log_prior : ndarray (classes,)
    forms : tuple of Form
        One for each attribute that says something.
    step : float
        Of which the log prior and the terms of tables are multiples, in nats: a file holds how many.
    left_out : tuple of str
        What the model that it was made of has, and this one has not, in sentences.
    guarantee : Guarantee or None
        What was promised to the rows of a private model, which holds for all that is made of it.
    share : float or None
        Of the size of the file of the model that it was made of; None where that is not known, as of one that was read.
    roots : (float, float) or None
        The unit and the least of the scale of roots on which levels and intervals are told instead, where they are; a
        third number says that some chances are zero.
    inputs : tuple of str
        The files that the model was learnt from which it was made of: it is not written over them, and holds nothing of
        them.
    combination : Combination
        How what the forms add becomes a score.
    costs : ndarray (classes, classes) or None
        What a decision costs, costs[decided, true]: the least risk is decided for, where there are some.
    """

    schema: Schema
    log_prior: Array
    forms: tuple[Form, ...]
    step: float
    left_out: tuple[str, ...] = ()
    guarantee: Guarantee | None = None
    share: float | None = None
    roots: tuple[float, ...] | None = None
    inputs: tuple[str, ...] = ()
    combination: Combination = Product()
    costs: Array | None = None

    def __repr__(self) -> str:
        return f"Slim({len(self.classes_)} classes, {len(self.forms)} attributes)"

    @property
    def classes_(self) -> Array:
        """The class labels, sorted."""
        return self.schema.classes

    @property
    def scale(self) -> Scale:
        """How its tables are told in whole numbers."""
        return scale_of(self.log_prior, self.step, self.roots, self.relative)

    @property
    def relative(self) -> bool:
        """Whether only what tells classes apart counts in a cell, and not what all of them share."""
        return self.combination.additive == "log"

    @property
    def privacy_(self) -> dict[str, Any] | None:
        """What is promised to the rows of a private model, and what it has cost; None where counts were exact."""
        return None if self.guarantee is None else self.guarantee.told()

    def predict_log_proba(self, X: Any) -> Array:
        """Return log P(c | x)."""
        names = self.schema.names
        alone = len(names) == 1 and self.schema.columns[0].kind == "bags"
        table = align(read(as_table(X, names[0]) if alone else X, empty=True), self.schema, "Slim")
        log_prior = self.log_prior - log_sum_exp(self.log_prior[None])
        rule, rows = self.combination, Rows(table, self.schema)

        def sums(link: Link) -> Array:
            out = np.zeros((table.n_rows, len(log_prior)))
            for form in self.forms:
                out += link.of_log(self._terms(rows, form, log_prior), lambda: np.zeros(()))
            return out

        scores = rule.finish(sums(LOG), log_prior)
        look_again(rule, scores, sums, log_prior)
        return log_posterior(scores, log_prior)

    def _terms(self, rows: Rows, form: Form, log_prior: Array) -> Array:
        """Return what a form adds to each row (rows, K)."""
        if isinstance(form, Spoken):
            terms = form.of(rows.table.bags(form.columns[0]))
        else:
            terms = looked_up([cells_as_learnt(rows, j, self._levels.get(j)) for j in form.columns], form)
        return linked(Mixed(form.outliers, "marginal", log_prior), terms) if form.outliers else terms

    @cached_property
    def _levels(self) -> dict[int, Levels]:
        """The levels that are told of columns, by position; marks tell none."""
        return told_levels(self.forms)

    def predict_proba(self, X: Any) -> Array:
        """Return P(c | x)."""
        out: Array = np.exp(self.predict_log_proba(X))
        return out

    def predict(self, X: Any) -> Array:
        """Return the labels of the largest posterior, or of the least risk where there are costs."""
        labels: Array = self.classes_[decide(self.predict_log_proba(X), self.costs)]
        return labels

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as JSON of one text, in which all is packed and checksummed; `candide.load` reads it."""
        check_apart(path, self.inputs, "the model")
        files.store(path, self._file())

    def _file(self) -> bytes:
        """Return the file of the model."""
        rules = known_rules()
        forms, tables = forms_to_json(self.forms, self.scale, rules)
        told = {
            "classes": classes_to_json(self.schema.labels, rules),
            "target": self.schema.target,
            "columns": self.schema.names,
            **kinds_to_json(self.schema),
            "reading": reading_to_json(self.schema.reading, rules) if self.schema.reading else None,
            "step": self.step,
            "forms": forms,
            "left_out": self.left_out,
            **({} if self.roots is None else {"roots": self.roots}),
            **({} if self.guarantee is None else {"privacy": guarantee_to_json(self.guarantee, rules)}),
            **({} if self.combination == Product() else {"combination": encode(self.combination, rules)}),
            **({} if self.costs is None else {"costs": shortest(self.costs.tolist())}),
        }
        return files.slim_file(pack(told, [in_steps(self.log_prior, self.step)[None], *tables]))


def scale_of(log_prior: Array, step: float, roots: tuple[float, ...] | None, relative: bool) -> Scale:
    """Return how the tables of a model are told in whole numbers."""
    if roots is None:
        return Scale(len(log_prior), step, None, relative)
    unit, least, *zeros = roots
    return Scale(len(log_prior), step, Roots(unit, least, log_prior, bool(zeros)), relative)


# -- files -----------------------------------------------------------------------------------------------------------


PACKINGS: dict[str, Callable[[Entry], tuple[bytes, Tables]]] = {
    "model": unpack,
    "content": partial(unpack_unsealed, primer=SECOND_PRIMER),
    "tables": partial(unpack_unsealed, primer=FIRST_PRIMER),
    "packed": lzma_packing.unpack,
}
"""How a file is unpacked, by the key under which it was packed: as files are written, and as they were before."""

KEYS = (
    *("classes", "target", "columns", "numbers", "texts", "reading", "step", "forms", "left_out", "roots", "privacy"),
    *("combination", "costs"),
)
"""What a file tells."""


def kinds_to_json(schema: Schema) -> dict[str, list[int]]:
    """Return which columns are numbers, unless all are, and which are documents, if some are."""
    numbers, texts = (
        [j for j, column in enumerate(schema.columns) if column.kind == kind] for kind in ("numbers", "bags")
    )
    told = {} if len(numbers) == len(schema.columns) else {"numbers": numbers}
    return {**told, **({"texts": texts} if texts else {})}


def kinds_from_json(told: Entry, n: int) -> list[Kind]:
    """Read back what the cells of so many columns are."""
    every, none = told.get("numbers") is None, told.get("texts") is None
    numbers = range(n) if every else {j.whole(n - 1) for j in told["numbers"].items()}
    texts = set() if none else {j.whole(n - 1) for j in told["texts"].items()}
    return ["bags" if j in texts else "numbers" if j in numbers else "symbols" for j in range(n)]


def restore_slim(entry: Entry, rules: RuleBook) -> Slim:
    """Return the slim model that a payload holds."""
    entry.check_keys(("estimator", "privacy", "left_out", *PACKINGS))
    key = next((key for key in PACKINGS if entry.get(key) is not None), "model")
    packed = entry[key]
    text, tables = PACKINGS[key](packed)
    told = Entry(files.parse(packed.where, text), key, entry)
    left_out = (entry if key == "packed" else told)["left_out"]
    told.check_keys(KEYS)
    promised = (told if key == "model" else entry).get("privacy")
    guarantee = None if promised is None else guarantee_from_json(promised, rules)
    labels: Classes = classes_from_json(told["classes"], rules)
    names, step = told["columns"].items(), told["step"].number()
    if not 0 < step <= MOST_STEP:
        raise told["step"].unlike("step in nats")
    odd = next((name for name in names if type(name.value) not in {str, int}), None)
    if odd is not None:
        raise odd.unlike("name of a column")
    if len({type(name.value) for name in names}) > 1:
        raise told["columns"].wrong("names some columns by text and others by numbers")
    if len({name.value for name in names}) < len(names):
        raise told["columns"].wrong("names a column twice")
    if not labels.size:
        raise told["classes"].wrong("names no class")
    kinds = kinds_from_json(told, len(names))
    columns = [Column(name.value, kind, ()) for name, kind in zip(names, kinds, strict=True)]
    target = told["target"]
    schema = Schema(tuple(columns), labels, None if target.value is None else target.text())
    if told["reading"].value is not None:
        schema = replace(schema, reading=reading_from_json(told["reading"], schema, rules))
    log_prior = from_steps(tables.take(1, labels.size)[0], step)
    roots = None if told.get("roots") is None else roots_from_json(told["roots"], log_prior)
    rule = combination_from_json(told, rules)
    costs = costs_from_json(told, labels.labels)
    scale = scale_of(log_prior, step, roots, rule.additive == "log")
    forms = forms_from_json(told["forms"], tables, scale, len(names), rules)
    if any(isinstance(form, Spoken) != (kinds[form.columns[0]] == "bags") for form in forms):
        raise told["forms"].wrong("tells documents of other columns than hold them")
    tables.end()
    said = tuple(text.text() for text in left_out.items())
    return Slim(schema, log_prior, forms, step, said, guarantee, roots=roots, combination=rule, costs=costs)


def combination_from_json(told: Entry, rules: RuleBook) -> Combination:
    """Read the rule back by which forms add up."""
    if told.get("combination") is None:
        return Product()
    rule = decode(told["combination"], rules)
    if not isinstance(rule, Combination) or rule_of_tables(rule) != rule:
        raise told["combination"].wrong("is no rule by which tables add up")
    return rule


def costs_from_json(told: Entry, classes: Array) -> Array | None:
    """Read back what decisions cost."""
    if told.get("costs") is None:
        return None
    costs = [[of.number() for of in row.items()] for row in told["costs"].items()]
    if {len(costs), *map(len, costs)} != {len(classes)}:
        raise told["costs"].wrong("is not of the classes")
    return np.array(costs)


def roots_from_json(entry: Entry, log_prior: Array) -> tuple[float, ...]:
    """Read the unit and the least root back, and whether some are zero."""
    told = [of.number() for of in entry.items()]
    if len(told) not in (2, 3) or not 0 < min(told) <= max(told) < MOST_ROOT or not np.isfinite(log_prior).all():
        raise entry.wrong("is no unit of roots")
    return tuple(told)

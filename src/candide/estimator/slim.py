"""Slim: a model that scores and does nothing else: tables of log-probabilities, without the counts they came from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.combination import Product, log_posterior
from candide.distributions.forms import Form, Lookup, Steps
from candide.estimator import files
from candide.estimator.format.encoding import RuleBook, decode, encode, known_rules
from candide.estimator.format.entries import Entry
from candide.estimator.format.forms import FORMS, form_from_json, form_to_json
from candide.estimator.format.labels import classes_from_json, classes_to_json
from candide.estimator.format.layout import Lines, Section
from candide.estimator.format.reading import reading_from_json, reading_to_json
from candide.reading import ReadAs, TableReading
from candide.reading.base import texts_of
from candide.schema.alignment import align
from candide.schema.axes import Classes
from candide.schema.column import Column
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.scoring import scoring
from candide.scoring.explanation import readable
from candide.table import Numbers, Symbols, Table, read
from candide.table.columns import level_array

Array = np.ndarray[Any, Any]

ADDRESS = "candide.Slim"

RARE = 5
"""Rows without which a level is left out: it could tell who was learnt from."""

DRAWN = 200
"""Rows by which a slim model is compared with the one that it was made of."""

TOLERANCE = 1e-3
"""How far its probabilities may lie off, where no level was left out."""

DIGITS = (2, 3, 4, 6)
"""Decimals to which tables are written: as few as keep within the tolerance."""


@dataclass(frozen=True, eq=False)
class Slim:
    """A model that scores.

    Parameters
    ----------
    schema : Schema
        Columns without their levels and values, how they are read, and the classes.
    log_prior : ndarray (classes,)
    forms : tuple of Form
        One for each attribute that says something.
    left_out : tuple of str
        What the model that it was made of has, and this one has not, in sentences.
    """

    schema: Schema
    log_prior: Array
    forms: tuple[Form, ...]
    left_out: tuple[str, ...] = ()

    costs: ClassVar[None] = None

    def __repr__(self) -> str:
        return f"Slim({len(self.classes_)} classes, {len(self.forms)} attributes)"

    @property
    def classes_(self) -> Array:
        """The class labels, sorted."""
        return self.schema.classes

    def predict_log_proba(self, X: Any) -> Array:
        """Return log P(c | x)."""
        table = align(read(X), self.schema, "Slim")
        scores = np.tile(self.log_prior, (table.n_rows, 1))
        for form in self.forms:
            scores += form(cells_of_form(table, form))
        impossible = np.isneginf(scores).all(axis=1)
        scores[impossible] = self.log_prior
        out: Array = scores - log_sum_exp(scores)[:, None]
        return out

    def predict_proba(self, X: Any) -> Array:
        """Return P(c | x)."""
        out: Array = np.exp(self.predict_log_proba(X))
        return out

    def predict(self, X: Any) -> Array:
        """Return the labels of the largest posterior."""
        labels: Array = self.classes_[self.predict_log_proba(X).argmax(axis=1)]
        return labels

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as versioned, checksummed JSON; `candide.load` reads it."""
        rules = known_rules()
        names = self.schema.names
        columns = (form_to_json(form, names, rules) for form in self.forms)
        files.write(
            path,
            Section(
                estimator=ADDRESS,
                classes=classes_to_json(self.schema.labels, rules),
                target=self.schema.target,
                columns=Lines({"name": c.name, "kind": c.kind} for c in self.schema.columns),
                reading=reading_to_json(self.schema.reading, rules) if self.schema.reading else None,
                log_prior=encode(self.log_prior, rules),
                forms=Lines(columns),
                left_out=list(self.left_out),
            ),
        )


def cells_of_form(table: Table, form: Form) -> Array:
    """Return the cells that a form takes, tuples of them where it takes two columns together."""
    columns = [table.column(j) for j in form.columns]
    if not isinstance(form, Lookup):
        (column,) = columns
        return column.values if isinstance(column, Numbers) else np.array(readable(column), dtype=object)
    if len(columns) > 1:
        cuts = zip(columns, form.cuts, strict=True)
        return level_array(
            list(zip(*(readable(texts_of(c)) if of is None else values_of(c) for c, of in cuts), strict=True))
        )
    (column,) = columns
    if all(isinstance(level, str) for level in form.levels.tolist()):
        column = texts_of(column)
    return level_array(readable(column))


def values_of(column: Numbers | Symbols) -> list[Any]:
    """Return a column's numbers."""
    return column.values.tolist() if isinstance(column, Numbers) else readable(column)


def slim(model: Any, rare: float = RARE) -> Slim:
    """Return a model that scores as another does and holds nothing else; see `Classifier.slim`."""
    state, made = model._modelled()
    schema = state.learnt.schema
    if not isinstance(made.plan.combination, Product) or model.costs is not None:
        raise ValueError("only a model of the product, without costs, can be slimmed: score with it as it is")
    for form in made.model.forms:
        if type(form) not in FORMS.values() or (isinstance(form, Lookup) and form.partly is not None):
            name = schema.names[form.columns[0]]
            raise ValueError(f"the attribute of column {name!r} cannot be told in tables alone")
    columns = tuple(Column(c.name, c.kind, ()) for c in schema.columns)
    reading = TableReading(schema.reading.names, {name: ReadAs(read.reader) for name, read in schema.reading.items()})
    whole = Slim(Schema(columns, schema.labels, schema.target, reading=reading), made.model.log_prior, made.model.forms)
    whole = rounded(whole, model)  # before anything is left out
    lost = rare_levels(whole.forms, state.evidence, rare)
    said = [f"{schema.names[j]}: {len(few)} levels of fewer than {rare:g} rows" for j, few in lost.items() if few]
    said += [f"{name}: identifiers" for name in schema.reading.left_out]
    said.append("counts and values: it cannot learn, forget, be merged or leave rows out")
    forms = (without(form, lost) if isinstance(form, Lookup) else form for form in whole.forms if not is_silent(form))
    return replace(whole, forms=tuple(forms), left_out=tuple(said))


def rounded(made: Slim, model: Any) -> Slim:
    """Return a slim model whose tables have as few decimals as score like the model that it was made of."""
    small = made
    for digits in DIGITS:
        small = replace(made, forms=tuple(shortened(form, digits) for form in made.forms))
        if off_by(small, model) <= TOLERANCE:
            return small
    raise ValueError(
        f"the model cannot be told in tables alone: they are off by {off_by(small, model):.2g}; score with it as it is"
    )


def shortened(form: Form, digits: int) -> Form:
    """Return a form with the terms of each cell less their largest, to a few decimals; equal neighbours are one step.

    What is the same for all classes changes no answer, and tells how many rows had the cell.
    """
    if not isinstance(form, (Lookup, Steps)):
        return form
    table, missing = (np.round(less_largest(terms), digits) + 0.0 for terms in (form.table, form.missing))
    if isinstance(form, Lookup):
        told = (table != form.unseen).any(axis=0)
        return replace(form, levels=form.levels[told], table=table[:, told], missing=missing)
    changes = (table[:, 1:] != table[:, :-1]).any(axis=0)
    return replace(form, table=table[:, np.append(True, changes)], cuts=form.cuts[changes], missing=missing)


def less_largest(terms: Array) -> Array:
    """Return terms (K, ...) less the largest over the classes, which is 0 then, unless all are minus infinity."""
    largest = np.max(terms, axis=0)
    out: Array = terms - np.where(np.isfinite(largest), largest, 0.0)
    return out


def off_by(made: Slim, model: Any) -> float:
    """Return how far the probabilities of a slim model lie off those of the one that it was made of, on drawn rows."""
    table = read(model.sample(DRAWN, random_state=0)[0])  # of the columns that were learnt, which need no reading
    scores = scoring.score(model.model_, Product(), Rows(table, model.learnt_.schema))
    theirs = np.exp(log_posterior(scores, model.model_.log_prior))
    plain = replace(made, schema=replace(made.schema, reading=TableReading()))
    return float(np.abs(plain.predict_proba(table) - theirs).max())


def rare_levels(forms: Sequence[Form], evidence: Any, rare: float) -> dict[int, set[Any]]:
    """Return the levels of few rows, by column."""
    schema, out = evidence.schema, {}
    for j in sorted({j for form in forms if isinstance(form, Lookup) for j in form.columns}):
        if schema.columns[j].kind == "symbols":
            counts = evidence.statistics["cells"].table[:, schema.cells_of(j)][:, 1:].sum(axis=0).tolist()
            out[j] = {level for level, n in zip(schema.columns[j].levels.tolist(), counts, strict=True) if n < rare}
    return out


def without(form: Lookup, lost: Mapping[int, set[Any]]) -> Lookup:
    """Return a look-up without levels that are left out, alone or together with others."""

    def is_lost(level: Any) -> bool:
        parts = level if len(form.columns) > 1 else (level,)
        return any(part in lost.get(j, ()) for j, part in zip(form.columns, parts, strict=True))

    keep = np.array([not is_lost(level) for level in form.levels.tolist()], dtype=bool)
    return replace(form, levels=form.levels[keep], table=form.table[:, keep])


def is_silent(form: Form) -> bool:
    """Whether a form adds nothing, whatever the cell."""
    return isinstance(form, (Lookup, Steps)) and not form.table.any() and not np.any(form.missing)


# -- files -----------------------------------------------------------------------------------------------------------


def restore_slim(entry: Entry, rules: RuleBook) -> Slim:
    """Return the slim model that a payload holds."""
    entry.check_keys(("estimator", "classes", "target", "columns", "reading", "log_prior", "forms", "left_out"))
    labels: Classes = classes_from_json(entry["classes"], rules)
    columns = []
    for line in entry["columns"].items():
        line.check_keys(("name", "kind"))
        columns.append(Column(line["name"].value, line["kind"].word(("symbols", "numbers")), ()))  # type: ignore[arg-type]  # a known word
    target = entry["target"]
    schema = Schema(tuple(columns), labels, None if target.value is None else target.text())
    if entry["reading"].value is not None:
        schema = replace(schema, reading=reading_from_json(entry["reading"], schema, rules))
    log_prior = np.array(decode(entry["log_prior"], rules), dtype=float)
    if log_prior.shape != (labels.size,):
        raise entry["log_prior"].wrong("is not of the classes")
    place = {name: j for j, name in enumerate(schema.names)}
    forms = tuple(form_from_json(line, place, labels.size, rules) for line in entry["forms"].items())
    return Slim(schema, log_prior, forms, tuple(text.text() for text in entry["left_out"].items()))

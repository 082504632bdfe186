"""Slim: a model that scores and does nothing else: tables of log-probabilities, without the counts they came from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from candide.arithmetic import log_sum_exp
from candide.combination import Product, log_posterior
from candide.distributions.forms import Curve, Form, Linear, Lookup, Quadratic, Steps
from candide.estimator import files
from candide.estimator.format.encoding import RuleBook, decode, encode, known_rules
from candide.estimator.format.entries import Entry
from candide.estimator.format.labels import classes_from_json, classes_to_json
from candide.estimator.format.layout import Lines, Section
from candide.estimator.format.reading import reading_from_json, reading_to_json
from candide.reading import TableReading
from candide.reading.base import texts_of
from candide.schema.alignment import align
from candide.schema.axes import Classes
from candide.schema.column import Column
from candide.schema.rows import Rows
from candide.schema.schema import Schema
from candide.scoring import scoring
from candide.scoring.explanation import readable
from candide.table import Numbers, Table, read

Array = np.ndarray[Any, Any]

FORMS: dict[str, type[Form]] = {form.__name__: form for form in (Lookup, Steps, Quadratic, Linear, Curve)}
"""What a slim model is made of; a joined attribute is none of them."""

ADDRESS = "candide.Slim"

RARE = 5
"""Rows without which a level is left out: it could tell who was learnt from."""

DRAWN = 200
"""Rows by which a slim model is compared with the one that it was made of."""

TOLERANCE = 1e-3
"""How far its log-probabilities may lie off, where no level was left out."""


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
    """Return the cells that a form takes."""
    column = table.column(form.columns[0])
    if not isinstance(form, Lookup):
        return column.values if isinstance(column, Numbers) else np.array(readable(column), dtype=object)
    if all(isinstance(level, str) for level in form.levels.tolist()):
        column = texts_of(column)
    out = np.empty(table.n_rows, dtype=object)
    out[:] = readable(column)
    return out


def slim(model: Any, rare: float = RARE) -> Slim:
    """Return a model that scores as another does and holds nothing else; see `Classifier.slim`."""
    state, made = model._modelled()
    schema = state.learnt.schema
    if not isinstance(made.plan.combination, Product) or model.costs is not None:
        raise ValueError("only a model of the product, without costs, can be slimmed: score with it as it is")
    forms: list[Form] = []
    said: list[str] = []
    for form in made.model.forms:
        name = schema.names[form.columns[0]]
        if type(form) not in FORMS.values() or len(form.columns) != 1:
            raise ValueError(f"the attribute of column {name!r} cannot be told in tables alone")
        if isinstance(form, Lookup):
            known, lost = without_rare(form, state.evidence, rare)
            forms.append(known)
            said += [f"{name}: {lost} levels of fewer than {rare:g} rows"] * bool(lost)
        elif not is_silent(form):
            forms.append(form)
    said += [f"{name}: identifiers" for name in schema.reading.left_out]
    said.append("counts and values: it cannot learn, forget, be merged or leave rows out")
    columns = tuple(Column(c.name, c.kind, ()) for c in schema.columns)
    bare = Schema(columns, schema.labels, schema.target, reading=schema.reading)
    check(Slim(bare, made.model.log_prior, tuple(made.model.forms)), model)  # before anything is left out
    return Slim(bare, made.model.log_prior, tuple(forms), tuple(said))


def check(made: Slim, model: Any) -> None:
    """Refuse a slim model that does not score as the one that it was made of."""
    table = read(model.sample(DRAWN, random_state=0)[0])  # of the columns that were learnt, which need no reading
    scores = scoring.score(model.model_, Product(), Rows(table, model.learnt_.schema))
    theirs = np.exp(log_posterior(scores, model.model_.log_prior))
    plain = replace(made, schema=replace(made.schema, reading=TableReading()))
    off = float(np.abs(plain.predict_proba(table) - theirs).max())
    if off > TOLERANCE:
        raise ValueError(f"the model cannot be told in tables alone: they are off by {off:.2g}; score with it as it is")


def without_rare(form: Lookup, evidence: Any, rare: float) -> tuple[Lookup, int]:
    """Return the look-up without the levels of few rows, and how many those were."""
    j = form.columns[0]
    schema = evidence.schema
    weight = dict(
        zip(
            schema.columns[j].levels.tolist(),
            evidence.statistics["cells"].table[:, schema.cells_of(j)][:, 1:].sum(axis=0).tolist(),
            strict=True,
        )
    )
    keep = np.array([weight.get(level, 0) >= rare for level in form.levels.tolist()], dtype=bool)
    return replace(form, levels=form.levels[keep], table=form.table[:, keep]), int((~keep).sum())


def is_silent(form: Form) -> bool:
    """Whether a form adds nothing, whatever the cell."""
    return isinstance(form, Steps) and not form.table.any() and not np.any(form.missing)


# -- files -----------------------------------------------------------------------------------------------------------


def form_to_json(form: Form, names: list[Any], rules: RuleBook) -> dict[str, Any]:
    """Return the JSON form of a form, by the name of its column."""
    rest = {f.name: encode(getattr(form, f.name), rules) for f in fields(form) if f.name != "columns"}
    return {"column": names[form.columns[0]], "form": type(form).__name__, **rest}


def form_from_json(entry: Entry, place: Mapping[Any, int], n_classes: int, rules: RuleBook) -> Form:
    """Read a form back: lists of numbers are arrays of the classes' size."""
    kind = FORMS[entry["form"].word(FORMS)]
    known = {f.name for f in fields(kind)} - {"columns"}
    entry.check_keys(("column", "form", *known))
    name = entry["column"].value
    if type(name) not in {str, int} or name not in place:
        raise entry["column"].wrong("is none of the columns")
    values = {key: decode(entry[key], rules) for key in known if entry.get(key) is not None}
    for key, value in values.items():
        if isinstance(value, list):
            values[key] = np.array(value, dtype=object if key == "levels" else float)
    try:
        form = kind(columns=(place[name],), **values)
        if form(np.array([np.nan])).shape != (1, n_classes):
            raise ValueError("not of the classes")
    except (TypeError, ValueError, IndexError) as error:
        raise entry.wrong(f"is no {kind.__name__}: {error}") from None
    return form


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

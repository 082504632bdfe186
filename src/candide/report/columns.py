"""Columns: what each column of a model says, in plain tables with their uncertainty."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from candide.distributions.bins import add_up
from candide.distributions.discrete import Discrete
from candide.distributions.forms import Cases, Form, Lookup
from candide.distributions.links import LOG, Link
from candide.frozen import frozen
from candide.model.model import Model
from candide.model.weighing import unweighted
from candide.report.densities import density
from candide.report.inputs import Input, make_input
from candide.report.words import tell_words
from candide.schema.probes import probe
from candide.statistics.evidence import Evidence

Array = np.ndarray[Any, Any]
Facts = dict[str, Any]

SAME = 1e-12
"""Relative difference of probabilities that are the same up to rounding."""
SEED = 0
"""Where the variance of a table has to be drawn, it is drawn the same each time."""


@frozen
class ByColumn:
    """The attributes of a model, by the columns that they are read from.

    Parameters
    ----------
    model : Model
    evidence : Evidence
    link : Link
        How a likelihood enters the sum.
    inputs : list of Input
        How each column is asked for.
    own : list of list of int
        By column, the attributes that are read from it alone.
    joint : list of (int, Lookup)
        ByColumn that are read from several columns, with their forms.
    untold : dict of int to str
        ByColumn that no table tells, and why.
    """

    model: Model
    evidence: Evidence
    link: Link
    inputs: list[Input]
    own: list[list[int]]
    joint: list[tuple[int, Lookup]]
    untold: dict[int, str]

    @classmethod
    def of(cls, model: Model, evidence: Evidence, link: Link) -> ByColumn:
        """Ask every attribute for its form."""
        n = len(model.names)
        own: list[list[int]] = [[] for _ in range(n)]
        forms: list[list[Form]] = [[] for _ in range(n)]
        read: list[list[Array | None]] = [[] for _ in range(n)]
        joint: list[tuple[int, Lookup]] = []
        untold: dict[int, str] = {}
        for a, (block, i) in enumerate(model.attributes):
            columns = block.columns(i)
            try:
                form = block.form(i)
            except ValueError as error:
                untold[a] = str(error)
                continue
            if len(form.columns) == 1:
                own[columns[0]].append(a)
                forms[columns[0]].append(form)
            elif isinstance(form, Lookup):
                joint.append((a, form))
                for j, cuts in zip(form.columns, form.cuts or [None] * len(form.columns), strict=True):
                    read[j].append(cuts)
            else:
                untold[a] = "a density within each combination of other columns is not told in tables here"
                assert isinstance(form, Cases)
        measures = evidence.schema.reading.measures
        inputs = [make_input(evidence, j, forms[j], read[j], measures.get(model.names[j], "")) for j in range(n)]
        return cls(model, evidence, link, inputs, own, joint, untold)

    @cached_property
    def weights(self) -> dict[int, tuple[Array, Array]]:
        """The weights of every discrete block, and those of its attributes together, by the block's identity."""
        return {id(block): block.weights() for block in self.model.blocks if isinstance(block, Discrete)}

    def said(self, rows: Any) -> Array:
        """Return what each attribute adds (rows, classes, attributes), 0 where a cell says nothing."""
        return without_gaps(self.model.terms(rows, self.link))

    def occurring(self, rows: Any) -> Array | None:
        """Return log P(x_i | c) as `said` does, where what is added is weighed or no logarithm; else None.

        What pairs of columns add is evidence alone, by which nothing occurs more often.
        """
        plainly = unweighted(self.model)
        if plainly is self.model and self.link is LOG:
            return None
        out = np.zeros((len(rows), len(self.model.classes), len(self.model.attributes)))
        out[:, :, [not block.adds_pairs for block, _ in self.model.attributes]] = without_gaps(plainly.terms(rows, LOG))
        return out

    @property
    def items(self) -> list[tuple[tuple[int, ...], list[int]]]:
        """What evidence is told of: columns, each with its attributes, and then attributes of several columns."""
        alone = [((j,), attributes) for j, attributes in enumerate(self.own) if attributes]
        return alone + [(form.columns, [a]) for a, form in self.joint]


def without_gaps(terms: Array) -> Array:
    """Return terms with 0 where a cell says nothing."""
    return np.nan_to_num(terms, nan=0.0, neginf=-np.inf, posinf=np.inf)


def tell_columns(attributes: ByColumn) -> list[Facts]:
    """Return the facts of every column that do not need rows."""
    inputs, evidence = attributes.inputs, attributes.evidence
    rows = probe(evidence.schema, {j: asked.cells for j, asked in enumerate(inputs) if asked.cells})
    rng = np.random.default_rng(SEED)
    with np.errstate(invalid="ignore"):
        terms, occurring = attributes.said(rows), attributes.occurring(rows)

    @cache
    def spread() -> Array:  # asked for where weights do not tell it
        return variances(attributes.model, rows, rng)

    out = []
    for j, asked in enumerate(inputs):
        mine, n = attributes.own[j], len(asked.cells)
        log, occurs = (None if of is None else of[:n][:, :, mine].sum(axis=2).T for of in (terms, occurring))
        assert log is not None
        variance = partial(variance_of, spread, n, mine)
        out.append({**about(attributes, j), **tables(attributes, j, log, variance, occurs)})
    return out


def variance_of(spread: Callable[[], Array], cells: int, attributes: list[int]) -> Array:
    """Return the variances (K, cells) of some attributes together."""
    return np.asarray(spread()[:cells][:, :, attributes].sum(axis=2).T)


def variances(model: Model, rows: Any, rng: np.random.Generator) -> Array:
    """Return the posterior variances of terms (rows, classes, attributes), in the order of the columns."""
    parts = [block.term_variances(rows, rng) for block in model.blocks]
    whole = np.concatenate(parts, axis=2) if parts else np.zeros((len(rows), len(model.classes), 0))
    return np.asarray(whole[:, :, model.order])


def about(attributes: ByColumn, j: int) -> Facts:
    """Return what a column is: its name, what it is taken as, and what was chosen for it."""
    model, evidence, asked = attributes.model, attributes.evidence, attributes.inputs[j]
    rule = model.settled.distributions[j] if model.settled.distributions else None
    choice = model.settled.choices[j] if model.settled.choices else None
    return {
        "name": str(model.names[j]),
        "position": j,
        "kind": asked.kind,
        **({"measure": asked.measure} if asked.measure else {}),
        "speaks": bool(attributes.own[j]),
        "distribution": distribution_name(rule) if rule is not None else "",
        "missing": float(evidence.missing(j).sum()),
        "chosen": "" if choice is None or not choice.scores else choice.name,
        "candidates": {} if choice is None else {name: float(score) for name, score in choice.scores.items()},
    }


def distribution_name(rule: Any) -> str:
    """Return a distribution's name, behind that of the one that it wraps, if it does; "ignored" of one without any."""
    if rule.name == "nothing":
        return "ignored"
    inner = getattr(rule, "distribution", None)
    if inner is not None:
        return f"{distribution_name(inner)}, {rule.name}"
    return str(rule.name or type(rule).__name__.lower())


def tables(
    attributes: ByColumn, j: int, log: Array, variance: Callable[[], Array], occurs: Array | None = None
) -> Facts:
    """Return what a column says at its cells (K, cells), and log P(cell | c) where that is something else."""
    asked = attributes.inputs[j]
    if asked.kind == "words":
        return tell_words(attributes.model, attributes.evidence, j)
    if asked.kind == "untold":
        return {}
    silent = bool((log == log[:1]).all())
    if asked.kind == "density":
        return {"silent": silent, **density(attributes.evidence, j, asked, log, variance(), occurs)}
    softened = softened_weights(attributes, j)
    out: Facts = {"silent": silent, "levels": asked.levels, "absent": asked.missing}
    if asked.cuts is not None:
        out["cuts"] = asked.cuts
    if softened is not None:
        weights, counts = softened
        pseudo = weights - counts
        same = np.allclose(pseudo, pseudo.flat[0], rtol=0, atol=1e-9) if pseudo.size else False
        return {**out, "weights": weights, **({"pseudo": round(float(pseudo.flat[0]), 9)} if same else {})}
    often = {} if occurs is None else {"occurs": np.exp(occurs)}
    return {**out, "log": log, "sd": np.sqrt(variance()), **often, "counts": level_counts(attributes, j)}


def softened_weights(attributes: ByColumn, j: int) -> tuple[Array, Array] | None:
    """Return N + s and N (K, levels) of a column where its probabilities are just shares; None where they are not."""
    if len(attributes.own[j]) != 1 or attributes.link is not LOG:
        return None
    block, i = attributes.model.attributes[attributes.own[j][0]]
    if not isinstance(block, Discrete) or block.domain.sizes[i] != len(attributes.inputs[j].cells):
        return None
    part = slice(*block.domain.offsets[i : i + 2])
    weight, total = (a[:, part] for a in attributes.weights[id(block)])
    same = np.allclose(block.theta[:, part] * total, weight, rtol=SAME, atol=0) and np.allclose(
        weight.sum(axis=1, keepdims=True), total, rtol=SAME
    )
    return (weight, np.asarray(block.counts[:, part], dtype=float)) if same else None


def level_counts(attributes: ByColumn, j: int) -> Array:
    """Return how many rows of each class (K, cells) have each level or interval."""
    evidence, asked = attributes.evidence, attributes.inputs[j]
    column = evidence.schema.columns[j]
    counts = np.zeros((len(evidence.classes), len(asked.cells)))
    if column.axis is None:
        return counts
    if asked.cuts is not None:
        values, by_value = evidence.values(j)
        counts[:, : len(asked.cuts) + 1] = add_up(values, by_value, asked.cuts)
    else:
        place = {level: code for code, level in enumerate(asked.cells)}
        for level, n in zip(column.axis.levels.tolist(), evidence.counts(j)[:, 1:].T, strict=True):
            if level in place:
                counts[:, place[level]] = n
    if asked.missing:
        counts[:, -1] = evidence.missing(j)
    return counts

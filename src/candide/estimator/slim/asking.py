"""Asking: what an attribute adds under any link, in a form that a slim model holds; tables are asked of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from candide.combination import Combination, Product
from candide.distributions.blocks import Block
from candide.distributions.forms import Form, Lookup, Steps
from candide.distributions.links import LOG, Link, Mixed
from candide.schema.order import object_array
from candide.schema.probes import probe
from candide.schema.schema import Schema
from candide.scoring.answers import one_of_each

Array = np.ndarray[Any, Any]


def rule_of_tables(rule: Combination) -> Combination:
    """Return the rule by which a slim model adds up: where only the link is another, the product of what it gives."""
    plain = type(rule).finish is Combination.finish and rule.second is None
    return Product() if plain else rule


def form_of(block: Block, i: int, link: Link, schema: Schema) -> Form:
    """Return what an attribute adds as a form, what is known of a group in part among its levels."""
    form = block.form_where_known(i)
    if isinstance(form, Lookup) and form.partly is not None:
        levels, table = form.entries
        form = replace(form, levels=object_array(levels), table=table, partly=None)
    if link is LOG:
        return form
    if isinstance(form, (Lookup, Steps)):
        return asked(form, block, i, link, schema)
    if not isinstance(link, Mixed):
        raise ValueError(f"the density of column {schema.names[form.columns[0]]!r} is not told under another rule")
    return replace(form, outliers=link.rate)  # the mixture over classes is made of the terms, as the block makes it


def asked(form: Lookup | Steps, block: Block, i: int, link: Link, schema: Schema) -> Form:
    """Return a table of what the attribute adds by a link, asked of the block cell by cell."""
    cells = cells_of(form)
    rows = probe(schema, dict(zip(form.columns, zip(*cells, strict=True), strict=True)))
    terms = np.nan_to_num(block.terms(rows, link)[:, :, i], nan=0.0, neginf=-np.inf)
    changed: dict[str, Any] = {"table": np.ascontiguousarray(terms[:-1].T), "missing": terms[-1]}
    if isinstance(form, Lookup):
        changed["unseen"] = link.outside if np.isneginf(form.unseen) else form.unseen
    return replace(form, **changed)


def cells_of(form: Lookup | Steps) -> list[tuple[Any, ...]]:
    """Return a row of cells for each cell of a table, and one in which nothing is known."""
    n = len(form.columns)
    if isinstance(form, Steps):
        known = [(x,) for x in one_of_each(form.cuts).tolist()]
    elif n == 1:
        known = [(level,) for level in form.levels.tolist()]
    else:
        numbers = [None if cuts is None else one_of_each(cuts).tolist() for cuts in form.cuts]
        known = [tuple(map(as_cell, level, numbers)) for level in form.levels.tolist()]
    return [*known, (None,) * n]


def as_cell(part: Any, numbers: Sequence[float] | None) -> Any:
    """Return a cell of a part of a joined level: itself, or a number of the interval."""
    return part if part is None or numbers is None else numbers[part]

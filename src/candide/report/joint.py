"""ByColumn of several columns: groups, the edges of a tree, pairs. A table by what is known of each column."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from candide.distributions.forms import Lookup
from candide.report.columns import SEED, ByColumn, variances
from candide.report.inputs import Input, between
from candide.schema.probes import probe

Array = np.ndarray[Any, Any]
Facts = dict[str, Any]

UNKNOWN = -1
"""The code of a column of which nothing is known."""


def tell_joint(attributes: ByColumn) -> list[Facts]:
    """Return the facts of every attribute that is read from several columns."""
    return [tell(attributes, a, form) for a, form in attributes.joint]


def tell(attributes: ByColumn, attribute: int, form: Lookup) -> Facts:
    """Return one attribute's table: what it says where all of its columns are known, and where only some are."""
    model, schema = attributes.model, attributes.evidence.schema
    cuts = form.cuts or (None,) * len(form.columns)
    levels = partly_known(form.levels.tolist())
    cells = {
        j: [cell_of(level[k], cuts[k]) for level in levels] for k, j in enumerate(form.columns)
    }  # what is not known stays missing
    rows = probe(schema, cells)
    terms = model.terms(rows, attributes.link)[:, :, attribute]
    spread = variances(model, rows, np.random.default_rng(SEED))[:, :, attribute]
    said = np.asarray(~np.isnan(terms).all(axis=1))
    reads = [Read(attributes.inputs[j], cut) for j, cut in zip(form.columns, cuts, strict=True)]
    block, i = model.attributes[attribute]
    return {
        "name": " & ".join(str(model.names[j]) for j in form.columns),
        "attribute": str(block.names[i]),
        "columns": list(form.columns),
        "reads": [read.facts() for read in reads],
        "keys": [
            [read.code(part) for read, part in zip(reads, level, strict=True)]
            for level, there in zip(levels, said.tolist(), strict=True)
            if there
        ],
        "log": np.nan_to_num(terms[said], nan=0.0, neginf=-np.inf).T,
        "sd": np.sqrt(spread[said]).T,
    }


def partly_known(levels: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return combinations with every part of them left unknown in turn, the given ones first.

    That nothing is known says something only where it is a combination itself.
    """
    out = dict.fromkeys(levels)
    for level in levels:
        for kept in product((True, False), repeat=len(level)):
            if any(kept):
                out.setdefault(tuple(part if keep else None for part, keep in zip(level, kept, strict=True)))
    return list(out)


def cell_of(part: Any, cuts: Array | None) -> Any:
    """Return a cell that makes part of a combination."""
    return part if part is None or cuts is None else between(cuts)[part]


class Read:
    """How a combination reads a column: by codes of its own, which the column's input is renamed to.

    Parameters
    ----------
    asked : Input
    cuts : ndarray or None
        The cuts by which it reads numbers.
    """

    def __init__(self, asked: Input, cuts: Array | None) -> None:
        self.asked, self.cuts = asked, cuts
        self.place = {level: code for code, level in enumerate(asked.cells)} if cuts is None else {}

    def code(self, part: Any) -> int:
        """Return the code of a part of a combination."""
        if part is None:
            return UNKNOWN
        return int(part) if self.cuts is not None else self.place.get(part, UNKNOWN)

    def facts(self) -> Facts:
        """Return the code of each of the input's cells; the cuts themselves where it is asked for by number."""
        if self.cuts is None:
            return {"codes": list(range(len(self.asked.cells)))}
        if self.asked.kind == "density":
            return {"cuts": self.cuts}
        known = [cell for cell in self.asked.cells if cell is not None]
        return {"codes": np.searchsorted(self.cuts, np.array(known, dtype=float), side="left").tolist()}

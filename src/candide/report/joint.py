"""Attributes of several columns: groups, the edges of a tree, pairs. A table by what is known of each column."""

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
    levels, kept = partly_known(form.levels.tolist())
    cells = {j: [cell_of(level[k], cuts[k]) for level in levels] for k, j in enumerate(form.columns)}
    unknown = np.zeros((len(levels), len(schema.columns)), dtype=bool)
    unknown[:, form.columns] = ~kept
    rows = probe(schema, cells, unknown)
    terms = model.terms(rows, attributes.link)[:, :, attribute]
    spread = variances(model, rows, np.random.default_rng(SEED))[:, :, attribute]
    reads = [Read(attributes.inputs[j], cut) for j, cut in zip(form.columns, cuts, strict=True)]
    keys = [
        [read.code(part) if keep else UNKNOWN for read, part, keep in zip(reads, level, keeps, strict=True)]
        for level, keeps in zip(levels, kept.tolist(), strict=True)
    ]
    said = ~np.isnan(terms).all(axis=1) & np.array([None not in key for key in keys], dtype=bool)
    block, i = model.attributes[attribute]
    occurring = None if block.adds_pairs else attributes.occurring(rows)
    often = None if occurring is None else np.exp(occurring[said][:, :, attribute]).T
    return {
        "name": (" × " if block.adds_pairs else " & ").join(str(model.names[j]) for j in form.columns),
        "attribute": str(block.names[i]),
        "columns": list(form.columns),
        "reads": [read.facts() for read in reads],
        "keys": [key for key, there in zip(keys, said.tolist(), strict=True) if there],
        "log": np.nan_to_num(terms[said], nan=0.0, neginf=-np.inf).T,
        "sd": np.sqrt(spread[said]).T,
        **({"occurs": often} if block.adds_pairs or often is not None else {}),  # None: nothing occurs by it
    }


def partly_known(levels: list[tuple[Any, ...]]) -> tuple[list[tuple[Any, ...]], Array]:
    """Return combinations with every part of them left unknown in turn, the given ones first, and which parts are kept.

    None is a part that is known to be missing, or one that is not kept.
    """
    kept = list(product((True, False), repeat=len(levels[0]) if levels else 0))
    out = dict.fromkeys(
        (tuple(part if keep else None for part, keep in zip(level, keeps, strict=True)), keeps)
        for keeps in kept
        if any(keeps)
        for level in levels
    )
    return [level for level, _ in out], np.array([keeps for _, keeps in out], dtype=bool)


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

    def code(self, part: Any) -> int | None:
        """Return the code of a part of a combination; None where nobody can ask for it."""
        if self.cuts is None:
            return self.place.get(part)
        if part is None:
            return len(self.cuts) + 1 if self.asked.missing else None
        return int(part)

    def facts(self) -> Facts:
        """Return the code of each of the input's cells; the cuts themselves where it is asked for by number."""
        if self.cuts is None:
            return {"codes": list(range(len(self.asked.cells)))}
        if self.asked.kind == "density":
            return {"cuts": self.cuts}
        known = [cell for cell in self.asked.cells if cell is not None]
        codes = np.searchsorted(self.cuts, np.array(known, dtype=float), side="left").tolist()
        return {"codes": [*codes, len(self.cuts) + 1] if self.asked.missing else codes}

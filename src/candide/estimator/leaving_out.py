"""Leaving levels out of a slim model: rare ones, which tell who was learnt from, and for the size what says least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from scipy.special import rel_entr

from candide.analysis.word_list import WordList
from candide.distributions.forms import Form, Lookup
from candide.distributions.spoken import Spoken
from candide.estimator.format.marks import BITS, Marked, marked
from candide.estimator.roads import Compared, Finish, finest_small
from candide.estimator.rounding import in_multiples
from candide.estimator.slim import Slim
from candide.schema.vocabulary import Vocabulary

Array = np.ndarray[Any, Any]
Level: TypeAlias = tuple[int, Any]
"""A column, and a level of it."""

COARSE_STEPS = (0.1, 0.06, 0.03, 0.01)
"""In nats, in which tables are told where levels are left out for the size: digits that are left out save some."""


def counted(forms: Sequence[Form], evidence: Any) -> Iterator[tuple[int, list[Any], Array]]:
    """Yield the columns that are looked up with their levels, or words, and the counts of these (K, levels)."""
    schema = evidence.schema
    for form in forms:
        if isinstance(form, Spoken):
            (j,) = form.columns
            axis = schema.columns[j].axis
            assert isinstance(axis, Vocabulary)
            at = axis.places(WordList.of(form.levels.tolist()))
            yield j, form.levels.tolist(), evidence.words(j).dense("documents")[:, at]
    for j in sorted({j for form in forms if isinstance(form, Lookup) for j in form.columns}):
        if schema.columns[j].kind == "symbols":
            yield j, schema.columns[j].levels.tolist(), evidence.statistics["cells"].table[:, schema.cells_of(j)][:, 1:]


def rare_levels(forms: Sequence[Form], evidence: Any, rare: float) -> dict[int, set[Any]]:
    """Return the levels of few rows, by column."""
    return {
        j: {level for level, n in zip(levels, counts.sum(axis=0).tolist(), strict=True) if n < rare}
        for j, levels, counts in counted(forms, evidence)
    }


def by_what_they_say(forms: Sequence[Form], evidence: Any) -> list[Level]:
    """Return all levels in the order of what they say in nats: Σ_c n_cv log(n_cv n / (n_c n_v)) of level v."""
    said: list[tuple[float, Level]] = []
    for j, levels, counts in counted(forms, evidence):
        expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / max(counts.sum(), 1)
        nats = rel_entr(counts, expected).sum(axis=0)
        said += [(n, (j, level)) for n, level in zip(nats.tolist(), levels, strict=True)]
    return [level for _, level in sorted(said, key=lambda of: of[0])]


def by_column(levels: Sequence[Level]) -> dict[int, set[Any]]:
    """Return levels by column."""
    out: dict[int, set[Any]] = {}
    for j, level in levels:
        out.setdefault(j, set()).add(level)
    return out


def without(made: Slim, lost: Mapping[int, set[Any]]) -> Slim:
    """Return a slim model without levels, alone or together with others: they say nothing then."""
    kinds = (Lookup, Spoken)
    return replace(made, forms=tuple(less(form, lost) if isinstance(form, kinds) else form for form in made.forms))


def less(form: Lookup | Spoken, lost: Mapping[int, set[Any]]) -> Lookup | Spoken:
    """Return a look-up without levels, or documents without words."""

    def is_lost(level: Any) -> bool:
        parts = level if len(form.columns) > 1 else (level,)
        return any(part in lost.get(j, ()) for j, part in zip(form.columns, parts, strict=True))

    keep = np.array([not is_lost(level) for level in form.levels.tolist()], dtype=bool)
    return replace(form, levels=form.levels[keep], table=form.table[:, keep])


def without_names(made: Slim) -> Slim:
    """Return a slim model that knows levels of one column by marks of their names, which is said."""
    forms = [marked(form) or form for form in made.forms]
    of = [str(made.schema.names[form.columns[0]]) for form in forms if isinstance(form, Marked)]
    said = (f"names of levels, which are known by marks of {BITS} bits: {', '.join(of)}",) if of else ()
    return replace(made, forms=tuple(forms), left_out=(*made.left_out, *said))


def how_many(names: Sequence[Any], columns: Mapping[int, int]) -> str:
    """Return how many levels are left out of each column, in words; a column without a name goes by its position."""
    called = {j: names[j] if isinstance(names[j], str) else f"column {names[j]}" for j in columns}
    return ", ".join(f"{n} of {called[j]}" for j, n in sorted(columns.items()) if n)


def in_fewer_levels(made: Slim, levels: Sequence[Level], finished: Finish) -> list[Compared]:
    """Return what was tried to find how few levels, of those that say least, have to go for a model to be small."""

    def tried(step: float, n: float) -> Compared:
        gone = levels[: int(n)]
        told = how_many(made.schema.names, Counter(j for j, _ in gone))
        small = without(in_multiples(made, step), by_column(gone))
        return finished(replace(small, left_out=(f"levels that say least: {told}",) if gone else ()))

    all_to_none = range(len(levels), -1, -1)
    return [of for step in COARSE_STEPS for of in finest_small(all_to_none, partial(tried, step))]

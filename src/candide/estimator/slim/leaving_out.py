"""Leaving levels out of a slim model: rare ones, which tell who was learnt from, and for the size what says least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from scipy.special import rel_entr

from candide.analysis.word_list import WordList
from candide.distributions.forms import Cases, Form, Lookup
from candide.distributions.spoken import Spoken
from candide.estimator.slim.format.marks import BITS, Marked, marked
from candide.estimator.slim.roads import Compared, Finish, finest_small
from candide.estimator.slim.rounding import in_multiples
from candide.estimator.slim.slim import Slim
from candide.frozen import frozen
from candide.schema.vocabulary import Vocabulary
from candide.table.columns import level_array

Array = np.ndarray[Any, Any]
Level: TypeAlias = tuple[int, Any]
"""A column, and a level of it."""

COARSE_STEPS = (0.1, 0.06, 0.03, 0.01)
"""In nats, in which tables are told where levels are left out for the size: digits that are left out save some."""


SAY_LEAST = "levels that say least"
"""How the sentence begins which says how many of these are left out."""


def counted(forms: Sequence[Form], evidence: Any) -> Iterator[tuple[int, list[Any], Array]]:
    """Yield the columns that are looked up with their levels, or words, and the counts of these (K, levels)."""
    schema = evidence.schema
    for form in forms:
        if isinstance(form, Spoken):
            (j,) = form.columns
            axis = schema.columns[j].axis
            buckets = not isinstance(axis, Vocabulary)
            at = form.levels.astype(np.int64) + 1 if buckets else axis.places(WordList.of(form.levels.tolist()))
            yield j, form.levels.tolist(), evidence.words(j).of_entries(at).dense("documents")
    for j in sorted({j for form in forms if isinstance(form, (Lookup, Cases)) for j in form.columns}):
        if schema.columns[j].kind == "symbols":
            yield j, schema.columns[j].levels.tolist(), evidence.statistics["cells"].table[:, schema.cells_of(j)][:, 1:]


def rare_levels(forms: Sequence[Form], evidence: Any, rare: float) -> dict[int, set[Any]]:
    """Return the levels of few rows, by column."""
    return {
        j: {level for level, n in zip(levels, counts.sum(axis=0).tolist(), strict=True) if n < rare}
        for j, levels, counts in counted(forms, evidence)
    }


@frozen
class Unheard:
    """What is not in the forms of a model from the start.

    Parameters
    ----------
    words : {column: words}
        How many words of documents are rare.
    groups : {columns: combinations}
        How many combinations of a group are.
    partly : {columns: bool}
        Whether a group tells what it says where only a part of it is known.
    sums : set of columns
        Of which a network sums out what is unknown, of several at once.
    """

    words: dict[int, int] = field(default_factory=dict)
    groups: dict[tuple[int, ...], int] = field(default_factory=dict)
    partly: dict[tuple[int, ...], bool] = field(default_factory=dict)
    sums: set[int] = field(default_factory=set)

    @property
    def some(self) -> bool:
        """Whether there may be any."""
        return bool(self.words or self.groups or self.sums)

    def said(self, names: Sequence[Any], rare: float) -> list[str]:
        """Return what is left out, in sentences."""
        called = {columns: " × ".join(str(names[j]) for j in columns) for columns in self.groups}
        out = []
        if any(self.words.values()):
            out.append(f"words of fewer than {rare:g} documents: {how_many(names, self.words)}")
        if any(self.groups.values()):
            few = ", ".join(f"{n} of {called[columns]}" for columns, n in self.groups.items() if n)
            out.append(f"combinations of fewer than {rare:g} rows: {few}")
        if not all(self.partly.values()):
            which = ", ".join(called[columns] for columns, told in self.partly.items() if not told)
            out.append(f"what groups say of which a part is not known: {which}")
        if self.sums:
            out.append("sums over cells that are unknown: a column is told given those of its parents that are known")
        return out


def seen_together(form: Form, counts: Array, rare: float) -> tuple[Form, int]:
    """Return the form of a group without combinations of few rows, known in part or not, and how many these are.

    Parameters
    ----------
    form : Form
        Its first levels are combinations that are known.
    counts : ndarray
        Rows that have each of these.
    """
    assert isinstance(form, (Lookup, Cases))
    levels = form.levels.tolist()
    rows: Counter[Any] = Counter()
    for level, n in zip(levels, counts.tolist(), strict=False):
        for parts in product(*((part, None) for part in level)):
            rows[parts] += n
    for level, n in zip(levels, counts.tolist(), strict=False):
        rows[level] = n  # where missing is a level, it is no sum
    keep = np.array([rows[level] >= rare for level in levels], dtype=bool)
    gone = int(np.count_nonzero(~keep[: len(counts)]))
    if isinstance(form, Cases):
        forms = tuple(of for of, often in zip(form.forms, keep.tolist(), strict=True) if often)
        return replace(form, levels=form.levels[keep], forms=forms), gone
    return replace(form, levels=form.levels[keep], table=form.table[:, keep]), gone


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
    kinds = (Lookup, Spoken, Cases)
    return replace(made, forms=tuple(less(form, lost) if isinstance(form, kinds) else form for form in made.forms))


def less(form: Lookup | Spoken | Cases, lost: Mapping[int, set[Any]]) -> Lookup | Spoken | Cases:
    """Return a look-up, or cases, without levels, or documents without words."""
    columns = [j for at, j in enumerate(form.columns) if not isinstance(form, Cases) or at != form.number]
    joined = len(form.columns) > 1

    def is_lost(level: Any) -> bool:
        parts = level if joined else (level,)
        return any(part in lost.get(j, ()) for j, part in zip(columns, parts, strict=True))

    keep = np.array([not is_lost(level) for level in form.levels.tolist()], dtype=bool)
    if isinstance(form, Cases):
        forms = tuple(of for of, stays in zip(form.forms, keep.tolist(), strict=True) if stays)
        return replace(form, levels=form.levels[keep], forms=forms)
    fewer = replace(form, levels=form.levels[keep], table=form.table[:, keep])
    if not isinstance(fewer, Lookup) or not fewer.domains:
        return fewer
    # a level of which nothing is told counts as missing: its name is in no domain
    domains = (
        of if of is None else level_array([level for level in of.tolist() if level not in lost.get(j, ())])
        for j, of in zip(columns, fewer.domains, strict=True)
    )
    return replace(fewer, domains=tuple(domains))


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
        said = (f"{SAY_LEAST}: {told}",) if gone else ()
        return finished(replace(small, left_out=(*made.left_out, *said)))

    all_to_none = range(len(levels), -1, -1)
    return [of for step in COARSE_STEPS for of in finest_small(all_to_none, partial(tried, step))]

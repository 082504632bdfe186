"""Hypothesis strategies: axes of every kind, several at a time, that unite with one another."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from candide import native
from candide.analysis import Analyzer, WordList
from candide.schema.axes import Classes, Columns
from candide.schema.cells import CellAxis, Cells, Levels
from candide.schema.combinations import Combinations
from candide.schema.lattice import Grid, Lattice
from candide.schema.vocabulary import Buckets, Vocabulary

SYMBOLS: list[Any] = ["a", "b", "c", "dé", "", 3, 2.5, ("t", 1)]
NUMBERS = st.integers(-40, 40).map(lambda v: v / 8)


@st.composite
def subsets(draw: st.DrawFn, items: Any, max_size: int | None = None) -> list[Any]:
    """Draw some items, each at most once, in any order."""
    return draw(st.lists(st.sampled_from(items), unique=True, max_size=max_size))


def masks(n: int) -> st.SearchStrategy[np.ndarray]:
    """Draw a mask; one of thousands of cells by a seed."""
    if n > 100:
        return st.integers(0, 9).map(lambda seed: np.random.default_rng(seed).random(n) < 0.5)
    return st.lists(st.booleans(), min_size=n, max_size=n).map(lambda some: np.array(some, dtype=bool))


@st.composite
def classes(draw: st.DrawFn) -> Classes:
    """Draw labels and which of them are declared; labels are text or whole numbers throughout a test."""
    labels = np.array(sorted(draw(subsets(["no", "yes", "maybe", "never"]))), dtype=str)
    return Classes(labels, draw(masks(len(labels))))


@st.composite
def levels(draw: st.DrawFn, declared: bool = True) -> Levels:
    """Draw levels: a declared domain in any order, others behind it, some kept."""
    domain = draw(subsets(SYMBOLS)) if declared else []
    seen = draw(subsets(SYMBOLS))
    kept = frozenset(draw(subsets(sorted({*domain, *seen}, key=repr)))) if seen or domain else frozenset()
    return Levels.of(domain, seen, kept)


@st.composite
def lattices(draw: st.DrawFn) -> Lattice:
    """Draw exact values, some kept; or none."""
    values = np.unique(np.array(draw(st.lists(NUMBERS, max_size=6)), dtype=float))
    return Lattice(
        values, np.zeros(len(values), dtype=np.int8), draw(masks(len(values))) if draw(st.booleans()) else None
    )


@st.composite
def coarse_lattices(draw: st.DrawFn) -> Lattice:
    """Draw a lattice of more numbers than are counted exactly, whatever their size and sign."""
    rng = np.random.default_rng(draw(st.integers(0, 5)))
    many = rng.normal(size=native.EXACT + 1_000) * 10.0 ** draw(st.sampled_from([-9, 0, 6])) + draw(NUMBERS)
    values, dropped, _ = native.lattice(many, np.zeros(len(many), dtype=np.int8))
    return Lattice(values, dropped)


EDGES = np.array([-1.0, 0.5, 2.0])


@st.composite
def grids(draw: st.DrawFn) -> CellAxis:
    """Draw the grid of some edges, or exact values, which go to its cells."""
    return draw(st.just(Grid(EDGES)) | lattices())


@st.composite
def flat_cells(draw: st.DrawFn) -> Cells:
    """Draw the cells of three columns: symbols, numbers, and a column that may be blank on one side."""
    return Cells(("s", "n", "t"), (draw(levels()), draw(lattices()), draw(levels() | st.just(Lattice.empty()))))


@st.composite
def combinations(draw: st.DrawFn) -> Combinations:
    """Draw combinations of the cells of two columns, missing ones among them."""
    members = (draw(levels(declared=False)), draw(lattices()))
    every = [(i, j) for i in range(members[0].size) for j in range(members[1].size)]
    cells = np.array(sorted(draw(subsets(every, max_size=6))), dtype=np.int64).reshape(-1, 2)
    return Combinations(("s", "n"), members, cells, draw(masks(len(cells))))


@st.composite
def vocabularies(draw: st.DrawFn) -> Vocabulary:
    """Words of documents; some may be kept."""
    words = sorted(draw(st.sets(st.sampled_from(["car", "bike", "été", "truck", "zoo", "漢字"]))))
    kept = draw(st.none() | st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    return Vocabulary(Analyzer(), WordList.of(words), None if kept is None else np.array(kept, dtype=bool))


AXES: dict[str, st.SearchStrategy[Any]] = {
    "classes": classes(),
    "columns": st.just(Columns(("x", 2))),
    "levels": levels(),
    "values": lattices(),
    "cells of a lattice": lattices() | coarse_lattices(),
    "intervals of a grid": grids(),
    "cells": flat_cells(),
    "combinations": combinations(),
    "words": vocabularies(),
    "buckets": st.just(Buckets(Analyzer(hashing=6))),
}
"""Axes of one kind, any of which unite. A new kind of axis is under the laws once it stands here."""

COUNTED = ("levels", "values", "cells of a lattice", "intervals of a grid")
"""Those of one counted column: the first cell is the missing one."""

COARSE = ("cells of a lattice", "intervals of a grid")
"""Those whose union may be coarser than either: an entry is then told by the cell that holds it."""

"""What slim models cost and save: their size beside the whole file's, and how far off their answers are.

python -m benchmarks.slim [--out benchmarks/results/slim.md]    (the data sets are those of CANDIDE_DATA)
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from candide import NaiveBayes, TunedNB
from candide.datasets import load

SETS = ("adult", "bank", "mushroom", "pendigits", "letter")
OF_NUMBERS = ("pendigits", "letter", "numbers")
"""Tables of which normal densities are made as well."""
COARSE, FINE = 0.05, 0.01
"""How far probabilities may lie off where that matters less than the size, and where it matters more."""
LEAST = 1e-300
"""Of a probability, so that its logarithm is a number."""

TITLE = """# What slim models cost and save

Learnt from seven tenths of the rows of each table, scored on the others. Off: how far probabilities lie from the whole
model's, at most and in the mean over rows and classes. Share: of the size of the whole model's file; `roots`: tables
are told by the roots of their chances, in the least units that make a tenth. Numbers: 20,000 rows of 20 normal columns.
Mixed: 20,000 rows of 6 skew numbers to the hundredth, 6 columns of 12 levels, 400 cities, half of them rare and left
out, and an identifier.
"""
LEARNT = 0.7
ROWS = 20_000
TURNS = 5
HEAD = (
    "| table | classes | model | whole, kB | slim, kB | share | chances off: most / mean | same answer, % of rows "
    "| accuracy: whole / slim | log-loss: whole / slim | share, `within=0.05` | share, `within=0.01` "
    "| scoring, µs a row: whole / slim |\n" + 13 * "|---" + "|"
)
MAKES = {"`NaiveBayes()`": NaiveBayes, "`TunedNB()`": TunedNB, '`NaiveBayes("normal")`': partial(NaiveBayes, "normal")}


Labelled = tuple[pd.DataFrame, np.ndarray]


def numbers(n_classes: int) -> Labelled:
    """Return columns of numbers that are all different, and labels."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, ROWS)
    return pd.DataFrame(rng.normal(size=(ROWS, 20)) + 0.5 * rng.normal(size=(n_classes, 20))[y]).rename(columns=str), y


def mixed(n_classes: int) -> Labelled:
    """Return numbers, levels, rare levels and an identifier, and labels."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, n_classes, ROWS)
    skew = {f"x{i}": np.exp(rng.normal(size=ROWS) + 0.4 * rng.normal(size=n_classes)[y]).round(2) for i in range(6)}
    at = [(rng.geometric(0.25, ROWS) + rng.integers(0, 3, n_classes)[y]) % 12 for _ in range(6)]
    levels = {f"s{i}": np.char.add("level ", of.astype(str)) for i, of in enumerate(at)}
    cities = np.char.add("city ", np.minimum(rng.zipf(1.5, ROWS), 400).astype(str))
    identifier = np.char.add("row ", rng.permutation(ROWS).astype(str))
    return pd.DataFrame({**skew, **levels, "city": cities, "id": identifier}), y


def tables() -> Iterator[tuple[str, Labelled]]:
    """Yield the real tables, and those of more raw values than these hold."""
    for name in SETS:
        data = load(name)
        yield name, (data.X, np.asarray(data.y))
    for n_classes in (2, 5):
        yield "numbers", numbers(n_classes)
        yield "mixed", mixed(n_classes)


def measured(name: str, table: Labelled, said: str, folder: Path) -> str:
    """Return the line of a table and a model."""
    X, y = table
    order = np.random.default_rng(0).permutation(len(y))
    learnt, new = np.split(order, [int(LEARNT * len(order))])
    model = MAKES[said]().fit(X.iloc[learnt], y[learnt])
    small = model.slim()
    whole, slim = (folder / f"{kind}.json" for kind in ("whole", "slim"))
    model.save(whole)
    small.save(slim)
    size = whole.stat().st_size
    theirs, ours = (m.predict_proba(X.iloc[new]) for m in (model, small))
    off = np.abs(theirs - ours)
    same = 100 * float((theirs.argmax(axis=1) == ours.argmax(axis=1)).mean())
    cells = [name, len(model.classes_), said, f"{size / 1000:.1f}", f"{slim.stat().st_size / 1000:.1f}"]
    cells += [f"{slim.stat().st_size / size:.3f}" + (" `roots`" if small.roots else "")]
    cells += [f"{off.max():.4f} / {off.mean():.5f}", f"{same:.2f}"]
    at = np.searchsorted(model.classes_, y[new])
    cells += [" / ".join(f"{(p.argmax(axis=1) == at).mean():.4f}" for p in (theirs, ours))]
    cells += [" / ".join(f"{-np.log(np.maximum(p[np.arange(len(at)), at], LEAST)).mean():.4f}" for p in (theirs, ours))]
    cells += [f"{model.slim(within=within).share:.3f}" for within in (COARSE, FINE)]
    cells += [" / ".join(f"{scoring(m, X.iloc[new]):.2g}" for m in (model, small))]
    return f"| {' | '.join(map(str, cells))} |"


def scoring(model: Any, X: pd.DataFrame) -> float:
    """Return the microseconds that a row takes, the best of some turns."""
    taken = []
    for _ in range(TURNS):
        begun = perf_counter()
        model.predict_proba(X)
        taken.append(perf_counter() - begun)
    return 1e6 * min(taken) / len(X)


def main() -> None:
    """Print the table, and write it where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/slim.md"))
    out = parser.parse_args().out
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        lines = [
            measured(*table, said, Path(folder))
            for table in tables()
            for said in MAKES
            if "normal" not in said or table[0] in OF_NUMBERS
        ]
    text = "\n".join([TITLE, HEAD, *lines, ""])
    print(text)
    out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

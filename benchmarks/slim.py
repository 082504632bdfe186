"""What slim models cost and save: their size beside the whole file's, and how far off their answers are.

python -m benchmarks.slim [--out benchmarks/results/slim.md]    (the data sets are those of CANDIDE_DATA)
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from pathlib import Path

import numpy as np

from candide import NaiveBayes, TunedNB
from candide.datasets import load

SETS = ("adult", "bank", "mushroom", "pendigits", "letter")
COARSE = 0.05
"""How far probabilities may lie off where that matters less than the size."""

TITLE = """# What slim models cost and save

Learnt from seven tenths of the rows of each table, scored on the others. Off: how far probabilities lie from the whole
model's, at most and in the mean. Share: of the size of the whole model's file.
"""
LEARNT = 0.7
HEAD = (
    "| table | classes | model | whole, kB | slim, kB | share | chances off: most / mean | same answer, % of rows "
    "| share, `within=0.05` |\n|---|---|---|---|---|---|---|---|---|"
)


def measured(name: str, make: type[NaiveBayes], folder: Path) -> str:
    """Return the line of a table and a model."""
    data = load(name)
    order = np.random.default_rng(0).permutation(len(data.y))
    learnt, new = np.split(order, [int(LEARNT * len(order))])
    model = make().fit(data.X.iloc[learnt], np.asarray(data.y)[learnt])
    small = model.slim()
    whole, slim, coarse = (folder / f"{kind}.json" for kind in ("whole", "slim", "coarse"))
    model.save(whole)
    small.save(slim)
    model.slim(within=COARSE).save(coarse)
    size = whole.stat().st_size
    theirs, ours = (m.predict_proba(data.X.iloc[new]) for m in (model, small))
    off = np.abs(theirs - ours)
    same = 100 * float((theirs.argmax(axis=1) == ours.argmax(axis=1)).mean())
    cells = [name, len(model.classes_), f"`{make.__name__}`", f"{size / 1000:.1f}", f"{slim.stat().st_size / 1000:.1f}"]
    cells += [f"{slim.stat().st_size / size:.2f}", f"{off.max():.4f} / {off.mean():.5f}", f"{same:.2f}"]
    return f"| {' | '.join(map(str, [*cells, f'{coarse.stat().st_size / size:.2f}']))} |"


def main() -> None:
    """Print the table, and write it where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/slim.md"))
    out = parser.parse_args().out
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        lines = [measured(name, make, Path(folder)) for name in SETS for make in (NaiveBayes, TunedNB)]
    text = "\n".join([TITLE, HEAD, *lines, ""])
    print(text)
    out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

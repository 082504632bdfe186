"""How pair tables are best softened: pseudo-counts m · P(x_i | c) + λ, from Laplace (m = 0, λ = 1) to back-off (λ = 0).

Five stratified folds of the papers' tables of up to 3,500 rows. All rules of a fold see the same counts, cuts and tree:
a rule changes on a fitted model. `CANDIDE_DATA` names the folder of the data.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.automatic_choice import PAPERS, RESULTS
from benchmarks.structure.accuracy import told
from candide.datasets import load
from candide.smoothing import Backoff
from candide.structure import AveragedOneDependence, TreeAugmentedNB

LARGE = ("adult", "letter", "optdigits", "pendigits", "mushroom", "nursery")
STRENGTHS = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0)
ADDED = (0.0, 0.1, 0.3, 0.5, 1.0)
MODELS = {"TAN": TreeAugmentedNB, "AODE": AveragedOneDependence}


class BackoffAndMore(Backoff):
    """Back-off that adds λ of Laplace's pseudo-counts to every cell as well."""

    def __init__(self, m: float = 5.0, added: float = 1.0) -> None:
        self.m = m
        self.added = added

    def within(self, pseudo, mass, theta, contexts):
        """Return m · P(x_i | c) + λ, and m + λ #A_i."""
        s, total = super().within(pseudo, mass, theta, contexts)
        return s + self.added * pseudo, total + self.added * mass


def rules() -> dict[str, object]:
    """Return the rules by name; m = λ = 0 softens nothing, and is left out."""
    grid = {f"{m:g}, {a:g}": BackoffAndMore(m, a) for m in STRENGTHS for a in ADDED if m or a}
    return {**grid, "m by leaving one out, 0": "backoff"}


def score(name: str, folds: int) -> dict[tuple[str, str], np.ndarray]:
    """Return the mean accuracy and log-loss of every model and rule on a data set."""
    data = load(name)
    X, y = data.X, np.asarray(data.y)
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=0).split(y, y):
        cuts = TreeAugmentedNB().fit(X.iloc[train], y[train]).schema_
        for model_name, make in MODELS.items():
            model = make(schema=cuts).fit(X.iloc[train], y[train])
            for rule_name, rule in rules().items():
                scores = told(model.set_params(smoothing=rule), X.iloc[test], y[test])
                found.setdefault((model_name, rule_name), []).append(scores)
    return {key: np.mean(values, axis=0) for key, values in found.items()}


HEAD = """# How pair tables are best softened

`python -m benchmarks.structure.softening`: pseudo-counts m · P(x_i | c) + λ within each parent's value; accuracy in
percent / log-loss in nats, five-fold, the mean of {n} tables. Laplace is m = 0, λ = 1; back-off is λ = 0.

| m | {names} |
|---|{lines}
"""


def markdown(found: list[dict[tuple[str, str], np.ndarray]]) -> str:
    """Return the table: strengths by what is added, both models side by side."""
    columns = [(model, f"{a:g}") for model in MODELS for a in ADDED]
    names = " | ".join(f"{model}, λ = {a}" for model, a in columns)
    out = HEAD.format(n=len(found), names=names, lines="---|" * len(columns))
    for m in dict.fromkeys(name.rsplit(", ", 1)[0] for name in rules()):
        cells = []
        for model, a in columns:
            key = model, f"{m}, {a}"
            mean = np.mean([scores[key] for scores in found], axis=0) if key in found[0] else None
            cells.append("" if mean is None else f"{100 * mean[0]:.2f} / {mean[1]:.4f}")
        out += f"| {m} | {' | '.join(cells)} |\n"
    return out


def main() -> None:
    """Score, print, and write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure.softening", description=__doc__)
    parser.add_argument("names", nargs="*", default=[name for name in PAPERS if name not in LARGE], help="data sets")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for structure_softening.md")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # a class of fewer rows than folds is in as many folds as it has rows
    text = markdown([score(name, options.folds) for name in options.names])
    print(text)
    (options.out / "structure_softening.md").write_text(text)


if __name__ == "__main__":
    main()

"""Structures on the papers' tables, ten-fold: accuracy and log-loss beside naive Bayes, under Laplace and back-off.

Stratified folds of every data set (those of papers 000 and 001 unless named). All structures of a fold share the cuts
of its first one, and the naive Bayes beside them is given the same. `CANDIDE_DATA` names the folder of the data.
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.automatic_choice import PAPERS, RESULTS
from candide import NaiveBayes
from candide.datasets import load
from candide.structure import AveragedOneDependence, TreeAugmentedNB

FLOOR = 1e-12
"""The least probability that the log-loss knows."""
WIDE, LONG = 20, 200_000
"""Columns up to which triples are counted; rows times classes up to which all trees are averaged."""

RULES = {"": "laplace", " back-off": "backoff"}


def models(n_columns: int, n_answers: int) -> dict[str, object]:
    """Return the models of a table."""
    out = {"naive Bayes, same cuts": NaiveBayes()}
    for told, rule in RULES.items():
        out[f"TAN{told}"] = TreeAugmentedNB(smoothing=rule)
    out["TAN indifferent"] = TreeAugmentedNB(smoothing="indifferent")
    if n_columns <= WIDE and n_answers <= LONG:
        out["all trees"] = TreeAugmentedNB(smoothing="indifferent", average_trees=True)
    for told, rule in RULES.items():
        out[f"AODE{told}"] = AveragedOneDependence(smoothing=rule)
    if n_columns <= WIDE:
        for told, rule in RULES.items():
            out[f"A2DE{told}"] = AveragedOneDependence(n=2, smoothing=rule)
    return out


def told(model, X, y) -> tuple[float, float]:
    """Return accuracy and log-loss."""
    p = model.predict_proba(X)
    at = np.searchsorted(model.classes_, y).clip(0, len(model.classes_) - 1)
    right = model.classes_[at] == y
    own = np.where(right, p[np.arange(len(y)), at], 0.0)
    return float(((p.argmax(axis=1) == at) & right).mean()), float(-np.log(np.maximum(own, FLOOR)).mean())


def score(name: str, folds: int) -> dict[str, list[float]]:
    """Return the mean accuracy and log-loss of every model on a data set."""
    data = load(name)
    X, y = data.X, np.asarray(data.y)
    found: dict[str, list[tuple[float, float]]] = {}
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=0).split(y, y):
        known = X.iloc[train], y[train]
        first = TreeAugmentedNB().fit(*known)
        found.setdefault("naive Bayes", []).append(told(NaiveBayes().fit(*known), X.iloc[test], y[test]))
        for model_name, model in models(X.shape[1], len(test) * len(first.classes_)).items():
            average = getattr(model, "average_trees", False)
            model.set_params(
                schema=None if average else first.schema_, distributions=cuts(first) if average else "auto"
            )
            found.setdefault(model_name, []).append(told(model.fit(*known), X.iloc[test], y[test]))
    return {model_name: np.mean(values, axis=0).tolist() for model_name, values in found.items()}


def cuts(first: TreeAugmentedNB) -> dict:
    """Return the distribution of every column as a fitted structure has it."""
    return {name: first.schema_.choice(name) for name in first.schema_.names}


def markdown(results: dict[str, dict[str, list[float]]]) -> str:
    """Return the table, with means over the sets that every model was tried on."""
    names = list(max(results.values(), key=len))
    lines = [f"| data | {' | '.join(names)} |", "|" + "---|" * (len(names) + 1)]
    for data, scores in results.items():
        cells = (f"{100 * scores[m][0]:.1f} / {scores[m][1]:.3f}" if m in scores else "" for m in names)
        lines.append(f"| {data} | {' | '.join(cells)} |")
    everywhere = [m for m in names if all(m in scores for scores in results.values())]
    means = {m: np.mean([scores[m] for scores in results.values()], axis=0) for m in everywhere}
    cells = (f"{100 * means[m][0]:.2f} / {means[m][1]:.4f}" if m in means else "" for m in names)
    lines.append(f"| mean of {len(results)} | {' | '.join(cells)} |")
    some = {data: scores for data, scores in results.items() if len(scores) == len(names)}
    means = {m: np.mean([scores[m] for scores in some.values()], axis=0) for m in names}
    cells = (f"{100 * a:.2f} / {b:.4f}" for a, b in means.values())
    lines.append(f"| mean of the {len(some)} with all | {' | '.join(cells)} |")
    return "\n".join(lines)


HEAD = """# Structures, ten-fold

`python -m benchmarks.structure.accuracy`: accuracy in percent / log-loss in nats. Numbers are cut once a fold, by the
automatic choice, and all structures share the cuts; so does the second naive Bayes, while the first may choose
densities. Triples are counted up to 20 columns.

"""


def main() -> None:
    """Score, print, and write table and record."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure.accuracy", description=__doc__)
    parser.add_argument("names", nargs="*", default=PAPERS, help="data sets")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for structure.md and .json")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # a class of fewer rows than folds is in as many folds as it has rows
    results = {}
    for name in options.names:
        results[name] = score(name, options.folds)
        print(name, {m: [round(v, 4) for v in found] for m, found in results[name].items()}, flush=True)
        (options.out / "structure.json").write_text(json.dumps(results, indent=1) + "\n")
        (options.out / "structure.md").write_text(HEAD + markdown(results) + "\n")


if __name__ == "__main__":
    main()

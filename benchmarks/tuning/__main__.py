"""Score models on the papers' sets: folds of each, learnt from whole folds and from a tenth of them.

    CANDIDE_DATA=... python -m benchmarks.tuning

Then what it costs is measured (`benchmarks.tuning.sizes`), unless sets are named. Five folds of small sets, fewer of
large ones; `--additive` fits the additive model of `interpret` as well, on one fold of five sets, which takes longer
than all the others together. One line of JSON per model, set and fold goes to the results as it is made; the report is
made of all of them.
"""

import argparse
import json
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from benchmarks.automatic_choice import PAPERS
from benchmarks.tuning import models, sizes
from benchmarks.tuning.report import write
from candide.datasets import load

RESULTS = Path(__file__).parent.parent / "results"
FOLDS = 5
FEWER = {"adult": 1, "letter": 1, "optdigits": 1, "pendigits": 1}
FEWER |= {"chess": 3, "mushroom": 3, "nursery": 3, "segmentation": 3, "soybean": 3}
"""Folds that are judged of sets that have rows enough."""
EVERYWHERE = (models.TUNED, models.TEMPERATURE, models.PLAIN, models.BOOSTED, models.LOGISTIC)
ADDITIVE_SETS = ("crx", "glass", "pima", "vehicle", "wdbc")
"""Sets on which the additive model is fitted, which takes long."""
CELLS = 10
"""Cells of equal width that probabilities are put into for calibration."""
DRAWS = 20
"""How often classes are drawn by a model's own probabilities."""
LEAST = 1e-15
"""Probabilities below this count as this one, as scikit-learn's log-loss has it."""


def losses(p: np.ndarray, classes: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return −log P(y) of each row."""
    place = {label: c for c, label in enumerate(classes.tolist())}
    at = np.array([place.get(label, -1) for label in y.tolist()])
    own = np.where(at >= 0, p[np.arange(len(y)), np.maximum(at, 0)], 0.0)
    return -np.log(np.maximum(own, LEAST))


def scores(p: np.ndarray, classes: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """Return accuracy, log-loss, area under the curve (each class against the rest) and what calibration is made of.

    In each cell of the largest probability: its sum and how often it was right, then how often it would be if classes
    were drawn by the model's own probabilities: what an honest model shows of as many rows.
    """
    place = {label: c for c, label in enumerate(classes.tolist())}
    at = np.array([place.get(label, -1) for label in y.tolist()])
    sure, hit = p.max(axis=1), p.argmax(axis=1) == at
    cell = np.minimum((sure * CELLS).astype(int), CELLS - 1)
    drawn = np.random.default_rng(0).random((DRAWS, len(y))) < sure
    some = [c for c in range(len(classes)) if 0 < (at == c).sum() < len(y)]
    areas = [roc_auc_score(at == c, p[:, c]) for c in some]
    return {
        "accuracy": float(hit.mean()),
        "log_loss": float(losses(p, classes, y).mean()),
        "auc": float(np.average(areas, weights=[(at == c).sum() for c in some])) if some else float("nan"),
        "judged": len(y),
        "sure": np.bincount(cell, sure, CELLS).tolist(),
        "right": np.bincount(cell, hit, CELLS).tolist(),
        "honest": [np.bincount(cell, one, CELLS).tolist() for one in drawn],
    }


def tenth(rows: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Return a tenth of the rows of each class, at the least one."""
    drawn = np.random.default_rng(seed).permutation(rows)
    return np.concatenate([(of := drawn[y[drawn] == label])[: max(1, len(of) // 10)] for label in np.unique(y[rows])])


def score_set(name: str, small: bool, out: Path, only: Sequence[str], judged: int) -> None:
    """Score all models on the folds of a set, or on the first of them."""
    data = load(name)
    X, y = data.X, np.asarray(data.y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(y, y))
        for fold, (others, judging) in enumerate(folds):
            if fold >= min(judged, FEWER.get(name, FOLDS)):
                break
            learning = tenth(others, y, fold) if small else others
            lines, lost = [], {}
            for model in only:
                if model == models.ADDITIVE and (small or fold or name not in ADDITIVE_SETS):
                    continue
                made = models.made(model)
                began = time.process_time()
                made.fit(X.iloc[learning], y[learning])
                fitted = time.process_time()
                p = made.predict_proba(X.iloc[judging])
                ended = time.process_time()
                line = {"set": name, "small": small, "fold": fold, "model": model, "rows": len(learning)}
                line |= scores(p, made.classes_, y[judging])
                line |= {"fit_seconds": fitted - began, "predict_seconds": ended - fitted}
                lines.append(line)
                lost[model] = losses(p, made.classes_, y[judging])
            for line in lines if models.PLAIN in lost else ():
                more = lost[line["model"]] - lost[models.PLAIN]
                line |= {"more": float(more.sum()), "more_squared": float(more @ more)}
            with out.open("a") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)


def main() -> None:
    """Score, and write the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning", description=__doc__)
    parser.add_argument("names", nargs="*", default=PAPERS)
    parser.add_argument("--only", nargs="*", default=EVERYWHERE, help="models")
    parser.add_argument("--additive", action="store_true", help="the additive model as well")
    parser.add_argument("--folds", type=int, default=FOLDS, help="of the five, so many are judged")
    parser.add_argument("--report", action="store_true", help="only write the report of what is there")
    parser.add_argument(
        "--add", action="store_true", help="to the lines that are there, and over those of the same fold"
    )
    parser.add_argument("--out", type=Path, default=RESULTS / "tuning.jsonl")
    asked = parser.parse_args()
    wanted = [*asked.only, *[models.ADDITIVE] * asked.additive]
    if not asked.report and not asked.add:
        asked.out.unlink(missing_ok=True)
    for name in () if asked.report else asked.names:
        for small in (False, True):
            score_set(name, small, asked.out, wanted, asked.folds)
            print(name, "small" if small else "full", flush=True)
    write(asked.out)
    if not asked.report and asked.names == PAPERS:
        sizes.main()


if __name__ == "__main__":
    main()

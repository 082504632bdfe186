"""Changes of the recipe, one at a time, on the half of the sets that is for choosing.

    CANDIDE_DATA=... python -m benchmarks.tuning.tries

Prints a line for each: mean log-loss and accuracy of two folds of every set (one of large ones), and processor seconds.
"""

import time
import warnings
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.tuning.__main__ import scores
from benchmarks.tuning.report import CHOSEN_ON
from candide import TunedNB
from candide.datasets import load
from candide.structure import AveragedOneDependence, TreeAugmentedNB
from candide.tuning import Tuned

LARGE = 6000
"""Rows from which on one fold is judged, and two of others."""
SETTLING = "candide.tuning.settling."
CONSTANTS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "one round of pairs": {"ROUNDS": ((1.0, (3.0, 1.0, 0.3)),)},
    "three rounds": {"ROUNDS": ((1.0, (3.0, 1.0, 0.3)), (0.5, (1.0, 0.3)), (0.5, (1.0, 0.3)))},
    "as many pairs in the second round": {"ROUNDS": ((1.0, (3.0, 1.0, 0.3)), (1.0, (1.0, 0.3)))},
    "stronger penalties": {
        "STRENGTHS": (100.0, 30.0, 10.0, 3.0, 1.0, 0.3),
        "ROUNDS": ((1.0, (10.0, 3.0, 1.0, 0.5)), (0.5, (3.0, 1.0, 0.5))),
    },
}
"""Other values of the constants of settling."""
MODELS: dict[str, Callable[[], Any]] = {
    "60 pairs": lambda: TunedNB(weights=Tuned(pairs=60)),
    "members of a tree": lambda: TreeAugmentedNB(weights="tuned", missing="level"),
    "members of an average": lambda: AveragedOneDependence(weights="tuned", missing="level"),
}
"""Other models."""


def tried(made: Callable[[], Any]) -> tuple[float, float, float]:
    """Return mean log-loss, mean accuracy and the seconds of one fit of each set."""
    found = []
    for name in CHOSEN_ON:
        data = load(name)
        X, y = data.X, np.asarray(data.y)
        folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(y, y))[: 1 if len(y) >= LARGE else 2]
        lines = []
        for learning, judging in folds:
            began = time.process_time()
            model = made().fit(X.iloc[learning], y[learning])
            seconds = time.process_time() - began
            line = scores(model.predict_proba(X.iloc[judging]), model.classes_, y[judging])
            lines.append((line["log_loss"], line["accuracy"], seconds))
        found.append(np.mean(lines, axis=0))
    loss, accuracy, seconds = np.array(found).T
    return float(loss.mean()), float(accuracy.mean()), float(seconds.sum())


def main() -> None:
    """Try them all."""
    warnings.simplefilter("ignore")
    for name, constants in CONSTANTS.items():
        patches = [patch(SETTLING + constant, value) for constant, value in constants.items()]
        for one in patches:
            one.start()
        print(f"| {name} | " + "{:.4f} | {:.4f} | {:.1f} |".format(*tried(TunedNB)), flush=True)
        for one in patches:
            one.stop()
    for name, made in MODELS.items():
        print(f"| {name} | " + "{:.4f} | {:.4f} | {:.1f} |".format(*tried(made)), flush=True)


if __name__ == "__main__":
    main()

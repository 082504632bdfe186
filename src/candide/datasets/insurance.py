"""Requests to an insurance company, made up: the vehicle example of E. Rachelson's naive Bayes notes."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.datasets.dataset import Dataset
from candide.datasets.frames import import_pandas

CLASSES = {"motorcycle": 0.25, "private car": 0.55, "professional truck": 0.20}

# log-normal: median in kg, standard deviation of log kg
WEIGHT = {"motorcycle": (200, 0.25), "private car": (1400, 0.20), "professional truck": (9000, 0.50)}
# gamma, given the energy as well: shape, scale (mean = shape · scale)
HORSE_POWER = {
    "motorcycle": {"diesel": (8, 12), "electric": (4, 4), "gas": (8, 12), "petrol": (8, 12)},
    "private car": {"diesel": (14, 10), "electric": (10, 24), "gas": (10, 8), "petrol": (10, 9)},
    "professional truck": {"diesel": (12, 32), "electric": (14, 20), "gas": (12, 26), "petrol": (10, 16)},
}
WHEELS = {
    "motorcycle": {2: 0.93, 3: 0.07},
    "private car": {3: 0.02, 4: 0.98},
    "professional truck": {4: 0.25, 6: 0.40, 8: 0.15, 10: 0.20},
}
SYMBOLS = {
    "color": {
        "motorcycle": {"black": 0.40, "blue": 0.15, "red": 0.30, "white": 0.05, "yellow": 0.10},
        "private car": {"black": 0.30, "blue": 0.25, "red": 0.15, "white": 0.28, "yellow": 0.02},
        "professional truck": {"black": 0.05, "blue": 0.20, "red": 0.15, "white": 0.50, "yellow": 0.10},
    },
    "energy": {
        "motorcycle": {"diesel": 0.00, "electric": 0.10, "gas": 0.00, "petrol": 0.90},
        "private car": {"diesel": 0.35, "electric": 0.15, "gas": 0.05, "petrol": 0.45},
        "professional truck": {"diesel": 0.70, "electric": 0.10, "gas": 0.10, "petrol": 0.10},
    },
    "multimedia": {
        "motorcycle": {"no": 0.95, "yes": 0.05},
        "private car": {"no": 0.30, "yes": 0.70},
        "professional truck": {"no": 0.60, "yes": 0.40},
    },
}
KINDS = {
    "weight": "numeric",
    "color": "categorical",
    "wheels": "count",
    "energy": "categorical",
    "horse_power": "numeric",
    "multimedia": "binary",
    "desk": "categorical",
}


def insurance(n: int = 2000, missing: float = 0.05, seed: int = 0) -> Dataset:
    """Generate requests to be routed to the motorcycle, private car or professional truck desk.

    Weight (kg) is log-normal, horse power gamma, wheels discrete and ordered, color, energy and multimedia
    categorical. Given the class the columns are independent but for two: the horse power depends on the energy,
    P(H | Y, E), as the notes say that it must. An electric motorcycle is weak and an electric car is strong, while
    with petrol the two are alike: `groups=[["energy", "horse_power"]]` with a gamma density is the truth, and horse
    power on its own tells much less. The module's tables hold the parameters. Each cell but the target is then
    missing with probability `missing`.

    Parameters
    ----------
    n : int
        Number of requests.
    missing : float
        Probability of a missing cell, 0 .. 1.
    seed : int

    Examples
    --------
    >>> insurance(100).frame.columns.tolist()
    ['weight', 'color', 'wheels', 'energy', 'horse_power', 'multimedia', 'desk']
    """
    if n < 1 or not 0 <= missing <= 1:
        raise ValueError(f"insurance needs n >= 1 and missing in 0 .. 1, got n={n} and missing={missing}")
    pandas = import_pandas()
    rng = np.random.default_rng(seed)
    desk = rng.choice(list(CLASSES), n, p=list(CLASSES.values()))
    columns: dict[str, np.ndarray] = {}
    for name in KINDS:
        if name == "horse_power":
            columns[name] = _horse_power(rng, desk, columns["energy"])
        elif name != "desk":
            columns[name] = _draw(rng, name, desk)
    frame = pandas.DataFrame(columns)
    for name, tables in SYMBOLS.items():
        frame[name] = frame[name].astype(pandas.CategoricalDtype(list(tables["motorcycle"])))
    frame = frame.mask(rng.random(frame.shape) < missing).assign(desk=desk.astype(object))
    return Dataset("insurance", frame, "desk", f"Insurance requests: {n} rows, made up with seed {seed}", KINDS)


def _draw(rng: np.random.Generator, name: str, desk: np.ndarray) -> np.ndarray:
    """One column: each row from its class's distribution."""
    column = np.empty(len(desk), dtype=object if name in SYMBOLS else float)
    for label in CLASSES:
        rows = desk == label
        column[rows] = _sample(rng, name, label, int(rows.sum()))
    return column


def _horse_power(rng: np.random.Generator, desk: np.ndarray, energy: np.ndarray) -> np.ndarray:
    """Each row from the distribution of its class and energy."""
    shape, scale = np.array([HORSE_POWER[label][e] for label, e in zip(desk, energy, strict=True)], dtype=float).T
    return np.asarray(rng.gamma(shape, scale))


def _sample(rng: np.random.Generator, name: str, label: str, size: int) -> Any:
    if name == "weight":
        median, sigma = WEIGHT[label]
        return median * np.exp(sigma * rng.standard_normal(size))
    table: dict[Any, float] = WHEELS[label] if name == "wheels" else SYMBOLS[name][label]
    return rng.choice(list(table), size, p=list(table.values()))

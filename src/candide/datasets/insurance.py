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
OPENINGS = ("Hello,", "Good morning,", "Dear all,", "Hi there,", "Dear insurance team,")
ASKED = ("I would like an offer for", "please insure", "what would it cost to cover", "can you renew the contract for")
CLOSINGS = ("Thank you.", "Please call me back.", "Best regards", "I need an answer this week.", "")
DETAILS = {
    "motorcycle": (
        "my new bike", "the scooter of my daughter", "a helmet and a sidecar", "my motorbike for the summer",
        "two wheels in a garage", "a ride of 3000 km a year",
    ),
    "private car": (
        "our family car", "the car of my wife", "a used estate with a child seat", "my commute to work",
        "a small city car in a garage", "a drive of 12000 km a year",
    ),
    "professional truck": (
        "a truck of our company", "our fleet of lorries", "a trailer and its cargo", "deliveries to our customers",
        "a driver who is 22 years old", "a van of our company", "90000 km a year on motorways",
    ),
}  # fmt: skip
"""What the messages of requests are made of; an opening, a question, two details and a closing."""

STRAY = 0.15
"""How often a detail is one of another desk's."""

KINDS = {
    "weight": "numeric",
    "color": "categorical",
    "wheels": "count",
    "energy": "categorical",
    "horse_power": "numeric",
    "multimedia": "binary",
    "desk": "categorical",
}


def insurance(n: int = 2000, missing: float = 0.05, seed: int = 0, messages: bool = False) -> Dataset:
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
    messages : bool
        Whether every request has a message as well, a few words of free text; the other columns are the same.

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
    frame = frame.mask(rng.random(frame.shape) < missing)
    kinds = dict(KINDS)
    if messages:
        written = np.array([_message(rng, label) for label in desk.tolist()], dtype=object)
        written[rng.random(n) < missing] = None
        frame["message"] = written
        kinds = {
            **{name: kind for name, kind in KINDS.items() if name != "desk"},
            "message": "text",
            "desk": KINDS["desk"],
        }
    told = f"Insurance requests: {n} rows, made up with seed {seed}"
    return Dataset("insurance", frame.assign(desk=desk.astype(object)), "desk", told, kinds)


def _message(rng: np.random.Generator, label: str) -> str:
    """One message: two details of the desk's own, or now and then of any."""
    details = []
    for _ in range(2):
        kind = str(rng.choice(list(CLASSES))) if rng.random() < STRAY else label
        details.append(str(rng.choice(DETAILS[kind])))
    parts = rng.choice(OPENINGS), rng.choice(ASKED), " and ".join(details) + ".", rng.choice(CLOSINGS)
    return " ".join(str(part) for part in parts).strip()


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

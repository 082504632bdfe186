"""Any change of a file's content behind a fitting checksum ends in a model that works, or in one kind of error."""

from __future__ import annotations

import copy
import random
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.estimator.format.release01 import NAMES, answers, model_file
from tests.estimator.format.sealed import X, Y, payload, sealed

import candide
from candide import NaiveBayes, TunedNB
from candide.combination import Outlier
from candide.discretizers import EqualWidth
from candide.distributions import KDE, Bins, Mixture
from candide.estimator.files import ModelFileError
from candide.smoothing import Dirichlet
from candide.structure import AveragedOneDependence, BayesNetwork, TreeAugmentedNB
from candide.text import TextNB

MUTATIONS = 600

PARAMS: list[dict[str, Any]] = [
    {},
    {"distributions": {"weight": "normal", "wheels": "categorical"}, "groups": [["wheels", "energy", "weight"]]},
    {"distributions": {"weight": "gamma", "wheels": "multinomial"}, "combination": Outlier(0.1)},
    {"distributions": {"weight": Mixture(2), "wheels": Bins(EqualWidth(3))}, "missing": "level"},
    {"distributions": {"weight": KDE()}, "smoothing": "auto", "costs": [[0, 1, 2], [1, 0, 1], [3, 1, 0]]},
    {"smoothing": Dirichlet({"bike": 1, "car": 2.5, "truck": 0}, 0.5), "groups": (("energy", "colour"),)},
    {"schema": NaiveBayes().fit(X, Y).schema_, "prior": {"bike": 0.2, "car": 0.3, "truck": 0.5}},
]

VALUES: list[Any] = [
    *(None, True, -1, 0, 2, 3.5, -0.0, 1e308, -1e308, 2**53, 2**63 - 1, 2**70, 10**18, 10**400, 1e-320),
    *("", "x", "all", "auto", "nan", "object", "<U250000000", "kde", "equal-width(1000000000)", "cells", "levels"),
    *([], {}, [[]], [1], ["a"], {"float": "inf"}, {"tuple": [1]}, {"pairs": [[[1], 2]]}, {"pairs": [["a", 1]] * 2}),
    {"rule": "candide.smoothing.Laplace", "params": {}},
    {"rule": "candide.distributions.Automatic", "params": {}},
    {"rule": "candide.discretizers.EqualWidth", "params": {"k": 10**9}},
    {"rule": "candide.distributions.Mixture", "params": {"starts": 10**9}},
    {"rule": "os.system", "params": {}},
]

deep: Any = 0
for _ in range(600):
    deep = [deep]
VALUES.append(deep)

Step = str | int
Places = list[tuple[Any, Step]]


def places(value: Any) -> Places:
    """Return every place of a JSON value: what holds it, and its key there."""
    found: Places = []
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        found += [(value, key), *places(value[key])]
    return found


def mutate(model: Any, rng: random.Random) -> None:
    """Change one place of a payload."""
    holder, key = rng.choice(places(model))
    old = holder[key]
    other, at = rng.choice(places(model))
    changes = [
        lambda: holder.__setitem__(key, rng.choice(VALUES)),
        lambda: holder.__setitem__(key, copy.deepcopy(other[at])),
        lambda: holder.__delitem__(key),
    ]
    if isinstance(holder, list):
        changes += [lambda: holder.insert(key, old), holder.reverse, lambda: rng.shuffle(holder)]
    if isinstance(old, (int, float)) and not isinstance(old, bool):
        changes.append(lambda: holder.__setitem__(key, rng.choice([old + 1, -old, float(old), 1e300, old + 0.5])))
    if isinstance(old, str):
        changes.append(lambda: holder.__setitem__(key, rng.choice([old + "x", old[1:], old.upper()])))
    if isinstance(old, dict):
        changes.append(
            lambda: old.update({rng.choice(["x", "rule", "kept", "dropped", "missing"]): rng.choice(VALUES)})
        )
    rng.choice(changes)()


def outcome(path: Path, rows: pd.DataFrame) -> str:
    """Return what becomes of a file: anything but a model that answers, or an error of ours, fails the test."""
    try:
        nb = candide.load(path)
    except ModelFileError:
        return "refused"
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            proba = nb.predict_proba(rows)
    except (TypeError, ValueError):  # a parameter that does not fit the data, as `set_params` may give one
        return "refused when used"
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, atol=1e-9)
    return "answers"


def models_of(version: int, tmp_path: Path) -> list[tuple[Any, pd.DataFrame]]:
    """Return the payloads of a version, and rows that their models know."""
    if version == 1:
        small = [name for name in NAMES if name != "grid"]
        return [(payload(model_file(name, tmp_path)), answers(name)[0]) for name in small]
    found = []
    for nb, rows in (*((NaiveBayes(**params).fit(X, Y), X) for params in PARAMS), *others()):
        nb.save(tmp_path / "model.json")
        found.append((payload(tmp_path / "model.json"), rows))
    return found


def others() -> Iterator[tuple[Any, Any]]:
    """Yield models of the other estimators, and rows that they know."""
    rng = np.random.default_rng(0)
    y = rng.choice(["p", "q"], 60)
    table = pd.DataFrame({"n": rng.normal(size=60) + 2 * (y == "p"), "k": rng.choice(["u", "v"], 60)})
    table["m"] = np.where(rng.random(60) < 0.2, "u", table["k"])
    network = BayesNetwork(edges=[("class", "k"), ("class", "m"), ("k", "m"), ("class", "n")])
    for nb in (NaiveBayes(), TunedNB(), TreeAugmentedNB(), AveragedOneDependence(), network):
        yield nb.fit(table, y), table[:9]
    texts = [" ".join(rng.choice(["pay", "now", "free", "lunch", "at", "noon"], 5)) for _ in range(60)]
    yield TextNB().fit(texts, y), texts[:9]


@pytest.mark.parametrize("version", [1, 2])
def test_a_mutation_is_refused_or_answers(version: int, tmp_path: Path) -> None:
    rng, path = random.Random(version), tmp_path / "model.json"
    models = models_of(version, tmp_path)
    heard: Counter[str] = Counter()
    for _ in range(MUTATIONS):
        whole, rows = rng.choice(models)
        model = copy.deepcopy(whole)
        mutate(model, rng)
        path.write_bytes(sealed(model, version))
        heard[outcome(path, rows)] += 1
    assert heard["refused"] > MUTATIONS / 2
    assert heard["answers"] > 0
    assert heard["refused when used"] < MUTATIONS / 20

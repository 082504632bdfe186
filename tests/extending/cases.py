"""A small mixed table, and the laws that hold for every model of it, whatever it is made of."""

from __future__ import annotations

import operator
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tests import laws

import candide

RNG = np.random.default_rng(0)
N = 50
Y = RNG.choice(["p", "q", "r"], N)
X = pd.DataFrame(
    {
        "k": RNG.choice(["u", "v", "w"], N),
        "x": RNG.normal(size=N) * 4 + 9 * (Y == "q"),
        "n": RNG.geometric(0.2 + 0.3 * (Y == "p")) - 1.0,
    }
)
X.loc[::7, "n"] = np.nan
X.loc[::9, "k"] = None


def obeys_the_laws(make: Any, tmp_path: Path) -> None:
    """Any split, merge and forgetting is the whole; a row scores as in a batch, adds up, is left out, and is saved."""
    whole = make().fit(X, Y)
    parts = [np.arange(0, 1), np.arange(30, N), np.arange(1, 30)]
    streamed = make()
    for rows in parts:
        streamed.partial_fit(X.iloc[rows], Y[rows])
    laws.same_model(streamed, whole, X)
    models = [make().fit(X.iloc[rows], Y[rows]) for rows in parts]
    laws.same_model(reduce(operator.add, models), whole, X)
    laws.same_model(whole - models[1], models[0] + models[2], X)
    laws.probabilities(whole, X)
    batch = whole.predict_joint_log_proba(X)
    for row in range(0, N, 5):
        np.testing.assert_allclose(whole.predict_joint_log_proba(X.iloc[[row]])[0], batch[row], rtol=1e-12)
    why = whole.explain(X)
    np.testing.assert_allclose(why.scores, batch if why.additive == "log" else np.exp(batch), rtol=1e-9)
    laws.leaves_one_out(whole, X, Y)
    models[0].save(tmp_path / "model.json")
    again = candide.load(tmp_path / "model.json")
    assert again.get_params() == models[0].get_params()
    for rows in parts[1:]:
        again.partial_fit(X.iloc[rows], Y[rows])
    laws.same_model(again, whole, X)

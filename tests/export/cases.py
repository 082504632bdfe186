"""Models and rows that scorers are proved on: gaps, unseen levels, hostile names, numbers outside supports."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from tests.strategies import NAMED

from candide import NaiveBayes
from candide.distributions.base import BINARY, NONNEGATIVE, POSITIVE, REAL, WHOLE

RNG = np.random.default_rng(7)
N = 400
LABELS = ["no", "ye's", 'a \\ "b"\n']
Y = RNG.choice(LABELS, N, p=[0.5, 0.3, 0.2])
SHIFT = np.array([LABELS.index(label) for label in Y], dtype=float)
HOSTILE = ["u", "v'; DROP TABLE t; --", 'w"', "\\", "x\\'y", "ünï", " ", "`z`"]

NUMBERS = {
    REAL.says: RNG.normal(size=N) + SHIFT,
    POSITIVE.says: RNG.gamma(2.0, 1.0 + SHIFT),
    NONNEGATIVE.says: RNG.exponential(1.0 + SHIFT),
    WHOLE.says: RNG.poisson(2.0 + SHIFT).astype(float),
    BINARY.says: (RNG.random(N) < 0.2 + 0.3 * SHIFT).astype(float),
}


def learning_table(kind: str) -> pd.DataFrame:
    """Return a column of a kind with gaps, one of hostile levels, and one of booleans."""
    rule = NAMED.get(kind)
    symbols = rule is not None and rule.kind == "symbols"
    column = RNG.choice(HOSTILE, N) if symbols else NUMBERS[REAL.says if rule is None else rule.support.says].copy()
    frame = pd.DataFrame({"x": column, 'hostile "name`; --': RNG.choice(HOSTILE, N), "flag": RNG.random(N) < 0.5})
    frame.loc[::7, "x"] = None if symbols else np.nan
    frame.loc[::5, 'hostile "name`; --'] = None
    return frame


def random_rows(frame: pd.DataFrame, n: int, strange: bool = True) -> pd.DataFrame:
    """Return n rows drawn cell by cell, with gaps, unseen levels and numbers that were never seen."""
    rng = np.random.default_rng(11)
    out: dict[str, Any] = {"id": np.arange(n)}
    for name in frame:
        known = frame[name].to_numpy()[rng.integers(0, len(frame), n)]
        if frame[name].dtype == float:
            far = rng.choice([-3.0, -0.5, 0.0, 0.3, 1.0, 2.0, 1e3], n) if strange else known
            column = np.where(rng.random(n) < 0.2, far, known).astype(float)
            column[rng.random(n) < 0.1] = np.nan
        elif frame[name].dtype == bool:
            column = known
        else:
            column = np.where(rng.random(n) < 0.1, "never seen", known).astype(object)
            column[rng.random(n) < 0.1] = None
        out[str(name)] = column
    return pd.DataFrame(out)


def same(found_labels: Any, found: Any, nb: NaiveBayes, rows: pd.DataFrame, tolerance: float = 1e-9) -> None:
    """Labels are those of the model, and log-probabilities within the tolerance."""
    X = rows.drop(columns="id")
    wanted = nb.predict_log_proba(X)
    found = np.asarray(found, dtype=float)
    np.testing.assert_array_equal(np.isneginf(found), np.isneginf(wanted))
    finite = np.isfinite(wanted)
    np.testing.assert_allclose(found[finite], wanted[finite], rtol=tolerance, atol=tolerance)
    if tolerance < 1e-6:
        assert list(found_labels) == nb.predict(X).tolist()

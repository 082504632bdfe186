"""Groups under back-off are softened towards what their columns say apart."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests import laws

from candide import NaiveBayes
from candide.smoothing import Backoff
from candide.smoothing.backoff import STRENGTHS

X = pd.DataFrame({"a": list("xxyyxyxxyz"), "b": list("uvuvuuvvuu")})
Y = np.array(list("ppqqpqpqqp"))


@pytest.mark.parametrize("m", [Fraction(2), Fraction(1, 2)])
def test_the_joint_table_in_fractions(m: Fraction) -> None:
    nb = NaiveBayes(smoothing=Backoff(float(m)), groups=[["a", "b"]]).fit(X, Y)
    seen = sorted(set(zip(X.a, X.b, strict=True)))
    rows = list(zip(X.a, X.b, Y, strict=True))

    def alone(column: int, v: str, c: str) -> Fraction:
        levels = {row[column] for row in rows}
        return Fraction(sum(r[column] == v and r[2] == c for r in rows) + 1, sum(r[2] == c for r in rows) + len(levels))

    theta = nb.model_.describe("a & b")
    for k, c in enumerate("pq"):
        q = {(a, b): alone(0, a, c) * alone(1, b, c) for a, b in seen}
        n = {s: sum(r == (*s, c) for r in rows) for s in seen}
        for s, found in zip(seen, theta.values(), strict=True):
            wanted = (n[s] + m * q[s] / sum(q.values())) / (sum(n.values()) + m)
            assert found[k] == pytest.approx(float(wanted), rel=1e-12)


def test_leaving_a_row_out_is_fitting_without_it() -> None:
    nb = NaiveBayes(smoothing=Backoff(3), groups=[["a", "b"]]).fit(X, Y)
    laws.leaves_one_out(nb, X, Y)
    weight = np.array([1, 2, 0.5, 1, 1, 3, 1, 1, 2, 1])
    laws.leaves_one_out(NaiveBayes(smoothing=Backoff(3), groups=[["a", "b"]]).fit(X, Y, weight), X, Y, weight)


def test_what_was_never_seen_together_in_a_class_takes_after_its_columns() -> None:
    nb = NaiveBayes(smoothing="backoff", groups=[["a", "b"]]).fit(X, Y)
    assert nb.predict_interval(X[:2]).shape == (2, 2, 2)
    theta = nb.model_.describe("a & b")
    np.testing.assert_allclose(sum(theta.values()), 1.0)
    assert len(nb.sample(5, random_state=0)[1]) == 5


def test_the_strength_of_back_off_is_the_one_under_which_rows_left_out_are_most_probable() -> None:
    """Every row left out in turn, by models fitted without it, under each strength that comes into question."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.choice(list("uvw"), 90), "b": rng.choice(list("xyz"), 90)})
    frame.loc[:40, "b"] = frame["a"][:41].map({"u": "x", "v": "y", "w": "z"})
    y = rng.choice(["p", "q"], 90)
    nb = NaiveBayes(smoothing="backoff", groups=[["a", "b"]]).fit(frame, y)

    def score(m: float) -> float:
        given = NaiveBayes(smoothing=Backoff(m), groups=[["a", "b"]], prior="uniform").fit(frame, y)
        schema, total = given.schema_, 0.0
        for i in range(len(frame)):
            rest = np.arange(len(frame)) != i
            less = NaiveBayes(smoothing=Backoff(m), groups=[["a", "b"]], prior="uniform", schema=schema)
            joint = less.fit(frame[rest], y[rest]).predict_joint_log_proba(frame[i : i + 1])[0]
            total += joint[["p", "q"].index(y[i])]
        return total

    best = max(STRENGTHS, key=score)
    assert nb.model_.settled.smoothing == Backoff(best)
    assert nb.set_params(smoothing=Backoff(best)).model_.settled.smoothing == Backoff(best)

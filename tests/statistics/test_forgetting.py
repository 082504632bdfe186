"""What was learnt can be forgotten, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from tests import laws

from candide import NaiveBayes
from candide.statistics.forgetting import PrecisionWarning
from candide.text import TextNB

DENSITIES = ["normal", "gamma", "lognormal", "exponential", "student"]


@pytest.mark.parametrize("rule", DENSITIES)
@pytest.mark.parametrize(
    ("rows", "y", "why"),
    [
        ([[100.0]], ["p"], "what is left of p would have a negative variance"),
        ([[1.0], [4.0]], ["p", "q"], "q learnt 3 alone"),
        ([[1.5]], ["p"], "one row is left of p, and cannot differ from itself"),
        ([[1.0], [1.0]], ["p", "p"], "nothing is left of p, and its mean was another"),
        ([[0.5], [2.5]], ["p", "p"], "nothing is left of p, and its variance was another"),
        ([[7.0]], ["r"], "r learnt 4 twice"),
    ],
)
def test_numbers_never_learnt_cannot_be_forgotten(rule: str, rows: list[list[float]], y: list[str], why: str) -> None:
    nb = NaiveBayes(distributions=rule).fit([[1.0], [2.0], [3.0], [4.0], [4.0]], ["p", "p", "q", "r", "r"])
    before = laws.numbers(nb)
    with pytest.raises(ValueError, match=rf"cannot forget these numbers in column 0 for class '{y[-1]}'"):
        nb.forget(rows, y)
    assert laws.numbers(nb) == before, why


@pytest.mark.parametrize("rule", DENSITIES)
@pytest.mark.parametrize("unit", [1.0, 1e-8, 1e8])
@pytest.mark.parametrize("offset", [0.1, 1e3, 1e9])
def test_rows_learnt_in_any_order_and_unit_can_be_forgotten(rule: str, unit: float, offset: float) -> None:
    rng = np.random.default_rng(0)
    X = (rng.gamma(2.0, size=(300, 2)).round(2) + offset) * unit
    y, weight = rng.integers(0, 3, 300), rng.choice([0.1, 0.3, 1.0, 2.5], 300)
    for w in (None, weight):
        nb = NaiveBayes(distributions=rule)
        for part in np.array_split(rng.permutation(300), 60):
            nb.partial_fit(X[part], y[part], sample_weight=None if w is None else w[part])
        order = rng.permutation(300)
        for part in np.array_split(order[:290], 40):
            nb.forget(X[part], y[part], None if w is None else w[part])
        assert nb.class_counts_.sum() == pytest.approx(10 if w is None else w[order[290:]].sum())


@pytest.mark.parametrize("weight", [1, 0.1])
@pytest.mark.parametrize("rule", [*DENSITIES, "poisson", "kde", "text"])
def test_cells_that_were_never_missing_cannot_be_forgotten_as_such(rule: str, weight: float) -> None:
    cells = ["a first one", "a second one", "", "more"] if rule == "text" else [1.0, 2.0, 3.0, 4.0]
    X, y = np.array(cells, dtype=object)[:, None], ["p", "p", "q", "q"]
    nb = NaiveBayes(distributions=rule, missing="level").fit(X, y, sample_weight=[weight] * 4)
    before = nb.statistics_
    with pytest.raises(ValueError, match=r"cannot forget .*class 'p'"):
        nb.forget([[None]], ["p"], sample_weight=[weight])
    assert nb.statistics_ is before


@pytest.mark.parametrize("weight", [1, 0.1])
@pytest.mark.parametrize("none", [0, 1])
def test_a_document_without_words_is_not_one_that_has_some(weight: float, none: int) -> None:
    """Without the one, more documents would hold "car" than there are, and the odds of it were those of no number."""
    texts, y = [*["a car", "the car"], *[None] * none, "a bike"], [*["p", "p"], *["p"] * none, "q"]
    nb = TextNB(event_model="bernoulli").fit(texts, y, sample_weight=[weight] * len(y))
    before = nb.statistics_
    with pytest.raises(ValueError, match="cannot forget these rows of class 'p': more rows of column 0 would be left"):
        nb.forget([""], ["p"], sample_weight=[weight])
    assert nb.statistics_ is before
    assert np.isfinite(nb.forget(["a car"], ["p"], sample_weight=[weight]).predict_log_proba(["car"])).all()


@pytest.mark.parametrize("seed", range(4))
def test_documents_of_uneven_weights_can_be_forgotten_in_any_order(seed: int) -> None:
    """What is left of a word that weighed a hundred has the rounding of a hundred, where a hundredth is taken off."""
    rng = np.random.default_rng(seed)
    texts = np.array([" ".join(f"w{i}" for i in rng.integers(0, 8, 4)) for _ in range(200)], dtype=object)
    y, weight = rng.choice(["p", "q"], 200), rng.random(200) * 10.0 ** rng.integers(-2, 3, 200)
    nb = TextNB(event_model="multinomial")
    for part in np.array_split(rng.permutation(200), 20):
        nb.partial_fit(texts[part], y[part], sample_weight=weight[part])
    order = rng.permutation(200)
    for part in np.array_split(order[:190], 7):
        nb.forget(texts[part], y[part], sample_weight=weight[part])
    left = TextNB(event_model="multinomial").fit(texts[order[190:]], y[order[190:]], sample_weight=weight[order[190:]])
    np.testing.assert_allclose(nb.predict_proba(texts), left.predict_proba(texts), rtol=1e-6)


@pytest.mark.parametrize("rule", ["auto", "categorical", "bernoulli", "bins", "normal", "multinomial"])
@pytest.mark.parametrize("seed", range(3))
def test_rows_of_uneven_weights_can_be_forgotten_in_any_order(rule: str, seed: int) -> None:
    """What is left of a level that weighed a hundred has the rounding of a hundred, where a hundredth is taken off."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2 if rule == "bernoulli" else 8, (200, 4)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y, weight = rng.choice(["p", "q"], 200), rng.random(200) * 10.0 ** rng.integers(-2, 3, 200)
    nb = NaiveBayes(distributions=rule)
    for part in np.array_split(rng.permutation(200), 20):
        nb.partial_fit(X[part], y[part], sample_weight=weight[part])
    order = rng.permutation(200)
    for part in np.array_split(order[:190], 7):
        nb.forget(X[part], y[part], sample_weight=weight[part])
    rest = order[190:]
    left = NaiveBayes(distributions=rule).fit(X[rest], y[rest], sample_weight=weight[rest])
    np.testing.assert_allclose(nb.class_counts_, left.class_counts_, rtol=1e-9)
    if rule in {"auto", "categorical", "bins"}:
        np.testing.assert_array_equal(nb.statistics_["cells"].table > 0, left.statistics_["cells"].table > 0)
    nb.forget(X[rest], y[rest], sample_weight=weight[rest])
    assert not len(nb.class_counts_)


def test_columns_of_small_units_are_told_by_their_own_rounding() -> None:
    X, y = np.array([[1e12, 1e-9], [3e12, 2e-9], [2e12, 4e-9]]), [0, 0, 0]
    nb = NaiveBayes(distributions="multinomial").fit(X, y, sample_weight=[0.5] * 3).forget(X[:1], y[:1], [0.5])
    np.testing.assert_allclose(nb.statistics_["totals"].table, [[2.5e12, 3e-9]], rtol=1e-12)


def test_a_light_row_stays_while_heavy_ones_are_forgotten() -> None:
    X, y = [["a"], ["b"], ["a"]], ["p"] * 3
    nb = NaiveBayes().fit(X, y, sample_weight=[1e9, 0.25, 1e9]).forget(X[:1], y[:1], sample_weight=[1e9])
    assert nb.statistics_["cells"].table.tolist() == [[0.0, 1e9, 0.25]]


@pytest.mark.parametrize("unit", [1e-151, 1e-159, 1e-200])
def test_numbers_whose_squares_vanish_are_warned_of(unit: float) -> None:
    X = np.array([[1.0, 1.0], [2.0, 3.0], [5.0, 2.0], [6.0, 4.0]]) * [unit, 1.0]
    with pytest.warns(PrecisionWarning, match="column 0 holds numbers below 1e-150"):
        NaiveBayes(distributions="normal").fit(X, [0, 0, 1, 1])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "column", [[0.0] * 4, [1e-200] * 4, [1e-149, 2e-149, 5e-149, 6e-149], [1e-200, 0.0, 1e-200, 1.0]]
)
def test_numbers_with_squares_and_zeros_are_not_warned_of(column: list[float]) -> None:
    NaiveBayes(distributions="normal").fit(np.array(column)[:, None], [0, 0, 1, 1])

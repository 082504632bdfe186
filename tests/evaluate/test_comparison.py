"""compare against SciPy's tests and the correction worked by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from candide.evaluate import compare

INF = float("inf")


def results(a, b, metric="accuracy", **extra):
    lines = [
        {"model": name, "repeat": 0, "fold": j, "n_train": 90, "n_test": 10, metric: value}
        for name, side in (("a", a), ("b", b))
        for j, value in enumerate(side)
    ]
    return pd.DataFrame(lines).assign(**extra)


scores = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=30)


@given(scores)
def test_the_paired_t_test_is_scipys(pairs):
    a, b = map(np.array, zip(*pairs, strict=True))
    assume(np.ptp(a - b) > 1e-6)
    got = compare(results(a, b), "a", "b")
    expected = stats.ttest_rel(a, b)
    assert got["t"] == pytest.approx(expected.statistic)
    assert got["p_value"] == pytest.approx(expected.pvalue)
    assert got["significance"] == pytest.approx(1 - stats.ttest_rel(a, b, alternative="greater").pvalue)
    assert got["difference"] == pytest.approx(np.mean(a - b))


def test_the_corrected_test_by_hand():
    a, b = np.array([0.8, 0.9, 0.7, 0.8]), np.array([0.7, 0.8, 0.7, 0.6])
    d = a - b  # 0.1, 0.1, 0, 0.2: mean 0.1, variance 0.02 / 3
    got = compare(results(a, b), "a", "b")
    t = 0.1 / np.sqrt((1 / 4 + 10 / 90) * 0.02 / 3)
    assert d.var(ddof=1) == pytest.approx(0.02 / 3)
    assert got["corrected_t"] == pytest.approx(t)
    assert got["corrected_p_value"] == pytest.approx(2 * stats.t.sf(t, 3))
    assert got["corrected_p_value"] > got["p_value"]
    assert (got["wins"], got["ties"], got["losses"]) == (3, 1, 0)
    assert np.isnan(got["wilcoxon_p_value"])
    assert (got["pairs"], got["n"]) == ("folds", 4)


def test_a_smaller_loss_is_a_win():
    got = compare(results([1.0, 2.0, 3.5], [2.0, 2.0, 5.0], "log_loss"), "a", "b", metric="log_loss")
    assert (got["wins"], got["ties"], got["losses"]) == (2, 1, 0)
    assert got["t"] < 0
    assert got["significance"] > 0.5


def test_equal_models_are_equal():
    got = compare(results([0.5, 0.6], [0.5, 0.6]), "a", "b")
    assert (got["difference"], got["t"], got["p_value"], got["corrected_p_value"]) == (0, 0, 1, 1)
    assert got["ties"] == 2


def test_scores_equal_but_for_rounding_tie():
    folds = [0.1, 0.2, 0.3]
    a, b = (
        pd.concat([results(f, f).assign(dataset="x"), results(f, f).assign(dataset="y")]) for f in (folds, folds[::-1])
    )
    both = pd.concat([a[a["model"] == "a"], b[b["model"] == "b"]])
    assert np.mean(folds) != np.mean(folds[::-1])
    assert compare(both, "a", "b")["ties"] == 2


def test_infinite_scores_tie_with_each_other_and_lose_to_any_finite_one():
    got = compare(results([INF, 3.0, 2.0], [INF, INF, 2.5], "log_score"), "a", "b", metric="log_score")
    assert got["difference"] == -INF
    assert np.isnan(got["t"])
    assert np.isnan(got["p_value"])
    assert (got["wins"], got["ties"], got["losses"]) == (2, 1, 0)


def over_sets(a, b, metric="accuracy"):
    return pd.concat(
        [results([x, x], [y, y], metric, dataset=f"d{j}") for j, (x, y) in enumerate(zip(a, b, strict=True))]
    )


@given(st.integers(0, 50))
def test_over_data_sets_wilcoxon_is_scipys_over_their_means(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, 12))
    got = compare(over_sets(a, b), "a", "b")
    expected = stats.wilcoxon(a, b)
    assert (got["pairs"], got["n"]) == ("datasets", 12)
    assert got["wilcoxon"] == pytest.approx(expected.statistic)
    assert got["wilcoxon_p_value"] == pytest.approx(expected.pvalue)
    assert got["t"] == pytest.approx(stats.ttest_rel(a, b).statistic)
    assert np.isnan(got["corrected_p_value"])


def test_over_data_sets_an_infinite_difference_has_the_greatest_rank():
    a, b = [1.0, 2.0, 3.0, 4.0, 9.0, INF], [INF, 4.0, 6.0, 8.0, 8.0, INF]
    got = compare(over_sets(a, b, "log_score"), "a", "b", "log_score")
    expected = stats.wilcoxon([-100.0, -2, -3, -4, 1])
    assert got["wilcoxon_p_value"] == pytest.approx(expected.pvalue)
    assert (got["wins"], got["ties"], got["losses"]) == (4, 1, 1)


def test_wrong_names_and_unpaired_folds_are_refused():
    table = results([0.5, 0.6], [0.5, 0.6])
    with pytest.raises(ValueError, match="no model 'c'; there are 'a', 'b'"):
        compare(table, "a", "c")
    with pytest.raises(ValueError, match="no column 'acuracy'; did you mean 'accuracy'"):
        compare(table, "a", "b", "acuracy")
    with pytest.raises(ValueError, match="no column 'auc'"):
        compare(table, "a", "b", "auc")
    with pytest.raises(ValueError, match="same folds"):
        compare(table.iloc[:-1], "a", "b")


def test_differences_that_are_equal_but_for_rounding_have_an_infinite_t():
    rows = np.array([60, 60, 60, 40, 40])  # 55 % of the rows of every fold, which no binary number is
    found = compare(results(rows / rows, np.array([33, 33, 33, 22, 22]) / rows), "a", "b")
    assert found["t"] == found["corrected_t"] == INF
    assert found["p_value"] == found["corrected_p_value"] == 0.0
    uneven = np.array([0.1 + 0.2, 0.3, 0.3])
    assert compare(results(uneven, np.zeros(3)), "a", "b")["t"] == INF

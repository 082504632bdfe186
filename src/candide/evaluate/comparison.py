"""compare: is one model better than another, over folds or over data sets?"""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.datasets.frames import import_pandas
from candide.evaluate.metrics import greater_is_better
from candide.messages import unknown

EQUAL_SCORES = 1e-12  # equal scores, averaged in another order, differ by less than this part
NO_NUMBER = float("nan")  # of a test that does not apply


def compare(results: Any, a: str, b: str, metric: str = "accuracy") -> Any:
    """Compare model `a` with model `b` in pairs.

    The pairs are the folds. If the results hold a column `dataset` with more than one value, the pairs are
    the data sets, each by its mean over folds: folds of one set are alike, sets are not.

    With d_j = a_j − b_j over J pairs, t = mean(d) / sqrt(var(d) / J), with J − 1 degrees of freedom. Folds
    share learning rows, so that t is too sure of itself: the corrected resampled t-test (Nadeau and Bengio
    2003) has 1/J + n_test/n_train in the place of 1/J.

    Parameters
    ----------
    results : pandas.DataFrame
        From `cross_validate`; stack several with a column `dataset`.
    a, b : str
        Names of models.
    metric : str
        A column of scores. Two infinite scores are equal; one makes an infinite difference, which has no t.

    Returns
    -------
    pandas.Series
        a, b, metric, pairs ("folds" or "datasets"), n; mean_a, mean_b, difference (a − b); t, p_value
        (two-sided), significance (probability, by the one-sided t-test, that a is better); corrected_t,
        corrected_p_value (folds only); wilcoxon, wilcoxon_p_value (data sets only); wins, ties, losses of a.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from candide.evaluate import cross_validate
    >>> results = cross_validate({"nb": GaussianNB(), "none": DummyClassifier()}, *load_iris(return_X_y=True))
    >>> found = compare(results, "nb", "none")
    >>> found.wins, found.losses, found.corrected_p_value < 0.001
    (10, 0, True)
    """
    table = pairs(results, a, b, metric)
    over_sets = "dataset" in table.columns and table["dataset"].nunique() > 1
    if over_sets:
        table = table.groupby("dataset", sort=False)[["a", "b"]].mean()
    difference = differences(table["a"].to_numpy(), table["b"].to_numpy())
    greater = greater_is_better(metric)
    ratio = NO_NUMBER if over_sets else float((table["n_test"] / table["n_train"]).mean())
    return import_pandas().Series(
        {"a": a, "b": b, "metric": metric, "pairs": "datasets" if over_sets else "folds", "n": len(difference)}
        | {"mean_a": float(table["a"].mean()), "mean_b": float(table["b"].mean()), "difference": _mean(difference)}
        | t_tests(difference, ratio, greater)
        | wilcoxon_test(difference if over_sets else None)
        | wins(difference if greater else -difference)
    )


def pairs(results: Any, a: str, b: str, metric: str) -> Any:
    """Rows that hold both models' scores on the same fold, as columns a and b."""
    if metric not in results.columns:
        raise ValueError(f"of the results {unknown('column', metric, list(map(str, results.columns)))}")
    known = list(results["model"].unique())
    for name in (a, b):
        if name not in known:
            raise ValueError(f"of the results {unknown('model', name, known)}")
    keys = [key for key in ("dataset", "size", "repeat", "fold") if key in results.columns]
    sides = [
        results.loc[results["model"] == name, [*keys, "n_train", "n_test", metric]].rename(columns={metric: side})
        for name, side in ((a, "a"), (b, "b"))
    ]
    both = sides[0].merge(sides[1].drop(columns=["n_train", "n_test"]), on=keys, validate="one_to_one")
    if len(both) != len(sides[0]) or len(both) != len(sides[1]):
        raise ValueError(f"models {a!r} and {b!r} were not scored on the same folds")
    return both


def differences(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a − b, where equal infinities, and numbers equal but for rounding, differ by zero."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isclose(a, b, rtol=EQUAL_SCORES, atol=0), 0.0, a - b)


def t_test(difference: np.ndarray, factor: float, greater: bool = True) -> tuple[float, float, float]:
    """Student's t of paired differences: (t, two-sided p, probability that the first is better).

    t = mean(d) / sqrt(factor · var(d)); the factor is 1/J for the paired test.
    """
    from scipy import stats

    n = len(difference)
    if n < 2 or not np.isfinite(difference).all() or np.isnan(factor):
        return NO_NUMBER, NO_NUMBER, NO_NUMBER
    mean, scale = difference.mean(), np.sqrt(factor * difference.var(ddof=1))
    if np.ptp(difference) <= EQUAL_SCORES * abs(mean):  # the same in all pairs, but for rounding
        t = 0.0 if mean == 0 else float(np.copysign(np.inf, mean))
    else:
        t = float(mean / scale)
    better = t if greater else -t
    return t, float(2 * stats.t.sf(abs(t), n - 1)), float(stats.t.cdf(better, n - 1))


def t_tests(difference: np.ndarray, ratio: float, greater: bool) -> dict[str, float]:
    """Student's t of paired differences, as it is and corrected for folds that share learning rows."""
    n = len(difference)
    names = ("t", "p_value", "significance"), ("corrected_t", "corrected_p_value")
    plain, corrected = t_test(difference, 1 / n, greater), t_test(difference, 1 / n + ratio, greater)
    return dict(zip(names[0], plain, strict=True)) | dict(zip(names[1], corrected[:2], strict=True))


def wins(gain: np.ndarray) -> dict[str, int]:
    """Count the pairs in which the first is better, equal, worse."""
    return {"wins": int((gain > 0).sum()), "ties": int((gain == 0).sum()), "losses": int((gain < 0).sum())}


def wilcoxon_test(difference: np.ndarray | None) -> dict[str, float]:
    """Wilcoxon's signed-rank test; an infinite difference has the greatest rank. Without differences, no number."""
    from scipy import stats

    if difference is None:
        return {"wilcoxon": NO_NUMBER, "wilcoxon_p_value": NO_NUMBER}
    if not np.any(difference):
        return {"wilcoxon": 0.0, "wilcoxon_p_value": 1.0}
    # ranks only see the order, so any number beyond the finite differences stands for an infinite one
    finite = np.abs(difference[np.isfinite(difference)])
    beyond = 1 + finite.max(initial=0.0)
    found = stats.wilcoxon(np.clip(difference, -beyond, beyond), zero_method="wilcox", method="auto")
    return {"wilcoxon": float(found.statistic), "wilcoxon_p_value": float(found.pvalue)}


def _mean(difference: np.ndarray) -> float:
    """Mean; infinite differences of both signs have none."""
    with np.errstate(invalid="ignore"):
        return float(difference.mean())

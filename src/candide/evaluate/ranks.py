"""Mean ranks over data sets, and how far apart they must be: Friedman and Nemenyi, after Demšar (2006)."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.evaluate.metrics import greater_is_better


def mean_ranks(results: Any, metric: str = "accuracy") -> Any:
    """Mean rank of every model over data sets (1 is the best; ties share their ranks), best first.

    Parameters
    ----------
    results : pandas.DataFrame
        Results of `cross_validate`, stacked with a column `dataset`.
    metric : str

    Returns
    -------
    pandas.Series
        Indexed by model.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("x", "a", 0.9), ("x", "b", 0.8), ("y", "a", 0.7), ("y", "b", 0.7)]
    >>> mean_ranks(pd.DataFrame(rows, columns=["dataset", "model", "accuracy"])).to_dict()
    {'a': 1.25, 'b': 1.75}
    """
    if "dataset" not in results.columns:
        raise ValueError("ranks are taken over data sets: the results need a column 'dataset'")
    table = results.groupby(["dataset", "model"])[metric].mean().unstack("model")
    if table.isna().any(axis=None):
        raise ValueError(f"every model needs a {metric} on every data set")
    return table.rank(axis=1, ascending=not greater_is_better(metric)).mean().sort_values(kind="stable")


def critical_difference(n_models: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Difference of mean ranks above which two of k models differ: q_alpha · sqrt(k (k + 1) / (6 N)).

    q_alpha is the quantile of the studentized range (infinite degrees of freedom) divided by sqrt(2).

    Examples
    --------
    >>> critical_difference(4, 14, alpha=0.05)
    1.25
    """
    from scipy import stats

    q = stats.studentized_range.ppf(1 - alpha, n_models, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_models * (n_models + 1) / (6 * n_datasets)))

"""Scikit-learn's way with words and with mixed frames."""

from typing import Any

from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder

BINS = 10


def encoded() -> Any:
    """Words coded for CategoricalNB."""
    return make_pipeline(OrdinalEncoder(), CategoricalNB())


def mixed() -> Any:
    """Numbers in equally frequent bins, words coded, gaps filled."""
    bins = KBinsDiscretizer(BINS, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf")
    words = make_pipeline(SimpleImputer(strategy="most_frequent", missing_values=None), OrdinalEncoder())
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), bins), make_column_selector(dtype_include="number")),
        (words, make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(columns, CategoricalNB())

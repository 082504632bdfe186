"""The classifiers that are compared on a table, by name."""

from typing import Any

from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder

from candide import NaiveBayes
from candide.discretizers import Entropy, EqualFrequency, EqualWidth
from candide.distributions import Bins

AUTO = "auto"
NUMBERS, SYMBOLS = make_column_selector(dtype_include="number"), make_column_selector(dtype_exclude="number")
BINS = 10


def ours() -> dict[str, Any]:
    """Return the automatic choice, and one method for all numeric columns."""
    single = {
        "equal width": Bins(EqualWidth(BINS)),
        "equal frequency": Bins(EqualFrequency(BINS)),
        "entropy": Bins(Entropy()),
        "normal": "normal",
    }
    return {AUTO: NaiveBayes()} | {name: NaiveBayes(distributions=rule) for name, rule in single.items()}


def theirs(most: int) -> dict[str, Any]:
    """Return scikit-learn's pipelines for columns of at most so many categories."""
    return {
        "GaussianNB": gaussian(),
        "KBins uniform": binned("uniform", most),
        "KBins quantile": binned("quantile", most),
    }


def gaussian() -> Any:
    """Return GaussianNB, categories one-hot, gaps filled."""
    symbols = make_pipeline(filled(), OneHotEncoder(handle_unknown="ignore", sparse_output=False))
    return make_pipeline(ColumnTransformer([("n", SimpleImputer(), NUMBERS), ("s", symbols, SYMBOLS)]), GaussianNB())


def binned(strategy: str, most: int) -> Any:
    """Return KBinsDiscretizer and CategoricalNB, categories coded, gaps filled."""
    options = {"quantile_method": "averaged_inverted_cdf"} if strategy == "quantile" else {}
    bins = KBinsDiscretizer(BINS, encode="ordinal", strategy=strategy, subsample=None, **options)
    symbols = make_pipeline(filled(), OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=most))
    columns = ColumnTransformer([("n", make_pipeline(SimpleImputer(), bins), NUMBERS), ("s", symbols, SYMBOLS)])
    return make_pipeline(columns, CategoricalNB(min_categories=max(most + 1, BINS)))


def filled() -> Any:
    """Return what writes a word of its own where a category is missing."""
    return SimpleImputer(strategy="constant", fill_value="missing")


def prepared(X: Any) -> tuple[Any, int]:
    """Return the frame with categories as plain objects, as scikit-learn reads them, and the most of a column."""
    symbols = X.columns.difference(X.select_dtypes("number").columns)
    most = max((X[name].nunique() + 1 for name in symbols), default=1)
    return X.assign(**{name: X[name].astype(object) for name in symbols}), most

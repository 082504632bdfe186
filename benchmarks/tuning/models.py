"""The models that are compared: all get the same frames, with categories as categories and holes as holes."""

from typing import Any

import numpy as np

TUNED, PLAIN, TEMPERATURE = "TunedNB", "NaiveBayes", "temperature"
BOOSTED, LOGISTIC, ADDITIVE = "LightGBM", "logistic", "EBM"


def made(name: str) -> Any:
    """Return an untaught model of this name."""
    from candide import NaiveBayes, TunedNB

    own = {
        TUNED: TunedNB,
        PLAIN: NaiveBayes,
        TEMPERATURE: lambda: NaiveBayes(weights="temperature", missing="level"),
    }
    return own[name]() if name in own else OTHERS[name]()


def boosted() -> Any:
    """LightGBM as it comes, on one thread, so that processor seconds are its work."""
    from lightgbm import LGBMClassifier

    return Coded(LGBMClassifier(n_jobs=1, verbose=-1))


def logistic() -> Any:
    """Logistic regression on standardised numbers and indicator columns."""
    from sklearn.compose import ColumnTransformer, make_column_selector
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    symbols = OneHotEncoder(handle_unknown="ignore", min_frequency=1)
    columns = ColumnTransformer(
        [
            ("numbers", numbers, make_column_selector(dtype_include="number")),
            ("symbols", symbols, make_column_selector(dtype_exclude="number")),
        ]
    )
    return Texts(make_pipeline(columns, LogisticRegression(max_iter=1000)))


def additive() -> Any:
    """The additive model of `interpret`, on one core."""
    from interpret.glassbox import ExplainableBoostingClassifier

    return Texts(ExplainableBoostingClassifier(n_jobs=1, random_state=0))


class Coded:
    """Gives text as categories, of those seen while learning."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def fit(self, X: Any, y: Any) -> "Coded":
        self.levels = {n: sorted(map(str, X[n].dropna().unique())) for n in X if X[n].dtype.kind not in "iufb"}
        self.inner.fit(self._coded(X), y)
        self.classes_ = self.inner.classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        return self.inner.predict_proba(self._coded(X))

    def _coded(self, X: Any) -> Any:
        import pandas as pd

        out = {
            f"c{i}": pd.Categorical(X[n].astype(object).map(str, na_action="ignore"), self.levels[n])
            if n in self.levels
            else X[n].to_numpy(dtype=float)
            for i, n in enumerate(X)
        }
        return pd.DataFrame(out)


class Texts:
    """Gives categories as text, a missing one as a text of its own."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def fit(self, X: Any, y: Any) -> "Texts":
        self.inner.fit(self._texts(X), y)
        self.classes_ = self.inner.classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        return self.inner.predict_proba(self._texts(X))

    def _texts(self, X: Any) -> Any:
        import pandas as pd

        text = {n for n in X if X[n].dtype.kind not in "iufb"}
        return pd.DataFrame({
            str(n): X[n].astype(object).where(X[n].notna(), "(missing)").astype(str).to_numpy() if n in text
            else X[n].to_numpy(dtype=np.float64) for n in X
        })  # fmt: skip


OTHERS = {BOOSTED: boosted, LOGISTIC: logistic, ADDITIVE: additive}

"""The automatic choice against single methods and scikit-learn: `python -m benchmarks.automatic_choice --help`.

Ten stratified folds of every data set (those of papers 000 and 001 unless named), Laplace smoothing throughout. One row
per data set: accuracy in percent / log-loss in nats. The last columns compare with the best of scikit-learn's pipelines
on the set: the difference and its standard error over the folds; a plus where it is no worse within one standard error.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder

from candide import NaiveBayes
from candide.datasets import load
from candide.discretizers import Entropy, EqualFrequency, EqualWidth
from candide.distributions import Bins
from candide.evaluate import cross_validate

PAPER_000 = ["adult", "breast", "car", "chess", "cleve", "crx", "glass", "iris", "letter", "mushroom", "nursery"]
PAPER_000 += ["optdigits", "pima", "soybean", "votes"]
PAPER_001 = ["glass", "ionosphere", "iris", "letter", "liver", "new_thyroid", "pendigits", "pima", "segmentation"]
PAPER_001 += ["sonar", "vehicle", "vowel", "wdbc", "wine", "wpbc"]
PAPERS = sorted({*PAPER_000, *PAPER_001})
SINGLE = {
    "equal width": Bins(EqualWidth(10)),
    "equal frequency": Bins(EqualFrequency(10)),
    "entropy": Bins(Entropy()),
    "normal": "normal",
}
NUMBERS, SYMBOLS = make_column_selector(dtype_include="number"), make_column_selector(dtype_exclude="number")


def gaussian():
    """Return GaussianNB, categories one-hot, gaps filled."""
    symbols = make_pipeline(filled(), OneHotEncoder(handle_unknown="ignore", sparse_output=False))
    return make_pipeline(ColumnTransformer([("n", SimpleImputer(), NUMBERS), ("s", symbols, SYMBOLS)]), GaussianNB())


def binned(strategy, most):
    """Return KBinsDiscretizer(10) and CategoricalNB, categories coded, gaps filled."""
    options = {"quantile_method": "averaged_inverted_cdf"} if strategy == "quantile" else {}
    bins = KBinsDiscretizer(10, encode="ordinal", strategy=strategy, subsample=None, **options)
    symbols = make_pipeline(filled(), OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=most))
    columns = ColumnTransformer([("n", make_pipeline(SimpleImputer(), bins), NUMBERS), ("s", symbols, SYMBOLS)])
    return make_pipeline(columns, CategoricalNB(min_categories=max(most + 1, 10)))


def filled():
    return SimpleImputer(strategy="constant", fill_value="missing")


def models(most):
    ours = {"auto": NaiveBayes()}
    ours |= {name: NaiveBayes(distributions=rule) for name, rule in SINGLE.items()}
    theirs = {
        "GaussianNB": gaussian(),
        "KBins uniform": binned("uniform", most),
        "KBins quantile": binned("quantile", most),
    }
    return ours, theirs


def prepared(X):
    """Return the frame with categories as plain objects, and the most categories of a column."""
    symbols = X.columns.difference(X.select_dtypes("number").columns)
    most = max((X[name].nunique() + 1 for name in symbols), default=1)
    return X.assign(**{name: X[name].astype(object) for name in symbols}), most


def measure(name, folds):
    """Return {model: (folds, 2)} of accuracy and log-loss, ours and theirs."""
    data = load(name)
    X, most = prepared(data.X)
    ours, theirs = models(most)
    out = []
    for group, frame in ((ours, data.X), (theirs, X)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn's, on constant columns and bins that coincide
            results = cross_validate(group, frame, data.y, folds=folds, seed=0, n_jobs=1)
        out.append({m: part[["accuracy", "log_loss"]].to_numpy() for m, part in results.groupby("model", sort=False)})
    return out


def against(ours, theirs, column, sign):
    """Compare with the best of theirs on one measure: mean difference, standard error, verdict."""
    best = max(theirs.values(), key=lambda folds: sign * folds[:, column].mean())
    difference = sign * (ours[:, column] - best[:, column])
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    mean = difference.mean()
    return mean, error, mean >= -error


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=PAPERS)
    parser.add_argument("-o", "--out", type=Path)
    parser.add_argument("--folds", type=int, default=10)
    arguments = parser.parse_args()
    ours, theirs = models(1)
    lines = [f"| data | {' | '.join([*ours, *theirs])} | accuracy, auto − best of scikit-learn | log-loss, gained |"]
    lines.append("|" + "---|" * (len(ours) + len(theirs) + 3))
    table, verdicts = [], []
    for name in arguments.names:
        mine, other = measure(name, arguments.folds)
        means = [folds.mean(axis=0) for folds in (*mine.values(), *other.values())]
        table.append(means)
        marks = []
        for column, sign, unit in ((0, 1, 100), (1, -1, 1)):
            mean, error, good = against(mine["auto"], other, column, sign)
            marks.append((good, f"{mean * unit:+.2f} ± {error * unit:.2f} {'+' if good else '−'}"))
        verdicts.append([good for good, _ in marks])
        cells = [f"{100 * a:.1f} / {loss:.3f}" for a, loss in means] + [text for _, text in marks]
        lines.append(f"| {name} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    means = np.mean(table, axis=0)
    share = np.mean(verdicts, axis=0)
    cells = [f"{100 * a:.2f} / {loss:.4f}" for a, loss in means] + [f"{s:.0%} no worse" for s in share]
    lines.append(f"| mean of {len(table)} | {' | '.join(cells)} |")
    print("\n".join(lines))
    if arguments.out:
        arguments.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

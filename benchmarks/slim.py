"""What slim models cost and save: their size beside the whole file's, and how far off their answers are.

python -m benchmarks.slim [--out benchmarks/results/slim.md]    (the data sets are those of CANDIDE_DATA)
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.text.documents import collection
from candide import NaiveBayes, TunedNB
from candide.datasets import load
from candide.estimator.slim.intervals import has_curves
from candide.estimator.slim.slimming import size
from candide.presets import RobustNB, SummationNB
from candide.structure import AveragedOneDependence, BayesNetwork, TreeAugmentedNB
from candide.text import TextNB

SETS = ("adult", "bank", "mushroom", "pendigits", "letter")
OF_NUMBERS = ("pendigits", "letter", "numbers")
"""Tables of which normal densities are made as well."""
DECLARED = ("adult", "bank", "wine", "iris", "pendigits", "letter", "vehicle", "glass", "pima", "optdigits")
"""Tables whose columns of numbers are all told by one density; constants were chosen on the last four."""
CURVED = ("kde", "mixture")
RULES = (*CURVED, "student", "exponential", "gamma", "poisson", "lognormal", "normal")
TINY = ("car", "nursery", "weather_nominal", "weather_numeric", "contact_lenses")
"""Tables whose whole file holds next to nothing."""
COARSE, FINE = 0.05, 0.01
"""How far probabilities may lie off where that matters less than the size, and where it matters more."""
LEAST = 1e-300
"""Of a probability, so that its logarithm is a number."""

TITLE = """# What slim models cost and save

Learnt from seven tenths of the rows of each table, scored on the others. Off: how far probabilities lie from the whole
model's, at most and in the mean over rows and classes. Share: of the size of the whole model's file; `roots`: tables
are told by the roots of their chances, in the least units that make a tenth. Numbers: 20,000 rows of 20 normal columns.
Mixed: 20,000 rows of 6 skew numbers to the hundredth, 6 columns of 12 levels, 400 cities, half of them rare and left
out, and an identifier.
"""
BY_RULES = """## Densities that are declared

All columns of numbers by one distribution, where it takes them; columns of levels by their levels. The constants of
intervals were chosen on vehicle, glass, pima and optdigits. `steps`, `roots`: curves are told by intervals, on that
scale. Seconds: of `slim()`, in this process alone.
"""
BY_RULES_HEAD = (
    "| table | classes | distribution | whole, kB | slim, kB | share | same answer, % of rows | accuracy: whole / slim "
    "| log-loss: whole / slim | seconds |\n" + 10 * "|---" + "|"
)
OF_LITTLE = """## Files of next to nothing

`NaiveBayes()` on all rows, which it answers as well.
"""
OF_LITTLE_HEAD = (
    "| table | rows | whole, bytes | slim, bytes | share | same answer, % of rows | accuracy: whole / slim "
    "| log-loss: whole / slim |\n" + 8 * "|---" + "|"
)
OF_DOCUMENTS = """## Documents

Seven tenths of the SMS collection to learn from, words of fewer than five documents left out as rare.
"""
OF_DOCUMENTS_HEAD = (
    "| model | whole, kB | slim, kB | share | same answer, % of documents | accuracy: whole / slim "
    "| log-loss: whole / slim |\n" + 7 * "|---" + "|"
)
TEXTS: tuple[dict[str, Any], ...] = (
    {},
    {"ngrams": (1, 2)},
    {"stem": "english", "stop_words": "english"},
    {"event_model": "multinomial"},
    {"event_model": "bernoulli"},
    {"event_model": "complement"},
    {"hashing": 4096},
)
"""Settings of `TextNB`."""
OF_OTHERS = """## Other rules

Combinations, costs, groups, trees; hundreds of classes of few rows each: 6,000 rows of six numbers to the
hundredth and nine levels, the labels by number, or of four words each.
"""
OF_OTHERS_HEAD = (
    "| table | classes | model | whole, kB | slim, kB | share | same answer, % of rows | accuracy: whole / slim "
    "| log-loss: whole / slim |\n" + 9 * "|---" + "|"
)
OF_STRUCTURES = """## Trees, networks and averages

A chain: each column hangs on the class and on the one before it; `learn="chow-liu"` finds a tree of all columns.
Averages are told as sums of columns and pairs, trees and networks by tables of each column and its parents. The steps,
units and numbers of pairs that are tried, the ridge and the order of pairs were chosen on car, titanic_passengers and
vehicle; adult, letter, mushroom, nursery and german were seen meanwhile; pendigits, votes, soybean and segmentation
were not looked at before this run. Seconds: of `slim()`, in this process alone.
"""
OF_STRUCTURES_HEAD = (
    "| table | classes | model | whole, kB | slim, kB | share | same answer, % of rows | accuracy: whole / slim "
    "| log-loss: whole / slim | seconds |\n" + 10 * "|---" + "|"
)
STRUCTURED = (
    *("car", "titanic_passengers", "vehicle", "adult", "letter", "mushroom", "nursery"),
    *("pendigits", "german", "votes", "soybean", "segmentation"),
)
"""Tables of which trees, networks and averages are made."""
FEW_COLUMNS = 10
"""Up to which three columns are counted together as well."""
OTHERS = ("adult", "car", "nursery", "iris", "pima", "letter")
"""Tables of which models of other rules are made."""
COMBINED = ("sum", "robust", "outlier")
LEARNT = 0.7
ROWS = 20_000
TURNS = 5
HEAD = (
    "| table | classes | model | whole, kB | slim, kB | share | chances off: most / mean | same answer, % of rows "
    "| accuracy: whole / slim | log-loss: whole / slim | share, `within=0.05` | share, `within=0.01` "
    "| scoring, µs a row: whole / slim |\n" + 13 * "|---" + "|"
)
MAKES = {"`NaiveBayes()`": NaiveBayes, "`TunedNB()`": TunedNB, '`NaiveBayes("normal")`': partial(NaiveBayes, "normal")}


Labelled = tuple[pd.DataFrame, np.ndarray]


def numbers(n_classes: int) -> Labelled:
    """Return columns of numbers that are all different, and labels."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, ROWS)
    return pd.DataFrame(rng.normal(size=(ROWS, 20)) + 0.5 * rng.normal(size=(n_classes, 20))[y]).rename(columns=str), y


def mixed(n_classes: int) -> Labelled:
    """Return numbers, levels, rare levels and an identifier, and labels."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, n_classes, ROWS)
    skew = {f"x{i}": np.exp(rng.normal(size=ROWS) + 0.4 * rng.normal(size=n_classes)[y]).round(2) for i in range(6)}
    at = [(rng.geometric(0.25, ROWS) + rng.integers(0, 3, n_classes)[y]) % 12 for _ in range(6)]
    levels = {f"s{i}": np.char.add("level ", of.astype(str)) for i, of in enumerate(at)}
    cities = np.char.add("city ", np.minimum(rng.zipf(1.5, ROWS), 400).astype(str))
    identifier = np.char.add("row ", rng.permutation(ROWS).astype(str))
    return pd.DataFrame({**skew, **levels, "city": cities, "id": identifier}), y


def real(name: str) -> Labelled:
    """Return a table of the folder."""
    data = load(name)
    return data.X, np.asarray(data.y)


def tables() -> Iterator[tuple[str, Labelled]]:
    """Yield the real tables, and those of more raw values than these hold."""
    for name in SETS:
        yield name, real(name)
    for n_classes in (2, 5):
        yield "numbers", numbers(n_classes)
        yield "mixed", mixed(n_classes)


def measured(name: str, table: Labelled, said: str, folder: Path) -> str:
    """Return the line of a table and a model."""
    X, y = table
    learnt, new = split(len(y))
    model = MAKES[said]().fit(X.iloc[learnt], y[learnt])
    small = model.slim()
    whole, slim = (folder / f"{kind}.json" for kind in ("whole", "slim"))
    model.save(whole)
    small.save(slim)
    size = whole.stat().st_size
    theirs, ours = (m.predict_proba(X.iloc[new]) for m in (model, small))
    off = np.abs(theirs - ours)
    cells = [name, len(model.classes_), said, f"{size / 1000:.1f}", f"{slim.stat().st_size / 1000:.1f}"]
    cells += [f"{slim.stat().st_size / size:.3f}" + (" `roots`" if small.roots else "")]
    cells += [f"{off.max():.4f} / {off.mean():.5f}", *answers(theirs, ours, np.searchsorted(model.classes_, y[new]))]
    cells += [f"{model.slim(within=within).share:.3f}" for within in (COARSE, FINE)]
    cells += [" / ".join(f"{scoring(m, X.iloc[new]):.2g}" for m in (model, small))]
    return f"| {' | '.join(map(str, cells))} |"


def split(n: int) -> list[np.ndarray]:
    """Return the rows to learn from, and those to score."""
    order = np.random.default_rng(0).permutation(n)
    return np.split(order, [int(LEARNT * n)])


def answers(theirs: np.ndarray, ours: np.ndarray, at: np.ndarray) -> list[str]:
    """Return how many answers are the same, and how good they are: of the whole model, and of the slim one."""
    same = 100 * float((theirs.argmax(axis=1) == ours.argmax(axis=1)).mean())
    right = " / ".join(f"{(p.argmax(axis=1) == at).mean():.4f}" for p in (theirs, ours))
    loss = " / ".join(f"{-np.log(np.maximum(p[np.arange(len(at)), at], LEAST)).mean():.4f}" for p in (theirs, ours))
    return [f"{same:.2f}", right, loss]


def declared(name: str, rule: str) -> Iterator[str]:
    """Yield the line of a table all of whose numbers are told by one density; none where it does not take them."""
    data = load(name)
    X, y = data.X, np.asarray(data.y)
    numeric = {column: rule for column in X.columns if pd.api.types.is_numeric_dtype(X[column])}
    learnt, new = split(len(y))
    try:
        model = NaiveBayes(numeric).fit(X.iloc[learnt], y[learnt])
        theirs = model.predict_proba(X.iloc[new])
    except ValueError:
        return
    begun = process_time()
    small = model.slim()
    taken = process_time() - begun
    by = "" if rule not in CURVED or has_curves(small) else " `roots`" if small.roots else " `steps`"
    cells = [name, len(model.classes_), f'`"{rule}"`', f"{size(model) / 1000:.1f}", f"{size(small) / 1000:.1f}"]
    cells += [f"{small.share:.3f}{by}"]
    cells += answers(theirs, small.predict_proba(X.iloc[new]), np.searchsorted(model.classes_, y[new]))
    yield f"| {' | '.join(map(str, [*cells, f'{taken:.1f}']))} |"


def others(X: pd.DataFrame, y: np.ndarray) -> dict[str, Any]:
    """Return models of other rules, by how they are made."""
    n = len(np.unique(y[split(len(y))[0]]))
    costs = 1.0 - np.eye(n)
    costs[0] *= 5
    symbols = [column for column in X.columns if not pd.api.types.is_numeric_dtype(X[column])]
    numbers = [column for column in X.columns if column not in symbols]
    out = {
        **{
            f"`NaiveBayes(combination={rule!r})`": NaiveBayes(combination=rule) for rule in ("sum", "robust", "outlier")
        },
        **{f"`{preset.__name__}()`": preset() for preset in (RobustNB, SummationNB)},
        "`NaiveBayes(costs=...)`": NaiveBayes(costs=costs),
        '`NaiveBayes(weights="temperature")`': NaiveBayes(weights="temperature"),
        "`TreeAugmentedNB()`": TreeAugmentedNB(),
        '`TreeAugmentedNB("backoff")`': TreeAugmentedNB("backoff"),
        "`BayesNetwork()`": BayesNetwork(),
    }
    if len(symbols) > 1:
        out["`NaiveBayes(groups=...)`, two levels"] = NaiveBayes(groups=[symbols[:2]])
    if symbols and numbers:
        grouped = NaiveBayes({numbers[0]: "normal"}, groups=[[symbols[0], numbers[0]]])
        out["`NaiveBayes(groups=...)`, a normal number within"] = grouped
    return out


def structures(X: pd.DataFrame) -> dict[str, Any]:
    """Return trees, networks and averages, by how they are made."""
    names = list(X.columns)
    chain = {name: ["class", *names[max(i - 1, 0) : i]] for i, name in enumerate(names)}
    two = {"`AveragedOneDependence(2)`": AveragedOneDependence(2)} if len(names) <= FEW_COLUMNS else {}
    return {
        "`AveragedOneDependence()`": AveragedOneDependence(),
        **two,
        "`TreeAugmentedNB(average_trees=True)`": TreeAugmentedNB("indifferent", average_trees=True),
        "`TreeAugmentedNB()`": TreeAugmentedNB(),
        "`BayesNetwork(...)`, a chain": BayesNetwork(chain),
        '`BayesNetwork(learn="chow-liu")`': BayesNetwork(learn="chow-liu"),
    }


def of_others(name: str, table: Labelled, models: dict[str, Any], timed: bool = False) -> Iterator[str]:
    """Yield the lines of models of a table, with the seconds that slimming takes where they are asked for."""
    X, y = table
    learnt, new = split(len(y))
    for said, model in models.items():
        model.fit(X.iloc[learnt], y[learnt])
        begun = process_time()
        small = model.slim()
        taken = process_time() - begun
        cells = [name, len(model.classes_), said, f"{size(model) / 1000:.1f}", f"{size(small) / 1000:.1f}"]
        cells += [f"{small.share:.3f}" + (" `roots`" if small.roots else "")]
        known = np.isin(y[new], model.classes_)
        theirs, ours = (m.predict_proba(X.iloc[new][known]) for m in (model, small))
        cells += answers(theirs, ours, np.searchsorted(model.classes_, y[new][known]))
        cells += [f"{taken:.1f}"] if timed else []
        yield f"| {' | '.join(map(str, cells))} |"


def many(words: bool) -> Labelled:
    """Return a table of 300 classes of twenty rows each, whose labels are words, or numbers."""
    rng = np.random.default_rng(0)
    n, k = 6000, 300
    y = rng.integers(0, k, n)
    frame = pd.DataFrame(rng.normal(size=(n, 6)) + 1.5 * rng.normal(size=(k, 6))[y]).round(2).rename(columns=str)
    frame["s"] = [f"level {at}" for at in (rng.geometric(0.3, n) + y) % 9]
    of = WORDS.split()
    labels = [" ".join(rng.choice(of, 4)) for _ in range(k)] if words else [f"class {c}" for c in range(k)]
    return frame, np.array(labels)[y]


WORDS = (
    "health home car travel bicycle boat claims sales support service north south east west private business family "
    "senior junior team office desk legal damage fire water glass theft storm hail flood abroad europe medical dental "
    "life pension savings credit loan mortgage advice complaint renewal new change cancel payment invoice reminder"
)
"""Of which labels are made."""


def of_little(name: str) -> str:
    """Return the line of a table whose file holds next to nothing."""
    data = load(name)
    X, y = data.X, np.asarray(data.y)
    model = NaiveBayes().fit(X, y)
    small = model.slim()
    cells = [name, len(y), size(model), size(small), f"{small.share:.3f}" + (" `roots`" if small.roots else "")]
    cells += answers(model.predict_proba(X), small.predict_proba(X), np.searchsorted(model.classes_, y))
    return f"| {' | '.join(map(str, cells))} |"


def of_documents(settings: dict[str, Any]) -> str:
    """Return the line of a model of documents."""
    texts, y, _ = collection("sms_spam")
    learnt, new = split(len(y))
    model = TextNB(**settings).fit(texts[learnt], y[learnt])
    small = model.slim()
    cells = [f"`TextNB({', '.join(f'{key}={value!r}' for key, value in settings.items())})`"]
    cells += [f"{size(model) / 1000:.1f}", f"{size(small) / 1000:.1f}", f"{small.share:.3f}"]
    theirs, ours = (m.predict_proba(texts[new]) for m in (model, small))
    cells += answers(theirs, ours, np.searchsorted(model.classes_, y[new]))
    return f"| {' | '.join(cells)} |"


def scoring(model: Any, X: pd.DataFrame) -> float:
    """Return the microseconds that a row takes, the best of some turns."""
    taken = []
    for _ in range(TURNS):
        begun = perf_counter()
        model.predict_proba(X)
        taken.append(perf_counter() - begun)
    return 1e6 * min(taken) / len(X)


def main() -> None:
    """Print the table, and write it where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/slim.md"))
    out = parser.parse_args().out
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        lines = [
            measured(*table, said, Path(folder))
            for table in tables()
            for said in MAKES
            if "normal" not in said or table[0] in OF_NUMBERS
        ]
    by_rules = [line for name in DECLARED for rule in RULES for line in declared(name, rule)]
    little = [of_little(name) for name in TINY]
    documents = [of_documents(settings) for settings in TEXTS]
    more = [line for name in OTHERS for line in of_others(name, real(name), others(*real(name)))]
    for name, words in (("many, by number", False), ("many, by words", True)):
        rules = ("normal", "student", "bins")
        models = {"`NaiveBayes()`": NaiveBayes(), "`TunedNB()`": TunedNB()}
        numbers_by = {f'`"{rule}"`': NaiveBayes({str(j): rule for j in range(6)}) for rule in rules}
        more += of_others(name, many(words), {**models, **numbers_by})
    structured = [
        line for name in STRUCTURED for line in of_others(name, real(name), structures(real(name)[0]), timed=True)
    ]
    text = "\n".join(
        [
            *(TITLE, HEAD, *lines, "", BY_RULES, BY_RULES_HEAD, *by_rules, "", OF_LITTLE, OF_LITTLE_HEAD, *little, ""),
            *(OF_DOCUMENTS, OF_DOCUMENTS_HEAD, *documents, "", OF_OTHERS, OF_OTHERS_HEAD, *more, ""),
            *(OF_STRUCTURES, OF_STRUCTURES_HEAD, *structured, ""),
        ]
    )
    print(text)
    out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

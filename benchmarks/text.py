"""Documents: speed from raw text to a model and to answers, and how right the answers are, beside scikit-learn.

    python -m benchmarks.text speed        100 MB of made-up English, and the collections
    python -m benchmarks.text accuracy     the collections, all and a tenth of the documents to learn from
    python -m benchmarks.text stream       ten million messages through partial_fit, and two thousand classes of a
                                           million words, with the memory that they take

`CANDIDE_DATA` names the folder of the collections. All participants of a line run in one process, one after the other,
the best of some runs each; accuracy is on the sets' own split, or on five folds where a set has none.
"""

import argparse
import json
import os
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from benchmarks.about import about
from candide.evaluate.reliability import calibration_error
from candide.text import TextNB

SETS = ("sms_spam", "reuters_r8", "newsgroups20")
RESULTS = Path(__file__).parent / "results"

NAIVE = {
    f"{name}, {words}": (vectorizer, classifier)
    for words, vectorizer in {
        "counts": CountVectorizer,
        "counts of 1-2-grams": lambda: CountVectorizer(ngram_range=(1, 2)),
        "tf-idf": TfidfVectorizer,
        "tf-idf of 1-2-grams": lambda: TfidfVectorizer(ngram_range=(1, 2)),
    }.items()
    for name, classifier in {
        "MultinomialNB": MultinomialNB,
        "MultinomialNB(0.1)": lambda: MultinomialNB(alpha=0.1),
        "MultinomialNB(0.01)": lambda: MultinomialNB(alpha=0.01),
        "ComplementNB": ComplementNB,
        "ComplementNB(0.1)": lambda: ComplementNB(alpha=0.1),
        "BernoulliNB(0.1)": lambda: BernoulliNB(alpha=0.1),
    }.items()
}
LINEAR = {
    "LinearSVC, tf-idf": (lambda: TfidfVectorizer(sublinear_tf=True), LinearSVC),
    "LogisticRegression, tf-idf": (
        lambda: TfidfVectorizer(sublinear_tf=True),
        lambda: LogisticRegression(C=10, max_iter=300),
    ),
}
OURS = {
    "TextNB": {},
    "TextNB, 1-2-grams": {"ngrams": (1, 2)},
    "TextNB, characters 2-5": {"analyzer": "char", "ngrams": (2, 5)},
    "TextNB, multinomial": {"event_model": "multinomial"},
    "TextNB, complement": {"event_model": "complement"},
}


# -- documents -------------------------------------------------------------------------------------------------------


def english(megabytes: int, seed: int = 0) -> tuple[list[str], np.ndarray]:
    """Return made-up documents of 100 to 300 words, which are about as frequent and as long as in English."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlcumwfgypbvk"))
    vocabulary = np.array(["".join(rng.choice(letters, 1 + rng.poisson(3.5 + rank**0.1))) for rank in range(60_000)])
    p = 1.0 / np.arange(2, len(vocabulary) + 2)
    words = rng.choice(vocabulary, int(megabytes * 1e6 / 5.2), p=p / p.sum())
    ends = np.cumsum(rng.integers(100, 300, len(words) // 200))
    texts = [" ".join(part.tolist()).capitalize() + "." for part in np.split(words, ends[ends < len(words)])]
    return texts, rng.choice(["a", "b", "c", "d"], len(texts))


def collection(name: str) -> tuple[np.ndarray, np.ndarray, dict]:
    """Return the documents of a set, their labels, and its split."""
    folder = Path(os.environ["CANDIDE_DATA"])
    frame = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False)
    sets = json.loads((folder / "index.json").read_text())["datasets"]
    split = next(s for s in sets if s["name"] == name).get("splits") or {}
    return frame["text"].to_numpy(object), frame["label"].to_numpy(str), split


def parts(y: np.ndarray, split: dict, small: bool) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield rows to learn from and rows to answer: the set's own split, or five folds."""
    if "train" in split:
        folds = [(np.arange(*split["train"]), np.arange(*split["test"]))]
    else:
        folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(y, y))
    for learn, answer in folds:
        yield np.random.default_rng(0).permutation(learn)[: len(learn) // 10] if small else learn, answer


# -- speed -----------------------------------------------------------------------------------------------------------


def seconds(run: Callable[[], object], times: int) -> float:
    """Return the best of some runs."""
    best = np.inf
    for _ in range(times):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def speed(megabytes: int) -> list[str]:
    """Measure fit and predict of every participant on every set."""
    participants = {
        "CountVectorizer + MultinomialNB": lambda: make_pipeline(CountVectorizer(), MultinomialNB()),
        "HashingVectorizer + MultinomialNB": lambda: make_pipeline(
            HashingVectorizer(alternate_sign=False, norm=None), MultinomialNB()
        ),
        "TextNB, multinomial": lambda: TextNB(event_model="multinomial"),
        "TextNB, multinomial, stemmed, stop words": lambda: TextNB(
            event_model="multinomial", stem="english", stop_words="english"
        ),
        "TextNB (auto)": TextNB,
    }
    lines = [
        "| documents | participant | fit, s | MB/s | faster | predict, s | MB/s | faster |",
        "|---|---|---|---|---|---|---|---|",
    ]
    given = {f"made-up English, {megabytes} MB": english(megabytes)}
    given |= {name: collection(name)[:2] for name in SETS}
    for name, (texts, y) in given.items():
        size = sum(len(t.encode()) for t in texts) / 1e6
        base: tuple[float, float] | None = None
        for who, make in participants.items():
            times = 3 if "TextNB" in who else 1
            model = make()
            fit = seconds(lambda model=model, texts=texts, y=y: model.fit(texts, y), times)
            predict = seconds(lambda model=model, texts=texts: model.predict(texts), times)
            base = base or (fit, predict)
            lines.append(
                f"| {name} | {who} | {fit:.3f} | {size / fit:.0f} | {base[0] / fit:.1f} | {predict:.3f} | "
                f"{size / predict:.0f} | {base[1] / predict:.1f} |"
            )
            print(lines[-1], flush=True)
    return [*lines, "", *one_message()]


def one_message() -> list[str]:
    """Measure the answer to one message of 100 words, among those of newsgroups20."""
    texts, y, _ = collection("newsgroups20")
    message = [" ".join(texts[5].split()[:100])]
    lines = ["| one message of 100 words | microseconds |", "|---|---|"]
    for name, model in {
        "CountVectorizer + MultinomialNB": make_pipeline(CountVectorizer(), MultinomialNB()),
        "TextNB, multinomial": TextNB(event_model="multinomial"),
        "TextNB (auto)": TextNB(),
    }.items():
        model.fit(texts, y)
        model.predict(message)
        each = seconds(lambda model=model: [model.predict(message) for _ in range(200)], 5) / 200
        lines.append(f"| {name} | {each * 1e6:.0f} |")
        print(lines[-1], flush=True)
    return lines


# -- accuracy --------------------------------------------------------------------------------------------------------


def measures(model: object, texts: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Return accuracy, log-loss and expected calibration error; the last two are nothing without probabilities."""
    if not hasattr(model, "predict_log_proba"):
        return float(np.mean(model.predict(texts) == y)), np.nan, np.nan
    log_p = model.predict_log_proba(texts)
    codes = np.searchsorted(model.classes_, y)
    own = np.maximum(log_p[np.arange(len(y)), codes], -700.0)
    right = model.classes_[log_p.argmax(axis=1)] == y
    sure = np.exp(log_p.max(axis=1))
    return float(right.mean()), float(-own.mean()), calibration_error(sure, right.astype(float))


def accuracy() -> list[str]:
    """Score every participant on every set."""
    lines = ["| documents | participant | accuracy | log-loss | calibration error |", "|---|---|---|---|---|"]
    for name in SETS:
        texts, y, split = collection(name)
        for small in (False, True):
            scored: dict[str, list[tuple[float, float, float]]] = {}
            for learn, answer in parts(y, split, small):
                for who, params in OURS.items():
                    scored.setdefault(who, []).append(
                        measures(TextNB(**params).fit(texts[learn], y[learn]), texts[answer], y[answer])
                    )
                for who, (vectorizer, classifier) in {**NAIVE, **LINEAR}.items():
                    peer = make_pipeline(vectorizer(), classifier()).fit(texts[learn], y[learn])
                    scored.setdefault(who, []).append(measures(peer, texts[answer], y[answer]))
            means = {who: np.mean(values, axis=0) for who, values in scored.items()}
            naive = {who: means[who] for who in NAIVE}
            best = {
                "best naive Bayes of scikit-learn by accuracy": max(naive, key=lambda who: naive[who][0]),
                "best naive Bayes of scikit-learn by log-loss": min(naive, key=lambda who: naive[who][1]),
            }
            rows = [(who, means[who]) for who in (*OURS, *LINEAR)]
            rows += [(f"{role}: {who}", means[who]) for role, who in best.items()]
            for who, (right, loss, error) in rows:
                told = ["–" if np.isnan(v) else f"{v:.3f}" for v in (right, loss, error)]
                lines.append(f"| {name}{', a tenth' if small else ''} | {who} | {' | '.join(told)} |")
                print(lines[-1], flush=True)
    return lines


# -- memory ----------------------------------------------------------------------------------------------------------


def stream(documents: int, batch: int = 20_000) -> list[str]:
    """Learn messages batch by batch, and say how much memory the process has had at the most by then."""
    texts, y = english(10)
    pieces = [text[i : i + 80] for text in texts for i in range(0, 400, 80)]
    labels = np.repeat(y, 5)
    lines = ["| messages learnt | seconds | most memory so far, MB |", "|---|---|---|"]
    model, start = TextNB(event_model="multinomial"), time.perf_counter()
    for n in range(batch, documents + 1, batch):
        at = n % (len(pieces) - batch)
        model.partial_fit(pieces[at : at + batch], labels[at : at + batch])
        if n in {batch, documents // 100, documents // 10, documents // 2, documents}:
            learnt = int(model.class_counts_.sum())
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            lines.append(f"| {learnt:,} | {time.perf_counter() - start:.1f} | {most:.0f} |")
            print(lines[-1], flush=True)
    return lines


def many_classes(classes: int = 2_000, words: int = 1_000_000) -> list[str]:
    """Learn documents of many classes and words, and say how much memory that takes beside a dense table of counts."""
    rng = np.random.default_rng(0)
    per_document, documents = 100, max(4 * classes, 4 * words // 100)
    names = np.array([f"word{i}" for i in range(words)])
    every = rng.permutation(np.arange(documents * per_document) % words).reshape(documents, per_document)
    texts = [" ".join(names[row].tolist()) for row in every]
    y = np.arange(documents) % classes
    del names, every
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    model = TextNB(event_model="multinomial").fit(texts, y)
    fitted = time.perf_counter()
    model.predict(texts[:1_000])
    answered = time.perf_counter()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    (part,) = (part for name, part in model.statistics_.parts.items() if name.startswith("words"))
    head = ["classes", "words", "documents", "entries kept", "fit, s", "1,000 answers, s",
            "memory above the documents', MB", "a dense table of counts, MB"]  # fmt: skip
    k, v = part.sizes
    row = [f"{n:,}" for n in (k, v - 1, documents, len(part.at))]
    row += [f"{fitted - start:.1f}", f"{answered - fitted:.1f}", f"{most - before:,.0f}", f"{8 * k * v / 2**20:,.0f}"]
    lines = ["", *(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), row))]
    print(*lines, sep="\n", flush=True)
    return lines


def machine() -> str:
    """Say on what was measured."""
    told = about()
    names = "python", "numpy", "scikit-learn"
    return f"{os.cpu_count()} cores, " + ", ".join(f"{name} {told[name]}" for name in names) + "."


def main() -> None:
    """Run one part and write its results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.text", description=__doc__)
    parser.add_argument("part", choices=["speed", "accuracy", "stream"])
    parser.add_argument("--megabytes", type=int, default=100, help="of made-up English, for speed")
    parser.add_argument("--documents", type=int, default=10_000_000, help="for stream")
    options = parser.parse_args()
    if options.part == "stream":
        lines = [*stream(options.documents), *many_classes()]
    else:
        lines = speed(options.megabytes) if options.part == "speed" else accuracy()
    head = [f"# Documents: {options.part}", "", f"`python -m benchmarks.text {options.part}`. {machine()}", ""]
    (RESULTS / f"text_{options.part}.md").write_text("\n".join([*head, *lines, ""]))


if __name__ == "__main__":
    main()

"""Fit and predict, from raw text."""

import time
from collections.abc import Callable
from itertools import count

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from benchmarks.text.documents import SETS, collection, english
from candide.analysis.forms import forms_of
from candide.text import TextNB

RUNS, LEAST, ENOUGH = 5, 1.0, 10.0
"""Runs of each participant at the least, the seconds until which others follow, and after which none begins; alike for
all.
"""

TURNS = 120, 40, 8
"""Fits of the plain model and of another in turn, on each of the sets."""

PLAIN = "TextNB, multinomial"
OURS = {
    PLAIN: lambda: TextNB(event_model="multinomial"),
    f"{PLAIN}, stemmed, stop words": lambda: TextNB(event_model="multinomial", stem="english", stop_words="english"),
    "TextNB (auto)": TextNB,
}

SAID = [
    "All participants of a line run in one process, one after the other: the best of five runs of each, of which none",
    "begins after ten seconds, or of as many as begin within one. Stems are remembered by the process: before each fit",
    "they are forgotten; `predict` knows those of the words that were learnt and, from its second run on, the",
    "spellings that it has met, as it does for everybody.",
    "",
]


def seconds(run: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """Return the best of `RUNS`, of which none begins after `ENOUGH` seconds, or of those that begin before `LEAST`."""
    best, start = np.inf, time.perf_counter()
    for made in count():
        if made and time.perf_counter() - start > (ENOUGH if made < RUNS else LEAST):
            break
        before()
        best = min(best, once(run))
    return best


def speed(megabytes: int) -> list[str]:
    """Measure fit and predict of every participant on every set."""
    participants = {
        "CountVectorizer + MultinomialNB": lambda: make_pipeline(CountVectorizer(), MultinomialNB()),
        "HashingVectorizer + MultinomialNB": lambda: make_pipeline(
            HashingVectorizer(alternate_sign=False, norm=None), MultinomialNB()
        ),
        **OURS,
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
            model = make()
            fit = seconds(lambda model=model, texts=texts, y=y: model.fit(texts, y), forms_of.cache_clear)
            predict = seconds(lambda model=model, texts=texts: model.predict(texts))
            base = base or (fit, predict)
            lines.append(
                f"| {name} | {who} | {fit:.3f} | {size / fit:.0f} | {base[0] / fit:.1f} | {predict:.3f} | "
                f"{size / predict:.0f} | {base[1] / predict:.1f} |"
            )
            print(lines[-1], flush=True)
    return [*SAID, *lines, "", *in_turns(), "", *one_message()]


def in_turns() -> list[str]:
    """Measure the others beside the plain model, one fit after the other: a host's speed changes between minutes."""
    models = {name: make for name, make in OURS.items() if name != PLAIN}
    lines = [
        "Fits beside the plain model's, in turns, since a host's speed changes between minutes; best / median, in ms:",
        "",
        "| documents | turns | plain | participant | | ratio: of best / of medians |",
        "|---|---|---|---|---|---|",
    ]
    for name, turns in zip(SETS, TURNS, strict=True):
        texts, y, _ = collection(name)
        for who, make in models.items():
            both = OURS[PLAIN](), make()
            taken = np.array([[1e3 * fit_once(model, texts, y) for model in both] for _ in range(turns)])
            best, median = taken.min(axis=0), np.median(taken, axis=0)
            told = [f"{best[i]:.1f} / {median[i]:.1f}" for i in (0, 1)]
            ratio = f"{best[1] / best[0]:.2f} / {median[1] / median[0]:.2f}"
            lines.append(f"| {name} | {turns} | {told[0]} | {who} | {told[1]} | {ratio} |")
            print(lines[-1], flush=True)
    return lines


def fit_once(model: TextNB, texts: np.ndarray, y: np.ndarray) -> float:
    """Return the seconds of a fit that remembers no stems."""
    forms_of.cache_clear()
    return once(lambda: model.fit(texts, y))


def once(run: Callable[[], object]) -> float:
    """Return the seconds that one run takes."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


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
        each = seconds(lambda model=model: [model.predict(message) for _ in range(200)]) / 200
        lines.append(f"| {name} | {each * 1e6:.0f} |")
        print(lines[-1], flush=True)
    return lines

"""Memory: ten million messages through partial_fit, and two thousand classes of a million words."""

import resource
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.memory import watch
from benchmarks.text.documents import english
from candide.text import TextNB

BATCH = 20_000
"""Messages that are learnt at a time."""
WORDS = 12
"""Words of a message."""

TOLD = (
    f"Messages of {WORDS} words, each made when its turn comes, are learnt in batches of {BATCH:,}; those thrown into "
    "buckets have besides a word that no other message has. The time is that of `partial_fit` alone. Memory is all "
    "that the process takes above what it had before the first message, making them included."
)

MODELS: dict[str, dict[str, Any]] = {
    "multinomial": {"event_model": "multinomial"},
    "default": {},
    "multinomial, 2¹⁸ buckets": {"event_model": "multinomial", "hashing": 2**18},
}


def messages(documents: int, ordered: bool) -> Iterator[tuple[list[str], np.ndarray]]:
    """Yield made-up messages batch by batch, each new, whose words lean a little to their class.

    Parameters
    ----------
    documents : int
    ordered : bool
        Whether each message has a number of its own, a word that no other has.
    """
    texts, _ = english(1)
    words = np.array(" ".join(texts).lower().split(), dtype=object)
    rng = np.random.default_rng(0)
    for start in range(0, documents, BATCH):
        n = min(BATCH, documents - start)
        y = rng.integers(0, 4, n)
        leaning = rng.random((n, WORDS)) < 0.1  # from the class's own quarter of the words
        at = rng.random((n, WORDS)) * len(words)
        at = np.where(leaning, at / 4 + (y * len(words) / 4)[:, None], at).astype(np.int64)
        lines = list(map(" ".join, words[at].tolist()))
        yield [f"{line} no{start + i}" for i, line in enumerate(lines)] if ordered else lines, y


def stream(documents: int) -> list[str]:
    """Learn messages batch by batch by each model, and say how fast, and how far memory has risen by then."""
    head = ["model", "messages learnt", "learning, s", "messages a second", "words kept", "memory risen at most, MB"]
    lines = [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head))]
    print(*lines, sep="\n", flush=True)
    for name, params in MODELS.items():
        for row in learnt(TextNB(**params), documents, ordered="hashing" in params):
            lines.append(f"| {name} | {' | '.join(row)} |")
            print(lines[-1], flush=True)
    return [*lines, "", TOLD]


def learnt(model: TextNB, documents: int, ordered: bool) -> Iterator[list[str]]:
    """Yield how far a model is after a hundredth, a tenth and all of the messages."""
    stops = {documents // 100, documents // 10, documents}
    seconds, n, risen = 0.0, 0, watch()
    for texts, y in messages(documents, ordered):
        start = time.perf_counter()
        model.partial_fit(texts, y)
        seconds += time.perf_counter() - start
        n += len(texts)
        reached = {stop for stop in stops if stop <= n}
        if reached:
            stops -= reached
            (part,) = (part for key, part in model.statistics_.parts.items() if key.startswith("words"))
            kept = len(np.unique(part.places[1]))
            most = risen()
            yield [
                f"{n:,}",
                f"{seconds:.1f}",
                f"{n / seconds:,.0f}",
                f"{kept:,}",
                "" if most is None else f"{most / 2**20:.0f}",
            ]


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

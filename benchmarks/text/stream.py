"""Memory: ten million messages through partial_fit, and two thousand classes of a million words."""

import resource
import time

import numpy as np

from benchmarks.text.documents import english
from candide.text import TextNB


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

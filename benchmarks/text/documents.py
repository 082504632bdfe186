"""The documents that are read: made-up ones, and the collections of the folder that `CANDIDE_DATA` names."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

SETS = ("sms_spam", "reuters_r8", "newsgroups20")


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

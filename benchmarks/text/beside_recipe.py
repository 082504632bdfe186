"""`TextNB` beside the recipe that it was built after: on the same documents, draw by draw."""

from collections.abc import Iterator

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.text.documents import SETS, collection, parts
from benchmarks.text.recipe import CHARACTERS, PAIRS, Recipe
from candide.text import TextNB

RUNGS = {
    "words, plain lift": {"bands": False, "complement": False, "mistakes": False},
    "+ weight per frequency band": {"complement": False, "mistakes": False},
    "+ complement view": {"mistakes": False},
    "+ mistakes view": {},
    "words and pairs": {"vocabularies": PAIRS},
    "words, pairs, characters 2-5": {"vocabularies": CHARACTERS},
}
DESCRIBED = {
    ("sms_spam", False): (".990 / .039", ".990 / .039", ".990 / .039", ".992 / .033", ".993 / .031", ".995 / .021"),
    ("sms_spam", True): (".978 / .076", ".978 / .076", ".978 / .076", ".978 / .076", ".979 / .078", ".986 / .053"),
    ("reuters_r8", False): (".959 / .140", ".963 / .121", ".963 / .116", ".972 / .090", ".977 / .089", ".974 / .088"),
    ("reuters_r8", True): (".936 / .242", ".948 / .188", ".949 / .178", ".949 / .178", ".950 / .179", ".949 / .180"),
    ("newsgroups20", False): (".853 / .543", ".858 / .518", ".860 / .514", ".865 / .487", ".869 / .498", "–"),
    ("newsgroups20", True): (".749 / .913", ".762 / .855", ".775 / .828", ".775 / .828", ".775 / .828", "–"),
}
"""What the recipe is said to reach, rung by rung: accuracy / log-loss, all documents and a tenth."""

PAIRED = {
    "words": ({}, {}, SETS),
    "words and pairs": ({"ngrams": (1, 2)}, {"vocabularies": PAIRS}, SETS),
    "words, pairs, characters": (
        {"ngrams": (1, 2), "characters": (2, 5)},
        {"vocabularies": CHARACTERS},
        ("sms_spam",),
    ),
    "characters": ({"analyzer": "char", "ngrams": (2, 5)}, {"vocabularies": CHARACTERS}, ("sms_spam",)),
}
"""What is compared: parameters of `TextNB` and of the recipe, and the sets; characters are for short messages."""

DRAWS = 10
LONGEST = 100_000
"""Documents times classes above which other draws are of words alone: pairs would take the recipe minutes."""

LADDER = """\
The recipe was run elsewhere, on other folds and tenths. Here it is written again from its description
(`benchmarks/text/recipe.py`), without a line of the library. Penalties, which the description leaves out, lie among
those that halves and tenths of learning documents preferred. Two readings were taken because they come closer to the
described figures, on the answers below: the vector of a new document has its unknown words in its length, and words,
pairs and characters are vectors and views of their own (only so do pairs change nothing of a tenth of newsgroups20).
Rung by rung, accuracy / log-loss as described and as found:
"""

SIDE_BY_SIDE = """\
Side by side on the same draws, `TextNB` less the recipe: more accuracy and less log-loss are better. Own: the folds and
tenths of the first table, ± one standard error over the documents that are answered. Others: so many draws of other
folds, tenths, or, where a set has a split, of splits of the same sizes; ± one standard error over the draws, which
share documents, so that it is rather too small; and the least and the most accuracy of `TextNB` among them. Characters
are runs of 2 to 5; the recipe has words and pairs beside them in both rows.
"""

Draw = list[tuple[np.ndarray, np.ndarray]]


def short(value: float, digits: int = 3) -> str:
    """Return a number below one without its zero."""
    return f"{value:.{digits}f}".replace("0.", ".", 1)


def signed(value: float, error: float) -> str:
    """Return a difference with its standard error, in ten-thousandths where they are small."""
    return f"{'−' if value < 0 else '+'}{short(abs(value), 4)} ± {short(error, 4)}"


def answers(model: TextNB | Recipe, texts: np.ndarray, y: np.ndarray, draw: Draw) -> np.ndarray:
    """Return of every document that is answered whether it is right, and its log-loss (2, documents)."""
    out = []
    for learn, answer in draw:
        model.fit(texts[learn], y[learn])
        log_p = model.predict_log_proba(texts[answer])
        own = log_p[np.arange(len(answer)), np.searchsorted(model.classes_, y[answer])]
        out.append([model.classes_[log_p.argmax(axis=1)] == y[answer], -own])
    return np.concatenate(out, axis=1)


def draws(y: np.ndarray, split: dict, small: bool, n: int) -> Iterator[Draw]:
    """Yield other folds, tenths or splits than those of `parts`, n of them."""
    for seed in range(1, n + 1):
        rng = np.random.default_rng(seed)
        if "train" not in split:
            draw = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(y, y))
        elif small:
            draw = [(np.arange(*split["train"]), np.arange(*split["test"]))]
        else:
            draw = [tuple(np.split(rng.permutation(len(y)), [split["train"][1]]))]
        yield [(rng.permutation(a)[: len(a) // 10] if small else a, b) for a, b in draw]


def ladder() -> list[str]:
    """Return the table of the recipe's rungs, as described and as found."""
    lines = [LADDER, "| documents | " + " | ".join(RUNGS) + " |", "|---" * (1 + len(RUNGS)) + "|"]
    for name in SETS:
        texts, y, split = collection(name)
        for small in (False, True):
            row = []
            for described, params in zip(DESCRIBED[name, small], RUNGS.values(), strict=True):
                if described == "–":
                    row.append("–")
                    continue
                right, loss = answers(Recipe(**params), texts, y, list(parts(y, split, small))).mean(axis=1)
                row.append(f"{described}; {short(right)} / {short(loss)}")
            lines.append(f"| {name}{', a tenth' if small else ''} | {' | '.join(row)} |")
            print(lines[-1], flush=True)
    return [*lines, ""]


def side_by_side() -> list[str]:
    """Return the table of paired differences."""
    differences = "difference in accuracy", "difference in log-loss"
    heads = "documents", "by", "draws", "recipe", "TextNB", *differences, "TextNB, from and to"
    lines = [SIDE_BY_SIDE, f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    found: dict[str, np.ndarray] = {}
    for name in SETS:
        texts, y, split = collection(name)
        for small in (False, True):
            work = len(y) * len(np.unique(y)) / (10 if small else 1)
            for by, (ours, theirs, sets) in PAIRED.items():
                if name not in sets:
                    continue
                models = Recipe(**theirs), TextNB(**ours)
                own = list(parts(y, split, small))
                others = list(draws(y, split, small, DRAWS if work <= LONGEST or by == "words" else 0))
                told = f"{name}{', a tenth' if small else ''} | {by}"
                found[f"{told} | own"] = np.array([answers(model, texts, y, own) for model in models])
                if others:
                    pairs = [[answers(model, texts, y, draw).mean(axis=1) for model in models] for draw in others]
                    found[f"{told} | {len(others)} others"] = np.transpose(pairs, (1, 2, 0))
                print(told, cells(found[f"{told} | own"]), flush=True)
    rows = (f"| {told} | {cells(pair)} | {reach(pair) if 'others' in told else ''} |" for told, pair in found.items())
    return [*lines, *rows, "", *summary(found), ""]


def apart(pair: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how far two models (2, measures, documents or draws) are apart, and the standard errors of that."""
    less = pair[1] - pair[0]
    return less.mean(axis=1), less.std(axis=1, ddof=1) / np.sqrt(less.shape[1])


def cells(pair: np.ndarray) -> str:
    """Return the cells of two models: their means, and their differences with standard errors."""
    means = [f"{short(right, 4)} / {short(loss, 4)}" for right, loss in pair.mean(axis=2)]
    return " | ".join([*means, *(signed(d, e) for d, e in zip(*apart(pair), strict=True))])


def reach(pair: np.ndarray) -> str:
    """Return the least and the most accuracy of `TextNB` among draws."""
    return f"{short(pair[1, 0].min(), 4)} – {short(pair[1, 0].max(), 4)}"


def summary(found: dict[str, np.ndarray]) -> list[str]:
    """Say in how many comparisons `TextNB` is better, and in which it is worse beyond two standard errors."""
    lines = []
    for i, (what, better) in enumerate({"accuracy is higher": 1.0, "log-loss is lower": -1.0}.items()):
        gains = {told: (better * d[i], e[i]) for told, (d, e) in ((told, apart(p)) for told, p in found.items())}
        higher, clearly = (sum(d > by * e for d, e in gains.values()) for by in (0, 2))
        worse = [told.replace(" | ", ", ") for told, (d, e) in gains.items() if d < -2 * e]
        lines.append(
            f"Of {len(gains)} comparisons its {what} in {higher}, beyond two standard errors in {clearly}; it is worse "
            f"beyond them in {'none' if not worse else '; '.join(worse)}."
        )
    return lines

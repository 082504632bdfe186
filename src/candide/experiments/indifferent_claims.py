"""The claims of the indifferent paper, each answered from the results of one reading."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.experiments.published import INDIFFERENT_WINS
from candide.experiments.readings import Claim, Finding

OURS = "indifferent"
RIVALS = {"bibl": "BIBL", "mapnb": "MAPNB"}
METRICS = {"accuracy": "accuracy", "log_score": "LogScore"}
FEW, ALL = 0.1, 1.0
ROUNDING = 0.005
"""The paper states whole percentages."""


def _wins(rival: str, metric: str) -> Any:
    said = INDIFFERENT_WINS[rival, metric].wins

    def check(found: Any) -> Finding:
        wins = found.wins(FEW, rival, metric)
        total = found.results["dataset"].nunique()
        words = f"{wins.mean():.1f} of {total} ({wins.min()} to {wins.max()} by draw)"
        return Finding(words, bool(wins.min() <= said <= wins.max()))

    return check


def _largest(rival: str, metric: str) -> Any:
    said = INDIFFERENT_WINS[rival, metric].largest

    def check(found: Any) -> Finding:
        most = found.largest(FEW, rival, metric)
        words = f"up to {100 * most.mean():.0f} % ({100 * most.min():.0f} to {100 * most.max():.0f} by draw)"
        # “almost 100 %” is anything from nine tenths on
        almost = said >= 1 and most.max() >= 0.9
        return Finding(words, bool(almost or most.min() - ROUNDING <= said <= most.max() + ROUNDING))

    return check


def _with_all(found: Any) -> Finding:
    parts, holds = [], True
    for metric, word in METRICS.items():
        few, every = (found.gains(x, "bibl", metric) for x in (FEW, ALL))
        unit = "points" if metric == "accuracy" else "%"
        parts.append(f"{word} {_signed(few)} {unit} with 10 % of the data, {_signed(every)} {unit} with 100 %")
        holds &= bool(every.mean() > 0 and few.mean() > every.mean())
    return Finding("; ".join(parts), holds)


def _signed(gains: Any) -> str:
    return f"{100 * np.mean(gains):+.2f}"


def _zero(found: Any) -> Finding:
    scores = found.scores(FEW, "log_score")["mapnb"]
    lost = int(np.isinf(scores).groupby("dataset").any().sum())
    total = found.results["dataset"].nunique()
    if not lost:
        return Finding("cannot be seen: probabilities have a floor", None)
    return Finding(f"on {lost} of {total} data sets LogScore is infinite", True)


def _converge(found: Any) -> Finding:
    parts, holds = [], True
    for rival, word in RIVALS.items():
        few, every = (100 * found.gains(x, rival, "accuracy").abs().mean() for x in (FEW, ALL))
        parts.append(f"{word}: {few:.2f} points apart with 10 %, {every:.2f} with 100 %")
        holds &= bool(every < few)
    return Finding("; ".join(parts), holds)


def _better(found: Any) -> Finding:
    parts, holds = [], True
    for rival, word in RIVALS.items():
        for metric, score in METRICS.items():
            gains = found.gains(FEW, rival, metric)
            up, down = (int(np.sum(side.groupby("dataset").mean() > 0.5)) for side in (gains > 0, gains < 0))
            parts.append(f"{score} against {word} {up}–{down}")
            holds &= up > down
    return Finding("wins–losses in most draws: " + ", ".join(parts), holds)


CRITERIA = (
    "a count or a largest improvement lies between the least and the greatest of our draws of folds, percentages to "
    "the nearest whole, and “almost 100 %” is 90 % or more; a direction is that of the mean over data sets and draws; "
    "“better” is better on more data sets than worse, against both rivals and by both scores."
)

CLAIMS = (
    Claim("Figure 4(a)", "accuracy improves over BIBL on 12 of 16 data sets", _wins("bibl", "accuracy")),
    Claim("Figure 4(a)", "by up to 6 %", _largest("bibl", "accuracy")),
    Claim("Figure 4(b)", "LogScore improves over BIBL on 11 of 16", _wins("bibl", "log_score")),
    Claim("Figure 4(b)", "by up to 11 %", _largest("bibl", "log_score")),
    Claim("Sec. “against BIBL”", "with 100 % of the data in the same direction, not so significant", _with_all),
    Claim("Figure 5(a)", "accuracy improves over MAPNB on 10 of 16", _wins("mapnb", "accuracy")),
    Claim("Figure 5(a)", "by up to 40 %", _largest("mapnb", "accuracy")),
    Claim("Figure 5(b)", "LogScore improves over MAPNB on 14 of 16", _wins("mapnb", "log_score")),
    Claim("Figure 5(b)", "by up to almost 100 %", _largest("mapnb", "log_score")),
    Claim("Sec. “against MAPNB”", "in some cases MAPNB gives probability 0 to the real class", _zero),
    Claim("Sec. “Experimental results”", "the three methods converge given enough data", _converge),
    Claim("Conclusions", "it reduces the error rate and approximates probabilities better with few data", _better),
)

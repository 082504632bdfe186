"""The claims of the robust paper, each answered from the accuracies of one reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from candide.experiments.published import ROBUST_TABLE
from candide.experiments.readings import Claim, Finding

NEAR = 2.0
"""Standard deviations of a draw within which the paper's number may be one."""
MODELS = ("basic", "estimate", "proposed")


def _accuracies(found: Any) -> Finding:
    far = [f"{name} {model}" for name in found.names for model in MODELS if abs(found.distance(name, model)) > NEAR]
    total = len(found.names) * len(MODELS)
    rest = f"; not {listed(far)}" if far else ""
    # of 45 numbers two or so lie beyond two standard deviations by chance
    return Finding(f"{total - len(far)} of {total} within {NEAR:g} standard deviations{rest}", len(far) <= 0.05 * total)


def _better_than(rival: str) -> Any:
    def check(found: Any) -> Finding:
        said = sum(getattr(ROBUST_TABLE[name], f"against_{rival}").startswith("yes") for name in found.names)
        counts = (found.verdicts[rival] == "yes").groupby("repeat").sum()
        low, high = int(counts.min()), int(counts.max())
        return Finding(f"{counts.mean():.1f} of {len(found.names)} ({low} to {high} by draw)", low <= said <= high)

    return check


def _noisy(found: Any) -> Finding:
    said = {name for name in found.names if ROBUST_TABLE[name].against_estimate.startswith("yes")}
    ours = {name for name in found.names if found.usual(name, "estimate")[0] == "yes"}
    return Finding(listed(sorted(ours)) or "none", ours == said)


def _large(found: Any) -> Finding:
    small = [name for name in found.names if name == "Sonar" and ROBUST_TABLE[name].against_estimate.startswith("yes")]
    words = "Sonar, one of the four, has 208 rows and 2 classes" if small else "the four are large"
    return Finding(words, not small)


def _wine(found: Any) -> Finding:
    usual, count = found.usual("Wine", "estimate") if "Wine" in found.names else ("not run", 0)
    return Finding(f"{usual} in {count} draws", usual == "no")


def _above(found: Any) -> Finding:
    kept = [name for name in ("Vehicle", "P-I-Diabetes") if name in found.names]
    gap = found.accuracy["basic"] - found.accuracy["proposed"]
    above = {name: int((gap.loc[name] > 1e-9).sum()) for name in kept}
    words = [f"on {name} in {n} of {len(gap.loc[name])} draws" for name, n in above.items()]
    return Finding(listed(words) or "not run", all(above.values()) if above else None)


def _never_worse(found: Any) -> Finding:
    gap = found.mean["proposed"] - found.mean["basic"]
    best = gap.idxmax()
    up, down = int((gap > 1e-9).sum()), int((gap < -1e-9).sum())
    words = f"better on {up}, worse on {down} of {len(gap)}; by {gap[best]:.1f} points at most ({best})"
    return Finding(words, up > len(gap) / 2)


def _conclusion(found: Any) -> Finding:
    gap = found.mean["proposed"] - found.mean["estimate"]
    up, down = int((gap > 1e-9).sum()), int((gap < -1e-9).sum())
    return Finding(
        f"above estimate on {up}, below on {down} of {len(gap)}; by {np.mean(gap):+.2f} points on average", up > down
    )


def listed(names: Sequence[str]) -> str:
    """Return names as a person lists them."""
    return ", ".join(names)


CRITERIA = (
    "of the accuracies no more than one in twenty lies beyond two standard deviations of a draw; counts of verdicts, "
    "and that basic is above proposed, occur among our draws, as the paper's is one; a verdict on a data set is that "
    "of most draws; “better” over all data sets is better on more of them than worse."
)

CLAIMS = (
    Claim("Table 1", "45 accuracies", _accuracies),
    Claim("Sec. 4", "proposed is much better than basic on 8 of 15 data sets", _better_than("basic")),
    Claim("Sec. 4", "proposed is significantly better than estimate on 4 of 15", _better_than("estimate")),
    Claim("Sec. 4", "these are the noisy sets Letter, Pendigit, Segmentation and Sonar", _noisy),
    Claim("Sec. 4", "they are all large and have more classes than any other", _large),
    Claim("Table 1", "on Wine estimate is better than proposed", _wine),
    Claim("Table 1", "on Vehicle and Diabetes basic is above proposed", _above),
    Claim("Sec. 3", "the method solves the problem of basic, which cannot classify some rows", _never_worse),
    Claim("Conclusion", "proposed is better than basic and estimate", _conclusion),
)

"""The claims of the summation paper, each answered from the accuracies of one reading, under both treatments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from candide.experiments.readings import Claim, Finding

TREATMENTS = ("errors", "prior")
"""What a point impossible under every class is: an error of either rule, or decided by the class prior."""
ALIKE = 0.02
"""Accuracies that differ by no more than two points are alike."""


def gains(results: Any, layout: str, column: str) -> Any:
    """SH less NB by setting (maximum value, training samples): mean over environments, and its standard error."""
    part = results[results["layout"] == layout]
    wide = part.pivot_table(index=["max_value", "n_train", "seed"], columns="rule", values=column)
    return (wide["SH"] - wide["NB"]).groupby(["max_value", "n_train"]).agg(["mean", "sem"])


def counted(gain: Any) -> tuple[int, int]:
    """In how many settings SH is better, and worse, by more than two standard errors."""
    return int((gain["mean"] > 2 * gain["sem"]).sum()), int((gain["mean"] < -2 * gain["sem"]).sum())


def _range(layout: str, phase: str, low: float, high: float) -> Callable[[Any], Finding]:
    """NB's accuracy lies in a range in three quarters of the settings, under one treatment at least."""

    def check(results: Any) -> Finding:
        part = results[(results["layout"] == layout) & (results["rule"] == "NB")]
        words, holds = [], False
        for how in TREATMENTS if phase == "testing" else TREATMENTS[:1]:
            means = part.groupby(["max_value", "n_train"])[f"{phase}_{how}"].mean()
            inside = float(((means >= low) & (means <= high)).mean())
            named = f"{how}: " if phase == "testing" else ""
            words.append(
                f"{named}{100 * means.min():.0f} to {100 * means.max():.0f} %, {100 * inside:.0f} % of settings inside"
            )
            holds |= inside >= 0.75
        return Finding("; ".join(words), holds)

    return check


def _loss(results: Any) -> Finding:
    gain = gains(results, "uniform", "teaching_errors")["mean"]
    felt = gain[gain < -0.005]
    mean = float(felt.mean()) if len(felt) else 0.0
    words = (
        f"{100 * gain.max():+.0f} to {100 * gain.min():+.0f} points, {100 * mean:+.1f} on average where there is a loss"
    )
    return Finding(words, -0.15 <= mean <= -0.05)


def _by_treatment(layout: str, wanted: Callable[[int, int, int], bool]) -> Callable[[Any], Finding]:
    def check(results: Any) -> Finding:
        words, holds = [], []
        for how in TREATMENTS:
            gain = gains(results, layout, f"testing_{how}")
            better, worse = counted(gain)
            words.append(f"{how}: SH better in {better}, worse in {worse} of {len(gain)} settings")
            holds.append(wanted(better, worse, len(gain)))
        return Finding("; ".join(words), all(holds))

    return check


def _alike(results: Any) -> Finding:
    gain = gains(results, "sparse", "teaching_errors")["mean"]
    near = float((gain.abs() <= ALIKE).mean())
    words = (
        f"{100 * gain.max():+.0f} to {100 * gain.min():+.0f} points; within 2 points in {100 * near:.0f} % of settings"
    )
    return Finding(words, near >= 0.9)


def _high(results: Any) -> Finding:
    part = results[results["rule"] == "NB"].groupby("layout")["teaching_errors"].mean()
    uniform, sparse = float(part["uniform"]), float(part["sparse"])
    return Finding(f"uniform {100 * uniform:.1f} %, sparse {100 * sparse:.1f} %", sparse >= uniform - ALIKE)


def _closer(results: Any) -> Finding:
    uniform, sparse = (gains(results, layout, "teaching_errors")["mean"].mean() for layout in ("uniform", "sparse"))
    words = (
        f"SH loses {-100 * uniform:.1f} points with uniform points and {-100 * sparse:.1f} with sparse ones, on average"
    )
    return Finding(words, sparse > uniform)


def _grows(results: Any) -> Finding:
    words, holds = [], True
    for rule in ("NB", "SH"):
        part = results[results["rule"] == rule]
        ends = part.groupby(["layout", "max_value"])["n_train"].transform
        first, last = (part[part["n_train"] == ends(side)]["testing_prior"].mean() for side in ("min", "max"))
        words.append(f"{rule} from {100 * first:.0f} to {100 * last:.0f} %")
        holds &= bool(last > first)
    return Finding(", ".join(words), holds)


def _maximum(results: Any) -> Finding:
    means = results.groupby(["rule", "max_value"])["testing_prior"].mean().unstack()
    spread = float((means.max(axis=1) - means.min(axis=1)).max())
    words = ", ".join(f"{rule} {' / '.join(f'{100 * v:.0f}' for v in row)} %" for rule, row in means.iterrows())
    return Finding(f"{words} at {' / '.join(map(str, means.columns))}", spread > 0.05)


def _tree(results: Any) -> Finding:
    part = results[results["n_train"] == results.groupby(["layout", "max_value"])["n_train"].transform("max")]
    words, holds = [], True
    for rule in ("NB", "SH"):
        mine = part[part["rule"] == rule]
        gap = (mine["any_prior"] - mine["tree"]).groupby([mine["layout"], mine["max_value"]]).mean()
        words.append(f"{rule} {100 * gap.min():+.0f} to {100 * gap.max():+.0f} points against the tree")
        holds &= bool((gap >= -ALIKE).all())
    return Finding("; ".join(words), holds)


CRITERIA = (
    "a range holds three quarters of the settings, under one treatment of impossible points at least; “about 10 "
    "points” are 5 to 15 on average; “comes up to” is within 2 points in nine tenths of the settings; better and "
    "worse are so by more than two standard errors; the winner is better in more settings than worse, and “a lot of "
    "cases” are a third of the settings, both under both treatments; “as accurate as the tree” is no more than 2 "
    "points below it in every setting."
)

CLAIMS = (
    Claim(
        "Sec. 5, uniform", "naive Bayes: teaching accuracy from 80 to 100 %", _range("uniform", "teaching", 0.8, 1.0)
    ),
    Claim("Sec. 5, uniform", "the sum loses about 10 points of it", _loss),
    Claim(
        "Sec. 5, uniform", "naive Bayes: testing accuracy between 40 and 70 %", _range("uniform", "testing", 0.4, 0.7)
    ),
    Claim(
        "Sec. 5, uniform",
        "and lower with the sum: naive Bayes is the winner",
        _by_treatment("uniform", lambda better, worse, _: worse > better),
    ),
    Claim("Sec. 5, sparse", "the teaching accuracy of naive Bayes stays high", _high),
    Claim("Sec. 5, sparse", "the sum comes up to it", _alike),
    Claim("Sec. 5, sparse", "it comes nearer than with uniform points", _closer),
    Claim(
        "Sec. 5, sparse",
        "in testing the sum exceeds naive Bayes in a lot of cases",
        _by_treatment("sparse", lambda better, _, total: better >= total / 3),
    ),
    Claim("Figure 2", "the accuracy of both grows with the training set", _grows),
    Claim("Figure 2", "the maximum attribute value is one of the most important factors", _maximum),
    Claim("Conclusions", "both are as accurate as the decision tree with large training sets", _tree),
)

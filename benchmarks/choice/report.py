"""Two tables of the automatic choice: now against before, and now against single methods and scikit-learn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from benchmarks import record
from benchmarks.choice.models import AUTO

NOISE = 2.0
"""Standard errors within which a difference is taken for noise."""

INTRODUCTION = """\
Stratified folds, the same rows for all; accuracy in percent, log-loss in nats. Differences are means over the folds
with their standard errors: positive is better, in accuracy and in log-loss.
"""

BESIDE_OTHERS = """\
Accuracy / log-loss. The last columns compare the automatic choice with the best of scikit-learn's pipelines on the set;
a plus where it is no worse within one standard error.
"""


class Measure(NamedTuple):
    """A score: its column, the sign that makes greater better, and the factor with which it is written."""

    column: int
    sign: int
    unit: float


ACCURACY, LOG_LOSS = Measure(0, 1, 100), Measure(1, -1, 1)


class Difference(NamedTuple):
    """A mean difference over folds, and its standard error."""

    mean: float
    error: float

    def says(self) -> str:
        """Say on which side of noise it lies."""
        if abs(self.mean) <= NOISE * self.error or self.mean == 0:
            return ""
        return "better" if self.mean > 0 else "worse"


@dataclass(frozen=True)
class Scored:
    """A data set: (folds, 2) scores of each model now, and of the automatic choice before."""

    name: str
    now: dict[str, np.ndarray]
    before: np.ndarray | None = None

    def means(self, measure: Measure) -> tuple[float, float]:
        """Return the automatic choice's mean over the folds, before and now."""
        assert self.before is not None
        before, now = (measure.unit * scores[:, measure.column].mean() for scores in (self.before, self.now[AUTO]))
        return float(before), float(now)

    def gained(self, measure: Measure) -> Difference:
        """Return what the automatic choice gained since before."""
        assert self.before is not None
        return difference(self.now[AUTO], self.before, measure)

    def beside(self, theirs: Sequence[str], measure: Measure) -> Difference:
        """Return what it has over the best of scikit-learn's."""
        best = max((self.now[name] for name in theirs), key=lambda s: measure.sign * s[:, measure.column].mean())
        return difference(self.now[AUTO], best, measure)

    def record(self) -> dict[str, Any]:
        """Return all scores in plain values."""
        now = {name: scores.tolist() for name, scores in self.now.items()}
        return {"data": self.name, "now": now, "before": None if self.before is None else self.before.tolist()}


def difference(ours: np.ndarray, other: np.ndarray, measure: Measure) -> Difference:
    """Return the mean of paired differences, greater is better; folds that score alike differ by zero."""
    a, b = ours[:, measure.column], other[:, measure.column]
    gained = measure.sign * measure.unit * np.subtract(a, b, out=np.zeros(len(a)), where=a != b)
    return Difference(float(gained.mean()), float(gained.std(ddof=1) / np.sqrt(len(gained))))


def markdown(run: record.Run, scored: Sequence[Scored], theirs: Sequence[str]) -> str:
    """Return the report."""
    parts = ["# The automatic choice on real tables\n", record.sentence(run), INTRODUCTION]
    if all(s.before is not None for s in scored):
        parts += ["## Before and now\n", beyond_noise(scored), before_and_now(scored)]
    parts += ["## Beside single methods and scikit-learn\n", BESIDE_OTHERS, beside_others(scored, theirs)]
    return "\n".join(parts)


def beyond_noise(scored: Sequence[Scored]) -> str:
    """Say what is called better or worse, and how often chance alone would say so: t with folds − 1 degrees."""
    chance = 2 * stats.t.sf(NOISE, len(scored[0].now[AUTO]) - 1) * 2 * len(scored)
    return (
        f"Better and worse are differences of more than {NOISE:g} standard errors. Chance alone would call up to "
        f"{chance:.0f} of the {2 * len(scored)} so.\n"
    )


def before_and_now(scored: Sequence[Scored]) -> str:
    """Return the table of what has changed."""
    heading = ["data", "accuracy before", "now", "difference", "", "log-loss before", "now", "gained", ""]
    lines = []
    for s in scored:
        line = [s.name]
        for measure, form in ((ACCURACY, ".1f"), (LOG_LOSS, ".3f")):
            change = s.gained(measure)
            line += [*(format(mean, form) for mean in s.means(measure)), signed(change, form), change.says()]
        lines.append(line)
    return table(heading, [*lines, changes(scored)])


def changes(scored: Sequence[Scored]) -> list[str]:
    """Return the last line: means over the sets, the standard error of their mean, how many lie beyond noise."""
    line = [f"mean of {len(scored)}"]
    for measure, form in ((ACCURACY, ".2f"), (LOG_LOSS, ".4f")):
        found = [s.gained(measure) for s in scored]
        error = np.sqrt(sum(d.error**2 for d in found)) / len(found)
        overall = Difference(float(np.mean([d.mean for d in found])), float(error))
        counts = [sum(d.says() == word for d in found) for word in ("better", "worse")]
        means = np.mean([s.means(measure) for s in scored], axis=0)
        line += [*(format(m, form) for m in means), signed(overall, form), "{} better, {} worse".format(*counts)]
    return line


def beside_others(scored: Sequence[Scored], theirs: Sequence[str]) -> str:
    """Return the table of all models."""
    names = list(scored[0].now)
    heading = ["data", *names, "accuracy, auto − best of scikit-learn", "log-loss, gained"]
    lines, good = [], []
    for s in scored:
        found = [s.beside(theirs, measure) for measure in (ACCURACY, LOG_LOSS)]
        good.append([d.mean >= -d.error for d in found])
        means = [s.now[name].mean(axis=0) for name in names]
        marks = [f"{signed(d, '.2f')} {'+' if fine else '−'}" for d, fine in zip(found, good[-1], strict=True)]
        lines.append([s.name, *(f"{100 * a:.1f} / {loss:.3f}" for a, loss in means), *marks])
    means = np.mean([[s.now[name].mean(axis=0) for name in names] for s in scored], axis=0)
    cells = [f"{100 * a:.2f} / {loss:.4f}" for a, loss in means]
    shares = [f"{share:.0%} no worse" for share in np.mean(good, axis=0)]
    return table(heading, [*lines, [f"mean of {len(scored)}", *cells, *shares]])


def signed(change: Difference, form: str) -> str:
    """Write a difference with its standard error."""
    return f"{format(change.mean, f'+{form}')} ± {format(change.error, form)}"


def table(heading: list[str], lines: list[list[str]]) -> str:
    """Return Markdown."""
    rule = ["---", *["---:"] * (len(heading) - 1)]
    return "".join(f"| {' | '.join(line)} |\n" for line in [heading, rule, *lines])

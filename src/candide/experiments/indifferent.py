"""Experiment "indifferent": frequencies, uniform priors and the indifferent prior on 16 data sets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from candide.datasets.frames import import_pandas
from candide.evaluate.comparison import differences
from candide.experiments.indifferent_claims import CLAIMS, CRITERIA, METRICS, OURS, RIVALS
from candide.experiments.published import INDIFFERENT_SETS, INDIFFERENT_WINS
from candide.experiments.readings import PAPER, STRICT, PaperReading, answered, chosen, told_readings
from candide.experiments.sets import Sets, Settings, Validation, over_sets
from candide.frozen import frozen
from candide.plot import differences as draw_differences
from candide.presets import FrequencyNB, IndifferentNB, LaplaceNB
from candide.report.document import Block, bullets, figure, heading, number, paragraph, percent, table
from candide.report.figures import draw
from candide.shares import share

TITLE = "The indifferent naive Bayes classifier, reproduced"
MODELS = {**RIVALS, OURS: "IndifferentNB"}
FRACTIONS = (0.1, 1.0)
REPEATS = 5
FLOOR = 1e-6

READINGS = {
    reading.name: reading
    for reading in (
        PaperReading(
            STRICT,
            "Five bins of equal frequency, cut from the learning rows; ten stratified folds. A row that is impossible "
            "under every class of MAPNB is an error, and a true class of probability zero makes LogScore infinite.",
            "“Equal frequency discretization with 5 intervals”; “cross validation”; probability 0 “raises the "
            "LogScore to infinity”.",
            Validation(),
        ),
        PaperReading(
            "floor",
            f"As strict, but probabilities are not below {FLOOR:g}, and an impossible row of MAPNB goes to the first "
            "class.",
            "LogScore improves “up to almost a 100 % improvement” and not on all 16 data sets, as it would where "
            "MAPNB's is infinite on all of them.",
            Validation(impossible="first", floor=FLOOR),
        ),
        PaperReading(
            "plain",
            "As floor, but folds are not stratified, and the cut points are those of all rows.",
            "Nothing is said of either.",
            Validation(stratified=False, cuts="all", impossible="first", floor=FLOOR),
        ),
        PaperReading(
            PAPER,
            "As floor, but folds are not stratified, and numbers are taken as symbols: every distinct number of the "
            "file is a value of its attribute.",
            "The contrary: “to discretize continuous attributes we used equal frequency discretization with 5 "
            "intervals”. No reading with five bins comes near the counts of figure 4.",
            Validation(stratified=False, symbols=True, impossible="first", floor=FLOOR),
        ),
    )
}

SAME = (
    "DCREDITS is a private data set; German credit (1000 rows, 20 attributes, 2 classes) stands in for it.",
    "GLASS has two classes in the paper: here window against non-window glass.",
    "SOYBEAN has 683 rows here (training and test file together), 316 in the paper's table.",
    "BREAST has 9 attributes: the paper counts the identifier as a tenth.",
    "The domain of a categorical column is that of the whole file; a missing cell says nothing.",
)


@frozen
class Found:
    """What one reading gives."""

    results: Any

    @cache  # noqa: B019  # one object a reading, gone with the report
    def scores(self, fraction: float, metric: str) -> Any:
        """Scores by (dataset, draw) and model: the mean accuracy of ten folds, or LogScore summed over them."""
        part = self.results[self.results["train_fraction"] == fraction]
        by = part.groupby(["dataset", "repeat", "model"], sort=False)[metric]
        return (by.mean() if metric == "accuracy" else by.sum()).unstack("model")

    @cache  # noqa: B019
    def gains(self, fraction: float, rival: str, metric: str) -> Any:
        """How much better ours is, by (dataset, draw): in points of accuracy, or as a share of the rival's LogScore."""
        scores = self.scores(fraction, metric)
        ours, theirs = scores[OURS].to_numpy(), scores[rival].to_numpy()
        gain = differences(ours, theirs) if metric == "accuracy" else improvement(ours, theirs, metric)
        return import_pandas().Series(gain, index=scores.index)

    def wins(self, fraction: float, rival: str, metric: str) -> Any:
        """On how many data sets ours is better, by draw."""
        return (self.gains(fraction, rival, metric) > 0).groupby("repeat").sum()

    def largest(self, fraction: float, rival: str, metric: str) -> Any:
        """The largest relative improvement, by draw."""
        scores = self.scores(fraction, metric)
        gain = improvement(scores[OURS].to_numpy(), scores[rival].to_numpy(), metric)
        return import_pandas().Series(gain, index=scores.index).groupby("repeat").max()


def improvement(ours: np.ndarray, theirs: np.ndarray, metric: str) -> np.ndarray:
    """Relative improvement: of accuracy (a − b)/b, of LogScore (b − a)/b, and 1 where only b is infinite."""
    better = differences(ours, theirs) if metric == "accuracy" else differences(theirs, ours)
    with np.errstate(invalid="ignore", divide="ignore"):
        relative = better / theirs
    return np.where(better == 0, 0.0, np.where(np.isposinf(theirs) & np.isposinf(better), 1.0, relative))


def collect(settings: Settings) -> tuple[Any, dict[str, Any]]:
    """Run the experiment: all fold results, and the report."""
    models = {"mapnb": FrequencyNB(), "bibl": LaplaceNB(), OURS: IndifferentNB()}
    readings = chosen(READINGS, settings.readings)
    sets = Sets.load(INDIFFERENT_SETS, settings)
    repeats = settings.repeats or REPEATS
    validations = {reading.name: reading.setting for reading in readings}
    results = over_sets(sets, models, FRACTIONS, validations, settings, repeats)
    found = {reading.name: Found(results[results["reading"] == reading.name]) for reading in readings}
    blocks = [
        paragraph(
            "Cerquides and López de Màntaras compare three ways to estimate naive Bayes: MAPNB (frequencies), BIBL "
            "(uniform hyperparameters) and IndifferentNB (the indifferent prior), by ten-fold cross-validation with "
            "all of the learning fold and with only a tenth of it. LogScore is the sum of −log P(true class): smaller "
            "is better."
        ),
        *told_readings(readings),
        bullets([*SAME, *sets.notes]),
        *answered(CLAIMS, found, CRITERIA),
        *_wins(found, repeats),
        *_pictures(found),
        *_set_tables(found),
    ]
    about = f"{repeats} draws of ten folds each, seed {settings.seed}; data {sets.digest}."
    return results, {"title": sets.titled(TITLE), "blocks": blocks, "about": about}


def _wins(found: Mapping[str, Found], repeats: int) -> list[Block]:
    columns = ["against", "data", "score", "wins, published"] + [f"wins, {reading}" for reading in found]
    columns += ["up to, published", *(f"up to, {reading}" for reading in found)]
    rows = []
    for fraction in FRACTIONS:
        for (rival, metric), said in INDIFFERENT_WINS.items():
            paper = [f"{said.wins}", f"{percent(said.largest, 0)} %"] if fraction == min(FRACTIONS) else ["–", "–"]
            wins = [mean_and_range(f.wins(fraction, rival, metric), 1) for f in found.values()]
            most = [mean_and_range(100 * f.largest(fraction, rival, metric), 0) + " %" for f in found.values()]
            rows.append([RIVALS[rival], share(fraction, 0), METRICS[metric], paper[0], *wins, paper[1], *most])
    words = (
        "On how many of the data sets IndifferentNB is better, and by how much relative to its rival at most: the "
        f"mean of {repeats} draws of folds, and their range."
    )
    return [heading("Wins"), paragraph(words), table(columns, rows)]


def mean_and_range(draws: Any, digits: int) -> str:
    """Return the mean of draws and their range."""
    low, high = draws.min(), draws.max()
    return f"{number(draws.mean(), digits)} ({number(low, 0)}–{number(high, 0)})"


def _pictures(found: Mapping[str, Found]) -> list[Block]:
    few = min(FRACTIONS)

    def plot(axes: Any) -> None:
        for ax, (rival, metric) in zip(axes.flat, INDIFFERENT_WINS, strict=True):
            series = {reading: _interval(f.gains(few, rival, metric)) for reading, f in found.items()}
            unit = "percentage points of accuracy" if metric == "accuracy" else "% of the rival's LogScore"
            draw_differences(series, ax, unit=unit, legend=ax is axes.flat[0])
            ax.set_title(f"{METRICS[metric]}: IndifferentNB against {RIVALS[rival]}", fontsize=10)

    caption = (
        "How much better IndifferentNB is with 10 % of the learning fold (figures 4 and 5 of the paper): to the right "
        "of the line it is better. The bar is two standard deviations of one draw of folds to each side. Where only "
        "the rival's LogScore is infinite, the improvement is 100 %."
    )
    names = next(iter(found.values())).results["dataset"].nunique()
    return [figure(caption, draw(plot, (11, 2.0 + 0.5 * names), (2, 2)))]


def _interval(gains: Any) -> Any:
    by = 100 * gains.groupby("dataset", sort=False).mean(), 100 * gains.groupby("dataset", sort=False).std()
    frame = by[0].to_frame("difference")
    return frame.assign(low=by[0] - 2 * by[1], high=by[0] + 2 * by[1])


def _set_tables(found: Mapping[str, Found]) -> list[Block]:
    blocks: list[Block] = [heading("Every data set")]
    for reading, f in found.items():
        for metric, word in METRICS.items():
            columns = ["data set"] + [f"{name}, {share(x, 0)}" for x in FRACTIONS for name in MODELS.values()]
            means = {x: f.scores(x, metric).groupby("dataset", sort=False).mean() for x in FRACTIONS}
            show = percent if metric == "accuracy" else number
            rows = [
                [d] + [show(means[x].loc[d, model]) for x in FRACTIONS for model in MODELS]
                for d in means[FRACTIONS[0]].index
            ]
            unit = "in per cent" if metric == "accuracy" else "summed over ten folds"
            blocks += [paragraph(f"{reading}: {word}, {unit}, mean over the draws."), table(columns, rows)]
    return blocks

"""Experiment "robust": basic, estimate and proposed on 15 data sets, beside the paper's Table 1."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np

from candide.datasets.frames import import_pandas
from candide.evaluate.comparison import differences, t_test
from candide.experiments.published import ROBUST_TABLE
from candide.experiments.readings import PAPER, STRICT, PaperReading, answered, chosen, told_readings
from candide.experiments.robust_claims import CLAIMS, CRITERIA
from candide.experiments.sets import Sets, Settings, Validation, over_sets
from candide.frozen import frozen
from candide.plot import critical_difference
from candide.plot import differences as draw_differences
from candide.presets import EstimateNB, FrequencyNB, RobustNB
from candide.report.document import Block, bullets, figure, heading, paragraph, table
from candide.report.figures import draw

TITLE = "The robust approach to zero probabilities, reproduced"
MODELS = ("basic", "estimate", "proposed")
RIVALS = MODELS[:2]
LEVEL = 0.95
REPEATS = 10
# the 30 image features that the paper counts; the recurrence time leaks the outcome
LEFT_OUT = {"wpbc": ("time", "tumor-size", "lymph-node-status")}

READINGS = {
    reading.name: reading
    for reading in (
        PaperReading(
            STRICT,
            "A row that is impossible under every class is an error of basic. Ten stratified folds, cut points from "
            "the learning rows. WPBC has the 30 image features.",
            "“NBC cannot predict the class of such test instances”; “ten-fold cross validation”; WPBC has 198 rows "
            "and 30 features.",
            Validation(left_out=LEFT_OUT),
        ),
        PaperReading(
            "first",
            "As strict, but an impossible row of basic goes to the class that comes first in the file, as the largest "
            "of equal numbers does.",
            "Basic stands above proposed on Vehicle and Diabetes, which cannot be if such rows are errors.",
            Validation(left_out=LEFT_OUT, impossible="first"),
        ),
        PaperReading(
            PAPER,
            "Impossible rows of basic go to the class that comes first in the file. Ten random test sets of n/10 rows, "
            "not stratified, cut points from all rows. WPBC has all 33 columns and its 194 complete rows.",
            "All 45 accuracies are whole numbers of rows in ten test sets of n/10 rows, for Sonar of 210 rows in all, "
            "which are more than it has; those of WPBC of 10 × 19 rows, a tenth of 194.",
            Validation(stratified=False, random=True, cuts="all", impossible="first", complete=("wpbc",)),
        ),
    )
}


@frozen(eq=True)
class RobustFound:
    """What one reading gives: the accuracies in per cent of every draw of ten test sets."""

    results: Any

    @cached_property
    def accuracy(self) -> Any:
        """Mean accuracy of ten test sets: rows (dataset, draw), columns the models."""
        means = self.results.groupby(["dataset", "repeat", "model"], sort=False)["accuracy"].mean().unstack("model")
        return 100 * means[list(MODELS)]

    @property
    def names(self) -> list[str]:
        """The data sets, in the paper's order."""
        return list(self.results["dataset"].unique())

    @cached_property
    def mean(self) -> Any:
        """Mean over the draws: rows data sets, columns models."""
        return self.accuracy.groupby("dataset", sort=False).mean()

    @cached_property
    def spread(self) -> Any:
        """Standard deviation of one draw."""
        return self.accuracy.groupby("dataset", sort=False).std()

    @cached_property
    def verdicts(self) -> Any:
        """Whether proposed is better than each rival, by draw: rows (dataset, draw), columns the rivals."""
        lines = {}
        for key, part in self.results.groupby(["dataset", "repeat"], sort=False):
            wide = part.pivot_table(index="fold", columns="model", values="accuracy")
            lines[key] = {rival: verdict(significance(wide["proposed"], wide[rival])) for rival in RIVALS}
        return import_pandas().DataFrame.from_dict(lines, orient="index").rename_axis(["dataset", "repeat"])

    def usual(self, name: str, rival: str) -> tuple[str, int]:
        """Return the verdict of most draws on a data set, and of how many."""
        counts = self.verdicts.loc[name, rival].value_counts()
        return str(counts.index[0]), int(counts.iloc[0])

    def distance(self, name: str, model: str) -> float:
        """How many standard deviations of a draw the paper's accuracy is away."""
        gap = published(name, model) - self.mean.loc[name, model]
        spread = self.spread.loc[name, model]
        return float(gap / spread) if spread else float(np.sign(gap) * np.inf if gap else 0.0)


def collect(settings: Settings) -> tuple[Any, dict[str, Any]]:
    """Run the experiment: all fold results, and the report."""
    bins = EstimateNB().distributions
    models = {"basic": FrequencyNB(distributions=bins), "estimate": EstimateNB(), "proposed": RobustNB()}
    readings = chosen(READINGS, settings.readings)
    sets = Sets.load({paper: row.dataset for paper, row in ROBUST_TABLE.items()}, settings)
    repeats = settings.repeats or REPEATS
    validations = {reading.name: reading.setting for reading in readings}
    results = over_sets(sets, models, (1.0,), validations, settings, repeats).drop(columns="train_fraction")
    found = {reading.name: RobustFound(results[results["reading"] == reading.name]) for reading in readings}
    blocks = [
        paragraph(
            "Chandra, Gupta and Gupta compare the basic approach (frequencies), the Laplace and m-estimate, and their "
            "own: where every class has probability zero, the class with the least number of zero attributes divided "
            "by its prior wins. Numeric attributes are cut into ten bins of equal width."
        ),
        *told_readings(readings),
        bullets([*SAME, *sets.notes]),
        *answered(CLAIMS, found, CRITERIA),
        *_accuracies(found, repeats),
        *_verdicts(found, repeats),
        *_ranks(found),
    ]
    about = f"{repeats} draws of ten test sets each, seed {settings.seed}; data {sets.digest}."
    return results, {"title": sets.titled(TITLE), "blocks": blocks, "about": about}


SAME = (
    "GLASS has 9 attributes without its identifier, and the 6 classes that occur.",
    (
        "“Better” is the one-sided paired t-test over ten test sets at 95 %, as in the paper. Test sets share learning "
        "rows, so that it is too sure of itself."
    ),
)


def published(name: str, model: str) -> float:
    """Return an accuracy of the paper, in per cent."""
    return float(getattr(ROBUST_TABLE[name], model))


def significance(ours: Any, theirs: Any) -> float:
    """Return the probability, by the one-sided paired t-test, that ours is more accurate."""
    d = differences(ours.to_numpy(), theirs.to_numpy())
    return t_test(d, 1 / len(d))[2]


def verdict(significance: float) -> str:
    """Answer to "is proposed better?": yes or no at the one-sided 95 % level, else equal."""
    return "yes" if significance >= LEVEL else "no" if significance <= 1 - LEVEL else "equal"


def _accuracies(found: Mapping[str, RobustFound], repeats: int) -> list[Block]:
    names = next(iter(found.values())).names
    columns = ["data set"]
    for model in MODELS:
        columns += [f"{model}, published", *found]
    rows = [
        [name]
        + [
            cell
            for model in MODELS
            for cell in (
                f"{published(name, model):.2f}",
                *(f"{f.mean.loc[name, model]:.1f} ± {f.spread.loc[name, model]:.1f}" for f in found.values()),
            )
        ]
        for name in names
    ]
    return [
        heading("Table 1, the paper's and ours"),
        paragraph(
            f"Accuracy in per cent: the mean of {repeats} draws of ten test sets, ± the standard deviation of one such "
            f"draw, since the paper's number is one. The standard error of our mean is that over √{repeats}."
        ),
        table(columns, rows),
        _picture(found, names),
    ]


def _picture(found: Mapping[str, RobustFound], names: list[str]) -> Block:
    pandas = import_pandas()

    def plot(axes: Any) -> None:
        for ax, model in zip(np.atleast_1d(axes), MODELS, strict=True):
            series = {}
            for reading, f in found.items():
                gap = [f.mean.loc[n, model] - published(n, model) for n in names]
                room = 2 * f.spread[model].loc[names].to_numpy()
                frame = pandas.DataFrame({"difference": gap}, index=names)
                series[reading] = frame.assign(low=frame["difference"] - room, high=frame["difference"] + room)
            draw_differences(series, ax, legend=model == MODELS[0])
            ax.set_title(model, fontsize=10)

    caption = (
        "Ours less the paper's accuracy. The bar is two standard deviations of one draw of ten test sets to each side: "
        "where it holds the line, the paper's number may well be such a draw."
    )
    return figure(caption, draw(plot, (11, 0.9 + 0.34 * len(names)), (1, len(MODELS))))


def _verdicts(found: Mapping[str, RobustFound], repeats: int) -> list[Block]:
    columns = ["proposed better?"]
    for rival in RIVALS:
        columns += [f"than {rival}, published", *found]
    rows = [
        [name]
        + [
            cell
            for rival in RIVALS
            for cell in (
                getattr(ROBUST_TABLE[name], f"against_{rival}"),
                *("{} {}/{}".format(*f.usual(name, rival), repeats) for f in found.values()),
            )
        ]
        for name in next(iter(found.values())).names
    ]
    words = f"The verdict of most of the {repeats} draws, and of how many of them:"
    return [heading("Is proposed better?"), paragraph(words), table(columns, rows)]


def _draw_ranks(results: Any, ax: Any) -> None:
    critical_difference(results, ax=ax)


def _ranks(found: Mapping[str, RobustFound]) -> list[Block]:
    blocks: list[Block] = []
    for reading, f in found.items():
        if len(f.names) > 1:
            svg = draw(partial(_draw_ranks, f.results), (7, 2.0))
            caption = (
                f"{reading}: mean ranks of the accuracies; a bar joins approaches that do not differ (Nemenyi, 5 %)."
            )
            blocks.append(figure(caption, svg))
    return [heading("Over all data sets"), *blocks] if blocks else []

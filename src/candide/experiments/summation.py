"""Experiment "summation": naive Bayes against the summation rule in a made-up environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from candide.combination import impossible
from candide.datasets import reference_environment
from candide.datasets.environment import LAYOUTS, ReferenceEnvironment, nearest
from candide.datasets.frames import import_pandas
from candide.datasets.tree import classify
from candide.distributions import Categorical
from candide.evaluate.answers import fit_knowing
from candide.evaluate.workers import run
from candide.experiments.propagation import propagation
from candide.experiments.published import SUMMATION_MAX_VALUES
from candide.experiments.readings import PAPER, STRICT, PaperReading, answered, chosen, told_readings
from candide.experiments.sets import Settings
from candide.experiments.summation_claims import CLAIMS, CRITERIA, TREATMENTS
from candide.experiments.summation_report import accuracy_tables, picture, tree_table
from candide.frozen import frozen
from candide.presets import FrequencyNB, SummationNB
from candide.report.document import bullets, paragraph

TITLE = "The summation hack, reproduced"
SIZES = (25, 50, 100, 200, 400, 800, 1600, 3200)
REPEATS = 10


@frozen(eq=True)
class World:
    """The parameters of the environment, and the smoothing of naive Bayes."""

    n_classes: int = 5
    n_attributes: int = 5
    n_references: int = 10
    tree_samples: int = 2000
    testing_samples: int = 1000
    dense: tuple[float, float] = (0.8, 0.2)
    smoothing: str = "none"
    sizes: Sequence[int] = field(default=SIZES)

    def sizes_for(self, max_value: int) -> list[int]:
        """Return the training sizes that leave at least half of the points of the space untrained."""
        points = (max_value + 1) ** self.n_attributes
        return [size for size in self.sizes if size <= points / 2]

    def made(self, layout: str, max_value: int, seed: int) -> ReferenceEnvironment:
        """Return the environment."""
        return reference_environment(
            n_classes=self.n_classes,
            n_attributes=self.n_attributes,
            n_references=self.n_references,
            tree_samples=self.tree_samples,
            training_samples=max(self.sizes_for(max_value)),
            testing_samples=self.testing_samples,
            dense_share=self.dense[0],
            dense_side=self.dense[1],
            max_value=max_value,
            layout=layout,
            seed=seed,
        )


UNSTATED = "No number of classes, attributes, reference points or samples is stated, nor how sparse “sparsely” is."
READINGS = {
    reading.name: reading
    for reading in (
        PaperReading(
            STRICT,
            "5 classes, 10 reference points, 5 attributes; sparse is four fifths of the reference points in a cube "
            "with a fifth of the side. Frequencies are not softened.",
            UNSTATED,
            World(),
        ),
        PaperReading(
            "laplace",
            "As strict, but naive Bayes adds one to the counts of the values.",
            "Laplace estimation is called “one of the simplest solutions” of the zero problem; whether the experiment "
            "used it is not said.",
            World(smoothing="lidstone"),
        ),
        PaperReading(
            "two",
            "As strict, but 2 attributes.",
            f"{UNSTATED} Two give the range of the teaching accuracy and the loss of about 10 points.",
            World(n_attributes=2),
        ),
        PaperReading(
            PAPER,
            "5 classes, 20 reference points, 2 attributes; sparse is 95 % of the reference points in a cube with 5 % "
            "of the side. Frequencies are not softened.",
            "“A small region with relatively large number of reference points and outside this region there are only "
            "a few”.",
            World(n_attributes=2, n_references=20, dense=(0.95, 0.05)),
        ),
    )
}

SAME = (
    "Attribute values are categories 0 .. max; the sum is not softened.",
    "A training size is left out where fewer than half of the points of the space would be untrained.",
    (
        "A point that has probability zero under every class, by the product or by the sum, is an error under "
        "“errors”, and gets the commonest class under “prior”: both algorithms are treated alike in both columns. "
        "Trained points never are such."
    ),
)


def collect(settings: Settings) -> tuple[Any, dict[str, Any]]:
    """Run the experiment: one line per environment, rule and number of training samples, and the report."""
    readings = chosen(READINGS, settings.readings)
    repeats = settings.repeats or REPEATS
    pieces = [
        (reading.name, reading.setting, layout, max_value, settings.seed + environment)
        for reading in readings
        for layout in LAYOUTS
        for max_value in SUMMATION_MAX_VALUES
        for environment in range(repeats)
    ]
    lines = run(_one_environment, pieces, "environments", settings.n_jobs, settings.progress)
    results = import_pandas().DataFrame([line for part in lines for line in part])
    found = {reading.name: results[results["reading"] == reading.name] for reading in readings}
    blocks = [
        paragraph(
            "Barabás and Kovács replace the product of naive Bayes by a sum (the “summation hack”, SH) and compare "
            "the two in a made-up environment: random reference points, every point of the class of its nearest one, "
            "an ID3 tree grown from such points as the judge. Both learn from random points that tree and reference "
            "points label alike."
        ),
        *told_readings(readings),
        bullets(SAME),
        *answered(CLAIMS, found, CRITERIA),
        *(block for name, part in found.items() for block in _section(name, part)),
        *propagation(np.random.default_rng(settings.seed)),
    ]
    about = f"{repeats} environments for each setting, seeds from {settings.seed}."
    return results, {"title": TITLE, "blocks": blocks, "about": about}


def _section(name: str, part: Any) -> list[Any]:
    return [*picture(name, part), *accuracy_tables(name, part), *tree_table(name, part)]


def _one_environment(reading: str, world: World, layout: str, max_value: int, seed: int) -> list[dict[str, Any]]:
    made = world.made(layout, max_value, seed)
    place = {
        "reading": reading,
        "layout": layout,
        "max_value": max_value,
        "seed": seed,
        "kept": 1 - (made.unclassifiable + made.misclassified) / made.drawn,
    }
    return [place | line for line in curve(made, world, max_value, seed)]


def curve(made: ReferenceEnvironment, world: World, max_value: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the accuracies of both rules after learning from more and more points."""
    values = Categorical(levels=list(range(max_value + 1)))
    classes = np.unique(made.reference_classes)
    rules = {
        "NB": FrequencyNB(distributions=values, smoothing=world.smoothing),
        "SH": SummationNB(distributions=values),
    }
    # any points of the space, labelled by the reference points: here the tree errs, too
    points = np.random.default_rng([seed, 1]).integers(0, max_value + 1, (world.testing_samples, world.n_attributes))
    truth = nearest(points, made.references, made.reference_classes)
    tree = float((classify(made.tree, points) == truth).mean())
    for size in world.sizes_for(max_value):
        X, y = made.X_train[:size], made.y_train[:size]
        for rule, untaught in rules.items():
            model = fit_knowing(untaught, X, y, classes)
            yield {
                "model": f"{rule}{max_value}",
                "rule": rule,
                "n_train": size,
                **_scored("teaching", model, X, y),
                **_scored("testing", model, made.X_test, made.y_test),
                **_scored("any", model, points, truth),
                "tree": tree,
            }


def _scored(phase: str, model: Any, X: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """Accuracies under both treatments of points that are impossible under every class, and the share of those."""
    lost = impossible(model.predict_joint_log_proba(X))
    right = model.predict(X) == y
    by: Mapping[str, np.ndarray] = {"errors": right & ~lost, "prior": right}
    return {f"{phase}_{how}": float(by[how].mean()) for how in TREATMENTS} | {f"{phase}_impossible": float(lost.mean())}

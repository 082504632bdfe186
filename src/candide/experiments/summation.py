"""Experiment "summation": naive Bayes against the summation rule in a made-up environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from candide.datasets import reference_environment
from candide.datasets.environment import LAYOUTS, ReferenceEnvironment
from candide.datasets.frames import import_pandas
from candide.distributions import Categorical
from candide.evaluate.answers import impossible
from candide.evaluate.workers import run
from candide.experiments.propagation import propagation
from candide.experiments.published import SUMMATION_MAX_VALUES
from candide.experiments.sets import Settings
from candide.plot import learning_curves
from candide.presets import FrequencyNB, SummationNB
from candide.report.document import Block, bullets, figure, heading, paragraph, percent, table
from candide.report.figures import draw

PRESETS = {"NB": FrequencyNB, "SH": SummationNB}
SIZES = (25, 50, 100, 200, 400, 800, 1600, 3200)
ENVIRONMENTS = 10
PARAMETERS = {
    "n_classes": 5,
    "n_attributes": 5,
    "tree_samples": 2000,
    "training_samples": max(SIZES),
    "testing_samples": 1000,
}
N_REFERENCES = 10
PHASES = ("teaching", "testing")
# what the paper says of the sum, and which counts of settings (better, worse) would contradict it
CLAIMS: dict[tuple[str, str], tuple[str, Callable[[int, int], bool]]] = {
    ("uniform", "teaching"): ("the sum loses about 10 points", lambda better, worse: better >= worse),
    ("uniform", "testing"): ("naive Bayes is better", lambda better, worse: better >= worse),
    ("sparse", "teaching"): ("the two are alike", lambda better, worse: max(better, worse) > 0),
    ("sparse", "testing"): ("the sum is better in many cases", lambda better, _: better == 0),
}


def collect(settings: Settings) -> tuple[Any, dict[str, Any]]:
    """Run the experiment: one line per environment, rule and number of training samples, and the report."""
    pieces = [
        (layout, max_value, settings.seed + environment)
        for layout in LAYOUTS
        for max_value in SUMMATION_MAX_VALUES
        for environment in range(ENVIRONMENTS)
    ]
    found = run(_one_environment, pieces, "environments", settings.n_jobs, settings.progress)
    results = import_pandas().DataFrame([line for lines in found for line in lines])
    blocks = [
        *_introduction(settings),
        heading("Learning curves"),
        _picture(results),
        *_accuracy_tables(results),
        heading("Against the paper"),
        bullets(_in_words(results)),
        *propagation(np.random.default_rng(settings.seed)),
    ]
    return results, {"title": "The summation hack, reproduced", "blocks": blocks}


def _one_environment(layout: str, max_value: int, seed: int) -> list[dict[str, Any]]:
    world = reference_environment(
        **PARAMETERS, max_value=max_value, layout=layout, n_references=N_REFERENCES, seed=seed
    )
    place = {
        "layout": layout,
        "max_value": max_value,
        "seed": seed,
        "unclassifiable": world.unclassifiable / world.drawn,
        "misclassified": world.misclassified / world.drawn,
    }
    return [place | line for line in _curve(world, max_value)]


def _curve(world: ReferenceEnvironment, max_value: int) -> Iterator[dict[str, Any]]:
    values = Categorical(levels=list(range(max_value + 1)))
    classes = np.unique(world.reference_classes)
    for size in SIZES:
        X, y = world.X_train[:size], world.y_train[:size]
        for rule, preset in PRESETS.items():
            model = preset(distributions=values).partial_fit(X, y, classes=classes)
            teaching, testing = (_accuracy(model, *rows) for rows in ((X, y), (world.X_test, world.y_test)))
            yield {
                "model": f"{rule}{max_value}", "rule": rule, "n_train": size,
                "teaching_accuracy": teaching[0], "teaching_impossible": teaching[1],
                "testing_accuracy": testing[0], "testing_impossible": testing[1],
            }  # fmt: skip


def _accuracy(model: Any, X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Share of rows classified rightly (impossible ones are errors), and share of impossible rows."""
    lost = impossible(model, X)
    return float(((model.predict(X) == y) & ~lost).mean()), float(lost.mean())


def _introduction(settings: Settings) -> list[Block]:
    p = PARAMETERS
    return [
        paragraph(
            "Barabás and Kovács replace the product of naive Bayes by a sum (the “summation hack”, SH) "
            "and compare the two in a made-up environment: random reference points, every point of the "
            "class of its nearest one, an ID3 tree grown from such points as the judge. Naive Bayes "
            "learns from random points that tree and reference points label alike. Frequencies are not "
            "softened; attribute values are categories 0 .. max."
        ),
        paragraph(
            f"Parameters: {p['n_classes']} classes, {N_REFERENCES} reference points, {p['n_attributes']} "
            f"attributes, maximum values {', '.join(map(str, SUMMATION_MAX_VALUES))}, {p['tree_samples']} "
            f"points for the tree, {min(SIZES)} to {max(SIZES)} training and {p['testing_samples']} "
            f"testing points; {ENVIRONMENTS} environments each, seeds from {settings.seed}. The paper does "
            "not state its parameters apart from the maximum values. “Sparse” puts four fifths of the "
            "reference points into a cube with a fifth of the side. A point that is impossible under "
            "every class counts as an error of naive Bayes."
        ),
    ]


def _picture(results: Any) -> Block:
    def plot(axes: Any) -> None:
        for row, phase in zip(axes, ("teaching_accuracy", "testing_accuracy"), strict=True):
            for ax, layout in zip(row, LAYOUTS, strict=True):
                learning_curves(results[results["layout"] == layout], phase, ax)
                ax.set_title(f"{layout} reference points", fontsize=9)

    caption = (
        "Accuracy on the trained points (above) and on untrained ones (below) over the number of training "
        "samples; the band is one standard error over environments (figure 2 of the paper)."
    )
    return figure(caption, draw(plot, (10, 8), (2, 2)))


def _accuracy_tables(results: Any) -> list[Block]:
    blocks = []
    for layout in LAYOUTS:
        part = results[results["layout"] == layout]
        kept = 1 - part[["unclassifiable", "misclassified"]].sum(axis=1)
        shares = ", ".join(f"{percent(kept[part['max_value'] == m].mean(), 0)} % at {m}" for m in SUMMATION_MAX_VALUES)
        means = part.groupby(["n_train", "model"])[["teaching_accuracy", "testing_accuracy"]].mean()
        models = list(part["model"].unique())
        rows = [
            [str(n)] + [" / ".join(percent(v, 1) for v in means.loc[(n, model)]) for model in models] for n in SIZES
        ]
        blocks += [
            paragraph(
                f"{layout.capitalize()} reference points, teaching / testing accuracy in per cent. Share "
                f"of the points drawn that tree and reference points label alike: {shares}."
            ),
            table(["training samples", *models], rows),
        ]
    return blocks


def _in_words(results: Any) -> list[str]:
    words = [_phase(results, layout, phase) for layout in LAYOUTS for phase in PHASES]
    return [*words, _growth(results), _impossible(results)]


def _phase(results: Any, layout: str, phase: str) -> str:
    """Count the settings in which the sum is better or worse, beside what the paper says of this phase."""
    part = results[results["layout"] == layout]
    wide = part.pivot_table(index=["max_value", "n_train", "seed"], columns="rule", values=f"{phase}_accuracy")
    gain = (wide["SH"] - wide["NB"]).groupby(["max_value", "n_train"]).agg(["mean", "sem"])
    better = int((gain["mean"] > 2 * gain["sem"]).sum())
    worse = int((gain["mean"] < -2 * gain["sem"]).sum())
    said, differs = CLAIMS[layout, phase]
    return (
        f"{layout} reference points, {phase}: the sum is better than the product by more than two standard errors in "
        f"{better} of {len(gain)} settings and worse in {worse}; its gain is between {percent(gain['mean'].min(), 1)} "
        f"and {percent(gain['mean'].max(), 1)} percentage points. The paper: {said}. "
        + ("Our result differs." if differs(better, worse) else "Ours agrees.")
    )


def _growth(results: Any) -> str:
    means = results.groupby(["rule", "n_train"])["testing_accuracy"].mean()
    ends = {rule: (means[rule, min(SIZES)], means[rule, max(SIZES)]) for rule in PRESETS}
    parts = [f"{rule} from {percent(a, 1)} to {percent(b, 1)} %" for rule, (a, b) in ends.items()]
    grow = all(b > a for a, b in ends.values())
    said = "as the paper's figure shows" if grow else "unlike the paper's figure"
    span = f"from {min(SIZES)} to {max(SIZES)} training samples"
    return f"Testing accuracy {span}, over all settings: {', '.join(parts)}, {said}."


def _impossible(results: Any) -> str:
    """How much of the product's loss is points it cannot classify at all."""
    product = results[results["rule"] == "NB"]
    parts = []
    for m in SUMMATION_MAX_VALUES:
        lines = product[product["max_value"] == m].groupby("n_train")["testing_impossible"].mean()
        parts.append(f"{percent(lines[min(SIZES)], 0)} to {percent(lines[max(SIZES)], 0)} % at {m}")
    possible = product["testing_accuracy"].sum() / (1 - product["testing_impossible"]).sum()
    return (
        "Untrained points often carry values that no class showed in training: impossible for naive Bayes "
        f"are {', '.join(parts)} of the testing points with {min(SIZES)} and with {max(SIZES)} training "
        f"samples. Of the points it can classify it gets {percent(possible, 1)} % right. The paper does "
        "not say what it did with the others, which decides who wins with few samples."
    )

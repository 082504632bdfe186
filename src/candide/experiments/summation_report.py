"""Pictures and tables of the summation experiment."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.datasets.environment import LAYOUTS
from candide.experiments.published import SUMMATION_MAX_VALUES
from candide.plot import learning_curves
from candide.plot.differences import COLOURS
from candide.report.document import Block, figure, heading, paragraph, percent, table
from candide.report.figures import draw

ROWS = {
    "teaching_errors": "trained points",
    "testing_errors": "untrained points, errors",
    "testing_prior": "untrained points, prior",
}
LINES = {"NB": {"linestyle": "-", "marker": "o"}, "SH": {"linestyle": "--", "marker": "s"}}


def picture(reading: str, results: Any) -> list[Block]:
    """Figure 2 of the paper: accuracy over the number of training samples, one colour for each pair of curves."""
    styles = {
        f"{rule}{m}": {"color": COLOURS[k % len(COLOURS)], **line}
        for k, m in enumerate(SUMMATION_MAX_VALUES)
        for rule, line in LINES.items()
    }

    def plot(axes: Any) -> None:
        for row, (column, words) in zip(axes, ROWS.items(), strict=True):
            for ax, layout in zip(row, LAYOUTS, strict=True):
                part = results[results["layout"] == layout]
                first = ax is axes.flat[0]
                learning_curves(part, column, ax, styles=styles, percent=True, legend=False)
                ax.set(ylim=(-3, 103), ylabel="accuracy (%)", xlabel="training samples")
                ax.set_title(f"{layout} reference points, {words}", fontsize=9)
                ax.grid(color="0.92", linewidth=0.6)
                if first:
                    ax.legend(fontsize=8, ncols=3, loc="lower left", frameon=False)

    caption = (
        f"{reading}: accuracy over the number of training samples; the band is one standard error over environments. "
        "One colour for each maximum attribute value; solid lines are naive Bayes (NB), broken ones the sum (SH) "
        "(figure 2 of the paper)."
    )
    caption += " Points that are impossible under every class are errors, or get the commonest class by the prior."
    return [heading(f"Learning curves, {reading}"), figure(caption, draw(plot, (11, 11.5), (3, 2)))]


def accuracy_tables(reading: str, results: Any) -> list[Block]:
    """Teaching and testing accuracies, both treatments of impossible points side by side."""
    blocks: list[Block] = []
    for layout in LAYOUTS:
        part = results[results["layout"] == layout]
        kept = part.groupby("max_value")["kept"].mean()
        shares = ", ".join(f"{percent(kept[m], 0)} % at {m}" for m in kept.index)
        models = list(part["model"].unique())
        means = part.groupby(["n_train", "model"])[list(ROWS)].mean()
        error = 100 * part.groupby(["n_train", "model"])["testing_prior"].sem().max()
        rows = [
            [str(n)]
            + [
                " / ".join(percent(v, 0) for v in means.loc[(n, model)]) if (n, model) in means.index else "–"
                for model in models
            ]
            for n in sorted(part["n_train"].unique())
        ]
        blocks += [
            paragraph(
                f"{reading}, {layout} reference points: teaching / testing (errors) / testing (prior) accuracy in per "
                f"cent, each with a standard error of {error:.1f} points at most. Share of the points drawn that tree "
                f"and reference points label alike: {shares}."
            ),
            table(["training samples", *models], rows),
        ]
    return blocks


def tree_table(reading: str, results: Any) -> list[Block]:
    """The reference tree beside both rules on any points of the space, after the most training samples."""
    rows = []
    for layout in LAYOUTS:
        for m in SUMMATION_MAX_VALUES:
            part = results[(results["layout"] == layout) & (results["max_value"] == m)]
            part = part[part["n_train"] == part["n_train"].max()]
            cells = [f"{percent(part['tree'].mean(), 1)} ± {100 * _sem(part['tree'][part['rule'] == 'NB']):.1f}"]
            for rule in LINES:
                for how in ("errors", "prior"):
                    values = part.loc[part["rule"] == rule, f"any_{how}"]
                    cells.append(f"{percent(values.mean(), 1)} ± {100 * _sem(values):.1f}")
            rows.append([f"{layout}, {m}", str(part["n_train"].iloc[0]), *cells])
    columns = ["layout, maximum", "training samples", "tree", "NB, errors", "NB, prior", "SH, errors", "SH, prior"]
    words = (
        f"{reading}: accuracy in per cent, ± its standard error, on points drawn from the whole space and labelled by "
        "the nearest reference point. The tree is the reference classifier grown from its own samples."
    )
    return [paragraph(words), table(columns, rows)]


def _sem(values: Any) -> float:
    return float(values.std() / np.sqrt(len(values)))

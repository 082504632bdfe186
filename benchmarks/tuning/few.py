"""A handful of rows: what TunedNB loses beside naive Bayes where nearly nothing can be weighed.

    CANDIDE_DATA=... python -m benchmarks.tuning.few

Each cell is the log-loss of TunedNB less that of NaiveBayes, learnt from so many rows drawn at random and judged on up
to 400 others; the mean of thirty draws, and its standard error. A star is a loss of over two standard errors: about one
cell in forty-four shows it by chance. A class that was not drawn counts as a chance of 10⁻⁹ for both.
"""

import warnings
from pathlib import Path

import numpy as np

from benchmarks.automatic_choice import PAPERS
from benchmarks.tuning.report import CHOSEN_ON
from candide import NaiveBayes, TunedNB
from candide.datasets import load

RESULTS = Path(__file__).parent.parent / "results" / "tuning_few.md"
SIZES = (12, 16, 20, 30, 45)
DRAWS, JUDGED = 30, 400
LEAST = 1e-9
"""The chance of a class that was not drawn."""


def loss(model: NaiveBayes, X: object, y: np.ndarray) -> float:
    """Return the mean log-loss."""
    p = model.predict_proba(X)
    at = {label: i for i, label in enumerate(model.classes_)}
    given = [p[row, at[label]] if label in at else LEAST for row, label in enumerate(y.tolist())]
    return float(-np.log(np.maximum(given, LEAST)).mean())


def worse(name: str, size: int) -> np.ndarray:
    """Return by how much TunedNB loses more, draw by draw; a draw of one class is left out."""
    data = load(name)
    X, y = data.X, np.asarray(data.y)
    rng, out = np.random.default_rng(7), []
    for _ in range(DRAWS):
        order = rng.permutation(len(y))
        learn, judge = order[:size], order[size : size + JUDGED]
        if len(np.unique(y[learn])) > 1:
            tuned, plain = (
                loss(m.fit(X.iloc[learn], y[learn]), X.iloc[judge], y[judge]) for m in (TunedNB(), NaiveBayes())
            )
            out.append(tuned - plain)
    return np.array(out)


def main() -> None:
    """Measure, and write the table."""
    lines = ["# Tuned weights on a handful of rows", "", (__doc__ or "").strip(), ""]
    lines += ["| set | " + " | ".join(f"{size} rows" for size in SIZES) + " |", "| --- |" + " ---: |" * len(SIZES)]
    means, stars = {True: [], False: []}, 0
    for name in sorted(PAPERS):
        cells, row = [], []
        for size in SIZES:
            found = worse(name, size)
            mean, error = found.mean(), found.std(ddof=1) / np.sqrt(len(found))
            star = bool(mean > 2 * error)
            stars += star
            row.append(mean)
            cells.append(f"{mean:+.3f} ± {error:.3f}{' *' * star}")
        means[name in CHOSEN_ON].append(row)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    for chosen, title in ((True, "sets that the rule was chosen on"), (False, "the others")):
        lines.append(f"| mean, {title} | " + " | ".join(f"{x:+.3f}" for x in np.mean(means[chosen], axis=0)) + " |")
    lines += ["", f"Stars: {stars} of {len(PAPERS) * len(SIZES)} cells."]
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main()

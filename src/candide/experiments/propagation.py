"""How errors of estimation travel through a sum and through a product, by numbers.

Equations 20 to 22 of the summation paper: p̂_i = p_i + Δ_i (20). The sum errs by Σ Δ_i (21); the
product by the sum over all non-empty sets S of attributes of Π_{i in S} Δ_i · Π_{i not in S} p_i (22).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from candide.report.document import Block, bullets, heading, number, paragraph, percent, table

N_CLASSES, N_ATTRIBUTES, N_LEVELS = 5, 5, 20
SAMPLE_SIZES = (10, 30, 100, 300, 1000)
TRIALS = 200
"""Draws of p and Δ by which the identities are tried."""
TEST_ROWS, WORLDS = 1000, 20


def propagation(rng: np.random.Generator) -> list[Block]:
    """The section of the report: the identities, a table of errors by sample size, and what it says."""
    sum_gap, product_gap = identity_gaps(rng)
    lines = error_table(rng)
    columns = ["samples per class", "absolute: sum", "product", "relative: sum", "product"]
    columns += ["decisions changed: sum", "product", "accuracy: sum", "product"]
    shares = [f"{rule}_{key}" for key in ("relative", "changed", "accuracy") for rule in ("sum", "product")]
    rows = [
        [
            str(line["n"]),
            *(f"{line[f'{rule}_absolute']:.2e}" for rule in ("sum", "product")),
            *(f"{percent(line[share], 1)} %" for share in shares),
        ]
        for line in lines
    ]
    return [
        heading("Error propagation, eq. 20 to 22"),
        paragraph(
            f"The two sides of eq. 21 agree to {sum_gap:.0e} and those of eq. 22, expanded term by term, "
            f"to {product_gap:.0e} of the value. What the errors do, in made-up naive Bayes worlds with "
            "known probabilities (5 classes, 5 attributes of 20 values), frequencies estimated from so "
            "many samples per class:"
        ),
        table(columns, rows),
        bullets(_propagation_words(lines)),
    ]


def expanded_product_error(p: np.ndarray, delta: np.ndarray) -> float:
    """Right side of eq. 22, term by term."""
    n = len(p)
    total = 0.0
    for size in range(1, n + 1):
        for chosen in combinations(range(n), size):
            inside = np.isin(np.arange(n), chosen)
            total += float(np.where(inside, delta, p).prod())
    return total


def identity_gaps(rng: np.random.Generator) -> tuple[float, float]:
    """Largest relative gap between the two sides of eq. 21 and of eq. 22 over random p and Δ."""
    gaps = np.zeros((TRIALS, 2))
    for trial in range(TRIALS):
        p = rng.uniform(0.01, 1, N_ATTRIBUTES)
        delta = rng.uniform(-0.5, 0.5, N_ATTRIBUTES) * p
        summed = (p + delta).sum() - p.sum()
        multiplied = (p + delta).prod() - p.prod()
        gaps[trial] = (
            abs(summed - delta.sum()) / p.sum(),
            abs(multiplied - expanded_product_error(p, delta)) / p.prod(),
        )
    return float(gaps[:, 0].max()), float(gaps[:, 1].max())


def error_table(rng: np.random.Generator) -> list[dict[str, float]]:
    """Per sample size: mean absolute and relative errors of sum and product, decisions changed, accuracies.

    Rows come from naive Bayes worlds with known p: the product with the true p is the best classifier.
    """
    lines = []
    for n in SAMPLE_SIZES:
        worlds = [_world(rng, n) for _ in range(WORLDS)]
        lines.append({"n": n} | {key: float(np.mean([w[key] for w in worlds])) for key in worlds[0]})
    return lines


def _world(rng: np.random.Generator, n: int) -> dict[str, float]:
    p = rng.dirichlet(np.ones(N_LEVELS), (N_CLASSES, N_ATTRIBUTES))
    estimate = np.array([[rng.multinomial(n, levels) / n for levels in attributes] for attributes in p])
    y = rng.integers(0, N_CLASSES, TEST_ROWS)
    # a row's level of attribute i is the first whose cumulative probability passes a uniform draw
    draws = rng.random((TEST_ROWS, N_ATTRIBUTES, 1))
    X = np.minimum((p.cumsum(axis=-1)[y] < draws).sum(axis=-1), N_LEVELS - 1)
    truth, found = (_look_up(table, X) for table in (p, estimate))
    out: dict[str, float] = {}
    for rule, combine in (("sum", np.sum), ("product", np.prod)):
        score, guess = combine(truth, axis=2), combine(found, axis=2)
        out[f"{rule}_absolute"] = float(np.abs(guess - score).mean())
        out[f"{rule}_relative"] = float((np.abs(guess - score) / score).mean())
        out[f"{rule}_changed"] = float((guess.argmax(axis=1) != score.argmax(axis=1)).mean())
        out[f"{rule}_accuracy"] = float((guess.argmax(axis=1) == y).mean())
        out[f"{rule}_best"] = float((score.argmax(axis=1) == y).mean())
    return out


def _look_up(table: np.ndarray, X: np.ndarray) -> np.ndarray:
    """table[c, i, X[n, i]] as an array (rows, classes, features)."""
    picked = table[:, np.arange(X.shape[1]), X]
    return np.moveaxis(picked, 0, 1)


def _propagation_words(lines: list[dict[str, float]]) -> list[str]:
    ratios = [line["product_relative"] / line["sum_relative"] for line in lines]
    steadier = [line for line in lines if line["sum_changed"] < line["product_changed"]]
    better = [str(line["n"]) for line in lines if line["sum_accuracy"] > line["product_accuracy"]]
    best = {rule: float(np.mean([line[f"{rule}_best"] for line in lines])) for rule in ("sum", "product")}
    where = f"with {', '.join(better)} samples per class" if better else "with none of these sample sizes"
    return [
        (
            f"The relative error of the product is {number(min(ratios))} to {number(max(ratios))} times "
            f"that of the sum, {'as' if min(ratios) > 1 else 'not as'} the paper argues. Absolute errors "
            "say little: a product of probabilities is a small number."
        ),
        (
            "Errors of estimation change fewer decisions of the sum than of the product at "
            f"{len(steadier)} of {len(lines)} sample sizes."
        ),
        (
            "A steadier decision need not be a better one: with the true probabilities the sum decides "
            f"rightly in {percent(best['sum'], 1)} %, the product in {percent(best['product'], 1)} % of the "
            f"rows. With estimated ones the sum is the more accurate {where}."
        ),
    ]

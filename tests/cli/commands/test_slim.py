"""candide slim: what is left out, and how large the file is then, is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd


def shares(run, *args: str) -> list[float]:
    said = run("slim", "model.json", "-o", "slim.json", *args).output
    return [
        float(word) / 100 for word, sign in zip(said.split(), said.split()[1:], strict=False) if sign.strip(",") == "%"
    ]


def sizes_share() -> float:
    return Path("slim.json").stat().st_size / Path("model.json").stat().st_size


def test_the_share_is_said_and_what_a_wider_tolerance_would_make_of_it(run) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 26, 3000)
    X = np.round(rng.normal(size=(3000, 3)) + rng.normal(size=(26, 3))[y]).astype(int)
    pd.DataFrame(np.char.add("at ", X.astype(str))).assign(y=y).to_csv("letters.csv", index=False)
    run("fit", "letters.csv", "-t", "y", "-o", "model.json", "--plain")
    reached, wider = shares(run)
    assert abs(reached - sizes_share()) < 0.0006
    assert reached > 0.1
    (again,) = shares(run, "--within", "0.05")
    assert again == wider < reached
    assert abs(wider - sizes_share()) < 0.0006


def test_nothing_wider_is_offered_where_a_tenth_is_reached(run) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 3000)
    pd.DataFrame(rng.normal(size=(3000, 4)) + 0.3 * y[:, None]).assign(y=y).to_csv("values.csv", index=False)
    run("fit", "values.csv", "-t", "y", "-o", "model.json", "--plain")
    (reached,) = shares(run)
    assert abs(reached - sizes_share()) < 0.0006
    assert reached < 0.1


def test_what_finer_tables_would_make_of_it_is_said_where_some_answers_are_others(run) -> None:
    rng = np.random.default_rng(0)
    y, hump = rng.integers(0, 20, 8000), rng.integers(0, 2, 8000)
    X = np.clip(np.round(rng.normal(size=(8000, 16)) * 1.6 + rng.normal(7, 2.2, size=(2, 20, 16))[hump, y]), 0, 15)
    pd.DataFrame(X).assign(y=y).to_csv("letters.csv", index=False)
    run("fit", "letters.csv", "-t", "y", "-o", "model.json", "--plain")
    reached, finer = shares(run)
    assert reached <= 0.1
    assert abs(reached - sizes_share()) < 0.0006
    (again,) = shares(run, "--within", "0.01")
    assert again == finer > 2 * reached


def test_what_finer_tables_would_make_of_it_is_said_of_intervals_as_well(run) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 6, 900)
    pd.DataFrame((rng.normal(size=(900, 6)) + y[:, None] / 3).round(2)).assign(y=y).to_csv("values.csv", index=False)
    run(
        "fit",
        "values.csv",
        "-t",
        "y",
        "-o",
        "model.json",
        "--plain",
        *(part for j in range(6) for part in ("--distribution", f"{j}=kde")),
    )
    reached, finer = shares(run)
    assert reached <= 0.1 < finer

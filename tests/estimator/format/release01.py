"""Models that release 0.1 wrote, beside the rows they were asked about and what it answered."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pandas as pd

MODELS = Path(__file__).parents[1] / "models"

NAMES = ["counts", "given", "grid", "groups", "missing", "mixed", "robust"]
"""The models.

counts: multinomial, bernoulli and gamma columns, weighted; given: a group under schema=; grid: a column of more than
10,000 values; groups: one with a density, one of bins; missing: missing="level" under densities, a given prior;
mixed: everything automatic, declared levels, a target column; robust: a preset.
"""


def model_file(name: str, tmp_path: Path) -> Path:
    """Return the file of a model, which may be stored compressed."""
    path = MODELS / f"version1_{name}.json"
    if path.exists():
        return path
    whole = tmp_path / path.name
    whole.write_bytes(gzip.decompress(path.with_name(f"{path.name}.gz").read_bytes()))
    return whole


def answers(name: str) -> tuple[pd.DataFrame, list[Any], dict[str, Any]]:
    """Return rows, their labels, and what release 0.1 said of them."""
    told = json.loads((MODELS / f"version1_{name}.expected.json").read_text())
    columns = {
        column: pd.Series(cells, dtype=object if any(isinstance(cell, str) for cell in cells) else float)
        for column, cells in told["columns"].items()
    }
    return pd.DataFrame(columns), told["y"], told

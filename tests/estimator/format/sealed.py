"""A table, and files whose content is changed behind a checksum that fits it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from candide.estimator.files import canonical_checksum, seal
from candide.estimator.format.layout import Section, lay_out

X = pd.DataFrame(
    {
        "wheels": [2, 4, 4, 6, 4, 2],
        "energy": ["petrol", "petrol", "diesel", None, "diesel", "petrol"],
        "colour": pd.Categorical(["red", None, "blue", "red", "red", "blue"], categories=["red", "blue", "green"]),
        "weight": [0.2, 1.5, 1.1, 9.0, np.nan, 0.3],
    }
)
Y = ["bike", "car", "car", "truck", "car", "bike"]


def payload(path: Path) -> dict[str, Any]:
    """Return what a file holds."""
    model: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["model"]
    return model


def sealed(model: dict[str, Any], version: int = 2) -> bytes:
    """Return the file of a payload, with a checksum that fits it."""
    if version == 2:
        return seal(lay_out(Section(model)))
    head = {"format": "candide.model", "version": 1, "sha256": canonical_checksum(model), "model": model}
    return json.dumps(head).encode()


def rewrite(path: Path, change: Callable[[dict[str, Any]], object], version: int = 2) -> None:
    """Change the payload of a file, and seal it again."""
    model = payload(path)
    change(model)
    path.write_bytes(sealed(model, version))

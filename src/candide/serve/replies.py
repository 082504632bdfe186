"""Replies: what is answered, as types that JSON and OpenAPI are made from."""

from __future__ import annotations

from typing import Any

import msgspec

Label = str | int | float | bool


class Prediction(msgspec.Struct, omit_defaults=True):
    """The class decided for a row."""

    label: Label
    chance: float
    """P(label | row)."""
    chances: dict[str, float]
    """P(class | row) of every class."""
    interval: dict[str, tuple[float, float]] | None = None
    """Credible interval of every chance, where ?interval= asks for it."""
    unknown: list[str] = []
    """Columns that the row does not tell."""
    unseen: list[str] = []
    """Columns whose level was never learnt, and says nothing."""


class Predictions(msgspec.Struct):
    """The classes decided for rows, in their order."""

    rows: list[Prediction]


class ExplainedColumn(msgspec.Struct):
    """What a column of a row adds."""

    column: str
    cell: Any
    points: float | None
    """How much more it adds to the label than to the rival: 10 points double the odds; null without bounds."""
    contributions: dict[str, float | None]
    """What it adds to the score of every class; null where the class becomes impossible."""


class Explained(msgspec.Struct, omit_defaults=True):
    """Why a row got its label: prior and contributions add up to the scores."""

    label: Label
    chance: float
    rival: Label | None
    """The strongest other class."""
    adds: str
    """What is added up: logarithms of probabilities ("log"), or probabilities ("probability")."""
    prior: dict[str, float | None]
    scores: dict[str, float | None]
    columns: list[ExplainedColumn]
    """The strongest first."""
    unknown: list[str] = []
    unseen: list[str] = []


class ExplainedRows(msgspec.Struct):
    """Why rows got their labels, in their order."""

    rows: list[Explained]


class AskedColumn(msgspec.Struct):
    """What asking for a column is worth."""

    column: str
    information: float
    """The doubt that the answer is expected to take away, in nats."""
    share: float
    """The same as a share of all doubt there is."""
    turns: float
    """The chance that the answer changes the decision."""


class Asked(msgspec.Struct):
    """What to ask next about a row that is partly known, the best question first."""

    label: Label
    chance: float
    doubt: float
    """How much is open, in nats."""
    questions: list[AskedColumn]


class Health(msgspec.Struct):
    """Which model answers."""

    status: str
    model: str
    rows: float
    """Weight of the rows that it was taught."""
    columns: int
    classes: int
    checksum: str | None
    """SHA-256 of the model's file."""
    version: str


class Failure(msgspec.Struct, omit_defaults=True):
    """Why a request was not answered."""

    error: str
    column: str | None = None

"""Words: what those of documents say."""

from __future__ import annotations

from typing import Any

from candide.distributions.bag import Bag
from candide.distributions.weighted import WeightedBag
from candide.model.model import Model
from candide.statistics.evidence import Evidence

Facts = dict[str, Any]
WORDS = 15
"""Words told of each class."""


def tell_words(model: Model, evidence: Evidence, j: int) -> Facts:
    """Return the words of a column of documents that speak most for each class."""
    block = next(block for block, i in model.attributes if block.columns(i) == (j,)).bare
    assert isinstance(block, Bag)
    said = [block.strongest(c, WORDS) for c in range(len(model.classes))]
    axis = evidence.schema.columns[j].axis
    return {
        "words": [[{"word": word, "nats": weight} for word, weight in some] for some in said],
        "shares": isinstance(block, WeightedBag),  # a word is then a share of a document, which is as long as any other
        "vocabulary": 0 if axis is None else int(axis.size) - 1,
    }

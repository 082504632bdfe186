"""What the blocks of structures share: the columns and values of P(x_i | c), which all of them start from."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from candide.distributions.blocks import Block
from candide.distributions.discrete import Discrete
from candide.schema.domain import Domain

Array = np.ndarray[Any, Any]


class StructureBlock(Block):
    """A block of all columns. It has `plain`, the P(x_i | c) of each alone."""

    plain: Discrete

    by_rows: ClassVar[bool] = False
    adds: ClassVar[str] = "what each cell adds, given others"

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]  # a block's names are its domain's
        """The columns."""
        return self.plain.names

    @property
    def domain(self) -> Domain:
        """The values of the columns."""
        return self.plain.domain

    @property
    def places(self) -> Array:
        """The columns."""
        return self.plain.places

    @property
    def n_classes(self) -> int:
        """K."""
        return self.plain.n_classes

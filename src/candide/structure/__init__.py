"""Beyond independence: trees, averages of one-dependence models, and given networks."""

from candide.structure.tan import TreeAugmentedNB

__all__ = ["TreeAugmentedNB"]

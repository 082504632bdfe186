"""Beyond independence: trees, averages of one-dependence models, and given networks."""

from candide.structure.aode import AveragedOneDependence
from candide.structure.network import BayesNetwork
from candide.structure.tan import TreeAugmentedNB

__all__ = ["AveragedOneDependence", "BayesNetwork", "TreeAugmentedNB"]

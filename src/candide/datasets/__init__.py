"""Data sets of the papers by name, and generators of made-up ones."""

from candide.datasets.catalog import load, names
from candide.datasets.dataset import Dataset
from candide.datasets.environment import ReferenceEnvironment, reference_environment
from candide.datasets.insurance import insurance
from candide.datasets.tree import classify, id3

__all__ = [
    "load",
    "names",
    "Dataset",
    "insurance",
    "reference_environment",
    "ReferenceEnvironment",
    "id3",
    "classify",
]

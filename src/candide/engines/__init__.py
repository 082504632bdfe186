"""Engines: from rows to statistics. They know nothing of distributions."""

from candide.engines.base import Engine, Given
from candide.engines.batches import Batched, Batches
from candide.engines.memory import Memory
from candide.engines.spark import Spark, SparkRows, is_spark

__all__ = ["Batched", "Batches", "Engine", "Given", "Memory", "Spark", "SparkRows", "is_spark"]

"""Engines: from rows to statistics, wherever the rows are."""

from candide.engines.memory import summarize

__all__ = ["summarize"]

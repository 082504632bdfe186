"""What is told of a model: facts as one plain dict, and the page, tables and documents that are made of them."""

from candide.report.collecting import facts

__all__ = ["facts"]

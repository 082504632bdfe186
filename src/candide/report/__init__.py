"""What is told of a model: facts as one plain dict, and the page, tables and documents that are made of them."""

from candide.report.collecting import collect, facts
from candide.report.report import Report

__all__ = ["Report", "collect", "facts"]

"""Statistics: what rows add up to, and the only thing that is stored, sent and merged."""

from candide.statistics.base import COLUMN_PARTS, Part, Statistic, layout
from candide.statistics.counts import ColumnSums, Counts
from candide.statistics.learnt import Learnt
from candide.statistics.moments import Moments
from candide.statistics.statistics import Statistics
from candide.statistics.words import Mistakes, Words

__all__ = [
    "COLUMN_PARTS",
    "ColumnSums",
    "Counts",
    "Learnt",
    "Mistakes",
    "Moments",
    "Part",
    "Statistic",
    "Statistics",
    "Words",
    "layout",
]

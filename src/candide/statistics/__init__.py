"""Statistics: what rows add up to, and the only thing that is stored, sent and merged."""

from candide.statistics.counts import Counts
from candide.statistics.joint import Joint
from candide.statistics.moments import Moments
from candide.statistics.statistics import Statistics

__all__ = ["Counts", "Joint", "Moments", "Statistics"]

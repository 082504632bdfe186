"""Statistics: what rows add up to, and the only thing that is stored, sent and merged."""

from candide.statistics.bundle import Statistics
from candide.statistics.counts import Counts, difference
from candide.statistics.joint import Joint
from candide.statistics.moments import Moments

__all__ = ["Counts", "Joint", "Moments", "Statistics", "difference"]

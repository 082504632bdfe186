"""Pictures of evaluations and networks, by matplotlib (extra `plot`): every function takes and returns axes."""

from candide.plot.curves import learning_curves, reliability
from candide.plot.differences import differences
from candide.plot.network import network
from candide.plot.paired import paired_scatter
from candide.plot.ranks import critical_difference

__all__ = ["differences", "paired_scatter", "learning_curves", "reliability", "critical_difference", "network"]

"""Pictures of models, evaluations and networks, by matplotlib (extra `plot`): every function takes and returns axes."""

from candide.plot.columns import column, columns
from candide.plot.curves import learning_curves, reliability
from candide.plot.differences import differences
from candide.plot.drift import drift
from candide.plot.evidence import evidence
from candide.plot.network import network
from candide.plot.nomogram import nomogram
from candide.plot.paired import paired_scatter
from candide.plot.ranks import critical_difference

__all__ = [
    "nomogram",
    "evidence",
    "column",
    "columns",
    "drift",
    "reliability",
    "differences",
    "paired_scatter",
    "learning_curves",
    "critical_difference",
    "network",
]

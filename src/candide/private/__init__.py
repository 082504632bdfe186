"""Privacy: sums of rows with noise, so that what is handed out tells next to nothing of any one of them."""

from candide.private.noise import two_sided_geometric
from candide.private.releasing import release

__all__ = ["release", "two_sided_geometric"]

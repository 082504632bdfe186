"""The process: whether it is a library's, in which anybody may import anything, or that of one command."""

from __future__ import annotations

alone = False
"""Whether this process is a command that meets no estimator of scikit-learn: then it is not imported, which takes four
times as long as all else that a prediction needs. Set before the first estimator is imported, by the command alone.
"""

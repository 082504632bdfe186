"""The papers' experiments, rerun with one call: published numbers beside ours."""

from candide.experiments.reproducing import EXPERIMENTS, reproduce

__all__ = ["reproduce", "EXPERIMENTS"]

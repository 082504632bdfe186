"""Slim models: they score and do nothing else; made of whole models, and as small as their answers allow."""

from candide.estimator.slim.slim import Slim

__all__ = ["Slim"]

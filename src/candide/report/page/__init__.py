"""The page: one offline file, in which a script draws the facts and scores what a person asks."""

from candide.report.page.rendering import render

__all__ = ["render"]

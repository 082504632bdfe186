"""The page: one offline file, in which a script draws the facts and scores what a person asks."""

from candide.report.page.rendering import policy, render

__all__ = ["policy", "render"]

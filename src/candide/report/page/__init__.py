"""The page: one offline file, in which a script draws the facts and scores what a person asks."""

from candide.report.page.rendering import render
from candide.report.page.script import policy_of

__all__ = ["policy_of", "render"]

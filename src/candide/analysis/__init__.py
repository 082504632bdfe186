"""Analysis: from documents to words."""

from candide.analysis.analyzer import Analyzer
from candide.analysis.tokens import Tokens
from candide.analysis.word_list import WordList

__all__ = ["Analyzer", "Tokens", "WordList"]

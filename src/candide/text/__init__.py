"""Documents: naive Bayes on bags of words, from raw text."""

from candide.text.text_nb import TextNB

__all__ = ["TextNB"]

"""Scikit-learn's five naive Bayes classifiers, on the statistics and kernels of this package.

The same parameters, attributes and results; and besides, missing values in `GaussianNB` and `CategoricalNB`, sparse
tables in all five, categories never seen, `merge` (`+`) and `forget`. Ties go to the first class however sums round,
0/0 and 0 · log 0 are 0, and learning that fails changes nothing.
"""

from candide.naive_bayes.bernoulli import BernoulliNB
from candide.naive_bayes.categorical import CategoricalNB
from candide.naive_bayes.complement import ComplementNB
from candide.naive_bayes.gaussian import GaussianNB
from candide.naive_bayes.multinomial import MultinomialNB

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"]

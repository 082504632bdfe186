"""Tuned weights on the papers' sets, beside boosting, logistic regression, additive models and plain naive Bayes."""

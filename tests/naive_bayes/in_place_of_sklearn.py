"""Pytest plugin: put these five classes in the place of scikit-learn's, before its own tests import them."""

import sklearn.naive_bayes

import candide.naive_bayes


def pytest_configure():
    for name in candide.naive_bayes.__all__:
        setattr(sklearn.naive_bayes, name, getattr(candide.naive_bayes, name))

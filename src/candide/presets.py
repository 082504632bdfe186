"""The tuned classifier and those of the papers: thin subclasses with other defaults and nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from candide.estimator.naive_bayes import NaiveBayes

__all__ = ["TunedNB", "EstimateNB", "FrequencyNB", "IndifferentNB", "LaplaceNB", "RobustNB", "SummationNB"]


def defaults(**changed: Any) -> Callable[[type[NaiveBayes]], type[NaiveBayes]]:
    """Give a subclass the constructor of NaiveBayes with other defaults, which scikit-learn can read."""

    def decorate(cls: type[NaiveBayes]) -> type[NaiveBayes]:
        base = inspect.signature(NaiveBayes.__init__)
        signature = base.replace(
            parameters=[p.replace(default=changed.get(n, p.default)) for n, p in base.parameters.items()]
        )

        def __init__(  # noqa: N807  # it becomes the constructor
            self: NaiveBayes, *args: Any, **kwargs: Any
        ) -> None:
            try:
                bound = signature.bind(self, *args, **kwargs)
            except TypeError as error:  # which does not say of what
                raise TypeError(f"{cls.__name__}() {error}") from None
            bound.apply_defaults()
            NaiveBayes.__init__(*bound.args, **bound.kwargs)

        __init__.__signature__ = signature  # type: ignore[attr-defined]  # read by inspect.signature
        cls.__init__ = __init__  # type: ignore[method-assign]
        return cls

    return decorate


@defaults(weights="tuned", missing="level")
class TunedNB(NaiveBayes):
    """Naive Bayes whose evidence is weighed: as accurate as boosted trees, and a sum of look-ups still.

    Parameters
    ----------
    weights : "tuned", "temperature", Tuned, {column: number} or None
    missing : "level" or "ignore"
    distributions, smoothing, prior, combination, costs, groups, unseen, schema
        As in `NaiveBayes`, of which it is a preset.

    Examples
    --------
    >>> from candide import TunedNB
    >>> from candide.datasets import insurance
    >>> requests = insurance(n=500, seed=0).frame
    >>> nb = TunedNB().fit(requests, "desk")
    >>> nb.tuned_on_, sorted(nb.weights_) == sorted(nb.feature_names_in_)
    (500, True)
    """


@defaults(smoothing="none", distributions="equal-frequency(5)")
class FrequencyNB(NaiveBayes):
    """Relative frequencies, unsoftened: the maximum-likelihood naive Bayes, with five equal-frequency bins."""


@defaults(smoothing="laplace", distributions="equal-frequency(5)")
class LaplaceNB(NaiveBayes):
    """Uniform Dirichlet priors (BIBL with uniform hyperparameters), with five equal-frequency bins."""


@defaults(smoothing="indifferent", distributions="equal-frequency(5)")
class IndifferentNB(NaiveBayes):
    """The Indifferent Naive Bayes classifier: every model equally probable beforehand, five equal-frequency bins."""


@defaults(smoothing="m-estimate", distributions="equal-width(10)")
class EstimateNB(NaiveBayes):
    """Laplace estimate of the classes and m-estimate of the values, with ten equal-width bins."""


@defaults(smoothing="none", combination="robust", distributions="equal-width(10)")
class RobustNB(NaiveBayes):
    """Unsoftened; a row impossible under every class goes to the class with the fewest zeros for its size."""


@defaults(smoothing="none", combination="sum", distributions="equal-width(10)")
class SummationNB(NaiveBayes):
    """The summation hack: probabilities of the attributes are added, not multiplied; ten equal-width bins."""

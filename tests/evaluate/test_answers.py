from __future__ import annotations

import numpy as np
import pytest

from candide.evaluate.answers import log_proba


def test_probabilities_of_more_classes_than_were_learnt_are_refused():
    class Binary:
        classes_ = np.array(["yes"])

        def predict_proba(self, X):
            return np.full((len(X), 2), 0.5)

    with pytest.raises(ValueError, match=r"learnt 1 classes and gives probabilities of shape \(3, 2\)"):
        log_proba(Binary(), np.zeros((3, 1)), np.array(["yes"]))

"""What a model is worth, asked of the model itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes, TunedNB
from candide.text import TextNB

RNG = np.random.default_rng(0)
NOISE = pd.DataFrame({"x": RNG.normal(size=400), "s": RNG.choice(list("uvw"), 400), "y": ["a", "b", "a", "a"] * 100})
TELLS = NOISE.assign(x=NOISE["x"] + 3 * (NOISE["y"] == "b"))


@pytest.mark.parametrize("estimator", [NaiveBayes, TunedNB])
def test_a_model_of_noise_is_no_better_than_the_commonest_class(estimator):
    nb = estimator().fit(NOISE, "y")
    assert not nb.worth(NOISE).better
    assert str(nb.worth(NOISE)).startswith("the model is no better than always answering 'a', which 75.0 % of the rows")
    told = estimator().fit(TELLS, "y").worth(TELLS)
    assert told.better
    assert str(told).startswith("right in 9")


def test_it_is_judged_row_by_row_left_out():
    nb = NaiveBayes().fit(TELLS, "y")
    log_p = nb.leave_one_out(TELLS.drop(columns="y"), TELLS["y"])
    right = (nb.classes_[log_p.argmax(axis=1)] == TELLS["y"]).mean()
    assert nb.worth(TELLS.drop(columns="y"), TELLS["y"]).accuracy == pytest.approx(right)


def test_a_path_is_a_table(tmp_path):
    TELLS.to_csv(tmp_path / "t.csv", index=False)
    nb = NaiveBayes().fit(tmp_path / "t.csv", "y")
    assert (
        nb.worth(tmp_path / "t.csv") == nb.worth(tmp_path / "t.csv", "y") == nb.worth(pd.read_csv(tmp_path / "t.csv"))
    )
    with pytest.raises(ValueError, match="give its name as y"):
        nb.worth(tmp_path / "t.csv", TELLS["y"])


def test_documents_are_rows():
    documents, y = ["good day", "bad night", "fine day", "dark night"] * 20, ["a", "b"] * 40
    assert TextNB().fit(documents, y).worth(documents, y).accuracy == 1.0


def test_of_few_rows_nothing_is_said():
    assert NaiveBayes().fit(TELLS[:40], "y").worth(TELLS[:40]) is None


def test_a_target_without_a_name_is_asked_for():
    with pytest.raises(ValueError, match="does not know what its target is called"):
        NaiveBayes().fit(TELLS[["x"]].to_numpy(), TELLS["y"]).worth(TELLS[["x"]].to_numpy())

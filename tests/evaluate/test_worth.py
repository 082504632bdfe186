"""What a model is worth, asked of the model itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from candide import NaiveBayes, TunedNB
from candide.evaluate.worth import worth
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


def test_a_table_may_be_sorted_by_class():
    table = TELLS.sort_values("y")
    nb = NaiveBayes().fit(table, "y")
    assert worth(nb, table, "y", rows=100).better
    assert nb.worth(table[:300]) is None  # of the first rows, which are all of one class, nothing is said


def test_a_target_without_a_name_is_asked_for():
    with pytest.raises(ValueError, match="does not know what its target is called"):
        NaiveBayes().fit(TELLS[["x"]].to_numpy(), TELLS["y"]).worth(TELLS[["x"]].to_numpy())


@pytest.mark.parametrize("estimator", [NaiveBayes, TunedNB])
@pytest.mark.parametrize("seed", range(3))
def test_choices_and_weights_find_nothing_in_noise(estimator, seed):
    rng = np.random.default_rng(seed)
    levels = pd.DataFrame(rng.choice(list("abcdefgh"), size=(200, 20))).add_prefix("c")
    numbers = pd.DataFrame(rng.normal(size=(200, 60))).add_prefix("n")
    y = rng.choice(["p", "q"], 200)
    for noise in (levels, numbers):
        assert not estimator().fit(noise, y).worth(noise, y).better
        frame = noise.assign(y=y)
        assert not estimator().fit(frame, "y").worth(frame).better


def test_it_is_said_how_rows_were_kept_from_the_model():
    tuned = TunedNB().fit(TELLS, "y").worth(TELLS)
    assert str(tuned).endswith("of 400 rows, in 3 folds")
    assert tuned.to_dict()["method"] == "3 folds"
    assert TunedNB().fit(NOISE, "y").worth(NOISE).to_dict()["method"] in ("3 folds", "leave one out, weights kept")
    plain = NaiveBayes().fit(TELLS, "y").worth(TELLS)
    assert str(plain).endswith("each left out")
    assert plain.to_dict()["method"] == "leave one out"


def test_weights_do_not_flatter_however_clear_it_is_that_the_model_is_better():
    rng = np.random.default_rng(0)
    levels = pd.DataFrame(rng.choice(list("abcdef"), size=(600, 12))).add_prefix("c")
    y = np.where((levels["c0"] < "c") ^ (rng.random(600) < 0.1), "p", "q")
    nb = TunedNB().fit(levels, y)
    told = nb.worth(levels, y)
    kept = (nb.classes_[nb.leave_one_out(levels, y).argmax(axis=1)] == y).mean()
    assert told.better
    assert told.method == "3 folds"
    assert told.accuracy <= kept


def test_documents_are_judged_by_words_that_were_weighed_on_others():
    documents, y = ["good day", "bad night", "fine day", "dark night"] * 20, ["a", "b"] * 40
    assert TextNB().fit(documents, y).worth(documents, y).method == "3 folds"
    assert TextNB(event_model="multinomial").fit(documents, y).worth(documents, y).method == "leave one out"


def test_a_little_that_many_rows_tell_is_heard():
    """Rows that are judged are a part of those learnt, which a model of folds of them would not have."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40_000)
    x = pd.DataFrame({"x": rng.normal(size=len(y)) + 0.15 * y})
    assert NaiveBayes().fit(x, y).worth(x, y).better
    assert TunedNB().fit(x, y).worth(x, y).better

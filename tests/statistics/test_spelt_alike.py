"""Models that spell levels otherwise add up as the rows of the one do that the other learns."""

import numpy as np
import pandas as pd
import pytest
from tests.laws import same_schema, same_statistics

from candide import NaiveBayes
from candide.reading import Truths
from candide.structure import TreeAugmentedNB

Y = list("pqqp") * 3


def frame(cells):
    return pd.DataFrame({"a": cells, "b": ["u", "v", "v", "w"] * 3})


def same(one, other):
    same_schema(one.learnt_, other.learnt_)
    same_statistics(one.learnt_, other.learnt_)


PARTS = {
    "a number in two texts": (["1", "2", "red", "red"] * 3, ["1.0", "2", "red", "2.0"] * 3),
    "two spellings that meet": (["1", "2", "red", "red"] * 3, ["1.0", "1", "red", "1.00"] * 3),
    "a number that is new": (["1", "2", "red", "red"] * 3, ["3.0", "2", "blue", "2.0"] * 3),
    "cases of yes": (["yes", "no", "no", "yes"] * 3, ["YES", "No", "No", "YES"] * 3),
    "another language": (["yes", "no", "no", "yes"] * 3, ["ja", "nein", "nein", "ja"] * 3),
    "truth values": (["yes", "no", "no", "yes"] * 3, [True, False, True, True] * 3),
    "gaps that are spelt": (["yes", "no", "no", "yes"] * 3, ["YES", "no", "n/a", "perhaps"] * 3),
    "codes": (["01", "1", "red", "red"] * 3, ["01", "1.0", "red", "1"] * 3),
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("groups", [None, [("a", "b")]])
@pytest.mark.filterwarnings("ignore")
def test_a_sum_is_what_the_rows_of_the_second_teach_the_first(name, groups):
    first, second = map(frame, PARTS[name])
    one, other = NaiveBayes(groups=groups).fit(first, Y), NaiveBayes(groups=groups).fit(second, Y)
    taught = NaiveBayes(groups=groups).fit(first, Y).partial_fit(second, Y)
    added = one + other
    same(added, taught)
    assert np.allclose(added.predict_proba(second), taught.predict_proba(second))
    same(added - other, one)


@pytest.mark.filterwarnings("ignore")
def test_counted_pairs_are_moved_with_their_levels():
    first, second = map(frame, PARTS["two spellings that meet"])
    taught = TreeAugmentedNB().fit(first, Y).partial_fit(second, Y)
    same(TreeAugmentedNB().fit(first, Y) + TreeAugmentedNB().fit(second, Y), taught)


def test_numbers_that_are_levels_add_to_texts_and_texts_to_numbers():
    texts, numbers = frame(["1", "2", "1", "2"] * 3), frame([1, 2, 1, 3] * 3)
    rule = {"a": "categorical"}
    for first, second in ((texts, numbers), (numbers, texts)):
        taught = NaiveBayes(rule).fit(first, Y).partial_fit(second, Y)
        same(NaiveBayes(rule).fit(first, Y) + NaiveBayes(rule).fit(second, Y), taught)


def test_columns_taken_as_they_are_written_keep_spellings_apart():
    first, second = map(frame, PARTS["cases of yes"])
    added = NaiveBayes(reading="plain").fit(first, Y) + NaiveBayes(reading="plain").fit(second, Y)
    assert added.schema_.columns[0].levels.tolist() == ["No", "YES", "no", "yes"]


@pytest.mark.filterwarnings("ignore")
def test_yes_and_no_read_in_two_cases_add_up():
    first, second = frame(["yes", "no", "Yes", "no"] * 3), frame(["YES", "NO", "Yes", "YES"] * 3)
    one, other = NaiveBayes().fit(first, Y), NaiveBayes().fit(second, Y)
    assert isinstance(one.schema_.reading["a"].reader, Truths)
    added = one + other
    same(added, NaiveBayes().fit(first, Y).partial_fit(second, Y))
    whole = NaiveBayes().fit(pd.concat([first, second]), Y * 2)
    assert np.allclose(added.predict_proba(first), whole.predict_proba(first))

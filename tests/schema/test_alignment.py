"""Columns given later against those learnt: scikit-learn's words of what differs, and ours of what may be meant."""

from __future__ import annotations

import pandas as pd
import pytest

from candide import NaiveBayes

FRAME = pd.DataFrame({"weight": [1.0, 2.0, 3.0, 4.0], "energy": list("abab"), "y": list("ppqq")})
WORDS = "The feature names should match those that were passed during fit"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"wieght": [1.0], "energy": ["a"]}, f"{WORDS}: 'wieght' was not; did you mean 'weight'?"),
        ({"Weight": [1.0], "energy": ["a"]}, f"{WORDS}: 'Weight' was not; did you mean 'weight'?"),
        ({"energy": ["a"], "weight": [1.0]}, "strict=False finds them by name."),
        ({"energy": ["a"]}, "strict=False takes missing ones as missing cells, and ignores others."),
        ({"weight": [1.0], "energy": ["a"], "qqq": [1]}, "strict=False takes missing ones as missing cells"),
    ],
)
def test_the_message_ends_in_what_may_be_meant_or_done(given: dict[str, list[object]], says: str) -> None:
    nb = NaiveBayes().fit(FRAME, "y")
    with pytest.raises(ValueError, match=WORDS) as refused:
        nb.predict(pd.DataFrame(given))
    assert says in str(refused.value).splitlines()[-1]


def test_the_columns_of_another_table_are_not_told_wholesale() -> None:
    nb = NaiveBayes().fit(pd.DataFrame([[0.0] * 3000, [1.0] * 3000]).add_prefix("column "), ["a", "b"])
    with pytest.raises(ValueError, match=WORDS) as refused:
        nb.predict(pd.DataFrame([[0.0] * 3000]).add_prefix("colum "))
    lines = str(refused.value).splitlines()
    assert len(lines) < 40
    assert lines.count("- and 2988 more") == 2


SECRET = "secret " * 500


@pytest.mark.parametrize("how", [{}, {"unseen": "error"}])
def test_no_message_tells_the_data_wholesale(how: dict[str, str], recwarn: pytest.WarningsRecorder) -> None:
    nb = NaiveBayes(**how).fit(FRAME, "y")
    told = []
    for row in ({"weight": SECRET, "energy": "a"}, {"weight": 1.0, "energy": SECRET}, {"weight": ["1", SECRET][:2]}):
        try:
            nb.predict(pd.DataFrame(row) if isinstance(row["weight"], list) else row)
        except (TypeError, ValueError) as error:
            told.append(str(error))
    for text in (*told, *(str(warned.message) for warned in recwarn.list)):
        assert len(text) < 400, text
    assert len(told) == 2 + bool(how)


def test_the_row_is_named_that_holds_no_number() -> None:
    nb = NaiveBayes().fit(FRAME, "y")
    with pytest.raises(TypeError, match="holds 'heavy' in row 2"):
        nb.predict(pd.DataFrame({"weight": ["1", "2", "heavy"], "energy": ["a"] * 3}))

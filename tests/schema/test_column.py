"""A column: what is kept of it, what that serves, and what two of it have in common."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests import laws

from candide import NaiveBayes
from candide.schema.cells import Levels
from candide.schema.column import Column
from candide.schema.lattice import Grid, Lattice

NUMBERS = Lattice.of(np.array([1.0, 2.0]))
COUNTED = Column("x", "numbers", ("cells",), NUMBERS)
SYMBOLS = Column("x", "symbols", ("cells",), Levels.of([], ["a"]))
MOMENTS = Column("x", "numbers", ("moments",))


@pytest.mark.parametrize(
    ("column", "kind", "needs", "serves"),
    [
        (COUNTED, "numbers", ("cells",), True),
        (COUNTED, "numbers", ("moments", "log_x"), True),  # counted numbers serve every numeric distribution
        (COUNTED, "symbols", ("cells",), False),
        (SYMBOLS, "symbols", ("cells",), True),
        (SYMBOLS, "numbers", ("cells",), False),
        (MOMENTS, "numbers", ("moments",), True),
        (MOMENTS, "numbers", ("moments", "log_x"), False),
        (MOMENTS, "numbers", ("cells",), False),
    ],
)
def test_what_is_kept_serves_what_it_holds(column: Column, kind: Any, needs: tuple[str, ...], serves: bool) -> None:
    assert column.serves(kind, needs) is serves


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (COUNTED, "lattice"),
        (SYMBOLS, "levels"),
        (MOMENTS, "moments"),
        (Column("x", "numbers", ("moments", "log_x")), "moments+log_x"),
    ],
)
def test_what_is_kept_is_said_in_a_word(column: Column, said: str) -> None:
    assert column.counted_as == said


def test_a_missing_cell_declared_on_one_side_is_declared_in_the_union() -> None:
    for column in (COUNTED, SYMBOLS, MOMENTS):
        declared = Column(column.name, column.kind, column.keeps, column.axis, missing=True)
        assert column.union(declared).missing
        assert declared.union(column).missing
        assert not column.union(column).missing


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (COUNTED, SYMBOLS),
        (COUNTED, MOMENTS),
        (MOMENTS, Column("x", "numbers", ("totals",))),
    ],
)
def test_columns_of_which_unlike_things_are_kept_do_not_unite_and_both_are_named(one: Column, other: Column) -> None:
    message = rf"column 'x' is kept as {one.counted_as} of {one.kind} on one side and as {other.counted_as} of "
    with pytest.raises(ValueError, match=message.replace("+", r"\+")):
        one.union(other)


def test_a_grid_of_its_own_says_what_to_do() -> None:
    one, other = (Column("x", "numbers", ("cells",), Grid(np.array(edges))) for edges in ([0.0], [1.0]))
    with pytest.raises(ValueError, match=r"column 'x' was counted on a grid of its own.*same schema="):
        one.union(other)


def test_a_blank_column_has_one_form_whatever_it_held() -> None:
    blank = Column("x", "symbols", ("cells",), Levels.of([], []))
    assert blank.blank
    assert (blank.cleared().kind, type(blank.cleared().axis)) == ("numbers", Lattice)
    declared = Column("x", "symbols", ("cells",), Levels.of(["a"], []))
    assert not declared.blank
    assert declared.cleared() is declared
    assert MOMENTS.cleared() is MOMENTS
    assert blank.union(SYMBOLS).kind == SYMBOLS.union(blank).kind == "symbols"
    assert blank.union(COUNTED).kind == COUNTED.union(blank).kind == "numbers"


# -- columns that are left blank -----------------------------------------------------------------------------------

TEXT = pd.DataFrame({"a": ["p", "q"], "x": [1.0, 2.0]})
BLANK = pd.DataFrame({"a": [np.nan, np.nan], "x": [3.0, 4.0]})
Y = ["u", "v"]


def forgetful(missing: str) -> NaiveBayes:
    """Return a model whose column has forgotten its last text."""
    return NaiveBayes(missing=missing).fit(pd.concat([TEXT, BLANK]), Y + Y).forget(TEXT, Y)


@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_a_column_that_forgot_its_last_text_is_as_if_it_had_never_held_one(missing: str) -> None:
    fresh = NaiveBayes(missing=missing).fit(BLANK, Y)
    laws.same_model(forgetful(missing), fresh, BLANK)
    twice = NaiveBayes(missing=missing).fit(pd.concat([BLANK, BLANK]), Y + Y)
    laws.same_model(forgetful(missing).partial_fit(BLANK, Y), twice, BLANK)
    laws.same_model(forgetful(missing) + fresh, twice, BLANK)
    laws.same_model(fresh + forgetful(missing), twice, BLANK)
    nothing = forgetful(missing).forget(BLANK, Y)
    laws.same_model(nothing.partial_fit(TEXT, Y), NaiveBayes(missing=missing).fit(TEXT, Y), TEXT)


@pytest.mark.parametrize("blank", [[None, None], [np.nan, np.nan], [pd.NA, pd.NA]], ids=str)
@pytest.mark.parametrize("dtype", [object, "str", float])
def test_a_blank_column_of_any_type_learns_on_in_any_order(blank: list[Any], dtype: Any) -> None:
    none = pd.DataFrame({"a": pd.Series([None, None], dtype=dtype)})
    other = pd.DataFrame({"a": pd.Series(blank, dtype=object)})
    nb = NaiveBayes().fit(none, Y).partial_fit(other, Y)
    assert nb.class_counts_.tolist() == [2, 2]
    for first, second in ((none, TEXT[["a"]]), (TEXT[["a"]], none)):
        both = copy.deepcopy(nb).fit(first, Y).partial_fit(second, Y)
        assert both.schema_.columns[0].levels.tolist() == ["p", "q"]
        assert both.predict(TEXT[["a"]]).tolist() == Y

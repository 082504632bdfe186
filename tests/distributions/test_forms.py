"""Forms: an attribute told in tables says of every cell what its block says, up to what all classes share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.strategies import KINDS, NAMED

from candide import NaiveBayes, presets
from candide import table as tables
from candide.discretizers import REGISTRY, Cuts
from candide.distributions import Bins
from candide.distributions.base import BINARY, NONNEGATIVE, POSITIVE, REAL, WHOLE
from candide.distributions.bell import Bell
from candide.distributions.forms import Curve, Form, Linear, Lookup, Quadratic, Steps, nothing, sample_curve
from candide.distributions.links import LOG
from candide.schema.rows import Rows
from candide.scoring.explanation import readable

EXACT, SAMPLED = 1e-9, 1e-3
"""How far a form may lie from its block, in nats: in closed form, and as a sampled curve inside its knots."""

N = 60
RNG = np.random.default_rng(0)
Y = np.array(["p", "q", "r"])[RNG.choice(3, N, p=[0.5, 0.3, 0.2])]
SHIFT = (Y == "q") * 1.0

KNOWN = {
    REAL.says: (RNG.normal(size=(N, 2)) + SHIFT[:, None]).round(2),
    POSITIVE.says: RNG.gamma(2.0, 1.0 + SHIFT[:, None], size=(N, 2)),
    NONNEGATIVE.says: RNG.exponential(1.0 + SHIFT[:, None], size=(N, 2)),
    WHOLE.says: RNG.poisson(2.0 + 3 * SHIFT[:, None], size=(N, 2)).astype(float),
    BINARY.says: (RNG.random((N, 2)) < 0.3 + 0.5 * SHIFT[:, None]).astype(float),
}
"""Numbers to learn from, by the support that a distribution takes."""
STRANGE = [-2.5, -1.0, 0.0, 0.3, 1.0, 2.0, 7.0, 1e3, np.nan]
"""Numbers to be told of: outside supports, never seen, far away, and missing."""


def learning_table(kind: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return two columns of a kind, with missing cells in the first, and new rows with strange cells."""
    rule = NAMED.get(kind)
    if rule is not None and rule.kind == "symbols":
        frame = pd.DataFrame(RNG.choice(["a", "b", "c"], (N, 2)), columns=["x", "z"]).astype(object)
        strange: list[Any] = ["a", "c", "never seen", None]
    else:
        frame = pd.DataFrame(KNOWN[REAL.says if rule is None else rule.support.says], columns=["x", "z"])
        strange = STRANGE
    frame.loc[::7, "x"] = None if rule is not None and rule.kind == "symbols" else np.nan
    return frame, pd.DataFrame({"x": strange, "z": strange}, dtype=frame["x"].dtype)


def cells(rows: Rows, form: Form) -> np.ndarray:
    """Return the cells that a form reads; tuples for a joined attribute."""
    columns = [readable(rows.table.column(j)) for j in form.columns]
    out = np.empty(len(rows), dtype=object)
    out[:] = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
    return out


def same_up_to_a_constant(told: np.ndarray, said: np.ndarray, tolerance: float) -> None:
    """Terms (rows, K) are equal up to a number that every class shares, and impossible in the same places."""
    np.testing.assert_array_equal(np.isneginf(told), np.isneginf(said))
    some = np.isfinite(said).any(axis=1)
    told, said = (np.where(np.isfinite(t), t, np.nan)[some] for t in (told, said))
    difference = told - said
    np.testing.assert_allclose(
        difference - np.nanmean(difference, axis=1, keepdims=True), 0.0 * difference, atol=tolerance
    )


def tells_every_attribute(nb: NaiveBayes, *frames: pd.DataFrame) -> set[type[Form]]:
    """Every form of a model says what its block says, of rows learnt and of new ones; return the kinds of forms."""
    X = pd.concat(frames, ignore_index=True)
    rows = Rows(tables.read(X), nb.schema_)
    terms = nb.model_.terms(rows, LOG)
    for i, form in enumerate(nb.model_.forms):
        said = np.where(np.isnan(terms[:, :, i]), 0.0, terms[:, :, i])
        told, tolerance = form(cells(rows, form)), EXACT
        if isinstance(form, Curve):
            x = rows.table.column(form.columns[0]).values
            inside = np.isnan(x) | ((x >= form.knots[0]) & (x <= form.knots[-1]))
            told, said, tolerance = told[inside], said[inside], SAMPLED
        same_up_to_a_constant(told, said, tolerance)
    return {type(form) for form in nb.model_.forms}


BINNED = [f"{rule.name}" for rule in REGISTRY]


@pytest.mark.parametrize("smoothing", ["laplace", "none"])
@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("kind", [*KINDS, "auto", *BINNED])
def test_every_distribution_is_told_by_its_form(kind: str, missing: str, smoothing: str) -> None:
    frame, new = learning_table(kind)
    nb = NaiveBayes(kind, missing=missing, smoothing=smoothing).fit(frame, Y)
    tells_every_attribute(nb, frame, new)


@pytest.mark.parametrize("name", presets.__all__)
def test_every_preset_is_told_by_its_forms(name: str) -> None:
    frame, new = learning_table("normal")
    frame["k"], new["k"] = RNG.choice(["u", "v"], N), "never seen"
    nb = getattr(presets, name)().fit(frame, Y)
    assert tells_every_attribute(nb, frame, new) == {Steps, Lookup}


def test_ordinal_bins_are_told_step_by_step() -> None:
    frame, new = learning_table("bins")
    nb = NaiveBayes(Bins(Cuts([-0.5, 0.5, 1.0]), ordinal=True)).fit(frame, Y)
    assert tells_every_attribute(nb, frame, new) == {Steps}
    assert len(nb.model_.forms) == 6


@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_a_group_is_told_by_its_complete_combinations(missing: str) -> None:
    frame = pd.DataFrame(
        {
            "a": RNG.choice(["u", "v"], N),
            "x": KNOWN[REAL.says][:, 0],
            "k": RNG.choice(["s", "t"], N),
            "b": RNG.choice(["n", "o"], N),
        }
    )
    if missing == "level":  # otherwise what is known of a group is summed out, which no table tells
        frame.loc[::5, "a"] = None
        frame.loc[::7, "x"] = np.nan
    never = pd.DataFrame({"a": ["w"], "x": [99.0], "k": ["w"], "b": ["n"]})
    nb = NaiveBayes("equal-width(3)", groups=[["a", "k"], ["x", "b"]], missing=missing).fit(frame, Y)
    assert tells_every_attribute(nb, frame, never if missing == "level" else frame) == {Lookup}
    symbols, numbers = nb.model_.forms
    assert set(symbols.levels.tolist()) == {(a, k) for a in ("u", "v", *[None] * (missing == "level")) for k in "st"}
    assert {level for level, _ in numbers.levels} == {0, 1, 2, *[None] * (missing == "level")}
    assert [cuts is None for cuts in numbers.cuts] == [False, True]


def test_a_group_that_is_known_in_part_is_told_with_the_rest_summed_out() -> None:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(
        {"a": rng.choice(["u", "v"], N), "x": KNOWN[REAL.says][:, 0], "k": rng.choice(["s", "t"], N)}
    ).astype({"a": object, "k": object})
    nb = NaiveBayes("equal-width(3)", groups=[["a", "x", "k"]]).fit(frame, Y)
    new = frame.copy()
    for name in new:
        new.loc[rng.random(N) < 0.4, name] = np.nan if name == "x" else None
    new.loc[rng.random(N) < 0.2, "a"] = "never seen"
    assert tells_every_attribute(nb, frame, new) == {Lookup}


@pytest.mark.parametrize("kind", ["normal", "exponential", "poisson", "student", "lognormal", "gamma"])
def test_a_density_within_a_group_is_a_form_for_every_combination(kind: str) -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"a": rng.choice(["u", "v"], N), "x": rng.poisson(3.0, N) + 1.0, "b": rng.choice(["p", "q"], N)}
    )
    nb = NaiveBayes({"x": kind}, groups=[["a", "x", "b"]]).fit(frame, Y)
    (form,) = nb.model_.forms
    cells = np.empty(len(frame), dtype=object)
    cells[:] = list(frame.itertuples(index=False, name=None))
    told, wanted = form(cells), nb.explain(frame).contributions[:, :, 0]
    difference = told - wanted
    np.testing.assert_allclose(difference - difference[:, :1], 0.0, atol=1e-9)


@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_a_density_within_intervals_and_missing_cells_is_told_as_well(missing: str) -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {"a": rng.choice(["u", "v"], N), "h": rng.normal(size=N) + SHIFT, "x": KNOWN[REAL.says][:, 0].copy()}
    )
    if missing == "level":
        frame.loc[::5, "a"] = None
        frame.loc[::7, "x"] = np.nan
    frame.loc[::6, "h"] = np.nan
    nb = NaiveBayes({"h": "normal", "x": "equal-width(3)"}, groups=[["a", "h", "x"]], missing=missing).fit(frame, Y)
    tells_every_attribute(nb, frame)


@pytest.mark.parametrize("kind", ["normal", "kde", "bins", "gamma"])
def test_columns_that_say_nothing_are_told_to_say_nothing(kind: str) -> None:
    frame = pd.DataFrame({"x": np.full(N, 3.0), "z": np.full(N, np.nan)})
    nb = NaiveBayes(kind).fit(frame, Y)
    tells_every_attribute(nb, frame, pd.DataFrame({"x": [1.0, 1e9, np.nan], "z": [1.0, 2.0, np.nan]}))


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [("normal", Quadratic), ("lognormal", Quadratic), ("gamma", Linear), ("exponential", Linear), ("poisson", Linear)]
    + [("multinomial", Linear), ("bernoulli", Lookup), ("categorical", Lookup), ("bins", Steps), ("student", Bell)]
    + [("kde", Curve), ("mixture", Curve)],
)
def test_distributions_of_a_closed_form_are_not_sampled(kind: str, wanted: type[Form]) -> None:
    frame, _ = learning_table(kind)
    assert {type(form) for form in NaiveBayes(kind).fit(frame, Y).model_.forms} == {wanted}


# -- forms by themselves -----------------------------------------------------------------------------------------------

ZERO = np.zeros(2)
FORMS: list[Form] = [
    Lookup(
        columns=(0,), missing=ZERO, levels=np.array([1.0, 2.0], dtype=object), table=np.array([[0.1, 0.2], [0.3, 0.4]])
    ),
    Steps(columns=(0,), missing=ZERO, cuts=np.array([1.0]), table=np.array([[0.1, 0.2], [0.3, 0.4]])),
    Quadratic(columns=(0,), missing=ZERO, height=np.ones(2), mean=np.array([0.0, 1.0]), var=np.ones(2)),
    Bell(columns=(0,), missing=ZERO, height=ZERO, mean=ZERO, var=np.full(2, 2.0), df=np.array([1.0, np.inf])),
    Linear(columns=(0,), missing=ZERO, intercept=np.ones(2), slope=np.array([2.0, 3.0])),
    Curve(columns=(0,), missing=ZERO, knots=np.array([0.0, 4.0]), table=np.array([[0.0, 4.0], [0.0, -4.0]])),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_a_form_lifted_says_more_of_known_cells_and_the_same_of_missing_ones(form: Form) -> None:
    x = np.array([1.0, 2.0, np.nan])
    by = np.array([5.0, -7.0])
    np.testing.assert_allclose(form.lifted(by)(x)[:2], form(x)[:2] + by)
    np.testing.assert_array_equal(form.lifted(by)(x)[2], form(x)[2])


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
@pytest.mark.parametrize("by", [0.3, 0.0])
def test_a_form_scaled_says_so_many_times_as_much_and_can_still_be_lifted(form: Form, by: float) -> None:
    x = np.array([1.0, 2.0, np.nan])
    np.testing.assert_allclose(form.scaled(by)(x), by * form(x))
    np.testing.assert_allclose(form.scaled(by).lifted(np.array([5.0, -7.0]))(x[:2]), by * form(x[:2]) + [5.0, -7.0])


@pytest.mark.parametrize("weight", [1.0, 0.4])
def test_the_constants_of_a_bell_tell_it(weight: float) -> None:
    df, mean, var = np.array([1.0, 7.5, np.inf]), np.array([-1.0, 0.0, 2.0]), np.array([0.5, 1.0, 3.0])
    form = Bell(columns=(0,), missing=np.zeros(3), height=mean / 3, mean=mean, var=var, df=df, weight=weight)
    x = np.linspace(-30, 30, 61)
    height, square, power, width = form.constants
    away = (x[:, None] - mean) ** 2
    np.testing.assert_allclose(form(x), height - square * away - power * np.log1p(width * away), rtol=1e-12, atol=1e-12)


def test_forms_by_hand() -> None:
    lookup, steps, quadratic, bell, linear, curve = FORMS
    assert lookup(np.array([2.0, 9.0, None], dtype=object)).tolist() == [[0.2, 0.4], [0, 0], [0, 0]]
    assert steps(np.array([1.0, 1.1])).tolist() == [[0.1, 0.3], [0.2, 0.4]]
    assert quadratic(np.array([2.0])).tolist() == [[1 - 2.0, 1 - 0.5]]
    np.testing.assert_allclose(bell(np.array([2.0])), [[-np.log(3), -1.0]])  # 1 + 4/2, and 4/2/2
    assert linear(np.array([2.0])).tolist() == [[5.0, 7.0]]
    assert curve(np.array([1.0, 9.0])).tolist() == [[1.0, -1.0], [4.0, -4.0]]
    assert nothing((0,), 2)(np.array([1.0, np.nan])).tolist() == [[0, 0], [0, 0]]


def test_a_line_ends_at_its_support_and_zero_times_infinity_is_zero() -> None:
    line = Linear(columns=(0,), missing=ZERO, intercept=ZERO, slope=np.array([-np.inf, 1.0]), log_slope=None, least=0.0)
    assert line(np.array([-1.0, 0.0, 2.0])).tolist() == [[-np.inf, -np.inf], [0.0, 0.0], [-np.inf, 2.0]]
    open_line = Linear(columns=(0,), missing=ZERO, intercept=ZERO, slope=np.ones(2), least=0.0, open=True)
    assert open_line(np.array([0.0, 2.0])).tolist() == [[-np.inf, -np.inf], [2.0, 2.0]]


def test_a_curve_is_sampled_where_it_bends() -> None:
    def density(x: np.ndarray) -> np.ndarray:
        return np.column_stack([-(np.abs(x) ** 3), np.zeros(len(x))])

    knots, table = sample_curve(density, -3.0, 3.0)
    x = np.linspace(-3, 3, 1001)
    curve = Curve(columns=(0,), missing=ZERO, knots=knots, table=table)
    same_up_to_a_constant(curve(x), density(x), SAMPLED)
    flat, _ = sample_curve(lambda x: np.zeros((len(x), 2)), -3.0, 3.0)
    assert len(flat) <= 129 < len(knots)

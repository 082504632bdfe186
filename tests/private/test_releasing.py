"""Private models: what a row can change, what is spent, what is refused, and that they are models as any other."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import candide
from candide import NaiveBayes, TunedNB
from candide.estimator import files
from candide.private import releasing
from candide.private.public import public_cells
from candide.private.releasing import adding_up
from candide.structure import TreeAugmentedNB
from candide.text import TextNB

BOUNDS = {"power": (0, 100), "energy": ["oil", "gas", "sun"]}


def table(n=600, seed=0):
    rng = np.random.default_rng(seed)
    desk = rng.choice(["bike", "car"], n)
    power = np.clip(np.where(desk == "car", 60.0, 30.0) + 8 * rng.standard_normal(n), 2, 98)
    energy = np.where(rng.random(n) < 0.8, np.where(desk == "car", "oil", "gas"), "gas")
    return pd.DataFrame({"power": power, "energy": energy, "truth": rng.random(n) < 0.5, "desk": desk})


@pytest.fixture(scope="module")
def nb():
    return NaiveBayes().fit(table(), "desk")


@pytest.fixture
def without_noise(monkeypatch):
    """Let the noise be nothing, and keep the rates that it was asked for."""
    rates = []

    def none(rate, size, _):
        rates.append((rate, size))
        return np.zeros(size, dtype=np.int64)

    monkeypatch.setattr(releasing, "two_sided_geometric", none)
    return rates


# -- the guarantee -----------------------------------------------------------------------------------------------------

values = st.one_of(st.none(), st.integers(-3, 14), st.floats(-5, 20, width=16))
levels = st.sampled_from(["oil", "gas", "sun", "wood", None])
row = st.tuples(values, levels, st.sampled_from(["bike", "car"]))


def noiseless(rows, **rules):
    """Return the tables that noise is added to, by catching them on their way."""
    frame = pd.DataFrame(rows, columns=["power", "energy", "desk"])
    frame["power"] = frame["power"].astype(float)
    frame["energy"] = frame["energy"].astype(object)
    model = NaiveBayes(reading="plain", **rules).partial_fit(frame, "desk", classes=["bike", "car"])
    seen = []

    class Catching(releasing.Noisy):
        def counts(self, table, sums=1, change=1):
            seen.append((np.array(table, dtype=np.int64), sums, change))
            return np.asarray(table, dtype=np.int64)

    before, releasing.Noisy = releasing.Noisy, Catching
    try:
        releasing.release(model.learnt_, 1.0, {"power": (-5.0, 20.0), "energy": ["oil", "gas", "sun"]})
    finally:
        releasing.Noisy = before
    return seen


@pytest.mark.parametrize("rule", ["auto", "normal"])
@settings(max_examples=25, deadline=None)
@given(rows=st.lists(row, min_size=1, max_size=12), more=row)
def test_one_row_more_spends_the_budget_at_the_most(rule, rows, more):
    """Σ over tables of |change| / (sums · change), in shares ε / (D + 1): D + 1 at the most, whatever the row."""
    rules = {"distributions": {"power": rule}}
    one, two = noiseless(rows, **rules), noiseless([*rows, more], **rules)
    spent = sum(
        (np.abs(a - b) / (np.asarray(sums) * change)).sum() for (a, sums, change), (b, *_) in zip(one, two, strict=True)
    )
    assert spent <= 3.0 + 1e-12
    assert np.abs(one[0][0] - two[0][0]).sum() == 1  # a row has one class


def test_cells_do_not_depend_on_other_rows():
    """Beyond 10,000 values the lattice coarsens, and public cells do not move with it."""
    rng = np.random.default_rng(3)
    x = rng.normal(0, 10, 30_000)
    few, many = NaiveBayes().fit(x[:9_000, None], [0] * 9_000), NaiveBayes().fit(x[:, None], [0] * 30_000)
    assert few.learnt_.schema.columns[0].axis.exact
    assert not many.learnt_.schema.columns[0].axis.exact
    edges, middles = public_cells((-20.0, 20.0), 32)
    for model, rows in ((few, x[:9_000]), (many, x)):
        seen = releasing.counted(model.learnt_, {0: (-20.0, 20.0)}, {0: 32})[1]
        expected = np.histogram(np.clip(rows, -19.99, 19.99), [-20.0, *edges, 20.0])[0]
        assert seen[0, 1:].tolist() == expected.tolist()
        assert len(middles) == len(expected)


def test_cells_that_are_finer_than_the_lattice_are_refused():
    x = np.random.default_rng(3).normal(0, 10, 30_000)
    nb = NaiveBayes().fit(x[:, None], [0] * len(x))
    with pytest.raises(ValueError, match=r"column 0 has more different numbers than are counted exactly.*fewer cells"):
        nb.privatize(1.0, {0: (8.0, 9.0)}, cells=1024)


def test_the_budget_is_parted_in_equal_shares(nb, without_noise):
    nb.privatize(2.0, BOUNDS)
    assert [(float(rate), size) for rate, size in without_noise] == [(0.5, 2), (0.5, 2 * (14 + 4 + 3))]
    without_noise.clear()
    normal = NaiveBayes(distributions={"power": "lognormal"}).fit(table()[["power", "desk"]], "desk")
    normal.privatize(2.0, {"power": (1, 100)})
    spent = [rate * (1 if rate > 0.01 else 2**16 + 1) for rate, _ in without_noise]
    assert spent == [1] + 6 * [Fraction(1, 6)]  # the share of the classes, and that of the column among six sums


def test_class_counts_have_the_noise_that_is_told(nb):
    """The public face of the mechanism: over many models, class counts differ by the two-sided geometric."""
    found = np.array([nb.privatize(2.0, BOUNDS, random_state=seed).class_counts_ for seed in range(250)])
    noise = (found - nb.class_counts_).ravel()
    alpha = math.exp(-2.0 / 4)
    counts = np.bincount(np.clip(noise, -6, 6) + 6, minlength=13)
    exact = (1 - alpha) / (1 + alpha) * alpha ** np.abs(np.arange(-6, 7))
    exact[[0, -1]] /= 1 - alpha
    assert stats.chisquare(counts, len(noise) * exact / exact.sum()).pvalue > 1e-4


@pytest.mark.usefixtures("without_noise")
def test_without_noise_counts_are_those_in_public_cells(nb):
    private = nb.privatize(1.0, BOUNDS)
    assert private.class_counts_.tolist() == nb.class_counts_.tolist()
    frame = table()
    axis = private.learnt_.schema.columns[1].axis
    assert axis.levels.tolist() == ["oil", "gas", "sun"]
    counted = private.statistics_["cells"].table[:, private.learnt_.schema.cells_of(1)]
    cars = frame[frame["desk"] == "car"]["energy"].value_counts()
    assert counted[1].tolist() == [0, cars["oil"], cars["gas"], 0]
    far = pd.DataFrame({"power": [20.0, 70.0], "energy": ["gas", "oil"], "truth": [True, True]})
    assert private.predict(far).tolist() == ["bike", "car"]


@pytest.mark.usefixtures("without_noise")
def test_moments_keep_what_they_were_without_noise():
    frame = table()[["power", "desk"]]
    nb = NaiveBayes(distributions="normal").fit(frame, "desk")
    private = nb.privatize(1.0, {"power": (0, 100)})
    mine, theirs = private.statistics_["moments"], nb.statistics_["moments"]
    assert mine.n.tolist() == theirs.n.tolist()
    np.testing.assert_allclose(mine.mean, theirs.mean, rtol=1e-4)
    np.testing.assert_allclose(mine.m2, theirs.m2, rtol=1e-2)
    assert private.privacy_["releases"][0]["promised"] == ["power"]


# -- what is told ------------------------------------------------------------------------------------------------------


def test_what_is_promised_is_told_and_kept_in_the_file(nb, tmp_path):
    private = nb.privatize(0.5, BOUNDS, cells={"power": 16})
    told = private.privacy_
    assert told["epsilon"] == told["epsilon_if_disjoint"] == 0.5
    assert told["neighbours"] == "one row more or less"
    assert "geometric" in told["mechanism"]
    assert told["bounds"] == {"power": (0.0, 100.0), "energy": ["oil", "gas", "sun"], "truth": [False, True]}
    assert told["releases"][0]["cells"] == {"power": 16}
    assert not told["releases"][0]["seeded"]
    assert not told["rows_without_noise"]
    assert nb.privacy_ is None
    private.save(tmp_path / "private.json")
    again = candide.load(tmp_path / "private.json")
    assert again.privacy_ == told
    assert (again.predict_proba(table(50, 9)) == private.predict_proba(table(50, 9))).all()


def test_a_seed_is_told(nb):
    assert nb.privatize(1.0, BOUNDS, random_state=1).privacy_["releases"][0]["seeded"]


def test_the_file_holds_nothing_else_of_the_rows(tmp_path):
    frame = table()
    frame.loc[0, "energy"] = "plutonium"
    frame.loc[0, "power"] = 61.234567
    frame["cost"] = [f"{n} EUR" for n in np.random.default_rng(0).integers(10, 90, len(frame))]
    nb = NaiveBayes().fit(frame, "desk")
    nb.told_ = {"source": "customers-of-mr-x.csv"}
    nb.save(tmp_path / "exact.json")
    nb.privatize(1.0, {**BOUNDS, "cost": (0, 100)}).save(tmp_path / "private.json")
    exact, private = (Path.read_text() for Path in (tmp_path / "exact.json", tmp_path / "private.json"))
    for secret in ("plutonium", "customers-of-mr-x", "600 "):
        assert secret in exact
        assert secret not in private


def test_sums_of_private_models_tell_of_both(nb):
    one, two = nb.privatize(0.5, BOUNDS), NaiveBayes().fit(table(seed=1), "desk").privatize(0.25, BOUNDS)
    told = (one + two).privacy_
    assert told["epsilon"] == 0.75
    assert told["epsilon_if_disjoint"] == 0.5
    assert [release["epsilon"] for release in told["releases"]] == [0.5, 0.25]
    assert told["bounds"] is not None
    assert not told["rows_without_noise"]
    assert sum([one, two]).class_counts_.tolist() == (one.class_counts_ + two.class_counts_).tolist()
    assert (0.5 * one).privacy_ == one.privacy_


def test_rows_without_noise_are_told(nb):
    private = nb.privatize(0.5, BOUNDS)
    assert (private + nb).privacy_["rows_without_noise"]
    assert (nb + private).privacy_["epsilon"] == 0.5
    rows = private.class_counts_.sum()
    private.partial_fit(table(3, 5), "desk")
    assert private.class_counts_.sum() == rows + 3
    assert private.privacy_["rows_without_noise"]


def test_rows_cannot_be_taken_back_or_left_out(nb):
    private = nb.privatize(0.5, BOUNDS)
    before = private.class_counts_
    for act in (
        lambda: private.forget(table(), "desk"),
        lambda: private - nb,
        lambda: nb - private,
        lambda: private.leave_one_out(table(), "desk"),
    ):
        with pytest.raises(ValueError, match="private model, whose noise hides them"):
            act()
    assert private.class_counts_ is before
    assert private.report(table(), "desk").facts["performance"]["how"] == "new"


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bounds", "says"),
    [
        ({"energy": ["oil"]}, r"column 'power' has no bounds.*bounds=\{'power': \(0, 100\)\}"),
        ({"power": (0, 100)}, r"column 'energy' has no declared levels.*bounds=\{'energy': \['one', 'two'\]\}"),
        ({**BOUNDS, "powr": (0, 1)}, "there is no column 'powr'; did you mean 'power'"),
        ({**BOUNDS, "power": (100, 0)}, "100 is not below 0"),
        ({**BOUNDS, "power": (0, math.inf)}, "0 is not below inf"),
        ({**BOUNDS, "power": 100}, "two numbers, the least and the most, not 100"),
        ({**BOUNDS, "energy": "oil"}, "are its levels, as a list, not 'oil'"),
        ({**BOUNDS, "power": (1e16, 1e16 + 2)}, "cannot be told apart in 8 cells"),
    ],
)
def test_bounds_that_are_not_there_or_wrong(nb, bounds, says):
    with pytest.raises(ValueError, match=says):
        nb.privatize(1.0, bounds)


@pytest.mark.parametrize("epsilon", [0, -1.0, math.inf, math.nan, "1", None, True])
def test_budgets_that_are_none(nb, epsilon):
    with pytest.raises(ValueError, match="the budget is a number above zero"):
        nb.privatize(epsilon, BOUNDS)


@pytest.mark.parametrize("cells", [1, 2000, 2.5, {"power": "many"}])
def test_cells_that_are_none(nb, cells):
    with pytest.raises(ValueError, match="a whole number from 2 to 1024"):
        nb.privatize(1.0, BOUNDS, cells=cells)


def test_what_no_noise_is_made_for(nb):
    frame = table()
    both = {"bounds": BOUNDS}
    with pytest.raises(ValueError, match="private already, with epsilon 1"):
        nb.privatize(1.0, BOUNDS).privatize(1.0, BOUNDS)
    with pytest.raises(ValueError, match="broken weights"):
        (0.5 * nb).privatize(1.0, BOUNDS)
    with pytest.raises(ValueError, match="counted together, in groups or in a structure"):
        NaiveBayes(groups=[["energy", "truth"]]).fit(frame, "desk").privatize(1.0, **both)
    with pytest.raises(ValueError, match="counted together, in groups or in a structure"):
        TreeAugmentedNB().fit(frame, "desk").privatize(1.0, **both)
    with pytest.raises(ValueError, match=r"settled on rows.*set_params\(weights=None\)"):
        TunedNB().fit(frame, "desk").privatize(1.0, **both)
    for event_model in ("multinomial", "auto"):
        with pytest.raises(ValueError, match="holds documents"):
            TextNB(event_model).fit(["red car", "green bike"] * 9, ["x", "y"] * 9).privatize(1.0)
    with pytest.raises(ValueError, match="numbers outside of its bounds"):
        NaiveBayes(distributions="normal").fit(frame, "desk").privatize(1.0, {**BOUNDS, "power": (0, 40)})
    with pytest.raises(ValueError, match="its least number must be above zero"):
        NaiveBayes(distributions={"power": "lognormal"}).fit(frame, "desk").privatize(1.0, **both)


@pytest.mark.parametrize("epsilon", [1, np.float32(1), np.int64(1), np.float64(1)])
def test_budgets_of_any_number_type(nb, epsilon):
    assert nb.privatize(epsilon, BOUNDS).privacy_["epsilon"] == 1.0


def test_a_damaged_promise_is_refused(nb, tmp_path):
    private = nb.privatize(1.0, BOUNDS)
    for wrong, says in (
        ({"epsilon": -1.0}, "epsilon is not above zero"),
        ({"epsilon": "1"}, "no finite number"),
        ({"seeded": 1}, "no true or false"),
        ({"more": 1}, "which is not known here"),
    ):
        payload = private._payload()
        payload["privacy"]["releases"][0].update(wrong)
        files.write(tmp_path / "wrong.json", payload)
        with pytest.raises(files.ModelFileError, match=says):
            candide.load(tmp_path / "wrong.json")
    payload = private._payload()
    payload["privacy"]["releases"] = []
    files.write(tmp_path / "wrong.json", payload)
    with pytest.raises(files.ModelFileError, match="holds no release"):
        candide.load(tmp_path / "wrong.json")


def test_declared_levels_need_no_bounds():
    frame = table()
    frame["energy"] = pd.Categorical(frame["energy"], categories=["gas", "oil", "wood"])
    private = NaiveBayes().fit(frame, "desk").privatize(1.0, {"power": (0, 100)})
    assert private.privacy_["bounds"]["energy"] == ["gas", "oil", "wood"]
    assert NaiveBayes().fit(frame[["power", "desk"]], "desk").privatize(1.0, (0, 100)).privacy_["epsilon"] == 1.0


def test_sums_of_columns_are_private_as_well():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (500, 3)), rng.integers(0, 2, 500)
    private = NaiveBayes(distributions="bernoulli").fit(X, y).privatize(5.0, (0, 1))
    totals, unknown = (private.statistics_[part].table for part in ("totals", "unknown"))
    assert ((totals >= 0) & (totals <= private.class_counts_[:, None] - unknown)).all()
    assert np.isfinite(private.predict_log_proba(X)).all()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(-50, 50), min_size=3, max_size=3), min_size=1, max_size=4), st.integers(0, 200))
def test_counts_add_up_and_are_as_near_as_can_be(rows, total):
    noisy = np.array(rows)
    found = adding_up(noisy, np.full(len(rows), total))
    assert (found >= 0).all()
    assert (found.sum(axis=1) == total).all()
    # moving one unit from any cell to any other brings nothing nearer, but for what rounding takes
    distance = ((found - noisy) ** 2).sum(axis=1)
    for i in range(3):
        for j in range(3):
            other = found.copy()
            other[:, i] -= 1
            other[:, j] += 1
            worse = ((other - noisy) ** 2).sum(axis=1) >= distance
            assert (worse | (found[:, i] == 0)).all()


def test_accuracy_comes_with_the_budget():
    """Not a promise, but what the noise is worth: 20,000 rows bear a budget of one."""
    train, test = table(20_000, 1), table(2_000, 2)
    nb = NaiveBayes().fit(train, "desk")
    private = nb.privatize(1.0, BOUNDS, random_state=0)
    assert private.score(test, "desk") > nb.score(test, "desk") - 0.01

"""Addresses: a name in a file means one class, and never another."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.estimator.format.sealed import X, Y, payload, rewrite

import candide
from candide import NaiveBayes, presets
from candide.estimator import Classifier
from candide.estimator.files import ModelFileError
from candide.estimator.format.addresses import AddressBook, address, derived, is_own
from candide.estimator.format.encoding import OWN_RULES, known_rules
from candide.loading import own_estimators
from candide.rules import Rule
from candide.smoothing import Laplace, Lidstone, Smoothing
from candide.structure.base import Structure

BASES = {
    "ColumnReader",
    "Costs",
    "Fixed",
    "Weighing",
    "Combination",
    "Constant",
    "Discretizer",
    "Distribution",
    "MomentDistribution",
    "Smoothing",
    "ValuesDistribution",
}
"""What rules are derived from; no file holds one."""

ESTIMATING = {"SmoothByColumn", "ClampedByColumn", "BinsByColumn", "Fixed", "TakenMixture", "ValuesByColumn"}
"""Rules that stand for others while a model is estimated; no file holds one either."""


class HalfCount(Smoothing):
    """A rule of a user: half a count for everything."""

    def __init__(self, share: float = 0.5) -> None:
        self.share = share

    def class_pseudo(self, domain: Any) -> Any:
        return np.full(len(domain.classes), self.share)

    def value_pseudo(self, domain: Any, cells: Any, marginal: Any, total: Any) -> Any:
        return np.full((len(cells), 1), self.share)

    def value_mass(self, domain: Any, attributes: Any, total: Any) -> Any:
        return self.share * domain.sizes[attributes][:, None]


class Careful(NaiveBayes):
    """An estimator of a user."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.json"


def test_every_rule_of_the_library_may_stand_in_a_file_under_an_address_of_its_own() -> None:
    own = {cls for cls in derived(Rule) if is_own(cls)}
    assert {cls.__name__ for cls in own - set(OWN_RULES)} <= BASES | ESTIMATING
    assert set(OWN_RULES) <= own
    assert len({address(cls) for cls in OWN_RULES}) == len({cls.__name__ for cls in OWN_RULES}) == len(OWN_RULES)


def test_every_estimator_of_the_library_may_stand_in_a_file() -> None:
    bases = {Structure}  # what several share, and no model
    own = set(own_estimators())  # imported by this
    assert {cls for cls in derived(Classifier) if is_own(cls)} - bases == own
    assert address(NaiveBayes) == "candide.NaiveBayes"
    assert address(presets.RobustNB) == "candide.presets.RobustNB"


@pytest.mark.parametrize("cls", OWN_RULES, ids=address)
def test_the_address_of_a_library_rule_is_public(cls: type[Rule]) -> None:
    package, _, name = address(cls).rpartition(".")
    rooms = "analysis", "combination", "discretizers", "distributions", "reading", "smoothing", "tuning"
    assert package in {f"candide.{room}" for room in rooms}
    assert name == cls.__name__
    assert known_rules().named(address(cls)) is cls


def test_a_rule_of_ones_own_is_kept_while_it_is_defined(path: Path) -> None:
    nb = NaiveBayes(smoothing=HalfCount(0.25)).fit(X, Y)
    nb.save(path)
    assert payload(path)["parameters"]["smoothing"]["rule"] == f"{__name__}.HalfCount"
    again = candide.load(path)
    assert again.smoothing == HalfCount(0.25)
    np.testing.assert_array_equal(again.predict_proba(X), nb.predict_proba(X))
    np.testing.assert_allclose(
        nb.predict_proba(X), NaiveBayes(smoothing=Lidstone(0.25, 0.25)).fit(X, Y).predict_proba(X), rtol=1e-12
    )
    rewrite(path, lambda m: m["parameters"]["smoothing"].update(rule=f"{__name__}.QuarterCount"))
    with pytest.raises(ModelFileError, match="QuarterCount', which is not defined here: import its module"):
        candide.load(path)


def test_an_estimator_of_ones_own_is_kept_while_it_is_defined(path: Path) -> None:
    Careful().fit(X, Y).save(path)
    assert payload(path)["estimator"] == f"{__name__}.Careful"
    assert type(candide.load(path)) is Careful


def test_an_estimator_that_another_one_shadows_is_not_saved(path: Path) -> None:
    hidden, other = (type("Careful", (NaiveBayes,), {"__module__": "elsewhere"}) for _ in range(2))
    with pytest.raises(TypeError, match="the estimator Careful cannot be saved: no class is found by its address"):
        hidden().fit(X, Y).save(path)
    assert other.__name__ == "Careful"
    assert not path.exists()


def shadow(module: str, name: str = "Laplace") -> type[Smoothing]:
    """Return a rule that calls itself as one of the library does, and says something else."""
    members = {"__module__": module, "class_pseudo": lambda *_: np.full(3, 1e6), "__qualname__": name}
    return type(name, (HalfCount,), members)


@pytest.mark.parametrize("module", ["mine", "candide.smoothing.constant", "candide.smoothing", __name__])
def test_a_class_that_calls_itself_as_ours_never_takes_its_place(module: str, path: Path) -> None:
    nb = NaiveBayes(smoothing=Laplace()).fit(X, Y)
    nb.save(path)
    foreign = shadow(module)
    again = candide.load(path)
    assert type(again.smoothing) is Laplace
    np.testing.assert_array_equal(again.predict_proba(X), nb.predict_proba(X))
    assert known_rules().bare("Laplace") is Laplace
    assert known_rules().address(Laplace) == "candide.smoothing.Laplace"
    if address(foreign) == address(Laplace):
        with pytest.raises(TypeError, match=r"Laplace cannot be saved: .* another one is"):
            known_rules().address(foreign)
    else:
        assert known_rules().named(known_rules().address(foreign)) is foreign


def test_two_classes_of_one_address_are_refused_when_saved_and_when_loaded(path: Path) -> None:
    one = shadow("elsewhere", "Twin")
    NaiveBayes(smoothing=one()).fit(X, Y).save(path)
    other = shadow("elsewhere", "Twin")
    with pytest.raises(ModelFileError, match=r"names the rule 'elsewhere\.Twin', and 2 classes are called so"):
        candide.load(path)
    with pytest.raises(TypeError, match="Twin cannot be saved: no class is found by its address"):
        NaiveBayes(smoothing=other()).fit(X, Y).save(path)


def test_of_two_classes_the_one_that_python_finds_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    # as when a cell of a notebook that defines a rule is run again
    old, new = shadow("notebook", "Edited"), shadow("notebook", "Edited")
    module = types.ModuleType("notebook")
    module.Edited = new  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "notebook", module)
    assert known_rules().named("notebook.Edited") is new
    assert known_rules().address(new) == "notebook.Edited"
    with pytest.raises(TypeError, match="cannot be saved"):
        known_rules().address(old)


def test_a_bare_name_of_two_foreign_classes_is_refused() -> None:
    kept = [shadow("here", "OneOfTwo"), shadow("there", "OneOfTwo")]
    with pytest.raises(ValueError, match="2 classes are called so"):
        known_rules().bare("OneOfTwo")
    assert known_rules().named("there.OneOfTwo") is kept[1]


def test_a_former_address_leads_to_where_a_class_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        sys.modules["candide.estimator.format.addresses"].FORMER, "candide.old.Laplace", address(Laplace)
    )
    assert AddressBook(Rule, OWN_RULES, "rule").named("candide.old.Laplace") is Laplace

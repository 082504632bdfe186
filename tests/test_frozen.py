"""Frozen values are what the standard library's dataclasses are."""

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace

import pytest

from candide.frozen import frozen

NAMES = ("Plain", "Keyed", "Derived", "Checked", "Own", "Bare")


def classes(plain, equal, keyed):
    """Return the same classes, made by one decorator or the other."""

    @equal
    class Plain:
        x: int
        y: list = field(default_factory=list, compare=False)
        z: int = field(default=3, repr=False)

    @keyed
    class Keyed:
        a: int = 1
        b: int

    @equal
    class Derived(Plain):
        w: float = 0.5

    @plain
    class Checked:
        x: int

        def __post_init__(self):
            if self.x < 0:
                raise ValueError("below zero")

    @equal
    class Own:  # noqa: PLW1641  # that it is given a hash is asked
        x: int

        def __eq__(self, other):
            return True

        def __repr__(self):
            return "own"

    @plain
    class Bare:
        pass

    return {cls.__name__: cls for cls in (Plain, Keyed, Derived, Checked, Own, Bare)}


OURS = classes(frozen, frozen(eq=True), frozen(kw_only=True))
THEIRS = classes(
    dataclass(frozen=True, eq=False), dataclass(frozen=True), dataclass(frozen=True, eq=False, kw_only=True)
)
CALLS = [
    ("Plain", (1,), {}),
    ("Plain", (1, [2], 4), {}),
    ("Plain", (), {"x": 1, "z": 2}),
    ("Plain", (), {}),
    ("Plain", (1, 2, 3, 4), {}),
    ("Plain", (1,), {"q": 1}),
    ("Keyed", (), {"b": 2}),
    ("Keyed", (1, 2), {}),
    ("Derived", (1,), {"w": 2.0}),
    ("Checked", (1,), {}),
    ("Checked", (-1,), {}),
    ("Own", (1,), {}),
    ("Bare", (), {}),
]


@pytest.mark.parametrize(("name", "args", "kwargs"), CALLS)
def test_they_are_made_and_shown_alike(name, args, kwargs):
    def told(cls):
        try:
            made = cls(*args, **kwargs)
        except (TypeError, ValueError) as error:
            return type(error), str(error)
        return repr(made), vars(made)

    for _ in range(2):  # the first is made by what compiles the rest
        assert told(OURS[name]) == told(THEIRS[name])


@pytest.mark.parametrize("name", NAMES)
def test_they_tell_the_same_fields_and_the_same_signature(name):
    ours, theirs = OURS[name], THEIRS[name]
    assert is_dataclass(ours)
    assert [(f.name, f.type, f.kw_only) for f in fields(ours)] == [(f.name, f.type, f.kw_only) for f in fields(theirs)]
    assert ours.__match_args__ == theirs.__match_args__
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))


@pytest.mark.parametrize("kind", [OURS, THEIRS])
def test_equality_and_hash(kind):
    Plain, Derived, Checked, Own = (kind[name] for name in ("Plain", "Derived", "Checked", "Own"))
    assert Plain(1, [2]) == Plain(1, [3])
    assert Plain(1) != Plain(2)
    assert Plain(1) != Derived(1)
    assert hash(Plain(1, [2])) == hash(Plain(1, [3]))
    assert Checked(1) != Checked(1)
    assert Own(1) == Own(2)
    assert hash(Own(1)) == hash(Own(1))


@pytest.mark.parametrize("kind", [OURS, THEIRS])
def test_nothing_can_be_set_or_deleted(kind):
    value = kind["Plain"](1)
    for change in (lambda: setattr(value, "x", 2), lambda: setattr(value, "new", 2), lambda: delattr(value, "x")):
        with pytest.raises(FrozenInstanceError, match=r"cannot (assign to|delete) field"):
            change()
    assert replace(value, x=2).x == 2

    class Open(kind["Plain"]):
        """A class derived that is no value itself."""

    free = Open(1)
    free.new = 5
    assert free.new == 5
    with pytest.raises(FrozenInstanceError):
        free.x = 2


@pytest.mark.parametrize("kind", [OURS, THEIRS])
def test_the_standard_decorator_derives_from_them_what_is_frozen_as_well(kind):
    @dataclass(frozen=True)
    class More(kind["Plain"]):
        v: int = 7

    assert repr(More(1, v=2)).endswith("More(x=1, y=[], v=2)")
    with pytest.raises(FrozenInstanceError):
        More(1).v = 3
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):
        dataclass(type("Open", (kind["Plain"],), {}))


@frozen
class Kept:
    """One that pickle finds."""

    x: int
    y: object = None


def test_copies_and_pickles():
    value = Kept(1, [2])
    again = pickle.loads(pickle.dumps(value))
    assert vars(again) == vars(copy.deepcopy(value)) == vars(value)
    assert copy.copy(value).y is value.y


def test_a_value_that_holds_itself_is_shown():
    held: list = []
    value = Kept(1, held)
    held.append(value)
    assert repr(value) == "Kept(x=1, y=[...])"

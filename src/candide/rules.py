"""Rules: the small, named choices a user makes (smoothing, distributions, cuts, combination)."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self, TypeVar

from candide.messages import not_known


class Parametrized:
    """Something with parameters, stored as given under their own names: all that the constructor of a subclass does."""

    @classmethod
    def _parameters(cls) -> list[str]:
        return parameters_of(cls)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; with `deep`, those of nested rules too."""
        own = {p: getattr(self, p) for p in self._parameters()}
        if deep:
            for name, value in list(own.items()):
                if isinstance(value, Parametrized):
                    own.update({f"{name}__{p}": v for p, v in value.get_params().items()})
        return own

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; `a__b` reaches parameter b of the rule stored as a."""
        known = self._parameters()
        for name, value in params.items():
            own, _, nested = name.partition("__")
            if own not in known:
                raise ValueError(f"{type(self).__name__} has no parameter {own!r}; it has {', '.join(known) or 'none'}")
            if nested:
                getattr(self, own).set_params(**{nested: value})
            else:
                setattr(self, own, value)
        return self

    def __repr__(self) -> str:
        defaults = {n: p.default for n, p in inspect.signature(type(self)).parameters.items()}
        changed = [f"{n}={v!r}" for n, v in self.get_params(deep=False).items() if not are_alike(v, defaults.get(n))]
        return f"{type(self).__name__}({', '.join(changed)})"


class Rule(Parametrized):
    """A choice with parameters: stored as given, readable, comparable, and clonable by scikit-learn.

    The constructor of a subclass only stores its parameters under their own names.
    """

    name: str = ""

    def check(self) -> None:
        """Refuse parameters that the rule cannot have; a file is refused that holds such a rule."""

    def key(self, apart_from: Sequence[str] = ()) -> tuple[Any, ...]:
        """Hashable value of the rule: equal keys mean equal behaviour, apart from some parameters where asked."""
        params = self.get_params(deep=False)
        return (type(self), *(freeze(value) for name, value in params.items() if name not in apart_from))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        mine, theirs = vars(self), vars(other)
        same = len(mine) == len(theirs) and all(theirs.get(name, other) is value for name, value in mine.items())
        return same or self.key() == other.key()  # those made of the same values need not be looked into

    def __hash__(self) -> int:
        return hash(self.key())


def parameters_of(rule: type[Parametrized]) -> list[str]:
    """Return the names of a rule's parameters; read once, since every prediction compares rules."""
    if rule not in NAMES_READ:
        plain = rule.__init__ is object.__init__
        NAMES_READ[rule] = [] if plain else [p for p in inspect.signature(rule.__init__).parameters if p != "self"]
    return NAMES_READ[rule]


NAMES_READ: dict[type[Parametrized], list[str]] = {}
"""The names read so far."""


PLAIN = frozenset((str, int, float, bool))
"""Types whose values are what they look like: most are, and every prediction compares them."""


def freeze(value: Any) -> Any:  # noqa: PLR0911  # one line per kind of value
    """Turn a parameter value into something hashable, by content."""
    if value is None or type(value) in PLAIN:
        return value
    if isinstance(value, Rule):
        return value.key()
    if isinstance(value, Mapping):
        return ("mapping", *sorted(((repr(k), freeze(v)) for k, v in value.items()), key=lambda item: item[0]))
    if hasattr(value, "tolist"):
        return freeze(value.tolist())
    if isinstance(value, (list, tuple)):
        return tuple(freeze(v) for v in value)
    if isinstance(value, (set, frozenset)):
        return ("set", *sorted(map(repr, value)))
    return value


def are_alike(one: Any, other: Any) -> bool:
    """Whether two values of a parameter say the same: 1 and 1.0 are equal, and of documents are one and all."""
    return freeze(one) == freeze(other) and isinstance(one, int) == isinstance(other, int)


R = TypeVar("R", bound=Rule)

ALIASES = {"gaussian": "normal"}
"""Other names that people know rules by."""


def resolve(value: Any, registry: Iterable[type[R]], what: str, base: type[R]) -> R:
    """Return the rule that a name, a class or an object stands for.

    Parameters
    ----------
    value : str or Rule
        What the user gave.
    registry : classes with a `name`
        The rules that may be named.
    what : str
        The parameter's name, for the error message.
    base : type
        What an object given must be an instance of.
    """
    names = {rule.name: rule for rule in registry if rule.name}
    if isinstance(value, str):
        named = ALIASES.get(value, value)
        if named in names:
            return names[named]()
        raise ValueError(not_known(what, value, [*names], [alias for alias, name in ALIASES.items() if name in names]))
    if isinstance(value, base):
        return value
    raise TypeError(f"{what} takes a name ({', '.join(map(repr, names))}) or an object, not {value!r}")

"""Frozen values: dataclasses whose `__init__` is compiled when the first of them is made, or when it is looked at.

A dataclass compiles all its methods while its module is imported, half a millisecond in all, and most of our classes
are never made in one run of the command. Otherwise they are dataclasses: `fields`, `replace`, patterns, and classes
derived from them by either decorator.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from types import MethodType
from typing import Any, TypeVar, dataclass_transform, overload

C = TypeVar("C", bound=type[Any])


@overload
def frozen(cls: C) -> C: ...
@overload
def frozen(*, eq: bool = False, kw_only: bool = False) -> Callable[[C], C]: ...
@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, *, eq: bool = False, kw_only: bool = False) -> Any:
    """Make a class one of frozen values; `eq`: two of equal fields are equal.

    Examples
    --------
    >>> @frozen(eq=True)
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0)
    (Point(x=1, y=0), True)
    >>> Point(1).x = 2
    Traceback (most recent call last):
    ...
    dataclasses.FrozenInstanceError: cannot assign to field 'x'
    """
    if cls is None:
        return lambda other: _made(other, eq, kw_only)
    return _made(cls, eq, kw_only)


def _made(cls: Any, eq: bool, kw_only: bool) -> Any:
    written = set(vars(cls))
    if vars(cls).get("__hash__", True) is None:  # what Python gives a class that says itself when two are equal
        written.discard("__hash__")
    _NOW.deriving = True
    try:
        cls = dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
    finally:
        _NOW.deriving = False
    cls.__dataclass_params__ = _Parameters(eq)
    cls.__setattr__, cls.__delattr__ = _refusing(cls, "__setattr__"), _refusing(cls, "__delattr__")
    methods = {"__init__": _First(cls), "__repr__": _shown}
    methods |= _comparing([f.name for f in fields(cls) if f.compare]) if eq else {}
    for name, method in methods.items():
        if name not in written:
            setattr(cls, name, method)
    return cls


_NOW = threading.local()


class _Parameters:
    """How a class was made, as `dataclass` asks its bases: frozen, but not while `frozen` itself is asking.

    What `dataclass` compiles so that a class refuses changes would take as long as all the rest.
    """

    init = repr = match_args = True
    order = unsafe_hash = slots = weakref_slot = kw_only = False

    def __init__(self, eq: bool) -> None:
        self.eq = eq

    @property
    def frozen(self) -> bool:
        return not getattr(_NOW, "deriving", False)


def _refusing(cls: Any, change: str) -> Callable[..., None]:
    """Return what refuses to change a field; other attributes of classes derived are their own."""
    do = {"__setattr__": "assign to", "__delattr__": "delete"}[change]

    def refuse(self: Any, name: str, *value: Any) -> None:
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise FrozenInstanceError(f"cannot {do} field {name!r}")
        getattr(super(cls, self), change)(name, *value)

    return refuse


class _First:
    """An `__init__` that the compiled one takes the place of."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls

    def __get__(self, made: Any, kind: Any = None) -> Any:
        return self if made is None else MethodType(self, made)

    def __call__(self, made: Any, *args: Any, **kwargs: Any) -> None:
        self.compiled()(made, *args, **kwargs)

    def compiled(self) -> Any:
        self.cls.__init__ = init = _compiled(self.cls)
        return init

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.compiled())


class _Factory:
    def __repr__(self) -> str:
        return "<factory>"


FACTORY = _Factory()


def _compiled(cls: Any) -> Any:
    """Return the `__init__` of a class: its fields as parameters, those by keyword alone behind the others."""
    made = [f for f in fields(cls) if f.init]
    ahead, behind = ([f for f in made if bool(f.kw_only) is keyword] for keyword in (False, True))
    parameters = ["self", *map(_parameter, ahead), *["*"][: len(behind)], *map(_parameter, behind)]
    lines = [f" put(self, {f.name!r}, {_value(f)})" for f in fields(cls) if f.init or not _is_needed(f)]
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    found: dict[str, Any] = {"put": object.__setattr__, "FACTORY": FACTORY}
    found |= {f"default_{f.name}": f.default for f in fields(cls)}
    found |= {f"make_{f.name}": f.default_factory for f in fields(cls)}
    exec(f"def __init__({', '.join(parameters)}):\n" + ("\n".join(lines) or " pass"), found)
    init = found["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    init.__annotations__ = {f.name: f.type for f in made} | {"return": None}
    return init


def _is_needed(f: Field[Any]) -> bool:
    """Whether a field has no default."""
    return f.default is MISSING and f.default_factory is MISSING


def _parameter(f: Field[Any]) -> str:
    if _is_needed(f):
        return f.name
    return f"{f.name}={'FACTORY' if f.default is MISSING else 'default_' + f.name}"


def _value(f: Field[Any]) -> str:
    """Return what a field is set to, as it is written in `__init__`."""
    if f.default_factory is MISSING:
        return f.name if f.init else f"default_{f.name}"
    return f"make_{f.name}() if {f.name} is FACTORY else {f.name}" if f.init else f"make_{f.name}()"


@recursive_repr()
def _shown(self: Any) -> str:
    told = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{type(self).__qualname__}({told})"


def _comparing(names: list[str]) -> dict[str, Callable[..., Any]]:
    """Return equality and hash of the fields named."""

    def few(value: Any) -> tuple[Any, ...]:
        return tuple(getattr(value, name) for name in names)

    get: Callable[[Any], Any] = attrgetter(*names) if len(names) > 1 else few

    def equal(self: Any, other: object) -> Any:
        return get(self) == get(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(get(self))

    return {"__eq__": equal, "__hash__": hashed}

"""Addresses: how a file names a class, and which class of this process is meant.

(a) A class of the library goes by its public address, the package and the name, such as "candide.smoothing.Laplace":
    a file of its package may be cut in two or renamed, and model files still find the class.
(b) Any other class goes by its module and name. It must be defined already: nothing that a file names is imported.
(c) A class never takes the place of another. What pretends to be of the library is none of it, and where two classes
    have one address, the one that Python finds under it is meant; where it finds neither, none is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")

LIBRARY = "candide"

PUBLIC_PACKAGES = {"candide.estimator": "candide"}
"""Packages whose classes are public elsewhere."""

FORMER: dict[str, str] = {}
"""Addresses of earlier releases, and what is found there now."""


def derived(base: type[T]) -> Iterator[type[T]]:
    """Yield the classes derived from a base, at any remove, each once."""
    seen: set[type[T]] = set()
    todo = [base]
    while todo:  # ends: every class is put there once
        for cls in todo.pop().__subclasses__():
            if cls not in seen:
                seen.add(cls)
                todo.append(cls)
                yield cls


def is_found(cls: type) -> bool:
    """Tell whether a class is what Python finds under its module and name."""
    found: object = sys.modules.get(cls.__module__)
    for name in cls.__qualname__.split("."):
        found = getattr(found, "__dict__", {}).get(name)
    return found is cls


def is_own(cls: type) -> bool:
    """Tell whether a class is one of the library's."""
    return cls.__module__.split(".")[0] == LIBRARY and is_found(cls)


def address(cls: type) -> str:
    """Return the address of a class.

    Examples
    --------
    >>> from candide.smoothing import Laplace
    >>> Laplace.__module__, address(Laplace)
    ('candide.smoothing.constant', 'candide.smoothing.Laplace')
    """
    if not is_own(cls):
        return f"{cls.__module__}.{cls.__qualname__}"
    package = ".".join(cls.__module__.split(".")[:2])
    return f"{PUBLIC_PACKAGES.get(package, package)}.{cls.__qualname__}"


class AddressBook(Generic[T]):
    """The classes that files may name: the library's own of a list, and those of others that are defined now.

    Parameters
    ----------
    base : type
        What the classes of others are derived from.
    own : iterable of type
        The library's.
    what : str
        What they are, for a message: "rule", "estimator".
    """

    def __init__(self, base: type[T], own: Iterable[type[T]], what: str) -> None:
        self.what = what
        self.own = {address(cls): cls for cls in own}
        self.others: dict[str, list[type[T]]] = {}
        for cls in derived(base):
            if not is_own(cls):
                self.others.setdefault(address(cls), []).append(cls)

    def named(self, name: str) -> type[T]:
        """Return the class of an address, or a ValueError that says what to do."""
        name = FORMER.get(name, name)
        return self.own[name] if name in self.own else self._only(name, self.others.get(name, []))

    def bare(self, name: str) -> type[T]:
        """Return the class of a name without its module, as release 0.1 wrote it: the library's own come first."""
        for cls in self.own.values():
            if cls.__name__ == name:
                return cls
        return self._only(name, [c for classes in self.others.values() for c in classes if c.__name__ == name])

    def _only(self, name: str, classes: list[type[T]]) -> type[T]:
        if not classes:
            raise ValueError(
                f"names the {self.what} {name!r}, which is not defined here: import its module before loading"
            )
        found = [cls for cls in classes if is_found(cls)] if len(classes) > 1 else classes
        if len(found) != 1:
            raise ValueError(f"names the {self.what} {name!r}, and {len(classes)} classes are called so: rename one")
        return found[0]

    def address(self, cls: type) -> str:
        """Return the address that a class is found by, or a TypeError where it is not found by any."""
        name = address(cls)
        found = [self.own[name]] if name in self.own else self.others.get(name, [])
        if cls not in found or (len(found) > 1 and not is_found(cls)):
            raise TypeError(
                f"the {self.what} {cls.__qualname__} cannot be saved: no class is found by its address {name!r}, or "
                "another one is; define it at the top of a module, under a name of its own"
            )
        return name

"""Regular expressions that are compiled when they are first used.

Extraction knows hundreds of patterns, most of which stand behind a cheap look for a word without which they can't
match. A short-lived process (a hook, one command) compiles only those it comes to.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_Name = TypeVar("_Name", int, str)
_METHODS = ("finditer", "fullmatch", "match", "search", "sub")


class LazyPattern:
    """A regular expression with the methods of a compiled one; after the first use they are the compiled one's own.

    Attributes:
        pattern: the expression.
        flags: as `re.compile` takes them.
    """

    __slots__ = ("flags", "pattern", *_METHODS)
    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    sub: Callable[..., str]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        """Take an expression; it is compiled later, where `re.error` is raised if it is wrong."""
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> object:
        """Compile the expression: a method is asked for that is not there yet."""
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(self, name)


class Signs(Generic[_Name]):
    """What certain things are known by: letters without one of which a thing can't be in a text; cheap to seek."""

    def __init__(self, signs: Iterable[tuple[_Name, Iterable[str]]]) -> None:
        """Take the name of each thing and its signs, in lower case."""
        names: dict[str, list[_Name]] = {}
        for name, row in signs:
            for sign in row:
                names.setdefault(sign, []).append(name)
        self._all: list[tuple[str, list[_Name]]] = list(names.items())
        self._ascii: list[tuple[str, list[_Name]]] = [pair for pair in self._all if pair[0].isascii()]

    def seen_in(self, low: str) -> set[_Name]:
        """Return the names of the things that may be in a text, which is given in lower case."""
        pairs = self._ascii if low.isascii() else self._all
        return {name for sign, names in pairs if sign in low for name in names}

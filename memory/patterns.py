"""Regular expressions that are compiled when they are first used.

Extraction knows hundreds of patterns, most of which stand behind a cheap look for a word without which they can't
match. A short-lived process (a hook, one command) compiles only those it comes to.
"""

from __future__ import annotations

import re
from functools import lru_cache
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
    """What certain things are known by: letters without one of which a thing can't be in a text; cheap to seek.

    The signs of all tables are sought in one walk over a text: several tables are asked about each clause.
    """

    def __init__(self, signs: Iterable[tuple[_Name, Iterable[str]]]) -> None:
        """Take the name of each thing and its signs, in lower case."""
        self._names: dict[str, list[_Name]] = {}
        for name, row in signs:
            for sign in row:
                self._names.setdefault(sign, []).append(name)
                _sought(sign)

    def seen_in(self, low: str) -> set[_Name]:
        """Return the names of the things that may be in a text, which is given in lower case."""
        names = self._names
        return {name for sign in _signs_in(low) if sign in names for name in names[sign]}


_PLAIN: dict[str, str] = {}
"""The signs in ASCII of all tables, each with its longest word: only a word that holds it is worth a look."""
_FOREIGN: dict[str, list[str]] = {}
"""The others, by their first character."""
_RUN = re.compile(r"[!-~]+")
_NOTHING: frozenset[str] = frozenset()


def _sought(sign: str) -> None:
    """Let a sign be sought from now on."""
    if sign.isascii():
        _PLAIN[sign] = max(sign.split(), key=len)
    elif sign not in _FOREIGN.setdefault(sign[0], []):
        _FOREIGN[sign[0]].append(sign)
    _signs_of.cache_clear()
    _signs_in.cache_clear()


@lru_cache(maxsize=4096)
def _signs_of(word: str) -> frozenset[str]:
    """The signs whose longest word is within this one."""
    return frozenset([sign for sign, part in _PLAIN.items() if part in word])


@lru_cache(maxsize=16)
def _signs_in(low: str) -> list[str]:
    """The signs of all tables in a text; remembered until all tables have been asked."""
    plain = low.isascii()
    words = low.split() if plain else _RUN.findall(low)
    found = [sign for sign in _NOTHING.union(*map(_signs_of, words)) if sign in low]
    if not plain:
        for lead in _FOREIGN.keys() & low:
            found += [sign for sign in _FOREIGN[lead] if sign in low]
    return found

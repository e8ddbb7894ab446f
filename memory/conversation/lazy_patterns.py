"""Regular expressions that are compiled when they are first used.

Extraction knows hundreds of patterns, most of which stand behind a cheap look for a word without which they can't
match. A short-lived process (a hook, one command) compiles only those it comes to.
"""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_letters
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

_Name = TypeVar("_Name", bound="Hashable")
_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "sub")


class LazyPattern:
    """A regular expression with the methods of a compiled one; after the first use they are the compiled one's own.

    Attributes:
        pattern: the expression.
        flags: as `re.compile` takes them.
    """

    __slots__ = ("flags", "pattern", *_METHODS)
    findall: Callable[..., list[str]]
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


def holds(text: str, signs: Iterable[str]) -> bool:
    """Tell whether one of the signs stands in a text; this plain loop takes half the time of `any`."""
    for sign in signs:  # noqa: SIM110
        if sign in text:
            return True
    return False


_LETTERS = bytes(
    ord(chr(code).lower()) if chr(code) in ascii_letters else 32 for code in range(256)
)  # 32 is a blank


@lru_cache(maxsize=64)
def words_in(text: str) -> frozenset[str]:
    """The runs of ASCII letters, in lower case; remembered, because several tables ask about one clause."""
    return frozenset(text.encode("ascii", "replace").translate(_LETTERS).decode().split())


class Signs(Generic[_Name]):
    """What certain things are known by: letters without one of which a thing can't be in a text; cheap to seek.

    They are looked up before they are sought: signs beyond ASCII by their first such character, the others by whole
    words that their thing can't do without.
    """

    def __init__(self, things: Iterable[tuple[_Name, Iterable[str], str]]) -> None:
        """Take the name of each thing, its signs in lower case, and its words, parted by blanks.

        A thing that has signs in ASCII has words: without one of them it can't be in a text without other signs of it.
        """
        self._behind: dict[str, list[tuple[_Name, str]]] = {}
        leads: list[str] = []
        for name, signs, words in things:
            plain: list[tuple[_Name, str]] = []
            for sign in signs:
                lead = next((letter for letter in sign if not letter.isascii()), "")
                if lead:
                    for letter in {lead, lead.upper()}:
                        leads.append(letter)
                        self._behind.setdefault(letter, []).append((name, sign))
                else:
                    plain.append((name, sign))
            for word in words.split():
                told = any(sign in word for _, sign in plain)
                self._behind.setdefault(word, []).extend([(name, "")] if told else plain)
        self._keys = frozenset(self._behind)
        self._leads = LazyPattern(f"[{''.join(leads)}]" if leads else "(?!)")

    def seen_in(self, text: str) -> frozenset[_Name]:
        """Return the names of the things that may be in a text; in whatever case it is written."""
        keys = words_in(text) & self._keys
        if not text.isascii():
            keys = keys.union(self._leads.findall(text))
        if not keys:
            return frozenset()
        low = text.lower()
        return frozenset([name for key in keys for name, sign in self._behind[key] if sign in low])

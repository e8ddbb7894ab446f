"""Regular expressions that are compiled when they are first used.

Extraction knows hundreds of patterns, most of which stand behind a cheap look for a word without which they can't
match. A short-lived process (a hook, one command) compiles only those it comes to.
"""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_lowercase
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

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


_LETTERS = bytes(code if chr(code) in ascii_lowercase else 32 for code in range(256))  # 32 is a blank


@lru_cache(maxsize=64)
def words_in(text: str) -> tuple[str, frozenset[str]]:
    """A text in lower case, and its runs of ASCII letters; remembered, because several tables ask about one clause."""
    low = text.lower()
    return low, frozenset(low.encode("ascii", "replace").translate(_LETTERS).decode().split())


class Signs(Generic[_Name]):
    """What certain things are known by: letters without one of which a thing can't be in a text; cheap to seek.

    What may be there is looked up rather than sought: signs beyond ASCII by their first such character, the others by
    whole words where a thing has any it can't do without.
    """

    def __init__(
        self, signs: Iterable[tuple[_Name, Iterable[str]]], words: Mapping[_Name, str] | None = None
    ) -> None:
        """Take the name of each thing and its signs, in lower case.

        Args:
            signs: of each thing, the letters.
            words: of some things, words without one of which a thing that has a sign in ASCII can't be in a text;
                parted by blanks.
        """
        self._behind: dict[str, list[tuple[_Name, tuple[str, ...]]]] = {}
        sought: dict[str, list[_Name]] = {}
        leads: list[str] = []
        for name, row in signs:
            plain = tuple(sign for sign in row if sign.isascii())
            for sign in row:
                if not sign.isascii():
                    lead = next(letter for letter in sign if not letter.isascii())
                    leads.append(lead)
                    self._behind.setdefault(lead, []).append((name, (sign,)))
            if words is None or name not in words:
                for sign in plain:
                    sought.setdefault(sign, []).append(name)
                continue
            for word in words[name].split():
                told = any(sign in word for sign in plain)
                self._behind.setdefault(word, []).append((name, () if told else plain))
        self._sought = list(sought.items())
        self._leads = LazyPattern(f"[{''.join(leads)}]") if leads else None

    def seen_in(self, text: str) -> set[_Name]:
        """Return the names of the things that may be in a text; in whatever case it is written."""
        low, words = words_in(text)
        seen = {name for sign, names in self._sought if sign in low for name in names}
        behind = self._behind
        keys = behind.keys() & words
        if self._leads is not None and not low.isascii():
            keys.update(self._leads.findall(low))
        for key in keys:
            for name, signs in behind[key]:
                if not signs or any(map(low.__contains__, signs)):
                    seen.add(name)
        return seen

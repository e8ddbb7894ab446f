"""The tables of technologies, parsed: what is looked up, and by what a text is known to hold none of it.

0.4 MB, parsed at first use, in 4 ms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from memory.technology_names import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

WORD: Final = re.compile(r"[a-z]{2,}|[a-z][0-9a-z#+]*")
"""A run of letters in lower case, or a letter with its version or sign (c17, c++)."""

CERTAIN, WEAK, STRICT = 0, 1, 2
"""How certain it is that a name is one: always, with evidence, with strong evidence."""


@dataclass(frozen=True, slots=True)
class Names:
    """The tables, parsed.

    Attributes:
        singles: lower-case name -> (canonical, how certain, exact spelling that makes it certain or "").
        phrases: first word -> further words, joined by blanks -> canonical ("" where a longer name goes on).
        starts: every `WORD` that a name can begin with -> the second ones without one of which no name goes on
            from there; none where a name may end with the first.
        first: the words of `starts`.
        letters: what those of them begin with that are no words: letters, some with a version or sign.
        foreign: names in other scripts -> canonical, the longest first.
        any_foreign: finds one of them.
        kinds: canonical -> kind.
    """

    singles: dict[str, tuple[str, int, str]]
    phrases: dict[str, dict[str, str]]
    starts: dict[str, frozenset[str]]
    first: frozenset[str]
    letters: frozenset[str]
    foreign: dict[str, str]
    any_foreign: re.Pattern[str]
    kinds: dict[str, str]

    def begun(self, first: Iterable[str], words: Iterable[str]) -> set[str]:
        """Return those of some words of a text, all in `starts`, that a name can begin with in it."""
        starts = self.starts
        return {word for word in first if not (more := starts[word]) or not more.isdisjoint(words)}


@cache
def names_known() -> Names:
    """Parse the tables (once, 4 ms)."""
    singles: dict[str, tuple[str, int, str]] = {}
    phrases: dict[str, dict[str, str]] = {}
    foreign: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for kind, table in KINDS.items():
        for entry in re.split(r"[;\n]", table.strip()):
            head, _, rest = entry.strip().partition(" = ")
            canonical = head.lstrip("~!").lower()
            kinds.setdefault(canonical, kind)
            for alias in (head, *(a.strip() for a in rest.split(",") if a.strip())):
                name = alias.lstrip("~!")
                words = tuple(name.lower().replace("-", " ").split())
                if not name.isascii():
                    foreign[name] = canonical
                    continue
                if len(words) > 1:
                    options = phrases.setdefault(words[0], {})
                    for k in range(2, len(words)):
                        options.setdefault(" ".join(words[1:k]), "")
                    options[" ".join(words[1:])] = canonical
                if " " not in name:
                    certain = {"~": STRICT if alias.startswith("~~") else WEAK, "!": WEAK}
                    exact = name if alias.startswith("!") else ""
                    singles.setdefault(name.lower(), (canonical, certain.get(alias[0], CERTAIN), exact))
    by_length = {name: foreign[name] for name in sorted(foreign, key=len, reverse=True)}
    any_foreign = re.compile("|".join(map(re.escape, by_length)))
    starts = _starts(singles, phrases)
    letters = frozenset(first[0] for first in starts if len(first) == 1 or not first.isalpha())
    return Names(singles, phrases, starts, frozenset(starts), letters, by_length, any_foreign, kinds)


def _starts(singles: Iterable[str], phrases: dict[str, dict[str, str]]) -> dict[str, frozenset[str]]:
    """What names can begin with, and what they must go on with: see `Names`."""
    found: dict[str, set[str]] = {}
    several = [f"{first} {more}" for first, options in phrases.items() for more in options if options[more]]
    for name in (*singles, *several):
        first, second = (*WORD.findall(name), "")[:2]
        found.setdefault(first, set()).add(second if second.isalpha() and len(second) > 1 else "")
    return {first: frozenset() if "" in seconds else frozenset(seconds) for first, seconds in found.items()}

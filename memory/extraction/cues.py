"""Finding cues in a clause: table look-ups word by word, no alternation of patterns."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from memory.extraction.cue_tables import CUES

_ROW = re.compile(r"^(\S+): (.+?);\s\+\s(.+?)\s-\s(.+?)$(?=\n\S|\s*\Z)", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d{1,6}|[.!?,;:]")
_STEM_KEY = 3
_FIRST_WIDE = "\u2e80"
"""Chinese and Japanese begin with this character or one behind it, no other language does."""


class Cue(NamedTuple):
    """One row of the table: a name, the phrases it goes by, and texts in which it must and must not be found."""

    name: str
    phrases: tuple[str, ...]
    hits: tuple[str, ...]
    misses: tuple[str, ...]


@cache
def all_cues() -> tuple[Cue, ...]:
    """Return the rows of the table."""
    rows = (map(" ".join, map(str.split, row.groups())) for row in _ROW.finditer(CUES))
    return tuple(
        Cue(name, *(tuple(map(str.strip, part.split(mark))) for part, mark in zip(parts, ";||", strict=True)))
        for name, *parts in rows
    )


class _Lookup(NamedTuple):
    """The cues by what they are looked up with."""

    exact: dict[str, list[str]]
    stems: dict[str, list[tuple[str, str]]]
    longest: dict[str, int]
    wide: dict[str, list[tuple[str, str]]]


@cache
def _lookup() -> _Lookup:
    table = _Lookup({}, {}, {}, {})
    for cue in all_cues():
        for phrase in cue.phrases:
            if phrase >= _FIRST_WIDE:
                table.wide.setdefault(phrase[0], []).append((phrase, cue.name))
            elif phrase.endswith("*"):
                table.stems.setdefault(phrase[:_STEM_KEY], []).append((phrase[:-1], cue.name))
            else:
                table.exact.setdefault(phrase, []).append(cue.name)
                first, *more = phrase.split()
                table.longest[first] = max(len(more), table.longest.get(first, 0))
    return table


def words_of(text: str) -> list[str]:
    """Return the words, small numbers and stops of a text, in lower case."""
    return _WORD.findall(text.lower().replace("’", "'"))


def find_cues(text: str, words: list[str] | None = None) -> dict[str, int]:
    """Return the cues in a text, each with the index of the first word it was found at; linear in the text.

    The index is -1 where a cue was found in Chinese or Japanese.
    """
    table = _lookup()
    words = words_of(text) if words is None else words
    found: dict[str, int] = {}
    for at, word in enumerate(words):
        for name in cues_of(word):
            found.setdefault(name, at)
        phrase = word
        for more in words[at + 1 : at + 1 + table.longest.get(word, 0)]:
            phrase = f"{phrase} {more}"
            for name in table.exact.get(phrase, ()):
                found.setdefault(name, at)
    for lead in table.wide.keys() & text:
        for phrase, name in table.wide[lead]:
            if phrase in text:
                found.setdefault(name, -1)
    return found


@lru_cache(maxsize=4096)
def cues_of(word: str) -> tuple[str, ...]:
    """Return the cues that a word stands for as it is, and by its stem."""
    table = _lookup()
    stems = table.stems.get(word[:_STEM_KEY], ())
    return (*table.exact.get(word, ()), *(name for stem, name in stems if word.startswith(stem)))

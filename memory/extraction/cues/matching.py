"""Finding cues in a clause: table look-ups word by word, no alternation of patterns."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from memory.extraction.cues.reports import REPORTS
from memory.extraction.cues.requests import REQUESTS
from memory.extraction.cues.rules import RULES

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d{1,6}|[.!?,;:]")
_STEM_KEY = 3
"""Letters of a word by which its stems are looked up."""
_FIRST_CJK = "\u2e80"
"""No cue of other languages begins with this character or one behind it."""


class _Tables(NamedTuple):
    """The cues by what they are looked up with.

    Attributes:
        exact: whole words and phrases.
        stems: by their first letters: stems with their cues.
        longest: for each first word of a phrase, how many words the longest such phrase has.
        han: by their first character: Chinese and Japanese phrases with their cues.
    """

    exact: dict[str, tuple[str, ...]]
    stems: dict[str, tuple[tuple[str, str], ...]]
    longest: dict[str, int]
    han: dict[str, tuple[tuple[str, str], ...]]


@cache
def _tables() -> _Tables:
    tables = _Tables({}, {}, {}, {})
    for cue in (*RULES, *REQUESTS, *REPORTS):
        for phrase in filter(None, (p.strip() for p in cue.words.split(";"))):
            key = phrase.replace("’", "'")
            if phrase.endswith("*") and " " not in phrase:
                lead = key[:_STEM_KEY]
                tables.stems[lead] = (*tables.stems.get(lead, ()), (key[:-1], cue.name))
                continue
            tables.exact[key] = (*tables.exact.get(key, ()), cue.name)
            words = key.split()
            if len(words) > 1:
                tables.longest[words[0]] = max(len(words), tables.longest.get(words[0], 0))
        for phrase in cue.han.split():
            tables.han[phrase[0]] = (*tables.han.get(phrase[0], ()), (phrase, cue.name))
    return tables


@cache
def cue_names() -> dict[str, tuple[str, str]]:
    """For each cue the evidence that it is, and that it is where a clause begins with it."""
    return {cue.name: ("cue:" + cue.name, "lead:" + cue.name) for cue in (*RULES, *REQUESTS, *REPORTS)}


def cue_words() -> dict[str, tuple[str, ...]]:
    """The whole words and phrases of the tables with the cues they stand for."""
    return _tables().exact


def words_of(text: str) -> list[str]:
    """The words, small numbers and stops of a text, in lower case."""
    return _WORD.findall(text.lower().replace("’", "'"))


def find_cues(text: str, words: list[str] | None = None) -> dict[str, int]:
    """Return the cues in a text, each with the index of the first word it was found at.

    The index is -1 where a cue was found in Chinese or Japanese.

    Cost: a few look-ups a word; linear in the text.
    """
    exact, _, longest, han = _tables()
    words = words_of(text) if words is None else words
    found: dict[str, int] = {}
    for at, word in enumerate(words):
        if word >= _FIRST_CJK:
            continue
        for name in _cues_of(word):
            found.setdefault(name, at)
        phrase = word
        for more in words[at + 1 : at + longest.get(word, 1)]:
            phrase = f"{phrase} {more}"
            for name in exact.get(phrase, ()):
                found.setdefault(name, at)
    if not text.isascii():
        for lead in han.keys() & text:
            for phrase, name in han[lead]:
                if phrase in text:
                    found.setdefault(name, -1)
    return found


@lru_cache(maxsize=4096)
def _cues_of(word: str) -> tuple[str, ...]:
    """The cues that a word stands for as it is, and by its stem."""
    exact, stems, *_ = _tables()
    return (
        *exact.get(word, ()),
        *(name for stem, name in stems.get(word[:_STEM_KEY], ()) if word.startswith(stem)),
    )

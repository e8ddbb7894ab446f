"""Finding cues in a clause: table look-ups word by word, no alternation of patterns."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from memory.cues.reports import REPORTS
from memory.cues.requests import REQUESTS
from memory.cues.rules import RULES

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d{1,6}|[.!?,;:]")
_STEM_KEY = 3
"""Letters of a word by which its stems are looked up."""


class _Tables(NamedTuple):
    """The cues by what they are looked up with.

    Attributes:
        exact: whole words and phrases.
        longest: for each first word of a phrase, how many words the longest such phrase has.
        stems: by their first letters: stems with their cues.
        han: by their first character: Chinese and Japanese phrases with their cues.
    """

    exact: dict[str, tuple[str, ...]]
    longest: dict[str, int]
    stems: dict[str, tuple[tuple[str, str], ...]]
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
            if len(words) > tables.longest.get(words[0], 1):
                tables.longest[words[0]] = len(words)
        for phrase in cue.han.split():
            tables.han[phrase[0]] = (*tables.han.get(phrase[0], ()), (phrase, cue.name))
    return tables


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
    if words is None:
        words = words_of(text)
    found: dict[str, int] = {}
    for at, known in enumerate(map(_known, words)):
        if known is None:
            continue
        names, reach = known
        for name in names:
            if name not in found:
                found[name] = at
        if reach > 1:
            exact = _tables().exact
            phrase = words[at]
            for more in words[at + 1 : at + reach]:
                phrase = f"{phrase} {more}"
                for name in exact.get(phrase, ()):
                    found.setdefault(name, at)
    if not text.isascii():
        han = _tables().han
        for at, sign in enumerate(text):
            if sign in han:
                for phrase, name in han[sign]:
                    if name not in found and text.startswith(phrase, at):
                        found[name] = -1
    return found


class _Known(NamedTuple):
    """What the tables know of a word: the cues it stands for alone, and the words of phrases it begins, itself too."""

    names: tuple[str, ...]
    reach: int


@lru_cache(maxsize=4096)
def _known(word: str) -> _Known | None:
    """Look a word up: as it is, by its stem, and as the first of a phrase; None for most words."""
    exact, longest, stems, _ = _tables()
    by_stem = (name for stem, name in stems.get(word[:_STEM_KEY], ()) if word.startswith(stem))
    names = (*exact.get(word, ()), *by_stem)
    reach = longest.get(word, 1)
    return _Known(names, reach) if names or reach > 1 else None

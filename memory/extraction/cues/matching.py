"""Finding cues in a clause: table look-ups word by word, no alternation of patterns."""

from __future__ import annotations

import re
from functools import cache
from string import ascii_letters, ascii_lowercase, digits
from typing import NamedTuple

from memory.conversation import holds
from memory.extraction.cues.reports import REPORTS
from memory.extraction.cues.requests import REQUESTS
from memory.extraction.cues.rules import RULES

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+(?:['-][^\W\d_]+)*|)|\d{1,6}|[.!?,;:]")
_ASCII_WORD = re.compile(r"[a-z]+(?:['-][a-z]+(?:['-][a-z]+)*|)|[0-9]{1,6}|[.!?,;:]")
"""The same for lower-case text in ASCII, found in two thirds of the time."""
_STOPS = {stop: f" {stop} " for stop in ".,?!:;"}
_WORD_SIGNS = frozenset((*digits, *_STOPS, "'", "-"))
_AS_WORDS = bytes(
    ord(char.lower() if char in ascii_letters or char in _WORD_SIGNS else " ")
    for char in map(chr, range(256))
)
"""What makes of a text in ASCII one in lower case that holds only what words, numbers and stops are made of."""
_LETTERS_AND_STOPS = f" {ascii_lowercase}{''.join(_STOPS)}".encode()
"""A text of these alone needs no pattern."""
_STEM_KEY = 3
"""Letters of a word by which its stems are looked up."""
_FIRST_CJK = "\u2e80"
"""No cue of other languages begins with this character or one behind it."""
_CJK = re.compile(f"[{_FIRST_CJK}-\U0010ffff]")


class _Tables(NamedTuple):
    """The cues by what they are looked up with.

    Attributes:
        exact: whole words and phrases.
        stems: by their first letters: stems with their cues.
        second: for each first word of a phrase, the words that come next.
        longest: for each first word of a phrase, how many words the longest such phrase has.
        han: by their first character: Chinese and Japanese phrases with their cues.
        latin: those of them that are written in other letters.
    """

    exact: dict[str, tuple[str, ...]]
    stems: dict[str, tuple[tuple[str, str], ...]]
    second: dict[str, set[str]]
    longest: dict[str, int]
    han: dict[str, tuple[tuple[str, str], ...]]
    latin: list[str]


@cache
def _tables() -> _Tables:
    tables = _Tables({}, {}, {}, {}, {}, [])
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
                tables.second.setdefault(words[0], set()).add(words[1])
                tables.longest[words[0]] = max(len(words), tables.longest.get(words[0], 0))
        for phrase in cue.han.split():
            tables.han[phrase[0]] = (*tables.han.get(phrase[0], ()), (phrase, cue.name))
            if not _CJK.search(phrase):
                tables.latin.append(phrase)
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
    plain = False
    if text.isascii():
        letters = text.encode().translate(_AS_WORDS)
        plain = not letters.translate(None, _LETTERS_AND_STOPS)
        low, word = letters.decode(), _ASCII_WORD
    else:
        low, word = text.lower().replace("’", "'"), _WORD
    for stop, apart in _STOPS.items():
        if stop in low:
            low = low.replace(stop, apart)
    pieces = low.split()
    if plain:
        return pieces
    words: list[str] = []
    for piece in pieces:
        if piece.isalpha() or piece in _STOPS:
            words.append(piece)
        else:
            words += word.findall(piece)
    return words


def find_cues(text: str, words: list[str] | None = None) -> dict[str, int]:
    """Return the cues in a text, each with the index of the first word it was found at.

    The index is -1 where a cue was found in Chinese or Japanese.

    Cost: a few look-ups a word; linear in the text.
    """
    if words is None:
        words = words_of(text)
    found: dict[str, int] = {}
    plain = text.isascii() or not (_CJK.search(text) or holds(text, _tables().latin))
    if not plain:
        words = [word if word[0] < _FIRST_CJK else "" for word in words]
    last = len(words) - 1
    for at, known in enumerate(map(_KNOWN.__getitem__, words)):
        if known is None:
            continue
        names, second, reach = known
        for name in names:
            if name not in found:
                found[name] = at
        if second and at < last and words[at + 1] in second:
            exact = _tables().exact
            phrase = words[at]
            for more in words[at + 1 : at + reach]:
                phrase = f"{phrase} {more}"
                for name in exact.get(phrase, ()):
                    found.setdefault(name, at)
    if not plain:
        han = _tables().han
        for lead in han.keys() & text:
            for phrase, name in han[lead]:
                if phrase in text and name not in found:
                    found[name] = -1
    return found


_Known = tuple[tuple[str, ...], set[str], int]
"""What the tables know of a word: the cues it stands for alone, the words that come next in a phrase it begins, and
how many words the longest such phrase has. A plain tuple is taken apart three times faster than one with names."""


class _Words(dict[str, _Known | None]):
    """What the tables know of the words that were asked for lately: faster for these than a cached function."""

    def __missing__(self, word: str) -> _Known | None:
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = known = _known(word)
        return known


_KNOWN = _Words()
_MOST_WORDS = 4096


def _known(word: str) -> _Known | None:
    """Look a word up: as it is, by its stem, and as the first of a phrase; None for most words."""
    exact, stems, second, longest, *_ = _tables()
    names = exact.get(word, ())
    lead = word[:_STEM_KEY]
    if lead in stems:
        names = (*names, *(name for stem, name in stems[lead] if word.startswith(stem)))
    if not names and word not in second:
        return None
    return names, second.get(word, set()), longest.get(word, 1)

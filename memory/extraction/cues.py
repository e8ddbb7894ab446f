"""Finding cues in a clause: table look-ups word by word, no alternation of patterns."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from memory.conversation import LazyPattern
from memory.extraction.cue_tables import CUES

_ROW = re.compile(r"^(\S+): (.+?);\s\+\s(.+?)\s-\s(.+?)$(?=\n\S|\s*\Z)", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d{1,6}|[.!?,;:]")
_INSISTS = re.compile(
    r"(?<=[es]) NOT (?=(?:an?|the|for|meant|about|need|use|want|require|include|have to|depend|accept)\b)"
)
_STEM_KEY = 3
_FIRST_WIDE = "\u2e80"
"""Chinese and Japanese begin with this character or one behind it, no other language does."""
_OTHER_SENSE = LazyPattern(
    r"[特区區级級判识識差告鉴鑑辨派各国國][别別]|(?<!部)分[别別]|(?<![这那這])[类類][别別]|性[别別](?![忘管动動改用再让讓把去搞乱加做写])"
    r"|(?<![这那這哪几每两一])[个個][别別]|[别別](?:[的人处處名墅扭致称說说]|(?=[一-龠]{0,4}[ぁ-ヿ々]))|[舍恨怪巴顾算笑]不得"
    r"|不得(?:不|已|了|而知)|不可(?:或缺|思议|避免|分割)|必不可少|不能不|不[仅僅]|[仅僅]供|只(?:要|好|是|不过|怕|见)|[首成古京]都"
    r"|都(?:市|道府)|所有[者权權]|勿論|[无無](?:论|論|数|數|线|線|疑|比|关|關|聊|缝)|未(?:来|來|必|免)|[没沒](?:想到|关系|關係|事)"
    r"|(?<![入到存])[记記][忆憶]"
)
"""Words that hold a Chinese cue and say something else: 特别 (especially), 类别 (category), 別 (other) in Japanese."""


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
    """Return the words, small numbers and stops of a text, in lower case; "is NOT" insists and tells of no fault."""
    return _WORD.findall(_INSISTS.sub(" , not ", text).lower().replace("’", "'"))


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
    text = told_apart(text)
    for lead in table.wide.keys() & text:
        for phrase, name in table.wide[lead]:
            if phrase in text:
                found.setdefault(name, -1)
    return found


def told_apart(text: str) -> str:
    """Return a text without the Chinese and Japanese words that only look like cues, at the same length."""
    return _OTHER_SENSE.sub(lambda word: "○" * len(word[0]), text)


@lru_cache(maxsize=4096)
def cues_of(word: str) -> tuple[str, ...]:
    """Return the cues that a word stands for as it is, and by its stem."""
    table = _lookup()
    stems = table.stems.get(word[:_STEM_KEY], ())
    return (*table.exact.get(word, ()), *(name for stem, name in stems if word.startswith(stem)))

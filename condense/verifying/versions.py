"""Versions that a text names (Python 3.9, Node 20, v2.1, 版本 2.1), and whether a conversation bears them out.

Of few digits a number is anywhere by chance, so it is a version only where a word says so: the name of a technology
before it, "version", or a "v". Numbers of three parts are names of their own (`condense.reading.text.identifiers`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memory.extraction import technology_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNTED = r"(?! (?!is\b|was\b|has\b|as\b|this\b)[a-z]{2,20}s\b|\s?[个次行条项张台份種种倍分秒])"
"""After a whole number: what is counted ("Redis 5 times"), or a verb as it might be."""
_END = r"(?![\w%…]|\.\d|-\w| ?…)"
_AFTER_NAME = re.compile(
    rf"(?: ?(?:version )?[v^~]?|@[v^~]?| ?[=><~]=? ?|-)(?P<number>\d{{1,3}}(?:\.\d{{1,4}}|{_COUNTED})){_END}",
    re.ASCII | re.IGNORECASE,
)
_GLUED = re.compile(r"(?P<word>[A-Za-z]{2,20})-?(?P<number>\d{1,3}\.\d{1,4})\Z", re.ASCII)
_BY_WORD = re.compile(
    r"(?:(?<![\w./-])(?:versions?|release) v?|版本号?\s?[:：]?\s?v?|(?<![\w./@-])v)"
    rf"(?P<number>\d{{1,3}}(?:\.\d{{1,4}})?){_END}",
    re.ASCII | re.IGNORECASE,
)
_BESIDE = r"\W{0,8}(?:version\W{0,4})?v?"
"""What may stand between a name and its version in a source: blanks, quotes, colons, comparisons."""


class Version(NamedTuple):
    """A version as written, the name of the technology ("" where only "version" or "v" says it is one), its number."""

    text: str
    word: str
    number: str


def versions_in(line: str) -> Iterator[Version]:
    """Yield the versions of one or two parts that a line names; linear."""
    taken: set[int] = set()
    for mention in technology_mentions(line) if any(map(str.isdigit, line)) else ():
        named = line[mention.start : mention.end]
        if glued := _GLUED.match(named):
            yield Version(named, glued["word"], glued["number"])
        elif found := _AFTER_NAME.match(line, mention.end):
            taken.add(found.start("number"))
            yield Version(line[mention.start : found.end()], named, found["number"])
    for found in _BY_WORD.finditer(line):
        if found.start("number") not in taken:
            yield Version(found[0], "", found["number"])


def is_borne_out(version: Version, text: str) -> bool:
    """Tell whether a lower-case text has a version, beside its name or where the number says enough by itself."""
    whole, _, part = version.number.partition(".")
    number = (
        rf"(?<![\d.]){re.escape(version.number)}(?!\d)|[a-z]{{2}}-?{whole}{part}(?!\d)"  # also py39, net48
    )
    if part and re.search(number, text):
        return True
    before = _named(version.word) + _BESIDE if version.word else r"(?<![\w.])"
    pattern = rf"(?<![a-z])v{whole}(?!\d)|(?<![\d.]){whole}\.(?:\d|x)|{before}{whole}(?!\d)"
    return not part.strip("0") and re.search(pattern, text) is not None


def is_contradicted(version: Version, text: str) -> bool:
    """Tell whether a lower-case text gives another version of the same thing right behind its name."""
    other = rf"{_named(version.word)}{_BESIDE}\d{{1,3}}(?:\.\d|(?![\w.]))"
    return bool(version.word) and re.search(other, text) is not None


def _named(word: str) -> str:
    """A pattern for a name in a lower-case text, or by its beginning: postgres and PostgreSQL, node and Node.js."""
    begin = re.match(r"\w{1,6}", word.lower())
    like = rf"|{begin[0]}\w{{0,9}}(?:\.?js)?" if begin else ""
    return rf"(?<!\w)(?:{re.escape(word.lower())}{like})"

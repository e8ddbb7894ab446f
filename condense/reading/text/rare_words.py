"""Lines about the rare words of a text."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MOST_WORDS = 60
"""Different words up to which a request says what it is about; a longer one says it of everything (30 is alike)."""
LONGEST_SAID = 3000
"""Characters of each text that are looked at; chosen."""
SHORTEST_WORD = 4
"""Letters of the shortest word; chosen."""
_WORD = re.compile(r"[A-Za-z]{4,40}")
_COMMON = frozenset(
    """
    about able added adding after also because been before being both build call change changed
    changes check code could create created creating does doing done each else even every file files
    find first from give have help here into just keep know last like line lines look made make
    making more most much must need needs next only other over please same should show some still
    such sure take than that their them then there these they thing things this those tool under
    update updated used using very want well were what when where which while will with without work
    working would your
    """.split()
)
"""Words that stand in requests whatever they are about (chosen)."""


def lines_about(lines: Sequence[str], said: str, most: int) -> Collection[str]:
    """Return the lines of an output with a word of what was said that at most so many of them have; linear, as above.

    Args:
        lines: of the output.
        said: what was asked, and what the assistant said of it.
        most: lines that may have a word.
    """
    words = _words_of(said)
    if not 0 < len(words) <= MOST_WORDS:
        return ()
    return frozenset(lines[at] for at in _found(lines, words, most))


def _found(lines: Sequence[str], words: Collection[str], most: int) -> set[int]:
    """The numbers of the lines with one of some words that at most so many have."""
    text = "\n".join((*lines, ""))
    low = text.lower()
    if len(low) != len(text):
        low = "".join(lower if len(lower := c.lower()) == 1 else c for c in text)
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    found: set[int] = set()
    for word in words:
        found |= _places(word, text, low, starts, most)
    return found


def _words_of(text: str) -> Collection[str]:
    """The words of a text that say what it is about, without the ending of a plural."""
    return sorted({_stem(word.lower()) for word in _WORD.findall(text)} - _COMMON)


def _stem(word: str) -> str:
    return word[:-1] if word[-1] == "s" and len(word) > SHORTEST_WORD and word not in _COMMON else word


def _places(word: str, text: str, low: str, starts: Sequence[int], most: int) -> set[int]:
    """The numbers of the lines that a word stands in; none where these are too many."""
    found: set[int] = set()
    at = low.find(word)
    while at >= 0:
        end = at + len(word)
        line = bisect_right(starts, at) - 1
        begins = not low[at - 1 : at].isalpha() or (text[at].isupper() and not text[at - 1].isupper())
        if begins and (_ends(text, end) or (low[end] == "s" and _ends(text, end + 1))):
            found.add(line)
            if len(found) > most:
                return set()
            end = starts[line + 1] - 1
        at = low.find(word, end)
    return found


def _ends(text: str, at: int) -> bool:
    """Say whether a word can end before a place: no letter stands there, or a large one after a small one."""
    return not text[at].isalpha() or (text[at].isupper() and not text[at - 1].isupper())

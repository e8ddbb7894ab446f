"""Lines about the rare words of what was said."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MOST_WORDS = 60
"""Different words up to which a request says what it is about; a longer one says it of everything."""
LONGEST_SAID = 3000
"""Characters of each text that are looked at; chosen."""
_WORD = re.compile(r"[A-Z][a-z]{3,40}|[a-z]{4,40}|[A-Z]{4,40}(?![a-z])")
_COMMON = frozenset(
    """
    about able add added adding after also because been before being both build call change check code could create
    created creating does doing done each else even every file find first from give have help here into just keep know
    last like line look made make making more most much must need next only other over please same should show some
    still such sure take than that their them then there these they thing this those tool under update updated used
    using very want well were what when where which while will with without work working would your
    """.split()
)
"""Words that stand in requests whatever they are about (chosen)."""


def lines_about(lines: Sequence[str], said: str, most: int) -> Collection[str]:
    """Return the lines of an output with a word of what was said that at most so many of them have; linear.

    Args:
        lines: of the output.
        said: what was asked, and what the assistant said of it.
        most: lines that may have a word.
    """
    words = _words_of(said)
    if len(words) > MOST_WORDS:
        return ()
    found: defaultdict[str, list[str]] = defaultdict(list)
    for line in lines:
        for word in words & _words_of(line):
            found[word].append(line)
    return frozenset(line for own in found.values() if len(own) <= most for line in own)


def _words_of(text: str) -> set[str]:
    """The words of a text that say what it is about, those within names too, without the ending of a plural."""
    words = {word.lower() for word in _WORD.findall(text)} - _COMMON
    return {word.removesuffix("s") for word in words} - _COMMON

"""`Cue`: one kind of evidence in the words of a clause, and the words it goes by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cue:
    """One row of the cue tables.

    Attributes:
        name: what the words are evidence of: "never", "want", ...; rows of the same name add up.
        words: phrases of languages that put blanks between words, lower case, separated by ";". A phrase matches
            whole words; "word*" matches every word that begins so (the last word of a phrase only).
        han: phrases of Chinese and Japanese, separated by blanks; they match anywhere.
        hits: examples in which the cue must be found.
        misses: examples in which it must not.
    """

    name: str
    words: str = ""
    han: str = ""
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()

"""Facts: what of a conversation a summary must not lose.

Not every number and name counts, only those that mattered: what the user named, files that were changed, what calls
were made with, what came up again and again, errors that were not seen to go away; above all the rules the user gave
and the latest request. `salience` finds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FactKind(StrEnum):
    """What a fact is; in order of how much its loss hurts."""

    RULE = "rule"
    ASK = "ask"
    ERROR = "error"
    PATH = "path"
    IDENTIFIER = "identifier"
    URL = "url"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a summary should hold.

    Attributes:
        kind: what it is.
        text: verbatim.
        weight: how much it matters; comparable within one conversation only.
        critical: a summary without it is not acceptable.
        line: the line it stood in, "" where the text says enough by itself.
        messages: indexes of (the first twenty) messages that hold it.
        files: paths of files that hold it.
    """

    kind: FactKind
    text: str
    weight: float
    critical: bool = False
    line: str = ""
    messages: tuple[int, ...] = ()
    files: tuple[str, ...] = ()


MOST_OF_KIND = {
    FactKind.ERROR: 8,
    FactKind.PATH: 30,
    FactKind.IDENTIFIER: 30,
    FactKind.URL: 8,
    FactKind.NUMBER: 12,
}
"""Facts of a kind that are compared; rules and requests are never cut. Chosen: a list that can still be read."""

MOST_SOURCES = 20
"""Messages and files remembered of a fact (chosen: enough to find one that can still be had)."""

LONGEST_LINE = 200
"""Characters of a source line that go with a fact (chosen)."""


def line_end(text: str, at: int) -> int:
    """Return where the line that holds a position ends."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end

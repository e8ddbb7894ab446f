"""A text as it reads once what is encoded in it is decoded, with the way back to where each character stood.

A label may hide behind the escapes of a string in JSON (a backslash before each quote), the entities of markup, or a
character that nobody sees. Time is linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

MOST_LEVELS: Final = 3
"""How often a string may stand in a string that is decoded (chosen)."""

_INVISIBLE: Final = "\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff"
_ENCODED: Final = re.compile(
    rf"\\(?:([\"'\\/nrtbf])|u([0-9a-fA-F]{{4}}))|&(quot|apos|amp|lt|gt|\#34|\#39|\#x22|\#x27);|[{_INVISIBLE}]"
)
_HIDES: Final = re.compile(rf"\\u[0-9a-fA-F]{{4}}|[{_INVISIBLE}]")
_MEANT: Final = {
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "b": "\b",
    "f": "\f",
    "quot": '"',
    "apos": "'",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "#34": '"',
    "#39": "'",
    "#x22": '"',
    "#x27": "'",
}


class Reading:
    """One decoding of a text.

    Attributes:
        text: it, decoded.
    """

    def __init__(self, encoded: str, before: Reading | None = None) -> None:
        """Decode a text, itself a reading of another one or none."""
        self._before = before
        self._places, self._origins = [0], [0]
        pieces: list[str] = []
        at = size = 0
        for m in _ENCODED.finditer(encoded):
            start, end = m.span()
            plain, code, entity = m.groups()
            meant = chr(int(code, 16)) if code else _MEANT.get(plain or entity, plain or "")
            pieces += (encoded[at:start], meant)
            size += start - at
            self._places += (size, size + len(meant))
            self._origins += (start, end)
            size += len(meant)
            at = end
        pieces.append(encoded[at:])
        self.text = "".join(pieces)

    def origin(self, place: int) -> int:
        """Return where a character of the reading, or its end, stood in the first text."""
        found = bisect_right(self._places, place) - 1
        before = self._origins[found] + place - self._places[found]
        return before if self._before is None else self._before.origin(before)


def hides_letters(text: str) -> bool:
    """Tell whether letters of a text may be encoded, or parted by what nobody sees."""
    return ("\\u" in text or not text.isascii()) and _HIDES.search(text) is not None


def decoded(text: str) -> Reading | None:
    """Return what a text reads as when all is decoded, also what is encoded several times; None where nothing is."""
    reading: Reading | None = None
    for _ in range(MOST_LEVELS):
        known = text if reading is None else reading.text
        if _ENCODED.search(known) is None:
            break
        reading = Reading(known, reading)
    return reading

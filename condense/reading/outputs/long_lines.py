"""Extremely long lines: the one case in which less than a whole line is kept.

A line of many kilobytes (minified code, one-line JSON, a progress bar redrawn with carriage returns) keeps
pieces of its own, and a mark names the number of characters between them. JSON is cut at the commas between
its values.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

from condense.reading.outputs.markers import character_marker, characters_behind

if TYPE_CHECKING:
    from collections.abc import Sequence

LONG_LINE = 2000
"""Characters above which a line may be cut (chosen: about 500 tokens; no line that people write is longer)."""

_HEAD_SHARE = 0.7
_MARK = 32
"""Characters that a mark takes."""
_WELL_USED, _ATTEMPTS = 0.95, 6
"""Share of the limit up to which more pieces are tried where the marks took less than was thought, and how often
(chosen)."""
_PIECES = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],]|[^"{}\[\],]+', re.DOTALL)
_TELLING = re.compile(
    r'"(?:error\w*|message|msg|status\w*|code|reason|detail|name|id|title|type|version|path|url|summary|result|count|total)"\s?:',
    re.IGNORECASE,
)


def cut_line(line: str, limit: int, language: str = "en", smallest: int = LONG_LINE) -> tuple[str, int]:
    """Shorten one long line to about `limit` characters; returns it and the number of characters left out.

    Args:
        line: without its newline. Lines of at most `limit` or `smallest` characters come back as they are.
        limit: characters that may stay, marks not counted.
        language: of the mark.
        smallest: lines up to this length are never cut.
    """
    if len(line) <= max(limit, smallest):
        return line, 0
    bare = line.lstrip()
    if bare[:1] in "{[" and bare[:1] and line.count(",") > 2:  # noqa: PLR2004  # something to cut between
        return _cut_json(line, limit, language, smallest)
    if "\r" in line:
        last = line.rstrip("\r").rsplit("\r", 1)[-1]
        if len(last) <= limit:
            gone = characters_behind(line[: len(line) - len(last)])
            return character_marker(gone, language) + last, gone
    head = _word_end(line, int(limit * _HEAD_SHARE))
    tail = limit - head
    removed = line[head : len(line) - tail]
    gone = characters_behind(removed)
    return f"{line[:head]} {character_marker(gone, language)} {line[len(line) - tail :]}", gone


def _word_end(line: str, at: int) -> int:
    """The end of a word near `at`, so that no name is cut in two where that can be avoided."""
    space = max(line.rfind(c, max(0, at - 80), at) for c in " ,;&")
    return space + 1 if space > 0 else at


def _cut_json(line: str, limit: int, language: str, smallest: int) -> tuple[str, int]:
    """Keep the most telling of the pieces between commas, at least the first, in order."""
    ends, order = _json_pieces(line)
    text, gone = _kept_pieces(line, ends, order, limit, language)
    low, high = limit, 3 * limit
    for _ in range(_ATTEMPTS):  # gaps that are no longer than a mark cost less than was thought
        if len(text) > _WELL_USED * limit:
            break
        middle = (low + high) // 2
        more, lost = _kept_pieces(line, ends, order, middle, language)
        if len(more) > limit:
            high = middle
        else:
            low, text, gone = middle, more, lost
    if len(text) > max(2 * limit, smallest):  # one value alone is too long
        head, tail = text[: int(limit * _HEAD_SHARE)], text[-int(limit * (1 - _HEAD_SHARE)) :]
        extra = characters_behind(text[len(head) : len(text) - len(tail)])
        return f"{head} {character_marker(extra, language)} {tail}", gone + extra
    return text, gone


def _kept_pieces(
    line: str, ends: Sequence[int], order: Sequence[int], room: int, language: str
) -> tuple[str, int]:
    """The first pieces of an order that fit in some characters, in their own, and how many are left out between."""
    kept: set[int] = set()
    for i in order:
        size = ends[i] - (ends[i - 1] if i else 0)
        if i not in kept and (size + _MARK <= room or not kept):
            room -= size + (0 if i - 1 in kept or i + 1 in kept else _MARK)
            kept.add(i)
        if room <= 0:
            break
    out: list[str] = []
    gone = at = 0
    for i in sorted(kept):
        start = ends[i - 1] if i else 0
        if start > at:
            gone += _close_gap(out, line[at:start], language)
        out.append(line[start : ends[i]])
        at = ends[i]
    if at < len(line):
        gone += _close_gap(out, line[at:], language)
    return "".join(out), gone


def _close_gap(out: list[str], text: str, language: str) -> int:
    """Write a mark for what stands in a gap, or that itself where it is no longer; returns what is gone."""
    gone = characters_behind(text)
    mark = f" {character_marker(gone, language)} "
    kept = len(text) <= len(mark) and gone == len(text)  # a mark of an earlier cut stands for more than it is
    out.append(text if kept else mark)
    return 0 if kept else gone


@lru_cache(maxsize=1)
def _json_pieces(line: str) -> tuple[array[int], array[int]]:
    """The pieces between commas, the comma included: where each ends, and their numbers, the first and then by weight.

    Shallow, telling and early ones weigh more. The last line is remembered: it is mostly cut to several sizes.
    """
    ends, weights = array("q"), array("d")
    start, depth, lowest = 0, 0, 0
    repeats: dict[tuple[int, str], int] = {}
    for m in _PIECES.finditer(line):
        mark = m[0]
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
        elif mark == ",":
            weights.append(_weight(line[start : m.end()], lowest, repeats))
            start, lowest = m.end(), depth
            ends.append(start)
    if start < len(line):
        weights.append(_weight(line[start:], lowest, repeats))
        ends.append(len(line))
    order = sorted(range(len(ends)), key=weights.__getitem__, reverse=True)
    return ends, array("q", (0, *order))


def _weight(piece: str, depth: int, repeats: dict[tuple[int, str], int]) -> float:
    key = (depth, piece.split(":", 1)[0][-40:] if ":" in piece else "")
    repeats[key] = repeats.get(key, 0) + 1
    return (2.0 if _TELLING.search(piece[:400]) else 1.0) / (1 + 0.5 * depth) / (1 + 0.2 * (repeats[key] - 1))

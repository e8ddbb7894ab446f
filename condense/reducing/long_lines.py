"""Extremely long lines: the one case in which less than a whole line is kept.

A line of many kilobytes (minified code, one-line JSON, a progress bar redrawn with carriage returns) keeps
pieces of its own, and a mark names the number of characters between them. JSON is cut at the commas between
its values.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reducing.markers import character_marker, characters_behind

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
    pieces = _json_pieces(line)
    order = [0, *sorted(range(len(pieces)), key=lambda i: (-pieces[i][1], i))]
    text, gone = _kept_pieces(pieces, order, limit, language)
    low, high = limit, 3 * limit
    for _ in range(_ATTEMPTS):  # gaps that are no longer than a mark cost less than was thought
        if len(text) > _WELL_USED * limit:
            break
        more, lost = _kept_pieces(pieces, order, (low + high) // 2, language)
        if len(more) > limit:
            high = (low + high) // 2
        else:
            low = (low + high) // 2
            text, gone = more, lost
    if len(text) > max(2 * limit, smallest):  # one value alone is too long
        head, tail = text[: int(limit * _HEAD_SHARE)], text[-int(limit * (1 - _HEAD_SHARE)) :]
        extra = characters_behind(text[len(head) : len(text) - len(tail)])
        return f"{head} {character_marker(extra, language)} {tail}", gone + extra
    return text, gone


def _kept_pieces(
    pieces: Sequence[tuple[str, float]], order: Sequence[int], room: int, language: str
) -> tuple[str, int]:
    """The first pieces of an order that fit in some characters, in their own, and how many are left out between."""
    kept: set[int] = set()
    for i in order:
        size = len(pieces[i][0])
        if i not in kept and (size + _MARK <= room or not kept):
            room -= size + (0 if i - 1 in kept or i + 1 in kept else _MARK)
            kept.add(i)
        if room <= 0:
            break
    out: list[str] = []
    gap: list[str] = []
    gone = 0
    for i, (piece, _) in enumerate(pieces):
        if i not in kept:
            gap.append(piece)
            continue
        if gap:
            gone += _close_gap(out, gap, language)
            gap = []
        out.append(piece)
    if gap:
        gone += _close_gap(out, gap, language)
    return "".join(out), gone


def _close_gap(out: list[str], gap: list[str], language: str) -> int:
    """Write a mark for what stands in a gap, or that itself where it is no longer; returns what is gone."""
    text = "".join(gap)
    gone = characters_behind(text)
    mark = f" {character_marker(gone, language)} "
    kept = len(text) <= len(mark) and gone == len(text)  # a mark of an earlier cut stands for more than it is
    out.append(text if kept else mark)
    return 0 if kept else gone


def _json_pieces(line: str) -> list[tuple[str, float]]:
    """The text between commas (the comma included) with a weight: shallow, telling and early pieces weigh more."""
    pieces: list[tuple[str, float]] = []
    start, depth, lowest = 0, 0, 0
    repeats: dict[tuple[int, str], int] = {}
    for m in _PIECES.finditer(line):
        mark = m[0]
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
        elif mark == ",":
            pieces.append(_weighed(line[start : m.end()], lowest, repeats))
            start, lowest = m.end(), depth
    if start < len(line):
        pieces.append(_weighed(line[start:], lowest, repeats))
    return pieces


def _weighed(piece: str, depth: int, repeats: dict[tuple[int, str], int]) -> tuple[str, float]:
    key = (depth, piece.split(":", 1)[0][-40:] if ":" in piece else "")
    repeats[key] = repeats.get(key, 0) + 1
    weight = (
        (2.0 if _TELLING.search(piece[:400]) else 1.0) / (1 + 0.5 * depth) / (1 + 0.2 * (repeats[key] - 1))
    )
    return piece, weight

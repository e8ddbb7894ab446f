"""Extremely long lines, of which pieces are kept, and the markers that say what was left out.

A marker names a number, in English or Chinese; when an output is reduced again, the numbers of the markers that fall
into a gap are added, so that the last marker still tells the truth about the original. A line of many kilobytes
(minified code, one-line JSON, a progress bar) keeps pieces of its own; JSON is cut at commas.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LONG_LINE = 2000
"""Characters above which a line may be cut (chosen: about 500 tokens; no line that people write is longer)."""
_LINE_MARK = re.compile(
    r"[ \t]{0,40}… (?:(\d{1,9}) lines? left out(?:, \d{1,9} of them like the one above)?"
    r"|省略 (\d{1,9}) 行(?:，其中 \d{1,9} 行与上一行类似)?) …[ \t\r]{0,3}"
)
_CHARACTER_MARK = re.compile(r"… (?:(\d{1,12}) characters left out|省略 (\d{1,12}) 个字符) …")
_HEAD_SHARE = 0.7
_PIECE = re.compile(r'(?:"(?:[^"\\]|\\.)*+"?|[^",]++)*+,?', re.DOTALL)
_TELLING = re.compile(
    r'"(?:error\w*|message|msg|status\w*|code|reason|detail|name|id|title|type|version|path|url|summary|result|count|total)"\s?:',
    re.IGNORECASE,
)


def line_marker(count: int, language: str = "en", alike: int = 0) -> str:
    """Return the line that stands for `count` lines, `alike` of which look like the line before the gap."""
    if language == "zh":
        return f"… 省略 {count} 行{f'，其中 {alike} 行与上一行类似' if alike else ''} …"
    like = f", {alike} of them like the one above" if alike else ""
    return f"… {count} line{'' if count == 1 else 's'} left out{like} …"


def lines_behind(line: str) -> int:
    """Return how many lines a marker line stands for; 0 when the line is no marker."""
    m = _LINE_MARK.fullmatch(line) if "…" in line else None
    return int(m[1] or m[2]) if m else 0


def character_marker(count: int, language: str = "en") -> str:
    """Return the mark that stands for `count` characters inside a line."""
    return f"… 省略 {count} 个字符 …" if language == "zh" else f"… {count} characters left out …"


def characters_behind(text: str) -> int:
    """Return how many characters of the original a piece of text stands for, marks inside it counted as theirs."""
    return len(text) + sum(int(m[1] or m[2]) - len(m[0]) for m in _CHARACTER_MARK.finditer(text))


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
    if line.lstrip()[:1] in "{[" and line.count(",") > 2:  # noqa: PLR2004  # something to cut between
        text, gone = _cut_json(line, limit, language)
        if len(text) <= max(2 * limit, smallest):
            return text, gone
        text, more = _cut_middle(text, limit, language)  # one value alone is too long
        return text, gone + more
    last = line.rstrip("\r").rsplit("\r", 1)[-1]
    if len(last) < len(line) and len(last) <= limit:  # the last state of a progress bar
        gone = characters_behind(line[: len(line) - len(last)])
        return character_marker(gone, language) + last, gone
    return _cut_middle(line, limit, language)


def _cut_middle(line: str, limit: int, language: str) -> tuple[str, int]:
    """Keep the two ends of a line; the first ends with a word where that can be."""
    head = int(limit * _HEAD_SHARE)
    head = max(line.rfind(c, max(0, head - 80), head) for c in " ,;&") + 1 or head
    tail = len(line) - (limit - head)
    gone = characters_behind(line[head:tail])
    return f"{line[:head]} {character_marker(gone, language)} {line[tail:]}", gone


def _cut_json(line: str, limit: int, language: str) -> tuple[str, int]:
    """Keep the most telling of the pieces between commas, at least the first, in order."""
    pieces, order = _json_pieces(line)
    low, high = 1, sum(1 for used in accumulate(len(pieces[i]) for i in order) if used <= 3 * limit)
    best = _kept_pieces(pieces, order[:1], language)
    while low < high:
        middle = (low + high + 1) // 2
        attempt = _kept_pieces(pieces, order[:middle], language)
        if len(attempt[0]) <= limit:
            low, best = middle, attempt
        else:
            high = middle - 1
    return best


def _kept_pieces(pieces: Sequence[str], kept: Sequence[int], language: str) -> tuple[str, int]:
    """The text of the kept pieces with a mark for each gap, and the number of characters left out."""
    out: list[str] = []
    gone, at = 0, 0
    for i in [*sorted(kept), len(pieces)]:
        gap = "".join(pieces[at:i])
        behind = characters_behind(gap)
        mark = f" {character_marker(behind, language)} "
        if len(gap) <= len(mark) and behind == len(
            gap
        ):  # a mark of an earlier cut stands for more than it is
            out.append(gap)
        else:
            out.append(mark)
            gone += behind
        out += pieces[i : i + 1]
        at = i + 1
    return "".join(out), gone


@lru_cache(maxsize=1)  # a line is mostly cut to several sizes
def _json_pieces(line: str) -> tuple[list[str], list[int]]:
    """The pieces between commas, and their numbers: the first, then telling keys before others, new before repeated."""
    pieces = [piece for piece in _PIECE.findall(line) if piece]
    repeats: Counter[str] = Counter()
    ranks = []
    for piece in pieces:
        key = piece.split(":", 1)[0][-40:] if ":" in piece else ""
        repeats[key] += 1
        ranks.append((4 + repeats[key]) / (2 if _TELLING.search(piece[:400]) else 1))
    return pieces, sorted(range(len(pieces)), key=lambda i: (i > 0, ranks[i]))

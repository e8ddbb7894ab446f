"""The markers that say how much of the original was left out, and cutting of extremely long lines."""

from __future__ import annotations

import re

LONG_LINE = 2000  # characters above which a line may be cut; chosen
_LINE_MARK = re.compile(
    r"[ \t]{0,40}… (?:(\d{1,9}) lines? left out(?:, \d{1,9} of them like the one above)?"
    r"|省略 (\d{1,9}) 行(?:，其中 \d{1,9} 行与上一行类似)?) …[ \t\r]{0,3}"
)
_CHARACTER_MARK = re.compile(r"… (?:(\d{1,12}) characters left out|省略 (\d{1,12}) 个字符) …")
_HEAD_SHARE = 0.7


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


def cut_line(line: str, limit: int, language: str = "en", smallest: int = LONG_LINE) -> str:
    """Shorten a line above `smallest` to about `limit` characters, a mark in the place of the others."""
    if len(line) <= max(limit, smallest):
        return line
    last = line.rstrip("\r").rsplit("\r", 1)[-1]
    if len(last) < len(line) and len(last) <= limit:  # the last state of a progress bar
        return _mark(line[: len(line) - len(last)], language) + last
    head = int(limit * _HEAD_SHARE)
    head = max(line.rfind(c, max(0, head - 80), head) for c in " ,;&") + 1 or head
    tail = len(line) - (limit - head)
    return f"{line[:head]} {_mark(line[head:tail], language)} {line[tail:]}"


def _mark(gone: str, language: str) -> str:
    """The mark for a piece of text, marks inside it counted as the characters of the original they stand for."""
    count = len(gone) + sum(int(m[1] or m[2]) - len(m[0]) for m in _CHARACTER_MARK.finditer(gone))
    return f"… 省略 {count} 个字符 …" if language == "zh" else f"… {count} characters left out …"

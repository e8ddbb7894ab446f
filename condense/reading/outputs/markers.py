"""The lines that say what was left out, in English and Chinese, and how to read them back.

A marker names a number; when an output is reduced again, the numbers of the markers that fall into a gap are
added, so that the last marker still tells the truth about the original.
"""

from __future__ import annotations

import re

_LINES = {
    "en": "… {n} {lines} left out …",
    "zh": "… 省略 {n} 行 …",
}
_ALIKE = {
    "en": "… {n} {lines} left out, {k} of them like the one above …",
    "zh": "… 省略 {n} 行，其中 {k} 行与上一行类似 …",
}
_CHARACTERS = {
    "en": "… {n} characters left out …",
    "zh": "… 省略 {n} 个字符 …",
}
_LINE_MARK = re.compile(
    r"[ \t]{0,40}… (?:(\d{1,9}) lines? left out(?:, \d{1,9} of them like the one above)?"
    r"|省略 (\d{1,9}) 行(?:，其中 \d{1,9} 行与上一行类似)?) …[ \t\r]{0,3}"
)
_CHARACTER_MARK = re.compile(r"… (?:(\d{1,12}) characters left out|省略 (\d{1,12}) 个字符) …")


def line_marker(count: int, language: str = "en", alike: int = 0) -> str:
    """Return the line that stands for `count` lines, `alike` of which look like the line before the gap."""
    template = (_ALIKE if alike else _LINES).get(language) or (_ALIKE if alike else _LINES)["en"]
    return template.format(n=count, k=alike, lines="line" if count == 1 else "lines")


def lines_behind(line: str) -> int:
    """Return how many lines a marker line stands for; 0 when the line is no marker."""
    if "…" not in line:
        return 0
    m = _LINE_MARK.fullmatch(line)
    return int(m[1] or m[2]) if m else 0


def character_marker(count: int, language: str = "en") -> str:
    """Return the mark that stands for `count` characters inside a line."""
    return (_CHARACTERS.get(language) or _CHARACTERS["en"]).format(n=count)


def characters_behind(text: str) -> int:
    """Return how many characters of the original a piece of text stands for, marks inside it counted as theirs."""
    total = len(text)
    if "…" in text:
        for m in _CHARACTER_MARK.finditer(text):
            total += int(m[1] or m[2]) - len(m[0])
    return total

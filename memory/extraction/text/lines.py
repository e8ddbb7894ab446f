"""Prose and paste inside a typed text: what kind each line is.

People paste code, logs, stack traces, tables and settings between their sentences. Rules come from prose and list
items only; from a pasted error the identifying line; from pasted settings the setting.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.extraction.text.line_kinds import Line, LineKind, kind_of
from memory.extraction.text.pasted_blocks import with_pasted

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_LINE = 4_000
"""Characters of a line that are looked at; what people type in one line is shorter (chosen)."""

_SHORT_FENCE = 6
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")


def lines_of(text: str) -> tuple[Line, ...]:
    """Return the lines of a text that are not blank, in order; linear in the text."""
    found: list[Line] = []
    at, fenced = 0, False
    patched = patch_lines(text)
    for raw in text.split("\n"):
        start = at
        at += len(raw) + 1
        if _FENCE.match(raw):
            closed = len(raw) > _SHORT_FENCE and raw.rstrip().endswith(("```", "~~~"))
            fenced ^= not (closed and raw.strip().strip("`~"))
            found.append(Line(LineKind.CODE, start, start + len(raw), fenced=True))
            continue
        raw = raw[:LONGEST_LINE]  # noqa: PLW2901  # the rest is not looked at
        if body := raw.strip():
            is_patch = start in patched and not fenced
            kind, skip, marker = (LineKind.LOG, 0, "") if is_patch else kind_of(raw, body, fenced=fenced)
            indent = len(raw) - len(raw.lstrip())
            start += indent
            found.append(Line(kind, start + skip, start + len(body), indent, marker, fenced))
    return with_pasted(text, found)


_PATCH = re.compile(r"@@(?: |$)|diff --git |(?:---|\+{3}) [ab]/|\*\*\* (?:Begin|End|Update|Add|Delete)\b")
_SIGN = re.compile(r"\s{0,8}(?:\d{1,6}\s{1,4})?([+-])(?![+-])")
"""The sign of a line that is put in or taken out, behind its number where a client shows one."""
_WORD = re.compile(r"[\w'’]+")
MOST_CHANGED = 40


def patch_lines(text: str) -> set[int]:
    """Where the lines of pasted patches begin: what stands behind their heads, and lines that give way to others.

    Linear in the text.
    """
    found: set[int] = set()
    change: list[tuple[int, str, set[str]]] = []
    at, inside, gap = 0, False, False
    for raw in (*text.split("\n"), "") if "+" in text or "***" in text else ():
        sign = _SIGN.match(raw)
        if sign is not None:
            change.append((at, sign[1], set(_WORD.findall(raw[sign.end() :].lower()))))
        elif change:
            found.update(start for start, _, _ in (change if _gives_way(change) else ()))
            change = []
        begins = ("+", " ") if gap else ("+", "-", " ")
        inside = _PATCH.match(raw) is not None or (inside and (not raw or raw.startswith(begins)))
        gap = not raw
        if inside and raw:
            found.add(at)
        at += len(raw) + 1
    return found


def _gives_way(lines: Sequence[tuple[int, str, set[str]]]) -> bool:
    """Tell whether one of neighbouring lines with signs, put in, has the words of one taken out before it."""
    gone: list[set[str]] = []
    for _, sign, words in lines[:MOST_CHANGED]:
        if sign == "-":
            gone.append(words)
        elif any(len(words & old) > 1 and 2 * len(words & old) >= min(len(words), len(old)) for old in gone):
            return True
    return False


def prose_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of a typed text that are prose or list items: no pasted code, logs, tables or quotes."""
    kept = (LineKind.PROSE, LineKind.ITEM, LineKind.HEADING, LineKind.SETTING)
    return tuple((line.start, line.end) for line in lines_of(text) if line.kind in kept and not line.fenced)

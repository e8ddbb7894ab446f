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

_PROSE, _LOG, _CODE, _ERROR = LineKind.PROSE, LineKind.LOG, LineKind.CODE, LineKind.ERROR
"""A member of an enumeration costs ten times what a name does."""
_new = tuple.__new__
"""Makes a named tuple in half the time that its name takes."""
_SHORT_FENCE = 6
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")

_PLAIN = re.compile(
    r"(?:(?!Enumerating)(Can't|Couldn't|[A-Za-zÀ-ÖØ-öø-ɏЀ-ӿ]{1,30})(?:['’][a-z]{1,3})?(?:[ ,]|$)[^=@\[]*+"
    r"|[\u3040-\u30ff\u3400-\u9fff](?<![一二三四五六七八九十甲乙丙丁戊己庚辛壬癸])(?![、.．)）])[^=@\[:]*+)"
    r"(?<![{};:：(=,>])"
)
_OPENERS = frozenset(
    re.findall(
        r"\S+",
        """
        at npm curl diff index import from raise inet error fatal panic ERROR FATAL Error FAILED FAIL Uncaught Unhandled
        Cannot Can't Could Couldn't Unable Failed Module No Unexpected Invalid Missing Permission Access Connection
        segmentation GET POST PUT DELETE HEAD Compiling Finished Running Downloading Collecting Requirement Installing
        Counting Compressing Writing Delta Total Import Traceback PS To File Caused export
        return await yield assert throw if goroutine exit thread total commit Your no nothing Changes Untracked FAILURE
        BUILD test running Auto-merging CONFLICT Automatic stack ok Exception assertion CMake TASK PLAY
        FROM CMD ENTRYPOINT WORKDIR EXPOSE COPY RUN INFO DEBUG TRACE WARN WARNING
        """,
    )
)
"""A line that begins with another word than these and a blank, without the signs that `_PLAIN` leaves out and without
the place of a call ("(at "), is prose by itself: nearly every pattern of the other kinds asks for such a word, for a
sign in the first word, or for one of those signs, and the few that do not (months, single letters) are not worth a
second look at each sentence that begins with them. This one look spares most lines all of them."""


def lines_of(text: str) -> tuple[Line, ...]:
    """Return the lines of a text that are not blank, in order; linear in the text."""
    found: list[Line] = []
    at = pasted = 0
    fenced = False
    patched = patch_lines(text)
    for raw in text.split("\n"):
        start = at
        at += len(raw) + 1
        if not raw:
            continue
        spoken = raw[0] != " " and not fenced and len(raw) <= LONGEST_LINE
        plain = _PLAIN.fullmatch(raw.rstrip()) if spoken else None
        if plain is not None and plain[1] not in _OPENERS and "(at " not in raw:
            found.append(_new(Line, (_PROSE, start, start + plain.end(), 0, "", False)))
            continue
        if ("`" in raw or "~" in raw) and _FENCE.match(raw):
            inside = raw.strip().strip("`~")
            if not (len(raw) > _SHORT_FENCE and raw.rstrip().endswith(("```", "~~~")) and inside):
                fenced = not fenced
            found.append(Line(LineKind.CODE, start, start + len(raw), fenced=True))
            continue
        raw = raw[:LONGEST_LINE]  # noqa: PLW2901  # the rest is not looked at
        body = raw.strip()
        if body:
            indent = len(raw) - len(raw.lstrip())
            is_patch = start in patched and not fenced
            start += indent
            kind, skip, marker = (_LOG, 0, "") if is_patch else kind_of(raw, body, fenced=fenced)
            pasted += not fenced and (kind is _LOG or kind is _CODE or kind is _ERROR)
            found.append(_new(Line, (kind, start + skip, start + len(body), indent, marker, fenced)))
    columns = len(found) > 1 and ("   " in text or "\t" in text)
    return with_pasted(text, found) if (pasted or columns) and len(found) > pasted else tuple(found)


_PATCH = re.compile(r"@@(?: |$)|diff --git |(?:---|\+{3}) [ab]/|\*\*\* (?:Begin|End|Update|Add|Delete)\b")
"""How a part of a patch begins."""
_SIGN = re.compile(r"\s{0,8}(?:\d{1,6}\s{1,4})?([+-])(?![+-])")
"""The sign of a line that is put in or taken out, behind its number where a client shows one."""
_WORD = re.compile(r"[\w'’]+")
MOST_CHANGED = 40
"""Lines of a change that are compared; chosen."""


def patch_lines(text: str) -> frozenset[int]:
    """Where the lines of pasted patches begin: what stands behind their heads, and lines that give way to others.

    Linear in the text.
    """
    found: set[int] = set()
    change: list[tuple[int, str, frozenset[str]]] = []
    at, inside, gap = 0, False, False
    for raw in text.split("\n") if "+" in text or "***" in text else ():
        sign = _SIGN.match(raw)
        if sign is not None:
            change.append((at, sign[1], frozenset(_WORD.findall(raw[sign.end() :].lower()))))
        elif change:
            found.update(_changes(change))
            change = []
        inside = _PATCH.match(raw) is not None or (
            inside and raw[:1] in (("+", " ", "") if gap else ("+", "-", " ", ""))
        )
        gap = not raw
        if inside and raw:
            found.add(at)
        at += len(raw) + 1
    return frozenset(found.union(_changes(change)))


def _changes(lines: Sequence[tuple[int, str, frozenset[str]]]) -> list[int]:
    """Where neighbouring lines with signs begin, if one that is put in has the words of one taken out before it."""
    gone: list[frozenset[str]] = []
    for _, sign, words in lines[:MOST_CHANGED]:
        if sign == "-":
            gone.append(words)
        elif any(len(words & old) > 1 and 2 * len(words & old) >= min(len(words), len(old)) for old in gone):
            return [start for start, _, _ in lines]
    return []


def prose_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of a typed text that are prose or list items: no pasted code, logs, tables or quotes."""
    kept = (LineKind.PROSE, LineKind.ITEM, LineKind.HEADING, LineKind.SETTING)
    return tuple((line.start, line.end) for line in lines_of(text) if line.kind in kept and not line.fenced)

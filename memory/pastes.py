"""Lines that only their neighbours show to be pasted: the source lines of a trace, the message of a commit, a table."""

from __future__ import annotations

import re
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING

from memory.line_kinds import Line, LineKind, failing, is_sentence_like

if TYPE_CHECKING:
    from collections.abc import Sequence

PASTED = frozenset((LineKind.LOG, LineKind.CODE, LineKind.ERROR))
_start = attrgetter("start")
_MACHINE = frozenset((LineKind.LOG, LineKind.CODE))
"""What no sentence can be; what is read as an error may be one ("Cannot find the file")."""
MOST_BETWEEN = 8
"""Lines between two pasted ones that are pasted with them; chosen."""
DEEP = 4
"""Columns from which a line behind a blank one still belongs to the pasted one before that; chosen."""
TAB = 4
"""Columns of a tabulator; chosen."""
WRAPPED = 50
"""Characters from which a line may be wrapped; chosen."""
_STOPS = ".!?:;。！？：；"
DENSE = 0.1
"""Share of signs in a line that nobody types as a sentence; chosen."""
_VOICE = re.compile(
    r"\b(?:I|I'm|I've|we|our|my|me|pls|let's|instead|also|want|wanna|pasted|here"
    r"|eu|meu|nosso|quero|yo|mi|nuestro|quiero|je|mon|notre|nous|ich|mein|wir|unser|bitte|io|mio|nostro|noi"
    r"|sempre|nunca|não|siempre|toujours|jamais|immer|niemals|nicht|mai|non|я|мы|мой|наш|надо|нужно|всегда|не)\b"
    r"|[?？]\s*$|[\u3040-\u30ff\u3400-\u9fff]|^(?:and|add|but|change|do|don't|fix|keep|make|never|always|only|please|remove|so|then"
    r"|use|write|can|could)\b",
    re.IGNORECASE,
)
"""How a person speaks between two pastes."""
_RULE = re.compile(r"[\W_]+")
"""A line drawn between parts of a text: around a title it shows nothing."""
_COLUMNS = re.compile(
    r"\s*\S{1,60}(?: \S{1,30}){0,2}(?:(?:\t+|\s{3,}|(?<![.!?,;:])\s\s)\S{1,60}(?: \S{1,30}){0,4}"
    r"(?:\t+|\s{3,}|(?<![.!?,;:])\s\s)\S|\s{4,}\S)"
)
"""A row of columns: two gaps, or a wide one."""
_HEADER = re.compile(r"[A-Z][A-Za-z]{0,30}(?:-[A-Z][A-Za-z]{1,30}){1,4}:\s\S")
"""A header of HTTP; pasted only among others of its kind."""
_REPORT = re.compile(
    r"^\s{0,4}\d{1,6} (?:passing|failing|pending|examples?,)|^Tests?:\s{2}|^test result: |^Test Suites: |^=+ .{0,80}"
    r"\b(?:passed|failed)\b",
    re.MULTILINE,
)
"""The line in which a test runner counts."""
_COUNTED = (
    "passing",
    "failing",
    "pending",
    "passed",
    "failed",
    "Tests:",
    "test result",
    "Test Suites",
    "example",
)
"""Words without one of which there is none."""


def with_pasted(text: str, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a text, those marked as pasted that their neighbours show to be.

    Args:
        text: the typed text.
        lines: its lines, each read by itself.

    Returns:
        As many lines, some of another kind: what stands deeper behind a line of a log or of code, few lines in the
        middle of a log that nobody says, comments within code, headers and rows of tables.  Linear in the text.
    """
    out = list(lines)
    _rows(text, out)
    report = any(map(text.__contains__, _COUNTED)) and _REPORT.search(text) is not None
    _hanging(text, out, report=report)
    _headers(text, out)
    _wrapped(text, out)
    _between(text, out)
    _beside(text, out)
    return tuple(out)


def _pasted(out: Sequence[Line]) -> list[int]:
    """The indexes of pasted lines."""
    return [at for at, line in enumerate(out) if line.kind in PASTED]


def _adjoin(text: str, before: Line, after: Line) -> bool:
    """Say whether no blank line stands between two."""
    return text.count("\n", before.end, after.start - len(after.marker) - after.indent) <= 1


def _depth(text: str, line: Line) -> int:
    """Columns before a line."""
    if not line.indent:
        return 0
    start = line.start - len(line.marker)
    return line.indent + text.count("\t", start - line.indent, start) * (TAB - 1)


def _rows(text: str, out: list[Line]) -> None:
    """Mark neighbouring lines in columns."""
    rows = {at for at, line in enumerate(out) if line.kind not in PASTED and _is_row(text, line)}
    for at in rows:
        for other in (at - 1, at + 1):
            if not 0 <= other < len(out):
                continue
            beside = out[other]
            if (other in rows or _is_row(text, beside)) and _adjoin(
                text, *sorted((beside, out[at]), key=_start)
            ):
                out[at] = out[at]._replace(kind=LineKind.LOG)
                break


def _is_row(text: str, line: Line) -> bool:
    """Say whether a line stands in columns."""
    _, start, end, *_ = line
    wide = text.find("  ", start, end) >= 0 or text.find("\t", start, end) >= 0
    return wide and _COLUMNS.match(text, start, end) is not None


def _hanging(text: str, out: list[Line], *, report: bool) -> None:
    """Mark lines that stand deeper than the pasted line before; in the report of a test runner lists, too."""
    if report:
        for at, line in enumerate(out):
            if line.kind not in PASTED and _depth(text, line) > 1:
                out[at] = line._replace(kind=LineKind.LOG)
    last = len(out) - 1
    for mark in _pasted(out):
        if mark == last or out[mark + 1].kind in PASTED:
            continue
        base = _depth(text, out[mark])
        first = mark
        while first and out[first].kind is LineKind.ERROR and out[first - 1].kind in PASTED:
            first -= 1
            base = min(base, _depth(text, out[first]))
        at = mark + 1
        while at < len(out) and out[at].kind not in PASTED:
            line = out[at]
            depth = _depth(text, line)
            if not base < depth > 1 or line.marker:
                break
            if depth < DEEP and not _adjoin(text, out[at - 1], line):
                break
            code = out[at - 1].kind is LineKind.CODE
            kind = LineKind.CODE if code else failing(text[line.start : line.end], LineKind.LOG)
            out[at] = line._replace(kind=kind)
            at += 1


def _wrapped(text: str, out: list[Line]) -> None:
    """Mark the rest of a pasted sentence that goes on in the next line."""
    for at in range(1, len(out)):
        before, line = out[at - 1], out[at]
        if before.kind is LineKind.CODE or before.kind not in PASTED or line.kind is not LineKind.PROSE:
            continue
        start, end = before.start, before.end
        if (
            end - start >= WRAPPED
            and text[end - 1] not in _STOPS
            and not text[line.start].isupper()
            and is_sentence_like(text[start:end])
            and _adjoin(text, before, line)
            and not _VOICE.search(text, line.start, line.end)
        ):
            out[at] = line._replace(kind=LineKind.LOG)


def _headers(text: str, out: list[Line]) -> None:
    """Mark headers of HTTP behind a line of a log."""
    for at in range(1, len(out)):
        line = out[at]
        if (
            out[at - 1].kind is LineKind.LOG
            and line.kind not in PASTED
            and _HEADER.match(text, line.start, line.end)
            and _adjoin(text, out[at - 1], line)
        ):
            out[at] = line._replace(kind=LineKind.LOG)


def _amid(text: str, line: Line, *, code: bool) -> Line:
    """A line between two pasted ones: pasted with them unless somebody says it."""
    body = text[line.start : line.end]
    if code:
        said = not line.marker.startswith("#") and (is_sentence_like(body) or _VOICE.search(body))
        return line if said else line._replace(kind=LineKind.CODE)
    return line if _VOICE.search(body) else line._replace(kind=failing(body, LineKind.LOG))


def _between(text: str, out: list[Line]) -> None:
    """Mark few lines right between two pasted ones that nobody says."""
    for last, at in pairwise(_pasted(out)):
        if not 1 < at - last <= MOST_BETWEEN + 1:
            continue
        ends = out[last], out[at]
        kinds = ends[0].kind, ends[1].kind
        if (
            _MACHINE.isdisjoint(kinds)
            or any(_RULE.fullmatch(text, end.start, end.end) for end in ends)
            or not all(_adjoin(text, out[k], out[k + 1]) for k in range(last, at))
        ):
            continue
        code = kinds == (LineKind.CODE, LineKind.CODE)
        for k in range(last + 1, at):
            out[k] = _amid(text, out[k], code=code)


def _beside(text: str, out: list[Line]) -> None:
    """Mark comments right before code, and lines full of signs right beside a log."""
    for mark in _pasted(out):
        kind = out[mark].kind
        for at in (mark - 1, mark + 1):
            if not 0 <= at < len(out):
                continue
            line = out[at]
            if line.kind in PASTED or line.kind is LineKind.SETTING:
                continue
            if not _adjoin(text, *((line, out[mark]) if at < mark else (out[mark], line))):
                continue
            if kind is LineKind.CODE:
                if at < mark and line.marker.startswith("#"):
                    out[at] = line._replace(kind=LineKind.CODE)
            elif kind is LineKind.LOG:
                body = text[line.start : line.end]
                signs = sum(not (sign.isalnum() or sign == " ") for sign in body)
                if signs > DENSE * len(body) and not _VOICE.search(body) and not is_sentence_like(body):
                    out[at] = line._replace(kind=failing(body, LineKind.LOG))

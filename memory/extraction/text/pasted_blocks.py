"""Lines that only their neighbours show to be pasted: the source lines of a trace, the message of a commit, a table."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from memory.extraction.text.line_kinds import PROMPT, Line, LineKind, failing, is_sentence_like

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOG, _CODE, _ERROR = LineKind.LOG, LineKind.CODE, LineKind.ERROR
_PROSE, _SETTING = LineKind.PROSE, LineKind.SETTING
MOST_BETWEEN = 8
"""Lines between two pasted ones that are pasted with them; chosen."""
DEEP = 4
"""Columns from which a line behind a blank one still belongs to the pasted one before that; chosen."""
LOOKED_BACK = 40
"""Lines of a failure that are looked at for how deep it stands; chosen."""
TAB = 4
"""Columns of a tabulator; chosen."""
_SIGNED = re.compile(r"[^A-Za-z]|[A-Z]{3,}\b|[a-z]{1,20}:|npm ")
"""How a line of a log begins that is no sentence."""
WRAPPED = 50
"""Characters from which a line may be wrapped; chosen."""
_STOPS = ".!?:;。！？：；"
DENSE = 0.1
"""Share of signs in a line that nobody types as a sentence; chosen."""
_WORDS = re.compile(r"[\w'’]+")
_VOICE = frozenset(
    _WORDS.findall(
        """
        i i'm i've i’m i’ve we our my me pls let's let’s instead also want wanna pasted here
        eu meu nosso quero yo mi nuestro quiero je mon notre nous ich mein wir unser bitte io mio nostro noi
        must shall please muss müssen darf dürfen nie nur doit doivent faut debe deben deve devem должен должна
        должны никогда только sempre nunca não siempre toujours jamais immer niemals nicht mai non я мы мой наш надо
        нужно всегда не
        """
    )
)
"""Words of which a line has one that a person says between two pastes."""
_BINDS = frozenset(("never", "always", "forbidden", "only", "required"))
"""More words that bind: programs print them often, but in a table or under a failure they count as a person's."""
_ORDERS = frozenset(
    _WORDS.findall(
        """
        and add but change do don't don’t fix keep make never always only please remove so then use write can could
        """
    )
)
"""With what such a line may begin."""
_APOSTROPHE = re.compile("['’]")
_CHARACTERS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_RULE = re.compile(r"[\W_]+")
"""A line of signs only: what stands between such lines may be a title, and is not pasted for them."""
_COLUMNS = re.compile(
    r"\s*\S{1,60}(?: \S{1,30}){0,2}(?:\t+|\s{3,}|(?<![.!?,;:])\s\s)\S{1,60}(?: \S{1,30}){0,4}"
    r"(?:\t+|\s{3,}|(?<![.!?,;:])\s\s)\S"
)
"""A row of three columns."""
_DRAWN = re.compile(r"[-=_*─━═~.]{3,}")
"""A line drawn below a heading: what is indented under it does not belong to it as to a bracket."""
_LABEL = re.compile(r"[^\s:]{1,40}(?: \S{1,30}){0,2} ?[:：]\s")
"""What somebody lists in two columns: "language:    Python"."""
_HEADER = re.compile(r"[A-Z][A-Za-z]{0,30}(?:-[A-Z][A-Za-z]{1,30}){1,4}:\s\S")
"""A header of HTTP; pasted only among others of its kind."""
_HEAD = re.compile(
    r"HTTP/\d|[<>*] |[A-Z][A-Za-z]*-[A-Z][A-Za-z-]*: \S|(?:Accept|Age|Connection|Cookie|Date|Host|Server|Vary|Via): \S"
)
"""A line before a header."""
_LEADS = re.compile(
    r"(?:for(?!.* in )|while |using|static|async(?! def| with| for)|return|type|interface|function|public|private"
    r"|if (?!.*[()=<>.]|not )).*[:,]$"
)
"""What begins with a word of a programming language and leads to a list as a sentence does: no code."""
_REPORT = re.compile(
    r"^\s{0,4}\d{1,6} (?:passing|failing|pending)(?: \(.{1,20}\))?$|^\d{1,6} examples?, \d|^Tests?:\s{2,}\d"
    r"|^test result: |^Test Suites: \d|^=+ .{0,80}\b(?:passed|failed) in \d",
    re.MULTILINE,
)
"""The line in which a test runner counts."""


def with_pasted(text: str, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a text, those marked as pasted that their neighbours show to be.

    Args:
        text: the typed text.
        lines: its lines, each read by itself.

    Returns:
        As many lines, some of another kind: rows of tables, what stands deeper behind a line of a log or of code,
        headers, the rest of a wrapped sentence, few lines in the middle of a log that nobody says, comments within
        code.  Linear in the text.
    """
    block = _Block(text, lines)
    block.mark_rows()
    if _REPORT.search(text):
        block.mark_report()
    block.mark_console()
    block.mark_hanging()
    block.mark_following()
    block.mark_between()
    block.mark_beside()
    return tuple(block.lines)


def _is_said(body: str) -> bool:
    """Say whether a line sounds like a person: in Chinese or Japanese, a question, by its words."""
    if not body.isascii() and _CHARACTERS.search(body):
        return True
    words = [part for word in _WORDS.findall(body.lower()) for part in (word, *_APOSTROPHE.split(word))]
    if body.endswith(("?", "？")) or not _VOICE.isdisjoint(words):
        return True
    return bool(words) and words[0] in _ORDERS and body[0] not in "-+#@$%&/"


def _skipped(marker: str) -> int:
    """Characters of a marker that stand before what a line counts as its own: the stars of a bold one are its own."""
    return 0 if marker == "**" else len(marker)


def _parts(body: str) -> bool:
    """Say whether a pasted line parts a text: one of signs only, or a command that somebody shows."""
    return body.startswith("$ ") or _RULE.fullmatch(body) is not None


def _may_bind(body: str) -> bool:
    """Say whether a line sounds like a person, or binds."""
    return _is_said(body) or not _BINDS.isdisjoint(_WORDS.findall(body.lower()))


class _Block:
    """The lines of a text while those that are pasted are being marked.

    Args:
        text: the text.
        lines: its lines, each read by itself.
    """

    def __init__(self, text: str, lines: Sequence[Line]) -> None:
        self.text = text
        self.lines = list(lines)
        self._pasted = [kind is _LOG or kind is _CODE or kind is _ERROR for kind, *_ in lines]
        """Of each line whether it is pasted."""

    def _mark(self, at: int, kind: LineKind) -> None:
        self.lines[at] = self.lines[at]._replace(kind=kind)
        self._pasted[at] = True

    def mark_console(self) -> None:
        """Mark prompts and what stands right below them, up to a blank line: what was entered printed it."""
        printed = False
        for at in range(len(self.lines)):
            prompt = PROMPT.match(self._body(at)) is not None
            printed = prompt or (printed and self._adjoin(at - 1))
            if printed:
                self._mark(at, _LOG if prompt else failing(self._body(at), _LOG))

    def _marked(self) -> list[int]:
        """The indexes of pasted lines."""
        return [at for at, pasted in enumerate(self._pasted) if pasted]

    def _body(self, at: int) -> str:
        line = self.lines[at]
        return self.text[line.start : line.end]

    def _adjoin(self, at: int) -> bool:
        """Say whether no blank line stands between a line and the next."""
        after = self.lines[at + 1]
        start = after.start - _skipped(after.marker) - after.indent
        return self.text.count("\n", self.lines[at].end, start) <= 1

    def _depth(self, at: int) -> int:
        """Columns before a line."""
        _, start, _, indent, marker, _ = self.lines[at]
        if not indent:
            return 0
        start -= _skipped(marker)
        return indent + self.text.count("\t", start - indent, start) * (TAB - 1)

    def _is_row(self, at: int) -> bool:
        """Say whether a line stands in columns."""
        text = self.text
        _, start, end, *_ = self.lines[at]
        return _COLUMNS.match(text, start, end) is not None and not _LABEL.match(text, start, end)

    def mark_rows(self) -> None:
        """Mark neighbouring lines in columns."""
        rows = [
            at
            for at, pasted in enumerate(self._pasted)
            if not pasted and not self.lines[at].marker and self._is_row(at)
        ]
        known = frozenset(rows)
        for at in rows:
            below = (
                at + 1 < len(self.lines) and (at + 1 in known or self._is_row(at + 1)) and self._adjoin(at)
            )
            above = at and (at - 1 in known or self._is_row(at - 1)) and self._adjoin(at - 1)
            if (below or above) and not _may_bind(self._body(at)):
                self._mark(at, _LOG)

    def mark_report(self) -> None:
        """Mark all that is indented in the report of a test runner."""
        last = max(line.end() for line in _REPORT.finditer(self.text))
        for at, pasted in enumerate(self._pasted):
            if self.lines[at].start > last:
                break
            if not pasted and self._depth(at) > 1:
                self._mark(at, _LOG)

    def mark_hanging(self) -> None:
        """Mark lines that stand deeper than the pasted line before."""
        lines, pasted = self.lines, self._pasted
        for mark in self._marked():
            at = mark + 1
            if at == len(lines) or pasted[at] or not lines[at].indent:
                continue
            body = self._body(mark)
            if (
                lines[mark].fenced
                or _DRAWN.fullmatch(body)
                or (lines[mark].kind is _CODE and _LEADS.match(body))
            ):
                continue
            base = self._depth(mark)
            for first in range(mark, max(0, mark - LOOKED_BACK), -1):
                if lines[first].kind is not _ERROR or not pasted[first - 1]:
                    break
                base = min(base, self._depth(first - 1))
            failure = lines[mark].kind is _ERROR
            while at < len(lines) and not pasted[at]:
                depth = self._depth(at)
                if not base < depth > 1 or lines[at].marker:
                    break
                if (failure or depth < DEEP) and not self._adjoin(at - 1):
                    break
                if failure and _may_bind(self._body(at)):
                    break
                self._mark(at, _CODE if lines[at - 1].kind is _CODE else failing(self._body(at), _LOG))
                at += 1

    def mark_following(self) -> None:
        """Mark headers of HTTP behind a log, and the rest of a pasted sentence that goes on in the next line."""
        text, lines, pasted = self.text, self.lines, self._pasted
        for mark in self._marked():
            at = mark + 1
            while at < len(lines) and not pasted[at] and self._follows(lines[at - 1], lines[at]):
                if not self._adjoin(at - 1) or (
                    not _HEADER.match(text, lines[at].start, lines[at].end) and _is_said(self._body(at))
                ):
                    break
                self._mark(at, _LOG)
                at += 1

    def _follows(self, before: Line, line: Line) -> bool:
        """Say whether a line looks like a header behind a log, or like the rest of the sentence before."""
        text = self.text
        if _HEADER.match(text, line.start, line.end):
            return before.kind is _LOG and _HEAD.match(text, before.start, before.end) is not None
        return (
            before.kind is not _CODE
            and line.kind is _PROSE
            and _SIGNED.match(text, before.start) is not None
            and before.end - before.start >= WRAPPED
            and text[before.end - 1] not in _STOPS
            and not text[line.start].isupper()
            and is_sentence_like(text[before.start : before.end])
        )

    def mark_between(self) -> None:
        """Mark few lines right between two pasted ones that nobody says."""
        for last, at in pairwise(self._marked()):
            if not 1 < at - last <= MOST_BETWEEN + 1:
                continue
            ends = self.lines[last].kind, self.lines[at].kind
            if (
                ends[0] is ends[1] is _ERROR
                or any(_parts(self._body(end)) or self.lines[end].fenced for end in (last, at))
                or not all(map(self._adjoin, range(last, at)))
            ):
                continue
            code = ends[0] is ends[1] is _CODE
            for k in range(last + 1, at):
                body = self._body(k)
                if code:
                    marker = self.lines[k].marker
                    if marker == "# " or not (marker or is_sentence_like(body) or _is_said(body)):
                        self._mark(k, _CODE)
                elif not _is_said(body):
                    self._mark(k, failing(body, _LOG))

    def mark_beside(self) -> None:
        """Mark comments right before code, and lines full of signs right beside a log."""
        lines, pasted = self.lines, self._pasted
        for mark in self._marked():
            kind = lines[mark].kind
            for at, gap in ((mark - 1, mark - 1), (mark + 1, mark)):
                if (
                    not 0 <= at < len(lines)
                    or pasted[at]
                    or lines[at].kind is _SETTING
                    or not self._adjoin(gap)
                ):
                    continue
                if kind is _CODE:
                    if at < mark and lines[at].marker == "# " and not lines[mark].fenced:
                        self._mark(at, _CODE)
                elif kind is _LOG:
                    body = self._body(at)
                    signs = sum(not (sign.isalnum() or sign == " ") for sign in body)
                    if signs > DENSE * len(body) and not _may_bind(body) and not is_sentence_like(body):
                        self._mark(at, failing(body, _LOG))

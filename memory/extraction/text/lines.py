"""Prose and paste inside a typed text: what kind each line is.

People paste code, logs, stack traces, tables and settings between their sentences. Rules come from prose and list
items only; from a pasted error the identifying line; from pasted settings the setting.
"""

from __future__ import annotations

import re
from bisect import bisect
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from memory.extraction.text.line_kinds import PASTED, PROMPT, Line, LineKind, failing, is_sentence_like, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_LINE = 4_000
"""Characters of a line that are looked at; what people type in one line is shorter (chosen)."""

_SHORT_FENCE = 6
_TAGGED = re.compile(
    r"^<([\w-]{1,30})>\n[^<]{1,4000}?^</\1>\n(?=[^?？]{0,300}[?？])(?!.{0,300}\b(?:[Cc]an|[Cc]ould|will|would) you\b)",
    re.MULTILINE | re.DOTALL,
)
"""What stands between tags on lines of their own, and a question about it."""
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")


def lines_of(text: str) -> tuple[Line, ...]:
    """Return the lines of a text that are not blank, in order; linear in the text."""
    found: list[Line] = []
    at, fenced = 0, False
    patched = patch_lines(text)
    edges = [edge for block in _TAGGED.finditer(text) for edge in block.span()]
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
            if kind in (_PROSE, LineKind.ITEM, LineKind.HEADING) and bisect(edges, start) % 2:
                kind = LineKind.QUOTE
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
    """Where the lines of pasted patches begin: behind their heads, and where they give way to others; linear."""
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


_LOG, _CODE, _ERROR = LineKind.LOG, LineKind.CODE, LineKind.ERROR
_PROSE, _SETTING = LineKind.PROSE, LineKind.SETTING
MOST_BETWEEN = 8
"""Lines between two pasted ones that are pasted with them."""
LOOKED_BACK = 40
"""Lines of a failure that are looked at for how deep it stands."""
DEEP, TAB = 4, 4
"""Columns from which a line behind a blank one still belongs to the pasted one before that, and of a tabulator."""
WRAPPED = 50
DUMP = 8
"""Neighbouring lines that each give a name one word, from which nobody typed them (chosen)."""
_SET = re.compile(r"[\w./-]{2,80}\s?[:=]\s?\S{0,80}")
DENSE = 0.1
"""Share of signs in a line that nobody types as a sentence."""
_SIGNED = re.compile(r"[^A-Za-z]|[A-Z]{3,}\b|[a-z]{1,20}:|npm ")
"""How a line of a log begins that is no sentence."""
_WORDS = re.compile(r"[\w'’]+")
_VOICE = frozenset(
    """
    i i'm i've i’m i’ve we our my me pls let's let’s instead also want wanna pasted here must shall please
    eu meu nosso quero yo mi nuestro quiero je mon notre nous ich mein wir unser bitte io mio nostro noi
    muss müssen darf dürfen nie nur doit doivent faut debe deben deve devem должен должна должны никогда только
    sempre nunca não siempre toujours jamais immer niemals nicht mai non я мы мой наш надо нужно всегда не
    """.split()
)
"""Words of which a line has one that a person says between two pastes."""
_BINDS = frozenset("never always forbidden only required".split())
"""More words that bind: programs print them often, but in a table or under a failure they count as a person's."""
_ORDERS = frozenset(
    """
    add always and but can change could do don't don’t fix keep make never only please remove so then use write
    """.split()
)
_APOSTROPHE = re.compile("['’]")
_CHARACTERS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af？]")
_RULE = re.compile(r"[\W_]+")
"""A line of signs only: what stands between such lines may be a title, and is not pasted for them."""
_COLUMNS = re.compile(
    r"\s*\S{1,60}(?: \S{1,30}){0,2}(?:\t+|\s{3,}|(?<![.!?,;:])\s\s)\S{1,60}(?: \S{1,30}){0,4}"
    r"(?:\t+|\s{3,}|(?<![.!?,;:])\s\s)\S"
)
_DRAWN = re.compile(r"[-=_*─━═~.]{3,}")
"""A line drawn below a heading: what is indented under it does not belong to it as to a bracket."""
_LABEL = re.compile(r"[^\s:]{1,40}(?: \S{1,30}){0,2} ?[:：]\s")
"""What somebody lists in two columns: "language:    Python"."""
_HEADER = re.compile(r"[A-Z][A-Za-z]{0,30}(?:-[A-Z][A-Za-z]{1,30}){1,4}:\s\S")
_HEAD = re.compile(
    r"HTTP/\d|[<>*] |[A-Z][A-Za-z]*-[A-Z][A-Za-z-]*: \S|(?:Accept|Age|Connection|Cookie|Date|Host|Server|Vary|Via): \S"
)
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


def with_pasted(text: str, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines of a text, those marked as pasted that their neighbours show to be; linear in the text."""
    block = _Block(text, lines)
    if len(lines) > 1:
        block.mark_rows()
    block.mark_report()
    block.mark_dump()
    block.mark_console()
    block.mark_hanging()
    block.mark_following()
    block.mark_between()
    block.mark_beside()
    return tuple(block.lines)


def _is_said(body: str) -> bool:
    """Tell whether a line sounds like a person: in Chinese or Japanese, a question, by its words."""
    if _CHARACTERS.search(body) or body.endswith("?"):
        return True
    words = [part for word in _WORDS.findall(body.lower()) for part in (word, *_APOSTROPHE.split(word))]
    orders = bool(words) and words[0] in _ORDERS and body[0] not in "-+#@$%&/"
    return orders or not _VOICE.isdisjoint(words)


def _may_bind(body: str) -> bool:
    """Tell whether a line sounds like a person, or binds."""
    return _is_said(body) or not _BINDS.isdisjoint(_WORDS.findall(body.lower()))


class _Block:
    """The lines of a text while those that are pasted are being marked."""

    def __init__(self, text: str, lines: Sequence[Line]) -> None:
        self.text = text
        self.lines = list(lines)
        self._pasted = [line.kind in PASTED for line in lines]

    def _mark(self, at: int, kind: LineKind | None = None) -> None:
        """Mark a line as pasted: by its own words as an error or a log, or as code."""
        self.lines[at] = self.lines[at]._replace(kind=kind or failing(self._body(at), _LOG))
        self._pasted[at] = True

    def _marked(self) -> list[int]:
        return [at for at, pasted in enumerate(self._pasted) if pasted]

    def _said(self) -> list[int]:
        return [at for at, pasted in enumerate(self._pasted) if not pasted]

    def _is_free(self, at: int) -> bool:
        return 0 <= at < len(self.lines) and not self._pasted[at]

    def _body(self, at: int) -> str:
        return self.text[self.lines[at].start : self.lines[at].end]

    def _margin(self, at: int) -> int:
        """Where the marker of a line begins, the stars of a bold one being its own."""
        _, start, _, _, marker, _ = self.lines[at]
        return start - (0 if marker == "**" else len(marker))

    def _adjoin(self, at: int) -> bool:
        """Tell whether no blank line stands between a line and the next."""
        start = self._margin(at + 1) - self.lines[at + 1].indent
        return self.text.count("\n", self.lines[at].end, start) <= 1

    def _depth(self, at: int) -> int:
        """Columns before a line."""
        indent, start = self.lines[at].indent, self._margin(at)
        return indent + self.text.count("\t", start - indent, start) * (TAB - 1)

    def mark_rows(self) -> None:
        """Mark neighbouring lines in columns."""
        bodies = [self._body(at) for at in range(len(self.lines))]
        rows = {at for at, body in enumerate(bodies) if _COLUMNS.match(body) and not _LABEL.match(body)}
        for at in rows:
            beside = (at + 1 in rows and self._adjoin(at)) or (at - 1 in rows and self._adjoin(at - 1))
            if beside and self._is_free(at) and not self.lines[at].marker and not _may_bind(self._body(at)):
                self._mark(at, _LOG)

    def mark_report(self) -> None:
        """Mark all that is indented in the report of a test runner."""
        last = max((line.end() for line in _REPORT.finditer(self.text)), default=-1)
        for at in self._said():
            if self.lines[at].start <= last and self._depth(at) > 1:
                self._mark(at, _LOG)

    def mark_dump(self) -> None:
        """Mark long runs of settings of one word each: a program printed them."""
        rows = (not self._pasted[at] and _SET.fullmatch(self._body(at)) for at in range(len(self.lines)))
        for is_row, run in groupby(enumerate(rows), lambda row: bool(row[1])):
            places = [at for at, _ in run]
            for at in places if is_row and len(places) >= DUMP else ():
                self._mark(at, _LOG)

    def mark_console(self) -> None:
        """Mark prompts and what stands right below them, up to a blank line: what was entered printed it."""
        printed = False
        for at in range(len(self.lines)):
            prompt = PROMPT.match(self._body(at)) is not None
            printed = prompt or (printed and self._adjoin(at - 1))
            if printed:
                self._mark(at, _LOG if prompt else None)

    def mark_hanging(self) -> None:
        """Mark lines that stand deeper than the pasted line before."""
        for mark in self._marked():
            before, body = self.lines[mark], self._body(mark)
            if before.fenced or _DRAWN.fullmatch(body) or (before.kind is _CODE and _LEADS.match(body)):
                continue
            at, base, failure = mark + 1, self._depth(mark), before.kind is _ERROR
            for first in range(mark, max(0, mark - LOOKED_BACK), -1):
                within = self.lines[first].kind is _ERROR and self._pasted[first - 1]
                if not (within and self._is_free(at)):
                    break
                base = min(base, self._depth(first - 1))
            while self._is_free(at) and base < (depth := self._depth(at)) > 1 and not self.lines[at].marker:
                if (failure or depth < DEEP) and not self._adjoin(at - 1):
                    break
                if failure and _may_bind(self._body(at)):
                    break
                self._mark(at, _CODE if self.lines[at - 1].kind is _CODE else None)
                at += 1

    def mark_following(self) -> None:
        """Mark headers of HTTP behind a log, and the rest of a pasted sentence that goes on in the next line."""
        for mark in self._marked():
            at = mark + 1
            while self._is_free(at) and self._adjoin(at - 1) and self._follows(at):
                self._mark(at, _LOG)
                at += 1

    def _follows(self, at: int) -> bool:
        """Tell whether a line looks like a header behind a log, or like the rest of the sentence before."""
        before, said, body = self.lines[at - 1].kind, self._body(at - 1), self._body(at)
        if _HEADER.match(body):
            return before is _LOG and _HEAD.match(said) is not None
        wrapped = len(said) >= WRAPPED and said[-1] not in ".!?:;。！？：；" and not body[0].isupper()
        if not wrapped or before is _CODE or self.lines[at].kind is not _PROSE or _is_said(body):
            return False
        return _SIGNED.match(said) is not None and is_sentence_like(said)

    def mark_between(self) -> None:
        """Mark few lines right between two pasted ones that nobody says."""
        for last, at in pairwise(self._marked()):
            ends = [(self.lines[end], self._body(end)) for end in (last, at)]
            kinds = {line.kind for line, _ in ends}
            if (
                not 1 < at - last <= MOST_BETWEEN + 1
                or kinds == {_ERROR}
                or any(line.fenced or body.startswith("$ ") or _RULE.fullmatch(body) for line, body in ends)
                or not all(map(self._adjoin, range(last, at)))
            ):
                continue
            for k in range(last + 1, at):
                body, marker = self._body(k), self.lines[k].marker
                if kinds != {_CODE}:
                    if not _is_said(body):
                        self._mark(k)
                elif marker == "# " or not (marker or is_sentence_like(body) or _is_said(body)):
                    self._mark(k, _CODE)

    def mark_beside(self) -> None:
        """Mark comments right before code, and lines full of signs right beside a log."""
        for mark in self._marked():
            kind = self.lines[mark].kind
            for at, gap in ((mark - 1, mark - 1), (mark + 1, mark)):
                if not self._is_free(at) or self.lines[at].kind is _SETTING or not self._adjoin(gap):
                    continue
                body = self._body(at)
                comment = at < mark and self.lines[at].marker == "# " and not self.lines[mark].fenced
                if kind is _CODE and comment:
                    self._mark(at, _CODE)
                signs = sum(not (sign.isalnum() or sign == " ") for sign in body)
                said = _may_bind(body) or is_sentence_like(body)
                if kind is _LOG and signs > DENSE * len(body) and not said:
                    self._mark(at)

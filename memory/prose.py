"""Prose and paste inside a typed text: what kind each line is.

People paste code, logs, stack traces, tables and settings between their sentences. Rules come from prose and list
items only; from a pasted error the identifying line; from pasted settings the setting.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class LineKind(StrEnum):
    """What a line of a typed text is."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    QUOTE = "quote"
    SETTING = "setting"
    ERROR = "error"
    LOG = "log"
    CODE = "code"


class Line(NamedTuple):
    """A line of a text: where its content stands, without blanks, list markers and heading signs.

    Attributes:
        kind: what it is.
        start, end: span of the content.
        indent: columns before the marker or content.
        marker: the list marker, "" for none.
        fenced: it stands between code fences.
    """

    kind: LineKind
    start: int
    end: int
    indent: int = 0
    marker: str = ""
    fenced: bool = False


LONGEST_LINE = 4_000
"""Characters of a line that are looked at; what people type in one line is shorter (chosen)."""

LONGEST_SETTING = 200
LONGEST_HEADING = 90
"""Characters up to which a line counts as one setting, or as a heading for what follows (chosen)."""

_PROSE, _ITEM = LineKind.PROSE, LineKind.ITEM
"""A member of an enumeration costs ten times what a name does."""
_new = tuple.__new__
"""Makes a named tuple in half the time that its name takes."""
_SHORT_FENCE = 6

_MARKER = re.compile(
    r"(?:[-*•+●▪‣–—◦·]\s{1,4}(?:\[[ xX]\]\s{1,3})?|\(?\d{1,3}[.)、．:](?!\d)\s{0,4}|[a-zA-Z][.)]\s{1,4}"
    r"|[①-⑳❶-❿]\s{0,2}"
    r"|[一二三四五六七八九十]{1,2}[、.．]\s{0,2}|\(\w{1,2}\)\s{1,2})"
)
_HEADING = re.compile(r"#{1,6}\s{1,3}(?=\S)")
_BOLD_LINE = re.compile(r"\*\*[^*]{1,120}\*\*\s?:?\s{0,3}$|\*\*[^*]{1,120}:\*\*\s{0,3}$")
_QUOTE = re.compile(r"(?:>\s?)+(?=\S)")
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")

_LOG = re.compile(
    r"(?![A-Za-z])(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]{1,2}\d\d:\d\d|\[?\d\d:\d\d:\d\d"
    r"|\[(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE)\]|\d{1,5}\s{0,3}[|│]|[|│]\s|[\^~·]{2,}"
    r"|[-=_*─━═╭╰╯╮│┌└├]{4,}|-->\s|[├└│╭╰┌]|\[(?:system|渲染层错误|webpack|vite|eslint|HMR)[^\]]{0,20}\]\s"
    r"|\d{1,3}(?:Error|Warning):|>\s\S{1,60}@\d|\$\s\S|\.{3}$|\[[\w-]{1,30}\]\s\[|\+{3}\s|-{3}\s\S|@@\s-)"
    r"|(?=[A-Za-z])(?:(?:INFO|DEBUG|TRACE):\s|at\s[\w.$<>\[\] ]{1,120}\(|File \"[^\"]{1,300}\", line \d"
    r"|Traceback \(most|npm (?:ERR!|error|warn|notice)|PS [A-Z]:\\[^>]{0,200}>"
    r"|(?:GET|POST|PUT|DELETE|HEAD) \S+ \d{3}"
    r"|(?:Compiling|Finished|Running|Downloading|Collecting|Requirement already|Installing)\s\S"
    r"|usage:\s\S{1,80}\s\[-|test (?:result: |\S{1,200} \.{3} )|running \d{1,6} tests?$"
    r"|note: (?:run with `|[Ss]ome details)"
    r"|(?:\w{1,40}::){2,12}[\w{}<>]{1,40}$"
    r"|(?:inet6?|link/|valid_lft)\s|remote:|To https?://|Enumerating|Counting objects|Compressing objects"
    r"|Writing objects|Delta compression|Total \d|Caused by:|Import trace|diff --git|index [0-9a-f]{7})"
)
_LOG_PLACE = re.compile(
    r"[\w./\\-]{1,120}:\d{1,6}(?::\d{1,5})?[:\s)]|\S{1,40}@\S{1,60}[:~][^$#\n]{0,120}[$#]\s"
    r"|\S{1,60}+\s@\s\S{1,60}:\d|[\w.$<>+:\[\]` ]{1,160}\(.{0,120}\)\s\(at\s"
)
"""Lines of logs that begin with a place; `_is_log` looks first for what every match holds."""
_INDENTED_LOG = re.compile(
    r"\s{2,12}at\s\S|\s{0,12}[|│]\s|\s{0,6}-->\s|\s{0,8}(?:inet6?|link/|valid_lft)\s"
    r"|[\w.$<>+:\[\]` ]{1,160}\(.{0,120}\)\s\(at\s"
)
"""What only a line with its blanks shows to be one."""
_INDENTED_LEADS = frozenset("a|│-ilv")
"""What follows the blanks there, but for the last, which has "(at"."""
_CODE = re.compile(
    r"(?:import\s[\w{*\"']|from\s[\w.]{1,80}\simport\s|(?:export|const|let|var|function|class|interface|type|"
    r"enum|public|private|protected|"
    r"static|async|await|return|def|fn|impl|struct|package|namespace|using|#include|throw|try|catch|else"
    r"|elif|for|while|switch|"
    r"case|SELECT|INSERT|CREATE|UPDATE)\b.{1,301}+(?<=[{;:(=,])$|[})\]]{1,6}[;,)]{0,3}$"
    r"|<[/!A-Za-z]|//\s|/\*|\*/|@\w{1,40}\(|\{$|\[\s{0,3}\{?$|\"[\w$-]{1,60}\":\s"
    r"|[\w.$\[\]'\"()]{1,80}+\s?[+*/-]?=\s?[^=\s].{1,301}+(?<=;)$|#!/|&&\s|\\$|(?:self"
    r"|this)\.\w{1,40}|raise\s\w{1,40}\(|\"\"\"|'''|[a-z_]\w{0,40}+(?:\.\w{1,40}+){0,3}+\s=\s[^=].{0,200}$"
    r"|if\s.{1,120}:$|-[A-Za-z]\s['\"]|curl\s-)"
)
"""Of a line without the blanks around it."""
_CODE_ENDS = ("{", "}", ";", "=>", "/>", "(", "',", '",', "),")
_CLOSING_TAG = re.compile(r"</\w{1,30}>$")
_LONGEST_TAG = 40
"""Characters that a match of `_CLOSING_TAG` has at most."""
_SETTING = re.compile(
    r"(?:export\s)?(?:[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8}"
    r"|--[a-z][\w-]{1,40})\s?[=:]\s?[^\s=].{0,300}$|[a-z][\w.-]{1,40}=[^\s=]\S{0,300}$"
)
_ERROR = re.compile(
    r"(?:[A-Za-z_.]{0,60}(?:Error|Exception|Warning|Fault)\b(?:\s?\[\w{1,20}\])?:\s?\S|(?:Uncaught|Unhandled)\s"
    r"|(?:error|fatal|panic|ERROR|FATAL|Error|FAILED|FAIL)(?:\[\w{1,12}\]|\s\w{1,12}\d{1,6})?\s?[:!-]\s?\S"
    r"|[×✗✖❌]\s?\S"
    r"|(?:Cannot|Can't|Could not|Couldn't|Unable to|Failed to|Module not found|No module named|Unexpected"
    r"|Invalid|Missing"
    r"|Permission denied|Access denied|Connection refused|segmentation fault|npm ERR! code|ERR_[A-Z_]{3,40})\b)"
)
_ERROR_INSIDE = re.compile(
    r"\b(?:[A-Z][A-Za-z]{1,40}(?:Error|Exception)\b|ERROR\b|error\[?\w{0,8}\]?:|WARNING\b|WARN\b|fatal:"
    r"|refused\b|denied\b"
    r"|[Ff]ailed\b|[Cc]annot\b|not found\b|ERR_\w|is not defined|is not a function|HTTP (?:error|4\d\d"
    r"|5\d\d)|status(?: code)?:? [45]\d\d)"
)
_PLAIN = re.compile(
    r"(?:(?!Enumerating)(Can't|Couldn't|[A-Za-zÀ-ÖØ-öø-ɏЀ-ӿ]{1,30})(?:['’][a-z]{1,3})?(?:[ ,]|$)[^=@\[]*+"
    r"|[\u3040-\u30ff\u3400-\u9fff](?<![一二三四五六七八九十])[^=@\[:]*+)"
    r"(?<![{};:：(=,>])"
)
_OPENERS = frozenset(
    (
        *("at", "npm", "curl", "diff", "index", "import", "from", "raise", "inet", "error", "fatal", "panic"),
        *("ERROR", "FATAL", "Error", "FAILED", "FAIL", "Uncaught", "Unhandled", "Cannot", "Can't", "Could"),
        *("Couldn't", "Unable", "Failed", "Module", "No", "Unexpected", "Invalid", "Missing", "Permission"),
        *(
            "Access",
            "Connection",
            "segmentation",
            "GET",
            "POST",
            "PUT",
            "DELETE",
            "HEAD",
            "Compiling",
            "Finished",
        ),
        *("Running", "Downloading", "Collecting", "Requirement", "Installing", "Counting", "Compressing"),
        *("Writing", "Delta", "Total", "Import", "Traceback", "PS", "To", "File", "Caused", "export"),
    )
)
"""A line that begins with another word than these and a blank, without the signs that `_PLAIN` leaves out and without
the place of a call ("(at "), is prose and can be nothing else: every pattern of the other kinds asks for such a word,
for a sign in the first word, or for one of those signs. This one look spares most lines all of them."""
_SENTENCE_LIKE = re.compile(
    r"(?<![^\W\d_])[^\W\d_]{2,}+(?:[ ,'’-]{1,2}[^\W\d_]++){3}|[\u3040-\u30ff\u3400-\u9fff]{4}"
)
_ASCII_SENTENCE_LIKE = re.compile(r"[A-Za-z](?<![A-Za-z].)[A-Za-z]++(?:[ ,'-]{1,2}[A-Za-z]++){3}")
"""The same for a line in ASCII, found in half the time."""


def lines_of(text: str) -> tuple[Line, ...]:
    """Return the lines of a text that are not blank, in order; linear in the text."""
    found: list[Line] = []
    at = 0
    fenced = False
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
            start += indent
            kind, skip, marker = _kind_of(raw, body, fenced=fenced)
            found.append(_new(Line, (kind, start + skip, start + len(body), indent, marker, fenced)))
    return tuple(found)


def _kind_of(raw: str, body: str, *, fenced: bool) -> tuple[LineKind, int, str]:
    """What a line is, how many characters of sign or marker it begins with, and the marker.

    Args:
        raw: the line.
        body: the line without the blanks around it.
        fenced: it stands between code fences.
    """
    if _ERROR.match(body):
        return LineKind.ERROR, 0, ""
    if fenced:
        return _failing(body, LineKind.CODE), 0, ""
    indented = raw[0] != body[0]
    if body[0] == ">" and not _is_log(body):
        quote = _QUOTE.match(body)
        if quote:
            return LineKind.QUOTE, quote.end(), ""
    if body[0] == "#":
        heading = _HEADING.match(body)
        if heading:
            return LineKind.HEADING, heading.end(), heading.group()
    if _is_log(body if indented else raw) or (indented and _is_indented_log(raw, body)):
        return _failing(body, LineKind.LOG), 0, ""
    return _said(body)


def _is_log(line: str) -> bool:
    if _LOG.match(line):
        return True
    return (":" in line or "@" in line or "(at" in line) and _LOG_PLACE.match(line) is not None


def _is_indented_log(raw: str, body: str) -> bool:
    return (body[0] in _INDENTED_LEADS or "(at" in body) and _INDENTED_LOG.match(raw) is not None


def _said(body: str) -> tuple[LineKind, int, str]:
    """Tell headings, items, settings and code from prose; as `_kind_of`."""
    if body.startswith("**") and _BOLD_LINE.match(body):
        return LineKind.HEADING, 0, "**"
    marker = _MARKER.match(body)
    if marker and marker.end() < len(body):
        return _ITEM, marker.end(), marker.group()
    kind = _PROSE
    if (
        len(body) < LONGEST_SETTING
        and ("=" in body or ":" in body)
        and _SETTING.match(body)
        and not body.endswith((";", "{", "("))
    ):
        kind = LineKind.SETTING
    elif _CODE.match(body) or (_ends_as_code(body) and not _is_sentence_like(body)):
        kind = LineKind.CODE
    elif len(body) < LONGEST_HEADING and body.endswith((":", "：")):
        kind = LineKind.HEADING
    return kind, 0, ""


def _is_sentence_like(body: str) -> bool:
    return (_ASCII_SENTENCE_LIKE if body.isascii() else _SENTENCE_LIKE).search(body) is not None


def _ends_as_code(body: str) -> bool:
    return body.endswith(_CODE_ENDS) or (
        body[-1] == ">" and _CLOSING_TAG.search(body, max(0, len(body) - _LONGEST_TAG)) is not None
    )


_ERROR_SIGNS = (
    *("rror", "xception", "WARN", "ail", "annot", "efused", "enied", "not found", "not defined"),
    *("not a function", "fatal", "ERR_", "HTTP", "tatus"),
)
"""Letters without one of which `_ERROR_INSIDE` can't match; looking for them is cheaper."""


def _failing(body: str, otherwise: LineKind) -> LineKind:
    if any(map(body.__contains__, _ERROR_SIGNS)) and _ERROR_INSIDE.search(body, 0, 400):
        return LineKind.ERROR
    return otherwise


def prose_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of a typed text that are prose or list items: no pasted code, logs, tables or quotes."""
    kept = (LineKind.PROSE, LineKind.ITEM, LineKind.HEADING, LineKind.SETTING)
    return tuple((line.start, line.end) for line in lines_of(text) if line.kind in kept and not line.fenced)

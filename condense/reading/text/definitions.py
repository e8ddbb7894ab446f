"""What a text defines (functions, classes, types, constants, tests, headings), and which of its lines give orders."""

from __future__ import annotations

import re

MOST_NAMES = 24  # kept of one text; chosen
_LONGEST_LINE, _LONGEST_TEXT = 400, 400_000
_DEFINES = re.compile(
    r"^[ \t]{0,16}+(?:@\w{1,40}\s{1,2})?(?:(?:export|default|public|private|protected|internal|static|final|abstract"
    r"|async|pub(?:\([a-z]{1,9}\))?|unsafe|extern|override|virtual|sealed|partial|inline|const|open|data|suspend"
    r"|readonly|declare)\s{1,3}){0,5}(?:(?:def|class|interface|struct|enum|trait|type|namespace|fn|fun|func"
    r"|function\*?|record|protocol|object|mixin|module|impl(?:<[^>\n]{1,60}>)?(?:\s{1,2}\w{1,60}\s{1,2}for)?"
    r"|macro_rules!|component)\s{1,3}(?:\([^)\n]{0,80}\)\s{0,2})?([A-Za-z_$][\w$]{0,80})|(?:const|let|var)\s{1,3}([A-Za"
    r"-z_$][\w$]{0,80})\s{0,3}(?::[^=\n]{1,80})?=\s{0,3}(?:async\s{1,3})?(?:function\b|\([^)\n]{0,200}\)\s{0,2}(?::[^="
    r"\n]{1,60})?=>|[\w$]{1,40}\s{0,2}=>|\(\{[ \t]{0,4}$|\w{1,40}\()"
    r"|([A-Z][A-Z0-9_]{2,60})\s{0,3}(?::\s{0,2}[\w\[\], .]{1,60})?=(?!=))",
    re.ASCII | re.MULTILINE,
)
_VALUE = 2  # group of the pattern that a value is named in
_METHOD = re.compile(
    r"^[ \t]{1,12}+(?:public|private|protected|internal)\s(?:[\w<>\[\],.?]{1,60}\s){1,5}([A-Za-z_]\w{0,80})\s?\(",
    re.ASCII | re.MULTILINE,
)
_SQL = re.compile(
    r"^\s{0,4}create\s(?:or\sreplace\s)?(?:table|view|index|function|type|policy|trigger)\s"
    r"(?:if\snot\sexists\s)?\"?([\w.]{1,80})",
    re.ASCII | re.MULTILINE | re.IGNORECASE,
)
_MARKUP = (".md", ".mdx", ".markdown")
_HEADING = re.compile(r"(#{1,3})[ \t]{1,9}(\S[^\n]{0,50}?)(?:[ \t]{1,9}#{1,9})?")
_FENCE = re.compile(r"\s{0,8}(`{3,}(?=[^`]*$)|~{3,})(.*)")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_TOP, _FEW = 2, 3


def defined_names(text: str, limit: int = MOST_NAMES) -> tuple[str, ...]:
    """Return the names that a text defines, in order, each once, of its first 400,000 characters."""
    text = "\n".join(line[:_LONGEST_LINE] for line in text[:_LONGEST_TEXT].split("\n"))
    found = [m for pattern in (_DEFINES, _METHOD, _SQL) for m in pattern.finditer(text) if not _is_local(m)]
    hits = sorted((m.start(), m[m.lastindex or 0]) for m in found)
    return tuple(dict.fromkeys(name for _, name in hits))[:limit]


def _is_local(found: re.Match[str]) -> bool:
    """Whether a match is a value within a function: an indented `const total = sum(`, which defines nothing."""
    text = found[0]
    is_call = text[-1] == "(" and text[-2] not in " =" and not text.endswith("useCallback(")
    return found.lastindex == _VALUE and text[0] in " \t" and is_call


def is_markup(path: str) -> bool:
    """Whether a file is a document with headings, by its name."""
    return path.lower().endswith(_MARKUP)


def names_in_file(path: str, text: str, limit: int = MOST_NAMES) -> tuple[str, ...]:
    """Return what a text written to a file defines: names of source code or, by the path's ending, headings."""
    return headings(text, limit) if is_markup(path) else defined_names(text, limit)


def headings(text: str, limit: int = MOST_NAMES) -> tuple[str, ...]:
    """Return the headings of a Markdown document of the first two levels, of the third too where these are few.

    Headings over 50 characters (sentences), fenced code and settings between `---` are left out.
    """
    found: list[tuple[int, str]] = []
    fence = ""
    text = text[:_LONGEST_TEXT].lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    settings = _FRONT_MATTER.match(text)
    for line in text[settings.end() if settings else 0 :].split("\n"):
        mark = _FENCE.match(line)
        if fence:
            closes = mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not mark[2].strip()
            fence = "" if closes else fence
        elif mark:
            fence = mark[1]
        elif m := _HEADING.fullmatch(line.rstrip()):
            found.append((len(m[1]), m[2]))
    top = [name for level, name in found if level <= _TOP]
    return tuple(dict.fromkeys(top if len(top) >= _FEW else [name for _, name in found]))[:limit]


_ORDER = re.compile(
    r"^\W{0,6}(?:\d{1,3}[.)]\s)?(?:please |then |also )?(?:run|use|prefer|follow|keep|update|write|put|place|format"
    r"|lint|test|commit|push|start|read|check|review|document|ask|verify|build|install|stick|match|favou?r)\s"
    r"|\b[\w/-]{2,60}\.(?:md|mdx|rst|adoc)\b|^\W{0,6}(?:\d{1,3}[.)、]\s?)?(?:先|请|使用|运行|遵循|更新|提交)"
    r"|\b(?:before|after|once|when(?:ever)?|if)\b.*\b(?:run|use|update|follow|ask|commit|check|rebuild|regenerate)\b",
    re.IGNORECASE | re.ASCII,
)


def is_order(line: str) -> bool:
    """Tell whether a line says what to do, or on what occasion, or names a document."""
    return _ORDER.search(line) is not None

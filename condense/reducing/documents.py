"""Weights for texts that were written by somebody: source files, diffs, JSON, HTML, prose."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from condense.reducing.runs import weigh_run
from condense.reducing.sheets import LOOK, has_words

if TYPE_CHECKING:
    from condense.reducing.sheets import Sheet

NUMBERED = re.compile(r"\s{0,8}\d{1,7}(?:\t|: ?|→| \| ?|\s{1,2})")
"""What editors and `cat -n` put before a line."""


@cache
def _defines() -> re.Pattern[str]:
    return re.compile(
        r"\s{0,16}(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\(\w{1,9}\))?|"
        r"unsafe|override|virtual|sealed|partial|const|open|data|suspend|declare)\s{1,3}){0,5}"
        r"(?:def|class|interface|struct|enum|trait|type|namespace|fn|fun|func|function\*?|record|impl|module|package|"
        r"CREATE|create)\b"
        r"|\s{0,4}(?:export )?(?:const|let|var)\s\w{1,80}.{0,80}=>|\[{1,2}[\w.\"' -]{1,80}\]{1,2}\s{0,3}$|#{1,6}\s\S|"
        r"\s{1,12}(?:public|private|protected|internal)\s[\w<>\[\], ]{1,80}\("
    )


_IMPORT = re.compile(r"\s{0,4}(?:import|from|use|using|#include|require|package|const .{1,80}= ?require\()\b")
_COMMENT = re.compile(r"\s{0,40}(?:#(?!!|include)|//|/\*|\*|--|;|\"\"\"|''')")
_TASK = re.compile(r"\b(?:TO-?DO|FIX-?ME|HACK|BUG)\b")
_SETTING = re.compile(r"\s{0,12}[\"']?[\w.$/@-]{1,80}[\"']?\s{0,3}[:=]\s{0,3}\S")
_CONSTANT = re.compile(
    r"\s{0,8}(?:export |public |static |const |final ){0,4}[A-Z][A-Z0-9_]{2,60}\s{0,3}(?::.{1,60})?="
)


def weigh_file(sheet: Sheet) -> list[float]:
    """Definitions and headings first, constants and settings, statements; comments, imports, blanks and braces last."""
    defines = _defines()
    weights = []
    for line in sheet.lines:
        head = line[:LOOK]
        m = NUMBERED.match(head)
        body = head[m.end() :] if m else head
        if not has_words(body):
            weights.append(0.0 if not body.strip() else 0.02)
        elif defines.match(body):
            weights.append(0.8)
        elif _CONSTANT.match(body):
            weights.append(0.55 if body[0].isspace() else 0.86)
        elif _TASK.search(body):
            weights.append(0.55)
        elif _IMPORT.match(body):
            weights.append(0.3)
        elif _COMMENT.match(body):
            weights.append(0.22)
        elif _SETTING.match(body):
            weights.append(0.4)
        else:
            weights.append(0.3)
    return weights


_LOCKED = re.compile(r"lock|\.min\.|\.map$|\.snap$|dist/|generated")


def weigh_diff(sheet: Sheet) -> list[float]:
    """Which files and where, then what changed, then commit messages; context lines and lock files last."""
    weights = []
    locked = False
    for i, line in enumerate(sheet.lines):
        head = line[:LOOK]
        mark = head[:1]
        if head.startswith(("diff --git", "+++ ", "*** Update", "*** Add", "*** Delete", "Index: ")):
            locked = bool(_LOCKED.search(head))
            weights.append(0.85)
        elif head.startswith("--- "):
            weights.append(0.3)
        elif head.startswith("@@"):
            weights.append(0.1 if locked else 0.7)
        elif mark in ("+", "-"):
            weights.append(0.03 if locked else (0.6 if has_words(head[1:]) else 0.02))
        elif head.startswith("commit "):
            weights.append(0.8)
        elif head.startswith(("index ", "similarity ", "Author:", "Date:")):
            weights.append(0.1)
        elif "|" in head and re.search(r"\| +(?:\d+|Bin)", head):
            weights.append(0.7)
        elif i in sheet.closing or head.startswith(("Binary files", "new file", "deleted file", "rename ")):
            weights.append(0.95 if i in sheet.closing else 0.6)
        elif not head.strip():
            weights.append(0.0)
        else:
            weights.append(
                0.55 if head.startswith("    ") and not locked and "commit " in sheet.text[:8] else 0.14
            )
    return weights


_KEY = re.compile(r"\s{0,80}[-\s]{0,2}[\"']?([\w.$@/ -]{1,80})[\"']?\s?:")
_TELLING = frozenset(
    [
        "error",
        "errors",
        "message",
        "msg",
        "status",
        "code",
        "reason",
        "detail",
        "details",
        "name",
        "id",
        "title",
        "type",
        "version",
        "path",
        "file",
        "url",
        "summary",
        "result",
        "state",
        "success",
        "description",
        "total",
        "count",
        "key",
        "value",
        "exception",
        "cause",
        "level",
    ]
)


def weigh_json(sheet: Sheet) -> list[float]:
    """Shallow before deep, telling keys before others, the first items of an array before the many that follow."""
    weights = []
    seen: Counter[tuple[int, str]] = Counter()
    for i, line in enumerate(sheet.lines):
        head = line[:LOOK]
        if not has_words(head):
            weights.append(0.03 if head.strip() else 0.0)
            continue
        indent = len(head) - len(head.lstrip())
        m = _KEY.match(head)
        key = m[1].strip().lower() if m else ""
        place = (indent, key)
        seen[place] += 1
        weight = (0.6 if key in _TELLING else 0.45) / (1 + indent / 16) / (1 + 0.1 * (seen[place] - 1))
        if i in sheet.trouble and ("rror" in head or "xception" in head):
            weight = max(weight, 0.9 if sheet.trouble[i] >= 1.0 else 0.7)
        weights.append(weight)
    return weights


_HTML_HEAD = re.compile(r"<(?:title|h[1-6]|meta name=\"description\")\b", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,600}>")
_SCRIPT = re.compile(r"<(script|style|svg)\b", re.IGNORECASE)


def weigh_html(sheet: Sheet) -> list[float]:
    """Titles and headings, then lines with text or links; tags alone, scripts and styles last."""
    weights = []
    closing = ""
    for line in sheet.lines:
        head = line[: LOOK * 4]
        if closing:
            weights.append(0.02)
            if closing in head.lower():
                closing = ""
            continue
        m = _SCRIPT.search(head)
        if m and f"</{m[1].lower()}>" not in head.lower():
            closing = f"</{m[1].lower()}>"
            weights.append(0.05)
            continue
        text = _TAG.sub(" ", head).strip() if "<" in head else head.strip()
        if _HTML_HEAD.search(head):
            weights.append(0.9)
        elif not has_words(text):
            weights.append(0.25 if "href=" in head or "src=" in head else 0.02)
        else:
            weights.append(0.45 if len(text) > 20 else 0.3)  # noqa: PLR2004  # a phrase rather than a label
    return weights


_HEADING = re.compile(
    r"\s{0,3}(?:#{1,6}\s\S|[A-Z][^.!?]{2,60}:$|\*\*[^*]{2,80}\*\*:?$|[一二三四五六七八九十]{1,3}[、.]|第.{1,4}[章节部])"
)
_ITEM = re.compile(r"\s{0,12}(?:[-*+•]|\d{1,3}[.)、])\s")


def weigh_plain(sheet: Sheet) -> list[float]:
    """Headings, list items and the first line of each paragraph; trouble and outcomes as in a command's output."""
    weights = weigh_run(sheet, base=0.32)
    before_blank = True
    fenced = False
    for i, line in enumerate(sheet.lines):
        if not line.strip():
            before_blank = True
            continue
        if line.lstrip().startswith("```"):
            fenced = not fenced
            weights[i] = 0.1
        elif weights[i] < 0.9 and not fenced:  # noqa: PLR2004  # errors and outcomes stay as they are
            if _HEADING.match(line[:LOOK]):
                weights[i] = max(weights[i], 0.7)
            elif _ITEM.match(line[:LOOK]) or before_blank:
                weights[i] = max(weights[i], 0.45)
        before_blank = False
    return weights

"""Weights for lists of things: search results, folder listings, tables."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from condense.reducing.sheets import LOOK, has_words

if TYPE_CHECKING:
    from condense.reducing.sheets import Sheet

_HIT = re.compile(r"((?:[A-Za-z]:)?[^\s:|][^:|\n]{0,300}?)[:-](\d{1,7})[:-]|\| `([^`\n]{1,300})` \|")
_DEFINES = re.compile(
    r"[:|\s](?:def|class|function|func|fn|interface|struct|enum|type|const|export|public|CREATE TABLE)\s"
)
_GENERATED = re.compile(
    r"(?:^|[\s/\\])(?:node_modules|\.git|__pycache__|\.venv|venv|dist|\.next|\.cache|\.mypy_cache"
    r"|\.pytest_cache|target/debug|"
    r"target/release|coverage|\.idea|\.gradle|vendor|bower_components)(?:[/\\]|$)|\.(?:pyc|class|o|map"
    r"|lock|min\.js)$|package-lock"
)
_TOTALS = re.compile(
    r"\d+ (?:director|files?|match|results?|lines? match)|Found \d+|End of matches|No (?:matches|files"
    r"|results)|Binary file|找到|共 ?\d"
    r"|truncated|results? (?:shown|omitted)|个结果"
)


_COMPLAINT = re.compile(
    r"(?:/[\w/]{1,40}/)?(?:ls|grep|rg|find|fd|tree|du|cat|head|sed|gci|Get-ChildItem) ?: "
)
_COMPLAINTS_HEARD = 2


def _complaint(line: str, heard: Counter[str]) -> float | None:
    """The weight of a line in which the tool itself complains; None for other lines."""
    if not _COMPLAINT.match(line):
        return None
    heard["complaints"] += 1
    return 0.95 if heard["complaints"] <= _COMPLAINTS_HEARD else 0.2


def weigh_grep(sheet: Sheet) -> list[float]:
    """Counts first; then the hits, those of one file ever less, definitions more, generated files hardly."""
    weights = []
    hits: Counter[str] = Counter()
    heard: Counter[str] = Counter()
    for line in sheet.lines:
        head = line[:LOOK]
        if not has_words(head) or head == "--":
            weights.append(0.0)
            continue
        complaint = _complaint(head, heard)
        if complaint is not None:
            weights.append(complaint)
            continue
        if _TOTALS.search(head[:200]) and not _HIT.match(head):
            weights.append(0.95)
            continue
        if _GENERATED.search(head[:300]):
            weights.append(0.05)
            continue
        m = _HIT.match(head)
        key = (m[1] or m[3]) if m else ""
        hits[key] += 1
        weight = 0.62 / (1 + 0.12 * (hits[key] - 1)) if m else 0.5 / (1 + 0.03 * (hits[key] - 1))
        weights.append(min(0.85, weight + 0.22) if _DEFINES.search(head) else weight)
    return weights


_LONG_FORMAT = re.compile(r"[-dlcbps][rwxsStT-]{9}[@+.]?\s+\d+\s+\S+\s+\S+\s+[\d.,]+\w?\s+.{5,20}?\s(?=\S)")
_TREE = re.compile(r"[\s│├└─|`+\\-]*")


def weigh_listing(sheet: Sheet) -> list[float]:
    """Totals first; folders before files, shallow before deep, the first of a folder before the rest."""
    weights = []
    entries: Counter[str] = Counter()
    heard: Counter[str] = Counter()
    folder = ""
    for line in sheet.lines:
        head = line[:LOOK].rstrip()
        if not has_words(head):
            weights.append(0.0)
            continue
        complaint = _complaint(head, heard)
        if complaint is not None or _TOTALS.search(head):
            weights.append(complaint or 0.95)
            continue
        if _GENERATED.search(head):
            weights.append(0.04)
            continue
        if head.endswith(":") and " " not in head:
            folder = head
            weights.append(0.6)
            continue
        long_format = _LONG_FORMAT.match(head)
        name = head[long_format.end() :] if long_format else head
        bare = name[_TREE.match(name).end() :] if (name[:1] in " │├└|`+\\-") else name  # type: ignore[union-attr]  # always matches
        depth = bare.count("/") + bare.count("\\") + (len(name) - len(bare)) // 4
        is_folder = bare.endswith(("/", "\\")) or (long_format is not None and head.startswith("d"))
        parent = folder or bare.replace("\\", "/").rpartition("/")[0]
        entries[parent] += 1
        weight = (0.55 if is_folder else 0.45) / (1 + 0.06 * (entries[parent] - 1)) / (1 + 0.08 * depth)
        weights.append(weight)
    return weights


_TABLE_RULE = re.compile(r"[\s|+:=─━┼├┤┬┴┌┐└┘│╪╞╡-]{3,}$")


def weigh_table(sheet: Sheet) -> list[float]:
    """The heading (what stands above a rule), totals and trouble first; rows ever less from the top."""
    lines = sheet.lines
    weights = []
    rows = 0
    for i, line in enumerate(lines):
        head = line[:LOOK]
        if not head.strip():
            weights.append(0.0)
            rows = 0
        elif _TABLE_RULE.match(head):
            weights.append(0.5 if rows <= 1 else 0.02)
        elif i + 1 < len(lines) and _TABLE_RULE.match(lines[i + 1][:LOOK]) and rows == 0:
            weights.append(0.92)
            rows = 1
        elif i in sheet.closing or head.lstrip("| ").lower().startswith(("total", "sum", "合计", "总计")):
            weights.append(0.9)
        elif i in sheet.trouble:
            weights.append(max(0.6, sheet.trouble[i] * 0.9))
        else:
            rows += 1
            weights.append(0.55 / (1 + 0.03 * rows))
    return weights

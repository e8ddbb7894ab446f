"""Calls whose results say more than their arguments: of SWE-agent's line editor, and of SpecStory's exports."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from condense.reading.calls.tool_names import ToolAction, ToolUse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from condense.reading.calls.tool_names import LineRange, ToolRow

_EDITOR = re.compile(
    r"""open\s{1,4}["']?(?P<open>[^\s"']{1,400})["']?(?:\s{1,4}\d{1,9})?\s{0,9}"""
    r"""|(?P<move>goto\s{1,4}\d{1,9}|scroll_(?:up|down))\s{0,9}"""
    r"""|create\s{1,4}["']?(?P<create>[^\s"']{1,400})["']?\s{0,9}"""
    r"""|(?P<edit>edit)\s{1,4}(\d{1,9}):(\d{1,9})\s{0,4}\n(?P<new>.{0,400000}?)(?:\n?end_of_edit\s{0,9})?"""
    r"""|(?:search_(?:dir|file)|(?P<list>find_file))\s{1,4}["']?(?P<search>[^\n]{1,300}?)["']?(?:\s{1,4}(?P<in>\S{1,400}))?"""
    r"""\s{0,9}|(?P<submit>submit)\s{0,9}""",
    re.DOTALL,
)
_SHOWN_FILE = re.compile(r"^\[File: (.{1,400}) \(\d{1,9} lines total\)\]", re.MULTILINE)
_OPEN_FILE = re.compile(r"^\(Open file: (.{1,400})\)", re.MULTILINE)
_NUMBERED = re.compile(r"^(\d{1,9}):", re.MULTILINE)


def line_editor_uses(use: ToolUse, result: str) -> tuple[ToolUse, ...]:
    """Return what an editor command does, `use` being its RUN; nothing where the command is an ordinary one."""
    m = _EDITOR.fullmatch(use.subject.strip() + "\n")
    if m is None:
        return ()
    shown = _SHOWN_FILE.search(result[:2000])
    there = shown or _OPEN_FILE.search(result[-2000:])
    paths = (there[1],) if there and there[1] != "n/a" else ()
    show = replace(use, action=ToolAction.READ, paths=paths, lines=_shown_lines(result))
    if m["open"]:
        return (replace(show, paths=(shown[1] if shown else m["open"],)),)
    if m["move"]:
        return (show,)
    if m["create"]:
        return (replace(use, action=ToolAction.CREATE, paths=(shown[1] if shown else m["create"],)),)
    if m["edit"]:
        lines = int(m[5]), int(m[6])
        edit = replace(use, action=ToolAction.EDIT, paths=paths, new=m["new"], lines=lines)
        return (edit, show) if _SHOWN_FILE.search(result) else (edit,)
    if m["search"]:
        action = ToolAction.LIST if m["list"] else ToolAction.SEARCH
        return (replace(use, action=action, subject=m["search"], paths=(m["in"],) if m["in"] else ()),)
    return (replace(use, action=ToolAction.ANSWER, subject=""),)


def _shown_lines(result: str) -> LineRange | None:
    """The first and last line number that stand before the lines of a result; None where there are none."""
    first = _NUMBERED.search(result[:20_000])
    last = _NUMBERED.findall(result[-20_000:])
    return (int(first[1]), int(last[-1] if last else first[1])) if first else None


_SAID = re.compile(
    r"[•·]\s{0,2}(Read file|Edit file|Run command|Searched web|Grep for|Searched codebase)s?:?\s(.{1,4000})",
    re.DOTALL,
)
_PATH = re.compile(
    r"\"(?:relativeWorkspacePath|file_path|filePath|target_file|_fsPath|path)\":\s\"((?:[^\"\\\n]|\\.){1,500})\""
)
_COMMAND = re.compile(
    r"^\s{0,3}\* command: (.{1,8000}?)(?=^\*Result\*:|^\s{0,3}\* \w{1,30}: |\Z)", re.MULTILINE | re.DOTALL
)
_CONTENT = re.compile(r"\"content\":\s(\"(?:[^\"\\]++|\\.)*+\")")
_TOUCHING = (ToolAction.READ, ToolAction.CREATE, ToolAction.EDIT, ToolAction.DELETE)


def read_export(name: str, row: ToolRow, given: Mapping[str, Any], result: str) -> ToolUse | None:
    """Return what such a call does; None where what is given is no such line of text."""
    if not isinstance(given.get("summary"), str) or not set(given) <= {"summary", "tool_type"}:
        return None
    m = _SAID.search(given["summary"][:8000])
    said = m[2].strip() if m else ""
    use = ToolUse(name, row.action, subject=said)
    if m and m[1] == "Run command":
        return replace(use, action=ToolAction.RUN)
    if row.action is ToolAction.RUN:
        asked = _COMMAND.search(result[:20_000])
        return replace(use, subject=said or (asked[1].strip() if asked else ""))
    if row.action is ToolAction.PLAN:
        return replace(use, subject="", items=result)
    if row.action not in _TOUCHING:
        return use
    path = said.split("\n", 1)[0].strip()
    if not path and (found := _PATH.search(result[:4000])):
        path = found[1].replace("\\\\", "\\")
    new, old = _diff_texts(result) if row.action is not ToolAction.READ else ("", "")
    return replace(use, subject="", paths=(path,) if path else (), new=new or _content(result), old=old)


def _diff_texts(result: str) -> tuple[str, str]:
    """The added and the removed lines of the fenced diffs in a result."""
    found: dict[str, list[str]] = {"+": [], "-": []}
    inside = False
    for line in result.split("\n"):
        if line.startswith("```"):
            inside = line.startswith("```diff")
        elif inside and line[:1] in found:
            found[line[0]].append(line[1:].removeprefix(" "))
    return "\n".join(found["+"]), "\n".join(found["-"])


def _content(result: str) -> str:
    """The text of a `"content": "..."` field of the JSON in a result."""
    m = _CONTENT.search(result[:500_000])
    try:
        return str(json.loads(m[1], strict=False)) if m else ""
    except ValueError:
        return ""

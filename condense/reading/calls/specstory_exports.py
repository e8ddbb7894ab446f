"""Tool calls in exports that keep a line of text instead of the arguments (SpecStory's Markdown).

The line says "Read file: x" or "Run command: y"; where it says less, the result may name the file or the command.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from condense.reading.calls.tool_names import ToolAction, ToolUse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from condense.reading.calls.tool_names import ToolRow

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

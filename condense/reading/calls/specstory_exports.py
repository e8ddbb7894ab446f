"""Tool calls in exports that keep a line of text instead of the arguments (SpecStory's Markdown).

The line says "Read file: x" or "Run command: y"; where it says less, the result may name the file or the
command.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from condense.reading.calls.tool_names import ToolAction
from condense.reading.calls.tool_uses import ToolUse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from condense.reading.calls.tool_names import ToolRow


def is_export(given: Mapping[str, Any]) -> bool:
    """Tell whether arguments are such a line of text."""
    return isinstance(given.get("summary"), str) and set(given) <= {"summary", "tool_type"}


@cache
def _said() -> re.Pattern[str]:
    return re.compile(
        r"[•·]\s{0,2}(Read file|Edit file|Run command|Searched web|Grep for|Searched codebase)s?:?\s(.{1,4000})",
        re.DOTALL,
    )


@cache
def _path() -> re.Pattern[str]:
    return re.compile(
        r"\"(?:relativeWorkspacePath|file_path|filePath|target_file|_fsPath|path)\":\s"
        r"\"((?:[^\"\\\n]|\\.){1,500})\""
    )


@cache
def _command() -> re.Pattern[str]:
    return re.compile(
        r"^\s{0,3}\* command: (.{1,8000}?)(?=^\*Result\*:|^\s{0,3}\* \w{1,30}: |\Z)", re.MULTILINE | re.DOTALL
    )


_TOUCHING = (ToolAction.READ, ToolAction.CREATE, ToolAction.EDIT, ToolAction.DELETE)


def read_export(name: str, row: ToolRow, given: Mapping[str, Any], result: str) -> ToolUse:
    """Return what such a call does.

    Args:
        name: the tool.
        row: what is known about it.
        given: its arguments, `is_export` of which is True.
        result: the text that came back.
    """
    m = _said().search(str(given.get("summary", ""))[:8000])
    said = m[2].strip() if m else ""
    use = ToolUse(name, row.action)
    if m and m[1] == "Run command":
        return replace(use, action=ToolAction.RUN, subject=said)
    if row.action is ToolAction.RUN:
        asked = _command().search(result[:20_000])
        return replace(use, subject=said or (asked[1].strip() if asked else ""))
    if row.action is ToolAction.PLAN:
        return replace(use, items=result)
    if row.action not in _TOUCHING:
        return replace(use, subject=said)
    path = said.split("\n", 1)[0].strip()
    if not path:
        found = _path().search(result[:4000])
        path = found[1].replace("\\\\", "\\") if found else ""
    new, old = _diff_texts(result) if row.action is not ToolAction.READ else ("", "")
    return replace(use, paths=(path,) if path else (), new=new or _content(result), old=old)


def _diff_texts(result: str) -> tuple[str, str]:
    """The added and the removed lines of the fenced diffs in a result."""
    new: list[str] = []
    old: list[str] = []
    inside = False
    for line in result.split("\n"):
        if line.startswith("```"):
            inside = line.startswith("```diff")
        elif inside and line.startswith("+"):
            new.append(line[1:].removeprefix(" "))
        elif inside and line.startswith("-"):
            old.append(line[1:].removeprefix(" "))
    return "\n".join(new), "\n".join(old)


def _content(result: str) -> str:
    """The text of a `"content": "..."` field of the JSON in a result."""
    m = re.search(r"\"content\":\s\"((?:[^\"\\]++|\\.)*+)\"", result[:500_000])
    if m is None:
        return ""
    try:
        return str(json.loads(f'"{m[1]}"', strict=False))
    except ValueError:
        return ""

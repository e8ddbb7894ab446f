"""The commands of SWE-agent's line editor, which arrive through its shell: open, goto, scroll, edit, create, search.

They work on the file that is open; which one that is, and which lines of it are shown, stands in the result.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from condense.reading.calls.tool_names import ToolAction

if TYPE_CHECKING:
    from condense.reading.calls.tool_uses import LineRange, ToolUse

_OPEN = re.compile(r"open\s{1,4}[\"']?([^\s\"']{1,400})[\"']?(?:\s{1,4}\d{1,9})?\s{0,9}")
_MOVE = re.compile(r"(?:goto\s{1,4}\d{1,9}|scroll_(?:up|down))\s{0,9}")
_CREATE = re.compile(r"create\s{1,4}[\"']?([^\s\"']{1,400})[\"']?\s{0,9}")
_EDIT = re.compile(
    r"edit\s{1,4}(\d{1,9}):(\d{1,9})\s{0,4}\n(.{0,400000}?)(?:\n?end_of_edit\s{0,9})?", re.DOTALL
)
_SEARCH = re.compile(
    r"(?:search_(?:dir|file)|find_file)\s{1,4}[\"']?(.{1,300}?)[\"']?(?:\s{1,4}(\S{1,400}))?\s{0,9}"
)
_SUBMIT = re.compile(r"submit\s{0,9}")

_SHOWN_FILE = re.compile(r"^\[File: (.{1,400}) \(\d{1,9} lines total\)\]", re.MULTILINE)
_OPEN_FILE = re.compile(r"^\(Open file: (.{1,400})\)", re.MULTILINE)
_NUMBERED = re.compile(r"^(\d{1,9}):", re.MULTILINE)


def line_editor_uses(use: ToolUse, result: str) -> tuple[ToolUse, ...] | None:
    """Return what an editor command does; None where the command is an ordinary one.

    Args:
        use: a RUN with the command as its subject.
        result: the text that came back, "" where there is none.
    """
    text = use.subject.strip() + "\n"
    word = text.split(None, 1)[0] if text.strip() else ""
    if m := _OPEN.fullmatch(text):
        return (
            replace(use, action=ToolAction.READ, paths=(_shown(result) or m[1],), lines=shown_lines(result)),
        )
    if _MOVE.fullmatch(text):
        return (replace(use, action=ToolAction.READ, paths=_paths(result), lines=shown_lines(result)),)
    if m := _CREATE.fullmatch(text):
        return (replace(use, action=ToolAction.CREATE, paths=(_shown(result) or m[1],)),)
    if word == "edit" and (m := _EDIT.fullmatch(text)):
        paths = _paths(result)
        edit = replace(use, action=ToolAction.EDIT, paths=paths, new=m[3], lines=(int(m[1]), int(m[2])))
        if _SHOWN_FILE.search(result):
            return (edit, replace(use, action=ToolAction.READ, paths=paths, lines=shown_lines(result)))
        return (edit,)
    if word in ("search_dir", "search_file", "find_file") and (m := _SEARCH.fullmatch(text)):
        action = ToolAction.LIST if word == "find_file" else ToolAction.SEARCH
        return (replace(use, action=action, subject=m[1], paths=(m[2],) if m[2] else ()),)
    if _SUBMIT.fullmatch(text):
        return (replace(use, action=ToolAction.ANSWER, subject=""),)
    return None


def _shown(result: str) -> str:
    m = _SHOWN_FILE.search(result[:2000])
    return m[1] if m else ""


def _paths(result: str) -> tuple[str, ...]:
    m = _SHOWN_FILE.search(result[:2000]) or _OPEN_FILE.search(result[-2000:])
    return (m[1],) if m and m[1] != "n/a" else ()


def shown_lines(result: str) -> LineRange | None:
    """Return the first and last line number that stand before the lines of a result; None where there are none."""
    first = _NUMBERED.search(result[:20_000])
    if first is None:
        return None
    last = None
    for last in _NUMBERED.finditer(result[-20_000:]):  # noqa: B007  # only the last one is wanted
        pass
    return int(first[1]), int(last[1]) if last else int(first[1])

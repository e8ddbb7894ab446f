"""The commands of SWE-agent's line editor, which arrive through its shell: open, goto, scroll, edit, create, search.

They work on the file that is open; which one that is, and which lines of it are shown, stands in the result.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from condense.reading.calls.tool_names import ToolAction

if TYPE_CHECKING:
    from condense.reading.calls.tool_names import LineRange, ToolUse

_COMMAND = re.compile(
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
    m = _COMMAND.fullmatch(use.subject.strip() + "\n")
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

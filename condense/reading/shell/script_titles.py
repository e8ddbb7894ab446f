"""What a script of tool calls (Codex's `exec`) is for, in a line."""

from __future__ import annotations

import re

from condense.reading.calls import ToolAction, row_of

_NESTED = re.compile(r"\btools\.(\w{1,60})\(", re.ASCII)
_GIVEN = re.compile(
    r"\b(cmd|command|q|url|ref_id)[\"']?\s{0,3}:\s{0,3}(?:\"((?:[^\"\\\n]|\\.){1,4000})\"|'([^'\n]{1,4000})')",
    re.ASCII,
)
_ESCAPED = re.compile(r"\\(.)")


def script_title(text: str) -> str:
    """What a script of tool calls is for: the first line of the first command, else the addresses and questions."""
    given = [(m[1], _ESCAPED.sub(_unescaped, m[2] or m[3])) for m in _GIVEN.finditer(text[:8000])]
    for key, value in given:
        if key in ("cmd", "command"):
            return first_line(value)
    return "; ".join(value for key, value in given if key != "ref_id" or "://" in value) or first_line(text)


def _unescaped(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t", "r": "\r"}.get(found[1], found[1])


def first_action(text: str) -> ToolAction:
    """What the first tool does that a script calls; OTHER where it calls none."""
    nested = _NESTED.search(text)
    return row_of(nested[1]).action if nested else ToolAction.OTHER


def first_line(text: str) -> str:
    """The first line of a text that says anything."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")

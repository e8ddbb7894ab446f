"""The value of one use of a tool: what a call does, told apart from how its agent writes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condense.reading.calls.tool_names import ToolAction

LineRange = tuple[int, int]
"""First and last line, 1-based, both included."""

LAST_LINE = 1 << 30
"""Stands for "to the end of the file"."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One thing that a tool call does.

    Attributes:
        name: the tool, as called.
        action: what it does.
        paths: files or folders it is about, as written.
        subject: the command line (RUN), the pattern (SEARCH, LIST), the address or query (FETCH), the
            question (ASK), the job (DELEGATE), the answer (ANSWER), the subject (PLAN of one task).
        new: text written, "" where unknown.
        old: text replaced, "" where unknown.
        workdir: the folder it runs in, where the call says so.
        lines: the lines a READ asks for; None for the whole file.
        moved_to: the new path of a file that is moved.
        items: PLAN: the entries as given (objects or Markdown).
        session: the running process that a RUN writes to.
    """

    name: str
    action: ToolAction
    paths: tuple[str, ...] = ()
    subject: str = ""
    new: str = ""
    old: str = ""
    workdir: str | None = None
    lines: LineRange | None = None
    moved_to: str | None = None
    items: Any = None
    session: str | None = None

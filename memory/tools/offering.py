"""Which tools there are, given what there is to remember with; and how one is called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from memory.errors import MemoryFailure
from memory.notes import DEFAULT_SOURCE, cites
from memory.tools.memories import expand_tool, forget_tool, pending_tool, recall_tool, remember_tool
from memory.tools.notes import get_tool, read_tool, search_tool, write_tool
from memory.tools.values import Tool, ToolResult, clipped, harmless, read_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memory.notes import Documents, Notebook
    from memory.projects import PersistentMemoryManager


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """How tools answer; `ValueError` for values out of range.

    memory_write marks lines with `channel`; remember says things were said in `task_id`. `citations` and
    `session_key`: see `memory.notes.cites`. All snippets of one search have `max_injected_chars` characters, a page
    for None.
    """

    channel: str = DEFAULT_SOURCE
    task_id: str = "tools"
    citations: str = "auto"
    session_key: str = ""
    max_injected_chars: int | None = None
    may_write: bool = True

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        cites(self.citations)
        if self.max_injected_chars is not None and self.max_injected_chars < 0:
            raise ValueError(
                f"max_injected_chars is {self.max_injected_chars!r}; it should be 0 or more, or None"
            )
        if not self.channel.strip():
            raise ValueError(f"channel is {self.channel!r}; it should not be blank")


LONGEST_COMPLAINT: Final = 1000
"""Characters of what is said of a wrong call (chosen: a few lines)."""

_DEFAULTS: Final = ToolSettings()


def memory_tools(
    *,
    notebook: Notebook | None = None,
    documents: Documents | None = None,
    project: PersistentMemoryManager | None = None,
    originals: Callable[[str], str] | None = None,
    now: Callable[[], float] | None = None,
    settings: ToolSettings = _DEFAULTS,
) -> dict[str, Tool]:
    """Return the tools that what is given makes possible, by name.

    `notebook` makes memory_write, memory_search by keywords, memory_read; `documents` memory_search by a question and
    memory_get; `project` remember, recall_memory, forget, list_pending (`ValueError` without a clock: `now` or its
    own); `originals` expand: it gives the text of an archived original by its handle.
    """
    offered: list[Tool] = []
    now = now or (project.clock if project is not None else None)
    if project is not None:
        if now is None:
            raise ValueError("now is None, and the project has no clock; it should tell the time")
        offered += [
            remember_tool(project, settings.task_id, now),
            recall_tool(project, now),
            forget_tool(project),
        ]
    if notebook is not None:
        offered.append(write_tool(notebook, settings.channel))
    if notebook is not None or documents is not None:
        cited = cites(settings.citations, settings.session_key)
        offered.append(search_tool(notebook, documents, cited=cited, most=settings.max_injected_chars))
    offered += [read_tool(notebook)] if notebook is not None else []
    offered += [get_tool(documents)] if documents is not None else []
    offered += [expand_tool(originals)] if originals is not None else []
    offered += [pending_tool(project, now)] if project is not None and now is not None else []
    return {tool.name: tool for tool in offered if settings.may_write or not tool.writes}


def call_tool(tools: Mapping[str, Tool], name: str, arguments: Mapping[str, Any] | None) -> ToolResult:
    """Call one of `memory_tools` as a model asked for it; what it asked wrongly is answered, not raised."""
    tool = tools.get(name)
    try:
        if tool is not None:
            return tool.run(read_arguments(tool.parameters, arguments or {}))
        why = f"There is no tool {name!r}; there are: {', '.join(tools) or 'none'}."
    except (ValueError, MemoryFailure) as error:
        why = f"{name}: {error}"
    return ToolResult(harmless(clipped(why, LONGEST_COMPLAINT)), is_error=True)

"""Which tools there are, given what there is to remember with; and how one is called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from memory.errors import MemoryFailure
from memory.notes import DEFAULT_SOURCE, CitationMode
from memory.tools.arguments import read_arguments
from memory.tools.fencing import clipped, harmless
from memory.tools.memories import expand_tool, forget_tool, pending_tool, recall_tool, remember_tool
from memory.tools.notes import get_tool, read_tool, search_tool, write_tool
from memory.tools.values import Tool, ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memory.notes import Documents, Notebook
    from memory.projects import PersistentMemoryManager


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """How tools answer.

    Attributes:
        channel: the source that memory_write marks lines with.
        task_id: the task that remember says things were said in.
        citations: whether passages say where they stand: "on", "off", "auto" (in direct chats).
        session_key: tells a direct chat from a group and a channel; see `memory.notes.citations.chat_type_of`.
        max_injected_chars: characters of all snippets of one search; None for `memory.tools.fencing.PAGE`.
        may_write: offer the tools that change something.

    Raises:
        ValueError: a value is out of range.
    """

    channel: str = DEFAULT_SOURCE
    task_id: str = "tools"
    citations: str = "auto"
    session_key: str = ""
    max_injected_chars: int | None = None
    may_write: bool = True

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        CitationMode(self.citations)
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
    """Return the tools that what is given makes possible, by name; none for nothing.

    Args:
        notebook: for memory_write, memory_search by keywords, memory_read.
        documents: for memory_search by a question, memory_get.
        project: for remember, recall_memory, forget, list_pending.
        originals: for expand; gives the text of an archived original by its handle.
        now: tells the time, seconds since 1970 UTC; the clock of `project` when left out.
        settings: how they answer.

    Raises:
        ValueError: a project without a clock.
    """
    offered: list[Tool] = []
    if project is not None:
        now = now or project.clock
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
        offered.append(
            search_tool(
                notebook,
                documents,
                citations=settings.citations,
                chat=chat_type_of(settings.session_key),
                max_injected_chars=settings.max_injected_chars,
            )
        )
    if notebook is not None:
        offered.append(read_tool(notebook))
    if documents is not None:
        offered.append(get_tool(documents))
    if originals is not None:
        offered.append(expand_tool(originals))
    if project is not None and now is not None:
        offered.append(pending_tool(project, now))
    return {tool.name: tool for tool in offered if settings.may_write or not tool.writes}


def call_tool(tools: Mapping[str, Tool], name: str, arguments: Mapping[str, Any] | None) -> ToolResult:
    """Call a tool as a model asked for it; what it asked wrongly is answered, not raised.

    Args:
        tools: what `memory_tools` returned.
        name: of the tool.
        arguments: as the model wrote them.
    """
    tool = tools.get(name)
    if tool is None:
        return _refused(f"There is no tool {name!r}; there are: {', '.join(tools) or 'none'}.")
    try:
        return tool.run(read_arguments(tool.parameters, arguments or {}))
    except (ValueError, MemoryFailure) as error:
        return _refused(f"{name}: {error}")


def _refused(why: str) -> ToolResult:
    """Say what was wrong with a call, without giving back all that it was given."""
    return ToolResult(harmless(clipped(why, LONGEST_COMPLAINT)), is_error=True)

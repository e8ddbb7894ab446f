"""The agent's own memory tools in a conversation: what a `remember` or `forget` call asks for.

Assistant text never becomes a memory; a call of one of these two tools is the one exception.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memory.entries import MemoryPriority, MemoryType
from memory.messages import PartKind, Role

if TYPE_CHECKING:
    from memory.messages import Message

MAX_CONTENT = 2000
"""Characters of a `remember` call that are kept, and that the tool takes (chosen: a memory is a few sentences)."""

_TOOL = re.compile(r"(?:mcp__.{1,100}__)?(?P<verb>remember|forget)\Z", re.DOTALL)
_CONTENT_KEYS = ("content", "text", "memory", "query", "id")


_ASSISTANT, _TOOL_CALL = Role.ASSISTANT, PartKind.TOOL_CALL
"""A member of an enumeration costs ten times what a name does."""


class MemoryRequest(NamedTuple):
    """What one call asks for.

    Attributes:
        part: index of the call in its message.
        forget: retire what matches `content` instead of keeping it.
        content: the words, trimmed, at most `MAX_CONTENT` characters.
        type: where the call names one of the six.
        priority: where the call names one of the four.
    """

    part: int
    forget: bool
    content: str
    type: MemoryType | None
    priority: MemoryPriority | None


def memory_requests(message: Message) -> tuple[MemoryRequest, ...]:
    """Return what the `remember` and `forget` calls of an assistant's message ask for, in order.

    The tools are known by name, alone or as an MCP tool (`mcp__server__remember`). Arguments without words ask
    for nothing; a type or priority that does not exist is left out.
    """
    if message.role is not _ASSISTANT:
        return ()
    found: list[MemoryRequest] = []
    for index, part in enumerate(message.parts):
        verb = _TOOL.match(part.name) if part.kind is _TOOL_CALL and part.name else None
        if verb is None or part.arguments is None:
            continue
        arguments = {"content": part.arguments} if isinstance(part.arguments, str) else part.arguments
        words = [arguments[key] for key in _CONTENT_KEYS if isinstance(arguments.get(key), str)]
        content = next((text.strip() for text in words if text.strip()), "")[:MAX_CONTENT]
        if content:
            kind, priority = arguments.get("type"), arguments.get("priority")
            found.append(
                MemoryRequest(
                    index,
                    verb["verb"] == "forget",
                    content,
                    MemoryType(kind) if kind in _TYPES else None,
                    MemoryPriority(priority) if priority in _PRIORITIES else None,
                )
            )
    return tuple(found)


_TYPES = tuple(kind.value for kind in MemoryType)
_PRIORITIES = tuple(priority.value for priority in MemoryPriority)

"""The agent's own memory tools in a conversation: what a `remember` or `forget` call did.

Assistant text never becomes a memory of the person's; a call of one of these two tools that succeeded is taken as the
agent's proposal. What counts is its result: a call that failed, or that nothing answers, did nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memory.conversation import MEMORY_TOOL, PartKind
from memory.entries import MemoryPriority, MemoryType

if TYPE_CHECKING:
    from memory.conversation import Message

MAX_CONTENT = 2000
"""Characters of a `remember` call that are kept, and that the tool takes (chosen: a memory is a few sentences)."""

_CONTENT_KEYS = ("content", "text", "memory", "query", "id")

_FAILED = re.compile(
    r"\b(?:error|exception|fail(?:ed|ure|s)?|denied|declined|rejected|refused|interrupted|cancel+ed|aborted|unable|invalid"
    r"|cannot|can't|couldn't|could not|did not|didn't|was not|isn't|is not|unknown|no such|timed out|not found"
    r"|doesn't want|no project)\b|错误|失败|拒绝|取消|无法|未能|エラー|失敗|ошибка|не удалось",
    re.IGNORECASE,
)
_READ = 200
"""Characters of a result in which it says that the call failed (chosen)."""
_RESULT = PartKind.TOOL_RESULT


class MemoryRequest(NamedTuple):
    """What one call asked for.

    Attributes:
        part: index of its result in the message that brings it.
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
    """Return what `remember` and `forget` calls asked for whose results a message brings, in order.

    Only results count that carry the name and the arguments of their call (`tool_answers.named_results`) and say of
    no failure. Arguments without words ask for nothing; a type or priority that does not exist is left out.
    """
    found: list[MemoryRequest] = []
    for index, part in enumerate(message.parts):
        verb = MEMORY_TOOL.match(part.name) if part.kind is _RESULT and part.name else None
        if verb is None or part.arguments is None:
            continue
        arguments = {"content": part.arguments} if isinstance(part.arguments, str) else part.arguments
        words = [arguments[key] for key in _CONTENT_KEYS if isinstance(arguments.get(key), str)]
        content = next((text.strip() for text in words if text.strip()), "")[:MAX_CONTENT]
        said = part.text.replace(content, "")[:_READ]
        if content and not part.is_error and not _FAILED.search(said):
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

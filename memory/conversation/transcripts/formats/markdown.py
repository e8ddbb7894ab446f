"""A conversation as Markdown for people: who speaks, what is called with what, what comes back."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import PartKind, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.conversation.messages import Message, Part

_TITLES = {Role.SYSTEM: "System", Role.USER: "User", Role.ASSISTANT: "Assistant", Role.TOOL: "Tool"}
_SHORT_ARGUMENT = 200  # chosen: longer or many-lined arguments get a block of their own


def render_markdown(messages: Sequence[Message]) -> str:
    """Write a conversation for reading; it cannot be read back.

    A heading a speaker, texts as they are, calls as a line and a code block, results in code blocks, thinking as a
    quotation. Nothing is shortened.
    """
    names = {part.call_id: part.name for message in messages for part in message.calls}
    blocks: list[str] = []
    speaker = ""
    for message in messages:
        title = _title(message)
        if title != speaker:
            blocks.append(f"## {title}")
            speaker = title
        blocks.extend(block for part in message.parts for block in _part(part, names))
    return "\n\n".join(blocks) + "\n"


def _title(message: Message) -> str:
    if message.meta.is_compact_summary:
        return "Summary of what came before"
    only_results = message.parts and all(part.kind is PartKind.TOOL_RESULT for part in message.parts)
    title = _TITLES[Role.TOOL if only_results else message.role]
    return f"{title} (sub-agent)" if message.meta.is_sidechain else title


def _part(part: Part, names: Mapping[str | None, str | None]) -> Iterator[str]:
    if part.kind is PartKind.TEXT:
        if part.text.strip():
            yield part.text.strip("\n")
    elif part.kind is PartKind.THINKING:
        if part.text.strip():
            yield "\n".join(f"> {line}".rstrip() for line in part.text.strip().split("\n"))
    elif part.kind is PartKind.TOOL_CALL:
        yield from _call(part)
    elif part.kind is PartKind.TOOL_RESULT:
        failed = " failed" if part.is_error else ""
        yield f"**Result** of `{part.name or names.get(part.call_id) or part.call_id}`{failed}"
        yield _fenced(part.text)
    elif part.kind is PartKind.MEDIA:
        yield f"*[{part.text}]*"
    else:
        yield f"*[{part.name}]*"


def _call(part: Part) -> Iterator[str]:
    yield f"**Call** `{part.name}`"
    if isinstance(part.arguments, str):
        yield _fenced(part.arguments)
        return
    for key, value in (part.arguments or {}).items():
        text = value if isinstance(value, str) else _json(value)
        if "\n" in text or "`" in text or len(text) > _SHORT_ARGUMENT:
            yield f"- {key}:"
            yield _fenced(text)
        else:
            yield f"- {key}: `{text}`" if text else f"- {key}: (empty)"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _fenced(text: str) -> str:
    """Put a text in a code block whose fence does not occur in it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}"

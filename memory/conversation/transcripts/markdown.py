"""A conversation as Markdown for people: who speaks, what is called with what, what comes back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.conversation.messages import PartKind, Role
from memory.conversation.wire import write_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.conversation.messages import Message, Part

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
    title = (Role.TOOL if only_results else message.role).capitalize()
    return f"{title} (sub-agent)" if message.meta.is_sidechain else title


def _part(part: Part, names: Mapping[str | None, str | None]) -> Iterator[str]:
    if part.kind is PartKind.TOOL_CALL:
        yield from _call(part)
    elif part.kind is PartKind.TOOL_RESULT:
        failed = " failed" if part.is_error else ""
        yield f"**Result** of `{part.name or names.get(part.call_id) or part.call_id}`{failed}"
        yield _fenced(part.text)
    elif part.kind in {PartKind.MEDIA, PartKind.OPAQUE}:
        yield f"*[{part.text or part.name}]*"
    elif part.kind is PartKind.TEXT and part.text.strip():
        yield part.text.strip("\n")
    elif part.text.strip():
        yield "\n".join(f"> {line}".rstrip() for line in part.text.strip().split("\n"))


def _call(part: Part) -> Iterator[str]:
    yield f"**Call** `{part.name}`"
    if isinstance(part.arguments, str):
        yield _fenced(part.arguments)
        return
    for key, value in (part.arguments or {}).items():
        text = write_arguments(value)
        if "\n" in text or "`" in text or len(text) > _SHORT_ARGUMENT:
            yield f"- {key}:"
            yield _fenced(text)
        else:
            yield f"- {key}: `{text}`" if text else f"- {key}: (empty)"


def _fenced(text: str) -> str:
    """Put a text in a code block whose fence does not occur in it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}"

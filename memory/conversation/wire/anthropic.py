"""The Anthropic Messages form: dict <-> `Message`.

Source: the Messages API reference (content blocks), and what Claude Code sends (`role: "system"` inside
    `messages`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, Part, PartKind, Role
from memory.conversation.wire.fields import read_meta, wrong
from memory.conversation.wire.results import medium_text, read_result, with_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Blocks = list[dict[str, Any]]

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
_MEDIA = frozenset({"image", "document"})
_PLAIN = 2
"""How many keys a message has that is a role and a content: most are."""
_TEXT, _FORM = PartKind.TEXT, Form.ANTHROPIC
"""A member of an enumeration costs ten times what a name does."""


def parse(value: Mapping[str, Any], index: int | None = None) -> Message:
    """Read one message; linear in its number of blocks, texts are shared, not copied.

    Raises:
        WireError: role, content or a block is of the wrong type, or a field that pairs calls is missing.
    """
    role = value.get("role")
    known = _ROLES.get(role) if isinstance(role, str) else None
    if known is None:
        raise wrong(index, "role", role, "'user', 'assistant' or 'system'")
    content = value.get("content")
    if isinstance(content, str):
        parts: tuple[Part, ...] = (Part(_TEXT, content),)
        if len(value) == _PLAIN:
            return Message(known, parts, _FORM, value)
    elif isinstance(content, list):
        parts = tuple([_part(block, index, at) for at, block in enumerate(content)])
    elif content is None:
        parts = ()
    else:
        raise wrong(index, "content", content, "a string or a list of blocks")
    return Message(known, parts, _FORM, value, read_meta(value))


def _part(block: Any, index: int | None, at: int) -> Part:
    if not isinstance(block, dict):
        raise wrong(index, f"content[{at}]", block, "a block, an object with a 'type'")
    kind = block.get("type")
    if kind == "text":
        return Part(_TEXT, _string(block, "text", index, at))
    if kind == "tool_use":
        arguments = block.get("input")
        if not isinstance(arguments, (dict, str)):
            if arguments is not None:
                raise wrong(index, f"content[{at}].input", arguments, "an object")
            arguments = {}
        name = _string(block, "name", index, at)
        return Part(PartKind.TOOL_CALL, "", _string(block, "id", index, at), name, arguments)
    if kind == "tool_result":
        text, failed = read_result(block.get("content"), index, f"content[{at}].content")
        failed = failed or block.get("is_error") is True
        return Part(PartKind.TOOL_RESULT, text, _string(block, "tool_use_id", index, at), is_error=failed)
    if kind == "thinking":
        signed = bool(block.get("signature"))
        return Part(PartKind.THINKING, _string(block, "thinking", index, at), signed=signed)
    if kind == "redacted_thinking":
        return Part(PartKind.THINKING, signed=True)
    if isinstance(kind, str):
        if kind in _MEDIA:
            return Part(PartKind.MEDIA, medium_text(block))
        return Part(PartKind.OPAQUE, name=kind)
    raise wrong(index, f"content[{at}].type", kind, "a string such as 'text', 'tool_use' or 'tool_result'")


def _string(block: Mapping[str, Any], field: str, index: int | None, at: int) -> str:
    value = block.get(field)
    if isinstance(value, str):
        return value
    raise wrong(index, f"content[{at}].{field}", value, "a string")


def text_value(role: Role, text: str) -> dict[str, Any]:
    """Write a new message of one text."""
    if role is Role.TOOL:
        raise wrong(None, "role", role.value, "'user', 'assistant' or 'system' in the Anthropic form")
    return {"role": role.value, "content": text}


def result_value(call_id: str, text: str) -> dict[str, Any]:
    """Write a new user message of one tool result."""
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id, "content": text}]}


def replaced(message: Message, changes: Mapping[int, Part | None]) -> dict[str, Any] | None:
    """Copy the raw value with some of its blocks changed or removed; None where no block is left."""
    raw = message.raw
    content = raw.get("content")
    if isinstance(content, str):
        part = changes.get(0)
        return None if part is None else {**raw, "content": part.text}
    blocks: Blocks = []
    for at, block in enumerate(content or ()):
        if at not in changes:
            blocks.append(block)
            continue
        part = changes[at]
        if part is not None:
            blocks.append(_changed(block, message.parts[at], part))
    return {**raw, "content": blocks} if blocks else None


def _changed(block: dict[str, Any], old: Part, new: Part) -> dict[str, Any]:
    if old.kind is PartKind.TEXT:
        return {**block, "text": new.text}
    if old.kind is PartKind.TOOL_RESULT:
        return {**block, "content": with_text(block.get("content"), new.text)}
    if old.kind is PartKind.TOOL_CALL and new.kind is PartKind.TOOL_CALL:
        arguments = new.arguments
        return {
            **block,
            "input": dict(arguments) if not isinstance(arguments, str) and arguments else arguments or {},
        }
    if old.kind is PartKind.THINKING and new.kind is PartKind.THINKING:
        return {**block, "thinking": new.text}
    kept = {"cache_control": block["cache_control"]} if "cache_control" in block else {}
    return {"type": "text", "text": new.text, **kept}


def joined(results: Sequence[Message]) -> dict[str, Any]:
    """Write one user message of the blocks of several, the tool results first, each kind in its order."""
    blocks: Blocks = []
    for message in results:
        content = message.raw.get("content")
        blocks.extend([{"type": "text", "text": content}] if isinstance(content, str) else content or [])
    blocks.sort(key=lambda block: block.get("type") != "tool_result")
    return {**results[0].raw, "content": blocks}

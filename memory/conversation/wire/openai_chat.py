"""The OpenAI Chat Completions form: dict <-> `Message`.

Parts come in this order: the content (a string is part 0, a list one part a block), reasoning that some
providers put beside it, refusal and audio, `tool_calls`, the older `function_call`. A `tool` or `function`
message is one TOOL_RESULT part.

Source: the Chat Completions API reference; `reasoning_content` (DeepSeek), `reasoning` and
    `reasoning_details` (OpenRouter), `thinking_blocks` (LiteLLM) from those projects' documentation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, Part, PartKind, Role
from memory.conversation.wire.fields import read_arguments, read_meta, write_arguments, wrong
from memory.conversation.wire.results import medium_text, read_result, with_text
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_MEDIA = frozenset({"image_url", "input_audio", "file", "video_url"})
_REASONING_TEXT = ("reasoning_content", "reasoning")
_REASONING_LISTS = ("reasoning_details", "thinking_blocks")
_UNREAD = ("refusal", "audio")
_BESIDE_CONTENT = frozenset((*_REASONING_TEXT, *_REASONING_LISTS, *_UNREAD, "tool_calls", "function_call"))

_Place = tuple[str, int | None]
"""Where a part stands in the raw value: key, and position where the value under the key is a list."""


def parse(value: Mapping[str, Any], index: int | None = None) -> Message:
    """Read one message; linear in its number of blocks, texts are shared, not copied.

    Raises:
        WireError: role, content or a block is of the wrong type, or a field that pairs calls is missing.
    """
    role = value.get("role")
    known = _ROLES.get(role) if isinstance(role, str) else None
    if known is None:
        raise wrong(index, "role", role, f"one of {', '.join(map(repr, _ROLES))}")
    content = value.get("content")
    if known is Role.TOOL:
        return Message(known, (_result(value, content, index),), Form.OPENAI_CHAT, value, read_meta(value))
    if isinstance(content, str):
        parts = [Part(PartKind.TEXT, content)]
    elif isinstance(content, list):
        parts = [_block(block, index, at) for at, block in enumerate(content)]
    elif content is None:
        parts = []
    else:
        raise wrong(index, "content", content, "a string, a list of blocks or null")
    if known is Role.ASSISTANT and not _BESIDE_CONTENT.isdisjoint(value):
        parts.extend(_beside_content(value, index))
    return Message(known, tuple(parts), Form.OPENAI_CHAT, value, read_meta(value))


def _result(value: Mapping[str, Any], content: Any, index: int | None) -> Part:
    text, failed = read_result(content, index)
    name = value.get("name")
    if value["role"] == "function":
        if not isinstance(name, str):
            raise wrong(index, "name", name, "the name of the function that answered")
        return Part(PartKind.TOOL_RESULT, text, _legacy_id(name), name, is_error=failed)
    call_id = value.get("tool_call_id")
    if not isinstance(call_id, str):
        raise wrong(index, "tool_call_id", call_id, "the id of the call it answers, a string")
    return Part(PartKind.TOOL_RESULT, text, call_id, name if isinstance(name, str) else None, is_error=failed)


def _legacy_id(name: str) -> str:
    """Pair an older function call, which has no id, by the function's name."""
    return f"function_call_{name}"


def _block(block: Any, index: int | None, at: int) -> Part:
    if isinstance(block, str):
        return Part(PartKind.TEXT, block)
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(kind, str):
        raise wrong(index, f"content[{at}]", block, "a block, an object with a 'type'")
    if kind == "text":
        text = block.get("text")
        if not isinstance(text, str):
            raise wrong(index, f"content[{at}].text", text, "a string")
        return Part(PartKind.TEXT, text)
    if kind in _MEDIA:
        return Part(PartKind.MEDIA, medium_text(block))
    return Part(PartKind.OPAQUE, name=kind)


def _beside_content(value: Mapping[str, Any], index: int | None) -> Iterator[Part]:
    for key, at in _places_beside_content(value, index):
        found = value[key]
        if key in _REASONING_TEXT:
            yield Part(PartKind.THINKING, found)
        elif key in _REASONING_LISTS:
            yield Part(PartKind.THINKING, signed=True)
        elif key in _UNREAD:
            yield Part(PartKind.OPAQUE, name=key)
        elif at is None:
            yield _legacy_call(found, index)
        else:
            yield _call(found[at], index, at)


def _places_beside_content(value: Mapping[str, Any], index: int | None = None) -> Iterator[_Place]:
    for key in _REASONING_TEXT:
        if isinstance(value.get(key), str) and value[key]:
            yield key, None
    for key in (*_REASONING_LISTS, *_UNREAD):
        if value.get(key):
            yield key, None
    calls = value.get("tool_calls")
    if isinstance(calls, list):
        for at in range(len(calls)):
            yield "tool_calls", at
    elif calls is not None:
        raise wrong(index, "tool_calls", calls, "a list of calls or null")
    if value.get("function_call") is not None:
        yield "function_call", None


def _call(call: Any, index: int | None, at: int) -> Part:
    if not isinstance(call, dict):
        raise wrong(index, f"tool_calls[{at}]", call, "an object with 'id' and 'function'")
    call_id = call.get("id")
    if not isinstance(call_id, str):
        raise wrong(index, f"tool_calls[{at}].id", call_id, "a string")
    key = "custom" if call.get("type") == "custom" else "function"
    function = call.get(key)
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise wrong(index, f"tool_calls[{at}].{key}", function, "an object with 'name' and its arguments")
    arguments = function.get("input") if key == "custom" else read_arguments(function.get("arguments"))
    return Part(PartKind.TOOL_CALL, "", call_id, function["name"], arguments)


def _legacy_call(call: Any, index: int | None) -> Part:
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        raise wrong(index, "function_call", call, "an object with 'name' and 'arguments'")
    name = call["name"]
    return Part(PartKind.TOOL_CALL, "", _legacy_id(name), name, read_arguments(call.get("arguments")))


def text_value(role: Role, text: str) -> dict[str, Any]:
    """Write a new message of one text."""
    if role is Role.TOOL:
        raise wrong(
            None, "role", role.value, "'user', 'assistant' or 'system'; results are made by make_result"
        )
    return {"role": role.value, "content": text}


def result_value(call_id: str, text: str, call: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Write a new tool message; `call` is the raw message of the call, which tells the older form."""
    if call is not None and not call.get("tool_calls") and isinstance(call.get("function_call"), dict):
        return {"role": "function", "name": call["function_call"]["name"], "content": text}
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def replaced(message: Message, changes: Mapping[int, Part | None]) -> dict[str, Any] | None:
    """Copy the raw value with some of its parts changed or removed; None where no part is left."""
    raw = dict(message.raw)
    if message.role is Role.TOOL:
        part = changes.get(0)
        return None if part is None else {**raw, "content": with_text(raw.get("content"), part.text)}
    if len([part for part in changes.values() if part is None]) == len(message.parts):
        return None
    content = raw.get("content")
    blocks = content if isinstance(content, list) else []
    kept: list[Any] = []
    for at, block in enumerate(blocks):
        part = changes.get(at, message.parts[at])
        if part is not None:
            kept.append(_changed_block(block, part) if at in changes else block)
    if blocks:
        raw["content"] = kept or None
    elif isinstance(content, str) and 0 in changes:
        part = changes[0]
        raw["content"] = None if part is None else part.text
    _change_beside_content(
        raw, changes, len(blocks) if isinstance(content, list) else int(content is not None)
    )
    return raw


def _changed_block(block: Any, part: Part) -> dict[str, Any]:
    if isinstance(block, dict) and block.get("type") == "text":
        return {**block, "text": part.text}
    return {"type": "text", "text": part.text}


def _change_beside_content(raw: dict[str, Any], changes: Mapping[int, Part | None], first: int) -> None:
    """Apply the changes of the parts from number `first` on to the copied value."""
    if raw.get("role") != "assistant":
        return
    dropped: list[int] = []
    for number, (key, at) in enumerate(list(_places_beside_content(raw)), first):
        if number not in changes:
            continue
        part = changes[number]
        if part is None and at is None:
            del raw[key]
        elif part is None and at is not None:
            dropped.append(at)
        elif part is not None and key in _REASONING_TEXT:
            raw[key] = part.text
        elif part is not None and key == "function_call":
            raw[key] = {**raw[key], "arguments": write_arguments(part.arguments)}
        elif part is not None and at is not None:
            raw[key] = [_changed_call(c, part) if n == at else c for n, c in enumerate(raw[key])]
        else:
            raise WireError(f"{key} cannot be rewritten; it should be kept, or removed with None")
    if dropped:
        raw["tool_calls"] = [call for at, call in enumerate(raw["tool_calls"]) if at not in dropped]
        if not raw["tool_calls"]:
            del raw["tool_calls"]


def _changed_call(call: dict[str, Any], part: Part) -> dict[str, Any]:
    written = write_arguments(part.arguments)
    if call.get("type") == "custom":
        return {**call, "custom": {**call["custom"], "input": written}}
    return {**call, "function": {**call["function"], "arguments": written}}

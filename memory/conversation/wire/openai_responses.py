"""The OpenAI Responses form: one item <-> one `Message`.

Message items have one part a block (a string is part 0), every other item is one part: calls and their
outputs whatever the tool's kind (`function_call`, `custom_tool_call`, `local_shell_call`, ... and
`..._output`), reasoning, and what we only carry (`web_search_call` and other items that a server answered
itself, compaction items).

Source: the Responses API reference, and what Codex writes into its rollouts (`{"content": ..., "success": ...}` as an
output).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, Part, PartKind, Role
from memory.conversation.wire.fields import read_arguments, read_meta, write_arguments, wrong
from memory.conversation.wire.results import medium_text, read_result, with_text
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Mapping

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM}
_TEXT = frozenset({"input_text", "output_text", "text", "summary_text", "reasoning_text"})
_MEDIA = frozenset({"input_image", "input_file", "input_audio", "computer_screenshot"})
_ARGUMENT_KEYS = ("arguments", "input", "action", "operation", "actions")


def parse(value: Mapping[str, Any], index: int | None = None) -> Message:
    """Read one item; linear in its number of blocks, texts are shared, not copied.

    Raises:
        WireError: type, role, content or a block is of the wrong type, or a field that pairs calls is
            missing.
    """
    kind = value.get("type")
    if kind == "message" or (kind is None and "role" in value):
        return _message(value, index)
    if not isinstance(kind, str):
        raise wrong(index, "type", kind, "the type of an item, such as 'message' or 'function_call'")
    role = Role.ASSISTANT
    if kind == "reasoning":
        part = _reasoning(value)
    elif kind.endswith("_call") and (call_id := _call_id(value, kind)) is not None:
        name = value.get("name")
        named = name if isinstance(name, str) else kind.removesuffix("_call")
        part = Part(PartKind.TOOL_CALL, "", call_id, named, _arguments(value, kind))
    elif kind.endswith("_output") and (call_id := _call_id(value, kind)) is not None:
        text, failed = _output(value.get("output"), index)
        part = Part(PartKind.TOOL_RESULT, text, call_id, is_error=failed)
        role = Role.TOOL
    elif kind in {"function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"}:
        raise wrong(index, "call_id", value.get("call_id"), "a string that pairs the call with its output")
    else:
        part = Part(PartKind.OPAQUE, name=kind)
    return Message(role, (part,), Form.OPENAI_RESPONSES, value, read_meta(value))


def _call_id(value: Mapping[str, Any], kind: str) -> str | None:
    call_id = value.get("call_id")
    if isinstance(call_id, str):
        return call_id
    if kind in {"local_shell_call", "local_shell_call_output"}:
        own = value.get("id")
        return own if isinstance(own, str) else None
    return None


def _arguments(value: Mapping[str, Any], kind: str) -> Mapping[str, Any] | str:
    for key in _ARGUMENT_KEYS:
        if key in value:
            found = value[key]
            if kind == "custom_tool_call" and isinstance(found, str):
                return found
            return read_arguments(found)
    return {}


def _output(output: Any, index: int | None) -> tuple[str, bool]:
    """Read text and failure of an output; an object is Codex's, or a screenshot."""
    if isinstance(output, dict):
        content = output.get("content")
        if isinstance(content, str):
            return content, output.get("success") is False
        return f"[{medium_text(output)}]", False
    return read_result(output, index, "output")


def _message(value: Mapping[str, Any], index: int | None) -> Message:
    role = value.get("role")
    known = _ROLES.get(role) if isinstance(role, str) else None
    if known is None:
        raise wrong(index, "role", role, f"one of {', '.join(map(repr, _ROLES))}")
    content = value.get("content")
    if isinstance(content, str):
        parts: tuple[Part, ...] = (Part(PartKind.TEXT, content),)
    elif isinstance(content, list):
        parts = tuple([_block(block, index, at) for at, block in enumerate(content)])
    elif content is None:
        parts = ()
    else:
        raise wrong(index, "content", content, "a string or a list of blocks")
    return Message(known, parts, Form.OPENAI_RESPONSES, value, read_meta(value))


def _block(block: Any, index: int | None, at: int) -> Part:
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(kind, str):
        raise wrong(index, f"content[{at}]", block, "a block, an object with a 'type'")
    if kind in _TEXT:
        text = block.get("text")
        if not isinstance(text, str):
            raise wrong(index, f"content[{at}].text", text, "a string")
        return Part(PartKind.TEXT, text)
    if kind in _MEDIA:
        return Part(PartKind.MEDIA, medium_text(block))
    return Part(PartKind.OPAQUE, name=kind)


def _reasoning(value: Mapping[str, Any]) -> Part:
    texts = [
        block["text"]
        for key in ("summary", "content")
        for block in _list(value.get(key))
        if isinstance(block, dict) and isinstance(block.get("text"), str)
    ]
    return Part(PartKind.THINKING, "\n".join(texts), signed=bool(value.get("encrypted_content")))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def text_value(role: Role, text: str) -> dict[str, Any]:
    """Write a new message item of one text."""
    if role is Role.TOOL:
        raise wrong(
            None, "role", role.value, "'user', 'assistant' or 'system'; results are made by make_result"
        )
    kind = "output_text" if role is Role.ASSISTANT else "input_text"
    return {"type": "message", "role": role.value, "content": [{"type": kind, "text": text}]}


def result_value(call_id: str, text: str, call: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Write a new output item; `call` is the raw item of the call, which tells the kind of output."""
    kind = call.get("type") if call is not None else None
    # Codex answers local_shell_call with function_call_output, and the API takes it.
    output = f"{kind}_output" if kind in {"custom_tool_call", "shell_call"} else "function_call_output"
    return {"type": output, "call_id": call_id, "output": text}


def replaced(message: Message, changes: Mapping[int, Part | None]) -> dict[str, Any] | None:
    """Copy the raw item with some of its blocks changed or removed; None where nothing is left."""
    raw = message.raw
    if not (raw.get("type") == "message" or "role" in raw):
        part = changes.get(0)
        return None if part is None else _changed_item(raw, message.parts[0], part)
    content = raw.get("content")
    if isinstance(content, str):
        part = changes.get(0)
        return None if part is None else {**raw, "content": part.text}
    kind = "output_text" if message.role is Role.ASSISTANT else "input_text"
    blocks: list[dict[str, Any]] = []
    for at, block in enumerate(content or ()):
        part = changes.get(at, message.parts[at])
        if at not in changes:
            blocks.append(block)
        elif part is not None and message.parts[at].kind is PartKind.TEXT:
            blocks.append({**block, "text": part.text})
        elif part is not None:
            blocks.append({"type": kind, "text": part.text})
    return {**raw, "content": blocks} if blocks else None


def _changed_item(raw: Mapping[str, Any], old: Part, new: Part) -> dict[str, Any]:
    if old.kind is PartKind.TOOL_CALL and new.kind is PartKind.TOOL_CALL:
        key = next((key for key in _ARGUMENT_KEYS if key in raw), "arguments")
        as_object = isinstance(raw.get(key), dict) and not isinstance(new.arguments, str)
        written = dict(new.arguments or {}) if as_object else write_arguments(new.arguments)  # type: ignore[arg-type]  # a mapping here
        return {**raw, key: written}
    if old.kind is PartKind.TOOL_RESULT:
        return {**raw, "output": _changed_output(raw.get("output"), new.text)}
    raise WireError(
        f"item of type {raw.get('type')!r} cannot be rewritten; it should be kept, or removed with None"
    )


def _changed_output(output: Any, text: str) -> Any:
    if isinstance(output, dict):
        return {**output, "content": text} if isinstance(output.get("content"), str) else text
    return with_text(output, text)

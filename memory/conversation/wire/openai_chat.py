"""The OpenAI Chat Completions form.

Parts come in this order: the content (a string is part 0, a list one part a block), reasoning beside it
(`reasoning_content`: DeepSeek, `reasoning`, `reasoning_details`: OpenRouter, `thinking_blocks`: LiteLLM), refusal and
audio, `tool_calls`, the older `function_call`. A `tool` or `function` message is one TOOL_RESULT part.

Source: the Chat Completions API reference, and those projects' documentation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, Part, PartKind, Role
from memory.conversation.wire.anthropic import plain
from memory.conversation.wire.fields import read_arguments, write_arguments, wrong
from memory.conversation.wire.form import Step, WireForm, arguments_json
from memory.conversation.wire.results import read_result, with_text
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_REASONING_TEXT = ("reasoning_content", "reasoning")
_REASONING_LISTS = ("reasoning_details", "thinking_blocks")
_UNREAD = ("refusal", "audio")
_OLDER_ID = "function_call_"  # older calls have no id: the function's name pairs them with their answers


class OpenAIChat(WireForm):
    """Texts in the content, calls beside it, a message a result."""

    form = Form.OPENAI_CHAT
    roles = {**WireForm.roles, "tool": Role.TOOL, "function": Role.TOOL}  # noqa: RUF012
    media = frozenset("image_url input_audio file video_url".split())

    def _parts(self, value: Mapping[str, Any], role: Role, index: int | None) -> list[Part]:
        if role is Role.TOOL:
            return [_result(value, index)]
        read = super()._parts(value, role, index)
        if role is Role.ASSISTANT:
            read.extend(_beside(value, key, at, index) for key, at in _places(value, index))
        return read

    def _block(self, block: Any, index: int | None, at: int) -> Part:
        """Read one block; some servers send bare strings."""
        return Part(PartKind.TEXT, block) if isinstance(block, str) else super()._block(block, index, at)

    def result_value(self, call_id: str, text: str, name: str | None, call: Mapping[str, Any]) -> dict[str, Any]:
        """Write a new tool message, or the older answer of a function."""
        if not call.get("tool_calls") and isinstance(call.get("function_call"), dict):
            value = {"role": "function", "name": call["function_call"]["name"], "content": text}
        else:
            value = {"role": "tool", "tool_call_id": call_id, "content": text}
        return value if name is None else {**value, "name": name}

    def replaced(self, message: Message, changes: Mapping[int, Part | None]) -> dict[str, Any] | None:
        """Copy the raw value with some of its parts changed or removed; None where no part is left."""
        raw = dict(message.raw)
        if message.role is Role.TOOL:
            part = changes.get(0)
            return None if part is None else {**raw, "content": with_text(raw.get("content"), part.text)}
        if list(changes.values()).count(None) == len(message.parts):
            return None
        places = list(_places(raw, None)) if message.role is Role.ASSISTANT else []
        first = len(message.parts) - len(places)
        if any(at < first for at in changes):
            content = super().replaced(message, {at: new for at, new in changes.items() if at < first})
            raw["content"] = None if content is None else content["content"]
        calls: list[Any] = list(raw.get("tool_calls") or ())
        for number in [at for at in changes if at >= first]:
            (key, at), part = places[number - first], changes[number]
            if key == "tool_calls":
                calls[at] = None if part is None else _changed_call(calls[at], part)
            elif part is None:
                del raw[key]
            elif key in _REASONING_TEXT:
                raw[key] = part.text
            elif key == "function_call":
                raw[key] = {**raw[key], "arguments": write_arguments(part.arguments)}
            else:
                raise WireError(f"{key} cannot be rewritten; it should be kept, or removed with None")
        if calls:
            raw["tool_calls"] = [call for call in calls if call is not None]
            if not raw["tool_calls"]:
                del raw["tool_calls"]
        return raw

    def written(self, step: Step) -> Iterator[dict[str, Any]]:
        """Write a step; what an assistant says as one string, for not all servers take a list."""
        content: list[dict[str, Any]] = []
        calls: list[dict[str, Any]] = []
        for block in step.blocks:
            if step.role is Role.TOOL:
                yield {"role": "tool", "tool_call_id": block.call_id, "content": block.part.text}
            elif block.part.kind is PartKind.TOOL_CALL:
                function = {"name": block.part.name, "arguments": arguments_json(block)}
                calls.append({"id": block.call_id, "type": "function", "function": function})
            else:
                content.extend(self._said(block, step.role))
        if step.role is Role.ASSISTANT and content:
            text = "\n\n".join(block["text"] for block in content if block.get("text"))
            content = [{"type": "text", "text": text}]
        value: dict[str, Any] = {"role": step.role.value, "content": plain(content) if content else None}
        if calls:
            yield {**value, "tool_calls": calls}
        elif content:
            yield value


def _result(value: Mapping[str, Any], index: int | None) -> Part:
    text, failed, code = read_result(value.get("content"), index)
    name, call_id = value.get("name"), value.get("tool_call_id")
    if value["role"] == "function":
        if not isinstance(name, str):
            raise wrong(index, "name", name, "the name of the function that answered")
        call_id = _OLDER_ID + name
    if not isinstance(call_id, str):
        raise wrong(index, "tool_call_id", call_id, "the id of the call it answers, a string")
    name = name if isinstance(name, str) else None
    return Part(PartKind.TOOL_RESULT, text, call_id, name, is_error=failed, exit_code=code)


def _places(value: Mapping[str, Any], index: int | None) -> Iterator[tuple[str, int]]:
    """Yield where the parts beside the content stand: key, and position in `tool_calls` (0 elsewhere)."""
    for key in (*_REASONING_TEXT, *_REASONING_LISTS, *_UNREAD):
        if value.get(key) and (key not in _REASONING_TEXT or isinstance(value[key], str)):
            yield key, 0
    calls = value.get("tool_calls")
    if calls is not None and not isinstance(calls, list):
        raise wrong(index, "tool_calls", calls, "a list of calls or null")
    for at in range(len(calls or ())):
        yield "tool_calls", at
    if value.get("function_call") is not None:
        yield "function_call", 0


def _beside(value: Mapping[str, Any], key: str, at: int, index: int | None) -> Part:
    found = value[key]
    if key in _REASONING_TEXT:
        return Part(PartKind.THINKING, found)
    if key in _REASONING_LISTS:
        return Part(PartKind.THINKING, signed=True)
    if key in _UNREAD:
        return Part(PartKind.OPAQUE, name=key)
    if key == "function_call":
        if not isinstance(found, dict) or not isinstance(found.get("name"), str):
            raise wrong(index, key, found, "an object with 'name' and 'arguments'")
        return _call_part(_OLDER_ID + found["name"], found)
    call = found[at]
    if not isinstance(call, dict):
        raise wrong(index, f"tool_calls[{at}]", call, "an object with 'id' and 'function'")
    if not isinstance(call.get("id"), str):
        raise wrong(index, f"tool_calls[{at}].id", call.get("id"), "a string")
    kind = "custom" if call.get("type") == "custom" else "function"
    function = call.get(kind)
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise wrong(index, f"tool_calls[{at}].{kind}", function, "an object with 'name' and its arguments")
    if kind == "custom":
        return Part(PartKind.TOOL_CALL, "", call["id"], function["name"], function.get("input"))
    return _call_part(call["id"], function)


def _call_part(call_id: str, function: Mapping[str, Any]) -> Part:
    return Part(PartKind.TOOL_CALL, "", call_id, function["name"], read_arguments(function.get("arguments")))


def _changed_call(call: dict[str, Any], part: Part) -> dict[str, Any]:
    written = write_arguments(part.arguments)
    if call.get("type") == "custom":
        return {**call, "custom": {**call["custom"], "input": written}}
    return {**call, "function": {**call["function"], "arguments": written}}

"""The OpenAI Responses form: one item <-> one `Message`.

Message items have one part a block (a string is part 0), every other item is one part: calls and their outputs
whatever the tool's kind, reasoning, and what we only carry (items that a server answered itself, compactions).

Source: the Responses API reference, and the rollouts of Codex (`{"content": ..., "success": ...}` as an output).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, Part, PartKind, Role
from memory.conversation.wire.fields import read_arguments, read_meta, write_arguments, wrong
from memory.conversation.wire.form import Step, WireForm, arguments_json
from memory.conversation.wire.results import ResultText, medium_text, read_result, with_text
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ARGUMENT_KEYS = ("arguments", "input", "action", "operation", "actions")
_PAIRED = ("function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output")


class OpenAIResponses(WireForm):
    """An item a message, a call, an output."""

    form = Form.OPENAI_RESPONSES
    texts = frozenset("input_text output_text text summary_text reasoning_text".split())
    media = frozenset("input_image input_file input_audio computer_screenshot".split())

    def parse(self, value: Mapping[str, Any], index: int | None = None) -> Message:
        """Read one item; texts are shared. A `WireError` names a field of the wrong type, or one that is missing."""
        kind = value.get("type")
        if kind == "message" or (kind is None and "role" in value):
            return super().parse(value, index)
        if not isinstance(kind, str):
            raise wrong(index, "type", kind, "the type of an item, such as 'message' or 'function_call'")
        call_id, role = value.get("call_id"), Role.ASSISTANT
        if not isinstance(call_id, str):
            call_id = value.get("id") if kind in {"local_shell_call", "local_shell_call_output"} else None
        if kind == "reasoning":
            part = _reasoning(value)
        elif kind.endswith("_call") and isinstance(call_id, str):
            name = value.get("name")
            named = name if isinstance(name, str) else kind.removesuffix("_call")
            part = Part(PartKind.TOOL_CALL, "", call_id, named, _arguments(value, kind))
        elif kind.endswith("_output") and isinstance(call_id, str):
            text, failed, code = _output(value.get("output"), index)
            role = Role.TOOL
            part = Part(PartKind.TOOL_RESULT, text, call_id, is_error=failed, exit_code=code)
        elif kind in _PAIRED:
            right = "a string that pairs the call with its output"
            raise wrong(index, "call_id", value.get("call_id"), right)
        else:
            part = Part(PartKind.OPAQUE, name=kind)
        return Message(role, (part,), self.form, value, read_meta(value))

    def _text_type(self, role: Role) -> str:
        return "output_text" if role is Role.ASSISTANT else "input_text"

    def text_value(self, role: Role, text: str) -> dict[str, Any]:
        """Write a new message item of one text."""
        value = super().text_value(role, text)
        return {"type": "message", **value, "content": [{"type": self._text_type(role), "text": text}]}

    def result_value(self, call_id: str, text: str, name: str | None, call: Mapping[str, Any]) -> dict[str, Any]:
        """Write a new output item of the kind its call wants."""
        del name
        kind = call.get("type")
        # Codex answers local_shell_call with function_call_output, and the API takes it.
        output = f"{kind}_output" if kind in {"custom_tool_call", "shell_call"} else "function_call_output"
        return {"type": output, "call_id": call_id, "output": text}

    def replaced(self, message: Message, changes: Mapping[int, Part | None]) -> dict[str, Any] | None:
        """Copy the raw item with some of its blocks changed or removed; None where nothing is left."""
        raw = message.raw
        if raw.get("type") == "message" or "role" in raw:
            return super().replaced(message, changes)
        new, old = changes.get(0), message.parts[0]
        if new is None:
            return None
        if old.kind is PartKind.TOOL_RESULT:
            return {**raw, "output": _changed_output(raw.get("output"), new.text)}
        if old.kind is not PartKind.TOOL_CALL:
            found = f"item of type {raw.get('type')!r}"
            raise WireError(f"{found} cannot be rewritten; it should be kept, or removed with None")
        key = next((key for key in _ARGUMENT_KEYS if key in raw), "arguments")
        arguments = new.arguments
        as_object = isinstance(raw.get(key), dict) and not isinstance(arguments, str)
        return {**raw, key: arguments or {} if as_object else write_arguments(arguments)}

    def written(self, step: Step) -> Iterator[dict[str, Any]]:
        """Write a step: what is said between calls a message item each."""
        said: list[dict[str, Any]] = []
        for block in step.blocks:
            is_call = block.part.kind is PartKind.TOOL_CALL
            if not is_call and step.role is not Role.TOOL:
                said.extend(self._said(block, step.role))
                continue
            if said:
                yield {"type": "message", "role": step.role.value, "content": said}
                said = []
            if is_call:
                named = {"call_id": block.call_id, "name": block.part.name}
                yield {"type": "function_call", **named, "arguments": arguments_json(block)}
            else:
                output = self._result(block)
                yield {"type": "function_call_output", "call_id": block.call_id, "output": output}
        if said:
            yield {"type": "message", "role": step.role.value, "content": said}


def _arguments(value: Mapping[str, Any], kind: str) -> Mapping[str, Any] | str:
    found: Any = next((value[key] for key in _ARGUMENT_KEYS if key in value), {})
    return found if kind == "custom_tool_call" and isinstance(found, str) else read_arguments(found)


def _output(output: Any, index: int | None) -> ResultText:
    """Read text and failure of an output; an object is Codex's, or a screenshot."""
    if isinstance(output, dict):
        content = output.get("content")
        if isinstance(content, str):
            return ResultText(content, output.get("success") is False)
        return ResultText(f"[{medium_text(output)}]")
    return read_result(output, index, "output")


def _reasoning(value: Mapping[str, Any]) -> Part:
    lists = [held for key in ("summary", "content") if isinstance(held := value.get(key), list)]
    texts = [block.get("text") for held in lists for block in held if isinstance(block, dict)]
    text = "\n".join(text for text in texts if isinstance(text, str))
    return Part(PartKind.THINKING, text, signed=bool(value.get("encrypted_content")))


def _changed_output(output: Any, text: str) -> Any:
    if isinstance(output, dict):
        return {**output, "content": text} if isinstance(output.get("content"), str) else text
    return with_text(output, text)

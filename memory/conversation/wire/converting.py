"""A conversation moved from one wire form to another, calls and results paired as the new form wants them.

What moves: texts, calls, results, images and files. What does not: thinking. A signature is good for the
provider that gave it, and unsigned thinking put into a text would teach the model to think aloud, so all
thinking is left out when the form changes. Blocks that only their provider understands become their type in
brackets.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, PartKind, Role
from memory.conversation.wire.media import read_medium, write_medium
from memory.conversation.wire.results import block_text, is_text
from memory.conversation.wire.steps import Block, Step, steps_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


def convert(messages: Sequence[Message], form: Form) -> list[dict[str, Any]]:
    """Write messages as values of a form, ready for a request.

    Messages of that form already leave as their raw values, the very objects. Otherwise each call keeps its
    result: a result stands right behind its batch of calls, ids that a form would refuse or that occur twice
    are renamed in pairs. Where the conversation that came in was valid, so is the one that leaves; nothing is
    invented for calls without a result. System messages stay where they are, with role "system" (Anthropic
    wants the leading ones as the `system` parameter, which `write_transcript` does).

    Cost: linear; texts and media are shared, not copied, except data URLs.
    """
    if all(message.form is form for message in messages):
        return [dict_of(message.raw) for message in messages]
    write = _WRITERS[form]
    return [value for step in steps_of(messages) for value in write(step)]


def dict_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a raw value as the dict that it is, without copying it."""
    return raw if isinstance(raw, dict) else dict(raw)


def _anthropic(step: Step) -> Iterator[dict[str, Any]]:
    if step.role is Role.TOOL:
        blocks = []
        for block in step.blocks:
            value = {
                "type": "tool_result",
                "tool_use_id": block.call_id,
                "content": _result(block, Form.ANTHROPIC),
            }
            blocks.append({**value, "is_error": True} if block.part.is_error else value)
        yield {"role": "user", "content": blocks}
        return
    content: list[dict[str, Any]] = []
    for block in step.blocks:
        part = block.part
        if part.kind is PartKind.TOOL_CALL:
            arguments = _arguments_object(block)
            content.append({"type": "tool_use", "id": block.call_id, "name": part.name, "input": arguments})
        else:
            content.extend(_said(block, Form.ANTHROPIC, "text"))
    content = [
        value for value in content if value.get("text") != ""
    ]  # documented: empty text blocks are refused
    if content:
        yield {"role": step.role.value, "content": _plain(content)}


def _chat(step: Step) -> Iterator[dict[str, Any]]:
    if step.role is Role.TOOL:
        for block in step.blocks:
            yield {"role": "tool", "tool_call_id": block.call_id, "content": block.part.text}
        return
    content: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    for block in step.blocks:
        part = block.part
        if part.kind is PartKind.TOOL_CALL:
            function = {"name": part.name, "arguments": _arguments_json(block)}
            calls.append({"id": block.call_id, "type": "function", "function": function})
        else:
            content.extend(_said(block, Form.OPENAI_CHAT, "text"))
    if step.role is Role.ASSISTANT and content:
        # Servers that speak this form take a string here, not all of them a list.
        content = [
            {"type": "text", "text": "\n\n".join(block["text"] for block in content if block.get("text"))}
        ]
    value: dict[str, Any] = {"role": step.role.value, "content": _plain(content) if content else None}
    if calls:
        yield {**value, "tool_calls": calls}
    elif content:
        yield value


def _responses(step: Step) -> Iterator[dict[str, Any]]:
    kind = "output_text" if step.role is Role.ASSISTANT else "input_text"
    said: list[dict[str, Any]] = []
    for block in step.blocks:
        part = block.part
        if part.kind is PartKind.TOOL_CALL or step.role is Role.TOOL:
            if said:
                yield {"type": "message", "role": step.role.value, "content": said}
                said = []
            yield _responses_call(block) if part.kind is PartKind.TOOL_CALL else _responses_output(block)
        else:
            said.extend(_said(block, Form.OPENAI_RESPONSES, kind))
    if said:
        yield {"type": "message", "role": step.role.value, "content": said}


def _responses_call(block: Block) -> dict[str, Any]:
    return {
        "type": "function_call",
        "call_id": block.call_id,
        "name": block.part.name,
        "arguments": _arguments_json(block),
    }


def _responses_output(block: Block) -> dict[str, Any]:
    return {
        "type": "function_call_output",
        "call_id": block.call_id,
        "output": _result(block, Form.OPENAI_RESPONSES),
    }


_WRITERS: dict[Form, Callable[[Step], Iterator[dict[str, Any]]]] = {
    Form.ANTHROPIC: _anthropic,
    Form.OPENAI_CHAT: _chat,
    Form.OPENAI_RESPONSES: _responses,
}


def _plain(content: list[dict[str, Any]]) -> str | list[dict[str, Any]]:
    """Write a single text as a string, as people do."""
    if len(content) == 1 and content[0].get("type") == "text":
        return str(content[0]["text"])
    return content


def _said(block: Block, form: Form, text_type: str) -> Iterator[dict[str, Any]]:
    """Write what is neither call nor result as blocks of a form: none for thinking."""
    part = block.part
    if part.kind is PartKind.TEXT:
        yield {"type": text_type, "text": part.text}
    elif part.kind is PartKind.MEDIA:
        medium = read_medium(block.raw)
        written = None if medium is None else write_medium(medium, form)
        yield written if written is not None else {"type": text_type, "text": f"[{part.text}]"}
    elif part.kind is PartKind.OPAQUE:
        refusal = block.raw.get("refusal") if part.name == "refusal" else None
        yield {"type": text_type, "text": refusal if isinstance(refusal, str) else f"[{part.name}]"}


def _result(block: Block, form: Form) -> str | list[dict[str, Any]]:
    """Write what a tool gave back: a string, or blocks where it holds media that the form can carry."""
    held = block.raw.get("output") if "output" in block.raw else block.raw.get("content")
    if not isinstance(held, list) or all(is_text(item) for item in held):
        return block.part.text
    text_type = "text" if form is Form.ANTHROPIC else "input_text"
    blocks: list[dict[str, Any]] = []
    for item, text in zip(held, map(block_text, held), strict=True):
        medium = read_medium(item) if isinstance(item, dict) and not is_text(item) else None
        written = None if medium is None else write_medium(medium, form)
        blocks.append(written or {"type": text_type, "text": text})
    return blocks


def _arguments_object(block: Block) -> Mapping[str, Any]:
    """Write arguments as an object; a custom tool's text comes under the key `input`."""
    arguments = block.part.arguments
    if isinstance(arguments, str):
        return {"input": arguments} if arguments else {}
    written = _written_arguments(block.raw)
    return arguments or {} if written is None else dict(json.loads(written))


def _arguments_json(block: Block) -> str:
    """Write arguments as the JSON of an object, as functions take them; JSON that came in stays as it is."""
    written = _written_arguments(block.raw)
    if written is not None and not isinstance(block.part.arguments, str):
        return written
    return json.dumps(_arguments_object(block), ensure_ascii=False, default=str)


def _written_arguments(raw: Mapping[str, Any]) -> str | None:
    """Return the JSON string that the arguments of a call came in, None where they came as an object."""
    function = raw.get("function")
    held = function if isinstance(function, dict) else raw
    arguments = held.get("arguments")
    return arguments if isinstance(arguments, str) else None

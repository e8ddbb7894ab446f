"""The Anthropic Messages form, after its API reference; Claude Code also sends `role: "system"` inside `messages`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, Part, PartKind, Role
from memory.conversation.wire.fields import wrong
from memory.conversation.wire.form import Step, WireForm, arguments_object, string
from memory.conversation.wire.results import read_result, with_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Anthropic(WireForm):
    """Blocks in one list: text, calls, results, thinking."""

    form = Form.ANTHROPIC
    roles = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}  # noqa: RUF012
    media = frozenset({"image", "document"})

    def _block(self, block: Any, index: int | None, at: int) -> Part:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "tool_use":
            arguments = block.get("input")
            if arguments is not None and not isinstance(arguments, (dict, str)):
                raise wrong(index, f"content[{at}].input", arguments, "an object")
            name, call_id = (string(block, key, index, at) for key in ("name", "id"))
            return Part(PartKind.TOOL_CALL, "", call_id, name, {} if arguments is None else arguments)
        if kind == "tool_result":
            text, failed, code = read_result(block.get("content"), index, f"content[{at}].content")
            failed, call_id = failed or block.get("is_error") is True, string(block, "tool_use_id", index, at)
            return Part(PartKind.TOOL_RESULT, text, call_id, is_error=failed, exit_code=code)
        return super()._block(block, index, at)

    def result_value(self, call_id: str, text: str, name: str | None, call: Mapping[str, Any]) -> dict[str, Any]:
        """Write a new user message of one tool result."""
        del name, call
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id, "content": text}]}

    def _changed(self, block: Any, old: Part, new: Part, role: Role) -> Any:
        if old.kind is PartKind.TOOL_RESULT:
            return {**block, "content": with_text(block.get("content"), new.text)}
        if old.kind is PartKind.TOOL_CALL:
            arguments = new.arguments or {}
            return {**block, "input": arguments if isinstance(arguments, str) else dict(arguments)}
        return super()._changed(block, old, new, role)

    def written(self, step: Step) -> Iterator[dict[str, Any]]:
        """Write a step; empty texts are left out, for the API refuses them."""
        content: list[dict[str, Any]] = []
        for block in step.blocks:
            if step.role is Role.TOOL:
                answered = {"tool_use_id": block.call_id, "content": self._result(block)}
                failed = {"is_error": True} if block.part.is_error else {}
                content.append({"type": "tool_result", **answered, **failed})
            elif block.part.kind is PartKind.TOOL_CALL:
                name, held = block.part.name, arguments_object(block)
                content.append({"type": "tool_use", "id": block.call_id, "name": name, "input": held})
            else:
                content.extend(said for said in self._said(block, step.role) if said.get("text") != "")
        if step.role is Role.TOOL:
            yield {"role": "user", "content": content}
        elif content:
            yield {"role": step.role.value, "content": plain(content)}


def plain(content: list[dict[str, Any]]) -> str | list[dict[str, Any]]:
    """Write a single text as a string, as people do."""
    if len(content) == 1 and content[0].get("type") == "text":
        return str(content[0]["text"])
    return content


def joined(results: Sequence[Message]) -> dict[str, Any]:
    """Write one user message of the blocks of several, the tool results first, each kind in its order."""
    blocks: list[dict[str, Any]] = []
    for message in results:
        content = message.raw.get("content")
        blocks.extend([{"type": "text", "text": content}] if isinstance(content, str) else content or [])
    blocks.sort(key=lambda block: block.get("type") != "tool_result")
    return {**results[0].raw, "content": blocks}

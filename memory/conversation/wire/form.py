"""What the three wire forms have in common: content read, made, changed and written block by block."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from memory.conversation.messages import Form, Message, Part, PartKind, Role
from memory.conversation.wire.fields import read_meta, wrong
from memory.conversation.wire.results import block_text, is_text, medium_text, moved_medium

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Block:
    """A part on its way to another form, with the raw block it was read from and its id there."""

    part: Part
    raw: Mapping[str, Any]
    call_id: str = ""


@dataclass(slots=True)
class Step:
    """What one side says in one go; results are steps of their own, with role TOOL."""

    role: Role
    blocks: list[Block] = field(default_factory=list)
    joins: bool = False


class WireForm(ABC):
    """One wire form: the roles it knows, and the types of its blocks that are text, or images and files."""

    form: ClassVar[Form]
    roles: ClassVar[Mapping[str, Role]] = {
        "user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM,
    }  # fmt: skip
    texts: ClassVar[frozenset[str]] = frozenset({"text"})
    media: ClassVar[frozenset[str]]

    def parse(self, value: Mapping[str, Any], index: int | None = None) -> Message:
        """Read one message; texts are shared. A `WireError` names a field of the wrong type, or one that is missing."""
        role = value.get("role")
        known = self.roles.get(role) if isinstance(role, str) else None
        if known is None:
            raise wrong(index, "role", role, " or ".join(map(repr, self.roles)))
        return Message(known, tuple(self._parts(value, known, index)), self.form, value, read_meta(value))

    def _parts(self, value: Mapping[str, Any], role: Role, index: int | None) -> list[Part]:  # noqa: ARG002
        """Read the content: a string is one part, a list one part a block."""
        content = value.get("content")
        if isinstance(content, str):
            return [Part(PartKind.TEXT, content)]
        if content is None or isinstance(content, list):
            return [self._block(block, index, at) for at, block in enumerate(content or ())]
        raise wrong(index, "content", content, "a string or a list of blocks")

    def _block(self, block: Any, index: int | None, at: int) -> Part:
        kind = block.get("type") if isinstance(block, dict) else None
        if not isinstance(kind, str):
            raise wrong(index, f"content[{at}]", block, "a block, an object with a 'type'")
        if kind in self.texts:
            return Part(PartKind.TEXT, string(block, "text", index, at))
        if kind in self.media:
            return Part(PartKind.MEDIA, medium_text(block))
        if kind == "thinking" and isinstance(block.get("thinking"), str):  # Anthropic's; others hand it on
            return Part(PartKind.THINKING, block["thinking"], signed=bool(block.get("signature")))
        if kind == "redacted_thinking":
            return Part(PartKind.THINKING, signed=True)
        return Part(PartKind.OPAQUE, name=kind)

    def _text_type(self, role: Role) -> str:  # noqa: ARG002
        return "text"

    def text_value(self, role: Role, text: str) -> dict[str, Any]:
        """Write a new message of one text."""
        if role is Role.TOOL:
            right = "'user', 'assistant' or 'system'; results are made by make_result"
            raise wrong(None, "role", role.value, right)
        return {"role": role.value, "content": text}

    @abstractmethod
    def result_value(self, call_id: str, text: str, name: str | None, call: Mapping[str, Any]) -> dict[str, Any]:
        """Write a new message of one tool result; `call` is the raw message of the call, {} where it is not known."""

    def replaced(self, message: Message, changes: Mapping[int, Part | None]) -> dict[str, Any] | None:
        """Copy the raw value with some of its blocks changed or removed; None where none is left."""
        raw, content = message.raw, message.raw.get("content")
        if isinstance(content, str):
            part = changes.get(0)
            return None if part is None else {**raw, "content": part.text}
        blocks = []
        for at, block in enumerate(content or ()):
            new = changes.get(at)
            if at not in changes:
                blocks.append(block)
            elif new is not None:
                blocks.append(self._changed(block, message.parts[at], new, message.role))
        return {**raw, "content": blocks} if blocks else None

    def _changed(self, block: Any, old: Part, new: Part, role: Role) -> Any:
        """Put a new part in the place of an old one in its block; what is no text becomes one."""
        held = block if isinstance(block, dict) else {}
        if old.kind is PartKind.TEXT and held:
            return {**held, "text": new.text}
        if new.kind is PartKind.THINKING:
            return {**held, "thinking": new.text}
        marker = {"cache_control": held["cache_control"]} if "cache_control" in held else {}
        return {"type": self._text_type(role), "text": new.text, **marker}

    @abstractmethod
    def written(self, step: Step) -> Iterator[dict[str, Any]]:
        """Write a step of a conversation of another form."""

    def _said(self, block: Block, role: Role) -> Iterator[dict[str, Any]]:
        """Write what is neither call nor result as blocks: none for thinking."""
        part, kind = block.part, self._text_type(role)
        if part.kind is PartKind.TEXT:
            yield {"type": kind, "text": part.text}
        elif part.kind is PartKind.MEDIA:
            yield moved_medium(block.raw, self.form) or {"type": kind, "text": f"[{part.text}]"}
        elif part.kind is PartKind.OPAQUE:
            refusal = block.raw.get("refusal") if part.name == "refusal" else None
            yield {"type": kind, "text": refusal if isinstance(refusal, str) else f"[{part.name}]"}

    def _result(self, block: Block) -> str | list[dict[str, Any]]:
        """Write what a tool gave back: a string, or blocks where it holds media that the form can carry."""
        held = block.raw.get("output") if "output" in block.raw else block.raw.get("content")
        if not isinstance(held, list) or all(map(is_text, held)):
            return block.part.text
        kind = self._text_type(Role.TOOL)
        return [moved_medium(item, self.form) or {"type": kind, "text": block_text(item)} for item in held]


def string(block: Mapping[str, Any], key: str, index: int | None, at: int) -> str:
    """Return a field of a block that must be a string."""
    value = block.get(key)
    if not isinstance(value, str):
        raise wrong(index, f"content[{at}].{key}", value, "a string")
    return value


def arguments_object(block: Block) -> Mapping[str, Any]:
    """Write arguments as an object; a custom tool's text comes under the key `input`."""
    arguments = block.part.arguments
    if isinstance(arguments, str):
        return {"input": arguments} if arguments else {}
    written = _written_arguments(block.raw)
    return arguments or {} if written is None else dict(json.loads(written))


def arguments_json(block: Block) -> str:
    """Write arguments as the JSON of an object, as functions take them; JSON that came in stays as it is."""
    written = _written_arguments(block.raw)
    if written is not None and not isinstance(block.part.arguments, str):
        return written
    return json.dumps(arguments_object(block), ensure_ascii=False, default=str)


def _written_arguments(raw: Mapping[str, Any]) -> str | None:
    """Return the JSON string that the arguments of a call came in, None where they came as an object."""
    function = raw.get("function")
    arguments = (function if isinstance(function, dict) else raw).get("arguments")
    return arguments if isinstance(arguments, str) else None

"""The conversation as values: `Message` and `Part`, the same for every wire form.

A `Message` keeps the very object it was read from (`raw`); the parts are a reading of it, never a replacement.
What we do not understand becomes an `OPAQUE` part: carried, never read, never cut.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Form(StrEnum):
    """The wire form a message is written in."""

    ANTHROPIC = "anthropic"
    OPENAI_CHAT = "openai-chat"
    OPENAI_RESPONSES = "openai-responses"


class Role(StrEnum):
    """Who a message is from; `developer` reads as SYSTEM, a chat `tool` or `function` message as TOOL."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class PartKind(StrEnum):
    """What a part of a message is."""

    TEXT = "text"
    THINKING = "thinking"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    MEDIA = "media"
    OPAQUE = "opaque"


@dataclass(frozen=True, slots=True)
class Part:
    """One block of a message.

    Attributes:
        text: the text of TEXT, THINKING and TOOL_RESULT; of MEDIA its type and size, never the data; otherwise "".
        call_id: what pairs a TOOL_CALL with its TOOL_RESULT.
        name: the tool of a TOOL_CALL, and of a TOOL_RESULT where the form says so; the type of an OPAQUE block.
        arguments: of a TOOL_CALL, as an object, or as the string they came in where that is no JSON object.
        is_error: the form flags a TOOL_RESULT as failed.
        exit_code: of the command that a TOOL_RESULT comes from, where the form says it beside its text.
        signed: THINKING with a signature or encrypted content, which must not be altered.
    """

    kind: PartKind
    text: str = ""
    call_id: str | None = None
    name: str | None = None
    arguments: Mapping[str, Any] | str | None = None
    is_error: bool = False
    signed: bool = False
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class MessageMeta:
    """What a transcript says about a message beside its content: time (seconds since 1970 UTC) and id, and flags.

    `is_meta`: the client wrote it, no person; `is_sidechain`: a sub-agent's; `is_compact_summary`: an agent's own
    summary; `mended_from`: raw values of the messages it was mended from, none where it is as it came.
    """

    timestamp: float | None = None
    uuid: str | None = None
    is_meta: bool = False
    is_sidechain: bool = False
    is_compact_summary: bool = False
    mended_from: tuple[Mapping[str, Any], ...] = ()


NO_META = MessageMeta()


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """One message of a conversation; two are equal when the digests of their contents are.

    Attributes:
        form: the wire form of `raw`.
        raw: the object it was read from; what leaves again when the message is kept. Never written to.
        carried: what was found out about it once and holds for good: where its texts come from.
    """

    role: Role
    parts: tuple[Part, ...]
    form: Form
    raw: Mapping[str, Any]
    meta: MessageMeta = NO_META
    _digest: list[str] = field(default_factory=list, repr=False)
    carried: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def digest(self) -> str:
        """32 hexadecimal characters naming role and content, whatever decorates them; computed once."""
        if not self._digest:
            self._digest.append(content_digest(self.raw))
        return self._digest[0]

    @property
    def original(self) -> Any:
        """What came in: `raw`, or of a mended message what it was mended from, a list where that were several."""
        came = self.meta.mended_from
        return self.raw if not came else came[0] if len(came) == 1 else list(came)

    @property
    def text(self) -> str:
        """The texts of all parts (thinking included, tool arguments not), joined by newlines."""
        return "\n".join(p.text for p in self.parts if p.text)

    def of_kind(self, kind: PartKind) -> Iterator[Part]:
        """Yield the parts of one kind, in order."""
        return (p for p in self.parts if p.kind is kind)

    @property
    def calls(self) -> tuple[Part, ...]:
        """The tool calls it makes."""
        return tuple(self.of_kind(PartKind.TOOL_CALL))

    @property
    def results(self) -> tuple[Part, ...]:
        """The tool results it brings."""
        return tuple(self.of_kind(PartKind.TOOL_RESULT))

    def __eq__(self, other: object) -> bool:
        """Compare by content."""
        return isinstance(other, Message) and self.digest == other.digest

    def __hash__(self) -> int:
        """Hash by content."""
        return hash(self.digest)


_DECORATION = frozenset("cache_control timestamp isMeta isDemo isCompactSummary isSidechain uuid ts".split())


def content_digest(value: Mapping[str, Any]) -> str:
    """Name a JSON value by its content, independent of key order and decoration (cache markers, times, flags).

    A lone text block counts as its text: Claude Code sends what was typed as a block with a cache marker while it is
    the newest message, and as a string from the next call on.
    """
    value = {k: v for k, v in value.items() if k not in _DECORATION}
    content = value.get("content")
    if isinstance(content, list):
        content = [
            {k: v for k, v in b.items() if k != "cache_control"} if isinstance(b, dict) else b for b in content
        ]
        lone = content[0] if len(content) == 1 else None
        is_text = isinstance(lone, dict) and lone.keys() == {"type", "text"} and lone["type"] == "text"
        value["content"] = lone["text"] if is_text and isinstance(lone, dict) else content
    return blake2b(canonical_json(value), digest_size=16).hexdigest()


def canonical_json(value: Any) -> bytes:
    """Write a JSON value as bytes that depend on its content alone (sorted keys, UTF-8, no blanks)."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # lone surrogates, and integers beyond 64 bits
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
        return text.encode("utf-8", "surrogatepass")

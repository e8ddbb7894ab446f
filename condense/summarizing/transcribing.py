"""Write a conversation as plain text for a model that summarises it: no tool blocks, images named, outputs reduced.

Any model can read it, with or without tools (idea: Roo-Code and Cline turn tool blocks into text before they ask).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from condense.ledger import read_ledger
from condense.reading import ToolAction, is_context_block, read_call, reduce_output
from memory.conversation import PartKind, Role, redact, request_text, typed_spans, typed_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.conversation import Message, Part, TokenCounter

_SHOWING = (ToolAction.READ, ToolAction.SEARCH, ToolAction.LIST, ToolAction.FETCH)
LONGEST_VALUE = 2_000
"""Characters of one argument of a call; longer ones are cut in the middle (chosen: an edit fits, a file does not)."""
LONGEST_NOTE = 6_000
"""Characters of a text in the user role that no person typed: a program's task, instructions, notices (chosen: a
task with its issue fits, a worked example before it does not)."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A conversation as a model reads it."""

    previous: str  # the newest earlier summary in it, "" without one
    entries: tuple[str, ...]  # what came after that, one text a message; messages without text have none


def transcribe(
    messages: Sequence[Message], *, count: TokenCounter, result_tokens: int, language: str = "en"
) -> Transcript:
    """Write a conversation as text.  System messages and thinking are left out, secrets are redacted; linear."""
    previous, start = _previous(messages)
    shown: set[str] = set()
    entries: list[str] = []
    for index, message in enumerate(messages):
        for call in message.calls:
            if call.call_id and read_call(call.name or "", call.arguments)[0].action in _SHOWING:
                shown.add(call.call_id)
        if index < start or message.role is Role.SYSTEM:
            continue
        writing = _Writing(shown, count, result_tokens, language)
        text = redact("\n".join(writing.blocks(message)))
        if text.strip():
            entries.append(f"[#{index + 1} {_who(message)}]\n{text}")
    return Transcript(redact(previous), tuple(entries))


def _previous(messages: Sequence[Message]) -> tuple[str, int]:
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.meta.is_compact_summary:
            return message.text, index + 1
        if message.role is Role.USER and is_context_block(message):
            ledger = read_ledger(message.text)
            if ledger is not None:
                return ledger.narrative or message.text, index + 1
    return "", 0


def _who(message: Message) -> str:
    if message.role is Role.USER and not typed_text(message):
        return "tool" if message.results else "note"
    return message.role.value


@dataclass(frozen=True, slots=True)
class _Writing:
    shown: set[str]
    count: TokenCounter
    result_tokens: int
    language: str

    def blocks(self, message: Message) -> Iterator[str]:
        """Yield the parts of a message as text."""
        typed = message.role is Role.USER and typed_text(message)
        if typed:
            yield request_text(message)
        for index, part in enumerate(message.parts):
            match part.kind:
                case PartKind.TEXT if not typed:
                    short = message.role is Role.USER
                    yield _cut(part.text, LONGEST_NOTE) if short else part.text
                case PartKind.TOOL_CALL:
                    yield _call(part)
                case PartKind.TOOL_RESULT:
                    said = "\n".join(one.text for one in typed_spans(message) if one.part == index)
                    yield f"[the user, through the tool]\n{said}" if said else self._result(part)
                case PartKind.MEDIA:
                    yield f"[{part.text}]"
                case _:
                    pass

    def _result(self, part: Part) -> str:
        text = reduce_output(
            part.text,
            budget_tokens=self.result_tokens,
            count=self.count,
            shown=True if part.call_id in self.shown and not part.is_error else None,
            language=self.language,
        )
        return f"[tool result{': failed' if part.is_error else ''}]\n{text}"


def _call(part: Part) -> str:
    arguments = part.arguments
    if isinstance(arguments, str) or arguments is None:
        return f"[tool call: {part.name}]\n{_cut(arguments or '', LONGEST_VALUE)}"
    lines = [f"{key}: {_cut(str(value), LONGEST_VALUE)}" for key, value in arguments.items()]
    return "\n".join([f"[tool call: {part.name}]", *lines])


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n… ({len(text) - most} characters left out) …\n{text[-half:]}"


def into_parts(entries: Sequence[str], room: int, count: TokenCounter) -> tuple[str, ...]:
    """Join entries into as few texts of at most `room` tokens as their order allows; an entry too long is cut."""
    parts: list[list[str]] = [[]]
    used = 0
    for entry in entries:
        size = count(entry) + 1
        text = entry
        if size > room:
            text = _cut(entry, max(40, int(len(entry) * (room - 20) / size * 0.9)))
            size = min(room, count(text) + 1)
        if used + size > room and parts[-1]:
            parts.append([])
            used = 0
        parts[-1].append(text)
        used += size
    return tuple("\n\n".join(part) for part in parts if part)

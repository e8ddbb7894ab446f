"""A conversation as plain text for a model that summarises it, and the model's answer cleaned.

There are no tool blocks in it, images are named, outputs reduced: any model can read it.  Of the answer the wrappers go
off, our own marks are defused, headings lowered; it is cut to a limit at a line's end.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from condense.ledger import read_ledger
from condense.reading import PHRASES, ToolAction, is_context_block, read_call, reduce_output
from memory.conversation import PartKind, Role, redact, request_text, typed_spans, typed_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.conversation import Message, Part, TokenCounter


_SHOWING = (ToolAction.READ, ToolAction.SEARCH, ToolAction.LIST, ToolAction.FETCH)
LONGEST_VALUE = 2_000
"""Characters of one argument of a call, at least; longer ones are cut in the middle (chosen: an edit fits)."""
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
                    yield _call(part, max(LONGEST_VALUE, self.result_tokens * 4 // 3))
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


def _call(part: Part, longest: int) -> str:
    arguments = part.arguments
    if isinstance(arguments, str) or arguments is None:
        return f"[tool call: {part.name}]\n{_cut(arguments or '', longest)}"
    lines = [f"{key}: {_cut(str(value), longest)}" for key, value in arguments.items()]
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


_THOUGHTS = re.compile(r"\A\s{0,99}<(analysis|think|thinking|scratchpad)>.{0,200000}?</\1>", re.DOTALL)
_WRAPPED = re.compile(
    r"\A\s{0,99}<(summary|conversation_summary|state_snapshot)>\s{0,9}(.*?)\s{0,9}(?:</\1>\s{0,99})?\Z", re.DOTALL
)
_FENCED = re.compile(r"\A```(?:markdown|md|text)?[ \t]{0,9}\n(.*)\n```\Z", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_OUR_TAG = re.compile(r"<(\s{0,9}/?\s{0,9}holdfast-context)", re.IGNORECASE)
_HEADING = re.compile(r"\s{0,3}#{1,2}(?=\s|$)")
_CODE = re.compile(r"\s{0,3}(?:```|~~~)")


def unwrapped(text: str) -> str:
    """Take off what models put around a summary: thoughts, tags, one code fence; and characters no text needs."""
    text = text.replace("\r\n", "\n").encode("utf-8", "replace").decode("utf-8")
    text = _CONTROL.sub("", text)
    text = _THOUGHTS.sub("", text).strip()
    for pattern in (_WRAPPED, _FENCED):
        found = pattern.match(text)
        if found is not None:
            text = found[found.lastindex or 0].strip()
    return text


def defused(text: str) -> str:
    """Make a text fit for our block: no tag of ours, no secret, headings three deep and none that vouches like ours."""
    text = _OUR_TAG.sub(r"‹\1", redact(text))
    lines = text.split("\n")
    inside = False
    for i, line in enumerate(lines):
        if _CODE.match(line):
            inside = not inside
        elif line.strip().lstrip("#").strip() in _titles():
            lines[i] = re.sub(r"\s{0,3}[(（][^()（）]{1,200}[)）]\s{0,3}\Z", "", _HEADING.sub("###", line, count=1))
        elif not inside and _HEADING.match(line):
            lines[i] = _HEADING.sub("###", line, count=1)
    return "\n".join(lines).strip()


@cache
def _titles() -> frozenset[str]:
    return frozenset(text for table in PHRASES.values() for text in table.values() if "{" not in text)


def cut_to(text: str, limit: int, count: TokenCounter) -> str:
    """Return the beginning of a text that is within a limit, whole lines where one fits; "" where nothing does."""
    if count(text) <= limit:
        return text
    lines = text.split("\n")
    for pieces, between, end in ((lines, "\n", "\n…"), (list(lines[0]), "", "…")):
        starts = range(1, len(pieces) + 1)
        kept = bisect_left(starts, x=True, key=lambda n: count(between.join(pieces[:n]) + end) > limit)
        if kept:
            return between.join(pieces[:kept]) + end
    return ""

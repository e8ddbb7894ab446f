"""The objects of a transcript one after the other, and the shape of what knows how to read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, MessageMeta
from memory.conversation.transcripts.decoding import DecodingError, decode
from memory.conversation.wire import quoted
from memory.errors import TranscriptError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.conversation.transcripts.sources import Source
    from memory.conversation.transcripts.values import Findings, TranscriptFormat

Values = Iterator[tuple[int, Mapping[str, Any], MessageMeta | None]]
"""Number of a record, a message of a wire form, and what the record says beside it (None: as the message does)."""


@dataclass(frozen=True, slots=True)
class Records:
    """Objects with their numbers, to be gone through as often as a reader needs.

    Attributes:
        findings: where a line that cannot be read is noted.
        source: the JSON-lines file, None for a list in memory.
        items: the list, where `source` is None.
        sidechains: the caller wants the sub-agents' messages too.
    """

    findings: Findings
    source: Source | None = None
    items: Sequence[Any] = ()
    sidechains: bool = False

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield number and object: lines count from 1, items from 0. A line that is no object is warned about."""
        if self.source is not None:
            yield from self._of_lines(self.source)
            return
        for number, item in enumerate(self.items):
            if not isinstance(item, dict):
                raise self.failure(f"{quoted(item)} should be an object", number)
            yield number, item

    def failure(self, reason: str, number: int) -> TranscriptError:
        """Build the error about one record."""
        if self.source is not None:
            return TranscriptError(reason, path=self.findings.path, line=number)
        return TranscriptError(f"item {number}: {reason}", path=self.findings.path)

    def warn(self, reason: str, number: int) -> None:
        """Note a warning about one record."""
        self.findings.warn(f"{'item' if self.source is None else 'line'} {number}: {reason}")

    def _of_lines(self, source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
        problems: list[tuple[int, str]] = []
        read = False
        for number, line in source.lines(self.findings.warn):
            try:
                value, mended = decode(line)
                reason = "" if isinstance(value, dict) else f"{quoted(value)} should be an object"
            except DecodingError as error:
                value, mended, reason = None, "", str(error)
            if reason and not read:
                problems.append((number, reason))
                continue
            for earlier, why in problems:
                self.warn(f"{why}; left out", earlier)
            problems = [(number, reason)] if reason else []
            if mended:
                self.warn(mended, number)
            if not reason:
                read = True
                yield number, value
        if problems and not read:
            raise self.failure(problems[0][1], problems[0][0])
        for number, reason in problems:
            self.warn(f"the file ends in the middle of a line, {reason}; left out", number)


@dataclass(frozen=True, slots=True)
class SessionFormat:
    """How an agent writes its sessions: all that is to be known of a format.

    Attributes:
        name: the format.
        title: the agent's name, for people.
        shows: tells whether a record can only be of this format.
        read: turns records into messages of a wire form; what does not fit it is left out with a warning.
        form: that wire form.
    """

    name: TranscriptFormat
    title: str
    shows: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Records], Values]
    form: Form = Form.ANTHROPIC


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object, an empty one where a value is none."""
    return value if isinstance(value, dict) else {}


def text(value: Any) -> str | None:
    """Return a text, None where a value is none or empty."""
    return value if isinstance(value, str) and value else None


def call_block(call_id: str, name: Any, arguments: Any) -> dict[str, Any]:
    """Write a tool call as Anthropic has it."""
    return {"type": "tool_use", "id": call_id, "name": str(name), "input": arguments}


def result_block(call_id: str, content: str, *, failed: bool = False) -> dict[str, Any]:
    """Write a tool result as Anthropic has it."""
    value = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return {**value, "is_error": True} if failed else value

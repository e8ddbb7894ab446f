"""What reading a transcript yields, the records it is read from, and the shape of what knows how to read them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, overload

from memory.conversation.messages import Form, MessageMeta
from memory.conversation.transcripts.sources import DecodingError, Source, decode
from memory.conversation.wire import quoted
from memory.errors import TranscriptError

if TYPE_CHECKING:
    from memory.conversation.messages import Message
    from memory.conversation.tokens import TokenCounter

Values = Iterator[tuple[int, Mapping[str, Any], MessageMeta | None]]
"""Number of a record, a message of a wire form, and what the record says beside it (None: as the message does)."""

_INSTRUCTIONS = ("system", "instructions", "system_instruction", "systemInstruction")


class TranscriptFormat(StrEnum):
    """The file formats that are read, those of the APIs named as their `Form` is; MARKDOWN is written only."""

    ANTHROPIC = "anthropic"
    OPENAI_CHAT = "openai-chat"
    OPENAI_RESPONSES = "openai-responses"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    CLINE = "cline"
    SWE_AGENT = "swe-agent"
    OPENHANDS = "openhands"
    GEMINI = "gemini"
    MARKDOWN = "markdown"


@dataclass
class Findings:
    """What a reader finds beside the messages: fields of the `Transcript` to be; a repeated warning counts once."""

    path: str | None = None
    session_id: str | None = None
    cwd: str | None = None
    frame: Mapping[str, Any] = field(default_factory=dict)
    list_key: str | None = None
    warnings: dict[str, None] = field(default_factory=dict)

    def warn(self, line: str) -> None:
        """Note one warning."""
        self.warnings[line] = None

    def note(self, session_id: Any, cwd: Any) -> None:
        """Keep the first session id and the first directory that are texts."""
        if self.session_id is None and isinstance(session_id, str):
            self.session_id = session_id
        if self.cwd is None and isinstance(cwd, str):
            self.cwd = cwd


@dataclass(frozen=True, slots=True, eq=False)
class Transcript(Sequence["Message"]):
    """The messages of one conversation, in order, their wire form, and where they come from.

    Attributes:
        format: a `TranscriptFormat`, or the name of one that a plug-in reads.
        path: the file, "-" for standard input, None for a value in memory.
        session_id, cwd: the session's own id and the directory the agent worked in, where the file says so.
        warnings: what was left out or mended while reading, one line each.
        frame: what stood around the list of messages (`system`, `model`, `tools`, ...), without the list.
        list_key: the key of the list in its frame, None for a bare list.
    """

    messages: tuple[Message, ...]
    format: str
    form: Form = Form.ANTHROPIC
    path: str | None = None
    session_id: str | None = None
    cwd: str | None = None
    warnings: tuple[str, ...] = ()
    frame: Mapping[str, Any] = field(default_factory=dict)
    list_key: str | None = None

    def __len__(self) -> int:
        """Count the messages."""
        return len(self.messages)

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Message, ...]: ...
    def __getitem__(self, index: int | slice) -> Message | tuple[Message, ...]:
        """Return one message, or a tuple of some."""
        return self.messages[index]

    def __eq__(self, other: object) -> bool:
        """Compare messages, format and frame; where they were read from does not count."""
        mine = (self.format, self.frame, self.messages)
        return isinstance(other, Transcript) and mine == (other.format, other.frame, other.messages)

    def __hash__(self) -> int:
        """Hash by messages."""
        return hash(self.messages)


def frame_instructions(frame: Mapping[str, Any]) -> str:
    """Return the instructions of a request's frame as one text: a string, blocks of text, or Gemini's parts."""
    said = next((frame[key] for key in _INSTRUCTIONS if frame.get(key)), "")
    if isinstance(said, dict):
        said = said.get("parts") or [said]
    blocks = said if isinstance(said, list) else [said]
    texts = [block.get("text") if isinstance(block, dict) else block for block in blocks]
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


def count_frame(frame: Mapping[str, Any], count: TokenCounter) -> int:
    """Return the tokens of a request's instructions and tools (as the JSON they are); 0 where a file gives none."""
    held = [frame_instructions(frame)]
    held += [json.dumps(frame[key], ensure_ascii=False) for key in ("tools", "functions") if frame.get(key)]
    return sum(count(text) for text in held if text)


@dataclass(frozen=True, slots=True)
class Records:
    """Objects with their numbers, to be gone through as often as a reader needs: lines of `source`, else `items`."""

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

"""What reading a transcript yields: the messages, what the file says about them, and what stands around them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, overload

from memory.conversation.messages import Form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.conversation.messages import Message
    from memory.conversation.tokens import TokenCounter

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
    """What a reader finds beside the messages while it reads: fields of the `Transcript` to be.

    `warnings` are kept as keys, for files are read twice: a repeated one counts once.
    """

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
    """The messages of one conversation, in order, and where they come from.

    Attributes:
        messages: the messages.
        format: the file format.
        form: the wire form of the messages.
        path: the file, "-" for standard input, None for a value in memory.
        session_id: the session's own id, where the file says so.
        cwd: the directory the agent worked in, where the file says so.
        warnings: what was left out or mended while reading, one line each.
        frame: what stood around the list of messages (`system`, `model`, `tools`, ...), without the list.
        list_key: the key of the list in its frame, None for a bare list.
    """

    messages: tuple[Message, ...]
    format: TranscriptFormat
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
    """Return the tokens of a request's instructions and tools; 0 where a file gives none.

    Tools are counted as the JSON they are; providers write them out in their own ways, some tokens shorter or longer.
    """
    held = [frame_instructions(frame)]
    held += [json.dumps(frame[key], ensure_ascii=False) for key in ("tools", "functions") if frame.get(key)]
    return sum(count(text) for text in held if text)

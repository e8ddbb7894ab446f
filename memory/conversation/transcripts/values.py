"""What reading a transcript yields: the messages, and what the file says about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, overload

from memory.conversation.messages import Form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.conversation.messages import Message


class TranscriptFormat(StrEnum):
    """The file formats that are read; MARKDOWN is written only."""

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


@dataclass(slots=True)
class Findings:
    """What a reader finds beside the messages while it reads.

    Attributes:
        path: the file, "-" for standard input, None for a value in memory.
        session_id: the session's own id.
        cwd: the directory the agent worked in.
        frame: what stands around the messages in an API request or response (`system`, `model`, `tools`, ...).
        list_key: the key under which the list of messages stands in its frame, None for a bare list.
        warnings: what was left out or mended, one line each, each line once.
    """

    path: str | None = None
    session_id: str | None = None
    cwd: str | None = None
    frame: Mapping[str, Any] = field(default_factory=dict)
    list_key: str | None = None
    warnings: dict[str, None] = field(default_factory=dict)

    def warn(self, line: str) -> None:
        """Note one warning; a repeated one counts once (files are read twice)."""
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
        return isinstance(other, Transcript) and (self.format, self.frame, self.messages) == (
            other.format,
            other.frame,
            other.messages,
        )

    def __hash__(self) -> int:
        """Hash by messages."""
        return hash(self.messages)

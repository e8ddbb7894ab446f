"""The session formats of agents: a file each, and a row here, in the order in which a record is tried with them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memory.conversation.messages import Form
from memory.conversation.transcripts.formats import claude_code, codex, gemini, openhands, swe_agent
from memory.conversation.transcripts.values import Records, TranscriptFormat, Values


@dataclass(frozen=True, slots=True)
class SessionFormat:
    """How an agent (`title`, for people) writes its sessions.

    `shows` tells whether a record can only be of this format; `read` turns records into messages of the wire form.
    """

    name: TranscriptFormat
    title: str
    shows: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Records], Values]
    form: Form = Form.ANTHROPIC


_ROWS = (
    SessionFormat(TranscriptFormat.CLAUDE_CODE, "Claude Code", claude_code.shows, claude_code.read),
    SessionFormat(TranscriptFormat.CODEX, "Codex", codex.shows, codex.read, Form.OPENAI_RESPONSES),
    SessionFormat(TranscriptFormat.OPENHANDS, "OpenHands", openhands.shows, openhands.read),
    SessionFormat(TranscriptFormat.GEMINI, "Gemini CLI", gemini.shows, gemini.read),
    SessionFormat(TranscriptFormat.SWE_AGENT, "SWE-agent", swe_agent.shows, swe_agent.read),
    SessionFormat(
        TranscriptFormat.CLINE,
        "Cline or Roo",
        lambda record: "role" in record and "ts" in record,  # messages of an API with a time on each
        lambda records: ((number, value, None) for number, value in records),
    ),
)
SESSION_FORMATS = {one.name: one for one in _ROWS}

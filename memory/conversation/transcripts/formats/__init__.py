"""The session formats of agents: a file each, and a row here, in the order in which a record is tried with them."""

from collections.abc import Callable, Iterable, Mapping
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

    name: str
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
SESSION_FORMATS: dict[str, SessionFormat] = {one.name: one for one in _ROWS}
_UNASKED: list[Callable[[], Iterable[SessionFormat]]] = []


def formats_from(give: Callable[[], Iterable[SessionFormat]]) -> None:
    """Let an edge give further formats; asked once, when something is of none of ours, whose names stay ours."""
    _UNASKED.append(give)


def first_format(fits: Callable[[SessionFormat], bool]) -> SessionFormat | None:
    """Return the first format that fits, ours before others; None where none does."""
    found = next(filter(fits, SESSION_FORMATS.values()), None)
    while found is None and _UNASKED:
        more = {one.name: one for one in _UNASKED.pop()() if one.name not in SESSION_FORMATS}
        SESSION_FORMATS.update(more)
        found = next(filter(fits, more.values()), None)
    return found

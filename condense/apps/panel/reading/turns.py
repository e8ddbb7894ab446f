"""The newest turn of a session: what it changed, which tools it used, what of it is remembered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from condense.reading import collect_artifacts
from memory import read_transcript
from memory.conversation import typed_text
from memory.errors import MemoryFailure

if TYPE_CHECKING:
    from condense.apps.panel.reading.sessions import Entry, Sessions
    from memory.conversation import Message

WORDS: Final = 120
"""Characters of what the person typed that name a turn."""
TAIL: Final = 1_000_000
"""Bytes of a session's end that are read for its newest turn; chosen: a few hundred calls."""

_COMMAND: Final = re.compile(r"/[^\s/]{1,120}(?: \(MCP\))?")


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn did; `at` in seconds since 1970 UTC, `message` the digest of what began it, `words` its start."""

    at: float
    message: str
    words: str
    files_changed: int
    tools_used: int


def newest_turn(sessions: Sessions, entry: Entry) -> Turn | None:
    """Return the newest turn of a session; None where nobody typed anything in its end, or it cannot be read.

    A slash command without words goes on with the turn before it: nothing was asked for.
    """
    messages = _end_of(sessions, entry)
    begun = next((i for i in range(len(messages) - 1, -1, -1) if _begins(messages[i])), None)
    if begun is None:
        return None
    turn = messages[begun:]
    files = collect_artifacts(turn).files
    return Turn(
        at=messages[begun].meta.timestamp or entry.written,
        message=messages[begun].digest,
        words=" ".join(typed_text(messages[begun]).split())[:WORDS],
        files_changed=sum(file.is_changed for file in files),
        tools_used=sum(len(message.calls) for message in turn),
    )


def _begins(message: Message) -> bool:
    typed = typed_text(message)
    return bool(typed) and not _COMMAND.fullmatch(typed)


def _end_of(sessions: Sessions, entry: Entry) -> tuple[Message, ...]:
    held = sessions.held(entry)
    if held is not None or entry.path is None or entry.size <= TAIL:
        return (held or sessions.read(entry)).messages
    try:
        with entry.path.open("rb") as file:
            file.seek(entry.size - TAIL)
            end = file.read(TAIL)
        return read_transcript(end[end.index(b"\n") + 1 :]).messages
    except (MemoryFailure, OSError, ValueError, RecursionError):  # no lines, or broken ones
        return ()

"""Sessions: listed, read, and condensed as a trial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from condense.apps.panel import shapes
from condense.apps.panel.asking import Asked, Endpoint, Problem, Wanted
from condense.apps.panel.reading import condensed
from condense.apps.panel.routes.memory_lists import Cursor, InProject, Limit
from condense.apps.panel.values import offset_of, paged, shown_message, time_of
from memory.conversation import typed_text

if TYPE_CHECKING:
    from condense.apps.panel.reading import Entry
    from condense.apps.panel.state import Panel
    from memory.conversation import Transcript

EXAMPLE: Final = {
    "id": "c2Vzc2lvbg==",
    "agent": "claude-code",
    "title": "Please build the shop's price list",
    "path": "/home/you/.claude/projects/-home-you-shop/0b9f7f0e.jsonl",
    "folder": "/home/you/shop",
    "project": "p_0123456789abcdef",
    "started_at": "2025-05-01T10:00:00.000Z",
    "updated_at": "2025-05-01T11:00:00.000Z",
    "size": 120_000,
    "messages": None,
    "compactions": None,
    "copy": False,
    "thread": False,
}


class SessionsWanted(InProject):
    """Which sessions."""

    q: Annotated[str, Field(max_length=500, description="Words of the title, the folder or the path.")] = ""
    agent: Annotated[str, Field(max_length=40)] = ""
    limit: Limit = 50
    cursor: Cursor = None


class MessagesWanted(Wanted):
    """Which messages."""

    start: Annotated[int, Field(ge=0, alias="from")] = 0
    limit: Limit = 200
    around: Annotated[int | None, Field(ge=0, description="Begin so that this index is in the middle.")] = None


class Condensing(Wanted):
    """How to condense."""

    target: Annotated[int, Field(ge=100, le=10_000_000, description="Tokens to come down to.")]
    focus: Annotated[str, Field(max_length=2000, description="What should be kept above all.")] = ""


def sessions(panel: Panel, asked: Asked) -> Any:
    """List sessions, the newest first."""
    wanted: SessionsWanted = asked.query
    entries = [one for one in panel.sessions.listed() if not wanted.agent or one.agent == wanted.agent]
    words = wanted.q.casefold().split()
    if wanted.project or words:
        entries = [one for one in entries if _fits(panel, one, wanted.project, words)]
    offset = offset_of(wanted.cursor)
    page = entries[offset : offset + wanted.limit]
    return paged((_shown(panel, one) for one in page), len(entries), offset)


def _fits(panel: Panel, entry: Entry, project: str | None, words: list[str]) -> bool:
    if project and panel.sessions.key_of(panel.sessions.folder_of(entry)) != project:
        return False
    if not words:
        return True
    about = panel.sessions.about(entry)
    text = f"{about.title} {about.folder or ''} {entry.path or entry.task}".casefold()
    return all(word in text for word in words)


def _shown(panel: Panel, entry: Entry) -> dict[str, Any]:
    about = panel.sessions.about(entry)
    held = panel.sessions.held(entry)
    return {
        "id": entry.id,
        "agent": entry.agent,
        "title": about.title,
        "path": str(entry.path) if entry.path else None,
        "folder": about.folder,
        "project": panel.sessions.key_of(about.folder),
        "started_at": time_of(about.started_at),
        "updated_at": time_of(entry.written),
        "size": entry.size,
        "messages": len(held.messages) if held else None,
        "compactions": panel.compactions_of(entry) or None,
        "copy": about.is_copy,
        "thread": entry.path is None,
    }


def _opened(panel: Panel, name: str) -> tuple[Entry, Transcript]:
    entry = panel.sessions.named(name)
    if entry is None:
        raise Problem(404, "no_session", "id", id=name)
    return entry, panel.sessions.read(entry)


def session(panel: Panel, asked: Asked) -> Any:
    """Read one session: what it holds in numbers, and the compactions of it."""
    entry, read = _opened(panel, asked.path["id"])
    typed = sum(bool(typed_text(message)) for message in read)
    records = panel.records_of(entry, read)
    return {
        **_shown(panel, entry),
        "messages": len(read),
        "compactions": len(records) or None,
        "warnings": list(read.warnings),
        "totals": {
            "tokens": sum(panel.size_of(message) for message in read),
            "typed": typed,
            "tools": sum(len(message.calls) for message in read),
        },
        "records": records,
    }


def messages(panel: Panel, asked: Asked) -> Any:
    """List messages of a session in their order."""
    entry, read = _opened(panel, asked.path["id"])
    wanted: MessagesWanted = asked.query
    start = wanted.start if wanted.around is None else max(0, wanted.around - wanted.limit // 2)
    folded = panel.folded_in(entry, read)
    scores = panel.scores_of(entry, read)
    rows = [
        shown_message(
            message,
            index,
            panel.count,
            folded_by=folded.get(index),
            importance=scores[index] if scores else None,
        )
        for index, message in enumerate(read.messages[start : start + wanted.limit], start)
    ]
    return paged(rows, len(read), start)


def message(panel: Panel, asked: Asked) -> Any:
    """Give one message with its whole text."""
    entry, read = _opened(panel, asked.path["id"])
    index = int(asked.path["index"])
    if index >= len(read):
        raise Problem(404, "no_message", "index", count=len(read), index=index)
    folded = panel.folded_in(entry, read).get(index)
    return shown_message(read[index], index, panel.count, most=None, folded_by=folded)


def condense(panel: Panel, asked: Asked) -> Any:
    """Try what condensing a session would do; nothing is written."""
    entry, read = _opened(panel, asked.path["id"])
    if not read.messages:
        raise Problem(400, "unreadable", "id", why="; ".join(read.warnings) or "it holds no messages")
    key = panel.sessions.key_of(panel.sessions.about(entry).folder)
    recall = panel.memories(key) if key and panel.enhanced else None
    return condensed(read, asked.body.target, asked.body.focus, recall)


MESSAGE: Final = {
    "index": 0,
    "role": "user",
    "kind": "typed",
    "text": "Please build the shop's price list.",
    "command": None,
    "cut": False,
    "tokens": 12,
    "tool": None,
    "at": "2025-05-01T10:00:00.000Z",
    "folded_by": None,
    "importance": 90.0,
}
ACTION: Final = {
    "start": 2,
    "end": 4,
    "kind": "turn",
    "level": "folded",
    "reason": "old, nothing in it is likely needed again",
    "tokens_before": 900,
    "tokens_after": 0,
    "handles": ["hf_0123456789ab", "hf_ba9876543210"],
    "label": "Bash: pytest -q",
}
BEFORE: Final = {
    "index": 2,
    "role": "assistant",
    "kind": "tool_call",
    "text": "Bash command: pytest -q",
    "tokens": 40,
    "level": "folded",
    "reason": ACTION["reason"],
    "handle": "hf_0123456789ab",
}
AFTER: Final = {"role": "user", "kind": "summary", "text": "…", "tokens": 3_000, "from": None}
ENDPOINTS: Final = (
    Endpoint(
        "GET",
        "/api/v1/sessions",
        "Sessions of agents on this machine, and threads of the store",
        sessions,
        shapes.Listed[shapes.Session],
        query=SessionsWanted,
        example={"items": [EXAMPLE], "total": 1, "next": None},
    ),
    Endpoint(
        "GET",
        "/api/v1/sessions/{id}",
        "One session, read",
        session,
        shapes.WholeSession,
        heavy=True,
        example={
            **EXAMPLE,
            "messages": 1,
            "warnings": [],
            "totals": {"tokens": 12, "typed": 1, "tools": 0},
            "records": [],
        },
    ),
    Endpoint(
        "GET",
        "/api/v1/sessions/{id}/messages",
        "Messages of a session, their texts cut",
        messages,
        shapes.Listed[shapes.Message],
        query=MessagesWanted,
        heavy=True,
        example={"items": [MESSAGE], "total": 1, "next": None},
    ),
    Endpoint(
        "GET",
        "/api/v1/sessions/{id}/messages/{index:int}",
        "One message, whole",
        message,
        shapes.Message,
        heavy=True,
        example=MESSAGE,
    ),
    Endpoint(
        "POST",
        "/api/v1/sessions/{id}/condense",
        "What condensing a session would do; nothing is written",
        condense,
        shapes.DryRun,
        body=Condensing,
        heavy=True,
        asks={"target": 16_000, "focus": "the price list"},
        example={
            "tokens_before": 90_000,
            "tokens_after": 15_800,
            "target": 16_000,
            "summary": "…",
            "error": None,
            "before": [BEFORE],
            "after": [AFTER],
            "receipt": [ACTION],
            "units_by_level": {"folded": 30, "verbatim": 12},
            "tokens_saved_by_kind": {"turn": 74_200},
            "typed_messages": 6,
            "typed_verbatim": 6,
            "notes": [],
            "seconds": 0.4,
        },
    ),
)

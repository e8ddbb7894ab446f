"""Compactions on record: their receipts, what was there and what was sent; and originals by their handles."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from condense.apps.panel import shapes
from condense.apps.panel.asking import Asked, Endpoint, Problem, Wanted
from condense.apps.panel.reading import (
    AGENT,
    UNDONE,
    after_of,
    agent_records,
    before_of,
    handle_at,
    shown_record,
)
from condense.apps.panel.routes.memory_lists import InProject
from condense.apps.panel.routes.session_views import ACTION, AFTER, BEFORE
from condense.apps.panel.undoing import Change
from condense.apps.panel.values import BRIEF, action_of, kind_of
from condense.compaction import Action, Level, repair
from condense.ledger import digest_chain
from memory.conversation import Form, detect_form, message_text, parse_message, parse_messages
from memory.errors import StoreError, UnknownHandleError, WireError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.apps.panel.reading import Kept
    from condense.apps.panel.state import Panel
    from condense.compaction import CompactionRecord
    from memory.conversation import Message


def record(panel: Panel, asked: Asked) -> Any:
    """Give one compaction with its receipt, and as far as it is known what was there before and after."""
    if asked.path["id"].startswith(AGENT):
        return _of_agent(panel, asked.path["id"])
    kept, found = _opened(panel, asked.path["id"])
    session = panel.sessions.named(kept.session)
    history = panel.sessions.read(session).messages[: kept.length] if session else ()
    if len(history) < kept.length or digest_chain(history)[-1] != kept.digest:
        history = ()
    return {
        **shown_record(kept, session.id if session else None),
        "summary": found.summary,
        "receipt": [action_of(action) for action in found.actions],
        "before": before_of(repair(history)[0], found.actions, panel.count)
        if history
        else _from_originals(panel, kept, found),
        "after": _after(panel, found, history),
    }


def _opened(panel: Panel, name: str) -> tuple[Kept, CompactionRecord]:
    kept = panel.records.named(name)
    found = panel.records.whole(kept) if kept else None
    if kept is None or found is None:
        raise Problem(404, "no_record", "id", id=name)
    return kept, found


def _of_agent(panel: Panel, name: str) -> Any:
    """Give a compaction that an agent made itself: what its summary stands for."""
    session = panel.sessions.named(name.removeprefix(AGENT).partition(".")[2])
    read = panel.sessions.read(session) if session else ()
    made = agent_records(read, session.id, panel.size_of) if session else []
    shown, folded = next((one for one in made if one[0]["id"] == name), (None, range(0)))
    if shown is None:
        raise Problem(404, "no_record", "id", id=name)
    whole = Action(
        folded.start,
        folded.stop,
        "history",
        Level.FOLDED,
        "the agent's own compaction",
        shown["tokens_before"],
        shown["tokens_after"],
    )
    summary = read[folded.stop]
    return {
        **shown,
        "summary": summary.text,
        "receipt": [action_of(whole)],
        "before": before_of(read, [whole], panel.count)[folded.start : folded.stop],
        "after": after_of([summary], None, panel.count),
    }


def _from_originals(panel: Panel, kept: Kept, found: CompactionRecord) -> list[Any]:
    """Return the messages of a history that is no longer there, by what was kept of each: its original, or a label."""
    rows = []
    project = kept.row.project or panel.project_of_task(kept.session) or panel.key_of(None)
    for action in found.actions:
        for index in range(action.start, action.end):
            handle = handle_at(action, index)
            message = _original(panel, handle, project) if handle else None
            rows.append(
                {
                    "index": index,
                    "role": message.role.value if message else "",
                    "kind": kind_of(message) if message else action.kind,
                    "text": message_text(message)[:BRIEF] if message else action.label,
                    "tokens": panel.size_of(message) if message else 0,
                    "level": action.level.value,
                    "reason": action.reason,
                    "handle": handle,
                }
            )
    return rows


def _after(panel: Panel, found: CompactionRecord, history: Sequence[Message]) -> list[Any]:
    if history:
        sent = parse_messages(found.replacement([message.raw for message in history]), Form(found.form))
        return after_of(sent, found, panel.count)
    rows = []
    labels = {index: one.label for one in found.actions for index in range(one.start, one.end)}
    for piece in found.pieces:
        if piece.made is not None:
            rows += after_of(parse_messages([piece.made], Form(found.form)), None, panel.count)
            rows[-1]["from"] = None
        else:
            text = labels.get(piece.kept or 0, "")
            rows.append({"role": "", "kind": "", "text": text, "tokens": 0, "from": piece.kept})
    return rows


def _original(panel: Panel, handle: str, project: str) -> Message | None:
    try:
        value = json.loads(panel.store.any_original(handle, project).decode("utf-8", "surrogatepass"))
        return parse_message(value, detect_form([value]))
    except (UnknownHandleError, StoreError, WireError, ValueError):
        return None


def undo(panel: Panel, asked: Asked) -> Any:
    """Take a compaction of a proxy's view back: the next request shows what stood before it."""
    name = asked.path["id"]
    if name.startswith(AGENT):
        raise Problem(409, "not_undoable", "id", id=name)
    kept, found = _opened(panel, name)
    if kept.source != "proxy view":
        raise Problem(409, "not_undoable", "id", id=kept.id)
    row, content = kept.row, found.to_json()

    def moved(task: str) -> None:
        with panel.store.writing():
            panel.store.put_record(row.project, task, row.id, content, row.made)

    if not kept.undone:
        moved(UNDONE + row.task)
    back = Change(back=lambda: moved(row.task.removeprefix(UNDONE)))
    return {"undone": True, "undo": panel.undoing.keep(back)}


def original(panel: Panel, asked: Asked) -> Any:
    """Give the original of a handle, as a person reads it."""
    handle = asked.path["handle"]
    try:
        content = panel.store.any_original(handle, panel.key_of(asked.query.project))
    except UnknownHandleError as error:
        raise Problem(404, "no_original", "handle", handle=handle) from error
    text = content.decode("utf-8", "surrogatepass")
    try:
        value = json.loads(text)
        text = message_text(parse_message(value, detect_form([value]))) or text
    except (ValueError, WireError):  # no message: as it is
        pass
    return {"handle": handle, "text": text, "bytes": len(content)}


EXAMPLE: Final = {
    "id": "cmVjb3Jk",
    "session": "c2Vzc2lvbg==",
    "at": "2025-05-01T10:30:00.000Z",
    "tokens_before": 90_000,
    "tokens_after": 15_800,
    "target": 16_000,
    "actions": 1,
    "undone": False,
    "source": "proxy view",
}
ENDPOINTS: Final = (
    Endpoint(
        "GET",
        "/api/v1/records/{id}",
        "One compaction: its receipt, before and after",
        record,
        shapes.WholeRecord,
        heavy=True,
        example={**EXAMPLE, "summary": "…", "receipt": [ACTION], "before": [BEFORE], "after": [AFTER]},
    ),
    Endpoint(
        "POST",
        "/api/v1/records/{id}/undo",
        "Take a compaction of a proxy's view back",
        undo,
        shapes.UndoneRecord,
        body=Wanted,
        asks={},
        example={"undone": True, "undo": "f3Jk2mQx0c9L"},
    ),
    Endpoint(
        "GET",
        "/api/v1/originals/{handle}",
        "The original of a handle",
        original,
        shapes.Original,
        query=InProject,
        example={"handle": "hf_0123456789ab", "text": "Bash command: pytest -q", "bytes": 180},
    ),
)

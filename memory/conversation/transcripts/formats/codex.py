"""Codex rollouts: JSON lines of Responses items.

Newer files wrap each item in a record with a `payload`, older ones hold bare items after a header. A compaction's
summary stands behind the items it folded; turns that the user rolled back are left out.

Source: the rollout files themselves and `codex-rs/protocol` (`RolloutItem`, `ThreadRolledBack`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.messages import MessageMeta
from memory.conversation.transcripts.values import mapping, objects
from memory.conversation.wire import read_timestamp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.conversation.transcripts.values import Records, Values

# No sets: what is looked up may be unhashable.
_NOT_SENT = ("ghost_snapshot", "ghost_commit")
_COMPACTION_TYPES = ("compaction", "compaction_summary", "context_compaction")
_INJECTED = ("<", "# AGENTS.md instructions")


def shows(record: Mapping[str, Any]) -> bool:
    """Tell whether a record can only be of this format."""
    if "record_type" in record or (isinstance(record.get("payload"), dict) and record.get("type")):
        return True
    return {"id", "timestamp", "instructions"} <= record.keys() and "role" not in record


def read(records: Records) -> Values:
    """Yield the items that the model saw, compaction summaries flagged; goes through the file twice."""
    dropped, summaries = _looked_through(records)
    for number, record in records:
        if any(first <= number < last for first, last in dropped):
            continue
        payload, kind = record.get("payload"), record.get("type")
        timestamp = read_timestamp(record.get("timestamp"))
        items: list[Any] = []
        flagged = number in summaries
        if not isinstance(payload, dict):
            if "type" in record and "payload" not in record:
                items = [record]
            elif "record_type" not in record:
                records.findings.note(record.get("id"), record.get("cwd"))
        elif kind == "response_item":
            items = [payload]
        elif kind in ("session_meta", "turn_context"):
            records.findings.note(payload.get("id"), payload.get("cwd"))
        elif kind == "compacted":
            items, flagged = _summary(payload), True
        for item in items:
            if item.get("type") not in _NOT_SENT:
                yield number, item, MessageMeta(timestamp, is_compact_summary=flagged)


def _summary(payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what a compaction wrote: its message, else what its replacement history has beside user messages."""
    text = payload.get("message")
    if isinstance(text, str) and text:
        return [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}]
    items = objects(payload.get("replacement_history"))
    return [item for item in items if item.get("type") in _COMPACTION_TYPES] or items[-1:]


def _looked_through(records: Records) -> tuple[list[tuple[int, int]], set[int]]:
    """Return the ranges of line numbers whose turns the user took back, and the lines of the model's own summaries.

    A compaction on this machine leaves its summary twice: as the answer the model gave, and in the row behind it.
    """
    turns: list[int] = []
    dropped: list[tuple[int, int]] = []
    summaries: set[int] = set()
    answer: tuple[int, str] = (0, "")
    for number, record in records:
        kind, payload = record.get("type"), mapping(record.get("payload"))
        if payload.get("type") == "thread_rolled_back":
            count = payload.get("num_turns")
            if isinstance(count, int) and count > 0 and turns:
                dropped.append((turns[-count:][0], number))
                del turns[-count:]
        elif kind == "compacted":
            if answer[1] and any(_text_of(item).endswith(answer[1]) for item in _summary(payload)):
                summaries.add(answer[0])
        elif kind == "response_item" and payload.get("type") == "message":
            answer = (number, _text_of(payload) if payload.get("role") == "assistant" else "")
            content = payload.get("content")
            if payload.get("role") == "user" and isinstance(content, list):
                shown = mapping(content[0]).get("text") if content else None
                if not (isinstance(shown, str) and shown.startswith(_INJECTED)):  # a person sent it
                    turns.append(number)
    return dropped, summaries


def _text_of(item: Mapping[str, Any]) -> str:
    """Return the text of a message, without blanks around it; "" where it has none."""
    texts = [block.get("text") for block in objects(item.get("content"))]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()

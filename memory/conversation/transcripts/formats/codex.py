"""Codex rollouts: JSON lines of Responses items.

Newer files wrap each item (`{"timestamp", "type": "response_item", "payload"}`) and write events beside it; older
ones hold bare items after a header. A compaction stays in the conversation as what it is, its summary, behind the
items it folded; turns that the user rolled back are left out.

Source: the rollout files themselves and `codex-rs/protocol` (`RolloutItem`, `ThreadRolledBack`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message, MessageMeta
from memory.conversation.wire import parse_message, read_timestamp
from memory.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memory.conversation.transcripts.records import Records

# No sets: what is looked up may be unhashable.
_NOT_SENT = ("ghost_snapshot", "ghost_commit")
_COMPACTION_TYPES = ("compaction", "compaction_summary", "context_compaction")
_HEADERS = ("session_meta", "turn_context")
_INJECTED = ("<", "# AGENTS.md instructions")


def read(records: Records) -> Iterator[Message]:
    """Yield the items that the model saw, compaction summaries flagged.

    An item that does not fit the form is left out with a warning. Reads the file twice, one line at a time.
    """
    dropped, summaries = _looked_through(records)
    for number, record in records:
        if any(first <= number < last for first, last in dropped):
            continue
        payload = record.get("payload")
        timestamp = read_timestamp(record.get("timestamp"))
        if not isinstance(payload, dict):
            if "type" in record and "payload" not in record:
                yield from _item(records, number, record, MessageMeta(timestamp))
            elif "record_type" not in record:
                records.findings.note(record.get("id"), record.get("cwd"))
            continue
        kind = record.get("type")
        if kind == "response_item":
            meta = MessageMeta(timestamp, is_compact_summary=number in summaries)
            yield from _item(records, number, payload, meta)
        elif kind in _HEADERS:
            records.findings.note(payload.get("id"), payload.get("cwd"))
        elif kind == "compacted":
            for item in _summary(payload):
                yield from _item(records, number, item, MessageMeta(timestamp, is_compact_summary=True))


def _item(records: Records, number: int, item: Mapping[str, Any], meta: MessageMeta) -> Iterator[Message]:
    if item.get("type") in _NOT_SENT:
        return
    try:
        message = parse_message(item, Form.OPENAI_RESPONSES)
    except WireError as error:
        records.warn(f"{error}; left out", number)
        return
    yield Message(message.role, message.parts, message.form, message.raw, meta)


def _summary(payload: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what a compaction wrote: its message, otherwise what its replacement history has beside user messages."""
    text = payload.get("message")
    if isinstance(text, str) and text:
        content = [{"type": "input_text", "text": text}]
        yield {"type": "message", "role": "user", "content": content}
        return
    history = payload.get("replacement_history")
    items = [item for item in history if isinstance(item, dict)] if isinstance(history, list) else []
    written = [item for item in items if item.get("type") in _COMPACTION_TYPES]
    yield from written or items[-1:]


def _looked_through(records: Records) -> tuple[list[tuple[int, int]], set[int]]:
    """Return the ranges of line numbers whose turns the user took back, and the lines of the model's own summaries.

    A compaction on this machine leaves its summary twice: as the answer the model gave, and in the row behind it.
    """
    turns: list[int] = []
    dropped: list[tuple[int, int]] = []
    summaries: set[int] = set()
    answer: tuple[int, str] = (0, "")
    for number, record in records:
        payload = record.get("payload")
        if not isinstance(payload, dict):
            continue
        if payload.get("type") == "thread_rolled_back":
            count = payload.get("num_turns")
            if isinstance(count, int) and count > 0 and turns:
                first = turns[-count] if count <= len(turns) else turns[0]
                del turns[-count:]
                dropped.append((first, number))
        elif record.get("type") == "compacted":
            if answer[1] and any(_text_of(item).endswith(answer[1]) for item in _summary(payload)):
                summaries.add(answer[0])
        elif record.get("type") == "response_item":
            if payload.get("type") == "message":
                answer = (number, _text_of(payload) if payload.get("role") == "assistant" else "")
            if _is_turn(payload):
                turns.append(number)
    return dropped, summaries


def _text_of(item: Mapping[str, Any]) -> str:
    """Return the text of a message, without blanks around it; "" where it has none."""
    content = item.get("content")
    blocks = content if isinstance(content, list) else ()
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _is_turn(item: Mapping[str, Any]) -> bool:
    """Tell whether an item is a message that a person sent, not one that Codex put in."""
    content = item.get("content")
    if item.get("type") != "message" or item.get("role") != "user" or not isinstance(content, list):
        return False
    shown = content[0].get("text") if content and isinstance(content[0], dict) else None
    return not (isinstance(shown, str) and shown.startswith(_INJECTED))

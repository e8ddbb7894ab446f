"""Values of the library as the panel's answers have them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

import orjson

from condense.ledger import read_ledger
from memory.conversation import Message, Role, count_message, message_text, typed_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from condense.apps.panel import shapes
    from condense.compaction import Action
    from memory.conversation import TokenCounter
    from memory.entries import StoredMemory

SHOWN: Final = 4_000
"""Characters of a message in a list."""
BRIEF: Final = 400
"""Characters of a message beside its compacted form."""

_TITLE: Final = r"(?:<command-message>[^<>]{0,300}</command-message>\s{0,20})?"
_COMMAND: Final = re.compile(
    rf"\s{{0,9}}{_TITLE}<command-name>\s{{0,9}}/?(?P<name>[^\s<>]{{1,120}}(?: \(MCP\))?)"
    rf"\s{{0,9}}</command-name>\s{{0,20}}{_TITLE}(?:<command-args>(?P<words>.*?)</command-args>|\Z)",
    re.DOTALL,
)
"""A slash command as Claude Code writes it down, to the client's own, too."""
_PLAIN_COMMAND: Final = re.compile(r"\s{0,9}/[a-z][a-z-]{1,40}(?=\s|\Z)")


def time_of(seconds: float | None) -> str | None:
    """Return a time as ISO 8601 in UTC; None where it is not known."""
    if not seconds:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (OverflowError, OSError, ValueError):  # no time of a calendar
        return None


def memory_of(stored: StoredMemory) -> shapes.Memory:
    """Return a memory as lists show it."""
    entry = stored.entry
    return {
        "id": entry.id,
        "project": stored.project,
        "task": entry.task_id,
        "type": entry.type.value,
        "priority": entry.priority.value,
        "status": entry.status.value,
        "content": entry.content,
        "standing": entry.standing,
        "explicit": entry.explicit,
        "pinned": stored.pinned,
        "confidence": round(entry.confidence, 4),
        "created_at": time_of(entry.created_at),
        "accessed_at": time_of(entry.last_accessed_at),
        "access_count": entry.access_count,
        "tags": list(entry.tags),
        "files": list(entry.related_files),
        "technologies": list(entry.related_tech),
        "slots": [{"name": slot.name, "value": slot.value} for slot in entry.slots],
        "superseded_by": entry.superseded_by,
        "supersedes": list(entry.supersedes),
        "overtaken": [
            {"name": one.slot.name, "value": one.slot.value, "by": one.by, "later": one.later}
            for one in entry.overtaken
        ],
        "sightings": [{"task": seen.task_id, "at": time_of(seen.seen_at)} for seen in stored.sightings],
    }


def memory_tag(stored: StoredMemory) -> str:
    """Return what names a memory's state for ETag and If-Match; reading it does not change that."""
    shown = memory_of(stored)
    return etag_of(
        [shown[name] for name in ("id", "content", "status", "pinned", "type", "priority", "superseded_by")]
    )


def etag_of(value: Any) -> str:
    """Return what names a value's state: for ETag and If-Match."""
    content = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else orjson.dumps(value)
    return f'"{blake2b(content, digest_size=12).hexdigest()}"'


def kind_of(message: Message) -> str:
    """Say what a message is for a reader."""
    if message.role is Role.SYSTEM:
        return "system"
    if message.meta.is_compact_summary or (message.role is Role.USER and is_ledger(message.text)):
        return "summary"
    if message.results:
        return "tool_result"
    if message.role is Role.ASSISTANT:
        return "tool_call" if message.calls else "assistant"
    if command_of(message):
        return "command"
    return "typed" if typed_text(message) else "notice"


def command_of(message: Message) -> str:
    """Return a slash command as the person gave it, "/compact keep the rules"; "" where a message holds none."""
    if message.role is not Role.USER or message.meta.is_meta or message.results:
        return ""
    typed = typed_text(message)
    found = next((found for part in message.parts if (found := _COMMAND.match(part.text))), None)
    if found is None:
        is_plain = not typed and _PLAIN_COMMAND.match(message.text)  # one to the client
        return message.text.strip() if is_plain else ""
    name = f"/{found['name']}"
    if typed.startswith(name):
        return f"{name} {typed[len(name) :].strip()}".strip()
    return "\n".join(filter(None, (f"{name} {(found['words'] or '').strip()}".strip(), typed)))


def is_ledger(text: str) -> bool:
    """Tell whether a text holds a summary of ours."""
    return bool(text) and read_ledger(text) is not None


def shown_message(
    message: Message,
    index: int,
    count: TokenCounter,
    *,
    most: int | None = SHOWN,
    folded_by: str | None = None,
    importance: float | None = None,
) -> shapes.Message:
    """Return a message as it is shown, its text cut after `most` characters."""
    text = message_text(message)
    tool = next((part.name for part in (*message.calls, *message.results) if part.name), None)
    return {
        "index": index,
        "role": message.role.value,
        "kind": kind_of(message),
        "text": text if most is None else text[:most],
        "command": command_of(message)[:most] or None,
        "cut": most is not None and len(text) > most,
        "tokens": count_message(message, count),
        "tool": tool,
        "at": time_of(message.meta.timestamp),
        "folded_by": folded_by,
        "importance": importance,
    }


def action_of(action: Action) -> shapes.Action:
    """Return what a compaction did to a unit."""
    return {
        "start": action.start,
        "end": action.end,
        "kind": action.kind,
        "level": action.level.value,
        "reason": action.reason,
        "tokens_before": action.tokens_before,
        "tokens_after": action.tokens_after,
        "handles": list(action.handles),
        "label": action.label,
    }


def paged(items: Iterable[Any], total: int, offset: int = 0) -> dict[str, Any]:
    """Return one page of a list."""
    listed = list(items)
    following = offset + len(listed)
    return {"items": listed, "total": total, "next": str(following) if following < total and listed else None}


def offset_of(cursor: str | None) -> int:
    """Return where a page begins."""
    return int(cursor) if cursor else 0


def counts_of(tally: Mapping[tuple[str, str, str, bool], int], at: int) -> dict[str, int]:
    """Sum a tally by one of its keys."""
    summed: dict[str, int] = {}
    for key, number in tally.items():
        summed[str(key[at])] = summed.get(str(key[at]), 0) + number
    return summed


def release() -> str:
    """Return the version of the installed distribution, "unknown" where it is not installed."""
    try:
        return version("holdfast-context")
    except PackageNotFoundError:
        return "unknown"

"""Where a memory was said: the session's file by the task's id, the message by its digest, the words by their span."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from condense.apps.panel.texts import say

if TYPE_CHECKING:
    from condense.apps.panel.reading.sessions import Sessions
    from condense.apps.panel.texts import Language
    from memory.entries import MemoryEntry

MOST: Final = 20_000
"""Characters of the message that are shown around the span."""


def source_of(sessions: Sessions, entry: MemoryEntry, language: Language) -> dict[str, Any] | None:
    """Say where a memory was said; None where no message is its source.

    `why` says in words why the text cannot be shown: the session is gone, the message is no longer in it, or its text
    is another one.
    """
    source = entry.source
    if source is None:
        return None
    told: dict[str, Any] = {
        "task": entry.task_id,
        "session": None,
        "session_path": None,
        "message_index": None,
        "text": None,
        "start": source.start,
        "end": source.end,
        "heads": [list(head) for head in source.heads],
        "why": None,
    }
    found = sessions.named(entry.task_id)
    if found is None:
        return told | {"why": say("session_gone", language)}
    told |= {"session": found.id, "session_path": str(found.path) if found.path else None}
    read = sessions.read(found)
    index = next((i for i, message in enumerate(read) if message.digest == source.message), None)
    if index is None:
        return told | {"why": say("message_gone", language)}
    parts = read[index].parts
    text = parts[source.part].text if source.part < len(parts) else ""
    if source.end > len(text):
        return told | {"message_index": index, "why": say("text_gone", language)}
    first = min([source.start, *(low for low, _ in source.heads)])
    last = max([source.end, *(high for _, high in source.heads)])
    low = max(0, min(first - (MOST - (last - first)) // 2, len(text) - MOST))
    high = low + MOST
    return told | {
        "message_index": index,
        "text": text[low:high],
        "start": max(0, source.start - low),
        "end": min(source.end - low, MOST),
        "heads": [[max(0, a - low), min(b - low, MOST)] for a, b in source.heads if b > low],
    }

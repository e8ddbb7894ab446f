"""What all stores share: the protocol and its values (`memory.stored`), and what is done on the way in."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import orjson

from memory.entries import Slot
from memory.errors import UnknownHandleError
from memory.secrets import redact
from memory.stored import (
    ACTIVE,
    MemoryFilter,
    MemoryScope,
    MemoryStore,
    ProjectStore,
    SearchHit,
    Sighting,
    StoredConversation,
    StoredMemory,
    mark_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entries import MemoryEntry, Overtaken

__all__ = [
    "ACTIVE",
    "MemoryFilter",
    "MemoryScope",
    "MemoryStore",
    "ProjectStore",
    "SearchHit",
    "Sighting",
    "StoredConversation",
    "StoredMemory",
    "clean_bytes",
    "clean_json",
    "mark_of",
    "owner_of",
    "read_handle",
    "unknown_handle",
    "without_secrets",
]

_HANDLE: Final = re.compile(r"\A(?:hf_)?([0-9a-f]{8,64})\Z")


def without_secrets(memory: StoredMemory) -> StoredMemory:
    """Return a memory with every secret in its texts replaced; the same object where there is none."""
    entry = memory.entry
    content = redact(entry.content)
    tags = _redacted(entry.tags)
    files = _redacted(entry.related_files)
    slots = tuple(_redacted_slot(slot) for slot in entry.slots)
    marks = tuple(_redacted_mark(mark) for mark in entry.overtaken)
    was = (entry.content, entry.tags, entry.related_files, entry.slots, entry.overtaken)
    if (content, tags, files, slots, marks) == was:
        return memory
    clean: MemoryEntry = replace(
        entry, content=content, tags=tags, related_files=files, slots=slots, overtaken=marks
    )
    return replace(memory, entry=clean)


def _redacted(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(redact(text) for text in texts) if texts else texts


def _redacted_slot(slot: Slot) -> Slot:
    """Redact an answer beside its question: "api key" / "..." is a secret only together."""
    value = redact(slot.value)
    if value == slot.value:
        said = redact(f"{slot.name}: {slot.value}")
        if said != f"{slot.name}: {slot.value}":
            value = said.partition(": ")[2] or said
    return slot if value == slot.value else Slot(slot.name, value)


def _redacted_mark(mark: Overtaken) -> Overtaken:
    later = _redacted_slot(Slot(mark.slot.name, mark.later)).value if mark.later else ""
    return replace(mark, slot=_redacted_slot(mark.slot), later=later)


def read_handle(handle: str) -> str:
    """Return the digits of a handle, 8 to 64 hexadecimal ones.

    Raises:
        UnknownHandleError: it is none.
    """
    found = _HANDLE.match(handle.strip().lower())
    if found is None:
        raise UnknownHandleError(f"{handle!r} is no handle; one looks like 'hf_0123456789ab'")
    return found[1]


def owner_of(project: str | None, task_id: str) -> str:
    """Return the task that an original belongs to: "" in a project, where all tasks share it.

    Raises:
        ValueError: neither a project nor a task is named.
    """
    if project is None and not task_id:
        raise ValueError("an original names no project and no task; outside projects it should name the task")
    return task_id if project is None else ""


def unknown_handle(handle: str, found: Sequence[str] = ()) -> UnknownHandleError:
    """Return the error that a handle names nothing of whoever asks, or several things."""
    if found:
        return UnknownHandleError(f"{handle!r} names several things; give more of it: {sorted(found)}")
    return UnknownHandleError(
        f"{handle!r} is not in this store for this project or task, and asking again will not help; run the command "
        "or read the file again"
    )


def clean_json(text: str) -> str:
    """Return a text without secrets; one that was JSON still is.

    Text is redacted as it stands, because a label and its value may be a key and its value. Where that breaks the
    JSON, every string in it is redacted by itself.
    """
    clean = redact(text)
    if clean is text or clean == text:
        return text
    was, now = _parsed(text), _parsed(clean)
    if was is _NOTHING or now is not _NOTHING:
        return clean
    return orjson.dumps(_without_secrets(was)).decode()


_NOTHING: Final = object()


def _parsed(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return _NOTHING


def _without_secrets(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(key): _without_secrets(held) for key, held in value.items()}
    if isinstance(value, list):
        return [_without_secrets(held) for held in value]
    return value


def clean_bytes(content: bytes) -> bytes:
    """Return a content without secrets; what is no text is searched all the same, byte for character."""
    try:
        text = content.decode("utf-8", "surrogateescape")
        return clean_json(text).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return content

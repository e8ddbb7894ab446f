"""What all stores share: the protocol and its values (`memory.stored`), and what is done on the way in."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memory.entries import Slot
from memory.errors import UnknownHandleError
from memory.secrets import redact, redact_json, redact_value
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
    "mark_of",
    "read_handle",
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
    return Slot(slot.name, redact_value(slot.value, slot.name))


def _redacted_mark(mark: Overtaken) -> Overtaken:
    return replace(mark, slot=_redacted_slot(mark.slot), later=redact_value(mark.later, mark.slot.name))


def read_handle(handle: str) -> str:
    """Return the digits of a handle, 8 to 64 hexadecimal ones.

    Raises:
        UnknownHandleError: it is none.
    """
    found = _HANDLE.match(handle.strip().lower())
    if found is None:
        raise UnknownHandleError(f"{handle!r} is no handle; one looks like 'hf_0123456789ab'")
    return found[1]


def clean_bytes(content: bytes) -> bytes:
    """Return a content without secrets; what is no text is searched all the same, byte for character."""
    try:
        text, errors = content.decode("utf-8", "surrogatepass"), "surrogatepass"
    except UnicodeDecodeError:
        text, errors = content.decode("utf-8", "surrogateescape"), "surrogateescape"
    clean = redact_json(text)
    if clean == text:
        return content
    try:
        return clean.encode("utf-8", errors)
    except UnicodeEncodeError:
        return clean.encode("utf-8", "backslashreplace")

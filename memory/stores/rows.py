"""Rows of the stores in SQL and the values they stand for."""

from __future__ import annotations

import json
import zlib
from dataclasses import fields
from typing import Any, Final

import orjson

from memory.conversation import redact_json
from memory.entries import (
    MemoryEntry,
    MemoryPriority,
    MemoryScope,
    MemoryStatus,
    MemoryType,
    Overtaken,
    Sighting,
    Slot,
    Source,
    StoredMemory,
)

ANALYSIS: Final = "3"
"""Version of `memory.search.terms`, `stemming` and `synonyms`; a store that was indexed by another is indexed anew.
Raise it with every change of what these return."""
COLUMNS: Final = (
    "row", "project", "id", "task", "scope", "pinned", "type", "priority", "status", "created", "accessed", "uses",
    "content", "superseded_by", "details",
)  # fmt: skip
_DEFAULTS: Final = {
    field.name: field.default
    for field in fields(MemoryEntry)
    if field.name
    in ("standing", "tags", "related_files", "related_tech", "slots", "supersedes", "explicit", "confidence")
    or field.name == "overtaken"
}
_ESCAPED: Final = "\ue000"
"""Begins texts that are stored as JSON (a character for private use)."""


def row_of(row: int, project: int, memory: StoredMemory) -> tuple[Any, ...]:
    """Return a memory as the values of `COLUMNS`."""
    entry = memory.entry
    return (
        row,
        project,
        storable(entry.id),
        storable(entry.task_id),
        memory.scope.value,
        int(memory.pinned),
        entry.type.value,
        entry.priority.value,
        entry.status.value,
        entry.created_at,
        entry.last_accessed_at,
        entry.access_count,
        storable(entry.content),
        None if entry.superseded_by is None else storable(entry.superseded_by),
        _details(entry),
    )


def memory_of(row: tuple[Any, ...], project: str | None, sightings: tuple[Sighting, ...]) -> StoredMemory:
    """Return the memory that `row_of` made a row of."""
    (
        _,
        _,
        name,
        task,
        scope,
        pinned,
        kind,
        priority,
        status,
        created,
        accessed,
        uses,
        content,
        heir,
        details,
    ) = row
    known: dict[str, Any] = orjson.loads(details) if details else {}
    for listed in ("tags", "related_files", "related_tech", "supersedes"):
        if listed in known:
            known[listed] = tuple(restored(text) for text in known[listed])
    if "slots" in known:
        known["slots"] = tuple(Slot(restored(slot), restored(value)) for slot, value in known["slots"])
    if "overtaken" in known:
        known["overtaken"] = tuple(
            Overtaken(Slot(restored(slot), restored(value)), by if by is None else restored(by), restored(later))
            for slot, value, by, later in known["overtaken"]
        )
    source = known.pop("source", None)
    entry = MemoryEntry(
        id=restored(name),
        task_id=restored(task),
        type=MemoryType(kind),
        priority=MemoryPriority(priority),
        content=restored(content),
        source=None if source is None else _source_of(*source),
        created_at=created,
        last_accessed_at=accessed,
        access_count=uses,
        status=MemoryStatus(status),
        superseded_by=None if heir is None else restored(heir),
        **known,
    )
    return StoredMemory(entry, project, MemoryScope(scope), bool(pinned), sightings)


def _source_of(message: str, part: int, start: int, end: int, *heads: list[int]) -> Source:
    return Source(message, part, start, end, tuple((low, high) for low, high in heads))


def sighting_rows(row: int, memory: StoredMemory) -> list[tuple[Any, ...]]:
    """Return a memory's sightings as rows: memory, ordinal, task, time, and the source's four values."""
    found: list[tuple[Any, ...]] = []
    for ordinal, seen in enumerate(memory.sightings):
        source = seen.source
        where = (None,) * 4 if source is None else (source.message, source.part, source.start, source.end)
        found.append((row, ordinal, storable(seen.task_id), seen.seen_at, *where))
    return found


def sighting_of(row: tuple[Any, ...]) -> Sighting:
    """Return the sighting of a row."""
    _, _, task, seen, message, part, start, end = row
    return Sighting(restored(task), None if message is None else Source(message, part, start, end), seen)


def storable(text: str) -> str:
    """Return a text that a database holds without loss: one with lone surrogates or NUL is escaped."""
    if "\x00" not in text and not text.startswith(_ESCAPED):
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
    return _ESCAPED + json.dumps(text)


def restored(text: str) -> str:
    """Return what `storable` was given."""
    if not text.startswith(_ESCAPED):
        return text
    value: str = json.loads(text.removeprefix(_ESCAPED))
    return value


def _details(entry: MemoryEntry) -> str:
    known: dict[str, Any] = {}
    for name, default in _DEFAULTS.items():
        value = getattr(entry, name)
        if value != default:
            known[name] = value
    for listed in ("tags", "related_files", "related_tech", "supersedes"):
        if listed in known:
            known[listed] = [storable(text) for text in known[listed]]
    if "slots" in known:
        known["slots"] = [(storable(slot.name), storable(slot.value)) for slot in entry.slots]
    if "overtaken" in known:
        known["overtaken"] = [
            (
                storable(mark.slot.name),
                storable(mark.slot.value),
                None if mark.by is None else storable(mark.by),
                storable(mark.later),
            )
            for mark in entry.overtaken
        ]
    if (source := entry.source) is not None:
        known["source"] = (source.message, source.part, source.start, source.end, *source.heads)
    return orjson.dumps(known).decode() if known else ""


def packed(text: str) -> bytes:
    """Pack a text in JSON, without its secrets."""
    return zlib.compress(redact_json(text).encode("utf-8", "surrogatepass"))


def unpacked(content: bytes) -> str:
    """Return what `packed` was given, less its secrets."""
    return zlib.decompress(content).decode("utf-8", "surrogatepass")

"""A project's memories as JSON, complete and back again into a project, and as Markdown for people."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from memory.consolidation import TITLES, marked_text
from memory.entries import (
    MemoryFilter,
    MemoryScope,
    MemoryStatus,
    MemoryType,
    StoredMemory,
    without_secrets,
)
from memory.errors import SnapshotError
from memory.projects.recalling import day_of
from memory.projects.sharing import MOST_SIGHTINGS, alike, meet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.config import SimilarityConfig
    from memory.entries import ProjectStore

FORMAT = "holdfast-project-memory"
VERSION = 1
_TIMES = ("created_at", "last_accessed_at", "seen_at")
_WORDS = {
    "en": {"title": "Project memory", "retired": "No longer valid", "pinned": "pinned", "pending": "pending"},
    "zh": {"title": "项目记忆", "retired": "已失效", "pinned": "已置顶", "pending": "待确认"},
}


@cache
def _adapter() -> TypeAdapter[tuple[StoredMemory, ...]]:
    return TypeAdapter(tuple[StoredMemory, ...])


def export_json(memories: Iterable[StoredMemory]) -> str:
    """Return memories as JSON, indented; without the project's key, so that they can be taken into another."""
    plain = tuple(without_secrets(replace(memory, project=None)) for memory in memories)
    rows = [_with_times(row, 0.0, None) for row in _adapter().dump_python(plain)]
    value = {"format": FORMAT, "version": VERSION, "memories": rows}
    text = json.dumps(value, indent=1, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        text = json.dumps(value, indent=1)
    return text + "\n"


def import_json(text: str | bytes) -> tuple[StoredMemory, ...]:
    """Return the memories of an export, for `PersistentMemoryManager.import_memories`; else raise `SnapshotError`."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"the import is not JSON ({error}); it should be what an export wrote") from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise SnapshotError(f"the import is no export of memories; its 'format' should be {FORMAT!r}")
    if value.get("version") != VERSION:
        raise SnapshotError(f"the export has version {value.get('version')!r}; this release reads {VERSION}")
    rows = value.get("memories")
    try:
        return _adapter().validate_python(
            [_with_times(r, None, 0.0) for r in rows] if isinstance(rows, list) else rows
        )
    except (ValidationError, RecursionError) as error:
        raise SnapshotError(f"the export is damaged: {error}") from error


def _with_times(value: Any, was: float | None, now: float | None) -> Any:
    """Return plain values with unknown times written otherwise: null in files, 0.0 inside."""
    if isinstance(value, list | tuple):
        return [_with_times(one, was, now) for one in value]
    if not isinstance(value, dict):
        return value
    return {k: now if k in _TIMES and v == was else _with_times(v, was, now) for k, v in value.items()}


def export_markdown(memories: Iterable[StoredMemory], language: str = "en") -> str:
    """Return memories as Markdown: headings ("en" or "zh") by type, a line for each memory, retired ones struck out."""
    if language not in _WORDS:
        raise ValueError(f"language is {language!r}; it should be 'en' or 'zh'")
    words, titles = _WORDS[language], TITLES[language]
    listed = [without_secrets(memory) for memory in memories]
    sections = [
        (titles[kind], [m for m in listed if m.entry.type is kind and m.entry.is_active])
        for kind in MemoryType
    ]
    sections.append((words["retired"], [m for m in listed if not m.entry.is_active]))
    lines = [f"# {words['title']}"]
    for title, shown in sections:
        lines += ["", f"## {title}", "", *(_line(memory, words) for memory in shown)] if shown else []
    return "\n".join(lines) + "\n"


def _line(memory: StoredMemory, words: dict[str, str]) -> str:
    entry = memory.entry
    text = " ".join(marked_text(entry).split())
    notes = (
        entry.priority.value if entry.is_active else "",
        words["pinned"] if memory.pinned else "",
        words["pending"] if entry.status is MemoryStatus.PENDING else "",
        day_of(entry.created_at),
    )
    said = text if entry.is_active else f"~~{text}~~"
    return f"- {said} ({', '.join(filter(None, notes))}) `{entry.id}`"


@dataclass(frozen=True, slots=True)
class Imported:
    """What taking an export in did to a project, as numbers of memories.

    Attributes:
        new: ones that the project did not know.
        strengthened: known ones of which the export knows more: uses, sightings, that somebody accepted or pinned them.
        unchanged: known ones of which it knows nothing more.
        superseded: ones that no longer hold because of the others.
    """

    new: int = 0
    strengthened: int = 0
    unchanged: int = 0
    superseded: int = 0


def take_in(
    store: ProjectStore, project: str, memories: Iterable[StoredMemory], config: SimilarityConfig, now: float
) -> Imported:
    """Take the memories of an export into a project, within one transaction.

    A memory that is known here by its id keeps its words and its state, whatever the export says. A new one is held
    against what was known here before: what says the same is strengthened, what contradicts it is superseded by the
    later of the two. Memories of one export are not held against each other.
    """
    counts = dict.fromkeys(("new", "strengthened", "unchanged", "superseded"), 0)
    with store.writing():
        before = {m.id for m in store.find(MemoryFilter(project, scope=MemoryScope.PROJECT, statuses=()))}
        for memory in memories:
            incoming = replace(memory, project=project, scope=MemoryScope.PROJECT)
            known = store.get(project, incoming.id)
            if known is not None and known.scope is MemoryScope.PROJECT:
                kept = [_strengthened(known, incoming)]
                counts["unchanged" if kept == [known] else "strengthened"] += 1
            elif not incoming.entry.is_active or not (
                met := [m for m in alike(store, project, incoming.entry) if m.id in before] if before else []
            ):
                kept = [incoming]
                counts["new"] += 1
            else:
                meeting = meet(incoming, met, config, now)
                kept = [_as_exported(m, incoming) if m.id == incoming.id else m for m in meeting.changed]
                counts["superseded"] += len(meeting.superseded)
                is_new = any(m.id == incoming.id for m in kept)
                counts["new" if is_new else "strengthened" if meeting.strengthened else "unchanged"] += 1
            store.put(kept)
    return Imported(**counts)


def _strengthened(known: StoredMemory, incoming: StoredMemory) -> StoredMemory:
    """Return a known memory with what an export of it knows beyond: never other words, never brought back."""
    entry, other = known.entry, incoming.entry
    if not entry.is_active or not other.is_active:
        return known
    sightings = tuple(dict.fromkeys((*incoming.sightings, *known.sightings)))[-MOST_SIGHTINGS:]
    kept = replace(
        entry,
        access_count=max(entry.access_count, other.access_count),
        last_accessed_at=max(entry.last_accessed_at, other.last_accessed_at),
        confidence=max(entry.confidence, other.confidence),
        status=other.status if other.status is MemoryStatus.PERSISTED else entry.status,
    )
    more = sightings if len(sightings) > len(known.sightings) else known.sightings
    return replace(known, entry=kept, pinned=known.pinned or incoming.pinned, sightings=more)


def _as_exported(met: StoredMemory, incoming: StoredMemory) -> StoredMemory:
    """Return a memory that came in new with the verdict that the export had on it."""
    status = incoming.entry.status if met.entry.is_active else met.entry.status
    return replace(met, entry=replace(met.entry, status=status))

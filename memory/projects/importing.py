"""How an export meets what a project knows: taken in, said again, or known already; nothing known is overwritten."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memory.entries import MemoryFilter, MemoryScope, MemoryStatus, StoredMemory
from memory.projects.sharing import MOST_SIGHTINGS, alike, meet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.config import SimilarityConfig
    from memory.entries import ProjectStore


@dataclass(frozen=True, slots=True)
class Imported:
    """What taking an export in did to a project.

    Attributes:
        new: memories that the project did not know.
        strengthened: known ones of which the export knows more: uses, sightings, that somebody accepted or pinned them.
        unchanged: known ones of which it knows nothing more.
        superseded: how many no longer hold because of the others.
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

    Args:
        store: where the project's memories are.
        project: its key.
        memories: of the export.
        config: when two wordings are one memory.
        now: seconds since 1970 UTC.
    """
    counts = dict.fromkeys(("new", "strengthened", "unchanged", "superseded"), 0)
    with store.writing():
        before = {m.id for m in store.find(MemoryFilter(project, scope=MemoryScope.PROJECT, statuses=()))}
        for memory in memories:
            incoming = replace(memory, project=project, scope=MemoryScope.PROJECT)
            known = store.get(project, incoming.id)
            if known is not None and known.scope is MemoryScope.PROJECT:
                now_known = _strengthened(known, incoming)
                counts["unchanged" if now_known == known else "strengthened"] += 1
                store.put([now_known])
                continue
            met = [m for m in alike(store, project, incoming.entry) if m.id in before] if before else []
            if not incoming.entry.is_active or not met:
                counts["new"] += 1
                store.put([incoming])
                continue
            meeting = meet(incoming, met, config, now)
            kept = [_as_exported(m, incoming) if m.id == incoming.id else m for m in meeting.changed]
            store.put(kept)
            counts["superseded"] += len(meeting.superseded)
            if any(m.id == incoming.id for m in kept):
                counts["new"] += 1
            else:
                counts["strengthened" if meeting.strengthened else "unchanged"] += 1
    return Imported(**counts)


def _strengthened(known: StoredMemory, incoming: StoredMemory) -> StoredMemory:
    """Return a known memory with what an export of it knows beyond: never other words, never brought back."""
    if not known.entry.is_active or not incoming.entry.is_active:
        return known
    entry, other = known.entry, incoming.entry
    sightings = tuple(dict.fromkeys((*incoming.sightings, *known.sightings)))[-MOST_SIGHTINGS:]
    kept = replace(
        entry,
        access_count=max(entry.access_count, other.access_count),
        last_accessed_at=max(entry.last_accessed_at, other.last_accessed_at),
        confidence=max(entry.confidence, other.confidence),
        status=MemoryStatus.PERSISTED
        if MemoryStatus.PERSISTED in (entry.status, other.status)
        else entry.status,
    )
    more = sightings if len(sightings) > len(known.sightings) else known.sightings
    return replace(known, entry=kept, pinned=known.pinned or incoming.pinned, sightings=more)


def _as_exported(met: StoredMemory, incoming: StoredMemory) -> StoredMemory:
    """Return a memory that came in new with the verdict that the export had on it."""
    if not met.entry.is_active:
        return met
    return replace(met, entry=replace(met.entry, status=incoming.entry.status))

"""Erasing a memory for good: out of the project, and out of what its tasks keep of their conversations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memory.consolidation import passed_on, read_snapshot, write_snapshot
from memory.entries import MemoryFilter
from memory.errors import SnapshotError

if TYPE_CHECKING:
    from memory.entries import MemoryEntry, ProjectStore, StoredMemory


def erase(store: ProjectStore, gone: StoredMemory) -> None:
    """Remove a memory from a store, with what the tasks that said it keep of it, within the transaction around it.

    The messages stay known as read, so that saving the same session again does not bring it back.

    Args:
        store: where it is.
        gone: the memory, of a project.
    """
    words = gone.entry.content
    ids = {gone.id}
    for task in dict.fromkeys((gone.entry.task_id, *(seen.task_id for seen in gone.sightings))):
        own = store.find(MemoryFilter(gone.project, tasks=(task,), statuses=()))
        ids |= {memory.id for memory in own if memory.entry.content == words}
        kept = store.get_conversation(gone.project, task)
        if kept is not None and kept.snapshot:
            store.put_conversation(replace(kept, snapshot=_without(kept.snapshot, gone.id, words)))
    store.delete(gone.project, ids)


def _without(snapshot: str, memory_id: str, words: str) -> str:
    """Return a snapshot without an entry and the links to it; one that cannot be read is dropped whole."""
    try:
        known = read_snapshot(snapshot)
    except SnapshotError:
        return ""
    ids = {entry.id for entry in known.entries if entry.id == memory_id or entry.content == words}
    left = tuple(_unlinked(entry, ids) for entry in known.entries if entry.id not in ids)
    return write_snapshot(replace(known, entries=left))


def _unlinked(entry: MemoryEntry, ids: set[str]) -> MemoryEntry:
    for one in ids:
        entry = passed_on(entry, one, None)
    return replace(
        entry,
        supersedes=tuple(older for older in entry.supersedes if older not in ids),
        superseded_by=None if entry.superseded_by in ids else entry.superseded_by,
    )

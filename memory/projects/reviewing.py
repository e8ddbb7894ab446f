"""What a person's verdict does to a memory: accepted, dismissed, reworded, withdrawn, erased for good."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memory.consolidation import passed_on, read_snapshot, unlinked, write_snapshot
from memory.entries import MemoryFilter, MemoryStatus
from memory.errors import SnapshotError
from memory.extraction import explicit_candidate

if TYPE_CHECKING:
    from memory.entries import ProjectStore, StoredMemory

DISMISSED: Final = "dismissed"
"""Tag of what a person sorted out: saying it again in passing does not bring it back."""


def reviewed(
    memory: StoredMemory, status: MemoryStatus = MemoryStatus.PERSISTED, *, dismissed: bool = False
) -> StoredMemory:
    """Return a memory that a person keeps for good or withdraws; a dismissed one stays so, and replaces nothing."""
    entry = memory.entry
    tags = {*entry.tags, DISMISSED} if dismissed else {*entry.tags} - {DISMISSED}
    supersedes = () if dismissed else entry.supersedes
    kept = replace(entry, status=status, tags=tuple(sorted(tags)), supersedes=supersedes)
    return replace(memory, entry=kept, pinned=memory.pinned and status is MemoryStatus.PERSISTED)


def is_dismissed(memory: StoredMemory) -> bool:
    """Tell whether a memory was sorted out."""
    return memory.entry.status is MemoryStatus.FORGOTTEN and DISMISSED in memory.entry.tags


def reworded(memory: StoredMemory, content: str) -> StoredMemory:
    """Return a memory in other words, read anew for files, technologies and answers; accepted thereby."""
    if not content.strip():
        raise ValueError(f"content is {content!r}; it should be the new wording")
    read = explicit_candidate(content.strip())
    entry = replace(
        reviewed(memory).entry,
        content=read.content,
        related_files=read.related_files,
        related_tech=read.related_tech,
        slots=tuple({slot.name: slot for slot in read.slots}.values()),
        overtaken=(),
        tags=tuple(sorted({*memory.entry.tags, *read.tags, "edited"} - {"remembered", DISMISSED})),
    )
    return replace(memory, entry=entry)


def erase(store: ProjectStore, gone: StoredMemory) -> None:
    """Remove a memory from a store, with what the tasks that said it keep of it, within the transaction around it.

    The messages stay known as read, so that saving the same session again does not bring it back.
    """
    words, ids = gone.entry.content, {gone.id}
    for task in dict.fromkeys((gone.entry.task_id, *(seen.task_id for seen in gone.sightings))):
        own = store.find(MemoryFilter(gone.project, tasks=(task,), statuses=()))
        ids |= {memory.id for memory in own if memory.entry.content == words}
        kept = store.get_conversation(gone.project, task)
        if kept is not None and kept.snapshot:
            store.put_conversation(replace(kept, snapshot=_without(kept.snapshot, gone.id, words)))
    store.delete(gone.project, ids)


def _without(snapshot: str, memory_id: str, words: str) -> str:
    """Return a snapshot without an entry and all that links to it say; one that cannot be read is dropped whole."""
    try:
        known = read_snapshot(snapshot)
    except SnapshotError:
        return ""
    left = []
    ids = {entry.id for entry in known.entries if entry.id == memory_id or entry.content == words}
    for entry in known.entries:
        if entry.id not in ids:
            for one in ids:
                entry = passed_on(entry, one, None)  # noqa: PLW2901
            left.append(unlinked(entry, ids))
    return write_snapshot(replace(known, entries=tuple(left)))

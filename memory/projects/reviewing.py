"""What a person's verdict does to a memory: accepted, dismissed, reworded, pinned, withdrawn. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memory.entries import MemoryStatus

if TYPE_CHECKING:
    from memory.entries import StoredMemory

DISMISSED: Final = "dismissed"
"""Tag of what a person sorted out: saying it again in passing does not bring it back."""


def accepted(memory: StoredMemory) -> StoredMemory:
    """Return a memory that is kept for good, whatever it was before."""
    return _in_state(memory, MemoryStatus.PERSISTED)


def dismissed(memory: StoredMemory) -> StoredMemory:
    """Return a memory that is sorted out, and stays so; it replaces nothing any more."""
    gone = withdrawn(memory)
    tags = tuple(sorted({*gone.entry.tags, DISMISSED}))
    return replace(gone, entry=replace(gone.entry, tags=tags, supersedes=()))


def is_dismissed(memory: StoredMemory) -> bool:
    """Tell whether a memory was sorted out."""
    return memory.entry.status is MemoryStatus.FORGOTTEN and DISMISSED in memory.entry.tags


def withdrawn(memory: StoredMemory) -> StoredMemory:
    """Return a memory that no longer holds."""
    return replace(_in_state(memory, MemoryStatus.FORGOTTEN), pinned=False)


def pinned(memory: StoredMemory, *, on: bool) -> StoredMemory:
    """Return a memory pinned, and accepted thereby, or unpinned."""
    return replace(accepted(memory) if on else memory, pinned=on)


def reworded(memory: StoredMemory, content: str) -> StoredMemory:
    """Return a memory in other words, read anew for files, technologies and answers; accepted thereby.

    Raises:
        ValueError: `content` is blank.
    """
    from memory.extraction import explicit_candidate

    if not content.strip():
        raise ValueError(f"content is {content!r}; it should be the new wording")
    read = explicit_candidate(content.strip())
    entry = replace(
        accepted(memory).entry,
        content=read.content,
        related_files=read.related_files,
        related_tech=read.related_tech,
        slots=tuple({slot.name: slot for slot in read.slots}.values()),
        overtaken=(),
        tags=tuple(sorted({*memory.entry.tags, *read.tags, "edited"} - {"remembered", DISMISSED})),
    )
    return replace(memory, entry=entry)


def _in_state(memory: StoredMemory, status: MemoryStatus) -> StoredMemory:
    tags = tuple(tag for tag in memory.entry.tags if tag != DISMISSED)
    return replace(memory, entry=replace(memory.entry, status=status, tags=tags))

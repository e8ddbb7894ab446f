"""Statistics of stored memories."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memory.entries import ACTIVE, MemoryPriority, MemoryStats, MemoryStatus, MemoryType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.entries import StoredMemory


def counted(memories: Iterable[StoredMemory]) -> MemoryStats:
    """Return the counts over memories of all states; `created_this_turn` is 0."""
    return tallied((memory.entry.status, memory.entry.type, memory.entry.priority, 1) for memory in memories)


def tallied(rows: Iterable[tuple[str, str, str, int]]) -> MemoryStats:
    """Return the counts over memories given by state, type, priority and number."""
    states: Counter[str] = Counter()
    types: Counter[str] = Counter()
    priorities: Counter[str] = Counter()
    for status, kind, priority, number in rows:
        states[status] += number
        if status in ACTIVE:
            types[kind] += number
            priorities[priority] += number
    return MemoryStats(
        total_memories=types.total(),
        by_type={kind.value: types[kind] for kind in MemoryType},
        by_priority={priority.value: priorities[priority] for priority in MemoryPriority},
        pending_memories=states[MemoryStatus.PENDING],
        persisted_memories=states[MemoryStatus.PERSISTED],
        superseded_memories=states[MemoryStatus.SUPERSEDED],
    )

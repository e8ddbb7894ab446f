"""Statistics of stored memories, counted one by one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memory.entries import MemoryPriority, MemoryStats, MemoryStatus, MemoryType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entries import StoredMemory


def counted(memories: Sequence[StoredMemory]) -> MemoryStats:
    """Return the counts over memories of all states; `created_this_turn` is 0."""
    active = [memory.entry for memory in memories if memory.entry.is_active]
    states = Counter(memory.entry.status for memory in memories)
    types, priorities = Counter(e.type for e in active), Counter(e.priority for e in active)
    return MemoryStats(
        total_memories=len(active),
        by_type={kind.value: types[kind] for kind in MemoryType},
        by_priority={priority.value: priorities[priority] for priority in MemoryPriority},
        pending_memories=states[MemoryStatus.PENDING],
        persisted_memories=states[MemoryStatus.PERSISTED],
        superseded_memories=states[MemoryStatus.SUPERSEDED],
    )

"""What of a project's memories is offered to a compaction: which ones, in which order, as lines within a budget."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from memory.consolidation import marked_text
from memory.entries import MemoryFilter, MemoryPriority, MemoryScope

if TYPE_CHECKING:
    from collections.abc import Callable

    from memory.entries import MemoryEntry, ProjectStore, StoredMemory

MOST_RELEVANT: Final = 12
"""Memories offered because of the latest ask (chosen)."""

LEAST_RELEVANT: Final = 0.15
"""Score from which a memory has to do with the latest ask (chosen: one telling word in six)."""


def relevant_lines(
    store: ProjectStore,
    project: str,
    latest_ask: str,
    budget: int,
    *,
    count_tokens: Callable[[str], int],
    task_id: str = "",
) -> tuple[str, ...]:
    """Return the lines that fit into a budget, the most needed first; see `PersistentMemoryManager.relevant_memories`.

    Pinned memories, critical standing rules by use, then what fits the latest ask; long ones make way for shorter.
    """
    shared = MemoryFilter(project, scope=MemoryScope.PROJECT)
    critical = store.find(replace(shared, priorities=(MemoryPriority.CRITICAL,)))
    standing = [m for m in critical if (m.entry.standing or m.entry.explicit) and not m.entry.is_proposal]
    standing.sort(key=lambda m: (-m.entry.access_count, -m.entry.created_at))
    hits = store.search(latest_ask, shared, MOST_RELEVANT)
    asked = [hit.memory for hit in hits if hit.score >= LEAST_RELEVANT]
    wanted: list[StoredMemory] = [*store.find(replace(shared, pinned=True)), *standing, *asked]
    lines: list[str] = []
    for memory in {memory.id: memory for memory in wanted}.values():
        line = line_of(memory.entry)
        cost = count_tokens(f"- {line}\n")
        if cost <= budget and not (task_id and memory.entry.task_id == task_id):
            budget -= cost
            lines.append(line)
    return tuple(lines)


def line_of(entry: MemoryEntry) -> str:
    """Return a memory as one line: its words, what no longer holds of them, the day if known, and if no person's."""
    words = " ".join(marked_text(entry).split())
    said = ", ".join(
        filter(None, (day_of(entry.created_at), "the agent's words" if entry.is_proposal else ""))
    )
    return f"{words} ({said})" if said else words


def day_of(moment: float) -> str:
    """Return the day of a time in UTC, "2026-11-20"; "" where it is unknown or no calendar has it."""
    try:
        return datetime.fromtimestamp(moment, UTC).date().isoformat() if moment > 0 else ""
    except (OverflowError, OSError, ValueError):
        return ""

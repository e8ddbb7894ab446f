"""What of a project's memories is offered to a compaction: which ones, in which order, as lines within a budget."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from memory.consolidation import marked_text
from memory.entries import MemoryFilter, MemoryPriority, MemoryScope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memory.entries import MemoryEntry, ProjectStore, SearchHit, StoredMemory

MOST_RELEVANT: Final = 12
"""Memories offered because of the latest ask (chosen)."""

LEAST_RELEVANT: Final = 0.15
"""Score from which a memory has to do with the latest ask (chosen: one telling word in six)."""


def relevant_lines(
    always: Iterable[StoredMemory],
    hits: Iterable[SearchHit],
    budget: int,
    *,
    count_tokens: Callable[[str], int],
    task_id: str = "",
) -> tuple[str, ...]:
    """Return the lines that fit into a budget, the most needed first; a long one makes way for shorter ones.

    Args:
        always: memories that matter whatever is asked, the most important first.
        hits: what a search for the latest ask found, best first.
        budget: tokens of all lines together.
        count_tokens: counts the tokens of a text.
        task_id: what was said in this task only is left out; its own memory holds it.
    """
    wanted = [*always, *(hit.memory for hit in hits if hit.score >= LEAST_RELEVANT)]
    lines: list[str] = []
    for memory in {memory.id: memory for memory in wanted}.values():
        if task_id and memory.entry.task_id == task_id:
            continue
        line = line_of(memory.entry)
        cost = count_tokens(f"- {line}\n")
        if cost <= budget:
            budget -= cost
            lines.append(line)
    return tuple(lines)


def line_of(entry: MemoryEntry) -> str:
    """Return a memory as one line: its words, what no longer holds of them, the day if known, and if no person's."""
    words = " ".join(marked_text(entry).split())
    notes = filter(None, (day_of(entry.created_at), "the agent's words" if entry.is_proposal else ""))
    said = ", ".join(notes)
    return f"{words} ({said})" if said else words


def day_of(moment: float) -> str:
    """Return the day of a time in UTC, "2026-11-20"; "" where it is unknown or no calendar has it."""
    if moment <= 0:
        return ""
    try:
        return datetime.fromtimestamp(moment, UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return ""


def always_relevant(store: ProjectStore, project: str | None) -> list[StoredMemory]:
    """Return a project's pinned memories, and its critical standing rules by use."""
    if project is None:
        return []
    shared = MemoryFilter(project, scope=MemoryScope.PROJECT)
    pinned = store.find(replace(shared, pinned=True))
    critical = store.find(replace(shared, priorities=(MemoryPriority.CRITICAL,)))
    standing = [m for m in critical if (m.entry.standing or m.entry.explicit) and not m.entry.is_proposal]
    return [*pinned, *sorted(standing, key=lambda m: (-m.entry.access_count, -m.entry.created_at))]


def chain_of(store: ProjectStore, project: str | None, memory_id: str) -> tuple[StoredMemory, ...]:
    """Return a memory with all that it replaced and that replaced it; see `PersistentMemoryManager.chain`."""
    found: dict[str, StoredMemory] = {}
    waiting = [memory_id]
    while waiting:
        name = waiting.pop()
        memory = None if name in found else store.get(project, name)
        if memory is not None:
            found[name] = memory
            waiting += memory.entry.supersedes
            heirs = (memory.entry.superseded_by, *(mark.by for mark in memory.entry.overtaken))
            waiting += [heir for heir in heirs if heir]
    return tuple(sorted(found.values(), key=lambda m: (m.entry.created_at, not m.entry.superseded_by)))

"""What a memory's priority reads as after a time without access; stored entries stay as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memory.entries import MemoryPriority

if TYPE_CHECKING:
    from memory.config import AgingConfig
    from memory.entries import MemoryEntry


_CRITICAL, _HIGH, _MEDIUM = MemoryPriority.CRITICAL, MemoryPriority.HIGH, MemoryPriority.MEDIUM
"""A member of an enumeration costs ten times what a name does."""


def aged_priority(entry: MemoryEntry, now: float, config: AgingConfig) -> MemoryPriority | None:
    """Return the priority an entry reads as at `now`; None when it has expired.

    High reads as medium after its half-life without access, as low after medium's on top of that, and has
    expired after low's on top of those; medium and low start where they stand. Critical never ages, nor does
    anything while aging is off or while no time is known (`last_accessed_at` or `now` is 0.0 or less).

    Args:
        entry: the entry; its `last_accessed_at` is where the clock starts.
        now: seconds since 1970 UTC.
        config: the half-lives.
    """
    priority = entry.priority
    if priority is _CRITICAL or not config.enable_auto_aging:
        return priority
    if entry.last_accessed_at <= 0 or now <= 0:
        return priority
    idle = now - entry.last_accessed_at
    if priority is _HIGH:
        if idle <= config.high_priority_half_life:
            return priority
        idle -= config.high_priority_half_life
        priority = _MEDIUM
    if priority is _MEDIUM:
        if idle <= config.medium_priority_half_life:
            return priority
        idle -= config.medium_priority_half_life
        priority = MemoryPriority.LOW
    return priority if idle <= config.low_priority_half_life else None


def aged(entry: MemoryEntry, now: float, config: AgingConfig) -> MemoryEntry | None:
    """Return the entry as it reads at `now`: the same object where nothing changes, None if it has expired."""
    if now <= 0:
        return entry
    priority = aged_priority(entry, now, config)
    if priority is None:
        return None
    return entry if priority is entry.priority else replace(entry, priority=priority)

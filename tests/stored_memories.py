"""Stored memories made for tests."""

from __future__ import annotations

from memory.entries.entry import (
    MemoryEntry,
    MemoryPriority,
    MemoryStatus,
    MemoryType,
    Overtaken,
    Slot,
    Source,
)
from memory.entries.stored import MemoryScope, Sighting, StoredMemory


def entry(name="m1", content="Use PostgreSQL", **more):
    values = {
        "id": name,
        "task_id": "task-1",
        "type": MemoryType.TECHNICAL_DECISION,
        "priority": MemoryPriority.HIGH,
        "content": content,
        "source": None,
        "created_at": 1000.0,
        "last_accessed_at": 1000.0,
    }
    return MemoryEntry(**{**values, **more})


def stored(
    name="m1", content="Use PostgreSQL", *, project="p_one", scope=MemoryScope.PROJECT, pinned=False, **more
):
    return StoredMemory(entry(name, content, **more), project, scope, pinned)


def full(name="full"):
    """Every field with a value of its own."""
    return StoredMemory(
        entry(
            name,
            "Never deploy on Friday 周五不部署 \x00 \n 'quoted' \"twice\" \ud800",
            task_id="task \udfff ü",
            source=Source("f" * 32, 2, 10, 40),
            created_at=1.5,
            last_accessed_at=2.5,
            access_count=7,
            standing=True,
            tags=("must", "禁止"),
            related_files=("src/a b.py",),
            related_tech=("postgresql", "docker"),
            slots=(Slot("port", "3001"), Slot("database", "postgresql")),
            overtaken=(
                Overtaken(Slot("theme", "\ud803"), "\x00by", "light"),
                Overtaken(Slot("branch", "dev")),
            ),
            status=MemoryStatus.SUPERSEDED,
            supersedes=("older", "\ud801"),
            superseded_by="\x00\ud802",
            explicit=True,
            confidence=0.25,
        ),
        "p_one",
        MemoryScope.PROJECT,
        pinned=True,
        sightings=(Sighting("task-2", Source("a" * 32, 0, 1, 2), 5.5), Sighting("task-3")),
    )

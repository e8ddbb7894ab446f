"""Memory entries, and how stores keep them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.entries.entry import (
        ACTIVE,
        PROPOSED,
        Candidate,
        ExtractionResult,
        MemoryEntry,
        MemoryPriority,
        MemoryStats,
        MemoryStatus,
        MemoryType,
        Overtaken,
        Slot,
        Source,
    )
    from memory.entries.stored import (
        MemoryFilter,
        MemoryScope,
        MemoryStore,
        ProjectStore,
        SearchHit,
        Sighting,
        StoredConversation,
        StoredMemory,
        mark_of,
        without_secrets,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "entry": (
                "ACTIVE Candidate ExtractionResult MemoryEntry MemoryPriority MemoryStats MemoryStatus "
                "MemoryType Overtaken PROPOSED Slot Source"
            ),
            "stored": (
                "MemoryFilter MemoryScope MemoryStore ProjectStore SearchHit Sighting "
                "StoredConversation StoredMemory mark_of without_secrets"
            ),
        },
    )

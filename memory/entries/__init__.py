"""Memory entries, and how stores keep them."""

from memory.entries.entry import (
    ACTIVE,
    ANSWERED,
    ASKED,
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
from memory.entries.threads import (
    ChunkHit,
    Thread,
    ThreadChunk,
    ThreadMessage,
    ThreadStore,
    ThreadSummary,
    ThreadTopic,
)

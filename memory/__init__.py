"""Conversation memory for coding agents: what a person told the agent, kept verbatim, with its source.

    from memory import ConversationMemory

    memory = ConversationMemory("task-1")
    memory.extract_memories([{"role": "user", "content": "You must use PostgreSQL. The port is 3001."}])
    print(memory.generate_memory_summary())

The names below are the public ones; each is loaded when it is first used, so that importing the package costs
next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory.config import AgingConfig, MemoryConfig, SimilarityConfig, SummaryConfig
    from memory.engine import ConversationMemory
    from memory.entries import (
        ExtractionResult,
        MemoryEntry,
        MemoryPriority,
        MemoryStats,
        MemoryStatus,
        MemoryType,
        Slot,
        Source,
    )
    from memory.errors import MemoryFailure, SnapshotError, StoreError, TranscriptError, WireError
    from memory.messages import Form, Message
    from memory.project_memory import PersistentMemoryManager
    from memory.transcripts import Transcript, iter_transcript, read_transcript, write_transcript

__all__ = [
    "AgingConfig",
    "ConversationMemory",
    "ExtractionResult",
    "Form",
    "MemoryConfig",
    "MemoryEntry",
    "MemoryFailure",
    "MemoryPriority",
    "MemoryStats",
    "MemoryStatus",
    "MemoryType",
    "Message",
    "PersistentMemoryManager",
    "SimilarityConfig",
    "Slot",
    "SnapshotError",
    "Source",
    "StoreError",
    "SummaryConfig",
    "Transcript",
    "TranscriptError",
    "WireError",
    "iter_transcript",
    "read_transcript",
    "write_transcript",
]

_HOMES = {
    "memory.config": ("AgingConfig", "MemoryConfig", "SimilarityConfig", "SummaryConfig"),
    "memory.engine": ("ConversationMemory",),
    "memory.entries": (
        "ExtractionResult",
        "MemoryEntry",
        "MemoryPriority",
        "MemoryStats",
        "MemoryStatus",
        "MemoryType",
        "Slot",
        "Source",
    ),
    "memory.errors": ("MemoryFailure", "SnapshotError", "StoreError", "TranscriptError", "WireError"),
    "memory.messages": ("Form", "Message"),
    "memory.project_memory": ("PersistentMemoryManager",),
    "memory.transcripts": ("Transcript", "iter_transcript", "read_transcript", "write_transcript"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use.

    Raises:
        AttributeError: the package has no such public name.
    """
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'memory' has no attribute {name!r}; see memory.__all__ for what it has")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return sorted({*globals(), *__all__})

"""Conversation memory for coding agents: what a person told the agent, kept verbatim, with its source.

    from memory import ConversationMemory

    memory = ConversationMemory("task-1")
    memory.extract_memories([{"role": "user", "content": "You must use PostgreSQL. The port is 3001."}])
    print(memory.generate_memory_summary())

The names below are the public ones; each is loaded when it is first used, so that importing the package costs
next to nothing. They bring the system's clock, this user's store and plug-ins; the rooms behind them are told.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memory.config import AgingConfig, MemoryConfig, SimilarityConfig, SummaryConfig
    from memory.conversation import Form, Message, Transcript, write_transcript
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
    from memory.extraction import ExtractionRequest, Extractor
    from memory.notes import Documents
    from memory.projects import project_of
    from memory.projects.opening import Notebook, PersistentMemoryManager, VectorMemoryStore
    from memory.search import HashingEmbedder
    from memory.stores import (
        FastEmbedder,
        PluginWarning,
        SqliteStore,
        SqlStore,
        data_folder,
        iter_transcript,
        open_qdrant,
        open_sql,
        open_store,
        read_transcript,
    )
    from memory.tools import ToolSettings, call_tool, memory_tools


def front_door(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a package that loads its names lazily (PEP 562).

    `names` maps a module below the package to its public names, separated by blanks.
    """
    home = {name: f"{package}.{module}" for module, listed in names.items() for name in listed.split()}

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}; it has {', '.join(sorted(home))}")
        value = getattr(import_module(home[name]), name)
        setattr(import_module(package), name, value)
        return value

    return load, lambda: sorted(home)


if not TYPE_CHECKING:
    __getattr__, __dir__ = front_door(
        __name__,
        {
            "config": "AgingConfig MemoryConfig SimilarityConfig SummaryConfig",
            "conversation": "Form Message Transcript write_transcript",
            "engine": "ConversationMemory",
            "entries": (
                "ExtractionResult MemoryEntry MemoryPriority MemoryStats MemoryStatus MemoryType Slot Source"
            ),
            "extraction": "ExtractionRequest Extractor",
            "errors": "MemoryFailure SnapshotError StoreError TranscriptError WireError",
            "notes": "Documents",
            "projects": "project_of",
            "projects.opening": "Notebook PersistentMemoryManager VectorMemoryStore",
            "search": "HashingEmbedder",
            "stores": (
                "FastEmbedder PluginWarning SqlStore SqliteStore data_folder iter_transcript open_qdrant open_sql "
                "open_store read_transcript"
            ),
            "tools": "ToolSettings call_tool memory_tools",
        },
    )

__all__ = [
    "AgingConfig", "ConversationMemory", "Documents", "ExtractionRequest", "ExtractionResult", "Extractor",
    "FastEmbedder", "Form",
    "HashingEmbedder", "MemoryConfig", "MemoryEntry", "MemoryFailure", "MemoryPriority", "MemoryStats",
    "MemoryStatus", "MemoryType", "Message", "Notebook", "PersistentMemoryManager", "PluginWarning", "SimilarityConfig",
    "Slot", "SnapshotError", "Source", "SqlStore", "SqliteStore", "StoreError", "SummaryConfig", "ToolSettings",
    "Transcript", "TranscriptError", "VectorMemoryStore", "WireError", "call_tool", "data_folder",
    "iter_transcript", "memory_tools", "open_qdrant", "open_sql", "open_store", "project_of", "read_transcript",
    "write_transcript",
]  # fmt: skip

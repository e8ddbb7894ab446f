"""The system's clock and this user's store, for the front door: everything below it is told the time."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memory.notes
import memory.projects.project_memory
import memory.stores
from memory.projects.identity import project_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from qdrant_client import QdrantClient

    from memory.config import MemoryConfig
    from memory.entries import MemoryEntry, ProjectStore
    from memory.notes import Language
    from memory.search import Embedder


class Notebook(memory.notes.Notebook):
    """The memories of one MEMORY.md, dated by the system's clock; see `memory.notes.Notebook`."""

    def __init__(
        self, folder: Path | str, *, today: Callable[[], date] = date.today, language: Language = "auto"
    ) -> None:
        super().__init__(folder, today=today, language=language)


class PersistentMemoryManager(memory.projects.project_memory.PersistentMemoryManager):
    """Memories of a project across its tasks, timed by the system's clock; `open` finds project and store."""

    def __init__(
        self,
        store: ProjectStore,
        project: str | None,
        config: MemoryConfig | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(store, project, config, clock=clock)

    @classmethod
    def open(
        cls,
        folder: Path | str = ".",
        *,
        store: ProjectStore | None = None,
        config: MemoryConfig | None = None,
        clock: Callable[[], float] = time.time,
    ) -> PersistentMemoryManager:
        """Open the memories of the project that a folder lies in; outside a git repository nothing is shared.

        The store is this user's when left out: in `HOLDFAST_HOME`, or the data folder. `StoreError` if it won't open.
        """
        kept = memory.stores.open_store() if store is None else store
        return cls(kept, _key_of(folder), config, clock=clock)


class VectorMemoryStore(memory.stores.VectorMemoryStore):
    """Memories of a task and of its project, found by meaning and by words in Qdrant; see `memory.stores`.

    The task is searched where no other and no project is named. `qdrant` is a client, or where Qdrant is.
    """

    def __init__(
        self, task_id: str, qdrant: QdrantClient | str, embedder: Embedder | None = None, **more: Any
    ) -> None:
        self.task_id = task_id
        connect = memory.stores.open_qdrant(qdrant) if isinstance(qdrant, str) else lambda: qdrant
        super().__init__(connect, embedder, **more)

    def store_memory(self, memory: MemoryEntry, *, project: Path | str | None = None) -> None:
        """Keep one memory, of a project (a folder in it, or its key) or of its task alone."""
        super().store_memory(memory, project=_key_of(project))

    def search_similar_memories(
        self, query: str, limit: int = 5, *, task_id: str | None = None, project: Path | str | None = None
    ) -> tuple[MemoryEntry, ...]:
        """Return the memories most like a question: of the task, of another, of a project (a folder or its key)."""
        key = _key_of(project)
        task = self.task_id if task_id is None and key is None else task_id
        return super().search_similar_memories(query, limit, task_id=task, project=key)

    def get_project_memories(self, project: Path | str) -> tuple[MemoryEntry, ...]:
        """Return what the tasks of a project (a folder in it, or its key) share; nothing outside one."""
        key = _key_of(project)
        return () if key is None else super().get_project_memories(key)


def _key_of(project: Path | str | None) -> str | None:
    if project is None or (isinstance(project, str) and not Path(project).exists()):
        return project if project is None else str(project)
    found = project_of(project)
    return found.key if found else None

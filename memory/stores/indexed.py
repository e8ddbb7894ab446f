"""A `ProjectStore` whose searches go through a vector index: the store is the truth, the index only finds."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memory.entries import MemoryFilter, mark_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memory.entries import ProjectStore, SearchHit, StoredMemory
    from memory.stores.qdrant import VectorMemoryStore


class IndexedStore:
    """All of a store, with another search.

    Everything that is not about searching is the store's own. The index is told after a transaction has been
    committed; what it finds is read from the store, so that it can never show what is no longer there. What it missed
    (it was away, or another process wrote) it is told at the next search: a project is compared with its index at its
    first search, and with what the index was told whenever somebody else wrote to the store.

    Args:
        truth: holds everything, such as `SqliteStore`.
        index: a `VectorMemoryStore` with `truth` beside it.
    """

    def __init__(self, truth: ProjectStore, index: VectorMemoryStore) -> None:
        self._truth = truth
        self._index = index
        self._depth = 0
        self._changed: dict[tuple[str | None, str], None] = {}
        self._versions: dict[str | None, int] = {}
        self._told: dict[str | None, dict[str, int]] = {}

    def __getattr__(self, name: str) -> Any:
        """Return the store's own method."""
        return getattr(self._truth, name)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside one transaction of the store; see `ProjectStore.writing`."""
        self._depth += 1
        try:
            with self._truth.writing():
                yield
        except BaseException:
            if self._depth == 1:
                self._changed.clear()
            raise
        finally:
            self._depth -= 1
        self._tell()

    def put(self, memories: Iterable[StoredMemory]) -> int:
        """Keep memories; see `MemoryStore.put`."""
        those = list(memories)
        kept = self._truth.put(those)
        self._tell((memory.project, memory.id) for memory in those)
        return kept

    def delete(self, project: str | None, ids: Iterable[str]) -> int:
        """Remove memories; see `MemoryStore.delete`."""
        those = list(ids)
        gone = self._truth.delete(project, those)
        self._tell((project, name) for name in those)
        return gone

    def clear_task(self, project: str | None, task_id: str) -> int:
        """Remove what only a task sees; see `MemoryStore.clear_task`."""
        doomed = self._truth.find(MemoryFilter(project, (task_id,), statuses=()))
        gone = self._truth.clear_task(project, task_id)
        self._tell((project, memory.id) for memory in doomed)
        return gone

    def delete_conversations(self, project: str | None, before: float) -> tuple[str, ...]:
        """Remove old conversations; what goes with them is no longer found. See `ProjectStore`."""
        gone = self._truth.delete_conversations(project, before)
        self._versions.pop(project, None)
        return gone

    def search(self, query: str, wanted: MemoryFilter, limit: int = 5) -> tuple[SearchHit, ...]:
        """Return the memories that fit a question best; see `VectorMemoryStore.search`."""
        if wanted.project is not None:
            self._compare(wanted.project)
        found = []
        for hit in self._index.search(query, wanted, limit):
            memory = self._truth.get(hit.memory.project, hit.memory.id)
            if memory is not None and wanted.admits(memory):
                found.append(replace(hit, memory=memory))
        return tuple(found)

    def close(self) -> None:
        """Let go of the index and of the store."""
        self._index.close()

    def _tell(self, names: Iterable[tuple[str | None, str]] = ()) -> None:
        """Tell the index what changed, once it has been committed."""
        self._changed |= dict.fromkeys(names)
        if not self._depth and self._changed:
            changed, self._changed = self._changed, {}
            for project, name in changed:
                memory = self._truth.get(project, name)
                if memory is None:
                    self._told.get(project, {}).pop(name, None)
                else:
                    self._told.get(project, {})[name] = mark_of(memory)
            self._index.follow(changed)

    def _compare(self, project: str) -> None:
        """Tell the index what others wrote since it was last compared; nothing to do where nobody did."""
        version = self._truth.data_version()
        if self._versions.get(project) == version:
            return
        told = self._told.get(project)
        if told is None:
            everything = MemoryFilter(project, statuses=())
            told = {memory.id: mark_of(memory) for memory in self._index.indexed(everything)}
        held = self._truth.marks(project)
        names = [name for name in told.keys() | held.keys() if told.get(name) != held.get(name)]
        self._index.follow((project, name) for name in sorted(names))
        self._told[project] = dict(held)
        self._versions[project] = version

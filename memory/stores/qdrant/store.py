"""`VectorMemoryStore`: memories found by meaning and by words, in Qdrant; extra `qdrant`.

Qdrant may be a server, an engine in this process, or memory. Where it cannot be reached, or where the embedder fails,
search goes on by keywords in a store beside it: one warning is logged, no request fails, and what was written
meanwhile follows.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from memory.entries import MemoryFilter, MemoryScope, MemoryStore, SearchHit, StoredMemory, without_secrets
from memory.search import (
    CANDIDATES,
    SAMPLE,
    asked_by,
    glossed,
    rank,
    score_of,
    script_of,
    scripts_of,
    terms_of,
)
from memory.stores.counting import counted
from memory.stores.in_memory import InMemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from qdrant_client import QdrantClient

    from memory.entries import MemoryEntry, MemoryStats
    from memory.search import Embedder

R = TypeVar("R")

COLLECTION: Final = "holdfast_memories"
RETRY_SECONDS: Final = 30.0
"""How long a Qdrant that failed is left alone (chosen: no request waits for it more than now and then)."""

BATCH: Final = 256  # memories that are embedded and written together; chosen

_LOG: Final = logging.getLogger("holdfast.memory")


class VectorMemoryStore:
    """A `MemoryStore` over Qdrant.

    Args:
        connect: gives a client, such as `open_qdrant(place)`; called again after a failure.
        embedder: for search by meaning; without one, words decide.
        beside: a store that is written first and answers everything but searches, such as `SqliteStore`: Qdrant
            is an index of it then. Without one Qdrant alone is lasting, and a store in memory stands in for it.
        collection: beginning of the collection's name.
        retry_seconds: how long a Qdrant that failed is left alone.

    Raises:
        ImportError: qdrant-client is not installed.
    """

    def __init__(
        self,
        connect: Callable[[], QdrantClient],
        embedder: Embedder | None = None,
        *,
        beside: MemoryStore | None = None,
        collection: str = COLLECTION,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._connect = connect
        self._embedder = glossed(embedder)
        self._is_index = beside is not None
        self._beside: MemoryStore = InMemoryStore() if beside is None else beside
        self._prefix = collection
        self._retry_seconds = retry_seconds
        self._lock = threading.RLock()
        self._client: QdrantClient | None = None
        self._name = ""
        self._down_until = 0.0
        self._warned: set[str] = set()
        self._behind: dict[tuple[str | None, str], None] = {}
        self._samples: dict[str | None, tuple[int, np.ndarray]] = {}
        self._written: Counter[str | None] = Counter()
        self._scripts: frozenset[str] | None = None
        self._last_kept = 0
        self._asked(lambda _client: None)

    # ---- the documented names

    def store_memory(self, memory: MemoryEntry, *, project: str | None = None) -> None:
        """Keep one memory, of a project or of its task alone."""
        scope = MemoryScope.TASK if project is None else MemoryScope.PROJECT
        self.put([StoredMemory(memory, project, scope)])

    def search_similar_memories(
        self, query: str, limit: int = 5, *, task_id: str | None = None, project: str | None = None
    ) -> tuple[MemoryEntry, ...]:
        """Return the memories of a task, of a project, or of a task in a project, that are most like a question."""
        tasks = () if task_id is None else (task_id,)
        return tuple(hit.memory.entry for hit in self.search(query, MemoryFilter(project, tasks), limit))

    def get_project_memories(self, project: str) -> tuple[MemoryEntry, ...]:
        """Return what the tasks of a project share."""
        found = self.find(MemoryFilter(project, scope=MemoryScope.PROJECT))
        return tuple(memory.entry for memory in found)

    # ---- writing

    def put(self, memories: Iterable[StoredMemory]) -> int:
        """Keep memories, in place of earlier states; return how many. See `MemoryStore.put`."""
        named = {(memory.project, memory.id): memory for memory in memories}
        self._beside.put(named.values())
        self.follow(named)
        return len(named)

    def delete(self, project: str | None, ids: Iterable[str]) -> int:
        """Remove memories for good; return how many there were."""
        names = list(dict.fromkeys(ids))
        there = sum(self.get(project, name) is not None for name in names)
        self._beside.delete(project, names)
        self.follow((project, name) for name in names)
        return there

    def clear_task(self, project: str | None, task_id: str) -> int:
        """Remove the memories that only this task sees; return how many there were."""
        wanted = MemoryFilter(project, (task_id,), MemoryScope.TASK, statuses=())
        return self.delete(project, [memory.id for memory in self.find(wanted)])

    def record_access(self, project: str | None, ids: Iterable[str], now: float) -> int:
        """Count a use of memories and start their aging anew; return how many there were."""
        used = []
        for name in dict.fromkeys(ids):
            memory = self.get(project, name)
            if memory is not None:
                entry = memory.entry
                latest = max(entry.last_accessed_at, now)
                seen = replace(entry, access_count=entry.access_count + 1, last_accessed_at=latest)
                used.append(replace(memory, entry=seen))
        return self.put(used)

    def follow(self, names: Iterable[tuple[str | None, str]]) -> None:
        """Make Qdrant hold of these memories, named by project and id, what the store beside it holds."""
        with self._lock:
            self._behind |= dict.fromkeys(names)
        self._asked(lambda _client: None)

    def indexed(self, wanted: MemoryFilter) -> tuple[StoredMemory, ...]:
        """Return what Qdrant itself holds, in order; nothing where it is down."""
        return self._asked(lambda client: self._found(client, wanted)) or ()

    def synchronise(self, wanted: MemoryFilter) -> int:
        """Write what the store beside holds to Qdrant, such as after a restart; return how many memories."""
        return self.put(self._beside.find(wanted))

    # ---- reading

    def get(self, project: str | None, memory_id: str) -> StoredMemory | None:
        """Return one memory of a project, whatever its state; None where there is none."""

        def ask(client: QdrantClient) -> list[StoredMemory]:
            from memory.stores.qdrant.points import memory_of, point_id

            found = client.retrieve(self._name, [point_id(project, memory_id)], with_payload=True)
            return [memory_of(record.payload) for record in found]

        found = None if self._is_index else self._asked(ask)
        if found is None:
            return self._beside.get(project, memory_id)
        return found[0] if found else None

    def find(self, wanted: MemoryFilter) -> tuple[StoredMemory, ...]:
        """Return all memories that a filter admits, in the order in which they were first kept."""
        found = None if self._is_index else self._asked(lambda client: self._found(client, wanted))
        return self._beside.find(wanted) if found is None else found

    def search(self, query: str, wanted: MemoryFilter, limit: int = 5) -> tuple[SearchHit, ...]:
        """Return the memories that fit a question best, best first, at most `limit`; see `memory.search.hybrid`.

        One query to Qdrant: the nearest by meaning and by words, fused by reciprocal rank, are the candidates.
        """
        if limit < 1 or not query.strip():
            return ()
        found = self._asked(lambda client: self._searched(client, query, wanted, limit))
        return self._beside.search(query, wanted, limit) if found is None else found

    def statistics(self, wanted: MemoryFilter) -> MemoryStats:
        """Return counts over what a filter admits, its `statuses` aside."""
        return counted(self.find(replace(wanted, statuses=())))

    def close(self) -> None:
        """Let go of Qdrant and of the store beside it."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None
            self._down_until = float("inf")
        self._beside.close()

    # ---- inside

    def _asked(self, ask: Callable[[QdrantClient], R]) -> R | None:
        """Ask Qdrant, after what it has not been told yet; None where it cannot be asked now."""
        with self._lock:
            if time.monotonic() < self._down_until:
                return None
            try:
                if self._client is None:
                    self._client = self._connect()
                if not self._name:
                    self._name = self._prepared(self._client)
                self._catch_up(self._client)
                answer = ask(self._client)
            except ImportError:
                raise
            except Exception as error:  # noqa: BLE001  # a plug-in: whatever Qdrant raises, search goes on by words
                self._warn("Qdrant", error)
                self._name = ""
                self._down_until = time.monotonic() + self._retry_seconds
                return None
            self._warned.discard("Qdrant")
            return answer

    def _prepared(self, client: QdrantClient) -> str:
        from memory.stores.qdrant.collections import prepare

        return prepare(client, self._prefix, self._embedder)

    def _warn(self, what: str, error: Exception) -> None:
        """Log once for each time of trouble."""
        if what not in self._warned:
            self._warned.add(what)
            _LOG.warning("%s failed (%s: %s); memories are found by keywords", what, type(error).__name__, error)

    def _embedded(self, texts: Sequence[str]) -> Sequence[Sequence[float]] | None:
        if self._embedder is None:
            return None
        try:
            vectors = self._embedder(texts)
            if self._scripts is None:
                self._scripts = scripts_of(self._embedder)
        except Exception as error:  # noqa: BLE001  # a plug-in: memories are kept and found without vectors
            self._warn("the embedder", error)
            return None
        self._warned.discard("the embedder")
        return vectors

    def _catch_up(self, client: QdrantClient) -> None:
        """Tell Qdrant what was written to the store beside it."""
        while self._behind:
            names = list(self._behind)[:BATCH]
            held = {name: self._beside.get(*name) for name in names}
            self._remove(client, [name for name, memory in held.items() if memory is None])
            self._write(client, [without_secrets(memory) for memory in held.values() if memory is not None])
            for name in names:
                del self._behind[name]
                self._written[name[0]] += 1

    def _remove(self, client: QdrantClient, names: list[tuple[str | None, str]]) -> None:
        from qdrant_client import models

        from memory.stores.qdrant.points import point_id

        if names:
            points = models.PointIdsList(points=[point_id(*name) for name in names])
            client.delete(self._name, points, wait=True)

    def _write(self, client: QdrantClient, memories: list[StoredMemory]) -> None:
        from qdrant_client import models

        from memory.stores.qdrant.points import payload_of, point_id, vectors_of

        if not memories:
            return
        ids = [point_id(memory.project, memory.id) for memory in memories]
        known = {str(r.id): r.payload["kept"] for r in client.retrieve(self._name, ids, ["kept"]) if r.payload}
        vectors = self._embedded([memory.entry.content for memory in memories])
        embedder = self._embedder.name if self._embedder is not None and vectors is not None else ""
        self._last_kept = max(self._last_kept + len(ids), time.time_ns())
        points = [
            models.PointStruct(
                id=name,
                vector=vectors_of(memory.entry.content, vectors[at] if vectors is not None else None),
                payload=payload_of(memory, known.get(name, self._last_kept - len(ids) + at + 1), embedder),
            )
            for at, (name, memory) in enumerate(zip(ids, memories, strict=True))
        ]
        client.upsert(self._name, points, wait=True)

    def _found(self, client: QdrantClient, wanted: MemoryFilter) -> tuple[StoredMemory, ...]:
        from memory.stores.qdrant.points import filter_of, memory_of

        found: list[Any] = []
        offset: Any = None
        while True:
            records, offset = client.scroll(self._name, filter_of(wanted), limit=BATCH, offset=offset)
            found += [record.payload for record in records]
            if offset is None:
                break
        return tuple(memory_of(payload) for payload in sorted(found, key=lambda held: held["kept"]))

    def _searched(
        self, client: QdrantClient, query: str, wanted: MemoryFilter, limit: int
    ) -> tuple[SearchHit, ...]:
        from memory.stores.qdrant.points import DENSE, memory_of, weighed
        from memory.stores.qdrant.queries import candidates, nearness

        asked = self._embedded([query])
        points = candidates(
            client, self._name, query, asked[0] if asked else None, wanted, max(CANDIDATES, 2 * limit)
        )
        memories = [memory_of(point.payload) for point in points]
        things = weighed(asked_by(query))
        scored = [score_of(things, terms_of(memory.entry.content)) for memory in memories]
        words = {at: score for at, (score, _) in enumerate(scored) if score}
        if asked:
            sample = self._sample(client, wanted.project)
            held = {
                at: point.vector[DENSE]
                for at, point in enumerate(points)
                if isinstance(point.vector, dict) and DENSE in point.vector
            }
            likeness, crowding = nearness(asked[0], list(held.values()), sample)
            near = dict(zip(held, likeness, strict=True))
            crowded = dict(zip(held, crowding, strict=True))
            understood = self._scripts is None or script_of(query) in self._scripts
            ranked = rank(words, near, crowded, understood=understood)
        else:
            ranked = list(words.items())  # as Qdrant ranked them, rare words first
        hits = [SearchHit(memories[at], score, scored[at][1]) for at, score in ranked]
        return tuple(hit for hit in hits if hit.score >= wanted.minimum_score)[:limit]

    def _sample(self, client: QdrantClient, project: str | None) -> np.ndarray:
        """Return vectors of a project by which crowding is told; read anew when much was written."""
        from memory.stores.qdrant.queries import sampled

        written = self._written[project]
        known = self._samples.get(project)
        if known is None or written - known[0] > max(10, len(known[1]) // 4):
            known = self._samples[project] = (written, sampled(client, self._name, project, SAMPLE))
        return known[1]

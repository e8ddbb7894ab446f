"""Threads in the process: for tests, and where nothing may be written."""

from __future__ import annotations

import contextlib
import copy
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from memory.conversation import redact
from memory.entries import ChunkHit, Thread, ThreadChunk, ThreadSummary, ThreadTopic
from memory.search import KeywordIndex, asked_by, cosine, fuse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memory.entries import ThreadMessage


class InMemoryThreads:
    """A `ThreadStore` that lives as long as the process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._threads: dict[str, Thread] = {}
        self._messages: dict[str, dict[str, ThreadMessage]] = {}
        self._summaries: dict[str, ThreadSummary] = {}
        self._chunks: dict[str, ThreadChunk] = {}
        self._topics: dict[str, dict[str, ThreadTopic]] = {}

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside one transaction; an exception undoes all of it. Copies everything: for tests."""
        with self._lock:
            kept = None
            if not self._depth:
                kept = copy.deepcopy({k: v for k, v in self.__dict__.items() if k not in ("_lock", "_depth")})
            self._depth += 1
            done = False
            try:
                yield
                done = True
            finally:
                self._depth -= 1
                if kept is not None and not done:
                    self.__dict__.update(kept)

    def close(self) -> None:
        """Do nothing; there is nothing to let go of."""

    def touch_thread(self, thread_id: str, now: float) -> None:
        """Note that a thread is in use."""
        with self._lock:
            known = self._threads.get(thread_id, Thread(thread_id))
            self._threads[thread_id] = replace(known, last_active_at=max(now, known.last_active_at))

    def label_thread(self, thread_id: str, label: str) -> bool:
        """Name a thread; return whether there is one."""
        with self._lock:
            if thread_id in self._threads:
                self._threads[thread_id] = replace(self._threads[thread_id], label=redact(label))
            return thread_id in self._threads

    def threads(self, *, limit: int = 100, offset: int = 0) -> tuple[Thread, ...]:
        """Return threads, the last used first."""
        with self._lock:
            ordered = sorted(self._threads.values(), key=lambda t: (-t.last_active_at, t.thread_id))
        return tuple(ordered[offset : offset + limit])

    def thread(self, thread_id: str) -> Thread | None:
        """Return one thread; None where there is none."""
        return self._threads.get(thread_id)

    def append_messages(self, thread_id: str, messages: Iterable[ThreadMessage]) -> int:
        """Add messages at a thread's end; return how many were new."""
        with self._lock:
            held = self._messages.setdefault(thread_id, {})
            before = len(held)
            held.update((message.id, message) for message in messages)
            return len(held) - before

    def messages(self, thread_id: str) -> tuple[ThreadMessage, ...]:
        """Return a thread's messages, oldest first."""
        with self._lock:
            return tuple(self._messages.get(thread_id, {}).values())

    def remove_messages(self, thread_id: str, ids: Iterable[str]) -> int:
        """Remove messages for good; return how many there were."""
        with self._lock:
            held = self._messages.get(thread_id, {})
            return sum(held.pop(one, None) is not None for one in set(ids))

    def put_summary(self, summary: ThreadSummary) -> None:
        """Keep a thread's summary, in place of the one before."""
        self._summaries[summary.thread_id] = replace(summary, summary=redact(summary.summary))

    def summary(self, thread_id: str) -> ThreadSummary | None:
        """Return a thread's summary; None where there is none."""
        return self._summaries.get(thread_id)

    def put_chunks(self, chunks: Iterable[ThreadChunk]) -> int:
        """Keep chunks; return how many were new."""
        with self._lock:
            before = len(self._chunks)
            for given in chunks:
                clean = replace(given, chunk=redact(given.chunk))
                known = self._chunks.setdefault(clean.id, clean)
                if known.vector is None and clean.vector is not None:
                    self._chunks[clean.id] = replace(known, vector=clean.vector)
            return len(self._chunks) - before

    def chunks(self, thread_id: str) -> tuple[ThreadChunk, ...]:
        """Return a thread's chunks, oldest first."""
        with self._lock:
            return tuple(chunk for chunk in self._chunks.values() if chunk.thread_id == thread_id)

    def search_chunks(
        self,
        query: str,
        *,
        thread_id: str | None = None,
        vector: Sequence[float] | None = None,
        topic: str = "",
        limit: int = 5,
    ) -> tuple[ChunkHit, ...]:
        """Return the chunks that answer a question best; see `ThreadStore.search_chunks`."""
        with self._lock:
            held = [
                chunk
                for chunk in self._chunks.values()
                if thread_id in (None, chunk.thread_id) and (not topic or topic in chunk.topics)
            ]
        index = KeywordIndex()
        for row, chunk in enumerate(held):
            index.add(row, chunk.chunk)
        words = {row: (score, matched) for row, score, matched in index.search(asked_by(query))}
        near = {
            row: cosine(vector, chunk.vector)
            for row, chunk in enumerate(held)
            if vector is not None and chunk.vector is not None and len(chunk.vector) == len(vector)
        }
        ranked = fuse({row: score for row, (score, _) in words.items()}, near)
        return tuple(
            ChunkHit(held[row], max(0.0, min(1.0, score)), words.get(row, (0.0, ()))[1])
            for row, score in ranked[: max(0, limit)]
        )

    def count_topics(self, thread_id: str, topics: Iterable[str], now: float) -> None:
        """Count each topic once more for a thread."""
        with self._lock:
            held = self._topics.setdefault(thread_id, {})
            for topic in map(redact, topics):
                known = held.get(topic, ThreadTopic(topic, 0))
                held[topic] = ThreadTopic(topic, known.mention_count + 1, max(now, known.last_seen_at))

    def topics(self, thread_id: str) -> tuple[ThreadTopic, ...]:
        """Return a thread's topics, the most mentioned first, of equal ones the last seen first."""
        with self._lock:
            held = self._topics.get(thread_id, {}).values()
            return tuple(sorted(held, key=lambda t: (-t.mention_count, -t.last_seen_at, t.topic)))

    def delete_thread(self, thread_id: str) -> Mapping[str, int]:
        """Remove all of a thread; return how many rows of what went."""
        with self._lock:
            doomed = [chunk.id for chunk in self._chunks.values() if chunk.thread_id == thread_id]
            for one in doomed:
                del self._chunks[one]
            return {
                "thread": int(self._threads.pop(thread_id, None) is not None),
                "messages": len(self._messages.pop(thread_id, ())),
                "summary": int(self._summaries.pop(thread_id, None) is not None),
                "chunks": len(doomed),
                "topics": len(self._topics.pop(thread_id, ())),
            }

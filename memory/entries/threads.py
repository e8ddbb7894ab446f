"""What a store keeps of whole conversations (threads), and the `ThreadStore` protocol.

A thread's newest messages stay as they are; what is pruned lives on as one summary, searchable chunks, and topics.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread in a list: its name for people, and when it was last used, in seconds since 1970 UTC."""

    thread_id: str
    label: str = ""
    last_active_at: float = 0.0


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """The one summary of a thread: of how many messages, and the id of the last of them."""

    thread_id: str
    summary: str
    message_count: int = 0
    updated_at: float = 0.0
    last_summarized_msg_id: str | None = None


@dataclass(frozen=True, slots=True)
class ThreadChunk:
    """A piece of pruned conversation: what was said, its topics, and where an embedder made one, its vector."""

    thread_id: str
    chunk: str
    topics: tuple[str, ...] = ()
    created_at: float = 0.0
    vector: tuple[float, ...] | None = None

    @property
    def id(self) -> str:
        """What tells it from others: a digest of thread and text, so that nothing is kept twice."""
        named = f"{self.thread_id}\x00{self.chunk}".encode("utf-8", "surrogatepass")
        return blake2b(named, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class ThreadTopic:
    """A topic of a thread, and how often it came up."""

    topic: str
    mention_count: int = 1
    last_seen_at: float = 0.0


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """A chunk that a search found; `score` 0 to 1, `matched` the words of the query it holds (none by meaning)."""

    chunk: ThreadChunk
    score: float
    matched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadMessage:
    """A message of a thread as it was sent or received, in the wire form of its API; `id` is unique in the thread."""

    id: str
    value: Mapping[str, Any]


class ThreadStore(Protocol):
    """Where threads are kept. All methods raise `StoreError` where the store cannot read or write.

    Writing is durable when a method has returned, and all of it or nothing. Secrets are redacted on the way in, but in
    messages, which are sent again as they were.
    """

    def writing(self) -> AbstractContextManager[None]:
        """Make everything inside one transaction; an exception undoes all of it."""

    def touch_thread(self, thread_id: str, now: float) -> None:
        """Note that a thread is in use; a new one is made."""

    def label_thread(self, thread_id: str, label: str) -> bool:
        """Name a thread; return whether there is one."""

    def threads(self, *, limit: int = 100, offset: int = 0) -> tuple[Thread, ...]:
        """Return threads, the last used first."""

    def thread(self, thread_id: str) -> Thread | None:
        """Return one thread; None where there is none."""

    def append_messages(self, thread_id: str, messages: Iterable[ThreadMessage]) -> int:
        """Add messages at a thread's end; one whose id is there takes its place. Return how many were new."""

    def messages(self, thread_id: str) -> tuple[ThreadMessage, ...]:
        """Return a thread's messages, oldest first."""

    def remove_messages(self, thread_id: str, ids: Iterable[str]) -> int:
        """Remove messages for good; return how many there were."""

    def put_summary(self, summary: ThreadSummary) -> None:
        """Keep a thread's summary, in place of the one before."""

    def summary(self, thread_id: str) -> ThreadSummary | None:
        """Return a thread's summary; None where there is none."""

    def put_chunks(self, chunks: Iterable[ThreadChunk]) -> int:
        """Keep chunks; return how many were new. One that is there gets the vector it lacked."""

    def chunks(self, thread_id: str) -> tuple[ThreadChunk, ...]:
        """Return a thread's chunks, oldest first."""

    def search_chunks(
        self,
        query: str,
        *,
        thread_id: str | None = None,
        vector: Sequence[float] | None = None,
        topic: str = "",
        limit: int = 5,
    ) -> tuple[ChunkHit, ...]:
        """Return the chunks that answer a question best, best first, at most `limit`.

        By words, and with the question's `vector` by meaning, too (chunks with a vector of another length are found by
        words alone). `thread_id` None: of all threads. `topic` restricts to chunks with that topic.
        """

    def count_topics(self, thread_id: str, topics: Iterable[str], now: float) -> None:
        """Count each topic once more for a thread."""

    def topics(self, thread_id: str) -> tuple[ThreadTopic, ...]:
        """Return a thread's topics, the most mentioned first, of equal ones the last seen first."""

    def delete_thread(self, thread_id: str) -> Mapping[str, int]:
        """Remove all of a thread; return how many rows of what went ("thread", "messages", "chunks", ...)."""

    def close(self) -> None:
        """Let go of files and connections."""

"""Threads in the SQL store: messages, summaries, chunks and topics of whole conversations."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Text, bindparam, delete, func, select, update

from memory.conversation import redact
from memory.entries import ChunkHit, Thread, ThreadChunk, ThreadMessage, ThreadSummary, ThreadTopic
from memory.search import MOST_READ, asked_by, fuse, keys_held, length_of, terms_of
from memory.stores.sql.database import json_of
from memory.stores.sql.postings import EVERYWHERE, Extent, SqlPostings, index_rows, span_of, unindex_rows
from memory.stores.sql.schema import MESSAGES, SPACES, SUMMARIES, THREADS, TOPICS, VECTORS
from memory.stores.sql.vectors import SqlVectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection, Select, Table

    from memory.search import Wanted

_KIND: Final = "thread"
_EXTENT: Final = select(func.max(SPACES.c.number), func.sum(SPACES.c.sequence), func.count(SPACES.c.number)).where(
    SPACES.c.kind == bindparam("of_kind")
)
_EXTENT_NAMED: Final = _EXTENT.where(SPACES.c.name == bindparam("of_name"))
COUNTED: Final = 5000
"""Texts of a thread or project up to which they are counted for each search (chosen)."""


class SqlThreads(SqlVectors):
    """A `ThreadStore` in a SQL database."""

    def touch_thread(self, thread_id: str, now: float) -> None:
        """Note that a thread is in use; a new one is made."""
        new = self.insert(THREADS).values(thread_id=thread_id, label="", last_active_at=now)
        later = func.greatest if self._pg else func.max
        with self.writing(), self.reading() as connection:
            connection.execute(
                new.on_conflict_do_update(
                    index_elements=["thread_id"],
                    set_={"last_active_at": later(THREADS.c.last_active_at, new.excluded.last_active_at)},
                )
            )

    def label_thread(self, thread_id: str, label: str) -> bool:
        """Name a thread; return whether there is one."""
        with self.writing(), self.reading() as connection:
            named = update(THREADS).where(THREADS.c.thread_id == thread_id).values(label=redact(label))
            return bool(connection.execute(named).rowcount)

    def threads(self, *, limit: int = 100, offset: int = 0) -> tuple[Thread, ...]:
        """Return threads, the last used first."""
        listed = select(THREADS).order_by(THREADS.c.last_active_at.desc(), THREADS.c.thread_id)
        with self.reading() as connection:
            return tuple(Thread(*row) for row in connection.execute(listed.limit(limit).offset(offset)))

    def thread(self, thread_id: str) -> Thread | None:
        """Return one thread; None where there is none."""
        with self.reading() as connection:
            row = connection.execute(select(THREADS).where(THREADS.c.thread_id == thread_id)).first()
        return None if row is None else Thread(*row)

    # ---- messages

    def append_messages(self, thread_id: str, messages: Iterable[ThreadMessage]) -> int:
        """Add messages at a thread's end; one whose id is there takes its place. Return how many were new."""
        given = {
            message.id: {
                "thread_id": thread_id,
                "id": message.id,
                "value": json.dumps(message.value, ensure_ascii=False),
            }
            for message in messages
        }
        if not given:
            return 0
        with self.writing(), self.reading() as connection:
            self._claim(connection, _KIND, thread_id)
            there = select(MESSAGES.c.id).where(
                MESSAGES.c.thread_id == thread_id, self._among(MESSAGES.c.id, given)
            )
            known = set(connection.execute(there).scalars())
            new = self.insert(MESSAGES)
            connection.execute(
                new.on_conflict_do_update(index_elements=["thread_id", "id"], set_={"value": new.excluded.value}),
                list(given.values()),
            )
        return len(given) - len(known)

    def messages(self, thread_id: str) -> tuple[ThreadMessage, ...]:
        """Return a thread's messages, oldest first."""
        listed = select(MESSAGES.c.id, MESSAGES.c.value).where(MESSAGES.c.thread_id == thread_id)
        with self.reading() as connection:
            self._hold(connection, thread_id)
            rows = connection.execute(listed.order_by(MESSAGES.c.ordinal)).all()
        return tuple(ThreadMessage(name, json.loads(value)) for name, value in rows)

    def remove_messages(self, thread_id: str, ids: Iterable[str]) -> int:
        """Remove messages for good; return how many there were."""
        with self.writing(), self.reading() as connection:
            self._claim(connection, _KIND, thread_id)
            doomed = delete(MESSAGES).where(MESSAGES.c.thread_id == thread_id, self._among(MESSAGES.c.id, ids))
            return connection.execute(doomed).rowcount

    # ---- summaries

    def put_summary(self, summary: ThreadSummary) -> None:
        """Keep a thread's summary, in place of the one before."""
        row = asdict(replace(summary, summary=redact(summary.summary)))
        with self.writing(), self.reading() as connection:
            self._claim(connection, _KIND, summary.thread_id)
            self._put_row(connection, SUMMARIES, ["thread_id"], row)

    def summary(self, thread_id: str) -> ThreadSummary | None:
        """Return a thread's summary; None where there is none."""
        with self.reading() as connection:
            self._hold(connection, thread_id)
            row = connection.execute(select(SUMMARIES).where(SUMMARIES.c.thread_id == thread_id)).first()
        return None if row is None else ThreadSummary(*row)

    # ---- chunks

    def put_chunks(self, chunks: Iterable[ThreadChunk]) -> int:
        """Keep chunks; return how many were new. One that is there gets the vector it lacked."""
        by_thread: dict[str, dict[str, ThreadChunk]] = {}
        for given in chunks:
            clean = replace(given, chunk=redact(given.chunk))
            mine = by_thread.setdefault(clean.thread_id, {})
            known = mine.setdefault(clean.id, clean)
            if known.vector is None and clean.vector is not None:
                mine[clean.id] = replace(known, vector=clean.vector)
        if not by_thread:
            return 0
        with self.writing(), self.reading() as connection:
            return sum(self._put_chunks(connection, name, mine) for name, mine in sorted(by_thread.items()))

    def _put_chunks(self, connection: Connection, thread_id: str, mine: dict[str, ThreadChunk]) -> int:
        self._claim(connection, _KIND, thread_id)
        there = select(VECTORS.c.id, VECTORS.c.row).where(self._among(VECTORS.c.id, mine))
        known = {found.id: found.row for found in connection.execute(there)}
        fresh = [name for name in mine if name not in known]
        _, first = self._claim(connection, _KIND, thread_id, len(mine))  # also tells that vectors may be new
        placed = dict(zip(fresh, range(first, first + len(fresh)), strict=True))
        terms = {name: terms_of(mine[name].chunk) for name in fresh}
        if fresh:
            connection.execute(
                VECTORS.insert(),
                [
                    {
                        "id": name,
                        "row": placed[name],
                        "thread_id": thread_id,
                        "chunk": mine[name].chunk,
                        "topics": mine[name].topics,
                        "length": length_of(terms[name]),
                        "created_at": mine[name].created_at,
                    }
                    for name in fresh
                ],
            )
            index_rows(connection, _KIND, ((placed[name], keys_held(terms[name])) for name in fresh))
        rows = known | placed
        self._keep_vectors(
            connection, [(rows[name], one.vector) for name, one in mine.items() if one.vector is not None]
        )
        return len(fresh)

    def chunks(self, thread_id: str) -> tuple[ThreadChunk, ...]:
        """Return a thread's chunks, oldest first."""
        with self.reading() as connection:
            self._hold(connection, thread_id)
            span = span_of(self._number(connection, _KIND, thread_id))
            mine = self._chunks.where(VECTORS.c.row.between(*span)).order_by(VECTORS.c.row)
            return tuple(self._told(connection.execute(mine).all()).values())

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
        if limit < 1:
            return ()
        if vector is not None and thread_id is None:
            self._index(len(vector))
        with self.reading() as connection:
            extent = self._extent(connection, VECTORS, _KIND, thread_id)
            allowed = None
            if topic:
                found = connection.execute(
                    select(VECTORS.c.row).where(VECTORS.c.row.between(*extent.span), self._about(topic))
                )
                allowed = frozenset(found.scalars())
            asked = asked_by(query)
            words: dict[int, tuple[float, tuple[str, ...]]] = {}
            if asked:
                postings = SqlPostings(connection, _KIND, asked, extent)
                words = self._by_words(connection, postings, *postings.candidates(asked, allowed))
            near: dict[int, float] = {}
            if vector is not None:
                near = self._near(connection, vector, extent, frozenset(words), allowed)
            ranked = fuse({row: score for row, (score, _) in words.items()}, near)[:limit]
            given = {"rows": json_of(row for row, _ in ranked)}
            chunks = self._told(connection.execute(self._chunks_among, given).all())
        return tuple(
            ChunkHit(chunks[row], max(0.0, min(1.0, score)), words.get(row, (0.0, ()))[1])
            for row, score in ranked
            if row in chunks
        )

    def _by_words(
        self,
        connection: Connection,
        postings: SqlPostings,
        weighed: Sequence[Wanted],
        candidates: Sequence[int],
    ) -> dict[int, tuple[float, tuple[str, ...]]]:
        """Return scores and matched words of the chunks that hold words of a query, by row."""
        given = {"rows": json_of(candidates[:MOST_READ])}
        lengths = dict(map(tuple, connection.execute(self._lengths, given).all()))
        return {row: one for row, one in postings.scores(weighed, lengths).items() if one[0] > 0}

    def _extent(self, connection: Connection, table: Table, kind: str, name: str | None) -> Extent:
        """Return the extent of a thread or project, of all: None."""
        if name is not None and self._inside() is not None:
            self._claim(connection, kind, name)
        wanted = _EXTENT if name is None else _EXTENT_NAMED
        given = {"of_kind": kind} if name is None else {"of_kind": kind, "of_name": name}
        version = tuple(connection.execute(wanted, given).one())
        number, sequence, _ = version
        span = EVERYWHERE if name is None else span_of(number or -1)
        total = int(sequence or 0)
        newest = None if name is None else span[0] + total
        if 0 < total <= COUNTED:
            counted = select(func.count()).select_from(table).where(table.c.row.between(*span))
            total = connection.execute(counted).scalar_one()
        return Extent(span, total, newest, version)

    @cached_property
    def _chunks(self) -> Select[Any]:
        return select(VECTORS, self._column().label("vector"))

    @cached_property
    def _chunks_among(self) -> Select[Any]:
        """Statements that each search makes are built once: that takes longer than to run them."""
        return self._chunks.where(self._in(VECTORS.c.row, bindparam("rows", type_=Text)))

    @cached_property
    def _lengths(self) -> Select[Any]:
        among = self._in(VECTORS.c.row, bindparam("rows", type_=Text))
        return select(VECTORS.c.row, VECTORS.c.length).where(among)

    def _told(self, rows: Sequence[Any]) -> dict[int, ThreadChunk]:
        return {
            row.row: ThreadChunk(row.thread_id, row.chunk, row.topics, row.created_at, self._vector(row.vector))
            for row in rows
        }

    # ---- topics

    def count_topics(self, thread_id: str, topics: Iterable[str], now: float) -> None:
        """Count each topic once more for a thread."""
        later = func.greatest if self._pg else func.max
        with self.writing(), self.reading() as connection:
            self._claim(connection, _KIND, thread_id)
            for topic in map(redact, topics):
                new = self.insert(TOPICS).values(
                    thread_id=thread_id, topic=topic, mention_count=1, last_seen_at=now
                )
                counted = {
                    "mention_count": TOPICS.c.mention_count + 1,
                    "last_seen_at": later(TOPICS.c.last_seen_at, new.excluded.last_seen_at),
                }
                connection.execute(new.on_conflict_do_update(index_elements=["thread_id", "topic"], set_=counted))

    def topics(self, thread_id: str) -> tuple[ThreadTopic, ...]:
        """Return a thread's topics, the most mentioned first, of equal ones the last seen first."""
        listed = select(TOPICS.c.topic, TOPICS.c.mention_count, TOPICS.c.last_seen_at)
        with self.reading() as connection:
            self._hold(connection, thread_id)
            rows = connection.execute(listed.where(TOPICS.c.thread_id == thread_id)).all()
        return tuple(
            sorted(
                (ThreadTopic(*row) for row in rows),
                key=lambda t: (-t.mention_count, -t.last_seen_at, t.topic),
            )
        )

    def delete_thread(self, thread_id: str) -> Mapping[str, int]:
        """Remove all of a thread; return how many rows of what went."""
        with self.writing(), self.reading() as connection:
            number, _ = self._claim(connection, _KIND, thread_id)
            texts = connection.execute(select(VECTORS.c.chunk).where(VECTORS.c.thread_id == thread_id)).scalars()
            keys = {key for chunk in texts for key in keys_held(terms_of(chunk))}
            unindex_rows(connection, _KIND, keys, span_of(number))
            gone = {
                what: connection.execute(delete(table).where(table.c.thread_id == thread_id)).rowcount
                for what, table in (
                    ("thread", THREADS),
                    ("messages", MESSAGES),
                    ("summary", SUMMARIES),
                    ("chunks", VECTORS),
                    ("topics", TOPICS),
                )
            }
            connection.execute(delete(SPACES).where(SPACES.c.number == number))
            self._local.numbers.pop((_KIND, thread_id), None)
        return gone

    def _hold(self, connection: Connection, thread_id: str) -> None:
        """Within a transaction, make others wait who would write to the thread."""
        if self._inside() is not None:
            self._claim(connection, _KIND, thread_id)

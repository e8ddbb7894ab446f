"""The tables of the SQL store, the same in SQLite and PostgreSQL.

A chunk's or memory's `row` is the number of its space (a thread or a project) shifted by `SPACE_BITS`, plus a sequence
within it, so that a range of rows is a space, in each list of the keyword index, too; and higher ones are newer.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import TypeDecorator

from memory.stores.rows import restored, storable

if TYPE_CHECKING:
    from sqlalchemy import Dialect

HEAD: Final = "0001"
"""The newest schema that this release knows: the newest file in `migrations/versions`."""
VERSIONS: Final = "holdfast_schema"
"""The table in which Alembic notes the version."""
SPACE_BITS: Final = 32
SEQUENCES: Final = (1 << SPACE_BITS) - 1

NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")
PLAIN: Final = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
"""A text that can be stored as it is; compared byte by byte."""


class AnyText(TypeDecorator[str]):
    """A text of any kind: with NUL or lone surrogates, which databases refuse, it is escaped."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Say what columns of it are."""
        return PLAIN.dialect_impl(dialect)

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Escape."""
        return None if value is None else storable(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> str | None:
        """Bring back."""
        return None if value is None else restored(value)


class TextList(TypeDecorator[tuple[str, ...]]):
    """Some texts of any kind: an array in PostgreSQL, JSON in SQLite."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Say what columns of it are."""
        return dialect.type_descriptor(
            postgresql.ARRAY(postgresql.TEXT()) if dialect.name == "postgresql" else Text()
        )

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> Any:
        """Escape."""
        texts = [storable(text) for text in value or ()]
        return texts if dialect.name == "postgresql" else json.dumps(texts)

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[str, ...]:
        """Bring back."""
        return tuple(restored(text) for text in (value if dialect.name == "postgresql" else json.loads(value)))


METADATA: Final = MetaData()

SPACES: Final = Table(
    "holdfast_spaces",  # projects and threads by number; "" is where tasks outside any project are
    METADATA,
    Column("number", NUMBER, primary_key=True),
    Column("kind", PLAIN, nullable=False),
    Column("name", AnyText, nullable=False),
    Column("sequence", NUMBER, nullable=False),
    UniqueConstraint("kind", "name", name="holdfast_spaces_by_name"),
    sqlite_autoincrement=True,
)
POSTINGS: Final = Table(
    "holdfast_postings",  # the keyword index: a digest of kind, column and term, and a row that holds it
    METADATA,
    Column("key", NUMBER, primary_key=True, autoincrement=False),
    Column("row", NUMBER, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# ---- threads, as in the documentation of the three-tier memory

THREADS: Final = Table(
    "thread_activity",
    METADATA,
    Column("thread_id", AnyText, primary_key=True),
    Column("label", AnyText, nullable=False),
    Column("last_active_at", Double, nullable=False),
    Index("thread_activity_by_time", "last_active_at"),
)
SUMMARIES: Final = Table(
    "conversation_summaries",
    METADATA,
    Column("thread_id", AnyText, primary_key=True),
    Column("summary", AnyText, nullable=False),
    Column("message_count", NUMBER, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("last_summarized_msg_id", AnyText),
)
VECTORS: Final = Table(
    "memory_vectors",  # in PostgreSQL `embedding` is there where the pgvector extension is
    METADATA,
    Column("id", PLAIN, primary_key=True),
    Column("row", NUMBER, nullable=False, unique=True),
    Column("thread_id", AnyText, nullable=False),
    Column("chunk", AnyText, nullable=False),
    Column("topics", TextList, nullable=False),
    Column("length", Double, nullable=False),
    Column("created_at", Double, nullable=False),
    Index("idx_memory_vectors_thread", "thread_id"),
    Index("idx_memory_vectors_topics", "topics", postgresql_using="gin").ddl_if(dialect="postgresql"),
)
TOPICS: Final = Table(
    "memory_topics",
    METADATA,
    Column("thread_id", AnyText, primary_key=True),
    Column("topic", AnyText, primary_key=True),
    Column("mention_count", NUMBER, nullable=False),
    Column("last_seen_at", Double, nullable=False),
)
MESSAGES: Final = Table(
    "thread_messages",
    METADATA,
    Column("ordinal", NUMBER, primary_key=True),
    Column("thread_id", AnyText, nullable=False),
    Column("id", AnyText, nullable=False),
    Column("value", AnyText, nullable=False),
    UniqueConstraint("thread_id", "id", name="thread_messages_by_id"),
    Index("thread_messages_in_order", "thread_id", "ordinal"),
)

# ---- projects

MEMORIES: Final = Table(
    "holdfast_memories",  # the columns of `memory.stores.rows`, whose texts are escaped there
    METADATA,
    Column("row", NUMBER, primary_key=True, autoincrement=False),
    Column("project", NUMBER, nullable=False),
    Column("id", PLAIN, nullable=False),
    Column("task", PLAIN, nullable=False),
    Column("scope", PLAIN, nullable=False),
    Column("pinned", Integer, nullable=False),
    Column("type", PLAIN, nullable=False),
    Column("priority", PLAIN, nullable=False),
    Column("status", PLAIN, nullable=False),
    Column("created", Double, nullable=False),
    Column("accessed", Double, nullable=False),
    Column("uses", NUMBER, nullable=False),
    Column("content", PLAIN, nullable=False),
    Column("superseded_by", PLAIN),
    Column("details", PLAIN, nullable=False),
    Column("sightings", PLAIN, nullable=False),
    Column("length", Double, nullable=False),
    UniqueConstraint("project", "id", name="holdfast_memories_by_id"),
    Index("holdfast_memories_by_task", "project", "task"),
)
CONVERSATIONS: Final = Table(
    "holdfast_conversations",
    METADATA,
    Column("ordinal", NUMBER, primary_key=True),
    Column("project", AnyText, nullable=False),
    Column("task", AnyText, nullable=False),
    Column("started", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Column("title", AnyText, nullable=False),
    Column("snapshot", LargeBinary, nullable=False),
    UniqueConstraint("project", "task", name="holdfast_conversations_by_task"),
)
RECORDS: Final = Table(
    "holdfast_records",
    METADATA,
    Column("ordinal", NUMBER, primary_key=True),
    Column("project", AnyText, nullable=False),
    Column("task", AnyText, nullable=False),
    Column("id", AnyText, nullable=False),
    Column("made", Double, nullable=False),
    Column("content", LargeBinary, nullable=False),
    UniqueConstraint("project", "id", name="holdfast_records_by_id"),
    Index("holdfast_records_by_task", "project", "task"),
)
ORIGINALS: Final = Table(
    "holdfast_originals",  # `task` is "" in a project, where all tasks share them
    METADATA,
    Column("project", AnyText, primary_key=True),
    Column("task", AnyText, primary_key=True),
    Column("digest", PLAIN, primary_key=True),
    Column("redacted", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
SETTINGS: Final = Table(
    "holdfast_settings",
    METADATA,
    Column("name", AnyText, primary_key=True),
    Column("value", AnyText, nullable=False),
)

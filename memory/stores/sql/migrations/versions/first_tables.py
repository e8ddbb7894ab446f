"""The first tables: threads and projects."""

from alembic import op
from sqlalchemy import Column, Double, Integer, LargeBinary, UniqueConstraint

from memory.stores.sql.schema import NUMBER, PLAIN, AnyText, TextList

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    _make_threads()
    _make_projects()
    op.create_index("thread_activity_by_time", "thread_activity", ["last_active_at"])
    op.create_index("idx_memory_vectors_thread", "memory_vectors", ["thread_id"])
    if op.get_bind().dialect.name == "postgresql":
        op.create_index("idx_memory_vectors_topics", "memory_vectors", ["topics"], postgresql_using="gin")
    else:
        op.add_column("memory_vectors", Column("embedding", LargeBinary))
    op.create_index("thread_messages_in_order", "thread_messages", ["thread_id", "ordinal"])
    op.create_index("holdfast_memories_by_task", "holdfast_memories", ["project", "task"])
    op.create_index("holdfast_records_by_task", "holdfast_records", ["project", "task"])


def _make_threads() -> None:
    op.create_table(
        "holdfast_spaces",
        Column("number", NUMBER, primary_key=True),
        Column("kind", PLAIN, nullable=False),
        Column("name", AnyText, nullable=False),
        Column("sequence", NUMBER, nullable=False),
        UniqueConstraint("kind", "name", name="holdfast_spaces_by_name"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "holdfast_postings",
        Column("key", NUMBER, primary_key=True, autoincrement=False),
        Column("row", NUMBER, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "thread_activity",
        Column("thread_id", AnyText, primary_key=True),
        Column("label", AnyText, nullable=False),
        Column("last_active_at", Double, nullable=False),
    )
    op.create_table(
        "conversation_summaries",
        Column("thread_id", AnyText, primary_key=True),
        Column("summary", AnyText, nullable=False),
        Column("message_count", NUMBER, nullable=False),
        Column("updated_at", Double, nullable=False),
        Column("last_summarized_msg_id", AnyText),
    )
    op.create_table(
        "memory_vectors",
        Column("id", PLAIN, primary_key=True),
        Column("row", NUMBER, nullable=False, unique=True),
        Column("thread_id", AnyText, nullable=False),
        Column("chunk", AnyText, nullable=False),
        Column("topics", TextList, nullable=False),
        Column("length", Double, nullable=False),
        Column("created_at", Double, nullable=False),
    )
    op.create_table(
        "memory_topics",
        Column("thread_id", AnyText, primary_key=True),
        Column("topic", AnyText, primary_key=True),
        Column("mention_count", NUMBER, nullable=False),
        Column("last_seen_at", Double, nullable=False),
    )
    op.create_table(
        "thread_messages",
        Column("ordinal", NUMBER, primary_key=True),
        Column("thread_id", AnyText, nullable=False),
        Column("id", AnyText, nullable=False),
        Column("value", AnyText, nullable=False),
        UniqueConstraint("thread_id", "id", name="thread_messages_by_id"),
    )


def _make_projects() -> None:
    op.create_table(
        "holdfast_memories",
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
    )
    op.create_table(
        "holdfast_conversations",
        Column("ordinal", NUMBER, primary_key=True),
        Column("project", AnyText, nullable=False),
        Column("task", AnyText, nullable=False),
        Column("started", Double, nullable=False),
        Column("updated", Double, nullable=False),
        Column("title", AnyText, nullable=False),
        Column("snapshot", LargeBinary, nullable=False),
        UniqueConstraint("project", "task", name="holdfast_conversations_by_task"),
    )
    op.create_table(
        "holdfast_records",
        Column("ordinal", NUMBER, primary_key=True),
        Column("project", AnyText, nullable=False),
        Column("task", AnyText, nullable=False),
        Column("id", AnyText, nullable=False),
        Column("made", Double, nullable=False),
        Column("content", LargeBinary, nullable=False),
        UniqueConstraint("project", "id", name="holdfast_records_by_id"),
    )
    op.create_table(
        "holdfast_originals",
        Column("project", AnyText, primary_key=True),
        Column("task", AnyText, primary_key=True),
        Column("digest", PLAIN, primary_key=True),
        Column("redacted", Integer, nullable=False),
        Column("content", LargeBinary, nullable=False),
    )
    op.create_table(
        "holdfast_settings",
        Column("name", AnyText, primary_key=True),
        Column("value", AnyText, nullable=False),
    )


def downgrade() -> None:
    """Remove all tables and what they hold."""
    for table in (
        "holdfast_spaces",
        "holdfast_postings",
        "thread_activity",
        "conversation_summaries",
        "memory_vectors",
        "memory_topics",
        "thread_messages",
        "holdfast_memories",
        "holdfast_conversations",
        "holdfast_records",
        "holdfast_originals",
        "holdfast_settings",
    ):
        op.drop_table(table)

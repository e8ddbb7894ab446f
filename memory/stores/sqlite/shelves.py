"""What the SQLite store keeps beside memories: conversations, compaction records, originals, settings."""

from __future__ import annotations

import zlib
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from memory.conversation import redact, redact_bytes
from memory.entries import StoredConversation
from memory.errors import StoreError
from memory.stores.base import owner_of, read_handle, unknown_handle
from memory.stores.rows import packed, restored, storable, unpacked
from memory.stores.sqlite.files import SqliteFile

if TYPE_CHECKING:
    from collections.abc import Mapping

HANDLE_DIGITS: Final = 12
"""Hexadecimal digits of a handle, as in the archive of originals."""


class SqliteShelves(SqliteFile):
    """The part of `SqliteStore` that knows nothing of memories."""

    # ---- projects

    def _number(self, project: str | None) -> int:
        """Return a project's number; a new project gets the next one. Within a transaction."""
        if project is None:
            return 0
        if not project:
            raise ValueError("the project's key is ''; it should be `Project.key`, or None outside any project")
        self._connection.execute("INSERT OR IGNORE INTO projects (key) VALUES (?)", (storable(project),))
        return self._known_number(project)

    def _known_number(self, project: str | None) -> int:
        """Return a project's number, -1 for one that nothing was kept of."""
        if project is None:
            return 0
        if not project:
            return -1
        row = self._connection.execute("SELECT number FROM projects WHERE key = ?", (storable(project),)).fetchone()
        return -1 if row is None else int(row[0])

    def projects(self) -> tuple[str, ...]:
        """Return the keys of all projects that anything was kept of, oldest first."""
        with self.reading() as connection:
            rows = connection.execute("SELECT key FROM projects WHERE number > 0 ORDER BY number").fetchall()
        return tuple(restored(key) for (key,) in rows)

    # ---- conversations

    def put_conversation(self, conversation: StoredConversation) -> None:
        """Keep a conversation, in place of its earlier state; secrets in title and snapshot are redacted."""
        with self.writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO conversations VALUES (?, ?, ?, ?, ?, ?)",
                (
                    self._number(conversation.project),
                    storable(conversation.task_id),
                    conversation.started_at,
                    conversation.updated_at,
                    storable(redact(conversation.title)),
                    packed(conversation.snapshot),
                ),
            )

    def get_conversation(self, project: str | None, task_id: str) -> StoredConversation | None:
        """Return a conversation with its snapshot; None where there is none."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT started, updated, title, snapshot FROM conversations WHERE project = ? AND task = ?",
                (self._known_number(project), storable(task_id)),
            ).fetchone()
        if row is None:
            return None
        return StoredConversation(task_id, project, row[0], row[1], restored(row[2]), unpacked(row[3]))

    def conversations(self, project: str | None) -> tuple[StoredConversation, ...]:
        """Return a project's conversations, newest first, without their snapshots."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT task, started, updated, title FROM conversations WHERE project = ? "
                "ORDER BY updated DESC, rowid DESC",
                (self._known_number(project),),
            ).fetchall()
        return tuple(StoredConversation(restored(r[0]), project, r[1], r[2], restored(r[3])) for r in rows)

    def delete_conversations(self, project: str | None, before: float) -> tuple[str, ...]:
        """Remove conversations last updated before a time, with their records and the memories only they see.

        Pinned memories stay, and those shared with the project.
        """
        with self.writing():
            number = self._known_number(project)
            tasks = [
                restored(task)
                for (task,) in self._connection.execute(
                    "DELETE FROM conversations WHERE project = ? AND updated < ? RETURNING task",
                    (number, before),
                ).fetchall()
            ]
            for task in tasks:
                self._connection.execute(
                    "DELETE FROM records WHERE project = ? AND task = ?", (number, storable(task))
                )
                self.clear_task(project, task)
        return tuple(sorted(tasks))

    def clear_task(self, project: str | None, task_id: str) -> int:
        """Remove the memories that only this task sees; the store of memories does it."""
        del project, task_id
        return 0

    # ---- compaction records

    def put_record(self, project: str | None, task_id: str, record_id: str, content: str, now: float) -> None:
        """Keep a compaction record, in place of one with its id; secrets are redacted."""
        with self.writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO records (project, task, id, made, content) VALUES (?, ?, ?, ?, ?)",
                (
                    self._number(project),
                    storable(task_id),
                    storable(record_id),
                    now,
                    packed(content),
                ),
            )

    def records(self, project: str | None, task_id: str) -> tuple[str, ...]:
        """Return a task's compaction records, oldest first."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT content FROM records WHERE project = ? AND task = ? ORDER BY made, ordinal",
                (self._known_number(project), storable(task_id)),
            ).fetchall()
        return tuple(unpacked(content) for (content,) in rows)

    def newest_record(self, project: str | None) -> str | None:
        """Return the compaction record of a project that was made last, of any task; None where there is none."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT content FROM records WHERE project = ? ORDER BY made DESC, ordinal DESC LIMIT 1",
                (self._known_number(project),),
            ).fetchone()
        return None if row is None else unpacked(row[0])

    def delete_record(self, project: str | None, record_id: str) -> bool:
        """Remove a compaction record; return whether there was one."""
        with self.writing():
            return bool(
                self._connection.execute(
                    "DELETE FROM records WHERE project = ? AND id = ?",
                    (self._known_number(project), storable(record_id)),
                ).rowcount
            )

    # ---- originals

    def put_original(self, project: str | None, task_id: str, content: bytes) -> str:
        """Keep a content for a project, or a task outside any; putting the same again changes nothing.

        The handle names what was put in. Secrets are redacted before anything is written: where there were
        some, `get_original` returns the redacted content.
        """
        owner = owner_of(project, task_id)
        digest = blake2b(content, digest_size=32).hexdigest()
        clean = redact_bytes(content)
        with self.writing():
            self._connection.execute(
                "INSERT OR IGNORE INTO originals (digest, redacted, content) VALUES (?, ?, ?)",
                (digest, int(clean != content), zlib.compress(clean)),
            )
            self._connection.execute(
                "INSERT OR IGNORE INTO owners SELECT ordinal, ?, ? FROM originals WHERE digest = ?",
                (self._number(project), storable(owner), digest),
            )
        return f"hf_{digest[:HANDLE_DIGITS]}"

    def get_original(self, project: str | None, task_id: str, handle: str) -> bytes:
        """Return the content of a handle that the project keeps, or this task outside any; longer prefixes work too.

        What was kept before originals belonged to anybody is given to whole handles only, as receipts print them.

        Raises:
            UnknownHandleError: the handle names nothing of theirs, or several things.
            StoreError: it could not be read, or is damaged.
        """
        prefix = read_handle(handle)
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT digest, redacted, content FROM originals WHERE digest BETWEEN ? AND ? AND EXISTS (SELECT 1 "
                "FROM owners WHERE original = ordinal AND (project > 0 AND project = ? OR project = 0 AND task = ? OR "
                "project IS NULL AND ?)) LIMIT 3",
                (
                    prefix,
                    prefix + "g",
                    self._known_number(project),
                    storable(task_id),
                    len(prefix) >= HANDLE_DIGITS,
                ),
            ).fetchall()
        if len(rows) != 1:
            raise unknown_handle(handle, [row[0] for row in rows])
        digest, redacted, packed = rows[0]
        try:
            content = zlib.decompress(packed)
        except zlib.error as error:
            raise StoreError(f"{handle!r} in {self.path!r} is damaged: {error}") from error
        if not redacted and blake2b(content, digest_size=32).hexdigest() != digest:
            raise StoreError(f"{handle!r} in {self.path!r} is damaged: its bytes no longer have its digest")
        return content

    # ---- settings

    def put_setting(self, name: str, value: str) -> None:
        """Keep a setting; secrets are redacted."""
        with self.writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO settings VALUES (?, ?)", (storable(name), storable(redact(value)))
            )

    def settings(self) -> Mapping[str, str]:
        """Return all settings; those that begin with "store." are the store's own."""
        with self.reading() as connection:
            rows = connection.execute("SELECT name, value FROM settings ORDER BY name").fetchall()
        return {restored(name): restored(value) for name, value in rows}

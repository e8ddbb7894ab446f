"""What the SQL store keeps of projects beside memories: conversations, compaction records, originals, settings."""

from __future__ import annotations

import zlib
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, delete, or_, select

from memory.conversation import redact, redact_bytes
from memory.entries import StoredConversation
from memory.errors import StoreError
from memory.stores.base import owner_of, read_handle, unknown_handle
from memory.stores.rows import packed, unpacked
from memory.stores.sql.schema import CONVERSATIONS, ORIGINALS, RECORDS, SETTINGS
from memory.stores.sql.threads import SqlThreads

if TYPE_CHECKING:
    from collections.abc import Mapping

_HANDLE_DIGITS: Final = 12


class SqlShelves(SqlThreads):
    """The part of the store that knows nothing of memories."""

    # ---- conversations

    def put_conversation(self, conversation: StoredConversation) -> None:
        """Keep a conversation, in place of its earlier state; secrets in title and snapshot are redacted."""
        row = {
            "project": key_of(conversation.project),
            "task": conversation.task_id,
            "started": conversation.started_at,
            "updated": conversation.updated_at,
            "title": redact(conversation.title),
            "snapshot": packed(conversation.snapshot),
        }
        with self.writing(), self.reading() as connection:
            self._put_row(connection, CONVERSATIONS, ["project", "task"], row)

    def get_conversation(self, project: str | None, task_id: str) -> StoredConversation | None:
        """Return a conversation with its snapshot; None where there is none."""
        held = CONVERSATIONS.c
        wanted = select(held.started, held.updated, held.title, held.snapshot)
        with self.reading() as connection:
            row = connection.execute(wanted.where(held.project == key_of(project), held.task == task_id)).first()
        return None if row is None else StoredConversation(task_id, project, *row[:3], unpacked(row[3]))

    def conversations(self, project: str | None) -> tuple[StoredConversation, ...]:
        """Return a project's conversations, newest first, without their snapshots."""
        held = CONVERSATIONS.c
        wanted = select(held.task, held.started, held.updated, held.title).where(held.project == key_of(project))
        with self.reading() as connection:
            rows = connection.execute(wanted.order_by(held.updated.desc(), held.ordinal.desc())).all()
        return tuple(StoredConversation(row[0], project, *row[1:]) for row in rows)

    def delete_conversations(self, project: str | None, before: float) -> tuple[str, ...]:
        """Remove conversations last updated before a time, with their records and the memories only they see."""
        held = CONVERSATIONS.c
        old = delete(CONVERSATIONS).where(held.project == key_of(project), held.updated < before)
        with self.writing(), self.reading() as connection:
            tasks = sorted(connection.execute(old.returning(held.task)).scalars())
            for task in tasks:
                mine = RECORDS.c.project == key_of(project), RECORDS.c.task == task
                connection.execute(delete(RECORDS).where(*mine))
                self.clear_task(project, task)
        return tuple(tasks)

    def clear_task(self, project: str | None, task_id: str) -> int:
        """Remove the memories that only this task sees; the store of memories does it."""
        del project, task_id
        return 0

    def delete_thread(self, thread_id: str) -> Mapping[str, int]:
        """Remove all of a thread, its compactions and their originals as well; return how many rows of what went."""
        with self.writing(), self.reading() as connection:
            gone = {
                what: connection.execute(
                    delete(table).where(table.c.project == "", table.c.task == thread_id)
                ).rowcount
                for what, table in (("compactions", RECORDS), ("originals", ORIGINALS))
            }
            return {**super().delete_thread(thread_id), **gone}

    # ---- compaction records

    def put_record(self, project: str | None, task_id: str, record_id: str, content: str, now: float) -> None:
        """Keep a compaction record, in place of one with its id; secrets are redacted."""
        row = {
            "project": key_of(project),
            "task": task_id,
            "id": record_id,
            "made": now,
            "content": packed(content),
        }
        with self.writing(), self.reading() as connection:
            self._put_row(connection, RECORDS, ["project", "id"], row)

    def records(self, project: str | None, task_id: str) -> tuple[str, ...]:
        """Return a task's compaction records, oldest first."""
        held = RECORDS.c
        wanted = select(held.content).where(held.project == key_of(project), held.task == task_id)
        with self.reading() as connection:
            return tuple(map(unpacked, connection.execute(wanted.order_by(held.made, held.ordinal)).scalars()))

    def newest_record(self, project: str | None) -> str | None:
        """Return the compaction record of a project that was made last, of any task; None where there is none."""
        held = RECORDS.c
        wanted = select(held.content).where(held.project == key_of(project))
        with self.reading() as connection:
            newest = wanted.order_by(held.made.desc(), held.ordinal.desc()).limit(1)
            content = connection.execute(newest).scalar()
        return None if content is None else unpacked(content)

    def delete_record(self, project: str | None, record_id: str) -> bool:
        """Remove a compaction record (an undo); return whether there was one."""
        doomed = delete(RECORDS).where(RECORDS.c.project == key_of(project), RECORDS.c.id == record_id)
        with self.writing(), self.reading() as connection:
            return bool(connection.execute(doomed).rowcount)

    # ---- originals

    def put_original(self, project: str | None, task_id: str, content: bytes) -> str:
        """Keep a content, secrets redacted, and return the handle of what was put in; see `ProjectStore`."""
        digest = blake2b(content, digest_size=32).hexdigest()
        clean = redact_bytes(content)
        new = self.insert(ORIGINALS).values(
            project=key_of(project),
            task=owner_of(project, task_id),
            digest=digest,
            redacted=int(clean != content),
            content=zlib.compress(clean),
        )
        with self.writing(), self.reading() as connection:
            connection.execute(new.on_conflict_do_nothing())
        return f"hf_{digest[:_HANDLE_DIGITS]}"

    def get_original(self, project: str | None, task_id: str, handle: str) -> bytes:
        """Return the content of a handle; see `ProjectStore.get_original`.  `StoreError` where it is damaged."""
        prefix = read_handle(handle)
        held = ORIGINALS.c
        theirs = and_(held.project == "", held.task == task_id)
        if project is not None:
            theirs = or_(theirs, and_(held.project == key_of(project), held.task == ""))
        wanted = select(held.digest, held.redacted, held.content).where(
            held.digest >= prefix, held.digest < prefix + "g", theirs
        )
        with self.reading() as connection:
            found = {row.digest: row for row in connection.execute(wanted.limit(4))}
        if len(found) != 1:
            raise unknown_handle(handle, list(found))
        ((digest, row),) = found.items()
        try:
            content = zlib.decompress(row.content)
        except zlib.error as error:
            raise StoreError(f"{handle!r} in {self.name} is damaged: {error}") from error
        if not row.redacted and blake2b(content, digest_size=32).hexdigest() != digest:
            raise StoreError(f"{handle!r} in {self.name} is damaged: its bytes no longer have its digest")
        return content

    # ---- settings

    def put_setting(self, name: str, value: str) -> None:
        """Keep a setting; secrets are redacted."""
        with self.writing(), self.reading() as connection:
            self._put_row(connection, SETTINGS, ["name"], {"name": name, "value": redact(value)})

    def settings(self) -> Mapping[str, str]:
        """Return all settings; those that begin with "store." are the store's own."""
        with self.reading() as connection:
            rows = connection.execute(select(SETTINGS.c.name, SETTINGS.c.value)).all()
        return {row.name: row.value for row in sorted(rows)}


def key_of(project: str | None) -> str:
    """Return the text under which a project's things are kept: "" outside any.

    Raises:
        ValueError: the project is named "".
    """
    if project == "":
        raise ValueError("the project's key is ''; it should be `Project.key`, or None outside any project")
    return project or ""

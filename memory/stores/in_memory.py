"""Memories in the process: for tests, for tasks outside any project, and where nothing may be written."""

from __future__ import annotations

import contextlib
import copy
import threading
from dataclasses import replace
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING

from memory.consolidation import answers_of
from memory.conversation import redact, redact_bytes, redact_json
from memory.entries import (
    MemoryScope,
    MemoryStats,
    SearchHit,
    mark_of,
    without_secrets,
)
from memory.search import MOST_READ, KeywordIndex, asked_by, find_candidates, score_of, terms_of
from memory.stores.base import owner_of, read_handle, unknown_handle
from memory.stores.counting import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memory.entries import MemoryFilter, StoredConversation, StoredMemory

_Name = tuple[str | None, str]


class InMemoryStore:
    """A `ProjectStore` that lives as long as the process; its answers are those of `SqliteStore`."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._rows: dict[_Name, int] = {}
        self._memories: dict[int, StoredMemory] = {}
        self._indexes: dict[str | None, KeywordIndex] = {}
        self._conversations: dict[_Name, StoredConversation] = {}
        self._records: dict[_Name, tuple[str, str, float]] = {}
        self._originals: dict[tuple[str | None, str, str], bytes] = {}
        self._settings: dict[str, str] = {}
        self._numbers = count(1)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside one transaction; an exception undoes all of it. Copies everything: for tests."""
        with self._lock:
            kept = copy.deepcopy(self._state()) if not self._depth else None
            self._depth += 1
            done = False
            try:
                yield
                done = True
            finally:
                self._depth -= 1
                if kept is not None and not done:
                    self.__dict__.update(kept)

    def _state(self) -> dict[str, object]:
        return {name: held for name, held in self.__dict__.items() if name not in ("_lock", "_depth", "_numbers")}

    def close(self) -> None:
        """Do nothing; there is nothing to let go of."""

    # ---- memories

    def put(self, memories: Iterable[StoredMemory]) -> int:
        """Keep memories, in place of earlier states; return how many."""
        with self._lock:
            named = {(memory.project, memory.id): without_secrets(memory) for memory in memories}
            for name, memory in named.items():
                row = self._rows.get(name) or next(self._numbers)
                known = self._memories.get(row)
                self._rows[name] = row
                self._memories[row] = memory
                if known is None or known.entry.content != memory.entry.content:
                    index = self._indexes.setdefault(memory.project, KeywordIndex())
                    index.add(row, memory.entry.content)
            return len(named)

    def get(self, project: str | None, memory_id: str) -> StoredMemory | None:
        """Return one memory of a project, whatever its state; None where there is none."""
        row = self._rows.get((project, memory_id))
        return None if row is None else self._memories[row]

    def find(self, wanted: MemoryFilter) -> tuple[StoredMemory, ...]:
        """Return all memories that a filter admits, in the order in which they were first kept."""
        with self._lock:
            return tuple(
                self._memories[row] for row in sorted(self._memories) if wanted.admits(self._memories[row])
            )

    def data_version(self) -> int:
        """Return 0: nobody else writes here."""
        return 0

    def marks(self, project: str | None) -> Mapping[str, int]:
        """Return `mark_of` of all memories of a project, by id."""
        with self._lock:
            return {m.id: mark_of(m) for m in self._memories.values() if m.project == project}

    def answering(self, project: str | None, slots: Iterable[str]) -> tuple[StoredMemory, ...]:
        """Return the memories of a project that answer or answered one of these questions, in order, of any state."""
        names = frozenset(slots)
        with self._lock:
            return tuple(
                memory
                for _, memory in sorted(self._memories.items())
                if memory.project == project and any(slot.name in names for slot in answers_of(memory.entry))
            )

    def search(self, query: str, wanted: MemoryFilter, limit: int = 5) -> tuple[SearchHit, ...]:
        """Return the memories that fit a question's words best, best first, at most `limit`."""
        asked = asked_by(query)
        with self._lock:
            index = self._indexes.get(wanted.project)
            if not asked or limit < 1 or index is None:
                return ()
            admitted = frozenset(row for row, memory in self._memories.items() if wanted.admits(memory))
            weighed, rows = find_candidates(asked, index, admitted)
            found = []
            for row in rows[:MOST_READ]:
                memory = self._memories[row]
                score, matched = score_of(weighed, terms_of(memory.entry.content))
                if score >= max(wanted.minimum_score, 1e-9):
                    found.append((score, memory.entry.priority.rank, row, matched))
            found.sort(reverse=True)
            return tuple(SearchHit(self._memories[row], score, said) for score, _, row, said in found[:limit])

    def delete(self, project: str | None, ids: Iterable[str]) -> int:
        """Remove memories for good; return how many there were."""
        with self._lock:
            rows = [row for one in set(ids) if (row := self._rows.pop((project, one), None)) is not None]
            for row in rows:
                del self._memories[row]
                self._indexes[project].remove(row)
            return len(rows)

    def clear_task(self, project: str | None, task_id: str) -> int:
        """Remove the memories that only this task sees; return how many there were."""
        with self._lock:
            return self.delete(
                project,
                [
                    memory.id
                    for memory in self._memories.values()
                    if memory.project == project
                    and memory.entry.task_id == task_id
                    and memory.scope is MemoryScope.TASK
                ],
            )

    def record_access(self, project: str | None, ids: Iterable[str], now: float) -> int:
        """Count a use of memories and start their aging anew; return how many there were."""
        with self._lock:
            rows = [row for one in set(ids) if (row := self._rows.get((project, one))) is not None]
            for row in rows:
                entry = self._memories[row].entry
                used = replace(
                    entry,
                    access_count=entry.access_count + 1,
                    last_accessed_at=max(entry.last_accessed_at, now),
                )
                self._memories[row] = replace(self._memories[row], entry=used)
            return len(rows)

    def statistics(self, wanted: MemoryFilter) -> MemoryStats:
        """Return counts over what a filter admits, its `statuses` aside."""
        return counted(self.find(replace(wanted, statuses=())))

    # ---- conversations and records

    def put_conversation(self, conversation: StoredConversation) -> None:
        """Keep a conversation, in place of its earlier state."""
        name = (conversation.project, conversation.task_id)
        clean = replace(conversation, title=redact(conversation.title), snapshot=redact_json(conversation.snapshot))
        with self._lock:
            self._conversations.pop(name, None)
            self._conversations[name] = clean

    def get_conversation(self, project: str | None, task_id: str) -> StoredConversation | None:
        """Return a conversation with its snapshot; None where there is none."""
        return self._conversations.get((project, task_id))

    def conversations(self, project: str | None) -> tuple[StoredConversation, ...]:
        """Return a project's conversations, newest first, without their snapshots."""
        with self._lock:
            mine = [replace(c, snapshot="") for c in self._conversations.values() if c.project == project]
        mine.reverse()
        return tuple(sorted(mine, key=lambda c: -c.updated_at))

    def delete_conversations(self, project: str | None, before: float) -> tuple[str, ...]:
        """Remove conversations last updated before a time, with what only they see; return their task ids."""
        with self._lock:
            old = [name for name, c in self._conversations.items() if name[0] == project and c.updated_at < before]
            for name in old:
                del self._conversations[name]
                self.clear_task(*name)
                for record, (task, _, _) in list(self._records.items()):
                    if record[0] == project and task == name[1]:
                        del self._records[record]
            return tuple(sorted(task for _, task in old))

    def put_record(self, project: str | None, task_id: str, record_id: str, content: str, now: float) -> None:
        """Keep a compaction record, in place of one with its id."""
        with self._lock:
            self._records.pop((project, record_id), None)
            self._records[project, record_id] = (task_id, redact_json(content), now)

    def records(self, project: str | None, task_id: str) -> tuple[str, ...]:
        """Return a task's compaction records, oldest first."""
        with self._lock:
            mine = [kept for name, kept in self._records.items() if name[0] == project and kept[0] == task_id]
        return tuple(content for _, content, _ in sorted(mine, key=lambda kept: kept[2]))

    def newest_record(self, project: str | None) -> str | None:
        """Return the compaction record of a project that was made last, of any task; None where there is none."""
        with self._lock:
            mine = [kept for name, kept in reversed(self._records.items()) if name[0] == project]
        return max(mine, key=lambda kept: kept[2])[1] if mine else None

    def delete_record(self, project: str | None, record_id: str) -> bool:
        """Remove a compaction record; return whether there was one."""
        return self._records.pop((project, record_id), None) is not None

    # ---- originals and settings

    def put_original(self, project: str | None, task_id: str, content: bytes) -> str:
        """Keep a content, secrets redacted, and return the handle of what was put in; see `ProjectStore`."""
        digest = blake2b(content, digest_size=32).hexdigest()
        name = (project, owner_of(project, task_id), digest)
        self._originals.setdefault(name, redact_bytes(content))
        return f"hf_{digest[:12]}"

    def get_original(self, project: str | None, task_id: str, handle: str) -> bytes:
        """Return the content of a handle; see `ProjectStore.get_original`."""
        prefix = read_handle(handle)
        theirs = ((project, ""), (None, task_id))
        found = {
            name[2]: content
            for name, content in self._originals.items()
            if name[:2] in theirs and name[2].startswith(prefix)
        }
        if len(found) != 1:
            raise unknown_handle(handle, list(found))
        return next(iter(found.values()))

    def put_setting(self, name: str, value: str) -> None:
        """Keep a setting."""
        self._settings[name] = redact(value)

    def settings(self) -> Mapping[str, str]:
        """Return all settings."""
        return dict(sorted(self._settings.items()))

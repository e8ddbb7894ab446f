"""What a store holds and what it does: values and the `MemoryStore` protocol.

Every question names its project; memories of a task outside any (`project=None`) are seen by that task alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from memory.conversation import redact, redact_value
from memory.entries.entry import (  # pydantic reads the annotations when it runs
    ACTIVE,
    MemoryEntry,
    MemoryPriority,
    MemoryStatus,
    MemoryType,
    Slot,
    Source,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from contextlib import AbstractContextManager

    from memory.entries.entry import MemoryStats


class MemoryScope(StrEnum):
    """Who sees a memory: the task it was said in, or all tasks of the project."""

    TASK = "task"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Sighting:
    """One time that a memory was said: where (None without a message), when (seconds since 1970 UTC, 0.0 unknown)."""

    task_id: str
    source: Source | None = None
    seen_at: float = 0.0


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory in a store; its id is unique within the project (`Project.key`, None for a task outside any).

    A pinned one never ages, is never pruned, comes first. `sightings`: where else it was said, in order.
    """

    entry: MemoryEntry
    project: str | None
    scope: MemoryScope = MemoryScope.TASK
    pinned: bool = False
    sightings: tuple[Sighting, ...] = ()

    @property
    def id(self) -> str:
        """The entry's id."""
        return self.entry.id


def mark_of(memory: StoredMemory) -> int:
    """Return what tells a memory's states apart within this process: all that a search index of it depends on."""
    entry = memory.entry
    states = (entry.type.value, entry.priority.value, entry.status.value)
    return hash((entry.task_id, memory.scope.value, memory.pinned, *states, entry.content))


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories a question is about; empty tuples and None do not restrict.

    Where `project` is None, for memories outside any, `tasks` must name the task. Priorities are those stored, not
    aged; search hits below `minimum_score` (0 to 1) are left out.

    Raises:
        ValueError: no project and no task, or a score out of range.
    """

    project: str | None
    tasks: tuple[str, ...] = ()
    scope: MemoryScope | None = None
    types: tuple[MemoryType, ...] = ()
    priorities: tuple[MemoryPriority, ...] = ()
    statuses: tuple[MemoryStatus, ...] = ACTIVE
    pinned: bool | None = None
    minimum_score: float = 0.0

    def __post_init__(self) -> None:
        """Refuse questions that would mix what must not be mixed."""
        if self.project is None and not self.tasks:
            raise ValueError("the filter names no project and no task; outside projects it should name the task")
        if not 0 <= self.minimum_score <= 1:
            raise ValueError(f"minimum_score is {self.minimum_score!r}; it should be from 0 to 1")

    def admits(self, memory: StoredMemory) -> bool:
        """Tell whether a memory is one of those (whatever its score)."""
        entry = memory.entry
        return (
            memory.project == self.project
            and (not self.tasks or entry.task_id in self.tasks)
            and self.scope in (None, memory.scope)
            and (not self.types or entry.type in self.types)
            and (not self.priorities or entry.priority in self.priorities)
            and (not self.statuses or entry.status in self.statuses)
            and self.pinned in (None, memory.pinned)
        )


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A memory that a search found, and the words of the query that it matches (none for a vector match).

    `score`, 0 to 1: which share of the query's weight it matches, or of vectors the cosine similarity.
    """

    memory: StoredMemory
    score: float
    matched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """One task's conversation: times in seconds since 1970 UTC, a title for lists, `ConversationMemory.serialize()`."""

    task_id: str
    project: str | None
    started_at: float = 0.0
    updated_at: float = 0.0
    title: str = ""
    snapshot: str = field(default="", repr=False)


def without_secrets(memory: StoredMemory) -> StoredMemory:
    """Return a memory with every secret in its texts replaced; the same object where there is none."""
    entry = memory.entry
    clean: MemoryEntry = replace(
        entry,
        content=redact(entry.content),
        tags=tuple(map(redact, entry.tags)),
        related_files=tuple(map(redact, entry.related_files)),
        slots=tuple(map(_redacted_slot, entry.slots)),
        overtaken=tuple(
            replace(one, slot=_redacted_slot(one.slot), later=redact_value(one.later, one.slot.name))
            for one in entry.overtaken
        ),
    )
    return memory if clean == entry else replace(memory, entry=clean)


def _redacted_slot(slot: Slot) -> Slot:
    """Redact an answer beside its question: "api key" / "..." is a secret only together."""
    return Slot(slot.name, redact_value(slot.value, slot.name))


class MemoryStore(Protocol):
    """Where memories are kept. All methods raise `StoreError` where the store cannot read or write.

    Writing is durable when a method has returned, and all of it or nothing. Secrets are redacted on the way in.
    """

    def put(self, memories: Iterable[StoredMemory]) -> int:
        """Keep memories, in place of earlier states with the same project and id; return how many."""

    def get(self, project: str | None, memory_id: str) -> StoredMemory | None:
        """Return one memory of a project, whatever its state; None where there is none."""

    def find(self, wanted: MemoryFilter) -> tuple[StoredMemory, ...]:
        """Return all memories that a filter admits, in the order in which they were first kept."""

    def search(self, query: str, wanted: MemoryFilter, limit: int = 5) -> tuple[SearchHit, ...]:
        """Return the memories that fit a question best, best first, at most `limit`."""

    def delete(self, project: str | None, ids: Iterable[str]) -> int:
        """Remove memories for good; return how many there were."""

    def clear_task(self, project: str | None, task_id: str) -> int:
        """Remove the memories that only this task sees; return how many there were."""

    def record_access(self, project: str | None, ids: Iterable[str], now: float) -> int:
        """Count a use of memories and start their aging anew; return how many there were."""

    def statistics(self, wanted: MemoryFilter) -> MemoryStats:
        """Return counts over what a filter admits (its `statuses` aside); `created_this_turn` is 0."""

    def close(self) -> None:
        """Let go of files and connections; the store is of no use afterwards."""


class ProjectStore(MemoryStore, Protocol):
    """A store that also keeps conversations, compaction records, originals and settings."""

    def writing(self) -> AbstractContextManager[None]:
        """Make everything inside one transaction: nobody else writes meanwhile, and an exception undoes all."""

    def data_version(self) -> int:
        """Return a number that is another one when somebody else wrote: another store on the file, another process."""

    def marks(self, project: str | None) -> Mapping[str, int]:
        """Return `mark_of` of all memories of a project, by id."""

    def answering(self, project: str | None, slots: Iterable[str]) -> tuple[StoredMemory, ...]:
        """Return the memories of a project that answer or answered one of these questions, in order, of any state."""

    def put_conversation(self, conversation: StoredConversation) -> None:
        """Keep a conversation, in place of its earlier state."""

    def get_conversation(self, project: str | None, task_id: str) -> StoredConversation | None:
        """Return a conversation with its snapshot; None where there is none."""

    def conversations(self, project: str | None) -> tuple[StoredConversation, ...]:
        """Return a project's conversations, newest first, without their snapshots."""

    def delete_conversations(self, project: str | None, before: float) -> tuple[str, ...]:
        """Remove conversations last updated before a time, with what only they see; return their task ids."""

    def put_record(self, project: str | None, task_id: str, record_id: str, content: str, now: float) -> None:
        """Keep a compaction record (`CompactionRecord.to_json`)."""

    def records(self, project: str | None, task_id: str) -> tuple[str, ...]:
        """Return a task's compaction records, oldest first."""

    def newest_record(self, project: str | None) -> str | None:
        """Return the compaction record of a project that was made last, of any task; None where there is none."""

    def delete_record(self, project: str | None, record_id: str) -> bool:
        """Remove a compaction record (an undo); return whether there was one."""

    def put_original(self, project: str | None, task_id: str, content: bytes) -> str:
        """Keep a content for a project, or a task outside any; return its handle, "hf_" and 12 hex digits."""

    def get_original(self, project: str | None, task_id: str, handle: str) -> bytes:
        """Return what the project, or this task outside any, kept; `UnknownHandleError` for none or several."""

    def put_setting(self, name: str, value: str) -> None:
        """Keep a setting."""

    def settings(self) -> Mapping[str, str]:
        """Return all settings."""

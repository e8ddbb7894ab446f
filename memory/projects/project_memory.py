"""`PersistentMemoryManager`: the memories that the tasks of one project share, over any store."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from memory.config import DAY, MemoryConfig
from memory.consolidation import aged, overtake, withdrawn_by
from memory.entries import (
    ACTIVE,
    MemoryFilter,
    MemoryPriority,
    MemoryScope,
    MemoryStats,
    MemoryStatus,
    StoredConversation,
    StoredMemory,
)
from memory.projects.exporting import Imported, line_of, take_in
from memory.projects.sharing import (
    MOST_ALIKE,
    Known,
    Saved,
    alike,
    erase as erase_memory,
    followed,
    is_dismissed,
    is_later,
    is_shared,
    left_by,
    meet,
    named_anew,
    named_apart,
    reviewed,
    reworded,
    tasks_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memory.engine import ConversationMemory
    from memory.entries import MemoryEntry, MemoryType, ProjectStore, SearchHit

MOST_RELEVANT: Final = 12
LEAST_RELEVANT: Final = 0.15
"""Memories offered because of the latest ask, and the score from which they are (chosen: one telling word in six)."""
MANY: Final = 100
PER_ENTRY: Final = 30
"""Entries of a task from which a project's memories are read at once, at most so many for each; chosen."""
CONVERSATION_DAYS: Final = 30.0  # without a new word, after which it may be pruned: the documented default
FORGOTTEN: Final = MemoryStatus.FORGOTTEN
TITLE_GAP, ITEM_GAP = 32, 8  # characters before the first rule of a message of rules, and between two; chosen


class PersistentMemoryManager:
    """Memories of a project across its tasks: taken in, reviewed, found again. Holds no state beside the store.

    Pinned and persisted memories never age; pending ones sink to low priority, but nothing vanishes by itself. Outside
    a project (`project=None`, else its key) conversations can be kept; sharing raises `ValueError`. `clock` tells the
    time (seconds since 1970 UTC) where a call has no `now`; without one nothing ages, and writing needs a `now`.
    """

    def __init__(
        self,
        store: ProjectStore,
        project: str | None,
        config: MemoryConfig | None = None,
        *,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.store = store
        self.project = project
        self.config = MemoryConfig() if config is None else config
        self.clock = clock

    def save_task(self, memory: ConversationMemory, *, now: float | None = None, title: str = "") -> Saved:
        """Keep a task's conversation memory, and share with the project what goes beyond the task; one transaction.

        Saving again adds only what is new; what it takes back of earlier tasks is withdrawn, unless pinned. `title` is
        for lists of conversations, the one known when left out.
        """
        now, task = self._at(now), memory.task_id
        new: list[StoredMemory] = []
        strengthened: list[StoredMemory] = []
        superseded: list[str] = []
        own: list[StoredMemory] = []
        with self.store.writing():
            before = self.store.get_conversation(self.project, task)
            started, known_title = (before.started_at, before.title) if before else (now, "")
            self.store.put_conversation(
                StoredConversation(task, self.project, started, now, title or known_title, memory.serialize())
            )
            entries = memory.get_all_memories(include_superseded=True, now=0.0)
            known = self._known_for(len(entries))
            held = known.by_id.get if known else partial(self.store.get, self.project)
            others = _beside(entries)
            for entry in named_apart(entries, held):
                stored = StoredMemory(entry, self.project)
                if (shared := held(entry.id)) is not None and shared.scope is MemoryScope.PROJECT:
                    later = followed(self.store, shared, entry)
                    self.store.put([later] if later else [])
                    superseded += [entry.id] if later and not later.entry.is_active else []
                    continue
                done = Saved()
                crowd = others[entry.source.message] if entry.source else 0
                if self.project is not None and is_shared(entry, crowd):
                    met = alike(self.store, self.project, entry, known)
                    done = meet(stored, met, self.config.similarity, now)
                    self.store.put(done.changed)
                    if known:
                        known.follow(done.changed)
                new += done.new
                strengthened += done.strengthened
                superseded += done.superseded
                own += [] if any(one.id == entry.id for one in done.changed) else [stored]
            self.store.put(own)
            for terms, forgetting, moment in memory.taken_back if self.project else ():
                superseded += self._take_back(task, terms, moment, forgetting=forgetting)
        memory.taken_back.clear()
        return Saved(tuple(new), tuple(strengthened), tuple(superseded))

    def _take_back(self, task: str, terms: Sequence[str], moment: float, *, forgetting: bool) -> list[str]:
        """Withdraw what earlier tasks said of some terms, not this one; return the ids of what no longer holds."""
        wanted = MemoryFilter(self.project, scope=MemoryScope.PROJECT, pinned=False)
        hits = (hit.memory for t in terms for hit in self.store.search(t.removeprefix("not "), wanted, MOST_ALIKE))
        near = {one.id: one for one in hits if not is_later(one, moment) and task not in tasks_of(one)}
        steps = withdrawn_by(terms, (one.entry for one in near.values()), forgetting=forgetting)
        for one, slots in ((near[step.entry_id], step.slots) for step in steps if not step.whole):
            self.store.put([replace(one, entry=overtake(one.entry, slots, None))])
        return [step.entry_id for step in steps if step.whole and self.forget(step.entry_id)]

    def _known_for(self, entries: int) -> Known | None:
        """Read all that the project knows, where that is quicker than asking the store about so many entries."""
        if self.project is None or entries < MANY:
            return None
        everything = MemoryFilter(self.project, statuses=())
        if entries * PER_ENTRY < self.store.statistics(everything).total_memories:
            return None
        return Known(self.store.find(everything), self.config.similarity)

    def save_project_memory(self, entry: MemoryEntry, *, now: float | None = None) -> StoredMemory:
        """Share one memory, persisted at once (a proposal waits); return what the project now knows."""
        self._need_project()
        now = self._at(now)
        with self.store.writing():
            entry = named_anew(self.store, self.project, entry)
            stored = StoredMemory(replace(entry, explicit=not entry.is_proposal), self.project)
            done = meet(stored, alike(self.store, self.project, entry), self.config.similarity, now)
            self.store.put(done.changed)
            found = [*done.new, *done.strengthened, self.store.get(self.project, entry.id), stored]
            return next(memory for memory in found if memory is not None)

    def remember(
        self,
        content: str,
        *,
        task_id: str,
        now: float | None = None,
        type: MemoryType | None = None,  # noqa: A002  # the tool's own parameter
        priority: MemoryPriority | None = None,
        by_agent: bool = False,
    ) -> StoredMemory:
        """Share a text; the agent's (`by_agent`) waits for review. Secrets are redacted; blank is a `ValueError`."""
        now = self._at(now)
        from memory.engine import ConversationMemory  # extraction is heavy: servers start without it

        memory = ConversationMemory(task_id, self.config)
        entry = memory.remember(content, type=type, priority=priority, now=now, by_agent=by_agent)
        return self.save_project_memory(entry, now=now)

    def accept(self, memory_id: str) -> StoredMemory | None:
        """Keep a memory for good; None where the project has no such memory, or it was superseded."""
        return self._changed(memory_id, reviewed)

    def dismiss(self, memory_id: str) -> StoredMemory | None:
        """Sort a memory out: what it had replaced holds again, and saying it in passing does not bring it back."""
        return self._changed(memory_id, lambda one: reviewed(one, FORGOTTEN, dismissed=True))

    def edit(self, memory_id: str, content: str) -> StoredMemory | None:
        """Give a memory other words (not blank), read anew for files, technologies, answers; it is accepted thereby."""
        return self._changed(memory_id, lambda memory: reworded(memory, content))

    def pin(self, memory_id: str, *, on: bool = True) -> StoredMemory | None:
        """Pin a memory, which accepts it, or unpin it."""
        return self._changed(memory_id, lambda one: replace(reviewed(one) if on else one, pinned=on))

    def forget(self, memory_id: str, *, erase: bool = False) -> StoredMemory | None:
        """Withdraw a memory, which stays visible, or erase it for good; what it had replaced does not hold again."""
        if not erase:
            return self._changed(memory_id, lambda one: reviewed(one, FORGOTTEN))
        with self.store.writing():
            known = self.get_memory(memory_id)
            if known is not None:
                erase_memory(self.store, known)
                self.store.put(self._left_by(known, undone=False))
            return known

    def get_project_memories(
        self, *, statuses: tuple[MemoryStatus, ...] = ACTIVE, now: float | None = None
    ) -> tuple[StoredMemory, ...]:
        """Return what the project shares in these states (none: in any), as it reads at `now`.

        Pinned first, then the most important, then the newest.
        """
        if self.project is None:
            return ()
        now = self._at(now, unknown=0.0)
        found = self.store.find(MemoryFilter(self.project, scope=MemoryScope.PROJECT, statuses=statuses))
        seen = [self._as_read(memory, now) for memory in found]
        seen.sort(key=lambda m: (-m.pinned, -m.entry.priority.rank, -m.entry.last_accessed_at, m.id))
        return tuple(seen)

    def get_memory(self, memory_id: str) -> StoredMemory | None:
        """Return one memory that the project shares, whatever its state; a unique beginning of its id will do."""
        if self.project is None:
            return None
        known = self.store.get(self.project, memory_id) if memory_id else None
        if known is not None:
            return known if known.scope is MemoryScope.PROJECT else None
        found = [m for m in self.get_project_memories(statuses=()) if m.id.startswith(memory_id)]
        return found[0] if memory_id and len(found) == 1 else None

    def search(
        self, query: str, *, limit: int = 5, now: float | None = None, record: bool = False
    ) -> tuple[SearchHit, ...]:
        """Return the project's memories that fit a question best, at most `limit`; `record` counts it as their use."""
        if self.project is None:
            return ()
        now = self._at(now, unknown=0.0)
        hits = self.store.search(query, MemoryFilter(self.project, scope=MemoryScope.PROJECT), limit)
        seen = tuple(replace(hit, memory=self._as_read(hit.memory, now)) for hit in hits)
        if record and seen:
            self.store.record_access(self.project, [hit.memory.id for hit in seen], now)
        return seen

    def relevant_memories(
        self, latest_ask: str, budget: int, *, count_tokens: Callable[[str], int], task_id: str = ""
    ) -> tuple[str, ...]:
        """Return lines for a compaction: what earlier tasks of the project said that matters now.

        Pinned memories and critical standing rules first, then what has to do with the latest ask; together at most
        `budget` tokens. What was said in the task that is compacted is left out, for its own memory holds it.
        """
        if budget <= 0 or self.project is None:
            return ()
        shared = MemoryFilter(self.project, scope=MemoryScope.PROJECT)
        critical = self.store.find(replace(shared, priorities=(MemoryPriority.CRITICAL,)))
        standing = [m for m in critical if (m.entry.standing or m.entry.explicit) and not m.entry.is_proposal]
        standing.sort(key=lambda m: (-m.entry.access_count, -m.entry.created_at))
        hits = self.store.search(latest_ask, shared, MOST_RELEVANT)
        asked = [hit.memory for hit in hits if hit.score >= LEAST_RELEVANT]
        lines: list[str] = []
        for memory in (*self.store.find(replace(shared, pinned=True)), *standing, *asked):
            line = line_of(memory.entry)
            cost = count_tokens(f"- {line}\n")
            if cost <= budget and line not in lines and not (task_id and memory.entry.task_id == task_id):
                budget -= cost  # a long line makes way for shorter ones
                lines.append(line)
        return tuple(lines)

    def statistics(self) -> MemoryStats:
        """Return the counts over what the project shares; `created_this_turn` is 0."""
        if self.project is None:
            return MemoryStats(0)
        return self.store.statistics(MemoryFilter(self.project, scope=MemoryScope.PROJECT))

    def chain(self, memory_id: str) -> tuple[StoredMemory, ...]:
        """Return a memory with everything it took the place of and what took its place, in part too, oldest first."""
        found: dict[str, StoredMemory] = {}
        waiting: list[str | None] = [memory_id]
        while waiting:
            name = waiting.pop()
            memory = self.store.get(self.project, name) if name and name not in found else None
            if memory is not None:
                found[memory.id] = memory
                entry = memory.entry
                waiting += [*entry.supersedes, entry.superseded_by, *(mark.by for mark in entry.overtaken)]
        return tuple(sorted(found.values(), key=lambda m: (m.entry.created_at, not m.entry.superseded_by)))

    def restore_task(self, task_id: str) -> ConversationMemory | None:
        """Return the conversation memory of a task as saved last, None for none; `SnapshotError` if it is damaged."""
        from memory.engine import ConversationMemory

        kept = self.store.get_conversation(self.project, task_id)
        return ConversationMemory.deserialize(kept.snapshot) if kept is not None and kept.snapshot else None

    def conversations(self) -> tuple[StoredConversation, ...]:
        """Return the project's conversations, newest first, without their snapshots."""
        return self.store.conversations(self.project)

    def prune_conversations(self, *, now: float | None = None, days: float = CONVERSATION_DAYS) -> tuple[str, ...]:
        """Remove conversations of `days` (0 or more) without a word, with what only they see; return their task ids."""
        if not days >= 0:
            raise ValueError(f"days is {days!r}; it should be 0 or more")
        return self.store.delete_conversations(self.project, self._at(now) - days * DAY)

    def import_memories(self, memories: Iterable[StoredMemory], *, now: float | None = None) -> Imported:
        """Take memories of an export into this project; what is known here is never overwritten."""
        moment = self._at(now, unknown=0.0)
        return take_in(self.store, self._need_project(), memories, self.config.similarity, moment)

    def _at(self, now: float | None, unknown: float | None = None) -> float:
        moment = self.clock() if now is None and self.clock is not None else now
        if moment is None and unknown is None:
            raise ValueError("now is None, and there is no clock; it should be seconds since 1970 UTC")
        return moment if moment is not None else unknown or 0.0

    def _need_project(self) -> str:
        if self.project is None:
            raise ValueError("no project here, and nothing is shared outside one; run it in a git repository")
        return self.project

    def _as_read(self, memory: StoredMemory, now: float) -> StoredMemory:
        if memory.pinned or memory.entry.status is not MemoryStatus.PENDING:
            return memory
        seen = aged(memory.entry, now, self.config.aging)
        return replace(memory, entry=seen or replace(memory.entry, priority=MemoryPriority.LOW))

    def _changed(self, memory_id: str, change: Callable[[StoredMemory], StoredMemory]) -> StoredMemory | None:
        """Change a memory of the project that holds or was withdrawn; superseded ones stay as they are."""
        with self.store.writing():
            known = self.get_memory(memory_id)
            if known is None or known.entry.status is MemoryStatus.SUPERSEDED:
                return None
            now = change(known)
            self.store.put([now])
            if known.entry.is_active and not now.entry.is_active:
                self.store.put(self._left_by(known, undone=is_dismissed(now)))
            return self.store.get(self.project, known.id)

    def _left_by(self, gone: StoredMemory, *, undone: bool) -> tuple[StoredMemory, ...]:
        older = (self.store.get(self.project, name) for name in gone.entry.supersedes)
        near = (*(m for m in older if m), *alike(self.store, self.project, gone.entry))
        return left_by(gone.id, near, undone=undone)


def _beside(entries: Sequence[MemoryEntry]) -> Mapping[str, int]:
    """Count the other memories of each message; none of one that lays down rules and nothing between them."""
    said: dict[str, list[tuple[int, int, bool]]] = {}
    for at, stands in ((entry.source, entry.standing) for entry in entries if entry.source):
        said.setdefault(at.message, []).append((at.start, at.end, stands))
    out = {}
    for message, rows in said.items():
        widest = max(later[0] - one[1] for one, later in pairwise([(0, TITLE_GAP, False), *sorted(rows)]))
        out[message] = 0 if widest <= ITEM_GAP and any(stands for *_, stands in rows) else len(rows) - 1
    return out

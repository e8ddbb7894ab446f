"""`ConversationMemory`: what a person told the agent, kept verbatim; the only state of the package."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

from memory.config import MemoryConfig
from memory.consolidation import (
    NAME_LENGTH,
    Holdings,
    Sightings,
    Snapshot,
    aged,
    name_of,
    read_snapshot,
    render_summary,
    write_snapshot,
)
from memory.conversation import TypedSpan, redact
from memory.entries import ExtractionResult, MemoryPriority, MemoryStats, MemoryStatus, MemoryType
from memory.extraction import (
    Typed,
    explicit_candidate,
    read_answer,
    read_leniently,
    requests_of,
    said_in,
    statements_in,
    text_before,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memory.conversation import Message
    from memory.entries import MemoryEntry
    from memory.extraction import Extractor, Proposal, Said, Statement


LONGEST_REASON = 300  # characters of an extractor's complaint that are kept; chosen


class ConversationMemory:
    """Memories of one task's conversation: extracted, merged, superseded, aged, summarised. Not thread-safe.

    Times are seconds since 1970 UTC. There is no clock inside: without `now`, the newest known time (of a message or
    an earlier `now`) counts; where none is known, nothing ages. Returned entries carry the priority they have at that
    time, expired ones are left out; reading never changes what is stored.
    """

    def __init__(
        self, task_id: str, config: MemoryConfig | None = None, *, extractor: Extractor | None = None
    ) -> None:
        """Begin a task's memory; `extractor` asks a model what new typed texts say (see `memory.extraction`)."""
        self.extractor = extractor
        self.extraction_failures: list[str] = []
        self._restore(Snapshot(task_id, config=MemoryConfig() if config is None else config))

    def _restore(self, known: Snapshot) -> None:
        self.task_id, self.config = known.task_id, known.config
        self._holdings = Holdings(known.task_id, known.config.similarity, known.entries)
        self.taken_back = self._holdings.taken_back  # of what others said; a project's, until its next `save_task`
        told = range(0, len(known.told), NAME_LENGTH)
        self._sightings = Sightings(known.told[at : at + NAME_LENGTH] for at in told)
        self._latest = known.latest
        self._created_this_turn = known.created_this_turn

    def extract_memories(
        self, messages: Iterable[Message | Mapping[str, Any]], *, now: float | None = None
    ) -> ExtractionResult:
        """Read the messages that are new since the last call and keep what a person said in them; return the changes.

        Only typed text is read (what a person says through a tool included), and the agent's own `remember` and
        `forget` calls that succeeded, as its proposals. Messages are known by content and order: the same history
        again, shortened, or in copies changes nothing. `messages` is the conversation so far, or any part of it in
        order: dicts in Anthropic, OpenAI Chat or OpenAI Responses form, `Message` values, or a transcript; `TypeError`
        where it is no list. `now` is the time of messages that carry none. An `extractor` is called once for all new
        texts (again for every 24,000 characters); where it fails, ours stands and `extraction_failures` says why.
        """
        if isinstance(messages, (str, bytes, dict)):
            raise TypeError(f"messages is a {type(messages).__name__}; it should be a list of messages")
        values = list(messages)
        start = self._sightings.open(values)
        if now is not None:
            self._notice(now)
        fresh = read_leniently(values, start)
        known, scanned = set(self._holdings.entries), 0
        changed: set[str] = set()
        new: list[tuple[Message, Said, str]] = []
        for at, message in enumerate(fresh, start):
            name = None if message is None else name_of(message)
            if message is None or name is None:
                continue
            said = said_in(message)
            if self._sightings.is_new(at, name, telling=bool(said)):
                scanned += 1
                new.append((message, said, text_before(values, fresh, start, at) if said else ""))
        told = self._proposed(new) if self.extractor else {}
        for message, said, before in new:
            moment = self._moment(message, now)
            for statement in statements_in(said, message.digest, before, told=told):
                changed.update(self._take(statement, moment))
        self._sightings.close(values, start)
        in_order = tuple(e for entry_id, e in self._holdings.entries.items() if entry_id in changed)
        self._created_this_turn = len(changed - known)
        return ExtractionResult(in_order, scanned, self._created_this_turn)

    def remember(
        self,
        content: str,
        *,
        type: MemoryType | None = None,  # noqa: A002  # the tool's own parameter
        priority: MemoryPriority | None = None,
        now: float | None = None,
        by_agent: bool = False,
    ) -> MemoryEntry:
        """Keep a text (secrets redacted) as an explicit memory, at least of high priority; return its entry.

        Without a `type` it has the one that extraction finds, else project context. With `by_agent` it is the agent's
        proposal. Raises `ValueError` where the text is blank.
        """
        if not content.strip():
            raise ValueError(f"content is {content!r}; it should be what is to be remembered")
        if now is not None:
            self._notice(now)
        candidate = explicit_candidate(content.strip(), type, priority, by_agent=by_agent)
        return self._holdings.entries[self._holdings.take(candidate, None, self._latest)[-1]]

    def forget(self, what: str) -> tuple[MemoryEntry, ...]:
        """Retire the entry with an id, or the ones with these words, or the ones about this term; return them."""
        return tuple(self._holdings.entries[entry_id] for entry_id in self._holdings.forget(what))

    def record_memory_access(self, memory_id: str, *, now: float | None = None) -> bool:
        """Record an access and reset aging; return whether there is such an entry."""
        entry = self._holdings.entries.get(memory_id)
        if entry is None:
            return False
        if now is not None:
            self._notice(now)
        latest = max(entry.last_accessed_at, self._latest if now is None else now)
        self._holdings.put(replace(entry, access_count=entry.access_count + 1, last_accessed_at=latest))
        return True

    def mark_persisted(self, memory_id: str) -> bool:
        """Mark a pending entry as accepted for keeping across tasks; return whether it was pending."""
        entry = self._holdings.entries.get(memory_id)
        if entry is None or entry.status is not MemoryStatus.PENDING:
            return False
        self._holdings.put(replace(entry, status=MemoryStatus.PERSISTED))
        return True

    def prune_low_priority_memories(self, max_count: int, *, keep_critical: bool = False) -> int:
        """Remove the least important entries for good until at most `max_count` are left; return how many went.

        Retired entries go first, then by priority as stored, accesses, last access, and age. `keep_critical` keeps
        active critical ones, even if more than `max_count` are left then. Raises `ValueError` below 0.
        """
        if max_count < 0:
            raise ValueError(f"max_count is {max_count!r}; it should be 0 or more")
        ranked = sorted(
            self._holdings.entries.values(),
            key=lambda e: (e.is_active, e.priority.rank, e.access_count, e.last_accessed_at),
        )
        doomed = {
            entry.id
            for entry in ranked[: max(0, len(ranked) - max_count)]
            if not (keep_critical and entry.is_active and entry.priority is MemoryPriority.CRITICAL)
        }
        self._holdings.drop(doomed)
        return len(doomed)

    def dispose(self) -> None:
        """Let go of everything; the object is as new afterwards."""
        self._restore(Snapshot(self.task_id, config=self.config))

    def get_memory(self, memory_id: str) -> MemoryEntry | None:
        """Return the entry with an id as it is stored, retired ones too; None where there is none."""
        return self._holdings.entries.get(memory_id)

    def get_all_memories(
        self, *, include_superseded: bool = False, now: float | None = None
    ) -> tuple[MemoryEntry, ...]:
        """Return the active entries in order of appearance, as they read at `now`; retired ones too if asked."""
        moment = self._latest if now is None else now
        read = (
            (entry, aged(entry, moment, self.config.aging) if entry.is_active else None)
            for entry in self._holdings.entries.values()
        )
        return tuple(seen or entry for entry, seen in read if seen or include_superseded)

    def get_critical_memories(self, *, now: float | None = None) -> tuple[MemoryEntry, ...]:
        """Return the active critical entries."""
        return self.get_memories_by_priority(MemoryPriority.CRITICAL, now=now)

    def get_memories_by_priority(
        self, priority: MemoryPriority | str, *, now: float | None = None
    ) -> tuple[MemoryEntry, ...]:
        """Return the active entries that have a priority at `now`; `ValueError` where there is no such priority."""
        wanted = MemoryPriority(priority)
        return tuple(entry for entry in self.get_all_memories(now=now) if entry.priority is wanted)

    def get_memories_by_type(
        self,
        type: MemoryType | str,  # noqa: A002  # the documented name
        *,
        now: float | None = None,
    ) -> tuple[MemoryEntry, ...]:
        """Return the active entries of a type, in order of appearance; `ValueError` where there is no such type."""
        wanted = MemoryType(type)
        return tuple(entry for entry in self.get_all_memories(now=now) if entry.type is wanted)

    def generate_memory_summary(
        self,
        max_tokens: int | None = None,
        language: str = "auto",
        *,
        now: float | None = None,
        count_tokens: Callable[[str], int] | None = None,
    ) -> str:
        """Return the grouped summary for a compaction; "" when there is nothing important.

        It has at most `max_tokens` (0 or more), as `count_tokens` or the offline default counts, but keeps critical
        instructions even if they alone exceed that. Headings are "zh" or "en"; "auto" takes the language of the
        memories.
        """
        if max_tokens is not None and max_tokens < 0:
            raise ValueError(f"max_tokens is {max_tokens!r}; it should be 0 or more, or None for no limit")
        if count_tokens is None and max_tokens is not None:
            from memory.conversation import default_counter

            count_tokens = default_counter()
        entries, count = self.get_all_memories(now=now), count_tokens or len
        return render_summary(
            entries, self.config.summary, language=language, max_tokens=max_tokens, count_tokens=count
        )

    def get_memory_stats(self, *, now: float | None = None) -> MemoryStats:
        """Return the counts over the active entries as they read at `now`."""
        entries = self.get_all_memories(now=now)
        stored = self._holdings.entries.values()
        return MemoryStats(
            total_memories=len(entries),
            by_type={kind.value: sum(entry.type is kind for entry in entries) for kind in MemoryType},
            by_priority={rank.value: sum(entry.priority is rank for entry in entries) for rank in MemoryPriority},
            pending_memories=sum(entry.status is MemoryStatus.PENDING for entry in entries),
            persisted_memories=sum(entry.status is MemoryStatus.PERSISTED for entry in entries),
            superseded_memories=sum(entry.status is MemoryStatus.SUPERSEDED for entry in stored),
            created_this_turn=self._created_this_turn,
        )

    def serialize(self) -> str:
        """Return everything known as JSON: entries, settings, and which messages were read."""
        entries, told = tuple(self._holdings.entries.values()), "".join(self._sightings.told)
        known = (self.task_id, entries, self.config, self._latest, self._created_this_turn, told)
        return write_snapshot(Snapshot(*known))

    @classmethod
    def deserialize(cls, text: str | bytes) -> ConversationMemory:
        """Restore what `serialize` returned; the messages it has read stay read. `SnapshotError` for anything else."""
        memory = cls("")
        memory._restore(read_snapshot(text))
        return memory

    def _proposed(self, new: Sequence[tuple[Message, Said, str]]) -> dict[Typed, list[Proposal]]:
        """What the extractor proposes of new typed texts; nothing of those that it fails on."""
        texts = [Typed(one.text, before) for _, said, before in new for one in said if isinstance(one, TypedSpan)]
        found: dict[Typed, list[Proposal]] = {}
        for request, about in requests_of(list(dict.fromkeys(texts))):
            try:
                proposals, dropped = read_answer(self.extractor(request) if self.extractor else "", about)
            except Exception as error:  # noqa: BLE001  # a plug-in may raise anything
                self.extraction_failures.append(redact(f"{type(error).__name__}: {error}")[:LONGEST_REASON])
                continue
            found |= dict(zip(about, proposals, strict=True))
            if dropped:
                self.extraction_failures.append(f"{dropped} proposals left out: they quote what nobody typed")
        return found

    def _notice(self, moment: float) -> None:
        if isfinite(moment) and moment > self._latest:
            self._latest = moment

    def _moment(self, message: Message, now: float | None) -> float:
        said = message.meta.timestamp
        if said is not None and isfinite(said):
            self._notice(said)
            return said
        return self._latest if now is None else now

    def _take(self, statement: Statement, moment: float) -> list[str]:
        if statement.candidate is None:
            return self._holdings.forget(statement.forget)
        candidate = self._holdings.resolved(statement.candidate, statement.value)
        return self._holdings.take(candidate, statement.source, moment, tentative=statement.tentative)

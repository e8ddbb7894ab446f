"""The entries of one conversation, consistent at all times: duplicates merged, contradictions linked.

The half of the engine that keeps; `memory.engine` is the half that reads conversations and answers questions.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from memory.consolidation.deduplicating import SAME_ANSWER, DuplicateIndex, answer_the_same, merged
from memory.consolidation.normalizing import read_wording
from memory.consolidation.partial_superseding import overtake, passed_on, unlinked
from memory.consolidation.superseding import (
    affirmed,
    is_forgetting,
    is_keeping,
    outdated_by,
    united,
    withdrawn_by,
)
from memory.entries import PROPOSED, MemoryEntry, MemoryStatus, MemoryType, Slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memory.config import SimilarityConfig
    from memory.consolidation.superseding import Retirement
    from memory.entries import Candidate, MemoryPriority, Source

_PENDING = MemoryStatus.PENDING
"""A member of an enumeration costs ten times what a name does."""


class Holdings:
    """The entries, with the indexes over the active ones.

    Attributes:
        entries: all entries by id, retired ones too, in order of appearance. Read only.
    """

    def __init__(self, task_id: str, config: SimilarityConfig, entries: Iterable[MemoryEntry] = ()) -> None:
        self.entries: dict[str, MemoryEntry] = {}
        self._task_id = task_id
        self._duplicates = DuplicateIndex(config)
        self._merges_answers = config.enable_semantic_similarity and config.threshold <= SAME_ANSWER
        self._answering: dict[str, dict[str, None]] = {}
        self._marked: dict[str, None] = {}
        for entry in entries:
            self._put(entry)

    def active(self) -> Iterator[MemoryEntry]:
        """Yield the entries that are neither superseded nor forgotten, in order of appearance."""
        return (entry for entry in self.entries.values() if entry.is_active)

    def take(
        self, candidate: Candidate, source: Source | None, moment: float, *, tentative: bool = False
    ) -> list[str]:
        """Take a statement in: retire what it takes back or answers anew, then merge it or keep it.

        The later answer to a question matters as much as the one it retires: it gets the higher priority of
        the two, or a critical answer would give way to one that ages.

        Args:
            candidate: the statement.
            source: where it was said, None where there is no message.
            moment: when, seconds since 1970 UTC; 0.0 where unknown.
            tentative: keep it only if it retires something.

        Returns:
            The ids of the entries that are new or changed, in order.
        """
        forgetting = bool(candidate.retracts) and is_forgetting(candidate.content)
        withdrawn = self._withdrawn(candidate, source, forgetting=forgetting) if candidate.retracts else ()
        if forgetting and not candidate.slots and not candidate.explicit:
            return self._retire(withdrawn, None)
        entry = self._draft(candidate, source, moment)
        outdated = outdated_by(entry, self._answers_to(entry)) if entry.slots else ()
        retired = united((*outdated, *withdrawn), self.entries) if outdated or withdrawn else {}
        if tentative and not retired:
            return []
        for step in retired.values():
            if step.whole:
                old = self.entries[step.entry_id].priority
                entry = replace(entry, priority=max(entry.priority, old, key=lambda p: p.rank))
        twin = self._twin(entry, retired)
        kept = merged(twin, entry, moment) if twin else entry
        self._put(kept)
        return [*self._retire(retired.values(), kept.id), kept.id] if retired else [kept.id]

    def resolved(self, candidate: Candidate, value: str) -> Candidate:
        """Let a bare number answer the one question that has a number for its answer.

        Where no such question is open, or several are, the candidate stays as it is.
        """
        if not value or candidate.slots:
            return candidate
        open_questions = [slot for entry in self.active() for slot in entry.slots if slot.value.isdecimal()]
        if len(open_questions) != 1:
            return candidate
        answer = Slot(open_questions[0].name, value)
        return candidate._replace(slots=(answer,), type=MemoryType.CONFIGURATION)

    def forget(self, what: str) -> list[str]:
        """Retire the entry with an id, or else the active ones that a text is about; return their ids."""
        known = self.entries.get(what)
        if known is not None:
            found = [known.id] if known.is_active else []
        else:
            key = read_wording(what).key
            found = [entry.id for entry in self.active() if read_wording(entry.content).key == key]
            if not found:
                steps = withdrawn_by((what,), self.active(), forgetting=True)
                return self._retire(steps, None)
        for entry_id in found:
            self._put(replace(self.entries[entry_id], status=MemoryStatus.FORGOTTEN))
            for marked in self._marked_entries():
                self._put(passed_on(marked, entry_id, None))
        return found

    def change(self, entry: MemoryEntry) -> None:
        """Put another state of a known entry in its place."""
        self._put(entry)

    def drop(self, ids: set[str]) -> None:
        """Remove entries for good, and the links to them."""
        for entry_id in ids:
            self._lift(entry_id)
            del self.entries[entry_id]
        for entry in list(self.entries.values()):
            links = tuple(linked for linked in entry.supersedes if linked not in ids)
            by = None if entry.superseded_by in ids else entry.superseded_by
            left = unlinked(entry, ids)
            if links != entry.supersedes or by != entry.superseded_by or left is not entry:
                self.entries[entry.id] = replace(left, supersedes=links, superseded_by=by)

    def _put(self, entry: MemoryEntry) -> None:
        if entry.id in self.entries:
            self._lift(entry.id)
        self.entries[entry.id] = entry
        if entry.is_active:
            self._duplicates.add(entry)
            for slot in entry.slots:
                self._answering.setdefault(slot.name, {})[entry.id] = None
            if entry.overtaken:
                self._marked[entry.id] = None

    def _lift(self, entry_id: str) -> None:
        """Take a known entry out of the indexes."""
        self._duplicates.remove(entry_id)
        for slot in self.entries[entry_id].slots:
            self._answering.get(slot.name, {}).pop(entry_id, None)
        self._marked.pop(entry_id, None)

    def _marked_entries(self) -> list[MemoryEntry]:
        """Return the active entries that later ones have overtaken in part."""
        return [self.entries[entry_id] for entry_id in self._marked]

    def _draft(self, candidate: Candidate, source: Source | None, moment: float) -> MemoryEntry:
        where = "" if source is None else f"{source.message}:{source.part}:{source.start}"
        content, slots = candidate.content, candidate.slots
        base = candidate.type + f"\x1f{content}\x1f{where}"
        name = base
        again = 0
        while (entry_id := _short_digest(name)) in self.entries:
            again += 1
            name = f"{base}\x1f{again}"
        answers = affirmed({slot.name: slot for slot in slots}.values(), content) if slots else ()
        return MemoryEntry(  # by position: by name it takes twice as long
            entry_id,
            self._task_id,
            candidate.type,
            candidate.priority,
            content,
            source,
            moment,
            moment,
            1,
            candidate.standing,
            candidate.tags,
            candidate.related_files,
            candidate.related_tech,
            answers,
            (),
            _PENDING,
            (),
            None,
            candidate.explicit,
            candidate.confidence,
        )

    def _withdrawn(
        self, candidate: Candidate, source: Source | None, *, forgetting: bool
    ) -> tuple[Retirement, ...]:
        if is_keeping(candidate.content):
            return ()
        earlier = (
            entry
            for entry in self.active()
            if (source is None or entry.source is None or entry.source.message != source.message)
            and entry.is_proposal >= (PROPOSED in candidate.tags)
        )
        return withdrawn_by(candidate.retracts, earlier, forgetting=forgetting)

    def _answers_to(self, entry: MemoryEntry) -> list[MemoryEntry]:
        """Return the active entries that answer one of an entry's questions; a proposal meets only proposals."""
        if not entry.slots:
            return []
        ids = dict.fromkeys(known for slot in entry.slots for known in self._answering.get(slot.name, ()))
        known = [self.entries[one] for one in ids]
        return [one for one in known if one.is_proposal] if entry.is_proposal else known

    def _twin(self, entry: MemoryEntry, retired: dict[str, Retirement]) -> MemoryEntry | None:
        """Return the active entry that says the same: the same answers, or the same words."""
        for known in self._answers_to(entry) if self._merges_answers else ():
            if known.id not in retired and answer_the_same(known, entry):
                return known
        found = self._duplicates.find(entry)
        return self.entries[found] if found is not None and found not in retired else None

    def _retire(self, steps: Iterable[Retirement], successor: str | None) -> list[str]:
        """Retire entries, whole or in some answers; link them, and what they had overtaken, with what replaces them."""
        changed: list[str] = []
        for step in steps:
            old = self.entries[step.entry_id]
            heir = None if successor is None else self.entries[successor]
            if not step.whole:
                self._put(overtake(old, step.slots, heir))
            elif heir is None:
                self._put(replace(old, status=MemoryStatus.FORGOTTEN, superseded_by=None))
            else:
                self._put(replace(old, status=MemoryStatus.SUPERSEDED, superseded_by=heir.id))
                self._put(replace(heir, supersedes=tuple(dict.fromkeys((*heir.supersedes, old.id)))))
                self._raise([mark.by for mark in old.overtaken], old.priority)
            changed.append(old.id)
            questions = None if step.whole else {slot.name for slot in step.slots}
            for marked in self._marked_entries():
                moved = passed_on(marked, old.id, heir, questions)
                if moved is not marked:
                    self._put(moved)
                    changed.append(moved.id)
        return changed

    def _raise(self, ids: Iterable[str | None], priority: MemoryPriority) -> None:
        """Let active entries matter at least as much as the one whose answers they took over."""
        for entry_id in ids:
            known = None if entry_id is None else self.entries.get(entry_id)
            if known is not None and known.is_active and known.priority.rank < priority.rank:
                self._put(replace(known, priority=priority))


def by_importance(entry: MemoryEntry) -> tuple[bool, int, int, float]:
    """Sort key, least important first: retired, then by priority, use and recency of the last access."""
    return entry.is_active, entry.priority.rank, entry.access_count, entry.last_accessed_at


def _short_digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

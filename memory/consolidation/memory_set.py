"""What a conversation memory holds: its entries, consistent at all times, and which messages have been read.

Messages are known by content and order, never by their place in a list: those of a list are matched in order against
those that were read, and what has no match is new. So a history that is sent again or shortened tells nothing new, but
a message that repeats earlier words after others were said does.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from memory.consolidation.affirming import affirmed, is_passing
from memory.consolidation.deduplicating import DuplicateIndex, merged, read_wording
from memory.consolidation.rendering import overtake, passed_on, relinked
from memory.consolidation.superseding import (
    answered_by,
    is_for_good,
    is_forgetting,
    is_keeping,
    laid_down,
    opposed_by,
    outdated_by,
    united,
    withdrawn_by,
)
from memory.conversation import Message
from memory.entries import ANSWERED, ASKED, PROPOSED, MemoryEntry, MemoryPriority, MemoryStatus, MemoryType, Slot
from memory.extraction import BARE, ORDER, in_place_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from memory.config import AgingConfig, SimilarityConfig
    from memory.consolidation.superseding import Retirement
    from memory.entries import Candidate, Source


def aged(entry: MemoryEntry, now: float, config: AgingConfig) -> MemoryEntry | None:
    """Return the entry as it reads at `now`: the same object where nothing changes, None if it has expired.

    High reads as medium after its half-life without access, as low after medium's on top of that, and expires after
    low's. Critical never ages, nor does anything while aging is off or a time is unknown (0.0 or less).
    """
    if entry.priority is MemoryPriority.CRITICAL or not config.enable_auto_aging:
        return entry
    if entry.last_accessed_at <= 0 or now <= 0:
        return entry
    idle = now - entry.last_accessed_at
    lives = (config.low_priority_half_life, config.medium_priority_half_life, config.high_priority_half_life)
    for priority in (MemoryPriority.HIGH, MemoryPriority.MEDIUM, MemoryPriority.LOW):
        if priority.rank <= entry.priority.rank:
            if idle <= lives[priority.rank]:
                return entry if priority is entry.priority else replace(entry, priority=priority)
            idle -= lives[priority.rank]
    return None


class Holdings:
    """The entries by id, retired ones too, in order of appearance, with an index over the active ones.

    `taken_back`: the terms, if to be forgotten, and when, of what a person took back that was not said here.
    """

    def __init__(self, task_id: str, config: SimilarityConfig, entries: Iterable[MemoryEntry] = ()) -> None:
        self.entries: dict[str, MemoryEntry] = {}
        self.taken_back: list[tuple[tuple[str, ...], bool, float]] = []
        self._task_id = task_id
        self._duplicates = DuplicateIndex(config)
        for entry in entries:
            self.put(entry)

    def active(self) -> Iterator[MemoryEntry]:
        """Yield the entries that are neither superseded nor forgotten, in order of appearance."""
        return (entry for entry in self.entries.values() if entry.is_active)

    def put(self, entry: MemoryEntry) -> None:
        """Keep an entry, in place of an earlier state of it."""
        self.entries[entry.id] = entry
        if entry.is_active:
            self._duplicates.add(entry)
        else:
            self._duplicates.remove(entry.id)

    def take(
        self, candidate: Candidate, source: Source | None, moment: float, *, tentative: bool = False
    ) -> list[str]:
        """Take a statement in: retire what it takes back or answers anew, then merge it or keep it.

        It gets at least the priority of the answers it retires. A `tentative` one is kept only if it retires something.
        Returns the ids of the entries that are new or changed, in order.
        """
        forgetting = bool(candidate.retracts) and is_forgetting(candidate.content)
        withdrawn = self._withdrawn(candidate, source, forgetting=forgetting) if candidate.retracts else ()
        if (
            candidate.retracts
            and not withdrawn
            and PROPOSED not in candidate.tags
            and is_for_good(candidate.content)
        ):
            self.taken_back.append((candidate.retracts, forgetting, moment))
        if (forgetting and not candidate.slots and not candidate.explicit) or ORDER in candidate.tags:
            return self._retire(withdrawn, None)
        return self.place(self._draft(candidate, source, moment), moment, withdrawn, tentative=tentative)

    def place(
        self,
        entry: MemoryEntry,
        moment: float,
        withdrawn: Iterable[Retirement] = (),
        *,
        tentative: bool = False,
        spared: Container[str] = (),
    ) -> list[str]:
        """Do the same with an entry, given what it takes back; it retires no `spared` ones. Its id comes last."""

        def replaceable(entries: Iterable[MemoryEntry]) -> Iterable[MemoryEntry]:
            return (e for e in entries if e.is_proposal >= entry.is_proposal and e.id not in spared)

        near = replaceable(self._duplicates.holding(laid_down(entry)))
        outdated = (
            *opposed_by(entry, near),
            *(answered_by(entry, replaceable(self.active())) if entry.is_answer else ()),
            *(outdated_by(entry, replaceable(self.active())) if entry.slots else ()),
        )
        retired = united((*outdated, *withdrawn), self.entries)
        if tentative and not retired and not self._is_open(entry.slots):
            return []
        changes = tentative or BARE in entry.tags
        for step in retired.values():
            if step.whole:
                old = self.entries[step.entry_id]
                rank = max(entry.priority, old.priority, key=lambda p: p.rank)
                entry = replace(entry, priority=rank, standing=entry.standing or (changes and old.standing))
        twin = self._duplicates.find(entry, retired)
        kept = entry if twin is None else merged(self.entries[twin], entry, moment)
        self.put(kept)
        return [*self._retire(retired.values(), kept.id), kept.id]

    def resolved(self, candidate: Candidate, value: str) -> Candidate:
        """Let a bare number answer the one question that has a number like it for its answer, if there is just one."""
        if not value or candidate.slots:
            return candidate
        asked = {slot.name: slot.value for entry in self.active() for slot in entry.slots}
        alike = [(name, whole) for name, old in asked.items() if (whole := in_place_of(old, value))]
        if len(alike) != 1:
            return candidate
        return candidate._replace(slots=(Slot(*alike[0]),), type=MemoryType.CONFIGURATION)

    def forget(self, what: str) -> list[str]:
        """Retire the entry with an id, or else the active ones that a text is about; return their ids."""
        known = self.entries.get(what)
        if known is not None:
            found = [known.id] if known.is_active else []
        else:
            key = read_wording(what).key
            found = [entry.id for entry in self.active() if read_wording(entry.content).key == key]
            if not found:
                return self._retire(withdrawn_by((what,), self.active(), forgetting=True), None)
        for entry_id in found:
            self.put(replace(self.entries[entry_id], status=MemoryStatus.FORGOTTEN))
            self.pass_on(entry_id, None)
        return found

    def drop(self, ids: set[str]) -> None:
        """Remove entries for good, and the links to them."""
        for entry_id in ids:
            self._duplicates.remove(entry_id)
            del self.entries[entry_id]
        self.entries = {name: relinked(entry, dict.fromkeys(ids)) for name, entry in self.entries.items()}

    def _is_open(self, slots: tuple[Slot, ...]) -> bool:
        """Tell whether an answer to one of the questions was taken back, and none has taken its place."""
        names = {slot.name for slot in slots}
        gone = {slot.name for entry in self.entries.values() if not entry.is_active for slot in entry.slots}
        return bool(names & gone - {slot.name for entry in self.active() for slot in entry.slots})

    def _draft(self, candidate: Candidate, source: Source | None, moment: float) -> MemoryEntry:
        where = "" if source is None else f"{source.message}:{source.part}:{source.start}"
        name = base = f"{candidate.type}\x1f{candidate.content}\x1f{where}"
        again = 0
        while (entry_id := _short_digest(name)) in self.entries:
            again += 1
            name = f"{base}\x1f{again}"
        return MemoryEntry(
            id=entry_id,
            task_id=self._task_id,
            type=candidate.type,
            priority=candidate.priority,
            content=candidate.content,
            source=source,
            created_at=moment,
            last_accessed_at=moment,
            standing=candidate.standing,
            tags=candidate.tags,
            related_files=candidate.related_files,
            related_tech=candidate.related_tech,
            slots=affirmed({slot.name: slot for slot in candidate.slots}.values(), _own(candidate)),
            explicit=candidate.explicit,
            confidence=candidate.confidence,
        )

    def _withdrawn(
        self, candidate: Candidate, source: Source | None, *, forgetting: bool
    ) -> tuple[Retirement, ...]:
        if is_keeping(candidate.content) or is_passing(candidate.content):
            return ()
        earlier = (
            entry
            for entry in self.active()
            if (source is None or entry.source is None or entry.source.message != source.message)
            and entry.is_proposal >= (PROPOSED in candidate.tags)
            and not (entry.standing and ORDER in candidate.tags)
        )
        return withdrawn_by(candidate.retracts, earlier, forgetting=forgetting or ORDER in candidate.tags)

    def _retire(self, steps: Iterable[Retirement], successor: str | None) -> list[str]:
        """Retire entries, whole or in some answers; link them, and what they had overtaken, with what replaces them."""
        changed: list[str] = []
        for step in steps:
            old = self.entries[step.entry_id]
            heir = None if successor is None else self.entries[successor]
            if not step.whole:
                self.put(overtake(old, step.slots, heir))
            elif heir is None:
                self.put(replace(old, status=MemoryStatus.FORGOTTEN, superseded_by=None))
            else:
                self.put(replace(old, status=MemoryStatus.SUPERSEDED, superseded_by=heir.id))
                self.put(replace(heir, supersedes=tuple(dict.fromkeys((*heir.supersedes, old.id)))))
                for mark in old.overtaken:  # what took over its answers matters at least as much as it did
                    taker = self.entries.get(mark.by or "")
                    if taker is not None and taker.is_active and taker.priority.rank < old.priority.rank:
                        self.put(replace(taker, priority=old.priority))
            changed += [old.id, *self.pass_on(old.id, heir, None if step.whole else step.slots)]
        return changed

    def pass_on(self, older: str, heir: MemoryEntry | None, slots: Iterable[Slot] | None = None) -> list[str]:
        """Let the marks that name a retired entry name its heir; return the ids of the entries that have them."""
        questions = None if slots is None else {slot.name for slot in slots}
        moved = [passed_on(entry, older, heir, questions) for entry in self.active() if entry.overtaken]
        moved = [entry for entry in moved if entry is not self.entries[entry.id]]
        for entry in moved:
            self.put(entry)
        return [entry.id for entry in moved]


def _own(candidate: Candidate) -> str:
    """The words of a candidate without the agent's question."""
    return candidate.content.rpartition(ANSWERED)[2] if ASKED in candidate.tags else candidate.content


def _short_digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


NAME_LENGTH = 16  # characters of a digest that name a message: a collision in about 10^9


def name_of(message: Message) -> str | None:
    """Return the short name of a message; None where its content can't be named (cyclic, absurdly deep)."""
    try:
        return message.digest[:NAME_LENGTH]
    except (ValueError, TypeError, RecursionError):
        return None


class Sightings:
    """The messages read so far. A list is read by `open`, `is_new` for each message in order, `close`.

    `told` are short names of the messages in which a person or a memory tool call said something, in order.
    """

    def __init__(self, told: Iterable[str] = ()) -> None:
        self.told = list(told)
        self._others: set[str] = set()
        self._latest: list[tuple[object, str]] = []  # the latest list; names of what told something
        self._cursor = -1
        self._added: list[tuple[int, str]] = []
        self._telling: dict[int, str] = {}

    def open(self, values: Sequence[object]) -> int:
        """Begin to read a list; return how much of its head is the same as in the latest list.

        Of an object that was changed in place, new values and a `content` of another length are seen; deeper changes
        aren't.
        """
        self._cursor, self._added, self._telling = -1, [], {}
        start = 0
        for (old, name), value in zip(self._latest, values, strict=False):
            if not _same(_raw(value), old):
                break
            start += 1
            place = self._place_of(name) if name else None
            self._cursor = self._cursor if place is None else place
        return start

    def is_new(self, at: int, name: str, *, telling: bool) -> bool:
        """Tell whether the message at an index of the list is new; `telling` ones hold what memories are made from."""
        if not telling:
            new = name not in self._others
            self._others.add(name)
            return new
        self._telling[at] = name
        place = self._place_of(name)
        if place is None:
            self._added.append((self._cursor, name))
            return True
        self._cursor = place
        return False

    def close(self, values: Sequence[object], start: int) -> None:
        """Keep what was read of a list from `start` on; without it the list counts as never seen."""
        told: list[str] = []
        at = 0
        for after, name in self._added:
            told += [*self.told[at : after + 1], name]
            at = after + 1
        self.told = told + self.told[at:]
        fresh = enumerate(values[start:], start)
        self._latest[start:] = [(_kept(_raw(value)), self._telling.get(at, "")) for at, value in fresh]

    def _place_of(self, name: str) -> int | None:
        try:
            return self.told.index(name, self._cursor + 1)
        except ValueError:
            return None


def _raw(value: object) -> object:
    return value.raw if isinstance(value, Message) else value


def _kept(raw: object) -> object:
    """A shallow copy of a message: equal to it as long as nothing of it is replaced, added or removed."""
    if type(raw) is not dict:
        return raw
    content: object = raw.get("content")
    return {**raw, "content": [*content]} if type(content) is list else {**raw}


def _same(new: object, old: object) -> bool:
    try:
        return type(new) is type(old) and bool(new == old)
    except (ValueError, TypeError, RecursionError):
        return False

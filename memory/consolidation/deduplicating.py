"""Which memories say the same: Jaccard near-duplicates, found through an index, and what merging keeps.

The measure and its threshold are the documented ones of the original (Jaccard over words, 0.75, within a
type), with CJK text counted in character bigrams. On top of it stands a guard, because two rules that differ
in one word are mostly two rules ("use port 3001" / "use port 4000", "never edit a.py" / "never edit b.py",
"answer in English" / "answer in Chinese"): the longer wording must say all that the shorter one says, in the
same order, with as many negations, and what it adds must not restrict it ("... in tests", "... unless").

Because of that guard a duplicate is always a superset or a subset, and the index looks up just those: every
entry is listed under each of its words (who could hold me?) and signs one rare word (whom do I hold?).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from memory.consolidation.normalizing import is_qualified, lacks, left_over, read_wording, stands_together
from memory.consolidation.partial_superseding import answers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory.config import SimilarityConfig
    from memory.consolidation.normalizing import Wording
    from memory.entries import MemoryEntry, Slot

_Listed = dict[str, dict[str, None]]
"""Ids of entries, oldest first, by a word or a wording."""

CONTAINED_ALLOWANCE = 0.1
"""What a wording that stands in the other without a gap may lack of the threshold (chosen: one more noun at
the end of a short rule, 必须使用 PostgreSQL / 必须使用 PostgreSQL 数据库, is 0.67)."""

SAME_ANSWER = 0.8
"""How similar two memories count that give the same answers and say nothing else (chosen: above the default
threshold, below that of people who want near-duplicates kept apart)."""

AT_A_GLANCE = 8
"""Entries that are told from a new one by a glance at both, before any is listed (chosen: about the price of reading
one)."""

MAX_SCANNED = 256
"""Entries looked at under one word, newest first (chosen): bounds the cost where all share their words."""

_SETTING = "use using used set change changed switch run go with for 使 用 改 为 成 换 设 置 定 采 是 到"
_SETTING_WORDS = frozenset(_SETTING.split())
"""Words that only say that a slot has its value."""


def similarity(one: Wording, other: Wording) -> float:
    """Return the Jaccard similarity of two wordings, 0 to 1: shared tokens over all tokens."""
    shared = len(one.tokens & other.tokens)
    total = len(one.tokens) + len(other.tokens) - shared
    return shared / total if total else float(one.key == other.key)


def says_the_same(one: Wording, other: Wording, threshold: float) -> bool:
    """Tell whether the longer of two wordings says all that the shorter says, and is similar enough."""
    if one.key == other.key:
        return True
    if one.negations != other.negations:
        return False
    short, long = sorted((one, other), key=lambda wording: len(wording.units))
    extra = left_over(short.units, long.units)
    if extra is None or is_qualified(extra):
        return False
    score = similarity(short, long)
    if score >= threshold:
        return True
    return score >= threshold - CONTAINED_ALLOWANCE and stands_together(short.units, long.units)


def _items_agree(one: MemoryEntry, other: MemoryEntry, threshold: float) -> bool:
    """Tell whether two entries say the same without the heads they stand under, which may be most of their words."""
    (over, item), (above, thing) = one.parts, other.parts
    if bool(over) != bool(above):
        return read_wording(one.content).key == read_wording(other.content).key
    return not over or says_the_same(read_wording(item), read_wording(thing), threshold)


def answers_agree(one: tuple[Slot, ...], other: tuple[Slot, ...]) -> bool:
    """Tell whether no slot that both have is answered differently."""
    known = {slot.name: slot.value for slot in one}
    return all(known.get(slot.name, slot.value) == slot.value for slot in other)


def answer_the_same(one: MemoryEntry, other: MemoryEntry) -> bool:
    """Tell whether two entries give the same slots the same values and the shorter says nothing else."""
    if not one.slots or frozenset(answers_of(one)) != frozenset(answers_of(other)):
        return False
    first, second = read_wording(one.content), read_wording(other.content)
    if first.negations != second.negations:
        return False
    short, long = sorted((first, second), key=lambda wording: len(wording.units))
    stated = {
        unit for slot in one.slots for text in (slot.name, slot.value) for unit in read_wording(text).bag
    }
    return all(unit in stated or unit in _SETTING_WORDS or unit in long.bag for unit in short.units)


def merged(existing: MemoryEntry, incoming: MemoryEntry, now: float) -> MemoryEntry:
    """Return the one memory that two duplicates become. It keeps the id, type and state of `existing`.

    Where one is a person's and the other the agent's proposal, all else is as the person said it. Otherwise:
    An answer that had been overtaken and is given again is in force again. The higher priority, the longer wording
    with its source (the existing one's on a tie), everything both are tagged with; the access is counted, and
    `last_accessed_at` is `now` where that is later.
    """
    if existing.is_proposal != incoming.is_proposal:
        said = incoming if existing.is_proposal else existing
        return replace(
            said,
            id=existing.id,
            status=existing.status,
            supersedes=existing.supersedes,
            last_accessed_at=max(existing.last_accessed_at, now),
            access_count=existing.access_count + 1,
        )
    longer = max(existing, incoming, key=_detail)
    slots = tuple(dict.fromkeys((*existing.slots, *incoming.slots)))
    return replace(
        existing,
        content=longer.content,
        source=longer.source,
        priority=max(existing.priority, incoming.priority, key=lambda priority: priority.rank),
        standing=existing.standing or incoming.standing,
        explicit=existing.explicit or incoming.explicit,
        confidence=max(existing.confidence, incoming.confidence),
        tags=tuple(sorted({*existing.tags, *incoming.tags})),
        related_files=_union(existing.related_files, incoming.related_files),
        related_tech=_union(existing.related_tech, incoming.related_tech),
        slots=slots,
        overtaken=tuple(mark for mark in existing.overtaken if mark.slot not in slots),
        last_accessed_at=max(existing.last_accessed_at, now),
        access_count=existing.access_count + 1,
    )


def _detail(entry: MemoryEntry) -> tuple[int, int]:
    return len(read_wording(entry.content).units), len(entry.content)


def _union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))


class DuplicateIndex:
    """The entries that a new one may duplicate, found by their words instead of one by one.

    Adding, removing and looking up cost about the number of words of the one text, plus at most
    `MAX_SCANNED` comparisons of word sets for each word.
    """

    def __init__(self, config: SimilarityConfig) -> None:
        self._config = config
        self._entries: dict[str, tuple[MemoryEntry, Wording, str]] = {}
        self._waiting: dict[str, MemoryEntry] = {}
        self._serials: dict[str, int] = {}
        self._by_key: dict[str, dict[str, None]] = {}
        self._holders: dict[str, _Listed] = {}
        self._signers: dict[str, _Listed] = {}

    def __len__(self) -> int:
        """Return the number of entries in the index."""
        return len(self._entries) + len(self._waiting)

    def add(self, entry: MemoryEntry) -> None:
        """Take an entry in, in place of an earlier state of it; it is read when the next one is compared with it."""
        if entry.id in self._waiting or entry.id in self._entries:
            self.remove(entry.id)
        self._waiting[entry.id] = entry

    def _read(self) -> None:
        """List the entries that wait, in the order they came."""
        for entry in self._waiting.values():
            self._list(entry)
        self._waiting.clear()

    def _list(self, entry: MemoryEntry) -> None:
        """List an entry under its words."""
        wording, entry_id = read_wording(entry.content), entry.id
        holders = self._holders.setdefault(entry.type, {})
        signature = _rarest(wording.bag, holders) if wording.bag else ""
        self._entries[entry_id] = (entry, wording, signature)
        self._serials.setdefault(entry_id, len(self._serials))
        self._by_key.setdefault(wording.key, {})[entry_id] = None
        for unit in wording.bag:
            if unit in holders:
                holders[unit][entry_id] = None
            else:
                holders[unit] = {entry_id: None}
        self._signers.setdefault(entry.type, {}).setdefault(signature, {})[entry_id] = None

    def remove(self, entry_id: str) -> None:
        """Take an entry out; one that is not there is no error."""
        if entry_id in self._waiting:
            self._read()
        known = self._entries.pop(entry_id, None)
        if known is None:
            return
        entry, wording, signature = known
        _discard(self._by_key, wording.key, entry_id)
        for unit in wording.bag:
            _discard(self._holders[entry.type], unit, entry_id)
        _discard(self._signers[entry.type], signature, entry_id)

    def find(self, entry: MemoryEntry) -> str | None:
        """Return the id of the entry that says what this one says; the most similar, then the oldest.

        Equal wordings are found whatever their type, similar ones within the type.
        """
        if self._differs_plainly(entry):
            return None
        self._read()
        wording = read_wording(entry.content)
        for known_id in self._by_key.get(wording.key, ()):
            if answers_agree(answers_of(self._entries[known_id][0]), answers_of(entry)):
                return known_id
        if not self._config.enable_semantic_similarity:
            return None
        found: list[tuple[float, int, str]] = []
        for known_id in dict.fromkeys(self._related(entry, wording)):
            known, other, _ = self._entries[known_id]
            if (
                answers_agree(answers_of(known), answers_of(entry))
                and says_the_same(wording, other, self._config.threshold)
                and _items_agree(known, entry, self._config.threshold)
            ):
                found.append((-similarity(wording, other), self._serials[known_id], known_id))
        return min(found)[2] if found else None

    def _differs_plainly(self, entry: MemoryEntry) -> bool:
        """Tell whether there are only a few entries, and each differs from this one at a glance.

        What lacks words of this one and has words that this one lacks is no duplicate; of another type, either will do.
        """
        if self._entries or len(self._waiting) > AT_A_GLANCE:
            return False
        new, kind = entry.content, entry.type
        for known in self._waiting.values():
            old = known.content
            if lacks(old, new):
                if known.type is kind and not lacks(new, old):
                    return False
            elif known.type is kind or not lacks(new, old):
                return False
        return True

    def _related(self, entry: MemoryEntry, wording: Wording) -> Iterator[str]:
        """Yield the ids of entries whose words are a superset or a subset of these."""
        bag = wording.bag
        if not bag:
            return
        least = self._config.threshold - CONTAINED_ALLOWANCE  # two texts can't be more alike than in length
        holders = self._holders.get(entry.type, {})
        if bag <= holders.keys():
            for known_id in islice(reversed(holders[_rarest(bag, holders)]), MAX_SCANNED):
                other = self._entries[known_id][1]
                if bag <= other.bag and len(wording.tokens) >= least * len(other.tokens):
                    yield known_id
        signers = self._signers.get(entry.type, {})
        for unit in signers.keys() & bag:
            for known_id in islice(reversed(signers[unit]), MAX_SCANNED):
                other = self._entries[known_id][1]
                if other.bag <= bag and len(other.tokens) >= least * len(wording.tokens):
                    yield known_id


def _rarest(bag: frozenset[str], holders: _Listed) -> str:
    """The word with the fewest holders, then the longest, then by name: the choice never depends on set order."""
    unknown = bag.difference(holders) if holders else bag
    if not unknown:
        return min(bag, key=lambda unit: (len(holders[unit]), -len(unit), unit))
    longest = max(map(len, unknown))
    return min([unit for unit in unknown if len(unit) == longest])


def _discard(lists: _Listed, name: str, entry_id: str) -> None:
    held = lists.get(name)
    if held is not None:
        held.pop(entry_id, None)
        if not held:
            del lists[name]

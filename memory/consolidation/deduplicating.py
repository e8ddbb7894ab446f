"""Which memories say the same: how a text reads when only its meaning counts, near-duplicates, what merging keeps.

Words count as they are (plural "s" and case aside), runs of Chinese and Japanese as character bigrams; paths, flags,
identifiers, numbers stay whole. Similarity is Jaccard's, but two rules that differ in one word are mostly two ("use
port 3001" / "use port 4000"), so the longer wording must say all that the shorter one says, in order, with as many
negations, and add nothing that restricts it ("in tests", "unless"); what always, or never, holds is said of all that it
names, and of nothing less or more ("never delete users", "never delete user sessions").
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

from memory.consolidation.rendering import answers_of
from memory.entries import MemoryType

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator

    from memory.config import SimilarityConfig
    from memory.entries import MemoryEntry

_CJK = "\u3005\u3007\u3040-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_PIECES = re.compile(rf"([{_CJK}]+)|([^\s{_CJK}]+)")
_TERM = re.compile(
    r"(?:--?(?=[^\W\d_])|(?:~|\.{1,2})?/\.?|[@$]|(?<!\.)\.)?\w+(?:[-./\\@:#+%&=~'’*]{1,3}\w+){0,60}(?:\+\+|#(?!\w))?"
)
_STOPS = ".,:;!?\"'`)]}>*，。、；：！？）」』”"  # what may stand behind a term without being part of it
_PLAIN_WORD = re.compile(r"[^\W\d_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
MAX_READ = 4000  # characters of a text that are compared (chosen: a memory is a clause)
_NEGATION_WORDS = """
not no never don't dont doesn't doesnt didn't won't wont can't cant cannot mustn't shouldn't isn't aren't
without avoid stop nor none neither nothing forbid forbidden
не нет никогда нельзя без ni nunca jamas sin nao sem jamais ne pas sans nicht kein keine nie niemals ohne
"""
NEGATIONS = frozenset(_NEGATION_WORDS.split())
_CJK_NEGATION = re.compile(
    "(?P<must>[不非]得不|不能不|必不可少)|不要|不能|不可以?|不许|不准|不得|不该|不应该?|不用|不必|不再|不"
    "|(?<![特分类级识区性个判告])别(?![的人处名墅])|勿|禁止|避免|没有?|无需|无须|切莫|莫|ません|ない|しなく|せず|ぬ"
)
_FILLER_WORDS = """
a an the please pls plz kindly just also then so very really be is are was were am been will shall would
should must need needs needed require required has have had do does did always ensure sure remember note
important critical that this these those it its it's we you i our your my us me of to and let's lets ok
okay well
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
_CJK_FILLERS = re.compile(
    "必须|一定要|一定|务必|需要|应该|应当|记住|注意|重要|关键|我们|咱们|你们|这个|那个|ください|です|ます"
    "|[请要的了吧啊呢哦呀嘛你您我把将会也都就得をはが]"
)
_QUALIFYING_WORDS = """
in on at for from with within inside under over during before after until till while when whenever where if
unless except excluding including only but by via or than instead against between outside through per as like
may might can could maybe sometimes usually temporarily first last
"""
QUALIFIERS = frozenset(_QUALIFYING_WORDS.split())
_CJK_QUALIFIER = re.compile("[除非仅只若当时但前后内外在对于给里中或可比每暂先如]")


_UNIVERSAL = frozenset(
    "always alway only every each all any everything siempre sempre immer toujours nur всегда".split()
)
_CJK_UNIVERSAL = re.compile("总是|始终|一律|所有|每[个次]?|全部|任何|都|只|必ず|常に")
_EMPHASIS = frozenset("ever again either anymore absolutely already still now 再 也 又 绝 千 万 直 接".split())
"""Words that say of how much something holds, and those that add nothing to it."""


class Wording(NamedTuple):
    """One text, read for comparison.

    `units` is what it says in order: words without fillers and modality, single CJK characters; `bag` the same as a
    set. Texts with different numbers of `negations` never say the same. `key` is equal for texts that differ only in
    fillers, case, blanks and punctuation. `tokens` (words and CJK bigrams) is what similarity counts; `universal` ones
    hold always, or for all of something.
    """

    units: tuple[str, ...]
    bag: frozenset[str]
    negations: int
    key: str
    tokens: frozenset[str]
    universal: bool


@lru_cache(maxsize=2048)
def read_wording(text: str) -> Wording:
    """Read a text for comparison. Linear in its length; only the first `MAX_READ` characters are compared."""
    units: list[str] = []
    tokens: list[str] = []
    negations = 0
    for cjk, piece in _PIECES.findall(text[:MAX_READ]):
        if cjk:
            negations += sum(not match["must"] for match in _CJK_NEGATION.finditer(cjk))
            tokens += [cjk[at : at + 2] for at in range(len(cjk) - 1)] or [cjk]
            units += _CJK_FILLERS.sub("", cjk)
        else:
            words = [plain_form(term) for term in _TERM.findall(piece.rstrip(_STOPS))]
            negations += sum(word in NEGATIONS for word in words)
            tokens += words
            units += [word for word in words if word not in _FILLERS]
    said = tuple(units or tokens)
    key = "\x1f".join(said) if said else " ".join(text.split())
    if len(text) > MAX_READ:
        key += "\x1f" + text[MAX_READ:]
    universal = not _UNIVERSAL.isdisjoint(tokens) or _CJK_UNIVERSAL.search(text[:MAX_READ]) is not None
    return Wording(said, frozenset(said), negations, key, frozenset(tokens), universal)


def plain_form(term: str) -> str:
    """Lower case, no accents, straight apostrophe; a plain word without its plural or third-person "s"."""
    word = term.lower() if term.isascii() else term.casefold().replace("’", "'")
    if not word.isascii():
        word = _ACCENTS.sub("", normalize("NFKD", word))
    if word in NEGATIONS:
        return word
    if word[-1:] == "s" and len(word) > 3 and word[-2] not in "sui'" and _PLAIN_WORD.fullmatch(word):  # noqa: PLR2004  # "is", "gas", "class", "status", "axis" keep theirs
        return word[:-1]
    return word


def is_qualified(units: tuple[str, ...]) -> bool:
    """Tell whether these words restrict what they are added to ("in tests", "unless", "只", "之前", ...)."""
    return any(unit in QUALIFIERS or unit in NEGATIONS or _CJK_QUALIFIER.match(unit) is not None for unit in units)


def left_over(short: tuple[str, ...], long: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return what `long` says beyond `short`, in order; None where `long` lacks part of it or its order."""
    extra: list[str] = []
    at = 0
    for unit in long:
        if at < len(short) and unit == short[at]:
            at += 1
        else:
            extra.append(unit)
    return tuple(extra) if at == len(short) else None


CONTAINED_ALLOWANCE = 0.1
"""What a wording that stands in the other without a gap may lack of the threshold (chosen: one more noun)."""
SAME_ANSWER = 0.8  # how similar two memories count that give the same answers and say nothing else (chosen)
MAX_SCANNED = 256
"""Entries looked at under one word, newest first (chosen): bounds the cost where all share their words."""
_SETTING = frozenset(
    "use using used set change changed switch run go with for 使 用 改 为 成 换 设 置 定 采 是 到".split()
)
"""Words that only say that a slot has its value."""


def similarity(one: Wording, other: Wording) -> float:
    """Return the Jaccard similarity of two wordings, 0 to 1: shared tokens over all tokens."""
    total = len(one.tokens | other.tokens)
    return len(one.tokens & other.tokens) / total if total else float(one.key == other.key)


def says_the_same(one: Wording, other: Wording, threshold: float) -> bool:
    """Tell whether the longer of two wordings says all that the shorter says, and is similar enough."""
    if one.key == other.key:
        return True
    short, long = sorted((one, other), key=lambda wording: len(wording.units))
    extra = left_over(short.units, long.units)
    if one.negations != other.negations or extra is None or is_qualified(extra):
        return False
    if extra and (one.negations or one.universal or other.universal) and not _EMPHASIS.issuperset(extra):
        return False
    width = len(short.units)
    together = any(long.units[at : at + width] == short.units for at in range(len(extra) + 1))
    return similarity(short, long) >= threshold - CONTAINED_ALLOWANCE * together


def _items_agree(one: MemoryEntry, other: MemoryEntry, threshold: float) -> bool:
    """Do two entries say the same without the heads they stand under, which may be most of their words?"""
    (over, item), (above, thing) = one.parts, other.parts
    if bool(over) != bool(above):
        return read_wording(one.content).key == read_wording(other.content).key
    return not over or says_the_same(read_wording(item), read_wording(thing), threshold)


def _answers_agree(one: MemoryEntry, other: MemoryEntry) -> bool:
    known = {slot.name: slot.value for slot in answers_of(one)}
    return all(known.get(slot.name, slot.value) == slot.value for slot in answers_of(other))


def _answer_the_same(one: MemoryEntry, other: MemoryEntry) -> bool:
    first, second = read_wording(one.content), read_wording(other.content)
    short, long = sorted((first, second), key=lambda wording: len(wording.units))
    stated = [read_wording(text).bag for slot in one.slots for text in (slot.name, slot.value)]
    return first.negations == second.negations and short.bag <= long.bag.union(_SETTING, *stated)


def merged(existing: MemoryEntry, incoming: MemoryEntry, now: float) -> MemoryEntry:
    """Return the one memory that two duplicates become. It keeps the id, type and state of `existing`.

    A person's words win over the agent's proposal. Otherwise: the higher priority, the longer wording with its source,
    everything both are tagged with; restating a superseded answer reinstates it. The access is counted at `now`.
    """
    used: dict[str, Any] = {
        "last_accessed_at": max(existing.last_accessed_at, now),
        "access_count": existing.access_count + 1,
    }
    if existing.is_proposal != incoming.is_proposal:
        said = incoming if existing.is_proposal else existing
        return replace(said, id=existing.id, status=existing.status, supersedes=existing.supersedes, **used)
    longer = max(existing, incoming, key=lambda e: (len(read_wording(e.content).units), len(e.content)))
    slots = _union(existing.slots, incoming.slots)
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
        **used,
    )


def _union(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys((*one, *other)))


class DuplicateIndex:
    """The entries that a new one may duplicate, found by their words instead of one by one.

    A duplicate's words are a superset or a subset of the new one's. So every entry is listed under each of its words
    (who could hold me?) and as rare under one rare word (whom do I hold?).
    """

    def __init__(self, config: SimilarityConfig, entries: Iterable[MemoryEntry] = ()) -> None:
        self._config = config
        self._entries: dict[str, tuple[MemoryEntry, Wording, list[tuple[object, ...]]]] = {}
        self._serials: dict[str, int] = {}
        self._lists: dict[tuple[object, ...], dict[str, None]] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: MemoryEntry) -> None:
        """Take an entry in, in place of an earlier state of it."""
        self.remove(entry.id)
        wording = read_wording(entry.content)
        listed: list[tuple[object, ...]] = [("says", wording.key)]
        if entry.slots:
            listed.append(("answers", frozenset(answers_of(entry))))
        if wording.bag:
            listed.append(("rare", entry.type, self._rarest(entry, wording)))
        listed += [("holds", entry.type, unit) for unit in wording.bag]
        for name in listed:
            self._lists.setdefault(name, {})[entry.id] = None
        self._entries[entry.id] = (entry, wording, listed)
        self._serials.setdefault(entry.id, len(self._serials))

    def remove(self, entry_id: str) -> None:
        """Take an entry out; one that is not there is no error."""
        _, _, listed = self._entries.pop(entry_id, (None, None, ()))
        for name in listed:
            del self._lists[name][entry_id]
            if not self._lists[name]:
                del self._lists[name]

    def find(self, entry: MemoryEntry, besides: Container[str] = ()) -> str | None:
        """Return the id of the entry, not in `besides`, that says what this does; the most similar, then the oldest.

        Equal answers and equal wordings are found whatever their type, similar ones within the type.
        """
        wording, similar = read_wording(entry.content), self._config.enable_semantic_similarity
        if entry.slots and similar and self._config.threshold <= SAME_ANSWER:
            for known_id in self._lists.get(("answers", frozenset(answers_of(entry))), ()):
                if known_id not in besides and _answer_the_same(self._entries[known_id][0], entry):
                    return known_id
        for known_id in self._lists.get(("says", wording.key), ()):
            if known_id not in besides and _answers_agree(self._entries[known_id][0], entry):
                return known_id
        found: list[tuple[float, int, str]] = []
        for known_id in dict.fromkeys(self._related(entry, wording)) if similar else ():
            known, other, _ = self._entries[known_id]
            if (
                known_id not in besides
                and _answers_agree(known, entry)
                and says_the_same(wording, other, self._config.threshold)
                and _items_agree(known, entry, self._config.threshold)
            ):
                found.append((-similarity(wording, other), self._serials[known_id], known_id))
        return min(found)[2] if found else None

    def holding(self, units: Collection[str]) -> list[MemoryEntry]:
        """Return the newest entries of any type that hold the rarest of some units."""
        found = [[self._lists.get(("holds", kind, unit), {}) for kind in MemoryType] for unit in units]
        rarest = min(found, key=lambda lists: sum(map(len, lists)), default=[])
        return [self._entries[name][0] for one in rarest for name in islice(reversed(one), MAX_SCANNED)]

    def near(self, entry: MemoryEntry) -> Iterator[str]:
        """Yield the ids of all entries that may say what this does, some of them twice; `find` looks closer."""
        wording = read_wording(entry.content)
        yield from self._lists.get(("answers", frozenset(answers_of(entry))), ())
        yield from self._lists.get(("says", wording.key), ())
        yield from self._related(entry, wording)

    def _related(self, entry: MemoryEntry, wording: Wording) -> Iterator[str]:
        least = self._config.threshold - CONTAINED_ALLOWANCE  # two texts can't be more alike than in length
        bag, size = wording.bag, len(wording.tokens)
        holding = ("holds", entry.type, self._rarest(entry, wording)) if bag else ()
        for known_id in islice(reversed(self._lists.get(holding, {})), MAX_SCANNED):
            other = self._entries[known_id][1]
            if bag <= other.bag and size >= least * len(other.tokens):
                yield known_id
        for unit in bag:
            for known_id in islice(reversed(self._lists.get(("rare", entry.type, unit), {})), MAX_SCANNED):
                other = self._entries[known_id][1]
                if other.bag <= bag and len(other.tokens) >= least * size:
                    yield known_id

    def _rarest(self, entry: MemoryEntry, wording: Wording) -> str:
        lists, kind = self._lists, entry.type
        return min(wording.bag, key=lambda unit: (len(lists.get(("holds", kind, unit), ())), -len(unit), unit))

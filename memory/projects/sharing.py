"""How what was said in one task meets what its project knows: new, said again, or contradicted; a person's verdicts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from memory.consolidation import (
    DuplicateIndex,
    Holdings,
    is_bounded,
    is_passing,
    lifted,
    outdated_by,
    overtake,
    passed_on,
    relinked,
    withdrawn_by,
    without_entry,
)
from memory.entries import (
    ACTIVE,
    MemoryFilter,
    MemoryPriority,
    MemoryScope,
    MemoryStatus,
    MemoryType,
    Sighting,
    StoredMemory,
)
from memory.extraction import explicit_candidate, extract_candidates, retracted_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memory.config import SimilarityConfig
    from memory.entries import MemoryEntry, ProjectStore

MOST_SIGHTINGS: Final = 20
MOST_ALIKE: Final = 40
"""Times of having been said again that are listed; known memories that a new one is held against (chosen)."""
SURE, SURE_FACT, CROWD = 0.75, 0.85, 3
"""Confidence from which what names its value is persisted unasked (of 15 labelled by hand 13 are standing), and from
which a fact or setting without one is shared (39 of 55; of all others that were shared 31 of 83); memories beside it
from which a rule is one of many bounds of its request (of those none in five is standing)."""
MET: Final = (*ACTIVE, MemoryStatus.FORGOTTEN)
"""States in which a memory meets a new one."""
DISMISSED: Final = "dismissed"  # tag: saying it again in passing does not bring it back
_RULES: Final = (MemoryType.USER_INSTRUCTION, MemoryType.CONFIGURATION, MemoryType.WORKFLOW_PATTERN)
_LEAST: Final = {
    MemoryType.PROJECT_CONTEXT: SURE_FACT,
    MemoryType.CONFIGURATION: SURE_FACT,
    MemoryType.TECHNICAL_DECISION: 1.0,
}
"""Confidence from which a memory without a value is shared, where it is not `SURE`."""
_ALWAYS: Final = re.compile(
    r"\b(?:always|never|whenever|(?:every ?|each )time(?! it)|from now on|in future|at all times"
    r"|under no circumstances|no matter what|convention|as a rule)\b"
    r"|总是|始终|永远|从不|绝不|每次|以后|今后|从现在起|一律|统一|任何时候|规范|必ず|常に|今後|всегда|никогда",
    re.IGNORECASE | re.ASCII,
)
_PASSING: Final = re.compile(  # a piece, what holds for the moment, an option, a blank to be filled in
    r"(?i)^\W{0,3}(?:or|because|and(?= \W)|but(?= it)|not the|it['’]s)\b|^[-–]\w|^[^\"]*\"[^\"]*$|\byet\W{0,3}$"
    r"|\b(?:right now|(?:at|for) the moment|while i|noch nicht|todavía)\b|今は|先[别別不用]|^/\S{1,200}:\s"
    r"|<(?:path|name|value|url|id|your [\w -]{2,20})>|^\W{0,3}(?:(?:wait|hold on|пока не)\b|stop[,.!])"
    r"|^\W{0,3}(?:但是?|或者?|并且|而且|特别是)"
    r"|^\W{0,3}i (?:just (?:want|need) to|get|see)\b|^[\w &/-]{2,40}: (?:how|what|which|where|why|list|describe)\b"
    r"|^\W{0,3}(?:option|variant|plan|方案|选项) ?\w{1,2} ?[:：.)]|^\W{0,3}(?:don['’]t|do not) (?!use).{1,40} now\W?$"
    r"|\b(?:change|touch|edit|fix|delete) (?:this|that)(?: \w+)?\W?$"
)
_HAPPENED: Final = re.compile(  # tells what happened, "always" and "never" too
    r"(?i)^\W{0,3}(?:(?:but|and|so|now|when)\s)?i (?:(?:never|just|still)\s)?(?:tried|got|saw|ran)\b"
    r"|(?:てしま|ちゃ)[うい]\w{0,6}\W{0,3}$"
)
_ONCE: Final = re.compile(r"(?i)\W{0,3}(?:please )?(?:yes|extract|create|write|generate|analy[sz]e)\b")
_DECIDED: Final = re.compile(
    r"(?i)\b(?:we|i)(?:'ve| have)? (?:decided|agreed)\b|(?:我们|咱们|我)(?:已经?)?(?:决定|约定|说好|商定)"
)


@dataclass(frozen=True, slots=True)
class Saved:
    """What one memory, or saving a task, did to its project.

    `new` memories are persisted where `is_sure` says so, else pending; `strengthened` are known ones that were
    said again; `superseded` ids of those that no longer hold; `changed` all to keep, in place of their earlier states.
    """

    new: tuple[StoredMemory, ...] = ()
    strengthened: tuple[StoredMemory, ...] = ()
    superseded: tuple[str, ...] = ()
    changed: tuple[StoredMemory, ...] = field(default=(), repr=False)


def is_shared(entry: MemoryEntry, beside: int = 0) -> bool:
    """Tell whether a memory goes beyond its task: an explicit wish, a proposal, or surely a rule, decision or setting.

    A rule is standing where extraction or its words say so ("always", 每次), or critical with few others `beside` it in
    its message: in a long request it is a bound of that request. Errors, facts about the task and one-off instructions
    are the task's own.
    """
    if entry.explicit or entry.is_proposal or not entry.is_active:
        return entry.is_active
    lasting = bool(_ALWAYS.search(entry.content) or _DECIDED.search(entry.content))
    brief = is_passing(entry.content) or _PASSING.search(entry.content)
    if is_bounded(entry.content) or (brief and not lasting) or _HAPPENED.search(entry.content):
        return False
    if entry.standing or entry.type is MemoryType.TECHNICAL_DECISION:
        told = entry.confidence >= _LEAST.get(entry.type, SURE)
        return not entry.is_report and (told or bool(entry.slots) or lasting)
    binding = entry.priority is MemoryPriority.CRITICAL and beside < CROWD and entry.confidence >= SURE
    return entry.type in _RULES and (lasting or (binding and not _ONCE.match(entry.content)))


def is_sure(entry: MemoryEntry) -> bool:
    """Tell whether a shared memory needs no review: it was asked for, or stands, and sets a value or says always."""
    stands = entry.standing and not entry.is_proposal and entry.confidence >= SURE
    always = entry.type is MemoryType.USER_INSTRUCTION and _ALWAYS.search(entry.content)
    return entry.explicit or (stands and bool(entry.slots or always or _DECIDED.search(entry.content)))


class Known:
    """All memories of a project by id and by what they say: quicker than the store's search for many new ones."""

    def __init__(self, memories: Iterable[StoredMemory], config: SimilarityConfig) -> None:
        self.by_id: dict[str, StoredMemory] = {}
        self._index = DuplicateIndex(config)
        self.follow(memories)

    def follow(self, changed: Iterable[StoredMemory]) -> None:
        """Take memories in, in place of their earlier states."""
        for one in changed:
            self.by_id[one.id] = one
            if one.scope is MemoryScope.PROJECT and one.entry.status in MET:
                self._index.add(one.entry)
            else:
                self._index.remove(one.id)

    def near(self, entry: MemoryEntry) -> list[StoredMemory]:
        """Return the shared memories that may say what an entry does."""
        return [self.by_id[name] for name in self._index.near(entry)]


def alike(
    store: ProjectStore, project: str | None, entry: MemoryEntry, known: Known | None = None
) -> tuple[StoredMemory, ...]:
    """Return the memories of a project that a new one may repeat or contradict, the most alike ones."""
    wanted = MemoryFilter(project, scope=MemoryScope.PROJECT, statuses=MET)
    texts = (*([entry.content] if known is None else []), *_withdrawn_terms(entry.content))
    found = [] if known is None else known.near(entry)
    found += [hit.memory for text in texts for hit in store.search(text, wanted, MOST_ALIKE)]
    found += store.answering(project, [slot.name for slot in entry.slots]) if entry.slots else ()
    return tuple({memory.id: memory for memory in found}.values())


def named_anew(store: ProjectStore, project: str | None, entry: MemoryEntry) -> MemoryEntry:
    """Return a memory under an id that the project has not given yet: said again, it must not overwrite itself."""
    name, again = entry.id, 0
    while store.get(project, name) is not None:
        again += 1
        name = _name_from(entry.id, again)
    return replace(entry, id=name)


def named_apart(said: Sequence[MemoryEntry], held: Callable[[str], StoredMemory | None]) -> Sequence[MemoryEntry]:
    """Return a task's memories, named anew where another one said the same words (`held` by name): that is said again.

    A copy of a session has the times of the first one and says nothing again, nor does what was taken back.
    """
    met = ((known, one) for one in said if (known := held(one.id)) and known.entry.task_id != one.task_id)
    names = {
        one.id: _name_from(one.id, one.task_id)
        for known, one in met
        if not (0 < known.entry.created_at == one.created_at or _was_seen(known, one))
        and (one.status is not MemoryStatus.FORGOTTEN or is_later(known, one.created_at))
    }
    return [replace(relinked(one, names), id=names.get(one.id, one.id)) for one in said] if names else said


def _name_from(*parts: object) -> str:
    return blake2b("\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _withdrawn_terms(content: str) -> tuple[str, ...]:
    if not retracted_in(content):  # most; the rest are read as the clauses they are
        return ()
    terms = (term for found in extract_candidates(content) for term in found.retracts)
    return tuple(dict.fromkeys(terms))


def meet(incoming: StoredMemory, known: Iterable[StoredMemory], config: SimilarityConfig, now: float) -> Saved:
    """Return what happens when a task's active memory is shared with the project.

    The later statement wins: where a known memory is later, the incoming one is kept as superseded. What is pinned
    stays, and the agent's proposals never replace what a person said. `known` are memories of the project, of any
    state, that may be about the same.
    """
    entry = incoming.entry
    by_id = {one.id: one for one in known if one.scope is MemoryScope.PROJECT and one.id != entry.id}
    refused = (one.entry for one in by_id.values() if is_dismissed(one))
    if any(_was_seen(one, entry) for one in by_id.values()) or (
        not entry.explicit and DuplicateIndex(config, refused).find(entry)
    ):
        return Saved()
    newer = [one.id for one in by_id.values() if one.entry.is_active and is_later(one, entry.created_at)]
    holdings = Holdings(entry.task_id, config, (one.entry for one in by_id.values()))
    spared = {*newer, *(one.id for one in by_id.values() if one.pinned)}
    older = (e for e in holdings.active() if e.is_proposal >= entry.is_proposal and e.id not in spared)
    status = MemoryStatus.PERSISTED if is_sure(entry) else MemoryStatus.PENDING
    shared = replace(entry, status=status, last_accessed_at=max(entry.last_accessed_at, now))
    withdrawn = withdrawn_by(_withdrawn_terms(entry.content), older)
    kept_id = holdings.place(shared, max(entry.created_at, now), withdrawn, spared=spared)[-1]
    if kept_id == entry.id:
        for one in (by_id[name] for name in newer):
            for step in outdated_by(one.entry, [entry]):
                if step.whole:
                    late = replace(entry, status=MemoryStatus.SUPERSEDED, superseded_by=one.id)
                    links = tuple(dict.fromkeys((*one.entry.supersedes, entry.id)))
                    heir = replace(one, entry=replace(one.entry, supersedes=links))
                    kept = replace(incoming, entry=late, scope=MemoryScope.PROJECT)
                    return Saved(superseded=(entry.id,), changed=(kept, heir))
                holdings.put(overtake(holdings.entries[entry.id], step.slots, one.entry))
        by_id[entry.id] = replace(incoming, scope=MemoryScope.PROJECT)
    else:
        by_id[kept_id] = _seen_again(by_id[kept_id], holdings, entry)
        holdings.pass_on(entry.id, holdings.entries[kept_id])
    changed = {
        name: replace(by_id[name], entry=now_held)
        for name, now_held in holdings.entries.items()
        if name == kept_id or now_held is not by_id[name].entry
    }
    return Saved(
        new=(changed[entry.id],) if kept_id == entry.id else (),
        strengthened=() if kept_id == entry.id else (changed[kept_id],),
        superseded=tuple(name for name, one in changed.items() if one.entry.status is MemoryStatus.SUPERSEDED),
        changed=tuple(changed.values()),
    )


def followed(store: ProjectStore, known: StoredMemory, entry: MemoryEntry) -> StoredMemory | None:
    """Let a shared memory follow its own task, where the person took it or a part of it back; None where not.

    Pinned ones, and those said elsewhere too, stay as they are; a dismissed later statement takes nothing back.
    """
    elsewhere = any(seen.task_id != entry.task_id for seen in known.sightings)
    if not known.entry.is_active or known.pinned or elsewhere:
        return None
    heirs = {name for name in (entry.superseded_by, *(mark.by for mark in entry.overtaken)) if name}
    void = {name for name in heirs if (heir := store.get(known.project, name)) and is_dismissed(heir)}
    if not entry.is_active:
        gone = replace(known.entry, status=entry.status, superseded_by=entry.superseded_by)
        return None if entry.superseded_by in void else replace(known, entry=gone)
    marks = tuple(mark for mark in entry.overtaken if mark.slot in known.entry.slots and mark.by not in void)
    left = tuple(slot for slot in known.entry.slots if all(slot != mark.slot for mark in marks))
    kept = replace(known.entry, slots=left, overtaken=(*known.entry.overtaken, *marks))
    return replace(known, entry=kept) if marks else None


def left_by(gone: str, known: Iterable[StoredMemory], *, undone: bool) -> tuple[StoredMemory, ...]:
    """Return those memories that a withdrawn one had replaced, whole or in part, as they stand without it.

    With `undone` it never held, so that they hold again; otherwise they stay replaced by nothing.
    """
    found: dict[str, StoredMemory] = {}
    for one in known:
        entry = lifted(one.entry, gone) if undone else passed_on(one.entry, gone, None)
        if undone and entry.superseded_by == gone and entry.status is MemoryStatus.SUPERSEDED:
            entry = replace(entry, status=MemoryStatus.PENDING, superseded_by=None)
        if entry is not one.entry:
            scope = MemoryScope.PROJECT if is_shared(entry) else one.scope
            found[one.id] = replace(one, entry=entry, scope=scope)
    return tuple(found.values())


def _was_seen(memory: StoredMemory, entry: MemoryEntry) -> bool:
    return entry.source is not None and any(
        seen.source == entry.source and (seen.task_id == entry.task_id or 0 < seen.seen_at == entry.created_at)
        for seen in memory.sightings
    )


def tasks_of(memory: StoredMemory) -> tuple[str, ...]:
    """Return the tasks that said a memory, in order."""
    return tuple(dict.fromkeys((memory.entry.task_id, *(seen.task_id for seen in memory.sightings))))


def is_later(memory: StoredMemory, moment: float) -> bool:
    """Tell whether a memory was said after a known moment, for the last time."""
    return 0 < moment < max(memory.entry.created_at, *(seen.seen_at for seen in memory.sightings), 0.0)


def _seen_again(memory: StoredMemory, holdings: Holdings, entry: MemoryEntry) -> StoredMemory:
    """Make a memory that was said once more surer, and keep it for good once two tasks have said it."""
    kept = holdings.entries[memory.id]
    surer = 1 - (1 - memory.entry.confidence) * (1 - entry.confidence)
    if entry.explicit or (entry.task_id != memory.entry.task_id and not entry.is_proposal):
        kept = replace(kept, status=MemoryStatus.PERSISTED)
    holdings.put(replace(kept, confidence=surer))
    sightings = (*memory.sightings, Sighting(entry.task_id, entry.source, entry.created_at))
    return replace(memory, sightings=sightings[-MOST_SIGHTINGS:])


def reviewed(
    memory: StoredMemory, status: MemoryStatus = MemoryStatus.PERSISTED, *, dismissed: bool = False
) -> StoredMemory:
    """Return a memory that a person keeps for good or withdraws; a dismissed one stays so, and replaces nothing."""
    entry = memory.entry
    tags = {*entry.tags, DISMISSED} if dismissed else {*entry.tags} - {DISMISSED}
    supersedes = () if dismissed else entry.supersedes
    kept = replace(entry, status=status, tags=tuple(sorted(tags)), supersedes=supersedes)
    return replace(memory, entry=kept, pinned=memory.pinned and status is MemoryStatus.PERSISTED)


def is_dismissed(memory: StoredMemory) -> bool:
    """Tell whether a memory was sorted out."""
    return memory.entry.status is MemoryStatus.FORGOTTEN and DISMISSED in memory.entry.tags


def reworded(memory: StoredMemory, content: str) -> StoredMemory:
    """Return a memory in other words, read anew for files, technologies and answers; accepted thereby."""
    if not content.strip():
        raise ValueError(f"content is {content!r}; it should be the new wording")
    read = explicit_candidate(content.strip())
    entry = replace(
        reviewed(memory).entry,
        content=read.content,
        related_files=read.related_files,
        related_tech=read.related_tech,
        slots=tuple({slot.name: slot for slot in read.slots}.values()),
        overtaken=(),
        tags=tuple(sorted({*memory.entry.tags, *read.tags, "edited"} - {"remembered", DISMISSED})),
    )
    return replace(memory, entry=entry)


def erase(store: ProjectStore, gone: StoredMemory) -> None:
    """Remove a memory from a store, with what the tasks that said it keep of it, within the transaction around it.

    The messages stay known as read, so that saving the same session again does not bring it back.
    """
    words, ids = gone.entry.content, {gone.id}
    for task in tasks_of(gone):
        own = store.find(MemoryFilter(gone.project, tasks=(task,), statuses=()))
        ids |= {memory.id for memory in own if memory.entry.content == words}
        kept = store.get_conversation(gone.project, task)
        if kept is not None and kept.snapshot:
            store.put_conversation(replace(kept, snapshot=without_entry(kept.snapshot, gone.entry)))
    store.delete(gone.project, ids)

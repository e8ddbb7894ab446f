"""How what was said in one task meets what its project already knows: new, said again, or contradicted.

Standing rules, decisions and what a person asked to remember are shared with the project at once, pending until
somebody accepts them; what only specifies the task is not. Pure: memories in, memories out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from memory.consolidation import (
    DuplicateIndex,
    lifted,
    merged,
    outdated_by,
    overtake,
    passed_on,
    united,
    withdrawn_by,
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
from memory.extraction import extract_candidates
from memory.projects.reviewing import is_dismissed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memory.config import SimilarityConfig
    from memory.consolidation import Retirement
    from memory.entries import MemoryEntry, ProjectStore

MOST_SIGHTINGS: Final = 20
"""Times of having been said again that are listed, the latest ones (chosen)."""

MOST_ALIKE: Final = 40
"""Known memories that a new one is held against, the most alike ones (chosen)."""

_RULES: Final = frozenset(
    {MemoryType.USER_INSTRUCTION, MemoryType.CONFIGURATION, MemoryType.WORKFLOW_PATTERN}
)
_ALWAYS: Final = re.compile(
    r"\b(?:always|never|whenever|every ?time|each time|from now on|in (?:the )?future|at all times|by default"
    r"|under no circumstances|no matter what|convention|as a rule)\b"
    r"|总是|始终|永远|从不|绝不|每次|以后|今后|从现在起|一律|统一|任何时候|默认|规范|必ず|常に|今後|всегда|никогда",
    re.IGNORECASE | re.ASCII,
)
_DECIDED: Final = re.compile(
    r"\b(?:we|i)(?:'ve| have)? (?:decided|agreed)\b|(?:我们|咱们|我)(?:已经?)?(?:决定|约定|说好|商定)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Saved:
    """What one memory, or saving a task, did to its project.

    Attributes:
        new: memories that the project did not know; pending, or persisted where the person asked to remember.
        strengthened: known ones that were said again.
        superseded: ids of those that no longer hold.
        changed: all memories to keep, in place of their earlier states.
    """

    new: tuple[StoredMemory, ...] = ()
    strengthened: tuple[StoredMemory, ...] = ()
    superseded: tuple[str, ...] = ()
    changed: tuple[StoredMemory, ...] = field(default=(), repr=False)


def is_shared(entry: MemoryEntry) -> bool:
    """Tell whether a memory goes beyond its task: a standing rule, a decision, a setting, an explicit wish, a proposal.

    A setting is what answers a question with one answer at a time (port, database, ...). A rule is standing where
    extraction says so or its words do ("always", "from now on", 每次); what is critical binds until somebody says
    otherwise. Errors, facts about the task and one-off instructions are the task's own.
    """
    if entry.standing or entry.explicit or entry.is_proposal or entry.type is MemoryType.TECHNICAL_DECISION:
        return entry.is_active
    binding = bool(entry.slots) or entry.priority is MemoryPriority.CRITICAL
    rule = entry.is_active and entry.type in _RULES
    return rule and (binding or bool(_ALWAYS.search(entry.content) or _DECIDED.search(entry.content)))


def alike(store: ProjectStore, project: str | None, entry: MemoryEntry) -> tuple[StoredMemory, ...]:
    """Return the memories of a project that a new one may repeat or contradict, the most alike ones."""
    statuses = (*ACTIVE, MemoryStatus.FORGOTTEN)
    wanted = MemoryFilter(project, scope=MemoryScope.PROJECT, statuses=statuses)
    texts = (entry.content, *_withdrawn_terms(entry))
    found = [hit.memory for text in texts for hit in store.search(text, wanted, MOST_ALIKE)]
    found += store.answering(project, [slot.name for slot in entry.slots])
    return tuple({memory.id: memory for memory in found}.values())


def named_anew(store: ProjectStore, project: str | None, entry: MemoryEntry) -> MemoryEntry:
    """Return a memory under an id that the project has not given yet: said again, it must not overwrite itself."""
    name, again = entry.id, 0
    while store.get(project, name) is not None:
        again += 1
        name = blake2b(f"{entry.id}\x1f{again}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return replace(entry, id=name)


def _withdrawn_terms(entry: MemoryEntry) -> tuple[str, ...]:
    """Return what a memory's words take back: "redis" for "no longer use Redis"."""
    terms = (term for found in extract_candidates(entry.content) for term in found.retracts)
    return tuple(dict.fromkeys(terms))


def meet(
    incoming: StoredMemory, known: Iterable[StoredMemory], config: SimilarityConfig, now: float
) -> Saved:
    """Return what happens when a task's memory is shared with the project.

    The later statement wins: where a known memory was said after the incoming one, the incoming one is kept as
    superseded. Memories of the same message are never played against each other, and the agent's proposals never
    replace what a person said.

    Args:
        incoming: an active memory of a task.
        known: memories of the project that may be about the same, whatever their state.
        config: when two wordings are one memory.
        now: seconds since 1970 UTC; 0.0 where unknown.
    """
    entry = incoming.entry
    by_id = {one.id: one for one in known if one.scope is MemoryScope.PROJECT and one.id != entry.id}
    refused = (one.entry for one in by_id.values() if is_dismissed(one))
    if any(_was_seen(one, entry) for one in by_id.values()) or (
        not entry.explicit and DuplicateIndex(config, refused).find(entry)
    ):
        return Saved()
    active = [one for one in by_id.values() if one.entry.is_active]
    newer = [one for one in active if _is_later(one, entry)]
    older = [one.entry for one in active if one not in newer and one.entry.is_proposal >= entry.is_proposal]
    steps = united(
        (*outdated_by(entry, older), *withdrawn_by(_withdrawn_terms(entry), older)),
        {one.id: one for one in older},
    )
    twin = DuplicateIndex(config, (one.entry for one in active)).find(entry, steps)
    if twin is not None:
        heir = _seen_again(by_id[twin], incoming, now)
    else:
        for one in newer:
            for step in outdated_by(one.entry, [entry]):
                if step.whole:
                    late = replace(entry, status=MemoryStatus.SUPERSEDED, superseded_by=one.id)
                    kept = replace(incoming, entry=late, scope=MemoryScope.PROJECT)
                    return Saved(superseded=(entry.id,), changed=(kept, _with_predecessor(one, entry.id)))
                entry = overtake(entry, step.slots, one.entry)
        status = MemoryStatus.PERSISTED if entry.explicit else MemoryStatus.PENDING
        shared_now = replace(entry, status=status, last_accessed_at=max(entry.last_accessed_at, now))
        heir = replace(incoming, entry=shared_now, scope=MemoryScope.PROJECT)
    changed: dict[str, StoredMemory] = {}
    for step in steps.values():
        old = by_id[step.entry_id]
        if step.whole:
            gone = replace(old.entry, status=MemoryStatus.SUPERSEDED, superseded_by=heir.id)
            heir = _with_predecessor(heir, old.id, old.entry)
        else:
            gone = overtake(old.entry, step.slots, heir.entry)
        changed[old.id] = replace(old, entry=gone)
    changed |= _relinked(by_id | changed, steps.values(), entry.id, heir)
    changed[heir.id] = heir
    return Saved(
        new=() if twin else (heir,),
        strengthened=(heir,) if twin else (),
        superseded=tuple(step.entry_id for step in steps.values() if step.whole),
        changed=tuple(changed.values()),
    )


def _relinked(
    known: Mapping[str, StoredMemory], steps: Iterable[Retirement], incoming: str, heir: StoredMemory
) -> dict[str, StoredMemory]:
    """Return the memories whose marks name what was retired, or the incoming one that became part of its heir."""
    gone = [(step.entry_id, None if step.whole else {slot.name for slot in step.slots}) for step in steps]
    if incoming != heir.id:
        gone.insert(0, (incoming, None))
    found: dict[str, StoredMemory] = {}
    for one in known.values():
        if one.entry.is_active and one.id != heir.id:
            moved = one.entry
            for name, questions in gone:
                moved = passed_on(moved, name, heir.entry, questions)
            if moved is not one.entry:
                found[one.id] = replace(one, entry=moved)
    return found


def followed(store: ProjectStore, known: StoredMemory, entry: MemoryEntry) -> StoredMemory | None:
    """Let a shared memory follow its own task, where the person took it or a part of it back; None where not.

    Pinned ones, and those that were said elsewhere too, stay as they are; and a later statement that was dismissed
    takes nothing back.
    """
    if not known.entry.is_active or known.pinned or known.sightings:
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

    Args:
        gone: its id.
        known: memories of the project, among them those.
        undone: it never held, so that they hold again; otherwise what it had replaced stays replaced by nothing.
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
    """Tell whether this very statement has been merged into a memory already; without a source nobody can."""
    return entry.source is not None and any(
        seen.task_id == entry.task_id and seen.source == entry.source for seen in memory.sightings
    )


def _is_later(memory: StoredMemory, entry: MemoryEntry) -> bool:
    """Tell whether a known memory was said after an incoming one; unknown times say nothing."""
    said_at = max(memory.entry.created_at, *(seen.seen_at for seen in memory.sightings), 0.0)
    return 0 < entry.created_at < said_at


def _seen_again(memory: StoredMemory, incoming: StoredMemory, now: float) -> StoredMemory:
    """Return a memory that was said once more: merged, surer, and kept once two tasks have said it."""
    entry = incoming.entry
    other_task = entry.task_id != memory.entry.task_id
    kept = merged(memory.entry, entry, max(entry.created_at, now))
    surer = 1 - (1 - memory.entry.confidence) * (1 - entry.confidence)
    if (other_task and not entry.is_proposal) or entry.explicit:
        kept = replace(kept, status=MemoryStatus.PERSISTED)
    sightings = (*memory.sightings, Sighting(entry.task_id, entry.source, entry.created_at))
    return replace(memory, entry=replace(kept, confidence=surer), sightings=sightings[-MOST_SIGHTINGS:])


def _with_predecessor(heir: StoredMemory, older: str, entry: MemoryEntry | None = None) -> StoredMemory:
    """Return a memory that takes another's place, and is at least as important where that one is given."""
    known = heir.entry
    priority = known.priority if entry is None else max(known.priority, entry.priority, key=lambda p: p.rank)
    linked = replace(known, supersedes=tuple(dict.fromkeys((*known.supersedes, older))), priority=priority)
    return replace(heir, entry=linked)

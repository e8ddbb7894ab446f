"""A project's memories as JSON, complete and back again, as Markdown or lines for people, and as a graph."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from memory.consolidation import TITLES, marked_text, read_document, validated
from memory.entries import MemoryFilter, MemoryScope, MemoryStatus, MemoryType, StoredMemory, without_secrets
from memory.projects.sharing import MOST_SIGHTINGS, alike, meet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.config import SimilarityConfig
    from memory.entries import MemoryEntry, ProjectStore

FORMAT = "holdfast-project-memory"
VERSION = 1
_TIMES = ("created_at", "last_accessed_at", "seen_at")
_WORDS = {
    "en": {"title": "Project memory", "retired": "No longer valid", "pinned": "pinned", "pending": "pending"},
    "zh": {"title": "项目记忆", "retired": "已失效", "pinned": "已置顶", "pending": "待确认"},
}


@cache
def _adapter() -> TypeAdapter[tuple[StoredMemory, ...]]:
    return TypeAdapter(tuple[StoredMemory, ...])


def export_json(memories: Iterable[StoredMemory]) -> str:
    """Return memories as JSON, indented; without the project's key, so that they can be taken into another."""
    plain = tuple(without_secrets(replace(memory, project=None)) for memory in memories)
    rows = _adapter().dump_python(plain)
    for row in rows:
        row["entry"] = _with_times(row["entry"], 0.0, None)
        row["sightings"] = [_with_times(seen, 0.0, None) for seen in row["sightings"]]
    value = {"format": FORMAT, "version": VERSION, "memories": rows}
    text = json.dumps(value, indent=1, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        text = json.dumps(value, indent=1)
    return text + "\n"


def import_json(text: str | bytes) -> tuple[StoredMemory, ...]:
    """Return the memories of an export, for `PersistentMemoryManager.import_memories`; else raise `SnapshotError`."""
    value = read_document(text, FORMAT, VERSION, "import", lambda row: _with_times(row, None, 0.0))
    return validated(_adapter(), value.get("memories"), "import")


def _with_times(row: dict[str, Any], was: float | None, now: float | None) -> dict[str, Any]:
    return {key: now if key in _TIMES and value == was else value for key, value in row.items()}


def export_markdown(memories: Iterable[StoredMemory], language: str = "en") -> str:
    """Return memories as Markdown: headings ("en" or "zh") by type, a line for each memory, retired ones struck out."""
    if language not in _WORDS:
        raise ValueError(f"language is {language!r}; it should be 'en' or 'zh'")
    words, titles = _WORDS[language], TITLES[language]
    listed = [without_secrets(memory) for memory in memories]
    sections = [
        (titles[kind], [m for m in listed if m.entry.type is kind and m.entry.is_active]) for kind in MemoryType
    ]
    sections.append((words["retired"], [m for m in listed if not m.entry.is_active]))
    lines = [f"# {words['title']}"]
    for title, shown in sections:
        lines += ["", f"## {title}", "", *(_line(memory, words) for memory in shown)] if shown else []
    return "\n".join(lines) + "\n"


def _line(memory: StoredMemory, words: dict[str, str]) -> str:
    entry = memory.entry
    text = " ".join(marked_text(entry).split())
    notes = (
        entry.priority.value if entry.is_active else "",
        words["pinned"] if memory.pinned else "",
        words["pending"] if entry.status is MemoryStatus.PENDING else "",
        day_of(entry.created_at),
    )
    said = text if entry.is_active else f"~~{text}~~"
    return f"- {said} ({', '.join(filter(None, notes))}) `{entry.id}`"


def line_of(entry: MemoryEntry) -> str:
    """Return a memory as one line: its words, what no longer holds of them, the day if known, and if no person's."""
    words = " ".join(marked_text(entry).split())
    said = ", ".join(filter(None, (day_of(entry.created_at), "the agent's words" if entry.is_proposal else "")))
    return f"{words} ({said})" if said else words


def day_of(moment: float) -> str:
    """Return the day of a time in UTC, "2026-11-20"; "" where it is unknown or no calendar has it."""
    try:
        return datetime.fromtimestamp(moment, UTC).date().isoformat() if moment > 0 else ""
    except (OverflowError, OSError, ValueError):
        return ""


@dataclass(frozen=True, slots=True)
class Imported:
    """What taking an export in did to a project, as numbers of memories.

    `strengthened` are known ones of which the export knows more, `unchanged` those of which it doesn't; `superseded`
    ones that no longer hold because of the others.
    """

    new: int = 0
    strengthened: int = 0
    unchanged: int = 0
    superseded: int = 0


def take_in(
    store: ProjectStore, project: str, memories: Iterable[StoredMemory], config: SimilarityConfig, now: float
) -> Imported:
    """Take the memories of an export into a project, within one transaction.

    What is known by its id keeps its words and state. A new one is held against what was known before (not against
    others of the export): what says the same is strengthened, what contradicts it superseded by the later of the two.
    """
    counts = dict.fromkeys(("new", "strengthened", "unchanged", "superseded"), 0)
    with store.writing():
        before = {m.id for m in store.find(MemoryFilter(project, scope=MemoryScope.PROJECT, statuses=()))}
        for memory in memories:
            incoming = replace(memory, project=project, scope=MemoryScope.PROJECT)
            known = store.get(project, incoming.id)
            if known is not None and known.scope is MemoryScope.PROJECT:
                kept = [_strengthened(known, incoming)]
                counts["unchanged" if kept == [known] else "strengthened"] += 1
            elif not incoming.entry.is_active or not (
                met := [m for m in alike(store, project, incoming.entry) if m.id in before] if before else []
            ):
                kept = [incoming]
                counts["new"] += 1
            else:
                meeting = meet(incoming, met, config, now)
                kept = [  # with the verdict that the export had on it
                    replace(m, entry=replace(m.entry, status=incoming.entry.status))
                    if m.id == incoming.id and m.entry.is_active
                    else m
                    for m in meeting.changed
                ]
                counts["superseded"] += len(meeting.superseded)
                is_new = any(m.id == incoming.id for m in kept)
                counts["new" if is_new else "strengthened" if meeting.strengthened else "unchanged"] += 1
            store.put(kept)
    return Imported(**counts)


def _strengthened(known: StoredMemory, incoming: StoredMemory) -> StoredMemory:
    """Return a known memory with what an export of it knows beyond: never other words, never brought back."""
    entry, other = known.entry, incoming.entry
    if not entry.is_active or not other.is_active:
        return known
    sightings = tuple(dict.fromkeys((*incoming.sightings, *known.sightings)))[-MOST_SIGHTINGS:]
    kept = replace(
        entry,
        access_count=max(entry.access_count, other.access_count),
        last_accessed_at=max(entry.last_accessed_at, other.last_accessed_at),
        confidence=max(entry.confidence, other.confidence),
        status=other.status if other.status is MemoryStatus.PERSISTED else entry.status,
    )
    more = sightings if len(sightings) > len(known.sightings) else known.sightings
    return replace(known, entry=kept, pinned=known.pinned or incoming.pinned, sightings=more)


WEIGHTS: Final = {"names": 1.0, "supersedes": 2.0, "together": 0.5}
"""Of edges (chosen): a memory names a thing, takes another's place; two things are named together."""
MOST_NAMED: Final = 12
ROUNDS: Final = 20
"""Things of one memory that are joined with one another; passes of label propagation, settled in a few (chosen)."""


@dataclass(frozen=True, slots=True)
class Node:
    """A memory or a thing that memories name: "memory", "file", "technology" or "slot".

    `id` is the kind, a colon and a name; `weight` how many memories name it, of a memory its accesses.
    """

    id: str
    kind: str
    label: str
    weight: float


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes, by their ids; `kind` is one of `WEIGHTS`, `weight` above 0."""

    source: str
    target: str
    kind: str
    weight: float


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """Nodes, edges, and clusters as tuples of node ids, largest first."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    clusters: tuple[tuple[str, ...], ...] = ()


def knowledge_graph(memories: Iterable[StoredMemory]) -> KnowledgeGraph:
    """Return the graph of a project's memories; superseded ones show what took their place. Linear."""
    listed = {f"memory:{memory.id}": memory.entry for memory in memories}
    named: Counter[tuple[str, str]] = Counter()
    weights: defaultdict[tuple[str, str, str], float] = defaultdict(float)
    for name, entry in listed.items():
        things = _things(entry)
        named.update(things)
        ids = [":".join(thing) for thing in things]
        older = [f"memory:{one}" for one in entry.supersedes if f"memory:{one}" in listed]
        ends = [(name, one, "names") for one in ids] + [(name, one, "supersedes") for one in older]
        for *pair, kind in [*ends, *((*two, "together") for two in combinations(sorted(ids[:MOST_NAMED]), 2))]:
            weights[pair[0], pair[1], kind] += WEIGHTS[kind]
    nodes = [Node(name, "memory", marked_text(e), float(e.access_count)) for name, e in listed.items()]
    nodes += [Node(f"{kind}:{label}", kind, label, float(n)) for (kind, label), n in named.items()]
    edges = tuple(Edge(*ends, weight) for ends, weight in weights.items())
    return KnowledgeGraph(tuple(nodes), edges, _clusters(nodes, edges))


def _clusters(nodes: list[Node], edges: tuple[Edge, ...]) -> tuple[tuple[str, ...], ...]:
    """Group nodes by label propagation (Raghavan, Albert and Kumara, 2007), in a fixed order and so repeatable."""
    near: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for edge in edges:
        near[edge.source].append((edge.target, edge.weight))
        near[edge.target].append((edge.source, edge.weight))
    labels = {node.id: node.id for node in nodes}
    order = sorted(near, key=lambda one: (-len(near[one]), one))
    for _ in range(ROUNDS):
        before = dict(labels)
        for name in order:
            votes: defaultdict[str, float] = defaultdict(float)
            for other, weight in near[name]:
                votes[labels[other]] += weight
            labels[name] = min(votes, key=lambda label: (-votes[label], label != labels[name], label))
        if labels == before:
            break
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for node in sorted(nodes, key=lambda one: (-one.weight, one.id)):
        groups[labels[node.id]].append(node.id)
    return tuple(sorted((tuple(g) for g in groups.values() if len(g) > 1), key=lambda g: (-len(g), g)))


def _things(entry: MemoryEntry) -> list[tuple[str, str]]:
    found = [("file", path) for path in entry.related_files]
    found += [("technology", name) for name in entry.related_tech]
    found += [("slot", slot.name) for slot in entry.slots]
    return list(dict.fromkeys(found))

"""The memories of a project as a graph: memories, files, technologies and questions, joined where one names another."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from memory.consolidation import marked_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.entries import MemoryEntry, StoredMemory

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
        for *pair, kind in [
            *ends,
            *((*two, "together") for two in combinations(sorted(ids[:MOST_NAMED]), 2)),
        ]:
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

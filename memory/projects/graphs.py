"""The memories of a project as a graph: memories, files, technologies and questions, joined where one names another."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from memory.consolidation import marked_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memory.entries import StoredMemory

NAMES: Final = 1.0
SUPERSEDES: Final = 2.0
TOGETHER: Final = 0.5
"""Weights of edges (chosen): a memory names a thing, takes another's place; two things are named together."""

MOST_NAMED: Final = 12
"""Things of one memory that are joined with one another (chosen: beyond that it is a list, not a relation)."""

ROUNDS: Final = 20
"""Passes of label propagation; it settles in a few (chosen)."""


@dataclass(frozen=True, slots=True)
class Node:
    """A memory or a thing that memories name.

    Attributes:
        id: "memory:...", "file:...", "technology:..." or "slot:...".
        kind: "memory", "file", "technology" or "slot".
        label: what people read: the memory's words, the path, the name.
        weight: how many memories name it; of a memory, its accesses.
    """

    id: str
    kind: str
    label: str
    weight: float


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation.

    Attributes:
        source, target: ids of nodes.
        kind: "names", "supersedes" or "together".
        weight: above 0.
    """

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


def knowledge_graph(
    memories: Iterable[StoredMemory],
    cluster: Callable[[tuple[Node, ...], tuple[Edge, ...]], tuple[tuple[str, ...], ...]] | None = None,
) -> KnowledgeGraph:
    """Return the graph of some memories.

    Args:
        memories: the project's memories; superseded ones show what took their place.
        cluster: groups the nodes; `label_clusters` when left out, `memory.projects.networkx_graph` has another.

    Cost: linear in the memories and the things they name.
    """
    nodes: dict[str, Node] = {}
    named: Counter[str] = Counter()
    weights: defaultdict[tuple[str, str, str], float] = defaultdict(float)
    labels: dict[str, tuple[str, str]] = {}
    listed = list(memories)
    known = {memory.id for memory in listed}
    for memory in listed:
        entry = memory.entry
        name = f"memory:{entry.id}"
        nodes[name] = Node(name, "memory", marked_text(entry), float(entry.access_count))
        things = _things(memory)
        for thing, kind, label in things:
            named[thing] += 1
            labels[thing] = (kind, label)
            weights[name, thing, "names"] += NAMES
        for (one, _, _), (other, _, _) in combinations(sorted(things[:MOST_NAMED]), 2):
            weights[one, other, "together"] += TOGETHER
        for older in entry.supersedes:
            if older in known:
                weights[name, f"memory:{older}", "supersedes"] += SUPERSEDES
    for thing, (kind, label) in labels.items():
        nodes[thing] = Node(thing, kind, label, float(named[thing]))
    edges = tuple(Edge(*ends, weight) for ends, weight in weights.items())
    ordered = tuple(nodes.values())
    return KnowledgeGraph(ordered, edges, (cluster or label_clusters)(ordered, edges))


def label_clusters(nodes: tuple[Node, ...], edges: tuple[Edge, ...]) -> tuple[tuple[str, ...], ...]:
    """Group nodes by label propagation (Raghavan, Albert and Kumara, 2007), in a fixed order and so repeatable.

    Returns:
        Clusters of two nodes and more, largest first; in each the weightiest nodes first.
    """
    near: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for edge in edges:
        near[edge.source].append((edge.target, edge.weight))
        near[edge.target].append((edge.source, edge.weight))
    labels = {node.id: node.id for node in nodes}
    for _ in range(ROUNDS):
        moved = False
        for name in sorted(labels, key=lambda one: (-len(near[one]), one)):
            votes: defaultdict[str, float] = defaultdict(float)
            for other, weight in near[name]:
                votes[labels[other]] += weight
            if votes:
                best = min(votes, key=lambda label: (-votes[label], label != labels[name], label))
                moved = moved or best != labels[name]
                labels[name] = best
        if not moved:
            break
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for node in sorted(nodes, key=lambda one: (-one.weight, one.id)):
        groups[labels[node.id]].append(node.id)
    return tuple(sorted((tuple(g) for g in groups.values() if len(g) > 1), key=lambda g: (-len(g), g)))


def _things(memory: StoredMemory) -> list[tuple[str, str, str]]:
    """Return what a memory names: id, kind and label of each thing."""
    entry = memory.entry
    found = [(f"file:{path}", "file", path) for path in entry.related_files]
    found += [(f"technology:{name}", "technology", name) for name in entry.related_tech]
    found += [(f"slot:{slot.name}", "slot", slot.name) for slot in entry.slots]
    return list(dict.fromkeys(found))

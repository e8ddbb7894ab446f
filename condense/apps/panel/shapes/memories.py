"""Memories and projects as the answers have them."""

from __future__ import annotations

from typing import NotRequired  # pydantic's

from typing_extensions import TypedDict

from condense.apps.panel.shapes.lists import Listed, Time


class Project(TypedDict):
    """A project that something is remembered of."""

    key: str
    name: str
    path: str | None
    memories: int
    pending: int
    updated_at: Time


class Slot(TypedDict):
    """A question and a memory's answer to it."""

    name: str
    value: str


class OvertakenSlot(Slot):
    """An answer that no longer holds."""

    by: str | None
    later: str


class MemorySource(TypedDict):
    """Where a memory was said: the typed text around it, and the spans of the words and of their heads in it."""

    task: str
    session: str | None
    session_path: str | None
    message_index: int | None
    text: str | None
    start: int
    end: int
    heads: list[list[int]]
    why: str | None


class Seen(TypedDict):
    """One more time that a memory was said."""

    task: str
    at: Time


class Use(TypedDict):
    """A compaction whose summary holds a memory."""

    record: str
    session: str | None
    at: Time


class Memory(TypedDict):
    """One memory."""

    id: str
    project: str | None
    task: str
    type: str
    priority: str
    status: str
    content: str
    standing: bool
    explicit: bool
    pinned: bool
    confidence: float
    created_at: Time
    accessed_at: Time
    access_count: int
    tags: list[str]
    files: list[str]
    technologies: list[str]
    slots: list[Slot]
    superseded_by: str | None
    supersedes: list[str]
    overtaken: list[OvertakenSlot]
    sightings: list[Seen]
    score: NotRequired[float]
    matched: NotRequired[list[str]]


class WholeMemory(Memory):
    """One memory with all that is known about it."""

    source: MemorySource | None
    used_in: list[Use]
    supersedes_items: list[Memory]
    superseded_by_item: Memory | None


class Facets(TypedDict):
    """How many memories there are of each kind, under the other filters."""

    status: dict[str, int]
    type: dict[str, int]
    priority: dict[str, int]


class Memories(Listed[Memory]):
    """A page of memories."""

    facets: Facets


class Changed(TypedDict):
    """A memory after a change, and the token that takes it back."""

    memory: Memory
    undo: str


class Undone(TypedDict):
    """What an undo brought back."""

    memory: Memory | None


class Failed(TypedDict):
    """What could not be done of many."""

    id: str
    message: str


class Bulk(TypedDict):
    """What was done to many memories."""

    done: int
    failed: list[Failed]
    undo: str | None


class Node(TypedDict):
    """A node of the knowledge graph."""

    id: str
    kind: str
    label: str
    weight: float
    cluster: int


class Edge(TypedDict):
    """An edge of the knowledge graph."""

    source: str
    target: str
    kind: str
    weight: float


class Graph(TypedDict):
    """The knowledge graph, its heaviest nodes."""

    nodes: list[Node]
    edges: list[Edge]
    clusters: list[list[str]]
    left_out: int

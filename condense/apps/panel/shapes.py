"""The values of the panel's answers, as types: the OpenAPI document says them, the tests hold answers against them."""

from __future__ import annotations

from typing import (
    Any,
    Generic,
    NotRequired,  # pydantic's; the standard one is read from Python 3.12 on
    TypeVar,
)

from typing_extensions import (
    TypedDict,
)

T = TypeVar("T")
Time = str | None
"""ISO 8601 in UTC; None where it is not known."""
Span = list[int]


class Listed(TypedDict, Generic[T]):
    """One page of a list; `next` is the `cursor` of the page behind it."""

    items: list[T]
    total: int
    next: str | None


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
    heads: list[Span]
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


class Session(TypedDict):
    """A session of an agent on this machine, or a thread of the store."""

    id: str
    agent: str
    title: str
    path: str | None
    folder: str | None
    project: str | None
    started_at: Time
    updated_at: Time
    size: int
    messages: int | None
    compactions: int | None
    thread: bool


class Record(TypedDict):
    """A compaction on record."""

    id: str
    session: str | None
    at: Time
    tokens_before: int
    tokens_after: int
    target: int
    actions: int
    undone: bool
    source: str


class Totals(TypedDict):
    """Counts over the messages of a session."""

    tokens: int
    typed: int
    tools: int


class WholeSession(Session):
    """A session that was read."""

    warnings: list[str]
    totals: Totals
    records: list[Record]


class Message(TypedDict):
    """A message of a session as it is shown."""

    index: int
    role: str
    kind: str
    text: str
    cut: bool
    tokens: int
    tool: str | None
    at: Time
    folded_by: str | None
    importance: float | None


class Action(TypedDict):
    """What a compaction did to a unit of messages, and why."""

    start: int
    end: int
    kind: str
    level: str
    reason: str
    tokens_before: int
    tokens_after: int
    handles: list[str]
    label: str


class Before(TypedDict):
    """A message as it was, and what becomes of it."""

    index: int
    role: str
    kind: str
    text: str
    tokens: int
    level: str
    reason: str
    handle: str | None


After = TypedDict(  # "from" is a word of the language
    "After",
    {"role": str, "kind": str, "text": str, "tokens": int, "from": int | None},
)


class DryRun(TypedDict):
    """What a compaction would do."""

    tokens_before: int
    tokens_after: int
    target: int
    summary: str
    error: str | None
    before: list[Before]
    after: list[After]
    receipt: list[Action]
    units_by_level: dict[str, int]
    tokens_saved_by_kind: dict[str, int]
    typed_messages: int
    typed_verbatim: int
    notes: list[str]
    seconds: float


class WholeRecord(Record):
    """A compaction with its receipt."""

    summary: str
    receipt: list[Action]
    before: list[Before]
    after: list[After]


class UndoneRecord(TypedDict):
    """A compaction that was taken back, and the token that puts it in force again."""

    undone: bool
    undo: str


class Original(TypedDict):
    """What a handle names."""

    handle: str
    text: str
    bytes: int


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


class NoteLine(TypedDict):
    """A line of MEMORY.md."""

    number: int
    date: str
    source: str
    items: list[str]


class Notes(TypedDict):
    """MEMORY.md."""

    content: str
    lines: list[NoteLine]
    path: str


class Tagged(TypedDict):
    """The ETag of what was written."""

    etag: str


class Passage(TypedDict):
    """Lines of a note that were found."""

    path: str
    start: int
    end: int
    text: str
    score: float


class NotesFound(TypedDict):
    """What a search of notes found."""

    items: list[Passage]
    total: int


class LongTerm(TypedDict):
    """Lines of MEMORY.md as one text (documented)."""

    content: str


class Updated(TypedDict):
    """That something was written (documented)."""

    success: bool
    message: str


class NoteCounts(TypedDict):
    """Counts of MEMORY.md (documented)."""

    total: int
    sources: dict[str, int]
    date_range: str


class Results(TypedDict):
    """Lines that a search found (documented)."""

    results: str
    total: int


class Summarized(TypedDict):
    """The line that a session became (documented)."""

    success: bool
    summary: str
    message: str


class Conversation(TypedDict):
    """A conversation in a list (documented)."""

    id: str
    label: str
    lastActiveAt: str


class HistoryMessage(TypedDict):
    """A message with its value in its wire form (documented)."""

    id: str
    role: str
    text: str
    value: Any


class History(TypedDict):
    """All messages of a conversation (documented)."""

    threadId: str
    messages: list[HistoryMessage]


class Deleted(TypedDict):
    """How many rows of what went."""

    id: str
    deleted: dict[str, int]


class Available(TypedDict):
    """Whether something can be switched on, and what keeps it from that."""

    ok: bool
    why: str


class Place(TypedDict):
    """Where something is on this machine."""

    name: str
    path: str
    exists: bool
    bytes: int | None


class Settings(TypedDict):
    """What a person switched, and where things are."""

    memory_enhancement: bool
    vector_store: bool
    vector_store_available: Available
    model: str | None
    embedder: str | None
    language: str
    paths: list[Place]
    version: str


class InstalledPart(TypedDict):
    """A part of what is installed in an agent."""

    name: str
    on: bool
    detail: str


class Installation(TypedDict):
    """What is on in an agent, and the commands that switch on what is not."""

    agent: str
    found: bool
    version: str | None
    installed: bool
    scope: str
    parts: list[InstalledPart]
    steps: list[str]


class Saved(TypedDict):
    """What compactions saved in money, by the table of prices."""

    amount: float
    currency: str
    model: str
    explained: str


class ProxyState(TypedDict):
    """What a proxy on this machine says of itself."""

    running: bool
    port: int
    mode: str
    compactions: int
    failures: int


class Day(TypedDict):
    """What happened on a day."""

    day: str
    created: int
    compactions: int
    tokens_saved: int


class Turn(TypedDict):
    """The newest turn of a session, and what it brought about."""

    session: str
    title: str
    at: Time
    memories_created: int
    files_changed: int
    tools_used: int
    pending: int
    sentence: str


class Failure(TypedDict):
    """Something that went wrong and was swallowed, so that an agent could go on."""

    what: str
    message: str
    at: Time


class Overview(TypedDict):
    """What is to be seen at a glance."""

    pending: int
    persisted: int
    superseded: int
    created_this_turn: int
    created_this_week: int
    compactions: int
    tokens_saved: int
    cost_saved: Saved | None
    proxy: ProxyState | None
    activity: list[Day]
    turns: list[Turn]
    failures: list[Failure]

"""Sessions, threads and compactions as the answers have them."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict  # pydantic's

from condense.apps.panel.shapes.lists import Time  # noqa: TC001  # pydantic reads it


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
    copy: bool
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
    command: str | None
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

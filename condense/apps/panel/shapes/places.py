"""Notes, settings, installations and the overview as the answers have them."""

from __future__ import annotations

from typing_extensions import TypedDict  # pydantic's

from condense.apps.panel.shapes.lists import Time  # noqa: TC001  # pydantic reads it


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
    words: str
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

"""What the panel works with: this user's store, the sessions of this machine, and what can be taken back."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import anyio

from condense.apps import switches
from condense.apps.panel.asking import HEAVY, Problem
from condense.apps.panel.events import Events
from condense.apps.panel.reading import Records, Sessions, agent_records, handle_of, line_of, shown_record
from condense.apps.panel.routes import Threads
from condense.apps.panel.texts import say
from condense.apps.panel.undoing import Undoing
from condense.apps.panel.values import time_of
from condense.compaction import score_all_messages
from condense.reading import is_context_block
from memory import Documents, Notebook, PersistentMemoryManager
from memory.conversation import count_message, default_counter
from memory.projects import project_of
from memory.stores import Browsing, open_browsable

if TYPE_CHECKING:
    from collections.abc import Callable

    from condense.apps.panel.reading import Entry, Kept
    from condense.apps.panel.texts import Language
    from memory.conversation import Message, Transcript
    from memory.entries import ProjectStore, StoredMemory, ThreadStore
    from memory.notes import Language as NotesLanguage
    from memory.stores import Browsable

PORT: Final = 7474
MOST_SCORED: Final = 20_000
"""Messages of a session up to which each is told how important it is; chosen."""
REMEMBERED: Final = 64


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """How the panel is served.

    Attributes:
        folder: whose project it shows first.
        host, port: where it listens; port 0 takes a free one.
        token: what its pages must show; a new one by default.
        home: the folder of the person, in which agents keep their sessions.
        claude_code, codex: the folders of these agents where they are others than their usual ones.
        threads: conversations of the threads store, where there is one.
    """

    folder: Path = field(default_factory=Path.cwd)
    host: str = "127.0.0.1"
    port: int = PORT
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    home: Path = field(default_factory=Path.home)
    claude_code: Path | None = None
    codex: Path | None = None
    threads: ThreadStore | None = None


class Panel:
    """The state behind the endpoints; everything in it may be used by several threads."""

    def __init__(self, settings: PanelSettings, *, clock: Callable[[], float] = time.time) -> None:
        self.settings = settings
        self.clock = clock
        self.project = project_of(settings.folder)
        self.count = default_counter()
        self.sessions = Sessions(
            settings.home,
            claude_code=settings.claude_code,
            codex=settings.codex,
            threads=settings.threads,
        )
        self.threads = Threads(settings.threads, sessions=self.sessions)
        self.records = Records(lambda: self.store)
        self.undoing = Undoing()
        self.events = Events(self._signs)
        self._lock = threading.Lock()
        self._store: Browsable | None = None
        self._searched: tuple[object, ProjectStore] | None = None
        self._tallies: dict[str, tuple[object, Any]] = {}
        self._remembered: OrderedDict[object, Any] = OrderedDict()

    @cached_property
    def heavy(self) -> anyio.CapacityLimiter:
        """Lets few of the heavy requests run at one time."""
        return anyio.CapacityLimiter(HEAVY)

    # ---- the store

    @property
    def store(self) -> Browsable:
        """This user's store, opened when it is first needed.

        Raises:
            StoreError: it cannot be opened, or a plug-in keeps it.
        """
        with self._lock:
            if self._store is None:
                self._store = open_browsable()
            return self._store

    @property
    def searched(self) -> ProjectStore:
        """The store with the search that is switched on."""
        store = self.store
        chosen = {name: value for name, value in store.settings().items() if name.startswith("panel.")}
        with self._lock:
            if self._searched is None or self._searched[0] != chosen:
                self._close_search()
                found = switches.searched_store(store, keep_open=True)
                self._searched = chosen, found
            return self._searched[1]

    def _close_search(self) -> None:
        if self._searched is not None and self._searched[1] is not self._store:
            self._searched[1].close()
        self._searched = None

    @property
    def enhanced(self) -> bool:
        """Whether project memory is added to what agents are told."""
        return switches.is_enhanced(self.store)

    @property
    def model(self) -> str | None:
        """The model that was chosen, without its provider."""
        return self.store.settings().get(switches.MODEL, "").partition(":")[2] or None

    def project_rows(self) -> list[tuple[str, int, int, float]]:
        """Return key, memories, pending ones and newest time of every project; remembered until somebody writes."""
        store = self.store
        return list(self.remembered(("projects", store.version()), store.project_rows))

    def tally(self, key: str) -> dict[tuple[str, str, str, bool], int]:
        """Count the memories of a project, "" for all; remembered until somebody writes."""
        version = self.store.version()
        known = self._tallies.get(key)
        if known is None or known[0] != version:
            known = self._tallies[key] = version, self.store.tally(Browsing(key))
        counted: dict[tuple[str, str, str, bool], int] = known[1]
        return counted

    def _signs(self) -> dict[tuple[str, str], Any]:
        version = self.store.version()
        signs = dict(self.remembered(("signs", version), self.store.signs))
        own = self.project.key if self.project else ""
        signs[own, "notes"] = _stamp(self.notebook(None).path)
        signs["", "sessions"] = [entry.stamp for entry in self.sessions.listed()]
        return signs

    # ---- projects and notes

    def key_of(self, asked: str | None) -> str:
        """Return the key of the project that is asked for, the panel's own for None; "" for all."""
        if asked is not None:
            return asked
        return self.project.key if self.project else ""

    def place_of(self, key: str) -> tuple[str, str | None]:
        """Return the name of a project and its folder on this machine, where it is known."""
        if self.project is not None and self.project.key == key:
            return self.project.name, self.project.root
        found = self.sessions.projects().get(key)
        return (found.name, found.root) if found else (key, None)

    def memories(self, asked: str | None) -> PersistentMemoryManager:
        """Return the memories of one project.

        Raises:
            Problem: none is named.
        """
        key = self.key_of(asked)
        if not key:
            raise Problem(400, "no_project", "project")
        return PersistentMemoryManager(self.store, key, clock=self.clock)

    def root_of(self, asked: str | None) -> Path:
        """Return the folder of a project's notes; the panel's own where none is named.

        Raises:
            Problem: the project's folder is not known.
        """
        if not asked or (self.project is not None and asked == self.project.key):
            return Path(self.project.root) if self.project else self.settings.folder
        root = self.place_of(asked)[1]
        if root is None:
            raise Problem(404, "no_folder", "project", key=asked)
        return Path(root)

    def notebook(self, asked: str | None, language: Language | None = None) -> Notebook:
        """Return MEMORY.md of a project."""
        chosen = language or self.store.settings().get(switches.LANGUAGE) or "auto"
        return Notebook(self.root_of(asked) / "memory", language=cast("NotesLanguage", chosen))

    def documents(self, asked: str | None) -> Documents:
        """Return the Markdown notes of a project."""
        root = self.root_of(asked)
        return cast("Documents", self.remembered(("documents", root), lambda: Documents(root)))

    # ---- sessions and their compactions

    def size_of(self, message: Message) -> int:
        """Return the tokens of a message."""
        return count_message(message, self.count)

    def line_of(self, read: Transcript) -> str | None:
        """Return what a session was about as a line of memory; None for nothing."""
        return line_of(read, self.store.settings().get(switches.MODEL) or None)

    def uses_of(self, stored: StoredMemory) -> list[Any]:
        """Return the compactions whose summaries hold a memory, the newest first."""
        found = self.records.holding(stored.entry.content)
        return [
            {"record": kept.id, "session": self.session_of(kept), "at": time_of(kept.row.made)} for kept in found
        ]

    def session_of(self, kept: Kept) -> str | None:
        """Return the id of a record's session, where it is on this machine."""
        entry = self.remembered(("task", kept.session), lambda: self.sessions.named(kept.session))
        return entry.id if entry else None

    def project_of_task(self, task: str) -> str | None:
        """Return the key of the project that a session belongs to."""
        entry = self.remembered(("task", task), lambda: self.sessions.named(task))
        return self.sessions.key_of(self.sessions.folder_of(entry)) if entry else None

    def records_of(self, entry: Entry, read: Transcript) -> list[Any]:
        """Return the compactions of a session, the newest first: ours, then the agent's own.

        A summary of ours that the agent left in its session is no other compaction: its record tells more.
        """
        kept = self.records.of_task(self.sessions.about(entry).task)
        answered = _is_answered(kept)
        own = [
            shown
            for shown, folded in agent_records(read, entry.id, self.size_of)
            if not (answered and is_context_block(read[folded.stop]))
        ]
        return [*(shown_record(one, entry.id) for one in kept), *own]

    def compactions_of(self, entry: Entry) -> int | None:
        """Return how many `records_of` gives, holding nothing; None where the session is too large to be looked at."""
        kept = self.records.of_task(self.sessions.about(entry).task)
        summaries = self.sessions.summaries(entry)
        if summaries is None:
            return None
        answered = _is_answered(kept)
        return len(kept) + sum(not (answered and is_ours) for is_ours in summaries)

    def folded_in(self, entry: Entry, read: Transcript) -> dict[int, str]:
        """Say which messages of a session were folded for its agent: index -> record, the newest that did."""
        kept = [one for one in self.records.of_task(self.sessions.about(entry).task) if one.in_use]
        if not kept:
            return {}
        by_handle = {handle: one.id for one in reversed(kept) for handle in one.handles}
        handles = self.remembered(("handles", entry.stamp), lambda: [handle_of(message) for message in read])
        return {index: by_handle[name] for index, name in enumerate(handles) if name in by_handle}

    def scores_of(self, entry: Entry, read: Transcript) -> list[float]:
        """Say how important each message of a session is, 0 to 100; nothing of very long ones."""
        if len(read) > MOST_SCORED:
            return []
        scores = self.remembered(
            ("scores", entry.stamp), lambda: [float(one.score) for one in score_all_messages(read.messages)]
        )
        return cast("list[float]", scores)

    # ---- what is shared by all

    def remembered(self, name: object, make: Callable[[], Any]) -> Any:
        """Return what was made under a name, or make it; the least recently used are let go."""
        with self._lock:
            if name in self._remembered:
                self._remembered.move_to_end(name)
                return self._remembered[name]
        made = make()
        with self._lock:
            self._remembered[name] = made
            while len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)
        return made

    @staticmethod
    def say(code: str, language: Language | None, **values: object) -> str:
        """Return a text in a language."""
        return say(code, language or "en", **values)

    def close(self) -> None:
        """Let go of the store."""
        with self._lock:
            self._close_search()
            if self._store is not None:
                self._store.close()
                self._store = None


def _is_answered(kept: list[Kept]) -> bool:
    return any(one.source == "proxy answer" for one in kept)


def _stamp(path: Path) -> object:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino

"""What the panel works with: this user's store, the sessions of this machine, and what can be taken back."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio

from condense.apps.panel.asking import HEAVY, Problem
from condense.apps.panel.condensing import handle_of
from condense.apps.panel.records import Records
from condense.apps.panel.sessions import Sessions
from condense.apps.panel.undoing import Undoing
from condense.apps.panel.values import time_of
from condense.compaction import score_all_messages
from memory import PersistentMemoryManager
from memory.conversation import count_message, default_counter
from memory.projects import project_of
from memory.stores import BrowsableStore, Browsing, made_data_folder, store_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from condense.apps.panel.records import Kept
    from condense.apps.panel.sessions import Entry
    from memory.conversation import Message, Transcript
    from memory.entries import MemoryStore, StoredMemory, ThreadStore

PORT: Final = 7474
MOST_SCORED: Final = 20_000
"""Messages of a session up to which each is told how important it is; chosen."""


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
        self.records = Records(lambda: self.store)
        self.undoing = Undoing()
        self.lock = threading.Lock()
        self._store: BrowsableStore | None = None
        self._tallies: dict[str, tuple[object, Any]] = {}
        self._known: dict[tuple[str, object], Any] = {}

    @cached_property
    def heavy(self) -> anyio.CapacityLimiter:
        """Lets few of the heavy requests run at one time."""
        return anyio.CapacityLimiter(HEAVY)

    @property
    def store(self) -> BrowsableStore:
        """This user's store, opened when it is first needed.

        Raises:
            StoreError: it cannot be opened.
        """
        with self.lock:
            if self._store is None:
                made_data_folder()
                self._store = BrowsableStore(store_file())
            return self._store

    @property
    def searched(self) -> MemoryStore:
        """The store that is searched."""
        return self.store

    @property
    def enhanced(self) -> bool:
        """Whether project memory is added to what agents are told."""
        return True

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

    def tally(self, key: str) -> dict[tuple[str, str, str, bool], int]:
        """Count the memories of a project, "" for all; remembered until somebody writes."""
        version = self.store.version()
        known = self._tallies.get(key)
        if known is None or known[0] != version:
            known = self._tallies[key] = version, self.store.tally(Browsing(key))
        counted: dict[tuple[str, str, str, bool], int] = known[1]
        return counted

    def memories(self, asked: str | None) -> PersistentMemoryManager:
        """Return the memories of one project.

        Raises:
            Problem: none is named.
        """
        key = self.key_of(asked)
        if not key:
            raise Problem(400, "no_project", "project")
        return PersistentMemoryManager(self.store, key, clock=self.clock)

    def size_of(self, message: Message) -> int:
        """Return the tokens of a message."""
        return count_message(message, self.count)

    def uses_of(self, stored: StoredMemory) -> list[Any]:
        """Return the compactions whose summaries hold a memory, the newest first."""
        found = self.records.holding(stored.entry.content)
        return [
            {"record": kept.id, "session": kept.session or None, "at": time_of(kept.row.made)}
            for kept in found
        ]

    def records_of(self, entry: Entry, read: Transcript) -> list[Any]:
        """Return the compactions of a session."""
        task = self.sessions.about(entry).task
        return [shown_record(kept, entry.id) for kept in self.records.of_task(task)]

    def folded_in(self, entry: Entry, read: Transcript) -> dict[int, str]:
        """Say which messages of a session a compaction folded: index -> record, the newest that did."""
        kept = [one for one in self.records.of_task(self.sessions.about(entry).task) if not one.undone]
        if not kept:
            return {}
        by_handle = {handle: one.id for one in reversed(kept) for handle in one.handles}
        found = ((index, by_handle.get(handle_of(message))) for index, message in enumerate(read))
        return {index: record for index, record in found if record is not None}

    def scores_of(self, entry: Entry, read: Transcript) -> list[float]:
        """Say how important each message of a session is, 0 to 100; nothing of very long ones."""
        if len(read) > MOST_SCORED:
            return []
        name = ("scores", entry.stamp)
        if name not in self._known:
            self._known = {name: [float(one.score) for one in score_all_messages(read.messages)]}
        scores: list[float] = self._known[name]
        return scores

    def close(self) -> None:
        """Let go of the store."""
        with self.lock:
            if self._store is not None:
                self._store.close()
                self._store = None


def shown_record(kept: Kept, session: str | None) -> Any:
    """Return a record as lists show it."""
    return {
        "id": kept.id,
        "session": session,
        "at": time_of(kept.row.made),
        "tokens_before": kept.tokens_before,
        "tokens_after": kept.tokens_after,
        "target": kept.target,
        "actions": kept.actions,
        "undone": kept.undone,
        "source": kept.source,
    }

"""Compactions on record: who made them, of which session, and what they folded."""

from __future__ import annotations

import threading
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from condense.apps.backfill import MARKS
from condense.apps.panel.values import time_of
from condense.compaction import CompactionRecord
from condense.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from condense.apps.panel import shapes
    from memory.conversation import Message
    from memory.stores import Browsable, RecordRow

UNDONE: Final = "undone/"
"""Begins the task under which a record that was taken back is kept."""
PROXY: Final = "proxy/"
COMMAND_LINE: Final = "command line"
MADE_BY: Final = {"@": "proxy answer", "~": "library"}
"""Who made a record, by the sign behind its own name; without one, the command line."""
AGENT: Final = "agent."
"""Begins the names of compactions that an agent made itself."""
SUMMARIES: Final = 200
"""Records, the newest, whose summaries are looked through; chosen."""


@dataclass(frozen=True)
class Kept:
    """A record in the store, without what is large in it."""

    row: RecordRow
    tokens_before: int
    tokens_after: int
    target: int
    actions: int
    handles: frozenset[str]
    digest: str
    length: int

    @cached_property
    def id(self) -> str:
        """Names it in an address."""
        named = f"{self.row.project or ''} {self.row.id}".encode("utf-8", "surrogatepass")
        return urlsafe_b64encode(blake2b(named, digest_size=12).digest()).decode()

    @property
    def undone(self) -> bool:
        """Whether it was taken back."""
        return self.row.task.startswith(UNDONE)

    @property
    def source(self) -> str:
        """Who made it."""
        task = self.row.task.removeprefix(UNDONE)
        if task.startswith(PROXY):
            return "proxy view"
        mark = next((sign for sign in self.row.id if sign in MADE_BY), "")
        return MADE_BY.get(mark, COMMAND_LINE)

    @property
    def in_use(self) -> bool:
        """Whether an agent went on from it; what the command line writes is a file of its own."""
        return not self.undone and self.source != COMMAND_LINE

    @property
    def session(self) -> str:
        """The id of its session, as the agent names it."""
        return self.row.task.removeprefix(UNDONE).removeprefix(PROXY).partition("/")[0]


class Records:
    """All records of the store; each is read once.

    Args:
        store: gives the store, once it is needed.
    """

    def __init__(self, store: Callable[[], Browsable]) -> None:
        self._store = store
        self._version: object = None
        self._listed: list[Kept] = []
        self._read: dict[RecordRow, Kept | None] = {}
        self._summaries: dict[RecordRow, str] = {}
        self._lock = threading.Lock()

    def listed(self) -> list[Kept]:
        """Return all, the newest first; what is no record, or of a newer release, is left out."""
        store = self._store()
        with self._lock:
            version = store.version()
            if version != self._version:
                rows = store.record_rows(without=MARKS)
                for row in rows:
                    if row not in self._read:
                        self._read[row] = self._kept(store, row)
                self._read = {row: self._read[row] for row in rows}
                self._listed = [kept for kept in self._read.values() if kept is not None]
                newest = {kept.row for kept in self._listed[:SUMMARIES]}
                self._summaries = {row: text for row, text in self._summaries.items() if row in newest}
                self._version = version
            return self._listed

    def of_task(self, task: str) -> list[Kept]:
        """Return the records of a session, the newest first."""
        return [kept for kept in self.listed() if kept.session == task] if task else []

    def named(self, name: str) -> Kept | None:
        """Return the record that an address names."""
        return next((kept for kept in self.listed() if name in (kept.id, kept.row.id)), None)

    def whole(self, kept: Kept) -> CompactionRecord | None:
        """Read a record; None where it has gone meanwhile."""
        content = self._store().record_content(kept.row.ordinal)
        return None if content is None else CompactionRecord.from_json(content)

    def holding(self, words: str) -> list[Kept]:
        """Return the newest records whose summaries hold words."""
        found = []
        for kept in self.listed()[:SUMMARIES]:
            summary = self._summaries.get(kept.row)
            if summary is None:
                read = self.whole(kept)
                summary = self._summaries[kept.row] = read.summary if read else ""
            if words in summary:
                found.append(kept)
        return found

    @staticmethod
    def _kept(store: Browsable, row: RecordRow) -> Kept | None:
        content = store.record_content(row.ordinal)
        try:
            read = CompactionRecord.from_json(content) if content else None
        except RecordError:
            return None
        if read is None:
            return None
        return Kept(
            row,
            read.tokens_before,
            read.tokens_after,
            read.target,
            len(read.actions),
            frozenset(read.handles),
            read.digest,
            read.length,
        )


def shown_record(kept: Kept, session: str | None) -> shapes.Record:
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


def agent_records(
    read: Sequence[Message], session: str, size: Callable[[Message], int]
) -> list[tuple[shapes.Record, range]]:
    """Return the compactions that an agent made itself and left in its session, newest first, with what they folded."""
    found: list[tuple[shapes.Record, range]] = []
    first = 0
    for index, message in enumerate(read):
        if not message.meta.is_compact_summary:
            continue
        folded = range(first, index)
        before = sum(size(read[i]) for i in folded)
        shown: shapes.Record = {
            "id": f"{AGENT}{index}.{session}",
            "session": session,
            "at": time_of(message.meta.timestamp),
            "tokens_before": before,
            "tokens_after": size(message),
            "target": 0,
            "actions": 1,
            "undone": False,
            "source": "agent",
        }
        found.append((shown, folded))
        first = index
    return found[::-1]

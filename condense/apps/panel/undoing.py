"""What the panel's changes replaced, so that each can be taken back as long as nobody changed the same since."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from condense.apps.panel.asking import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memory.entries import ProjectStore, StoredMemory

MOST: Final = 100
"""Changes that can be taken back."""

Name = tuple[str | None, str]


class Noting:
    """A store that notes what stood where something is written; all else is the store's own."""

    def __init__(self, store: ProjectStore) -> None:
        self._store = store
        self.before: dict[Name, StoredMemory | None] = {}

    def __getattr__(self, name: str) -> Any:
        """Return the store's own method."""
        return getattr(self._store, name)

    def put(self, memories: Iterable[StoredMemory]) -> int:
        """Keep memories; see `MemoryStore.put`."""
        those = list(memories)
        for memory in those:
            self._note(memory.project, memory.id)
        return self._store.put(those)

    def delete(self, project: str | None, ids: Iterable[str]) -> int:
        """Remove memories; see `MemoryStore.delete`."""
        those = list(ids)
        for name in those:
            self._note(project, name)
        return self._store.delete(project, those)

    def _note(self, project: str | None, name: str) -> None:
        if (project, name) not in self.before:
            self.before[project, name] = self._store.get(project, name)


@dataclass(frozen=True, slots=True)
class Change:
    """What one change replaced and by what; `back` takes back what is no memory."""

    before: dict[Name, StoredMemory | None] = field(default_factory=dict)
    after: dict[Name, StoredMemory | None] = field(default_factory=dict)
    back: Callable[[], None] | None = None


class Undoing:
    """The newest changes of this server."""

    def __init__(self) -> None:
        self._changes: OrderedDict[str, Change] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, change: Change) -> str:
        """Remember a change; return the token that takes it back."""
        token = secrets.token_urlsafe(12)
        with self._lock:
            self._changes[token] = change
            while len(self._changes) > MOST:
                self._changes.popitem(last=False)
        return token

    def noted(self, store: ProjectStore, noting: Noting) -> str:
        """Remember what was written through a noting store, within its transaction."""
        after = {name: store.get(*name) for name in noting.before}
        return self.keep(Change(dict(noting.before), after))

    def undo(self, store: ProjectStore, token: str) -> StoredMemory | None:
        """Take a change back; return the memory that it was about, None where there is none any more.

        Raises:
            Problem: the token is not known (any more), or somebody changed the same since.
        """
        with self._lock:
            change = self._changes.get(token)
        if change is None:
            raise Problem(410, "no_undo", "undo", why="the token is not known, or older than the newest changes")
        if change.back is not None:
            change.back()
        with store.writing():
            for place, after in change.after.items():
                if _compared(store.get(*place)) != _compared(after):
                    raise Problem(410, "no_undo", "undo", why="it was changed again since")
            for (project, name), before in change.before.items():
                if before is None:
                    store.delete(project, [name])
                else:
                    store.put([before])
        with self._lock:
            self._changes.pop(token, None)
        first = next(iter(change.before), None)
        return store.get(*first) if first else None


def _compared(memory: StoredMemory | None) -> StoredMemory | None:
    """Return a memory without what reading it changes."""
    if memory is None:
        return None
    return replace(memory, entry=replace(memory.entry, access_count=0, last_accessed_at=0.0))

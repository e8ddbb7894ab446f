"""Looking through a store as a whole, as the panel does: what is asked, and which stores can answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from memory.entries import ProjectStore
from memory.errors import StoreError
from memory.stores import OURS, made_data_folder, store_elsewhere, store_file

if TYPE_CHECKING:
    from collections.abc import Hashable

    from memory.entries import MemoryPriority, MemoryStatus, MemoryType, StoredMemory

_RANK: Final = "CASE priority WHEN 'critical' THEN 3 WHEN 'high' THEN 2 WHEN 'medium' THEN 1 ELSE 0 END"
ORDERS: Final = {
    "newest": "created DESC, row DESC",
    "priority": f"pinned DESC, {_RANK} DESC, accessed DESC, row DESC",
    "used": "uses DESC, accessed DESC, row DESC",
}
"""How a page may be sorted; columns of both tables of memories."""


@dataclass(frozen=True, slots=True)
class Browsing:
    """Which shared memories are looked at; empty tuples and None do not restrict. `project` "": of all projects."""

    project: str = ""
    statuses: tuple[MemoryStatus, ...] = ()
    types: tuple[MemoryType, ...] = ()
    priorities: tuple[MemoryPriority, ...] = ()
    pinned: bool | None = None


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A compaction record as lists show it, without its content."""

    ordinal: int
    project: str | None
    task: str
    id: str
    made: float


class Browsable(ProjectStore, Protocol):
    """A store that is looked through as a whole; several threads may."""

    @property
    def path(self) -> str:
        """Where it is, as people are told: a file, or database and host."""

    def page(
        self, looked_at: Browsing, order: str = "newest", *, limit: int = 50, offset: int = 0
    ) -> tuple[StoredMemory, ...]:
        """Return some of the shared memories in one of `ORDERS`."""

    def tally(self, looked_at: Browsing) -> dict[tuple[str, str, str, bool], int]:
        """Count shared memories by status, type, priority and being pinned."""

    def created(self, project: str, since: float, width: float) -> dict[int, int]:
        """Count shared memories created since a time by spans of `width` seconds: number of the span since 1970."""

    def project_rows(self) -> list[tuple[str, int, int, float]]:
        """Return key, shared memories that hold, those of them pending, and the newest time, of every project."""

    def record_rows(self, without: str = "") -> list[RecordRow]:
        """Return all records but those of one task, the newest first."""

    def record_content(self, ordinal: int) -> str | None:
        """Return a record by its ordinal; None where it has gone."""

    def any_original(self, handle: str, project: str = "") -> bytes:
        """Return an original, whoever keeps it, this project first; else as `get_original`."""

    def version(self) -> Hashable:
        """Return what is another value whenever anybody wrote, this store included."""

    def signs(self) -> dict[tuple[str, str], Any]:
        """Return what changes whenever something does, by project ("" for none) and kind: memories or records."""


def open_browsable() -> Browsable:
    """Open this user's store to look through: the file, or what `HOLDFAST_STORE` names.

    Raises:
        StoreError: it cannot be opened, a package for it is not installed, or a plug-in keeps it.
    """
    named = store_elsewhere()
    if not named:
        from memory.stores import BrowsableStore

        made_data_folder()
        return BrowsableStore(store_file())
    name = named.partition(":")[0]  # what follows may hold a password
    if name.partition("+")[0] not in OURS["stores"]:
        raise StoreError(f"the store {name}:... cannot be looked through; your own file, SQLite and PostgreSQL can")
    try:
        from memory.stores import BrowsableSqlStore

        return BrowsableSqlStore(named)
    except ImportError as error:
        raise StoreError(str(error)) from error

"""The SQLite store as people browse it: pages in an order, counts, records of all tasks, and what others changed.

An order is remembered until somebody writes, so that a page of 100,000 memories costs what its rows cost.
"""

# ruff: noqa: S608  # statements are put together from column names of ours; values are always bound

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from memory.stores.base import read_handle, unknown_handle
from memory.stores.browsing import ORDERS, Browsing, RecordRow
from memory.stores.rows import restored, storable, unpacked
from memory.stores.sqlite.rows import SELECT
from memory.stores.sqlite.schema import PROJECT_BITS
from memory.stores.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

    from memory.entries import StoredMemory

_KINDS: Final = ("status", "type", "priority")

REMEMBERED: Final = 8
"""Orders that are remembered at most, each of 8 bytes a memory; chosen."""
MAPPED: Final = 1 << 30
"""Bytes of the file that are mapped into memory."""


class BrowsableStore(SqliteStore):
    """A `SqliteStore` that is looked through as a whole; several threads may. The file is mapped, not copied."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(path)
        self._connection.execute(f"PRAGMA mmap_size = {MAPPED}")
        self._orders: dict[tuple[Browsing, str], tuple[tuple[int, int], array[int]]] = {}

    def page(
        self, looked_at: Browsing, order: str = "newest", *, limit: int = 50, offset: int = 0
    ) -> tuple[StoredMemory, ...]:
        """Return some of the shared memories in one of `ORDERS`."""
        with self.reading() as connection:
            wanted = self._order(looked_at, order)[offset : offset + limit]
            marks = ", ".join("?" * len(wanted))
            found = connection.execute(f"{SELECT} WHERE row IN ({marks})", wanted.tolist()).fetchall()
            by_row = {row[0]: row for row in found}
            rows = [by_row[number] for number in wanted if number in by_row]
            keys = {number: key for number, key, *_ in connection.execute("SELECT number, key FROM projects")}
            named = [restored(keys[row[1]]) if row[1] else None for row in rows]
            memories = zip(self._memories(rows, None), named, strict=True)
            return tuple(replace(memory, project=key) for memory, key in memories)

    def _order(self, looked_at: Browsing, order: str) -> array[int]:
        version = self.version()
        known = self._orders.pop((looked_at, order), None)
        if known is None or known[0] != version:
            where, values = self._where(looked_at)
            statement = f"SELECT row FROM memories WHERE {where} ORDER BY {ORDERS[order]}"
            with self.reading() as connection:
                known = version, array("q", [row for (row,) in connection.execute(statement, values)])
        self._orders[looked_at, order] = known
        while len(self._orders) > REMEMBERED:
            del self._orders[next(iter(self._orders))]
        return known[1]

    def tally(self, looked_at: Browsing) -> dict[tuple[str, str, str, bool], int]:
        """Count shared memories by status, type, priority and being pinned."""
        with self.reading() as connection:
            where, values = self._where(looked_at)
            rows = connection.execute(  # one column to sort by is a third quicker than four
                "SELECT status || '/' || type || '/' || priority || '/' || pinned, count(*) FROM memories "
                f"WHERE {where} GROUP BY 1",
                values,
            ).fetchall()
        counted = ((*kinds.split("/"), count) for kinds, count in rows)
        return {(status, kind, priority, pinned == "1"): n for status, kind, priority, pinned, n in counted}

    def created(self, project: str, since: float, width: float) -> dict[int, int]:
        """Count shared memories created since a time by spans of `width` seconds: number of the span since 1970."""
        with self.reading() as connection:
            where, values = self._where(Browsing(project))
            rows = connection.execute(
                "SELECT CAST(created / ? AS INTEGER), count(*) FROM memories "
                f"WHERE {where} AND created >= ? GROUP BY 1",
                (width, *values, since),
            ).fetchall()
        return dict(rows)

    def project_rows(self) -> list[tuple[str, int, int, float]]:
        """Return key, shared memories that hold, those of them pending, and the newest time, of every project."""
        with self.reading() as connection:
            rows = connection.execute(
                "WITH held AS (SELECT project, sum(status IN ('pending', 'persisted')) AS kept, sum(status = "
                "'pending') AS pending, max(created) AS newest FROM memories NOT INDEXED WHERE scope = 'project' "
                "GROUP BY project) SELECT key, ifnull(kept, 0), ifnull(pending, 0), max(ifnull(newest, 0), "
                "ifnull((SELECT max(updated) FROM conversations WHERE project = number), 0)) "
                "FROM projects LEFT JOIN held ON project = number WHERE number > 0 ORDER BY 4 DESC"
            ).fetchall()
        return [(restored(key), *rest) for key, *rest in rows]

    def record_rows(self, without: str = "") -> list[RecordRow]:
        """Return all records but those of one task, the newest first."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT ordinal, key, task, id, made FROM records JOIN projects ON number = project WHERE task != ? "
                "ORDER BY made DESC, ordinal DESC",
                (without,),
            ).fetchall()
        return [RecordRow(o, restored(k) or None, restored(t), restored(i), m) for o, k, t, i, m in rows]

    def record_content(self, ordinal: int) -> str | None:
        """Return a record by its ordinal; None where it has gone."""
        with self.reading() as connection:
            row = connection.execute("SELECT content FROM records WHERE ordinal = ?", (ordinal,)).fetchone()
        return None if row is None else unpacked(row[0])

    def any_original(self, handle: str, project: str = "") -> bytes:
        """Return an original, whoever keeps it, this project first; else as `get_original`."""
        prefix = read_handle(handle)
        with self.reading() as connection:
            owner = connection.execute(
                "SELECT ifnull(key, ''), task FROM owners JOIN originals ON ordinal = original LEFT JOIN projects ON "
                "number = project WHERE digest BETWEEN ? AND ? ORDER BY key IS NOT ? LIMIT 1",
                (prefix, prefix + "g", storable(project)),
            ).fetchone()
        if owner is None:
            raise unknown_handle(handle)
        return self.get_original(restored(owner[0]) or None, restored(owner[1]), handle)

    def version(self) -> tuple[int, int]:
        """Return what is another value whenever anybody wrote, this store included."""
        with self.reading() as connection:
            return self.data_version(), connection.total_changes

    def signs(self) -> dict[tuple[str, str], Any]:
        """Return what changes whenever something does, by project ("" for none) and kind: memories or records."""
        with self.reading() as connection:
            memories = connection.execute(
                "SELECT key, count(*), max(row), sum(uses), sum(pinned), sum(status = 'pending'), "
                "sum(status = 'persisted'), sum(length(content)), sum(length(details)) "
                "FROM memories JOIN projects ON number = project GROUP BY 1"
            ).fetchall()
            records = connection.execute(
                "SELECT key, count(*), max(ordinal) FROM records JOIN projects ON number = project GROUP BY 1"
            ).fetchall()
        told = {(restored(row[0]), "memories"): row[1:] for row in memories}
        return told | {(restored(row[0]), "records"): row[1:] for row in records}

    def _where(self, looked_at: Browsing) -> tuple[str, list[Any]]:
        parts, values = ["scope = 'project'"], []  # type: list[str], list[Any]
        if looked_at.project:
            first = self._known_number(looked_at.project) << PROJECT_BITS  # a project is a range of rows
            parts.append("row BETWEEN ? AND ?")
            values += [first, first | ((1 << PROJECT_BITS) - 1)]
        chosen = (looked_at.statuses, looked_at.types, looked_at.priorities)
        for column, choices in zip(_KINDS, chosen, strict=True):
            if choices:
                parts.append(f"{column} IN ({', '.join('?' * len(choices))})")
                values += [storable(choice) for choice in choices]
        if looked_at.pinned is not None:
            parts.append("pinned = ?")
            values.append(int(looked_at.pinned))
        return " AND ".join(parts), values

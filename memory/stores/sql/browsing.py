"""The SQL store as people browse it: pages in an order, counts, records of all tasks, and what others changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import cast, func, select, text

from memory.entries import ACTIVE, MemoryFilter, MemoryScope, MemoryStatus
from memory.errors import UnknownHandleError
from memory.stores.base import read_handle, unknown_handle
from memory.stores.browsing import ORDERS, Browsing, RecordRow
from memory.stores.rows import unpacked
from memory.stores.sql.schema import CONVERSATIONS, MEMORIES, NUMBER, ORIGINALS, RECORDS, SPACES
from memory.stores.sql.store import SqlStore, conditions_of, memory_in

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

    from memory.entries import StoredMemory

_KIND: Final = "project"


class BrowsableSqlStore(SqlStore):
    """A `SqlStore` that is looked through as a whole; several threads may.

    The database sorts for each page: what it would remember, others would soon make stale.
    """

    def page(
        self, looked_at: Browsing, order: str = "newest", *, limit: int = 50, offset: int = 0
    ) -> tuple[StoredMemory, ...]:
        """Return some of the shared memories in one of `ORDERS`."""
        with self.reading() as connection:
            chosen = select(MEMORIES.c.row).where(*self._where(connection, looked_at))
            chosen = chosen.order_by(text(ORDERS[order])).limit(limit).offset(offset)
            wanted = connection.execute(chosen).scalars().all()
            found = {row.row: row for row in self._rows(connection, self._among(MEMORIES.c.row, wanted))}
            keys = self._keys(connection)
        rows = [found[number] for number in wanted if number in found]
        return tuple(memory_in(row, keys[row.project] or None) for row in rows)

    def tally(self, looked_at: Browsing) -> dict[tuple[str, str, str, bool], int]:
        """Count shared memories by status, type, priority and being pinned."""
        by = MEMORIES.c.status, MEMORIES.c.type, MEMORIES.c.priority, MEMORIES.c.pinned
        with self.reading() as connection:
            counted = select(*by, func.count()).where(*self._where(connection, looked_at)).group_by(*by)
            rows = connection.execute(counted).all()
        return {(status, kind, priority, bool(pinned)): n for status, kind, priority, pinned, n in rows}

    def created(self, project: str, since: float, width: float) -> dict[int, int]:
        """Count shared memories created since a time by spans of `width` seconds: number of the span since 1970."""
        spans = MEMORIES.c.created / width
        span = cast(func.floor(spans) if self._pg else spans, NUMBER).label("span")
        with self.reading() as connection:
            where = *self._where(connection, Browsing(project)), MEMORIES.c.created >= since
            rows = connection.execute(select(span, func.count()).where(*where).group_by("span")).all()
        return {number: count for number, count in rows}  # noqa: C416  # rows are no pairs to mypy

    def project_rows(self) -> list[tuple[str, int, int, float]]:
        """Return key, shared memories that hold, those of them pending, and the newest time, of every project."""
        held, kept = MEMORIES.c, CONVERSATIONS.c
        numbers = select(
            held.project,
            func.count().filter(held.status.in_([str(one) for one in ACTIVE])),
            func.count().filter(held.status == MemoryStatus.PENDING.value),
            func.max(held.created),
        )
        updated = select(kept.project, func.max(kept.updated)).group_by(kept.project)
        numbers = numbers.where(held.scope == MemoryScope.PROJECT.value).group_by(held.project)
        records = select(RECORDS.c.project).distinct()
        with self.reading() as connection:
            counts = connection.execute(numbers).all()
            keys = self._keys(connection)  # after them: others may begin projects meanwhile
            rows = dict.fromkeys((*keys.values(), *connection.execute(records).scalars()), (0, 0, 0.0))
            rows |= {keys[number]: (*counted,) for number, *counted in counts}
            for key, at in connection.execute(updated):
                count, pending, newest = rows.get(key, (0, 0, 0.0))
                rows[key] = count, pending, max(newest, at)
        rows.pop("", None)
        return sorted(((key, *rest) for key, rest in rows.items()), key=lambda row: -row[3])

    def record_rows(self, without: str = "") -> list[RecordRow]:
        """Return all records but those of one task, the newest first."""
        held = RECORDS.c
        wanted = select(held.ordinal, held.project, held.task, held.id, held.made)
        wanted = wanted.where(held.task != without).order_by(held.made.desc(), held.ordinal.desc())
        with self.reading() as connection:
            rows = connection.execute(wanted).all()
        return [RecordRow(row.ordinal, row.project or None, *row[2:]) for row in rows]

    def record_content(self, ordinal: int) -> str | None:
        """Return a record by its ordinal; None where it has gone."""
        with self.reading() as connection:
            content = connection.execute(select(RECORDS.c.content).where(RECORDS.c.ordinal == ordinal)).scalar()
        return None if content is None else unpacked(content)

    def any_original(self, handle: str, project: str = "") -> bytes:
        """Return an original, whoever keeps it, this project first; else as `get_original`."""
        if project:
            try:
                return self.get_original(project, "", handle)
            except UnknownHandleError:
                pass
        prefix = read_handle(handle)
        held = ORIGINALS.c
        wanted = select(held.project, held.task).where(held.digest >= prefix, held.digest < prefix + "g")
        with self.reading() as connection:
            owner = connection.execute(wanted.order_by(held.project != project).limit(1)).first()
        if owner is None:
            raise unknown_handle(handle)
        return self.get_original(owner.project or None, owner.task, handle)

    def version(self) -> tuple[int, int]:
        """Return what is another value whenever anybody wrote, this store included."""
        return self.data_version(), id(self._inside())  # what is seen within a transaction is only seen there

    def signs(self) -> dict[tuple[str, str], Any]:
        """Return what changes whenever something does, by project ("" for none) and kind: memories or records."""
        held, kept = MEMORIES.c, RECORDS.c
        length = func.octet_length if self._pg else func.length  # bytes are known, characters are counted
        memories = select(
            held.project,
            func.count(),
            func.max(held.row),
            func.sum(held.uses),
            func.sum(held.pinned),
            *(func.count().filter(held.status == str(status)) for status in ACTIVE),
            func.sum(length(held.content)),
            func.sum(length(held.details)),
        ).group_by(held.project)
        moved = func.max(kept.ordinal), func.sum(length(kept.task)), func.sum(func.length(kept.content))
        records = select(kept.project, func.count(), *moved).group_by(kept.project)
        with self.reading() as connection:
            rows = connection.execute(memories).all()
            keys = self._keys(connection)
            told = {(keys[row[0]], "memories"): tuple(row[1:]) for row in rows}
            return told | {(row[0], "records"): tuple(row[1:]) for row in connection.execute(records)}

    def _where(self, connection: Connection, looked_at: Browsing) -> list[ColumnElement[bool]]:
        wanted = MemoryFilter(
            looked_at.project,
            (),
            MemoryScope.PROJECT,
            looked_at.types,
            looked_at.priorities,
            looked_at.statuses,
            looked_at.pinned,
        )
        found = conditions_of(wanted)
        if looked_at.project:
            found.append(MEMORIES.c.project == self._number(connection, _KIND, looked_at.project))
        return found

    def _keys(self, connection: Connection) -> dict[int, str]:
        """Return the keys of projects of which memories are or were kept, "" for none, by number."""
        named = select(SPACES.c.number, SPACES.c.name).where(SPACES.c.kind == _KIND, SPACES.c.sequence > 0)
        return {row.number: row.name for row in connection.execute(named)}

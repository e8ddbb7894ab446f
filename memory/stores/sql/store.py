"""The SQL store, whole: threads, and projects with their memories."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import delete, func, select, text, update

from memory.consolidation import answers_of
from memory.entries import MemoryPriority, MemoryScope, SearchHit, StoredMemory, without_secrets
from memory.search import MOST_READ, asked_by, keys_held, length_of, terms_of
from memory.stores.counting import tallied
from memory.stores.rows import (
    ANALYSIS,
    COLUMNS,
    memory_of,
    restored,
    row_of,
    sighting_of,
    sighting_rows,
    storable,
)
from memory.stores.sql.database import UPGRADE
from memory.stores.sql.postings import SqlPostings, digest_of, index_rows, keys_with, span_of, unindex_rows
from memory.stores.sql.schema import MEMORIES, POSTINGS, SETTINGS, VECTORS
from memory.stores.sql.shelves import SqlShelves, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import ColumnElement, Connection, Table
    from sqlalchemy.engine import URL, Engine

    from memory.entries import MemoryFilter, MemoryStats
    from memory.search import Key

_KIND: Final = "project"
_ANALYSIS: Final = "store.analysis"
_BATCH: Final = 1000
"""Texts that are indexed anew at once (chosen)."""


class SqlStore(SqlShelves):
    """A `ThreadStore` and `ProjectStore` in one SQL database, for any number of processes and threads at once.

    Args:
        place: a URL (`postgresql://...`, `postgres://...`, `sqlite:///...`), a file for SQLite, or an engine of yours.

    Raises:
        StoreError: it cannot be opened, or is of a newer release: then nothing was changed.
        ImportError: a package for this database is not installed.
    """

    def __init__(self, place: Engine | URL | Path | str) -> None:
        super().__init__(place)
        analysis = self.settings().get(_ANALYSIS, "0")
        if int(analysis) < int(ANALYSIS):  # an index of a newer release serves older ones
            self._index_anew()

    # ---- writing

    def put(self, memories: Iterable[StoredMemory]) -> int:
        """Keep memories, in place of earlier states; return how many. See `MemoryStore.put`."""
        by_project: dict[str, dict[str, StoredMemory]] = {}
        for memory in memories:
            by_project.setdefault(key_of(memory.project), {})[memory.id] = without_secrets(memory)
        if by_project:
            with self.writing(), self.reading() as connection:
                for project, named in sorted(by_project.items()):
                    self._put(connection, project, named)
        return sum(map(len, by_project.values()))

    def _put(self, connection: Connection, project: str, named: dict[str, StoredMemory]) -> None:
        """Write one project's memories; changed ones keep their rows."""
        number, _ = self._claim(connection, _KIND, project)
        known = {}
        for row in self._rows(connection, MEMORIES.c.project == number, self._among(MEMORIES.c.id, named)):
            known[restored(row.id)] = row
        fresh = [name for name in named if name not in known]
        first = self._claim(connection, _KIND, project, len(fresh))[1] if fresh else 0
        rows, held = [], []
        for name, memory in named.items():
            old = known.get(name)
            if old is None:
                place, first = first, first + 1
            else:
                place = old.row
            if old is None or _searched(memory_in(old, None)) != _searched(memory):
                if old is not None:
                    self._unindex(connection, [old])
                terms = terms_of(memory.entry.content)
                length = length_of(terms)
                held.append((place, keys_with(terms, (slot.name for slot in answers_of(memory.entry)))))
            else:
                length = old.length
            rows.append(_row(place, number, memory, length))
        if known:
            connection.execute(
                delete(MEMORIES).where(self._among(MEMORIES.c.row, [old.row for old in known.values()]))
            )
        connection.execute(MEMORIES.insert(), rows)
        index_rows(connection, _KIND, held)

    def delete(self, project: str | None, ids: Iterable[str]) -> int:
        """Remove memories for good; return how many there were."""
        return self._remove(project, lambda: self._among(MEMORIES.c.id, set(ids)))

    def clear_task(self, project: str | None, task_id: str) -> int:
        """Remove the memories that only this task sees; return how many there were."""
        return self._remove(
            project,
            lambda: (MEMORIES.c.task == storable(task_id)) & (MEMORIES.c.scope == MemoryScope.TASK.value),
        )

    def record_access(self, project: str | None, ids: Iterable[str], now: float) -> int:
        """Count a use of memories and start their aging anew; return how many there were."""
        later = func.greatest if self._pg else func.max
        with self.writing(), self.reading() as connection:
            used = update(MEMORIES).where(
                MEMORIES.c.project == self._project(connection, project), self._among(MEMORIES.c.id, ids)
            )
            counted = used.values(uses=MEMORIES.c.uses + 1, accessed=later(MEMORIES.c.accessed, now))
            return connection.execute(counted).rowcount

    # ---- reading

    def get(self, project: str | None, memory_id: str) -> StoredMemory | None:
        """Return one memory of a project, whatever its state; None where there is none."""
        with self.reading() as connection:
            mine = MEMORIES.c.project == self._project(connection, project)
            rows = self._rows(connection, mine, MEMORIES.c.id == storable(memory_id))
        return next((memory_in(row, project) for row in rows), None)

    def find(self, wanted: MemoryFilter) -> tuple[StoredMemory, ...]:
        """Return all memories that a filter admits, in the order in which they were first kept."""
        with self.reading() as connection:
            mine = MEMORIES.c.project == self._project(connection, wanted.project)
            rows = self._rows(connection, mine, *conditions_of(wanted))
        return tuple(memory_in(row, wanted.project) for row in rows)

    def marks(self, project: str | None) -> dict[str, int]:
        """Return `mark_of` of all memories of a project, by id."""
        held = MEMORIES.c
        wanted = select(
            held.id, held.task, held.scope, held.pinned, held.type, held.priority, held.status, held.content
        )
        with self.reading() as connection:
            rows = connection.execute(wanted.where(held.project == self._project(connection, project))).all()
        return {restored(r[0]): hash((restored(r[1]), *r[2:7], restored(r[7]))) for r in rows}

    def answering(self, project: str | None, slots: Iterable[str]) -> tuple[StoredMemory, ...]:
        """Return the memories of a project that answer or answered one of these questions, in order, of any state."""
        digests = [digest_of(_KIND, key) for key in keys_with(None, slots)]
        with self.reading() as connection:
            span = span_of(self._project(connection, project))
            held = select(POSTINGS.c.row).where(self._among(POSTINGS.c.key, digests), POSTINGS.c.row.between(*span))
            rows = self._rows(connection, MEMORIES.c.row.in_(held))
        return tuple(memory_in(row, project) for row in rows)

    def search(self, query: str, wanted: MemoryFilter, limit: int = 5) -> tuple[SearchHit, ...]:
        """Return the memories that fit a question's words best, best first, at most `limit`; as in all stores.

        Equally good ones: the more important, then the newer.
        """
        asked = asked_by(query)
        if not asked or limit < 1:
            return ()
        with self.reading() as connection:
            extent = self._extent(connection, MEMORIES, _KIND, key_of(wanted.project))
            postings = SqlPostings(connection, _KIND, asked, extent)
            conditions = conditions_of(wanted)
            allowed = None
            if wanted.tasks:
                allowed = frozenset(
                    connection.execute(
                        select(MEMORIES.c.row).where(MEMORIES.c.row.between(*extent.span), *conditions)
                    ).scalars()
                )
            weighed, candidates = postings.candidates(asked, allowed)
            admitted = dict(self._admitted(connection, candidates, conditions))
            scores = postings.scores(weighed, {row: length for row, (length, _) in admitted.items()})
            scored = [
                (score, MemoryPriority(admitted[row][1]).rank, row, matched)
                for row, (score, matched) in scores.items()
                if score >= max(wanted.minimum_score, 1e-9)
            ]
            best = sorted(scored, reverse=True)[:limit]
            rows = self._rows(connection, self._among(MEMORIES.c.row, [row for _, _, row, _ in best]))
        memories = {row.row: memory_in(row, wanted.project) for row in rows}
        return tuple(SearchHit(memories[row], score, said) for score, _, row, said in best if row in memories)

    def statistics(self, wanted: MemoryFilter) -> MemoryStats:
        """Return counts over what a filter admits, its `statuses` aside."""
        by = MEMORIES.c.status, MEMORIES.c.type, MEMORIES.c.priority
        with self.reading() as connection:
            mine = MEMORIES.c.project == self._project(connection, wanted.project)
            conditions = conditions_of(replace(wanted, statuses=()))
            rows = connection.execute(select(*by, func.count()).where(mine, *conditions).group_by(*by)).all()
        return tallied((row[0], row[1], row[2], row[3]) for row in rows)

    # ---- inside

    def _project(self, connection: Connection, project: str | None) -> int:
        return self._number(connection, _KIND, key_of(project))

    def _rows(self, connection: Connection, *conditions: ColumnElement[bool]) -> Sequence[Any]:
        return connection.execute(select(MEMORIES).where(*conditions).order_by(MEMORIES.c.row)).all()

    def _admitted(
        self, connection: Connection, candidates: Sequence[int], conditions: Sequence[ColumnElement[bool]]
    ) -> Iterator[tuple[int, tuple[float, str]]]:
        """Yield row, length and priority of the first `MOST_READ` candidates that a filter admits."""
        left, start, width = MOST_READ, 0, MOST_READ + MOST_READ // 4
        while left and start < len(candidates):
            some = candidates[start : start + width]
            start, width = start + width, 4 * MOST_READ
            wanted = select(MEMORIES.c.row, MEMORIES.c.length, MEMORIES.c.priority)
            rows = connection.execute(wanted.where(self._among(MEMORIES.c.row, some), *conditions))
            found = {row: (length, priority) for row, length, priority in rows.all()}
            admitted = [row for row in some if row in found][:left]
            left -= len(admitted)
            yield from ((row, found[row]) for row in admitted)

    def _remove(self, project: str | None, which: Any) -> int:
        with self.writing(), self.reading() as connection:
            rows = self._rows(connection, MEMORIES.c.project == self._project(connection, project), which())
            self._unindex(connection, rows)
            if rows:
                connection.execute(delete(MEMORIES).where(self._among(MEMORIES.c.row, [row.row for row in rows])))
        return len(rows)

    def _unindex(self, connection: Connection, rows: Iterable[Any]) -> None:
        for row in rows:
            unindex_rows(connection, _KIND, _keys(row), (row.row, row.row))

    def _index_anew(self) -> None:
        """Build the keyword index again: it was made by another analysis of texts, or not yet."""
        with self.writing(), self.reading() as connection:
            if self._pg:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": UPGRADE})
            if self.settings().get(_ANALYSIS) == ANALYSIS:
                return
            connection.execute(delete(POSTINGS))
            self._index_table(connection, VECTORS, "thread", lambda row: keys_held(terms_of(row.chunk)))
            self._index_table(connection, MEMORIES, _KIND, _keys)
            self._put_row(connection, SETTINGS, ["name"], {"name": _ANALYSIS, "value": ANALYSIS})

    def _index_table(
        self, connection: Connection, table: Table, kind: str, keys: Callable[[Any], list[Key]]
    ) -> None:
        last = -1
        batch = select(table).order_by(table.c.row).limit(_BATCH)
        while rows := connection.execute(batch.where(table.c.row > last)).all():
            last = rows[-1].row
            index_rows(connection, kind, ((row.row, keys(row)) for row in rows))


def conditions_of(wanted: MemoryFilter) -> list[ColumnElement[bool]]:
    """Return what a filter admits within its project."""
    held = MEMORIES.c
    conditions: list[ColumnElement[bool]] = []
    for column, choices in (
        (held.task, [storable(task) for task in wanted.tasks]),
        (held.type, wanted.types),
        (held.priority, wanted.priorities),
        (held.status, wanted.statuses),
    ):
        if choices:
            conditions.append(column.in_([str(choice) for choice in choices]))
    if wanted.scope is not None:
        conditions.append(held.scope == wanted.scope.value)
    if wanted.pinned is not None:
        conditions.append(held.pinned == int(wanted.pinned))
    return conditions


def _row(place: int, number: int, memory: StoredMemory, length: float) -> dict[str, Any]:
    seen = [line[2:] for line in sighting_rows(0, memory)]
    return {
        **dict(zip(COLUMNS, row_of(place, number, memory), strict=True)),
        "sightings": orjson.dumps(seen).decode() if seen else "",
        "length": length,
    }


def memory_in(row: Any, project: str | None) -> StoredMemory:
    """Return the memory that a row of the table holds."""
    seen = orjson.loads(row.sightings) if row.sightings else ()
    return memory_of(tuple(row[: len(COLUMNS)]), project, tuple(sighting_of((0, 0, *line)) for line in seen))


def _searched(memory: StoredMemory) -> tuple[Any, ...]:
    """Return all that the index of a memory depends on."""
    return memory.entry.content, tuple(slot.name for slot in answers_of(memory.entry))


def _keys(row: Any) -> list[Key]:
    entry = memory_in(row, None).entry
    return keys_with(terms_of(entry.content), (slot.name for slot in answers_of(entry)))

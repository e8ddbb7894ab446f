"""Memories in one SQLite file: the embedded default store. Standard library only."""

# ruff: noqa: S608  # statements are put together from column names of ours; values are always bound

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from memory.consolidation import answers_of
from memory.entries import (
    MemoryPriority,
    MemoryStats,
    SearchHit,
    StoredMemory,
    without_secrets,
)
from memory.search import MOST_HOLDERS, MOST_READ, Holders, Key, asked_by, find_candidates, score_of, terms_of
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
from memory.stores.sqlite.rows import (
    DELETE_TERMS,
    INSERT,
    INSERT_TERMS,
    SELECT,
    UPDATE,
    conditions,
    term_row,
    token_of,
)
from memory.stores.sqlite.schema import PROJECT_BITS
from memory.stores.sqlite.shelves import SqliteShelves

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from memory.entries import MemoryFilter, Sighting
    from memory.stores.sqlite.files import Durability

_SEQUENCES: Final = (1 << PROJECT_BITS) - 1
_COUNTED: Final = 5000  # memories of a project up to which they are counted for each search; chosen
_ANALYSIS: Final = "store.analysis"


class SqliteStore(SqliteShelves):
    """A `ProjectStore` in one SQLite file, for any number of processes and threads at once.

    Args:
        path: the file; made, with mode 0600, where there is none. ":memory:" for none.
        durability, patience: see `memory.stores.sqlite.files.SqliteFile`.

    Raises:
        DamagedStoreError: the file cannot be used; it has been set aside unchanged.
        StoreError: it cannot be opened.
    """

    def __init__(self, path: Path | str, *, durability: Durability = "normal", patience: float = 30.0) -> None:
        super().__init__(path, durability=durability, patience=patience)
        if self.settings().get(_ANALYSIS) != ANALYSIS:
            self._index_anew()

    # ---- writing

    def put(self, memories: Iterable[StoredMemory]) -> int:
        """Keep memories, in place of earlier states; return how many. See `MemoryStore.put`."""
        by_project: dict[str | None, dict[str, StoredMemory]] = {}
        for memory in memories:
            by_project.setdefault(memory.project, {})[memory.id] = without_secrets(memory)
        if not by_project:
            return 0
        with self.writing():
            for project, named in by_project.items():
                self._put(self._number(project), named)
        return sum(map(len, by_project.values()))

    def delete(self, project: str | None, ids: Iterable[str]) -> int:
        """Remove memories for good; return how many there were."""
        with self.writing():
            rows = self._rows_of(project, ids)
            self._remove(rows)
        return len(rows)

    def clear_task(self, project: str | None, task_id: str) -> int:
        """Remove the memories that only this task sees; return how many there were."""
        with self.writing():
            rows = self._connection.execute(
                "SELECT row, content FROM memories WHERE project = ? AND task = ? AND scope = 'task'",
                (self._known_number(project), storable(task_id)),
            ).fetchall()
            self._remove(rows)
        return len(rows)

    def record_access(self, project: str | None, ids: Iterable[str], now: float) -> int:
        """Count a use of memories and start their aging anew; return how many there were."""
        with self.writing():
            return self._connection.execute(
                "UPDATE memories SET uses = uses + 1, accessed = max(accessed, ?) "
                "WHERE project = ? AND id IN (SELECT value FROM json_each(?))",
                (now, self._known_number(project), _listed(ids)),
            ).rowcount

    # ---- reading

    def get(self, project: str | None, memory_id: str) -> StoredMemory | None:
        """Return one memory of a project, whatever its state; None where there is none."""
        with self.reading() as connection:
            rows = connection.execute(
                f"{SELECT} WHERE project = ? AND id = ?", (self._known_number(project), storable(memory_id))
            ).fetchall()
            return next(iter(self._memories(rows, project)), None)

    def find(self, wanted: MemoryFilter) -> tuple[StoredMemory, ...]:
        """Return all memories that a filter admits, in the order in which they were first kept."""
        with self.reading() as connection:
            where, values = conditions(wanted, self._known_number(wanted.project))
            rows = connection.execute(f"{SELECT} WHERE {where} ORDER BY row", values).fetchall()
            return self._memories(rows, wanted.project)

    def marks(self, project: str | None) -> dict[str, int]:
        """Return `mark_of` of all memories of a project, by id; 40 ms for 10 000."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, task, scope, pinned, type, priority, status, content FROM memories WHERE project = ?",
                (self._known_number(project),),
            ).fetchall()
        return {restored(r[0]): hash((restored(r[1]), *r[2:7], restored(r[7]))) for r in rows}

    def answering(self, project: str | None, slots: Iterable[str]) -> tuple[StoredMemory, ...]:
        """Return the memories of a project that answer or answered one of these questions, in order, of any state."""
        with self.reading() as connection:
            rows = connection.execute(
                f"{SELECT} WHERE row IN (SELECT row FROM answers WHERE project = ? AND slot IN "
                "(SELECT value FROM json_each(?))) ORDER BY row",
                (self._known_number(project), _listed(slots)),
            ).fetchall()
            return self._memories(rows, project)

    def search(self, query: str, wanted: MemoryFilter, limit: int = 5) -> tuple[SearchHit, ...]:
        """Return the memories that fit a question's words best, best first, at most `limit`.

        Stems, parts of identifiers, Chinese and Japanese bigrams, and words of like meaning count; see
        `memory.search.bm25`. Equally good ones: the more important, then the newer.
        """
        asked = asked_by(query)
        if not asked or limit < 1:
            return ()
        with self.reading() as connection:
            number = self._known_number(wanted.project)
            postings = _SqlitePostings(connection, number)
            where, values = conditions(wanted, number)
            allowed = None
            if wanted.tasks:
                found = connection.execute(f"SELECT row FROM memories WHERE {where}", values)
                allowed = frozenset(row for (row,) in found)
            weighed, candidates = find_candidates(asked, postings, allowed)
            scored: list[tuple[float, int, int, tuple[str, ...]]] = []
            for row, content, priority in self._admitted(candidates, where, values):
                score, matched = score_of(weighed, terms_of(restored(content)))
                if score >= max(wanted.minimum_score, 1e-9):
                    scored.append((score, MemoryPriority(priority).rank, row, matched))
            scored.sort(reverse=True)
            best = {row: (score, matched) for score, _, row, matched in scored[:limit]}
            rows = {row[0]: row for row in self._rows(list(best))}
            memories = self._memories([rows[row] for row in best], wanted.project)
        return tuple(SearchHit(m, *found) for m, found in zip(memories, best.values(), strict=True))

    def statistics(self, wanted: MemoryFilter) -> MemoryStats:
        """Return counts over what a filter admits, its `statuses` aside."""
        from dataclasses import replace

        where, values = conditions(replace(wanted, statuses=()), self._known_number(wanted.project))
        with self.reading() as connection:
            rows = connection.execute(
                f"SELECT status, type, priority, count(*) FROM memories WHERE {where} GROUP BY 1, 2, 3",
                values,
            ).fetchall()
        return tallied(rows)

    # ---- inside

    def _put(self, number: int, named: dict[str, StoredMemory]) -> None:
        """Write one project's memories; new ones in batches, in the order of their rows."""
        connection = self._connection
        known = {
            restored(name): (row, content)
            for name, row, content in connection.execute(
                "SELECT id, row, content FROM memories WHERE project = ? AND id IN (SELECT value FROM json_each(?))",
                (number, _listed(named)),
            )
        }
        first = number << PROJECT_BITS
        newest = connection.execute(
            "SELECT max(row) FROM memories WHERE row BETWEEN ? AND ?", (first, first | _SEQUENCES)
        ).fetchone()[0]
        following = (first if newest is None else newest) + 1
        fresh: list[tuple[int, StoredMemory]] = []
        for name, memory in named.items():
            if name in known:
                self._change(*known[name], number, memory)
            else:
                fresh.append((following, memory))
                following += 1
        connection.executemany(INSERT, [row_of(row, number, memory) for row, memory in fresh])
        connection.executemany(INSERT_TERMS, [term_row(row, memory.entry.content) for row, memory in fresh])
        self._put_beside(number, fresh)

    def _change(self, row: int, content: str, number: int, memory: StoredMemory) -> None:
        connection = self._connection
        connection.execute(UPDATE, (*row_of(row, number, memory)[3:], row))
        if restored(content) != memory.entry.content:
            connection.execute(DELETE_TERMS, term_row(row, restored(content)))
            connection.execute(INSERT_TERMS, term_row(row, memory.entry.content))
        connection.execute("DELETE FROM sightings WHERE row = ?", (row,))
        connection.execute("DELETE FROM answers WHERE row = ?", (row,))
        self._put_beside(number, [(row, memory)])

    def _put_beside(self, number: int, placed: list[tuple[int, StoredMemory]]) -> None:
        """Write what stands in other tables: sightings and the questions that are answered."""
        seen = [line for row, memory in placed if memory.sightings for line in sighting_rows(row, memory)]
        if seen:
            self._connection.executemany(f"INSERT INTO sightings VALUES ({', '.join('?' * 8)})", seen)
        answers = [
            (number, storable(slot.name), row) for row, memory in placed for slot in answers_of(memory.entry)
        ]
        if answers:
            self._connection.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?, ?)", answers)

    def _remove(self, rows: list[tuple[int, str]]) -> None:
        self._connection.executemany(DELETE_TERMS, [term_row(row, restored(text)) for row, text in rows])
        self._connection.executemany("DELETE FROM memories WHERE row = ?", [(row,) for row, _ in rows])

    def _rows_of(self, project: str | None, ids: Iterable[str]) -> list[tuple[int, str]]:
        return self._connection.execute(
            "SELECT row, content FROM memories WHERE project = ? AND id IN (SELECT value FROM json_each(?))",
            (self._known_number(project), _listed(ids)),
        ).fetchall()

    def _admitted(self, candidates: Sequence[int], where: str, values: list[Any]) -> Iterable[tuple[int, str, str]]:
        """Yield row, content and priority of the first `MOST_READ` candidates that a filter admits."""
        left = MOST_READ
        start, width = 0, MOST_READ + MOST_READ // 4
        while left and start < len(candidates):
            chunk = candidates[start : start + width]
            start, width = start + width, 4 * MOST_READ
            found = {
                row[0]: row
                for row in self._connection.execute(
                    "SELECT row, content, priority FROM memories NOT INDEXED "  # by row number, not by project
                    f"WHERE row IN (SELECT value FROM json_each(?)) AND {where}",
                    (_listed(chunk), *values),
                )
            }
            admitted = [found[row] for row in chunk if row in found][:left]
            left -= len(admitted)
            yield from admitted

    def _rows(self, rows: list[int]) -> list[tuple[Any, ...]]:
        return self._connection.execute(
            f"{SELECT} WHERE row IN (SELECT value FROM json_each(?))", (_listed(rows),)
        ).fetchall()

    def _memories(self, rows: Sequence[tuple[Any, ...]], project: str | None) -> tuple[StoredMemory, ...]:
        seen: dict[int, tuple[Sighting, ...]] = {}
        for line in self._connection.execute(
            "SELECT * FROM sightings WHERE row IN (SELECT value FROM json_each(?)) ORDER BY row, ordinal",
            (_listed(row[0] for row in rows),),
        ):
            seen[line[0]] = (*seen.get(line[0], ()), sighting_of(line))
        return tuple(memory_of(row, project, seen.get(row[0], ())) for row in rows)

    def _index_anew(self) -> None:
        """Build the full-text index again: it was made by another analysis of texts."""
        with self.writing():
            self._connection.execute("INSERT INTO terms (terms) VALUES ('delete-all')")
            rows = self._connection.execute("SELECT row, content FROM memories ORDER BY row").fetchall()
            lines = (term_row(row, restored(content)) for row, content in rows)
            self._connection.executemany(INSERT_TERMS, lines)
            self.put_setting(_ANALYSIS, ANALYSIS)


class _SqlitePostings:
    """The full-text index of one project, as ranking asks for it."""

    def __init__(self, connection: sqlite3.Connection, number: int) -> None:
        self._connection = connection
        self._first = number << PROJECT_BITS
        span = (self._first, self._first | _SEQUENCES)
        oldest = connection.execute("SELECT min(row) FROM memories WHERE row BETWEEN ? AND ?", span).fetchone()[0]
        newest = connection.execute("SELECT max(row) FROM memories WHERE row BETWEEN ? AND ?", span).fetchone()[0]
        self._newest = newest or 0
        self._total = 0 if newest is None else newest - oldest + 1
        if self._total <= _COUNTED:
            counted = connection.execute("SELECT count(*) FROM memories WHERE project = ?", (number,))
            self._total = counted.fetchone()[0]

    def total(self) -> int:
        """Return how many memories the project has; in large ones, gaps of removed ones count."""
        return self._total

    def holders(self, key: Key) -> Holders:
        """Return the memories under a key, newest first; where there are many, their number is an estimate."""
        rows = [
            row
            for (row,) in self._connection.execute(
                "SELECT rowid FROM terms WHERE terms MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?",
                (
                    f'{key.column} : "{token_of(key.term)}"',
                    self._first,
                    self._first | _SEQUENCES,
                    MOST_HOLDERS,
                ),
            )
        ]
        if len(rows) < MOST_HOLDERS:
            return Holders(rows, len(rows))
        density = len(rows) / (self._newest - rows[-1] + 1)  # of the newest, taken for all
        return Holders(rows, min(self._total, max(len(rows), round(density * self._total))))


def _listed(values: Iterable[object]) -> str:
    """Return values as the JSON list that `json_each` reads."""
    return json.dumps([storable(value) if isinstance(value, str) else value for value in values])


assert COLUMNS[0] == "row"  # noqa: S101  # `_rows` and `_memories` rely on it

"""The keyword index of the SQL store: plain rows, asked by the ranking that all stores share.

No text search of the database's own, so that what is found is the same everywhere. A posting is a digest of kind,
column and term, and the row that holds it; ranges of rows are threads and projects.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

import orjson
from sqlalchemy import delete, func, select, text

from memory.search import (
    MOST_HOLDERS,
    Holders,
    Key,
    find_candidates,
    keys_held,
    keys_of,
    score_held,
)
from memory.stores.sql.schema import POSTINGS, SEQUENCES, SPACE_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection, TextClause

    from memory.search import Asked, Terms, Wanted

MOST_COUNTED: Final = 5000
"""Holders of a word that are counted where rows lie too unevenly to tell their number (chosen)."""
EVERYWHERE: Final = (0, (1 << 63) - 1)
"""The range of all rows."""

# what differs: how a JSON list becomes rows, and rows a JSON list
_LISTED: Final = {
    "sqlite": "json_each(:{0}) AS j",
    "postgresql": "json_array_elements(CAST(:{0} AS json)) AS j(value)",
}
_GATHERED: Final = {"sqlite": "json_group_array", "postgresql": "json_agg"}
_ROWS: Final = {
    "sqlite": "json_group_array(row)",
    "postgresql": "'[' || string_agg(CAST(row AS text), ',') || ']'",
}
_PAIR: Final = {"sqlite": "json_array", "postgresql": "json_build_array"}
_KEY: Final = {"sqlite": "j.value", "postgresql": "CAST(j.value AS text)"}


def digest_of(kind: str, key: Key) -> int:
    """Return the number under which a term of memories or chunks stands."""
    named = f"{kind}\x00{key.column}\x00{key.term}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(named, digest_size=8).digest(), "big", signed=True)


def span_of(number: int) -> tuple[int, int]:
    """Return the range of rows of a thread or project."""
    return number << SPACE_BITS, number << SPACE_BITS | SEQUENCES


def index_rows(connection: Connection, kind: str, held: Iterable[tuple[int, Iterable[Key]]]) -> None:
    """Enter rows under their keys."""
    pairs = [(digest_of(kind, key), row) for row, keys in held for key in set(keys)]
    listed = _LISTED[connection.dialect.name].format("pairs")
    statement = text(
        "INSERT INTO holdfast_postings (key, row) SELECT CAST(j.value->>0 AS BIGINT), CAST(j.value->>1 AS BIGINT) "  # noqa: S608
        f"FROM {listed} ORDER BY 1, 2"
    )
    connection.execute(statement, {"pairs": orjson.dumps(pairs).decode()})


def unindex_rows(connection: Connection, kind: str, keys: Iterable[Key], span: tuple[int, int]) -> None:
    """Take all rows of a range out from under keys."""
    digests = sorted({digest_of(kind, key) for key in keys})
    for start in range(0, len(digests), 1000):
        connection.execute(
            delete(POSTINGS).where(POSTINGS.c.key.in_(digests[start : start + 1000]), POSTINGS.c.row.between(*span))
        )


class Extent(NamedTuple):
    """The rows of a thread or project, or of all.

    Attributes:
        total: how many texts there are; in large ones, those that were removed count as well.
        newest: the highest row that may be there; None where rows lie unevenly, over several threads.
        version: another one when rows were added, or vectors of rows.
    """

    span: tuple[int, int]
    total: int
    newest: int | None
    version: tuple[int | None, ...]


class SqlPostings:
    """What the index holds of a query within an extent; a `Postings` for `memory.search`."""

    def __init__(
        self,
        connection: Connection,
        kind: str,
        asked: Iterable[Asked],
        extent: Extent,
    ) -> None:
        self._connection = connection
        self._extent = extent
        self._digests = {key: digest_of(kind, key) for one in asked for key, _ in keys_of(one)}
        given = orjson.dumps(list(self._digests.values())).decode()
        found = connection.execute(
            _holders(connection.dialect.name),
            {"keys": given, "low": extent.span[0], "high": extent.span[1], "most": MOST_HOLDERS},
        )
        self._rows: dict[int, list[int]] = {int(key): orjson.loads(rows or "[]") for key, rows in found}

    def total(self) -> int:
        """Return how many texts there are."""
        return self._extent.total

    def holders(self, key: Key) -> Holders:
        """Return the rows under a key, newest first; where there are many, their number is an estimate."""
        rows = self._rows[self._digests[key]]
        if len(rows) < MOST_HOLDERS:
            return Holders(rows, len(rows))
        if self._extent.newest is None:
            some = select(POSTINGS.c.row).where(POSTINGS.c.key == self._digests[key]).limit(MOST_COUNTED)
            counted = self._connection.execute(select(func.count()).select_from(some.subquery())).scalar_one()
        else:
            counted = round(
                len(rows) / (self._extent.newest - rows[-1] + 1) * self._extent.total
            )  # of the newest, taken for all
        return Holders(rows, min(self._extent.total, max(len(rows), counted)))

    def candidates(
        self, asked: Iterable[Asked], allowed: frozenset[int] | None
    ) -> tuple[tuple[Wanted, ...], list[int]]:
        """Return what is asked for, weighed, and the rows that may answer, most promising first."""
        return find_candidates(asked, self, allowed)

    def scores(
        self, wanted: Sequence[Wanted], lengths: dict[int, float]
    ) -> dict[int, tuple[float, tuple[str, ...]]]:
        """Return scores and matched words of rows, given their lengths; their texts are not read."""
        among = frozenset(lengths)
        held: dict[int, set[Key]] = {row: set() for row in lengths}
        cut: dict[int, Key] = {}
        older: set[int] = set()
        for key, digest in self._digests.items():
            rows = self._rows[digest]
            for row in among.intersection(rows):
                held[row].add(key)
            if len(rows) >= MOST_HOLDERS:  # below the last of these nothing is known
                cut[digest] = key
                older.update(row for row in among if row < rows[-1])
        if older:
            given = {"keys": orjson.dumps(list(cut)).decode(), "rows": orjson.dumps(list(older)).decode()}
            more = _pairs(self._connection.dialect.name)
            for digest, row in orjson.loads(self._connection.execute(more, given).scalar() or "[]"):
                held[row].add(cut[digest])
        return {row: score_held(wanted, held[row], length) for row, length in lengths.items()}


@cache
def _holders(name: str) -> TextClause:
    """Return the statement that lists the newest rows under each key."""
    return text(
        f"SELECT {_KEY[name]}, (SELECT {_ROWS[name]} FROM (SELECT row FROM "  # noqa: S608
        f"holdfast_postings WHERE key = CAST({_KEY[name]} AS BIGINT) AND row BETWEEN :low AND :high "
        f"ORDER BY row DESC LIMIT :most) AS p) FROM {_LISTED[name].format('keys')}"
    )


@cache
def _pairs(name: str) -> TextClause:
    """Return the statement that tells which of some rows are under which of some keys, as one JSON list."""
    listed = (
        f"(SELECT CAST({_KEY[name]} AS BIGINT) AS {each} FROM {_LISTED[name].format(each)}) AS {each}"  # noqa: S608
        for each in ("keys", "rows")
    )
    gathered = f"CAST({_GATHERED[name]}({_PAIR[name]}(keys, rows)) AS text)"
    there = (
        "SELECT 1 FROM holdfast_postings WHERE key = keys AND row = rows"  # never joined: PostgreSQL would read all
    )
    return text(f"SELECT {gathered} FROM {', '.join(listed)} WHERE ({there}) = 1")  # noqa: S608


def keys_with(terms: Terms | None, slots: Iterable[str] = ()) -> list[Key]:
    """Return the keys under which a text stands, and those of the questions that it answers."""
    return [*(keys_held(terms) if terms else ()), *(Key("slots", name) for name in slots)]

"""Vectors of chunks: pgvector in PostgreSQL, NumPy over stored bytes in SQLite.

Within a thread every vector is compared. Across threads PostgreSQL asks an index (HNSW), made when it is first needed.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import Text, func, literal, literal_column, null, select, text

from memory.errors import StoreError
from memory.search import CANDIDATES
from memory.stores.rows import storable
from memory.stores.sql.database import SqlDatabase
from memory.stores.sql.postings import EVERYWHERE, Extent
from memory.stores.sql.schema import VECTORS, TextList

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import ColumnElement, Connection
    from sqlalchemy.engine import URL, Engine

EXTENSION: Final = "vector"
"""What pgvector is called in PostgreSQL."""
MOST_INDEXED: Final = 2000
"""Numbers of a vector up to which pgvector's index takes it."""
MOST_HELD: Final = 1 << 27
"""Bytes of vectors of SQLite up to which those of a thread are held in memory (chosen)."""
THREADS_HELD: Final = 8
"""Threads whose vectors are held (chosen)."""
_LOCK: Final = 0x686F6C65

_ROWS = "SELECT CAST(CAST(j.value AS text) AS BIGINT) FROM json_array_elements(CAST(:rows AS json)) AS j(value)"


class SqlVectors(SqlDatabase):
    """The vectors of a SQL store.  PostgreSQL without the extension keeps none; a `RuntimeWarning` says so."""

    def __init__(self, place: Engine | URL | Path | str) -> None:
        super().__init__(place)
        self._matrices: OrderedDict[
            tuple[tuple[int, int], int], tuple[tuple[Any, ...] | None, tuple[Any, Any] | None]
        ] = OrderedDict()
        self._indexed: set[int] = set()
        self._meaning = not self._pg or self._has_pgvector()

    def _has_pgvector(self) -> bool:
        """Make the column of vectors where there is none and there can be; tell where there cannot."""
        there = text(
            "SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('memory_vectors') "
            "AND attname = 'embedding' AND NOT attisdropped"
        )
        try:
            with self.reading() as connection:
                if connection.execute(there).scalar_one():
                    return True
            with self.writing(), self.reading() as connection:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
                connection.execute(text(f"CREATE EXTENSION IF NOT EXISTS {EXTENSION}"))
                for change in (
                    "ADD COLUMN IF NOT EXISTS embedding vector",
                    "ALTER embedding SET STORAGE MAIN",
                ):
                    connection.execute(
                        text(f"ALTER TABLE memory_vectors {change}")
                    )  # inline, it is read far faster
        except StoreError as error:
            warnings.warn(
                f"the store {self.name} finds chunks by words alone, for want of the extension pgvector: {error}",
                RuntimeWarning,
                stacklevel=4,
            )
            return False
        return True

    def _about(self, topic: str) -> ColumnElement[bool]:
        """Return the condition that a chunk has a topic."""
        if self._pg:
            return VECTORS.c.topics.bool_op("@>")(literal((topic,), TextList))
        each = func.json_each(VECTORS.c.topics).table_valued("value")
        return select(literal(1)).select_from(each).where(each.c.value == literal(storable(topic), Text)).exists()

    def _keep_vectors(self, connection: Connection, placed: Sequence[tuple[int, Sequence[float]]]) -> None:
        """Keep vectors of chunks that have none."""
        if not placed or not self._meaning:
            return
        given = "CAST(:vector AS vector)" if self._pg else ":vector"
        connection.execute(
            text(f"UPDATE memory_vectors SET embedding = {given} WHERE row = :row AND embedding IS NULL"),  # noqa: S608
            [{"row": row, "vector": self._written(vector)} for row, vector in placed],
        )

    def _column(self) -> ColumnElement[Any]:
        """Return the column of vectors, as `_vector` reads it."""
        if not self._meaning:
            return null()
        return literal_column("CAST(embedding AS text)" if self._pg else "embedding")

    def _vector(self, held: Any) -> tuple[float, ...] | None:
        if held is None or self._pg:
            return None if held is None else tuple(orjson.loads(held))
        import numpy as np

        return tuple(np.frombuffer(held, np.float32).tolist())

    def _near(
        self,
        connection: Connection,
        vector: Sequence[float],
        extent: Extent,
        others: frozenset[int],
        allowed: frozenset[int] | None,
    ) -> dict[int, float]:
        """Return the likeness of the nearest (allowed) chunks of a thread or of all, and of some others."""
        if not self._meaning or not vector:
            return {}
        size = len(vector)
        span, everywhere = extent.span, extent.span == EVERYWHERE
        if not (self._pg and everywhere) and (held := self._matrix(connection, extent, size)) is not None:
            return _near_in_memory(*held, vector, others, allowed)
        column = f"embedding::vector({size})" if everywhere else "embedding"
        distance = f"{column} <=> CAST(:vector AS vector({size}))"
        fits = f"vector_dims(embedding) = {size}"
        given = {"vector": self._written(vector), "low": span[0], "high": span[1]}
        if everywhere:
            connection.execute(text("SELECT set_config('hnsw.iterative_scan', 'strict_order', false)"))
        among = "" if everywhere else " AND row BETWEEN :low AND :high"
        among += "" if allowed is None else f" AND row IN ({_ROWS})"
        mine = f"SELECT row, {distance} AS distance FROM memory_vectors WHERE {fits}{among}"  # noqa: S608
        kept = "NOT MATERIALIZED" if everywhere else "MATERIALIZED"
        nearest = f"WITH mine AS {kept} ({mine}) SELECT row, distance FROM mine ORDER BY distance"  # noqa: S608
        rows = orjson.dumps(sorted(allowed or ())).decode()
        found = list(connection.execute(text(f"{nearest} LIMIT {CANDIDATES}"), {**given, "rows": rows}))
        missing = sorted(others.difference(row for row, _ in found))
        if missing:
            more = f"SELECT row, {distance} FROM memory_vectors WHERE {fits} AND row IN ({_ROWS})"  # noqa: S608
            found += connection.execute(text(more), {**given, "rows": orjson.dumps(missing).decode()})
        return {row: 0.0 if isnan(far) else 1 - far for row, far in found}  # no number: a vector of zeros

    def _index(self, size: int) -> None:
        """Make the index of vectors of a length, unless somebody does so already; writers need not wait."""
        unwanted = not self._pg or not self._meaning or size in self._indexed or not 0 < size <= MOST_INDEXED
        if unwanted or self._inside() is not None:
            return
        with (
            self._failing("index"),
            self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection,
        ):
            if not connection.execute(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": _LOCK}).scalar_one():
                return
            try:
                connection.execute(
                    text(
                        f"CREATE INDEX CONCURRENTLY IF NOT EXISTS memory_vectors_near_{size} ON memory_vectors "
                        f"USING hnsw ((embedding::vector({size})) vector_cosine_ops) "
                        f"WHERE vector_dims(embedding) = {size}"
                    )
                )
                self._indexed.add(size)
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})

    def _matrix(self, connection: Connection, extent: Extent, size: int) -> tuple[Any, Any] | None:
        """Return rows and unit vectors of a thread or all, of one length; held until any are written.

        PostgreSQL compares vectors where they are when a thread is asked for the first time: None.
        """
        import numpy as np

        span, version = extent.span, extent.version
        at, held = self._matrices.get((span, size), (None, None))
        if self._pg and (at != version or self._inside() is not None):
            if self._inside() is None:
                self._matrices[span, size] = (version, None)
            return None
        if held is None or at != version:
            given, fits, numbers = (
                ("substr(vector_send(embedding), 5)", "vector_dims(embedding)", ">f4")  # less a header
                if self._pg
                else ("embedding", "length(embedding) / 4", "<f4")
            )
            found = connection.execute(
                text(
                    f"SELECT row, {given} FROM memory_vectors "  # noqa: S608
                    f"WHERE row BETWEEN :low AND :high AND {fits} = :size ORDER BY row"
                ),
                {"low": span[0], "high": span[1], "size": size},
            ).all()
            rows = np.fromiter((row for row, _ in found), np.int64, len(found))
            matrix: Any = np.frombuffer(b"".join(vector for _, vector in found), numbers)
            matrix = matrix.astype(np.float32).reshape(len(found), size)
            norms = np.linalg.norm(matrix, axis=1, keepdims=True)
            unit: Any = matrix / np.where(norms == 0, 1, norms)
            held = rows, unit
            if matrix.nbytes <= MOST_HELD and self._inside() is None:
                self._matrices[span, size] = (version, held)
        while len(self._matrices) > THREADS_HELD:
            self._matrices.popitem(last=False)
        return held

    def _written(self, vector: Sequence[float]) -> str | bytes:
        """Return a vector as the database takes it."""
        if self._pg:
            return orjson.dumps([float(one) for one in vector]).decode()
        import numpy as np

        return np.asarray(vector, np.float32).tobytes()


def _near_in_memory(
    rows: Any,
    matrix: Any,
    vector: Sequence[float],
    others: frozenset[int],
    allowed: frozenset[int] | None,
) -> dict[int, float]:
    import numpy as np

    asked = np.asarray(vector, np.float32)
    asked /= float(np.linalg.norm(asked)) or 1.0
    likeness = np.einsum("ij,j->i", matrix, asked)  # `@` wakes threads, which cost more than it takes
    places = np.arange(len(rows)) if allowed is None else np.flatnonzero(np.isin(rows, list(allowed)))
    if len(places) > CANDIDATES:
        places = places[np.argpartition(-likeness[places], CANDIDATES)[:CANDIDATES]]
    if others and len(rows):
        at = np.searchsorted(rows, sorted(others))
        places = np.union1d(places, at[rows[np.minimum(at, len(rows) - 1)] == sorted(others)])
    return dict(zip(rows[places].tolist(), likeness[places].tolist(), strict=True))

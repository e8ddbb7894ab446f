"""Qdrant's own engine in this process, asked like a client of a server; extra `edge`.

It keeps a folder, as qdrant-client's local mode does, but with Qdrant's storage, indexes and write-ahead log: what was
written survives the end of the process. Only what `VectorMemoryStore` asks is here. Measured: `benchmarks/vectors.py`.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import portalocker
import qdrant_edge as edge
from qdrant_client import models

from memory.notes import made_private

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LOCK: Final = ".lock"
RRF_CONSTANT: Final = 2
"""The k of reciprocal rank fusion, as a Qdrant server has it."""


class EdgeClient:
    """The part of `qdrant_client.QdrantClient` that the store uses, over collections in a folder.

    Args:
        folder: holds a folder for each collection; made, mode 0700, where there is none.

    Raises:
        RuntimeError: another process uses the folder.
        OSError: it cannot be made.
    """

    def __init__(self, folder: Path | str) -> None:
        self._folder = Path(folder)
        self._shards: dict[str, edge.EdgeShard] = {}
        made_private(self._folder)
        self._lock = (self._folder / LOCK).open("w")
        try:
            portalocker.lock(self._lock, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.LockException as error:
            self._lock.close()
            raise RuntimeError(f"another process uses the folder {str(folder)!r}") from error

    def close(self) -> None:
        """Write everything to the disk and let go of the folder; closing twice is no error."""
        while self._shards:
            _, shard = self._shards.popitem()
            shard.close()
        self._lock.close()

    # ---- collections

    def get_collections(self) -> models.CollectionsResponse:
        """Return the names of the collections."""
        names = sorted(place.name for place in self._folder.iterdir() if place.is_dir())
        return models.CollectionsResponse(collections=[models.CollectionDescription(name=n) for n in names])

    def create_collection(
        self,
        name: str,
        *,
        vectors_config: Mapping[str, models.VectorParams],
        sparse_vectors_config: Mapping[str, models.SparseVectorParams],
    ) -> None:
        """Make a collection of vectors compared by cosine and of sparse ones weighed by rarity."""
        dense = {
            key: edge.EdgeVectorParams(params.size, edge.Distance.Cosine) for key, params in vectors_config.items()
        }
        sparse = {key: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf) for key in sparse_vectors_config}
        config = edge.EdgeConfig(vectors=dense, sparse_vectors=sparse)
        self._shards[name] = edge.EdgeShard.create(str(self._folder / name), config)

    def create_payload_index(self, name: str, field: str, *, field_schema: Any) -> None:
        """Index a field of the payload."""
        if isinstance(field_schema, models.KeywordIndexParams):
            keyword = edge.KeywordIndexParams(is_tenant=field_schema.is_tenant)
            asked = edge.UpdateOperation.create_field_index(field, keyword)
        else:
            asked = edge.UpdateOperation.create_field_index(field, edge.PayloadSchemaType.Bool)
        self._shard(name).update(asked)

    def delete_collection(self, name: str) -> None:
        """Remove a collection and all that is in it."""
        self._shard(name).close()
        del self._shards[name]
        shutil.rmtree(self._folder / name)

    # ---- points

    def upsert(self, name: str, points: Iterable[models.PointStruct], *, wait: bool = True) -> None:
        """Keep points, in place of earlier ones with their ids; done when it returns, `wait` or not."""
        del wait
        made = [edge.Point(point.id, _vectors(point.vector), point.payload) for point in points]
        self._shard(name).update(edge.UpdateOperation.upsert_points(made))

    def delete(self, name: str, points: models.PointIdsList, *, wait: bool = True) -> None:
        """Remove points by their ids; done when it returns, `wait` or not."""
        del wait
        self._shard(name).update(edge.UpdateOperation.delete_points(list(points.points)))

    def retrieve(
        self,
        name: str,
        ids: Sequence[str],
        with_payload: bool | list[str] = True,  # noqa: FBT001, FBT002  # as the client has it
    ) -> list[edge.Record]:
        """Return those of some points that are there."""
        return self._shard(name).retrieve(list(ids), with_payload=with_payload, with_vector=False)

    def scroll(
        self,
        name: str,
        scroll_filter: models.Filter | None = None,
        *,
        limit: int = 10,
        offset: Any = None,
        with_payload: bool = True,
        with_vectors: list[str] | bool = False,
    ) -> tuple[list[edge.Record], Any]:
        """Return points in the order of their ids, and the id to go on with; None at the end."""
        return self._shard(name).scroll(
            edge.ScrollRequest(
                offset=offset,
                limit=limit,
                filter=_filter(scroll_filter),
                with_payload=with_payload,
                with_vector=with_vectors,
            )
        )

    def query_points(
        self,
        name: str,
        query: Any,
        *,
        using: str | None = None,
        prefetch: Sequence[models.Prefetch] = (),
        query_filter: models.Filter | None = None,
        limit: int = 10,
        with_payload: bool = True,
        with_vectors: list[str] | bool = False,
    ) -> Answer:
        """Return the points that are nearest to a vector; with `prefetch`, those that its searches fused put first."""
        searches = [
            edge.Prefetch(one.limit or limit, query=_nearest(one.query, one.using), filter=_filter(one.filter))
            for one in prefetch
        ]
        order: Any = edge.Fusion.Rrf(k=RRF_CONSTANT) if searches else _nearest(query, using)
        asked = edge.QueryRequest(
            limit=limit,
            query=order,
            prefetches=searches,
            filter=_filter(query_filter),
            with_payload=with_payload,
            with_vector=with_vectors,
        )
        return Answer(self._shard(name).query(asked))

    def _shard(self, name: str) -> edge.EdgeShard:
        if name not in self._shards:
            self._shards[name] = edge.EdgeShard.load(str(self._folder / name))
        return self._shards[name]


class Answer(NamedTuple):
    """What a search found.

    Attributes:
        points: best first, with id, score, payload and vector.
    """

    points: list[edge.ScoredPoint]


def _nearest(vector: Any, using: str | None) -> edge.Query:
    return edge.Query.Nearest(_vector(vector), using=using)


def _vectors(vectors: Any) -> dict[str, Any]:
    return {name: _vector(vector) for name, vector in vectors.items()}


def _vector(vector: Any) -> Any:
    if isinstance(vector, models.SparseVector):
        return edge.SparseVector(indices=vector.indices, values=vector.values)
    return vector


def _filter(wanted: models.Filter | None) -> edge.Filter | None:
    """Translate a filter of the conditions that `qdrant_points.filter_of` and its neighbours make."""
    if wanted is None:
        return None
    must, must_not = ([_condition(one) for one in _listed(those)] for those in (wanted.must, wanted.must_not))
    return edge.Filter(must=must, must_not=must_not)


def _listed(conditions: Any) -> list[Any]:
    return conditions if isinstance(conditions, list) else [] if conditions is None else [conditions]


def _condition(one: Any) -> Any:
    if isinstance(one, models.HasVectorCondition):
        return edge.HasVectorCondition(one.has_vector)
    if isinstance(one.match, models.MatchAny):
        return edge.FieldCondition(one.key, match=edge.MatchAny(one.match.any))
    return edge.FieldCondition(one.key, match=edge.MatchValue(one.match.value))

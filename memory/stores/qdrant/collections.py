"""The collection of memories in Qdrant: made with the right dimension, filled anew when the embedder changed.

One collection holds all projects. Its name ends with a digest of the embedder, so that vectors of two models never
meet; a collection of another embedder is embedded anew into the present one and removed when all of it is there.
"""

from __future__ import annotations

import warnings
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from qdrant_client import models

from memory.stores.qdrant.points import DENSE, INDEXED, SPARSE, memory_of, vectors_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qdrant_client import QdrantClient

    from memory.search import Embedder

PAGE: Final = 256
"""Points that are read, embedded and written together (chosen)."""


def prepare(client: QdrantClient, prefix: str, embedder: Embedder | None) -> str:
    """Return the name of a collection that is ready for this embedder; costs embedding what another one embedded.

    Without an embedder any collection will do that is there already; vectors are left alone then.
    """
    known = sorted(c.name for c in client.get_collections().collections if c.name.startswith(f"{prefix}_"))
    own = f"{prefix}_{_mark(embedder)}"
    if embedder is None and known and own not in known:
        return known[0]
    if own not in known:
        _create(client, own, embedder)
    if embedder is None:
        return own
    for other in known:
        if other != own:
            _copy(client, other, own, embedder, None)
            client.delete_collection(other)
    lacking = models.FieldCondition(key="embedder", match=models.MatchValue(value=embedder.name))
    _copy(client, own, own, embedder, models.Filter(must_not=[lacking]))
    return own


def _mark(embedder: Embedder | None) -> str:
    if embedder is None:
        return "words"
    return blake2b(f"{embedder.name}:{embedder.dimension}".encode(), digest_size=6).hexdigest()


def _create(client: QdrantClient, name: str, embedder: Embedder | None) -> None:
    dense = {}
    if embedder is not None:
        dense[DENSE] = models.VectorParams(size=embedder.dimension, distance=models.Distance.COSINE)
    client.create_collection(
        name,
        vectors_config=dense,
        sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without a server there are no payload indexes, and it says so
        for field in INDEXED:
            params = models.KeywordIndexParams(
                type=models.KeywordIndexType.KEYWORD, is_tenant=True if field == "project" else None
            )
            client.create_payload_index(name, field, field_schema=params)
        client.create_payload_index(name, "pinned", field_schema=models.PayloadSchemaType.BOOL)


def _copy(client: QdrantClient, source: str, target: str, embedder: Embedder, only: models.Filter | None) -> None:
    """Embed the points of a collection into another one, or into itself."""
    for records in list(_pages(client, source, only)) if source == target else _pages(client, source, only):
        texts = [memory_of(record.payload).entry.content for record in records]
        points = [
            models.PointStruct(
                id=record.id,
                vector=vectors_of(text, vector),
                payload={**(record.payload or {}), "embedder": embedder.name},
            )
            for record, text, vector in zip(records, texts, embedder(texts), strict=True)
        ]
        client.upsert(target, points, wait=True)


def _pages(client: QdrantClient, name: str, only: models.Filter | None) -> Iterator[list[Any]]:
    offset: Any = None
    while True:
        records, offset = client.scroll(name, scroll_filter=only, limit=PAGE, offset=offset, with_payload=True)
        if records:
            yield records
        if offset is None:
            return

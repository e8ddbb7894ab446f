"""What Qdrant is asked in a search: candidates by meaning and by words in one query, and a sample of vectors.

numpy comes with qdrant-client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from qdrant_client import models

from memory.search import NEIGHBOURS, SAME
from memory.stores.qdrant.points import DENSE, SPARSE, carried, filter_of, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qdrant_client import QdrantClient

    from memory.entries import MemoryFilter


def candidates(
    client: QdrantClient,
    collection: str,
    query: str,
    meaning: Sequence[float] | None,
    wanted: MemoryFilter,
    most: int,
) -> list[Any]:
    """Return the points that may answer a question, with payload and dense vector, most promising first.

    Args:
        client: to ask.
        collection: whose points.
        query: the question.
        meaning: its vector; None to go by words alone.
        wanted: which memories.
        most: how many of each kind.
    """
    admitted = filter_of(wanted)
    words = words_of(query)
    asked: dict[str, Any] = {"limit": most, "with_payload": True}
    if meaning is None:
        if words is None:
            return []
        found = client.query_points(collection, words, using=SPARSE, query_filter=admitted, **asked)
    elif words is None:
        found = client.query_points(
            collection, list(meaning), using=DENSE, query_filter=admitted, with_vectors=[DENSE], **asked
        )
    else:
        found = client.query_points(
            collection,
            prefetch=[
                models.Prefetch(query=list(meaning), using=DENSE, filter=admitted, limit=most),
                models.Prefetch(query=words, using=SPARSE, filter=admitted, limit=most),
            ],
            query=models.FusionQuery(fusion=models.Fusion.RRF),
            with_vectors=[DENSE],
            **(asked | {"limit": 2 * most}),
        )
    return found.points


def sampled(client: QdrantClient, collection: str, project: str | None, most: int) -> np.ndarray:
    """Return the vectors of some memories of a project, in the order of their ids, which is by chance.

    Returns:
        float32, one row a memory; no rows where there are none.
    """
    must: list[Any] = [
        models.FieldCondition(key="project", match=models.MatchValue(value=carried(project or ""))),
        models.HasVectorCondition(has_vector=DENSE),
    ]
    records, _ = client.scroll(
        collection, models.Filter(must=must), limit=most, with_payload=False, with_vectors=[DENSE]
    )
    found: list[Any] = [record.vector.get(DENSE) for record in records if isinstance(record.vector, dict)]
    return np.asarray([vector for vector in found if vector is not None], dtype=np.float32)


def nearness(
    asked: Sequence[float], vectors: Sequence[Sequence[float]], sample: np.ndarray
) -> tuple[list[float], list[float]]:
    """Return the likeness of texts to a question, and how crowded each is; as `hybrid.crowding`, at once.

    Args:
        asked: the question's vector.
        vectors: those of the texts.
        sample: those of other texts, among which neighbours are looked for: `sampled`.
    """
    if not vectors:
        return [], []
    texts = np.asarray(vectors, dtype=np.float32)
    likeness = np.clip(texts @ np.asarray(asked, dtype=np.float32), 0.0, 1.0)
    if not len(sample):
        return likeness.tolist(), [0.0] * len(vectors)
    others = np.clip(texts @ sample.T, 0.0, 1.0)
    others[others >= SAME] = 0.0
    others = np.partition(others, -NEIGHBOURS, axis=1) if len(sample) > NEIGHBOURS else others
    nearest = others[:, -NEIGHBOURS:].sum(axis=1) / NEIGHBOURS
    return likeness.tolist(), nearest.tolist()

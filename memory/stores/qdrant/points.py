"""Memories as points of Qdrant and back: ids, payloads, sparse vectors of words, filters; extra `qdrant`."""

from __future__ import annotations

import json
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final
from uuid import NAMESPACE_URL, uuid5

from pydantic import TypeAdapter
from qdrant_client import models

from memory.entries import MemoryFilter, StoredMemory
from memory.search import LENGTH_SHARE, USUAL_LENGTH, Wanted, asked_by, keys_of, length_of, terms_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memory.search import Asked

DENSE: Final = "meaning"
SPARSE: Final = "words"
INDEXED: Final = ("project", "task", "scope", "type", "priority", "status", "embedder")
"""Payload fields with a keyword index; "project" is the tenant."""


def point_id(project: str | None, memory_id: str) -> str:
    """Return a memory's id in Qdrant, which takes UUIDs only."""
    return str(uuid5(NAMESPACE_URL, f"holdfast:{carried(project or '')}:{carried(memory_id)}"))


def payload_of(memory: StoredMemory, kept: int, embedder: str) -> dict[str, Any]:
    """Return what stands beside the vectors.

    Args:
        memory: without secrets.
        kept: orders memories by when they were first kept.
        embedder: the name of what made its vector; "" without one.
    """
    entry = memory.entry
    whole = _adapter().dump_python(memory, mode="python", exclude_defaults=True)
    return {
        "project": carried(memory.project or ""),
        "task": carried(entry.task_id),
        "scope": memory.scope.value,
        "type": entry.type.value,
        "priority": entry.priority.value,
        "status": entry.status.value,
        "pinned": memory.pinned,
        "kept": kept,
        "embedder": embedder,
        "memory": json.dumps(whole, separators=(",", ":")),
    }


def memory_of(payload: dict[str, Any] | None) -> StoredMemory:
    """Return the memory of a payload of `payload_of`."""
    return _adapter().validate_python(json.loads((payload or {})["memory"]))


@cache
def _adapter() -> TypeAdapter[StoredMemory]:
    return TypeAdapter(StoredMemory)


def vectors_of(text: str, dense: Sequence[float] | None) -> dict[str, Any]:
    """Return a text's vectors by name: of its words, and of its meaning where there is one."""
    found: dict[str, Any] = {}
    terms = terms_of(text)
    longer = max(1.0, length_of(terms) / USUAL_LENGTH)
    weight = 1 / (1 - LENGTH_SHARE + LENGTH_SHARE * longer)
    numbers = {_number(column, term) for column, those in terms._asdict().items() for term in those}
    if numbers:
        found[SPARSE] = models.SparseVector(indices=sorted(numbers), values=[weight] * len(numbers))
    if dense is not None:
        found[DENSE] = list(dense)
    return found


def words_of(query: str) -> models.SparseVector | None:
    """Return a question's words as a sparse vector; None for a question without words."""
    weights: dict[int, float] = {}
    for one in asked_by(query):
        for (column, term), share in keys_of(one):
            number = _number(column, term)
            weights[number] = max(share, weights.get(number, 0.0))
    if not weights:
        return None
    return models.SparseVector(indices=sorted(weights), values=[weights[n] for n in sorted(weights)])


def weighed(asked: Iterable[Asked]) -> tuple[Wanted, ...]:
    """Return what a query asks for, everything counting alike (Qdrant has counted rarity already)."""
    return tuple(Wanted(one, keys_of(one)) for one in asked)


def _number(column: str, term: object) -> int:
    digest = blake2b(f"{column}:{term}".encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "big")


def filter_of(wanted: MemoryFilter) -> models.Filter:
    """Return what Qdrant asks of a point's payload for `MemoryFilter.admits` to hold."""
    rows: list[tuple[str, tuple[str, ...]]] = [
        ("project", (carried(wanted.project or ""),)),
        ("task", tuple(carried(task) for task in wanted.tasks)),
        ("scope", (wanted.scope.value,) if wanted.scope else ()),
        ("type", tuple(kind.value for kind in wanted.types)),
        ("priority", tuple(priority.value for priority in wanted.priorities)),
        ("status", tuple(status.value for status in wanted.statuses)),
    ]
    must: list[Any] = [
        models.FieldCondition(key=name, match=models.MatchAny(any=list(values))) for name, values in rows if values
    ]
    if wanted.pinned is not None:
        must.append(models.FieldCondition(key="pinned", match=models.MatchValue(value=wanted.pinned)))
    return models.Filter(must=must)


def carried(text: str) -> str:
    """Return a text that JSON over HTTP can carry: halves of surrogate pairs are written out."""
    return text.encode("utf-8", "backslashreplace").decode()

"""All that a `ConversationMemory` knows, as JSON and back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import orjson
from pydantic import Field, TypeAdapter, ValidationError

from memory.config import MemoryConfig
from memory.consolidation.memory_set import NAME_LENGTH
from memory.consolidation.rendering import passed_on, relinked
from memory.entries import MemoryEntry  # noqa: TC001  # pydantic reads the annotation
from memory.errors import SnapshotError

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT = "holdfast-memory"
VERSION = 1
_DEFAULTS = MemoryConfig()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is written: all entries in order of appearance, settings, the newest time known (seconds since 1970 UTC).

    `created_this_turn` are new entries of the latest extraction; `told` the names of messages read, joined.
    """

    task_id: str
    entries: tuple[MemoryEntry, ...] = ()
    config: MemoryConfig = _DEFAULTS
    latest: float = 0.0
    created_this_turn: int = 0
    told: Annotated[str, Field(pattern=rf"^(?:[0-9a-f]{{{NAME_LENGTH}}})*$")] = ""


@cache
def _adapter() -> TypeAdapter[Snapshot]:
    return TypeAdapter(Snapshot)


def write_snapshot(snapshot: Snapshot) -> str:
    """Return a snapshot as one line of JSON; what has its default value is left out."""
    known = _adapter().dump_python(snapshot, exclude_defaults=True)
    value = {"format": FORMAT, "version": VERSION, **known}
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # a lone surrogate in a text
        return json.dumps(value, separators=(",", ":"))


def read_document(
    text: str | bytes, form: str, version: int, noun: str, hook: Callable[[dict[str, Any]], Any] | None = None
) -> dict[str, Any]:
    """Return the JSON object of a format and version, which errors call by a noun; `hook` sees all its objects."""
    try:
        value = json.loads(text, object_hook=hook)
    except (ValueError, TypeError, RecursionError) as error:
        raise SnapshotError(f"the {noun} is not JSON ({error})") from error
    if not isinstance(value, dict) or value.get("format") != form:
        raise SnapshotError(f"this is no {noun}; its 'format' should be {form!r}")
    if value.get("version") != version:
        raise SnapshotError(f"the {noun} has version {value.get('version')!r}; it should be {version}")
    return value


def validated(adapter: TypeAdapter[T], value: object, noun: str) -> T:
    """Return a value as what it should be, or raise `SnapshotError`."""
    try:
        return adapter.validate_python(value)
    except (ValidationError, RecursionError) as error:
        raise SnapshotError(f"the {noun} is damaged: {error}") from error


def read_snapshot(text: str | bytes) -> Snapshot:
    """Read what `write_snapshot` wrote; `SnapshotError` for anything else, or what does not hold together."""
    snapshot = validated(_adapter(), read_document(text, FORMAT, VERSION, "snapshot"), "snapshot")
    ids = {entry.id for entry in snapshot.entries}
    if len(ids) != len(snapshot.entries):
        raise SnapshotError("the snapshot is damaged: two entries have the same id; ids should be unique")
    for entry in snapshot.entries:
        for linked in (*entry.supersedes, entry.superseded_by, *(mark.by for mark in entry.overtaken)):
            if linked and linked not in ids:
                raise SnapshotError(
                    f"the snapshot is damaged: entry {entry.id!r} is linked to {linked!r}, which is not in it"
                )
    return snapshot


def without_entry(snapshot: str, gone: MemoryEntry) -> str:
    """Return a snapshot without an entry and all that has its words or place; "" for one that cannot be read."""
    try:
        known = read_snapshot(snapshot)
    except SnapshotError:
        return ""
    left = []
    told = (gone.id, gone.content, gone.source or "")
    ids = {entry.id for entry in known.entries if {entry.id, entry.content, entry.source} & {*told}}
    for entry in known.entries:
        if entry.id not in ids:
            for one in ids:
                entry = passed_on(entry, one, None)  # noqa: PLW2901
            left.append(relinked(entry, dict.fromkeys(ids)))
    return write_snapshot(replace(known, entries=tuple(left)))

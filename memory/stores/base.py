"""What all stores share: the protocol and its values (`memory.entries.stored`), and what is done on the way in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.entries import (
    ACTIVE,
    MemoryFilter,
    MemoryScope,
    MemoryStore,
    ProjectStore,
    SearchHit,
    Sighting,
    StoredConversation,
    StoredMemory,
    mark_of,
    without_secrets,
)
from memory.errors import UnknownHandleError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ACTIVE",
    "MemoryFilter",
    "MemoryScope",
    "MemoryStore",
    "ProjectStore",
    "SearchHit",
    "Sighting",
    "StoredConversation",
    "StoredMemory",
    "mark_of",
    "owner_of",
    "read_handle",
    "unknown_handle",
    "without_secrets",
]

_HANDLE: Final = re.compile(r"\A(?:hf_)?([0-9a-f]{8,64})\Z")


def read_handle(handle: str) -> str:
    """Return the digits of a handle, 8 to 64 hexadecimal ones.

    Raises:
        UnknownHandleError: it is none.
    """
    found = _HANDLE.match(handle.strip().lower())
    if found is None:
        raise UnknownHandleError(f"{handle!r} is no handle; one looks like 'hf_0123456789ab'")
    return found[1]


def owner_of(project: str | None, task_id: str) -> str:
    """Return the task that an original belongs to: "" in a project, where all tasks share it.

    Raises:
        ValueError: neither a project nor a task is named.
    """
    if project is None and not task_id:
        raise ValueError("an original names no project and no task; outside projects it should name the task")
    return task_id if project is None else ""


def unknown_handle(handle: str, found: Sequence[str] = ()) -> UnknownHandleError:
    """Return the error that a handle names nothing of whoever asks, or several things."""
    if found:
        return UnknownHandleError(f"{handle!r} names several things; give more of it: {sorted(found)}")
    return UnknownHandleError(
        f"{handle!r} is not in this store for this project or task, so it cannot be fetched; run the command "
        "or read the file again"
    )

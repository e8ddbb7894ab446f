"""What all stores share: the protocol and its values (`memory.stored`), and what is done on the way in."""

from __future__ import annotations

import re
from typing import Final

from memory.errors import UnknownHandleError
from memory.stored import (
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
    "read_handle",
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

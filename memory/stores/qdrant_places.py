"""Where Qdrant is: a server, a folder, or memory; extra `qdrant`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from qdrant_client import QdrantClient

TIMEOUT_SECONDS: Final = 5
"""How long a server may take (chosen)."""


def open_qdrant(place: str) -> Callable[[], QdrantClient]:
    """Return what connects to Qdrant.

    Args:
        place: an address (http://... or https://...), ":memory:", or a folder, which one process at a time may use
            and which serves up to some 20 000 memories.
    """

    def connect() -> QdrantClient:
        try:
            from qdrant_client import QdrantClient
        except ImportError as error:
            raise ImportError(
                "the vector store needs qdrant-client: pip install 'holdfast[qdrant]'"
            ) from error
        if place.startswith(("http://", "https://")):
            return QdrantClient(url=place, timeout=TIMEOUT_SECONDS, check_compatibility=False)
        return QdrantClient(":memory:") if place == ":memory:" else QdrantClient(path=place)

    return connect

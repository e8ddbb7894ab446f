"""Where Qdrant is: a server, a folder of its engine or of its client, or memory; extra `qdrant`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from memory.notes import made_private

if TYPE_CHECKING:
    from collections.abc import Callable

    from qdrant_client import QdrantClient

TIMEOUT_SECONDS: Final = 5
"""How long a server may take (chosen)."""


EDGE: Final = "edge:"
"""Begins the name of a folder for Qdrant's engine in this process."""


def open_qdrant(place: str) -> Callable[[], QdrantClient]:
    """Return what connects to Qdrant.

    Args:
        place: an address (http://... or https://...); "edge:" and a folder, for Qdrant's engine in this process
            (extra `edge`); a folder by itself, for the client's own local mode, which serves up to some 10 000
            memories; or ":memory:". One process at a time may use a folder.
    """

    def connect() -> QdrantClient:
        if place.startswith(EDGE):
            return _engine(place.removeprefix(EDGE))
        try:
            from qdrant_client import QdrantClient
        except ImportError as error:
            raise ImportError(
                "the vector store needs qdrant-client: pip install 'holdfast-context[qdrant]'"
            ) from error
        if place.startswith(("http://", "https://")):
            return QdrantClient(url=place, timeout=TIMEOUT_SECONDS, check_compatibility=False)
        if place == ":memory:":
            return QdrantClient(":memory:")
        made_private(Path(place))
        return QdrantClient(path=place)

    return connect


def _engine(folder: str) -> QdrantClient:
    try:
        from memory.stores.qdrant.edge_client import EdgeClient
    except ImportError as error:
        raise ImportError("Qdrant's engine needs qdrant-edge-py: pip install 'holdfast-context[edge]'") from error
    return cast("QdrantClient", EdgeClient(folder))

"""Vector search in Qdrant; extra `qdrant` or `edge`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.stores.qdrant.store import VectorMemoryStore
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "store": "VectorMemoryStore",
        },
    )

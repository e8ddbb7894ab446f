"""Stores for memories: in memory, SQLite, PostgreSQL, Qdrant."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.stores.base import unknown_handle
    from memory.stores.browsing import Browsable, Browsing, RecordRow, open_browsable
    from memory.stores.embedding import FastEmbedder
    from memory.stores.indexed import IndexedStore
    from memory.stores.plugins import (
        OURS,
        Plugin,
        PluginError,
        PluginWarning,
        iter_transcript,
        list_plugins,
        offer_formats,
        open_embedder,
        plugged,
        plugged_names,
        read_transcript,
    )
    from memory.stores.qdrant.places import open_qdrant
    from memory.stores.qdrant.store import VectorMemoryStore
    from memory.stores.sql.browsing import BrowsableSqlStore
    from memory.stores.sql.places import has_sql_store, open_sql
    from memory.stores.sql.store import SqlStore
    from memory.stores.sqlite.browsing import BrowsableStore
    from memory.stores.sqlite.looking import StoreState, look_at
    from memory.stores.sqlite.places import (
        data_folder,
        has_store,
        made_data_folder,
        open_store,
        stamp_of,
        store_elsewhere,
        store_file,
    )
    from memory.stores.sqlite.store import SqliteStore
    from memory.stores.threads_in_memory import InMemoryThreads
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "base": "unknown_handle",
            "browsing": "Browsable Browsing RecordRow open_browsable",
            "embedding": "FastEmbedder",
            "indexed": "IndexedStore",
            "plugins": (
                "OURS Plugin PluginError PluginWarning iter_transcript offer_formats open_embedder plugged "
                "plugged_names list_plugins read_transcript"
            ),
            "sqlite.browsing": "BrowsableStore",
            "sqlite.looking": "StoreState look_at",
            "sqlite.places": (
                "data_folder has_store made_data_folder open_store stamp_of store_elsewhere store_file"
            ),
            "qdrant.places": "open_qdrant",
            "qdrant.store": "VectorMemoryStore",
            "sql.browsing": "BrowsableSqlStore",
            "sql.places": "has_sql_store open_sql",
            "sql.store": "SqlStore",
            "sqlite.store": "SqliteStore",
            "threads_in_memory": "InMemoryThreads",
        },
    )

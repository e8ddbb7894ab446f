"""The SQL store, whole: threads, and projects with their memories."""

from __future__ import annotations

from memory.stores.sql.threads import SqlThreads


class SqlStore(SqlThreads):
    """A `ThreadStore` and `ProjectStore` in one SQL database."""

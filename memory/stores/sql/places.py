"""Where this user's SQL store is.

Not in the file of `open_store`: that one is opened at each prompt, in milliseconds and without any package, and has
tables and a version of its own. This one is the small form of the database that many workers share.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from memory.stores import data_folder, made_data_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.stores.sql.store import SqlStore

URL_VARIABLE: Final = "DATABASE_URL"
THREADS: Final = "threads.db"


def open_sql(url: str | None = None, environment: Mapping[str, str] = os.environ) -> SqlStore:
    """Open the SQL store at a URL, else at `DATABASE_URL`, else in a SQLite file in this user's data folder.

    Raises:
        StoreError: it cannot be opened.
        ImportError: a package for it is not installed.
    """
    from memory.stores.sql.store import SqlStore  # the heavy part

    return SqlStore(url or environment.get(URL_VARIABLE) or made_data_folder() / THREADS)


def has_sql_store() -> bool:
    """Tell whether this user's own SQLite file of it is there."""
    return (data_folder() / THREADS).is_file()

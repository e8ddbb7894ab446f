"""Where this user's store is on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memory.errors import StoreError
from memory.notes import made_private

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.entries import ProjectStore

HOME_VARIABLE: Final = "HOLDFAST_HOME"
STORE_VARIABLE: Final = "HOLDFAST_STORE"
"""Names another store than the file in the data folder: a URL of SQLite or PostgreSQL, or NAME:PLACE of a plug-in."""

STORE: Final = "memory.db"
"""File of the store in the data folder: memories, originals and records of all projects."""


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of this user's holdfast data; it need not exist.

    `HOLDFAST_HOME` where it is set; otherwise where the platform keeps such things: `XDG_DATA_HOME` or
    ~/.local/share, ~/Library/Application Support on macOS, %LOCALAPPDATA% on Windows.

    Raises:
        StoreError: no home folder is known.
    """
    if chosen := environment.get(HOME_VARIABLE):
        return Path(chosen).expanduser()
    if sys.platform == "win32" and (local := environment.get("LOCALAPPDATA")):
        return Path(local) / "holdfast"
    if (xdg := environment.get("XDG_DATA_HOME")) and Path(xdg).is_absolute():
        return Path(xdg) / "holdfast"
    try:
        home = Path.home()
    except RuntimeError:
        raise StoreError(f"no home folder is known to keep originals in; set {HOME_VARIABLE} to a folder") from None
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "holdfast"
    return home / ".local" / "share" / "holdfast"


def store_file() -> Path:
    """Return the file of this user's store; it need not exist.

    Raises:
        StoreError: no home folder is known.
    """
    return data_folder() / STORE


def stamp_of(store: Path, project: str) -> str:
    """Return what changes whenever the shared memories of a project do, its newest conversations, or the settings.

    It costs some 10 ms.

    Raises:
        sqlite3.Error: the file cannot be read.
    """
    import contextlib
    import sqlite3
    from hashlib import blake2b

    of_it = "FROM {} WHERE project = (SELECT number FROM projects WHERE key = ?)"
    with contextlib.closing(sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        rows = [
            connection.execute(f"SELECT {columns} {of_it.format(table)} {rest}", (project,)).fetchall()
            for columns, table, rest in (
                ("id, pinned, type, priority, status, content, details", "memories", "AND scope = 'project'"),
                ("task, title", "conversations", "ORDER BY updated DESC LIMIT 2"),
            )
        ]
        rows.append(connection.execute("SELECT name, value FROM settings ORDER BY name").fetchall())
    return blake2b(repr(rows).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def made_data_folder() -> Path:
    """Make the data folder, closed to others, and return it.

    Raises:
        StoreError: it cannot be made or written to, or no home folder is known.
    """
    folder = data_folder()
    try:
        made_private(folder, ours=True)
    except OSError as error:
        raise StoreError(
            f"cannot keep originals in {folder}: {error.strerror or error}; set {HOME_VARIABLE} to a folder of yours"
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(f"cannot write to {folder}; set {HOME_VARIABLE} to a folder of yours")
    return folder


def store_elsewhere(environment: Mapping[str, str] = os.environ) -> str:
    """Return what `HOLDFAST_STORE` names; "" where this user's store is the file in the data folder."""
    return environment.get(STORE_VARIABLE, "").strip()


def has_store() -> bool:
    """Tell whether this user has a store yet; opening one makes it.

    Raises:
        StoreError: no home folder is known.
    """
    return bool(store_elsewhere()) or store_file().exists()


def open_store(place: str = "") -> ProjectStore:
    """Open this user's store, in a folder that is closed to others, or the one at a place: see `STORE_VARIABLE`.

    Raises:
        StoreError: it cannot be opened, or its folder cannot be made or written to.
        PluginError: no store is called so, or its plug-in failed.
    """
    if named := place or store_elsewhere():
        from memory.stores.plugins import open_place

        return open_place(named)
    from memory.stores.sqlite.store import SqliteStore  # the heavy part: hooks only ask where things are

    return SqliteStore(made_data_folder() / STORE)

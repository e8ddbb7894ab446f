"""SQLite files of the SQL store: made, set up, and written to in the order in which writers came."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import event

from memory.errors import StoreError
from memory.notes import made_private

try:
    import fcntl

    QUEUES = True
except ImportError:  # Windows
    QUEUES = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection
    from sqlalchemy.engine import Engine

PATIENCE: Final = 30.0
"""Seconds that the next writer of a SQLite file waits for the one who writes (chosen: far above any transaction)."""
UNTIL: Final = "holdfast_until"
"""The option of a connection that tells its transaction to write, and until when it may wait to begin."""
_LINE: Final = "-line"
_PAUSE: Final = 0.001


class WaitingLine:
    """The writers of a SQLite file who wait: the system wakes them in the order in which they came.

    SQLite itself lets whoever asks at the right moment go first, so that with long transactions some never do. Here
    only the first in the line asks. It is a lock on an empty file beside the database; who is killed leaves it.

    Args:
        file: the database; None or "" for one that nobody else writes to.
    """

    def __init__(self, file: str | None) -> None:
        self._file = f"{file}{_LINE}" if file and file != ":memory:" else ""
        self._threads: Any = contextlib.nullcontext() if QUEUES else threading.Lock()

    @contextlib.contextmanager
    def first(self) -> Iterator[float]:
        """Wait as long as others are before us; give the time, by `time.monotonic`, until which to begin."""
        with self._threads, contextlib.ExitStack() as leaving:
            if self._file and QUEUES:
                with contextlib.suppress(OSError):  # a file system without locks
                    place = os.open(self._file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
                    leaving.callback(os.close, place)
                    fcntl.flock(place, fcntl.LOCK_EX)
            yield time.monotonic() + PATIENCE


def made(place: Path) -> None:
    """Make a file for its owner alone, where there is none; SQLite's side files get its mode."""
    try:
        made_private(place.absolute().parent)
        os.close(os.open(place, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"cannot open the store {str(place)!r}: {error.strerror or error}") from error


def listen(engine: Engine) -> None:
    """Make SQLite wait for others, log ahead, and begin transactions when told."""

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None
        until = time.monotonic() + PATIENCE
        while True:  # others who switch the log on at the same moment make it fail without waiting
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)
        for setting in ("synchronous = NORMAL", "foreign_keys = ON", "secure_delete = ON"):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        raw: Any = connection.connection.dbapi_connection
        until = connection.get_execution_options().get(UNTIL)
        if until is None:
            raw.execute("BEGIN")
            return
        raw.execute("PRAGMA busy_timeout = 0")  # SQLite's own waiting sleeps ever longer
        try:
            while True:
                try:
                    raw.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError:
                    if time.monotonic() > until:
                        break
                    time.sleep(_PAUSE)
                else:
                    return
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # says what is wrong
        finally:
            raw.execute(f"PRAGMA busy_timeout = {round(PATIENCE * 1000)}")

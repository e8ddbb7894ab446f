"""The file of the SQLite store: opened, brought up to date, set aside when it cannot be used; transactions.

One file in WAL mode, readable by its owner only. Writers take the write lock at once (`BEGIN IMMEDIATE`), because
a transaction that starts by reading fails with "database is locked", without waiting, when somebody else wrote
meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Self

from memory.errors import DamagedStoreError, StoreError
from memory.notes import made_private
from memory.stores.sqlite.schema import APPLICATION, MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

Durability = Literal["full", "normal"]
"""What an acknowledged write survives: `normal` the end of the process, however sudden; `full` a power failure, too,
at several times the cost of a small write. The file stays whole with both."""

PATIENCE: Final = 30.0
"""Seconds that a writer waits for others (chosen: far above any transaction of ours)."""

CHECKED_SIZE: Final = 8_000_000
"""Bytes up to which a file is checked whole when it is opened (chosen: about 20 ms)."""

_SIDE_FILES: Final = ("-wal", "-shm", "-journal")
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_FULL: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

HEADER: Final = 100
"""Bytes at the beginning of every SQLite file. Source: https://www.sqlite.org/fileformat.html"""


class SqliteFile:
    """An open file and its transactions. Threads of one process may share it; a forked child opens its own.

    Args:
        path: the file; made, with its folders, where there is none. ":memory:" for none.
        durability: what an acknowledged write survives.
        patience: seconds to wait while others write.

    Raises:
        DamagedStoreError: the file is damaged, empty or no database: it has been renamed, nothing in it was changed,
            and the path is free. Or it is of a newer release: then it has been left as it is, where it is.
        StoreError: it cannot be opened, or is a database of something else.
    """

    def __init__(self, path: Path | str, *, durability: Durability = "normal", patience: float = PATIENCE) -> None:
        if durability not in ("full", "normal"):
            raise ValueError(f"durability is {durability!r}; it should be 'full' or 'normal'")
        self.path = str(path) if str(path) == ":memory:" else os.path.abspath(path)  # noqa: PTH100  # keeps links
        self._lock = threading.RLock()
        self._depth = 0
        self._patience = patience
        self._durability = durability
        try:
            self._connection = self._opened()
        except sqlite3.Error as error:
            raise self._failure(error, "open") from error
        except OSError as error:
            raise StoreError(f"cannot open the store {self.path!r}: {error.strerror or error}") from error

    # ---- transactions

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside one transaction, alone among all processes; an exception undoes all of it.

        May be nested; only the outermost one commits.

        Raises:
            StoreError: it could not be written; nothing of it was.
        """
        with self._lock:
            if self._depth:
                self._depth += 1
                try:
                    yield
                finally:
                    self._depth -= 1
                return
            self._run("BEGIN IMMEDIATE", "write")
            self._depth = 1
            try:
                yield
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._undo()
                raise self._failure(error, "write") from error
            finally:
                self._depth = 0
                self._undo()  # nothing, after COMMIT

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection, and make everything inside see one state of the file.

        Raises:
            StoreError: it could not be read.
        """
        with self._lock:
            alone = not self._depth and not self._connection_in_transaction()
            try:
                if alone:
                    self._connection.execute("BEGIN")
                yield self._connection
            except sqlite3.Error as error:
                raise self._failure(error, "read") from error
            finally:
                if alone:
                    self._undo()

    def data_version(self) -> int:
        """Return a number that is another one when another connection wrote; 2 microseconds."""
        with self.reading() as connection:
            return int(connection.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Let go of the file; closing twice is no error."""
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    # ---- inside

    def _connection_in_transaction(self) -> bool:
        try:
            return self._connection.in_transaction
        except sqlite3.ProgrammingError as error:
            raise StoreError(f"the store {self.path!r} is closed") from error

    def _run(self, statement: str, doing: str) -> None:
        try:
            self._connection.execute(statement)
        except sqlite3.Error as error:
            raise self._failure(error, doing) from error

    def _undo(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _opened(self) -> sqlite3.Connection:
        if self.path != ":memory:":
            self._make_file()
            self._refuse_newer()
        connection = sqlite3.connect(
            self.path, timeout=self._patience, isolation_level=None, check_same_thread=False
        )
        with contextlib.ExitStack() as undoing:
            undoing.callback(connection.close)
            self._prepare(connection)
            undoing.pop_all()
        return connection

    def _make_file(self) -> None:
        """Make the file, for its owner only and whole at once, so that an empty one is never ours."""
        place = Path(self.path)
        made_private(place.parent)
        if place.exists():
            if place.is_file() and (size := place.stat().st_size) < HEADER:
                raise self._set_aside(None, f"is empty or cut off ({size} bytes), which a store never is")
            return
        descriptor, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}-")
        os.close(descriptor)
        try:
            with contextlib.closing(sqlite3.connect(name, isolation_level=None)) as connection:
                self._migrate(connection)
            with contextlib.suppress(FileExistsError):  # somebody else was faster
                _placed(Path(name), place)
        finally:
            Path(name).unlink(missing_ok=True)

    def _close_to_others(self) -> None:
        """Take the file back for its owner, where others were let in since it was made."""
        for place in (Path(self.path + suffix) for suffix in ("", *_SIDE_FILES)):
            with contextlib.suppress(FileNotFoundError, PermissionError):
                if place.stat().st_mode & 0o077:
                    place.chmod(0o600)

    def _refuse_newer(self) -> None:
        """Refuse a store of a newer release without writing: by the header of the file, or behind a log, read-only."""
        place = Path(self.path)
        if Path(f"{place}-wal").exists():
            with contextlib.closing(sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True)) as connection:
                ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
                version = connection.execute("PRAGMA user_version").fetchone()[0]
        else:
            with place.open("rb") as file:
                header = file.read(HEADER)
            version, ours = int.from_bytes(header[60:64]), int.from_bytes(header[68:72]) == APPLICATION
        if ours and version > len(MIGRATIONS):
            raise DamagedStoreError(
                f"the store {self.path!r} is of a newer release (schema {version}; this release reads up to "
                f"{len(MIGRATIONS)}); nothing was changed: update holdfast, or let this release use another place"
            )

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Check that the file is ours, switch WAL on, and bring the schema up to date."""
        connection.execute(f"PRAGMA busy_timeout = {round(self._patience * 1000)}")
        version, application, tables = connection.execute(
            "SELECT (SELECT user_version FROM pragma_user_version), "
            "(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_master)"
        ).fetchone()
        if tables and application != APPLICATION:
            raise StoreError(f"{self.path!r} is a database of something else and is left alone; name another file")
        if self.path != ":memory:" and 0 < Path(self.path).stat().st_size <= CHECKED_SIZE:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise self._set_aside(connection, f"is damaged ({found})")
        if self.path != ":memory:":
            self._close_to_others()
        self._switch_to_wal(connection)
        connection.execute(f"PRAGMA synchronous = {self._durability}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # what is forgotten leaves the file, too
        if version < len(MIGRATIONS):
            self._migrate(connection)

    def _switch_to_wal(self, connection: sqlite3.Connection) -> None:
        """Switch WAL on; others who do so at the same moment make it fail without waiting, so wait here."""
        until = time.monotonic() + self._patience
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if _code(error) not in _BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.01)
            else:
                return

    def _migrate(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        with contextlib.ExitStack() as undoing:
            undoing.callback(connection.rollback)
            version = connection.execute("PRAGMA user_version").fetchone()[0]  # others may have been faster
            for number, statements in enumerate(MIGRATIONS[version:], version + 1):
                for statement in statements:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute("COMMIT")
            undoing.pop_all()

    def _set_aside(self, connection: sqlite3.Connection | None, reason: str) -> DamagedStoreError:
        """Rename the file and what belongs to it; return the error that says so."""
        if connection is not None:
            connection.close()
        if self.path == ":memory:":
            return DamagedStoreError(f"the store in memory {reason}")
        number = 1
        while (aside := Path(f"{self.path}.aside-{number}")).exists():
            number += 1
        try:
            Path(self.path).rename(aside)
            for suffix in _SIDE_FILES:
                side = Path(self.path + suffix)
                if side.exists():
                    side.rename(f"{aside}{suffix}")
        except OSError as error:
            return DamagedStoreError(
                f"the store {self.path!r} {reason}, and it cannot be renamed ({error.strerror}); move it away"
            )
        return DamagedStoreError(
            f"the store {self.path!r} {reason}; it is kept unchanged as {str(aside)!r}, and the next start "
            "begins a new one",
            str(aside),
        )

    def _failure(self, error: sqlite3.Error, doing: str) -> StoreError:
        """Say what an error of SQLite means here."""
        code = _code(error)
        if code in _DAMAGED:
            with contextlib.suppress(sqlite3.Error, AttributeError):
                self._connection.close()
            return self._set_aside(None, f"is damaged ({error})")
        if code in _FULL:
            why = f"no room to {doing} in" if code == sqlite3.SQLITE_FULL else f"the disk failed to {doing}"
            return StoreError(f"{why} the store {self.path!r} ({error}); what was stored before is intact")
        if code in _BUSY:
            return StoreError(
                f"the store {self.path!r} was busy for {self._patience:g} seconds; another process holds it"
            )
        return StoreError(f"cannot {doing} the store {self.path!r}: {error}")


def _placed(made: Path, place: Path) -> None:
    """Give a file its name, unless there is one of that name.

    Raises:
        FileExistsError: there is.
    """
    try:
        os.link(made, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        made.rename(place)


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code, 0 where there is none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF

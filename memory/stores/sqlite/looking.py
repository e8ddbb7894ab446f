"""Look at the file of a store without changing anything."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memory.stores.sqlite.schema import APPLICATION, MIGRATIONS

if TYPE_CHECKING:
    from pathlib import Path


_COUNTS: Final = """SELECT (SELECT count(*) FROM memories), (SELECT count(*) FROM conversations),
(SELECT count(*) FROM originals)"""


@dataclass(frozen=True, slots=True)
class StoreState:
    """What a store's file is like.

    Attributes:
        size: in bytes, with its log.
        schema: its version; 0 where it cannot be read.
        memories, conversations, originals: how many it holds.
        trouble: what is wrong, and what would mend it.
        aside: damaged files that were set aside earlier.
    """

    size: int = 0
    schema: int = 0
    memories: int = 0
    conversations: int = 0
    originals: int = 0
    trouble: tuple[tuple[str, str], ...] = ()
    aside: tuple[str, ...] = ()


def look_at(file: Path) -> StoreState:
    """Return what the file of a store is like; reads all of it (some seconds a gigabyte), never raises."""
    trouble: list[tuple[str, str]] = []
    aside = tuple(sorted(str(one) for one in file.parent.glob(f"{file.name}.aside-*") if one.suffix[-1:].isdigit()))
    counts, schema, size = (0, 0, 0), 0, 0
    try:
        size = sum(one.stat().st_size for one in (file, file.with_name(f"{file.name}-wal")) if one.exists())
        if os.name == "posix":
            for place, right in ((file, "600"), (file.parent, "700")):
                if place.stat().st_mode & 0o077:
                    trouble.append((f"others on this machine can use {place}", f"chmod {right} {place}"))
        if not os.access(file, os.W_OK):
            trouble.append((f"{file} cannot be written to", f"let yourself write to it: chmod u+w {file}"))
        with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            schema, wrong = _checked(opened)
            if wrong:
                trouble.append(wrong)
            else:
                counts = opened.execute(_COUNTS).fetchone()
    except (OSError, sqlite3.Error) as error:
        mend = f"move {file} away; the next start begins a new store"
        trouble.append((f"{file} cannot be read: {error}", mend))
    return StoreState(size, schema, *counts, trouble=tuple(trouble), aside=aside)


def _checked(opened: sqlite3.Connection) -> tuple[int, tuple[str, str] | None]:
    """Return the version of the schema, and what is wrong with the file."""
    if opened.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        return 0, (
            "it is a database of something else",
            "move it away, or set HOLDFAST_HOME to another folder",
        )
    schema = int(opened.execute("PRAGMA user_version").fetchone()[0])
    if schema > len(MIGRATIONS):
        told = f"it is of a newer release (schema {schema}, this release reads up to {len(MIGRATIONS)})"
        return schema, (told, "update holdfast, or set HOLDFAST_HOME to another folder")
    found = opened.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        return schema, (
            f"it is damaged: {found}",
            "keep a copy; the next start sets it aside and begins anew",
        )
    return schema, None

"""The files between a hook and the process that saves: prepared texts, what waits to be saved, what went wrong."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

MOST: Final = 9_000
"""Characters that a hook says at most; clients cut what is longer than some 10,000."""
EARLIER: Final = "Said in earlier sessions of this project:"
MOST_FAILURES: Final = 100_000
"""Bytes of the file of failures; a longer one begins anew."""


def texts_folder() -> Path:
    """Return the folder of prepared texts; it need not exist."""
    from memory.stores import data_folder

    return data_folder() / "start"


def failures_file() -> Path:
    """Return the file with what went wrong in hooks, a JSON object a line; it need not exist."""
    return texts_folder() / "failures.jsonl"


def session_text(session: str) -> Path:
    """Return the file with what was said in a session."""
    return texts_folder() / f"session-{_named(session)}.txt"


def project_file(key: str) -> Path:
    """Return the file with what a project remembers."""
    return texts_folder() / f"project-{_named(key)}.json"


def state_of(store: Path) -> list[int]:
    """Return what changes whenever the store does."""
    state = []
    for path in (store, store.with_name(store.name + "-wal")):
        try:
            found = path.stat()
        except OSError:
            state += [0, 0]
        else:
            state += [found.st_mtime_ns, found.st_size]
    return state if state[3] else state[:2]


def saved(session: str) -> None:
    """Say that a session is saved."""
    waiting_file(session).unlink(missing_ok=True)


def keep_failure(event: str, error: BaseException) -> None:
    """Note what went wrong; where not even that is possible, nobody is told."""
    with contextlib.suppress(Exception):
        place = failures_file()
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = "a" if place.exists() and place.stat().st_size < MOST_FAILURES else "w"
        said = f"{type(error).__name__}: {error}"[:500]
        noted = {"at": time.time(), "event": event, "error": said}
        with place.open(mode, encoding="utf-8") as file:
            file.write(json.dumps(noted) + "\n")


def waiting_file(session: str) -> Path:
    """Return the file that is there as long as a session is being saved."""
    return texts_folder() / f"session-{_named(session)}.saving"


def written_at(place: Path) -> float:
    """Return when a file was written; 0 where there is none."""
    try:
        return place.stat().st_mtime
    except OSError:
        return 0.0


def _named(name: str) -> str:
    """Return a name of a file for what a client or a repository calls itself."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def read_text(place: Path) -> str:
    """Return a prepared text; "" where there is none."""
    try:
        return place.read_text("utf-8")
    except OSError:
        return ""

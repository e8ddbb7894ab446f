"""Files that belong to somebody: read, shown as a difference before they change, backed up, restored to the byte."""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from condense.compaction import write_atomically
from condense.errors import CondenseFailure
from memory.stores import made_data_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class InstallError(CondenseFailure):
    """Something could not be switched on or off; nothing was changed, or it was put back."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A file as it was: None where there was none."""

    path: Path
    content: bytes | None
    mode: int = 0o600

    @property
    def text(self) -> str:
        """Its text, "" without a file."""
        return (self.content or b"").decode("utf-8", "replace")

    def restore(self) -> None:
        """Put it back to the byte.

        Raises:
            OSError: it cannot be written.
        """
        self.put(self.content)

    def put(self, content: bytes | None) -> None:
        """Write another content in its place; None removes it.

        Raises:
            OSError: it cannot be written.
        """
        if content is None:
            self.path.unlink(missing_ok=True)
        else:
            write_atomically(self.path, content, mode=self.mode)


def kept(path: Path) -> Kept:
    """Read a file that is to change.

    Raises:
        InstallError: it cannot be read, or could not be written.
    """
    path = Path(os.path.realpath(path))  # a link stays one: dotfiles are often kept elsewhere
    try:
        content = path.read_bytes()
        mode = path.stat().st_mode & 0o777
    except FileNotFoundError:
        folder = next(parent for parent in path.parents if parent.exists())
        if not os.access(folder, os.W_OK):
            raise InstallError(f"{path} cannot be made: {folder} cannot be written to") from None
        return Kept(path, None)
    except OSError as error:
        raise InstallError(f"{path} cannot be read: {error.strerror or error}") from error
    if not os.access(path, os.W_OK) or not mode & 0o200 or not os.access(path.parent, os.W_OK):
        raise InstallError(f"{path} is read-only; make it writable, or change it by hand")
    return Kept(path, content, mode)


@contextlib.contextmanager
def undone_on_failure(*paths: Path, undo: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Put files back as they are now where what is done inside fails.

    Args:
        paths: of the files.
        undo: called first.

    Raises:
        InstallError: it failed, or a file cannot be read or could not be written.
    """
    files = [kept(path) for path in paths]
    try:
        yield
    except (InstallError, OSError, KeyboardInterrupt) as error:
        undo()
        for file in files:
            file.restore()
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InstallError(f"{error}; {paths[0]} is as it was") from error


def read_json(file: Kept) -> dict[str, Any]:
    """Read settings in JSON; {} without a file or with an empty one.

    Raises:
        InstallError: it is no JSON object; names line and column.
    """
    if not file.text.strip():
        return {}
    try:
        value = json.loads(file.text)
    except json.JSONDecodeError as error:
        raise InstallError(
            f"{file.path}:{error.lineno}:{error.colno}: {error.msg}; this is not valid JSON (which has no comments), "
            "so the agent cannot read it either; fix it first"
        ) from error
    if not isinstance(value, dict):
        raise InstallError(f"{file.path}: it should be a JSON object, not {type(value).__name__}")
    return value


def written(value: dict[str, Any], like: Kept) -> bytes:
    """Write settings as JSON, indented as a file was."""
    indent: int | str = 2
    for line in like.text.splitlines():
        space = line[: len(line) - len(line.lstrip())]
        if space:
            indent = "\t" if space.startswith("\t") else len(space)
            break
    return (json.dumps(value, indent=indent, ensure_ascii=False) + "\n").encode()


def hook_commands(settings: dict[str, Any]) -> list[str]:
    """Return what hooks call, whoever wrote them: {"hooks": {EVENT: [{"hooks": [{"command": ...}]}]}}."""
    events = settings.get("hooks")
    groups = (
        [g for some in events.values() if isinstance(some, list) for g in some] if isinstance(events, dict) else []
    )
    inner = [h for g in groups if isinstance(g, dict) and isinstance(g.get("hooks"), list) for h in g["hooks"]]
    return [str(one["command"]) for one in inner if isinstance(one, dict) and "command" in one]


def difference(file: Kept, after: bytes) -> str:
    """Return what changes in a file, as `diff -u` shows it."""
    lines = difflib.unified_diff(
        file.text.splitlines(keepends=True),
        after.decode("utf-8", "replace").splitlines(keepends=True),
        f"{file.path} (now)",
        f"{file.path} (then)",
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def back_up(file: Kept) -> Path | None:
    """Keep a copy of a file in the data folder and return where; None where there is no file.

    Raises:
        StoreError, OSError: it cannot be written.
    """
    if file.content is None:
        return None
    folder = made_data_folder() / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    place = folder / f"{file.path.name}-{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 1_000_000:06d}"
    write_atomically(place, file.content)
    return place

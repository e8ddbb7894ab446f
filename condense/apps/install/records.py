"""What was switched on where, with the files as they were: enough to undo it exactly."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from condense.apps.install.files import InstallError
from condense.compaction import write_atomically
from memory.stores import data_folder, made_data_folder

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(slots=True)
class Installed:
    """One agent that holdfast is switched on in.

    Attributes:
        client: "claude-code" or "codex".
        scope: "user" or "project".
        folder: where the project's settings are, or the client's own folder where a variable names it; else "".
        files: path -> content before, base64, None where there was no file.
        backups: copies of them for people.
        port: of the proxy; None without one.
        more: what else the client needs to undo it.
    """

    client: str
    scope: str = "user"
    folder: str = ""
    files: dict[str, str | None] = field(default_factory=dict)
    backups: list[str] = field(default_factory=list)
    port: int | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def note(self, path: Path, content: bytes | None) -> None:
        """Keep a file as it was."""
        self.files[str(path)] = None if content is None else base64.b64encode(content).decode()

    def before(self, path: Path) -> bytes | None:
        """Return a file as it was."""
        content = self.files.get(str(path))
        return None if content is None else base64.b64decode(content)

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it: there is one for each."""
        return (self.client, self.scope, self.folder)

    @property
    def name(self) -> str:
        """The same for people."""
        return f"{self.client} ({self.scope}{f' in {self.folder}' if self.folder else ''})"


def records_file() -> Path:
    """Return the file of the records; it need not exist."""
    return data_folder() / "installed.json"


def installed() -> list[Installed]:
    """Return what is switched on.

    Raises:
        InstallError: the file cannot be read.
    """
    try:
        return [Installed(**row) for row in json.loads(records_file().read_text("utf-8"))]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as error:
        raise InstallError(f"{records_file()}: {error}") from error


def earlier(client: str, scope: str = "user", folder: str = "") -> Installed | None:
    """Return the record of a client that it is switched on in already."""
    return next((one for one in installed() if one.key == (client, scope, folder)), None)


def remember(one: Installed) -> None:
    """Keep a record, in place of one of the same client and scope."""
    _write([*(other for other in installed() if other.key != one.key), one])


def forget(one: Installed) -> None:
    """Remove a record."""
    _write([other for other in installed() if other.key != one.key])


def _write(rows: list[Installed]) -> None:
    made_data_folder()
    write_atomically(records_file(), json.dumps([asdict(row) for row in rows], indent=1).encode())

"""Where originals and records are kept on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from condense.archive import DiskArchive, write_atomically
from condense.cli.refusals import Refusal, reason_of
from condense.errors import RecordError
from condense.plans import CompactionRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

HOME_VARIABLE = "HOLDFAST_HOME"


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of this user's holdfast data; it need not exist.

    `HOLDFAST_HOME` where it is set; otherwise where the platform keeps such things: `XDG_DATA_HOME` or
    ~/.local/share, ~/Library/Application Support on macOS, %LOCALAPPDATA% on Windows.

    Raises:
        Refusal: no home folder is known.
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
        raise Refusal(
            f"no home folder is known to keep originals in; set {HOME_VARIABLE} to a folder"
        ) from None
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "holdfast"
    return home / ".local" / "share" / "holdfast"


def open_archive(*, writing: bool = False) -> DiskArchive:
    """Open the archive of originals; one for all projects, contents are known by their digests.

    Args:
        writing: make its folder now.

    Raises:
        Refusal: the folder cannot be made or written to.
    """
    folder = data_folder() / "originals"
    if writing:
        _made(folder)
    return DiskArchive(folder)


def keep_record(record: CompactionRecord) -> Path:
    """Store a record beside the originals and return its file.

    Raises:
        Refusal: it cannot be written.
    """
    folder = data_folder() / "records"
    _made(folder)
    place = folder / f"{record.id}.json"
    try:
        write_atomically(place, record.to_json().encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise Refusal(f"cannot keep the record of this compaction: {reason_of(error)}") from error
    return place


def last_record() -> CompactionRecord:
    """Return the newest record.

    Raises:
        Refusal: there is none, or it cannot be read.
    """
    folder = data_folder() / "records"
    try:
        newest = max(folder.glob("*.json"), key=lambda p: p.stat().st_mtime, default=None)
        if newest is None:
            raise Refusal(f"no compaction is on record in {folder}; run holdfast condense first")
        return CompactionRecord.from_json(newest.read_bytes())
    except (OSError, RecordError) as error:
        raise Refusal(f"cannot read the last record: {reason_of(error)}") from error


def _made(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(
            f"cannot keep originals in {folder}: {reason_of(error)}; set {HOME_VARIABLE} to a folder of yours"
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Refusal(f"cannot write to {folder}; set {HOME_VARIABLE} to a folder of yours")

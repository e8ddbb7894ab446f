"""Originals by content: what is folded goes in whole and comes back by its handle, byte for byte.

A handle is "hf_" and the first 12 hexadecimal characters of the content's BLAKE2b digest; longer prefixes work too.
Nothing expires by itself. What is written to a disk goes there without its secrets: an original that held some comes
back without them, all others to the byte.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from condense.errors import ArchiveError, HandleError
from condense.reading import HANDLE_DIGITS, _digest, handle_of
from memory.conversation import redact_bytes
from memory.errors import StoreError, UnknownHandleError
from memory.notes import made_private

if TYPE_CHECKING:
    from collections.abc import Iterable

_REDACTED = "-redacted"
_HANDLE = re.compile(r"\A(?:hf_)?([0-9a-f]{8,64})\Z")


class Archive(Protocol):
    """Where originals are kept.  Any object with these two methods serves; what fails is an `ArchiveError`."""

    def put(self, content: bytes) -> str:
        """Keep a content, whole or not at all, and return its handle; putting the same again changes nothing."""
        ...

    def get(self, handle: str) -> bytes:
        """Return the content; a `HandleError` says that the handle names nothing here, or several things."""
        ...


def _prefix(handle: str) -> str:
    found = _HANDLE.match(handle.strip().lower())
    if found is None:
        raise HandleError(f"{handle!r} is no handle; one looks like 'hf_0123456789ab'")
    return found.group(1)


def _only(names: Iterable[str], handle: str) -> str:
    found = sorted(names)
    if not found:
        raise HandleError(
            f"{handle!r} is not in this archive, so it cannot be fetched; run the command or read the file again"
        )
    if len(found) > 1:
        raise HandleError(f"{handle!r} names {len(found)} things; give more of it: {found[:3]}")
    return found[0]


class MemoryArchive:
    """An archive that lives as long as the process."""

    def __init__(self) -> None:
        self._contents: dict[str, bytes] = {}

    def put(self, content: bytes) -> str:
        """Keep a content; see `Archive.put`."""
        digest = _digest(content)
        self._contents[digest] = content
        return handle_of(digest)

    def get(self, handle: str) -> bytes:
        """Return a content; see `Archive.get`."""
        prefix = _prefix(handle)
        return self._contents[_only((d for d in self._contents if d.startswith(prefix)), handle)]


class DiskArchive:
    """An archive in a folder: one file a content, `ab/cdef...`, mode 0600, written whole or not at all.

    A content that held secrets is in a file `ab/cdef...-redacted`, named by what was put in.  Several processes may
    use one folder at once; it is made (mode 0700) when first needed.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)

    def put(self, content: bytes) -> str:
        """Keep a content; see `Archive.put`."""
        digest = _digest(content)
        clean = redact_bytes(content)
        place = self.folder / digest[:2] / (digest[2:] + (_REDACTED if clean != content else ""))
        if not place.exists():
            try:
                made_private(self.folder, ours=True)
                place.parent.mkdir(mode=0o700, exist_ok=True)
                write_atomically(place, clean)
                if clean != content:  # an earlier release kept it as it was
                    (place.parent / digest[2:]).unlink(missing_ok=True)
            except OSError as error:
                raise ArchiveError(f"cannot keep an original in {str(self.folder)!r}: {error}") from error
        return handle_of(digest)

    def get(self, handle: str) -> bytes:
        """Return a content; see `Archive.get`."""
        prefix = _prefix(handle)
        found = self.folder.glob(f"{prefix[:2]}/{prefix[2:]}*")
        name = _only((p.parent.name + p.name for p in found), handle)
        try:
            content = (self.folder / name[:2] / name[2:]).read_bytes()
        except OSError as error:
            raise ArchiveError(f"cannot read {handle!r} in {str(self.folder)!r}: {error}") from error
        if not name.endswith(_REDACTED) and _digest(content) != name:
            raise ArchiveError(
                f"{handle!r} in {str(self.folder)!r} is damaged: its bytes no longer have its digest"
            )
        return content


class OriginalStore(Protocol):
    """The part of a store of memories that keeps originals, such as `memory.stores.sqlite.store.SqliteStore`."""

    def put_original(self, project: str | None, task_id: str, content: bytes) -> str:
        """Keep a content without its secrets and return the handle of what was put in."""
        ...

    def get_original(self, project: str | None, task_id: str, handle: str) -> bytes:
        """Return the content of a handle that belongs to the project, or outside any to the task."""
        ...


class StoreArchive:
    """An archive in the file that also holds the memories.

    Originals belong to a project, whose tasks all fetch them back; outside any (`project` None) to the task alone.
    `older` is asked, by whole handles, for what the store does not have (a `DiskArchive` of before, which knows no
    projects), and never written to.
    """

    def __init__(
        self, store: OriginalStore, older: Archive | None = None, *, project: str | None, task_id: str = ""
    ) -> None:
        self.store = store
        self.older = older
        self.project = project
        self.task_id = task_id

    def put(self, content: bytes) -> str:
        """Keep a content; see `Archive.put`.  A `ValueError` says that there is neither a project nor a task."""
        try:
            return self.store.put_original(self.project, self.task_id, content)
        except StoreError as error:
            raise ArchiveError(f"cannot keep an original: {error}") from error

    def get(self, handle: str) -> bytes:
        """Return a content; see `Archive.get`."""
        prefix = _prefix(handle)
        try:
            return self.store.get_original(self.project, self.task_id, handle)
        except UnknownHandleError as unknown:
            if self.older is not None and len(prefix) >= HANDLE_DIGITS:
                with contextlib.suppress(HandleError):
                    return self.older.get(handle)
            raise HandleError(str(unknown)) from unknown
        except StoreError as error:
            raise ArchiveError(str(error)) from error


def write_atomically(place: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Write a file whole or not at all (`OSError`; the old file is untouched): a neighbour is synced and renamed."""
    descriptor, name = tempfile.mkstemp(dir=place.parent, prefix=".part-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise

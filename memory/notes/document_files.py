"""The Markdown files that are memory: MEMORY.md and memory/*.md of one folder, and nothing else.

Paths come from a model, so they are not trusted: what leads out of the folder by "..", an absolute path or a symbolic
link, what is no Markdown file, no plain file or no text is refused.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Final

from memory.errors import DocumentError

MAIN: Final = "MEMORY.md"
FOLDER: Final = "memory"

MOST_BYTES: Final = 8_000_000
"""Bytes of a document that is read (chosen: a thousand times a usual one)."""

_LISTED: Final = re.compile(r"(?:MEMORY\.md|memory/[^/\\\x00]{1,250}\.md)", re.IGNORECASE)


class DocumentFolder:
    """The documents under one folder, which need not exist."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)

    def paths(self) -> tuple[str, ...]:
        """Return the documents there are, MEMORY.md first, then by name; paths relative to the root, with "/".

        Files that would be refused are left out. Costs one directory listing.
        """
        try:
            names = sorted(place.name for place in (self.root / FOLDER).iterdir() if place.name[0] != ".")
        except OSError:
            names = []
        found = [MAIN, *(f"{FOLDER}/{name}" for name in names if name.casefold().endswith(".md"))]
        return tuple(path for path in found if self._place(path) is not None)

    def stamp(self, path: str) -> tuple[int, int, int] | None:
        """Return what tells a state of one of `paths` from others: inode, size, time; None where it is gone."""
        try:
            found = (self.root / path).stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def read(self, path: str) -> tuple[str, ...]:
        """Return a document's lines ("MEMORY.md" or "memory/NAME.md", relative to the root), without line ends.

        `DocumentError` where it is anything else, leads out of the folder, does not exist, or is no text.
        """
        plain = path.removeprefix("./")
        if not _LISTED.fullmatch(plain):
            raise DocumentError(
                f"{path!r} is no memory document; it should be 'MEMORY.md' or 'memory/NAME.md', "
                "as memory_search gives it"
            )
        place = self._place(plain)
        if place is None:
            raise DocumentError(f"{path!r} is not there, or leads out of the memory folder by a link")
        try:
            text = _content(path, place).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            where = f"{error.reason} at byte {error.start}"
            raise DocumentError(f"{path!r} is no text in UTF-8 ({where})") from error
        if "\0" in text:
            raise DocumentError(f"{path!r} is a binary file; memory documents are text")
        return tuple(line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")) if text else ()

    def _place(self, path: str) -> Path | None:
        """Return the file that a listed path names, links followed; None where it lies outside or is no file."""
        root = Path(os.path.realpath(self.root))
        place = Path(os.path.realpath(root / path))
        inside = place.relative_to(root).as_posix() if place.is_relative_to(root) else ""
        return place if _LISTED.fullmatch(inside) and place.is_file() else None


def _content(path: str, place: Path) -> bytes:
    """Read a plain file that is no link, at most `MOST_BYTES`."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with os.fdopen(os.open(place, flags), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise DocumentError(f"{path!r} is no plain file; memory documents are")
            if found.st_size > MOST_BYTES:
                raise DocumentError(f"{path!r} has {found.st_size} bytes; at most {MOST_BYTES} are read")
            return file.read(MOST_BYTES)
    except OSError as error:
        raise DocumentError(f"{path!r} cannot be read: {error.strerror or error}") from error

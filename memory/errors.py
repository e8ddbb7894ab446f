"""Errors of `memory`, one tree: `MemoryFailure` and below it what a file, a message, a snapshot or a store got wrong.

Settings that are out of range raise `ValueError` from the config objects themselves.
"""

from __future__ import annotations


class MemoryFailure(Exception):  # noqa: N818  # the name MemoryError is Python's own
    """Anything that `memory` raises on purpose."""


class TranscriptError(MemoryFailure, ValueError):
    """A file or value is no conversation.

    `path` is the file, "-" for standard input, None for a value in memory; `line` 1-based, None where lines mean
    nothing.
    """

    def __init__(self, reason: str, *, path: str | None = None, line: int | None = None) -> None:
        self.reason = reason
        self.path = path
        self.line = line
        where = "" if path is None else path if line is None else f"{path}:{line}"
        super().__init__(f"{where}: {reason}" if where else reason)


class UnknownFormatError(TranscriptError):
    """The content is readable but is no conversation in a form we know."""


class WireError(MemoryFailure, ValueError):
    """A message does not fit the form it was given as."""


class ForeignMessageError(WireError, TypeError):
    """What stands in the place of a message, or within one, is an object of another library or no message at all."""


class SnapshotError(MemoryFailure, ValueError):
    """A serialized memory could not be restored."""


class DocumentError(MemoryFailure, ValueError):
    """A path names no memory document, leads out of the memory folder, or names something that is no text."""


class StoreError(MemoryFailure):
    """A store could not read or write."""


class DamagedStoreError(StoreError):
    """A store's file is no store, damaged, or of a newer release.

    `set_aside` is the path under which the file is kept; None where it stayed where it was.
    """

    def __init__(self, reason: str, set_aside: str | None = None) -> None:
        self.set_aside = set_aside
        super().__init__(reason)


class UnknownHandleError(StoreError):
    """A handle names no original in the store, or several."""

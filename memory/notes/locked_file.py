"""A text file that a person and several programs edit at the same time.

Programs take turns by a lock file beside it; a person's editor knows no locks, so the file's stamp is looked at before
it is replaced. An editor that read the file before and saves its old copy later cannot be seen.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from memory.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

R = TypeVar("R")
MOST_TRIES: Final = 100
"""How often a change is made anew because the file changed meanwhile (chosen: nobody types that fast)."""


def made_private(folder: Path, *, ours: bool = False) -> None:
    """Make a folder, and those above it that are missing, each for its owner alone (mode 0700).

    Where it is `ours`, others who were let in no longer are, but for a folder with the sticky bit.
    """
    missing = [place for place in folder.parents if not place.exists()]
    for place in (*reversed(missing), folder):
        place.mkdir(mode=0o700, exist_ok=True)
    mode = folder.stat().st_mode
    if ours and mode & 0o077 and not mode & stat.S_ISVTX:
        with contextlib.suppress(PermissionError):  # somebody else's
            folder.chmod(0o700)


class SharedFile:
    """One such file, in UTF-8; bytes that are none survive. It need not exist; a new one has mode 0600.

    Methods raise `StoreError` where the file cannot be read or written; what stood there before still does.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    def read(self) -> str:
        """Return the whole text, "" where there is no file."""
        try:
            return _text(self.path.read_bytes())
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise self._failure("read", error) from error

    def append(self, line: str) -> int:
        """Add a line (without a line end) and return its number, 1-based. It is on disk when this returns."""
        return self._change(lambda real: _appended(real, line))

    def edit(self, change: Callable[[str], tuple[str, R]]) -> R:
        """Replace the text by what `change` makes of it, whole or not at all; return the result beside it.

        `change` is called again where somebody else wrote meanwhile; an equal text writes nothing.
        """
        return self._change(lambda real: _replaced(real, change))

    def _change(self, attempt: Callable[[Path], tuple[R] | None]) -> R:
        """Try a change of the file itself, links followed, until nobody else writes meanwhile; under the lock."""
        try:
            real = Path(os.path.realpath(self.path))
            made_private(real.parent)
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(real.parent / f".{real.name}.lock", flags, 0o600)
            try:
                _take_lock(descriptor)
                for _ in range(MOST_TRIES):
                    done = attempt(real)
                    if done is not None:
                        return done[0]
            finally:
                os.close(descriptor)
        except OSError as error:
            raise self._failure("write", error) from error
        raise StoreError(f"{str(self.path)!r} is changed all the time by somebody else; try again later")

    def _failure(self, doing: str, error: OSError) -> StoreError:
        why = error.strerror or str(error)
        return StoreError(f"cannot {doing} {str(self.path)!r}: {why}; what stood there before still does")


def _take_lock(descriptor: int) -> None:
    """Wait for the lock; it goes with the descriptor, also when the process is killed."""
    if sys.platform == "win32":  # pragma: no cover
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _stamp_of(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_ino, found.st_size, found.st_mtime_ns


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _appended(real: Path, line: str) -> tuple[int] | None:
    """Write a line at the end, in place; return its number, None where somebody else's writing took it away."""
    with os.fdopen(os.open(real, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        joint = b"\n" if size and file.read(1) != b"\n" else b""
        piece = joint + line.encode("utf-8", "surrogateescape") + b"\n"
        written = file.write(piece) or 0
        end = file.tell()
        if written < len(piece):
            if file.seek(0, os.SEEK_END) == end:
                file.truncate(end - written)
            raise OSError(28, "No space left on device")
        os.fsync(file.fileno())
        file.seek(0)
        content = file.read()
        start = end - len(piece)
        with contextlib.suppress(FileNotFoundError):
            if real.stat().st_ino == os.fstat(file.fileno()).st_ino and content[start:end] == piece:
                return (content.count(b"\n", 0, start + len(joint)) + 1,)
    return None


def _replaced(real: Path, change: Callable[[str], tuple[str, R]]) -> tuple[R] | None:
    """Replace the file by a changed copy and return the result; None where somebody wrote meanwhile."""
    with contextlib.ExitStack() as stack:
        old, content, was, mode = None, b"", None, 0o600
        with contextlib.suppress(FileNotFoundError):
            old = stack.enter_context(real.open("rb"))
        if old is not None:
            found = os.fstat(old.fileno())
            content, was, mode = old.read(), _stamp_of(found), stat.S_IMODE(found.st_mode)
            if len(content) != found.st_size:
                return None
        text, result = change(_text(content))
        fresh = text.encode("utf-8", "surrogateescape")
        if fresh == content:
            return (result,)
        descriptor, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.part-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(fresh)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode)
            present = None
            with contextlib.suppress(FileNotFoundError):
                present = _stamp_of(real.stat())
            if present != was:
                return None
            Path(name).replace(real)
        finally:
            Path(name).unlink(missing_ok=True)
        late = old.read() if old is not None else b""  # written at its end at the very moment it was replaced
        if late:
            with real.open("ab") as new:
                new.write(late)
        return (result,)

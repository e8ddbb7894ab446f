"""A text file that a person and several programs edit at the same time.

Programs take turns by a lock file beside it; a person's editor knows no locks, so the file's stamp is looked at
before it is replaced, and what was written in between is taken up. What cannot be seen: an editor that read the file
before and saves its old copy later; good editors warn of that themselves.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from memory.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

R = TypeVar("R")

MOST_TRIES: Final = 100
"""How often a change is made anew because the file changed meanwhile (chosen: nobody types that fast)."""


def made_private(folder: Path, *, ours: bool = False) -> None:
    """Make a folder, and those above it that are missing, each for its owner alone (mode 0700).

    Args:
        folder: the folder.
        ours: nobody else keeps anything there; where others were let in since it was made, they no longer are. A
            folder that everybody may put files in (the sticky bit) stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    missing = [place for place in folder.parents if not place.exists()]
    for place in (*reversed(missing), folder):
        place.mkdir(mode=0o700, exist_ok=True)
    mode = folder.stat().st_mode
    if ours and mode & 0o077 and not mode & stat.S_ISVTX:
        with contextlib.suppress(PermissionError):  # somebody else's
            folder.chmod(0o700)


class Stamp(NamedTuple):
    """What tells one state of a file from another: its inode, size in bytes, and time of change in nanoseconds."""

    inode: int
    size: int
    modified: int


class SharedFile:
    """One such file, in UTF-8; bytes that are none survive. It need not exist; a new one has mode 0600.

    Args:
        path: the file. A symbolic link is followed and stays one.

    All methods raise `StoreError` where the file cannot be read or written; what stood there before still does.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    def stamp(self) -> Stamp | None:
        """Return the file's state, None where there is no file."""
        try:
            return _stamp_of(self.path.stat())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._failure("read", error) from error

    def read(self) -> str:
        """Return the whole text, "" where there is no file."""
        try:
            return _text(self.path.read_bytes())
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise self._failure("read", error) from error

    def append(self, line: str) -> int:
        """Add a line at the end and return its number, 1-based. It is on disk when this returns.

        Args:
            line: without a line end.
        """
        try:
            with self._locked() as real:
                for _ in range(MOST_TRIES):
                    number = _appended(real, line)
                    if number:
                        return number
        except OSError as error:
            raise self._failure("write", error) from error
        raise self._unsettled()

    def edit(self, change: Callable[[str], tuple[str, R]]) -> R:
        """Replace the text by what `change` makes of it, whole or not at all.

        Args:
            change: is given the text and returns the new one and a result; called again where somebody else wrote
                meanwhile. An equal text writes nothing.

        Returns:
            The result of the call whose text was written.
        """
        try:
            with self._locked() as real:
                for _ in range(MOST_TRIES):
                    done, result = _replaced(real, change)
                    if done:
                        return result
        except OSError as error:
            raise self._failure("write", error) from error
        raise self._unsettled()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[Path]:
        """Hold the lock against other programs; gives the file itself, links followed."""
        real = Path(os.path.realpath(self.path))
        made_private(real.parent)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(real.parent / f".{real.name}.lock", flags, 0o600)
        try:
            _take_lock(descriptor)
            yield real
        finally:
            os.close(descriptor)

    def _failure(self, doing: str, error: OSError) -> StoreError:
        why = error.strerror or str(error)
        return StoreError(f"cannot {doing} {str(self.path)!r}: {why}; what stood there before still does")

    def _unsettled(self) -> StoreError:
        return StoreError(f"{str(self.path)!r} is changed all the time by somebody else; try again later")


def _take_lock(descriptor: int) -> None:
    """Wait for the lock; it goes with the descriptor, also when the process is killed."""
    if sys.platform == "win32":  # pragma: no cover
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _stamp_of(found: os.stat_result) -> Stamp:
    return Stamp(found.st_ino, found.st_size, found.st_mtime_ns)


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _appended(real: Path, line: str) -> int:
    """Write a line at the end, in place; return its number, 0 where somebody else's writing took it away."""
    descriptor = os.open(real, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "r+b", buffering=0) as file:
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
                return content.count(b"\n", 0, start + len(joint)) + 1
    return 0


def _replaced(real: Path, change: Callable[[str], tuple[str, R]]) -> tuple[bool, R]:
    """Replace the file by a changed copy, unless somebody wrote meanwhile; return whether, and the result."""
    with contextlib.ExitStack() as stack:
        old, content, was, mode = None, b"", None, 0o600
        with contextlib.suppress(FileNotFoundError):
            old = stack.enter_context(real.open("rb"))
        if old is not None:
            found = os.fstat(old.fileno())
            content, was, mode = old.read(), _stamp_of(found), stat.S_IMODE(found.st_mode)
            if len(content) != found.st_size:
                return False, change(_text(content))[1]
        text, result = change(_text(content))
        fresh = text.encode("utf-8", "surrogateescape")
        if fresh == content:
            return True, result
        descriptor, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.part-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(fresh)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode)
            if _present(real) != was:
                return False, result
            Path(name).replace(real)
        finally:
            with contextlib.suppress(FileNotFoundError):
                Path(name).unlink()
        if old is not None and _stamp_of(os.fstat(old.fileno())) != was:
            _take_up(real, old.fileno(), len(content))
        return True, result


def _take_up(real: Path, descriptor: int, known: int) -> None:
    """Add to the new file what was written at the end of the old one at the very moment it was replaced."""
    size = os.fstat(descriptor).st_size
    if size > known:
        os.lseek(descriptor, known, os.SEEK_SET)
        late = os.read(descriptor, size - known)
        with real.open("ab") as file:
            file.write(late)


def _present(real: Path) -> Stamp | None:
    try:
        return _stamp_of(real.stat())
    except FileNotFoundError:
        return None

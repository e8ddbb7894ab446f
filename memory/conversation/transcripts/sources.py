"""Where a transcript comes from: a file, bytes, a stream or a value, read as often as a reader needs it."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import stat
import sys
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from memory.errors import TranscriptError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_HEAD_SIZE = 4096  # chosen: enough to see a byte order mark, a magic number or a NUL
_BINARY_KINDS = {
    b"\x89PNG": "a PNG image",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a ZIP archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"SQLite format 3": "a SQLite database",
}
_ENCODINGS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"{\x00": "utf-16-le",
    b"[\x00": "utf-16-le",
    b"\x00{": "utf-16-be",
    b"\x00[": "utf-16-be",
    codecs.BOM_UTF8: "utf-8",
}
_UNZIP_ERRORS = (EOFError, zlib.error, gzip.BadGzipFile)


@contextmanager
def _errors_named(path: str | None) -> Iterator[None]:
    """Name the file in the errors of reading it."""
    try:
        yield
    except _UNZIP_ERRORS as error:
        raise TranscriptError(f"its gzip stream is damaged ({error})", path=path) from error
    except FileNotFoundError:
        raise TranscriptError("there is no such file", path=path) from None
    except OSError as error:
        raise TranscriptError(f"it cannot be read ({error.strerror or error})", path=path) from error


@dataclass(frozen=True, slots=True)
class Source:
    """Bytes of UTF-8 that can be opened again and again.

    Attributes:
        path: the file for error messages, "-" for standard input, None for a value in memory.
        open: opens the bytes from their beginning, unpacked and as UTF-8 without a byte order mark.
    """

    path: str | None
    open: Callable[[], IO[bytes]]

    def data(self) -> bytes:
        """Read everything.

        Raises:
            TranscriptError: the file cannot be read, or its gzip stream is damaged.
        """
        with _errors_named(self.path), self.open() as file:
            return file.read()

    def lines(self, warn: Callable[[str], None]) -> Iterator[tuple[int, bytes]]:
        """Yield number (from 1) and bytes of every line that is not blank, one at a time.

        Args:
            warn: told where a gzip stream breaks off; the lines before are yielded.

        Raises:
            TranscriptError: the file cannot be read.
        """
        number = 0
        try:
            with _errors_named(self.path), self.open() as file:
                for number, line in enumerate(file, 1):  # the warning names the last one
                    if not line.isspace():
                        yield number, line
        except TranscriptError as error:
            if not isinstance(error.__cause__, _UNZIP_ERRORS):
                raise
            why = error.__cause__
            warn(f"line {number + 1}: the gzip stream breaks off here ({why}); the lines before were read")


def open_source(source: Any) -> Source:
    """Make a source of a path, "-", bytes, a text of JSON or a stream.

    Args:
        source: a path (`os.PathLike`, or a string that does not begin like JSON), "-" for standard input, bytes, a
            string that begins with "{" or "[", or an open stream, which is read to its end.

    Raises:
        TranscriptError: there is no such file, it cannot be read, it is empty or binary, or `source` is of another
            type.
    """
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n")[:1] in {"{", "["}:
        return _of_bytes(source, None)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _of_bytes(source, None)
    if source == "-":
        return _of_bytes(sys.stdin.buffer.read(), "-")
    if isinstance(source, (str, os.PathLike)):
        return _of_file(Path(source))
    read = getattr(source, "read", None)
    if callable(read):
        name = getattr(source, "name", None)
        return _of_bytes(read(), name if isinstance(name, str) else None)
    raise TranscriptError(
        f"a conversation is read from a path, bytes, a stream or parsed JSON, not from {type(source).__name__!r}"
    )


def _of_file(path: Path) -> Source:
    name = str(path)
    if "\0" in name:
        raise TranscriptError("this is no path, it holds a NUL", path=repr(name))
    with _errors_named(name):
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise TranscriptError("this is a directory; it should be a file", path=name)
        if not stat.S_ISREG(mode):
            return _of_bytes(path.read_bytes(), name)  # a pipe can be read once
        return _recognised(path, name)


def _of_bytes(held: Any, path: str | None) -> Source:
    return _recognised(held.encode("utf-8", "surrogatepass") if isinstance(held, str) else bytes(held), path)


def _recognised(held: Path | bytes, path: str | None) -> Source:
    """Unpack gzip, make UTF-8 of other encodings, refuse what is empty or binary."""

    def packed() -> IO[bytes]:
        return held.open("rb") if isinstance(held, Path) else io.BytesIO(held)

    def gunzipped() -> IO[bytes]:
        return cast("IO[bytes]", gzip.open(held if isinstance(held, Path) else io.BytesIO(held)))

    with packed() as file:
        unpacked = gunzipped if file.read(2) == b"\x1f\x8b" else packed
    with _errors_named(path), unpacked() as file:
        head = file.read(_HEAD_SIZE)
        blank = not head.strip() and not file.read().strip()
    if blank:
        raise TranscriptError("it is empty; it should hold a conversation", path=path)
    encoding = next((name for mark, name in _ENCODINGS.items() if head.startswith(mark)), None)
    if encoding is None:
        kind = next((kind for magic, kind in _BINARY_KINDS.items() if head.startswith(magic)), None)
        if kind or b"\x00" in head:
            reason = f"this is {kind or 'binary'}; it should be a conversation in JSON or JSON lines"
            raise TranscriptError(reason, path=path)
        return Source(path, unpacked)

    def as_utf8() -> IO[bytes]:
        with unpacked() as file:
            if encoding == "utf-8":
                return io.BytesIO(file.read().removeprefix(codecs.BOM_UTF8))
            data = file.read()
        try:
            text = data.decode(encoding, "surrogatepass")
        except UnicodeDecodeError as error:
            raise TranscriptError(
                f"it begins as {encoding} but is not ({error.reason})", path=path
            ) from error
        return io.BytesIO(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass"))

    return Source(path, as_utf8)

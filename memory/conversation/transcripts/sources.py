"""Where a transcript comes from: a file, bytes, a stream or a value, read as often as a reader needs it."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import stat
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from memory.errors import TranscriptError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_GZIP_MAGIC = b"\x1f\x8b"
_HEAD_SIZE = 4096  # chosen: enough to see a byte order mark, a magic number or a NUL
_BINARY_KINDS = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a ZIP archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"\x7fELF": "a program",
    b"SQLite format 3": "a SQLite database",
}
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"{\x00", "utf-16-le"),
    (b"[\x00", "utf-16-le"),
    (b"\x00{", "utf-16-be"),
    (b"\x00[", "utf-16-be"),
)
_UNZIP_ERRORS = (EOFError, zlib.error, gzip.BadGzipFile)


class _Unpacked(gzip.GzipFile):
    """A gzip stream that closes the file it reads from."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        super().__init__(fileobj=packed)

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._packed.close()


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
        try:
            with self.open() as file:
                return file.read()
        except _UNZIP_ERRORS as error:
            raise TranscriptError(f"its gzip stream is damaged ({error})", path=self.path) from error
        except OSError as error:
            raise TranscriptError(_os_reason(error), path=self.path) from error

    def lines(self, warn: Callable[[str], None]) -> Iterator[tuple[int, bytes]]:
        """Yield number (from 1) and bytes of every line that is not blank, one at a time.

        Args:
            warn: told where a gzip stream breaks off; the lines before are yielded.

        Raises:
            TranscriptError: the file cannot be read.
        """
        number = 0
        try:
            with self.open() as file:
                for number, line in enumerate(file, 1):  # the warning names the last one
                    if not line.isspace():
                        yield number, line
        except _UNZIP_ERRORS as error:
            warn(f"line {number + 1}: the gzip stream breaks off here ({error}); the lines before were read")
        except OSError as error:
            raise TranscriptError(_os_reason(error), path=self.path) from error


def open_source(source: Any) -> Source:
    """Make a source of a path, "-", bytes, a text of JSON or a stream.

    Args:
        source: a path (`os.PathLike`, or a string that does not begin like JSON), "-" for standard input, bytes, a
            string that begins with "{" or "[", or an open stream, which is read to its end.

    Raises:
        TranscriptError: there is no such file, it cannot be read, it is empty or binary, or `source` is of another
            type.
    """
    if isinstance(source, str) and source != "-" and source.lstrip("\ufeff \t\r\n")[:1] in {"{", "["}:
        return _of_bytes(source.encode("utf-8", "surrogatepass"), None)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _of_bytes(bytes(source), None)
    if source == "-":
        return _of_bytes(sys.stdin.buffer.read(), "-")
    if isinstance(source, (str, os.PathLike)):
        return _of_file(Path(source))
    read = getattr(source, "read", None)
    if callable(read):
        held = read()
        name = getattr(source, "name", None)
        data = held.encode("utf-8", "surrogatepass") if isinstance(held, str) else bytes(held)
        return _of_bytes(data, name if isinstance(name, str) else None)
    raise TranscriptError(
        f"a conversation is read from a path, bytes, a stream or parsed JSON, not from {type(source).__name__!r}"
    )


def _of_file(path: Path) -> Source:
    name = str(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise TranscriptError("this is a directory; it should be a file", path=name)
        if not stat.S_ISREG(mode):
            return _of_bytes(path.read_bytes(), name)  # a pipe can be read once
        return _recognised(name, lambda: path.open("rb"))
    except OSError as error:
        raise TranscriptError(_os_reason(error), path=name) from error
    except ValueError as error:
        if isinstance(error, TranscriptError):
            raise
        raise TranscriptError(f"this is no path ({error})", path=repr(name)) from error


def _of_bytes(data: bytes, path: str | None) -> Source:
    return _recognised(path, lambda: io.BytesIO(data))


def _recognised(path: str | None, opened: Callable[[], IO[bytes]]) -> Source:
    """Unpack gzip, make UTF-8 of other encodings, refuse what is empty or binary."""
    with opened() as file:
        packed = file.read(2) == _GZIP_MAGIC

    def unpacked() -> IO[bytes]:
        return cast("IO[bytes]", _Unpacked(opened())) if packed else opened()

    try:
        with unpacked() as file:
            head = file.read(_HEAD_SIZE)
            blank = not head.strip() and not file.read().strip()
    except _UNZIP_ERRORS as error:
        raise TranscriptError(f"its gzip stream is damaged ({error})", path=path) from error
    if blank:
        raise TranscriptError("it is empty; it should hold a conversation", path=path)
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if head.startswith(mark)), None)
    if encoding is not None:
        return Source(path, _as_utf8(path, unpacked, encoding))
    for magic, kind in _BINARY_KINDS.items():
        if head.startswith(magic):
            raise TranscriptError(
                f"this is {kind}; it should be a conversation in JSON or JSON lines", path=path
            )
    if b"\x00" in head:
        raise TranscriptError("this is binary; it should be a conversation in JSON or JSON lines", path=path)
    return Source(path, _without_mark(unpacked) if head.startswith(codecs.BOM_UTF8) else unpacked)


def _without_mark(unpacked: Callable[[], IO[bytes]]) -> Callable[[], IO[bytes]]:
    def reopened() -> IO[bytes]:
        file = unpacked()
        file.read(len(codecs.BOM_UTF8))
        return file

    return reopened


def _as_utf8(path: str | None, unpacked: Callable[[], IO[bytes]], encoding: str) -> Callable[[], IO[bytes]]:
    def reopened() -> IO[bytes]:
        with unpacked() as file:
            data = file.read()
        try:
            text = data.decode(encoding, "surrogatepass")
        except UnicodeDecodeError as error:
            raise TranscriptError(
                f"it begins as {encoding} but is not ({error.reason})", path=path
            ) from error
        return io.BytesIO(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass"))

    return reopened


def _os_reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    return f"it cannot be read ({error.strerror or error})"

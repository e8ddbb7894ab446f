"""Where a transcript comes from: a file, bytes, a stream or a value, read as often as a reader needs it.

JSON is read exactly: huge integers, lone surrogates and NaN included, and mended where it is nearly JSON.
"""

from __future__ import annotations

import codecs
import gzip
import io
import json
import os
import re
import stat
import sys
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

import orjson

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
    (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE): "utf-32",
    (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE): "utf-16",
    (b"{\x00", b"[\x00"): "utf-16-le",
    (b"\x00{", b"\x00["): "utf-16-be",
    (codecs.BOM_UTF8,): "utf-8",
}
MAX_DEPTH = 200  # chosen below the 254 levels that orjson writes; no agent nests deeper than a few dozen

_LONG_NUMBER = b"0" * 19  # documented: integers of orjson have 64 bits
_DIGITS_AS_ZERO = bytes.maketrans(b"123456789", b"0" * 9)  # a tenth of the time that a pattern takes
_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)')
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
    """Bytes that can be opened again and again, unpacked and as UTF-8 without a byte order mark.

    `path` is for error messages: "-" for standard input, None for a value in memory.
    """

    path: str | None
    open: Callable[[], IO[bytes]]

    def data(self) -> bytes:
        """Read everything; a `TranscriptError` where the file cannot be read, or its gzip stream is damaged."""
        with _errors_named(self.path), self.open() as file:
            return file.read()

    def lines(self, warn: Callable[[str], None]) -> Iterator[tuple[int, bytes]]:
        """Yield number (from 1) and bytes of every line that is not blank, one at a time.

        Where a gzip stream breaks off, `warn` is told; the lines before are yielded.
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
    """Make a source of a path, "-" for standard input, bytes, a string that begins like JSON, or an open stream.

    Raises:
        TranscriptError: there is no such file, it cannot be read, is empty or binary, or `source` is something else.
    """
    is_json = isinstance(source, str) and source.lstrip("\ufeff \t\r\n")[:1] in {"{", "["}
    if is_json or isinstance(source, (bytes, bytearray, memoryview)):
        return _of_bytes(source, None)
    if source == "-":
        return _of_bytes(sys.stdin.buffer.read(), "-")
    if isinstance(source, (str, os.PathLike)):
        return _of_file(Path(source))
    read = getattr(source, "read", None)
    if callable(read):
        name = getattr(source, "name", None)
        return _of_bytes(read(), name if isinstance(name, str) else None)
    readable = "a conversation is read from a path, bytes, a stream or parsed JSON"
    raise TranscriptError(f"{readable}, not from {type(source).__name__!r}")


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
    encoding = next((name for marks, name in _ENCODINGS.items() if head.startswith(marks)), None)
    if encoding is None:
        kind = next((kind for magic, kind in _BINARY_KINDS.items() if head.startswith(magic)), None)
        if kind or b"\x00" in head:
            reason = f"this is {kind or 'binary'}; it should be a conversation in JSON or JSON lines"
            raise TranscriptError(reason, path=path)
        return Source(path, unpacked)

    def as_utf8() -> IO[bytes]:
        with unpacked() as file:
            data = file.read()
        if encoding == "utf-8":
            return io.BytesIO(data.removeprefix(codecs.BOM_UTF8))
        try:
            text = data.decode(encoding, "surrogatepass")
        except UnicodeDecodeError as error:
            reason = f"it begins as {encoding} but is not ({error.reason})"
            raise TranscriptError(reason, path=path) from error
        return io.BytesIO(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass"))

    return Source(path, as_utf8)


class DecodingError(ValueError):
    """Bytes are no JSON; `line` is the line of the fault where the bytes have more than one."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        self.line = line
        super().__init__(reason)


class Decoded(NamedTuple):
    """A value, and how it had to be mended to be read ("" for not at all)."""

    value: Any
    mended: str = ""


def decode(data: bytes) -> Decoded:
    r"""Read one JSON value from bytes of UTF-8; what orjson refuses or would change goes through `json`.

    Invalid escapes (`\u` without digits, as a masked Windows path leaves them) are read as backslashes, raw control
    characters in strings as themselves, bytes that are no UTF-8 as U+FFFD.

    Raises:
        DecodingError: it is no JSON, or nested deeper than `MAX_DEPTH`; says what and where.
    """
    try:
        decoded: Decoded | None = _decode_exactly(data)
    except RecursionError:
        decoded = None
    many = data.count(b"[") + data.count(b"{") > MAX_DEPTH
    if decoded is None or (many and _is_too_deep(decoded.value)):
        raise DecodingError(f"it is nested deeper than {MAX_DEPTH} levels")
    return decoded


def _decode_exactly(data: bytes) -> Decoded:
    if _LONG_NUMBER not in data.translate(_DIGITS_AS_ZERO):
        try:
            return Decoded(orjson.loads(data))
        except ValueError:
            pass  # json takes what orjson refuses, or says better what is wrong
    mended = ""
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        mended = "bytes that are not UTF-8 were replaced by U+FFFD"
    try:
        return Decoded(json.loads(text), mended)
    except json.JSONDecodeError as error:
        what, several = error.msg.removesuffix(" at"), "\n" in error.doc.rstrip()
        reason = f"it is not JSON ({what[:1].lower()}{what[1:]} at column {error.colno})"
        wrong = DecodingError(reason, error.lineno if several else None)
    except ValueError as error:  # an integer of more digits than Python converts
        raise DecodingError(f"it holds a number that cannot be read ({error})") from None
    escaped = _ESCAPE.sub(lambda match: match.group() if match.group(1) else "\\\\", text)
    try:
        return Decoded(json.loads(escaped, strict=False), mended or "invalid escapes were read as they stand")
    except ValueError:
        raise wrong from None


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        held = [outer.values() if isinstance(outer, dict) else outer for outer in level]
        level = [inner for values in held for inner in values if isinstance(inner, (dict, list))]
        if not level:
            return False
    return True

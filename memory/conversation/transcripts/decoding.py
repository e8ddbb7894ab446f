"""JSON to values, exactly: huge integers, lone surrogates and NaN included, and mended where it is nearly JSON."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

import orjson

MAX_DEPTH = 200
"""Chosen below the 254 levels that orjson writes; no agent nests deeper than a few dozen."""

_LONG_NUMBER = re.compile(rb"[0-9]{19}")  # documented: integers of orjson have 64 bits
_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)')
_TOO_DEEP = f"it is nested deeper than {MAX_DEPTH} levels"


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
    r"""Read one JSON value from bytes of UTF-8.

    About a millisecond a megabyte; what orjson refuses or would change goes through `json`, ten times slower.
    Invalid escapes (`\u` without digits, as a masked Windows path leaves them) are read as backslashes, raw control
    characters in strings as themselves, bytes that are no UTF-8 as U+FFFD.

    Raises:
        DecodingError: it is no JSON, or nested deeper than `MAX_DEPTH`; says what and where.
    """
    try:
        decoded = _decode_exactly(data)
    except RecursionError:
        raise DecodingError(_TOO_DEEP) from None
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH and _is_too_deep(decoded.value):
        raise DecodingError(_TOO_DEEP)
    return decoded


def _decode_exactly(data: bytes) -> Decoded:
    if not _LONG_NUMBER.search(data):
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

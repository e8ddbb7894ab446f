"""JSON to values, exactly: huge integers, lone surrogates and NaN included, and mended where it is nearly JSON."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, NamedTuple

import orjson

MAX_DEPTH = 200
"""Chosen below the 254 levels that orjson writes; no agent nests deeper than a few dozen."""

_EXACT_DIGITS = 19  # documented: integers of orjson have 64 bits, which hold every number of 18 digits
_DIGITS_AS_ZERO = bytes(
    ord("0") if chr(byte).isdecimal() and byte < ord(":") else byte for byte in range(256)
)
_LONG_NUMBER = b"0" * _EXACT_DIGITS


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
    decoded = _decode_exactly(data)
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH and _depth_exceeds(decoded.value, MAX_DEPTH):
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
    except RecursionError:
        raise DecodingError(f"it is nested deeper than {MAX_DEPTH} levels") from None
    except json.JSONDecodeError as error:
        first = error
    except ValueError as error:  # an integer of more digits than Python converts
        raise DecodingError(f"it holds a number that cannot be read ({error})") from None
    try:
        value = json.loads(_escapes().sub(_mend, text), strict=False)
    except (RecursionError, ValueError):
        raise _described(first) from None
    return Decoded(value, mended or "invalid escapes were read as they stand")


def _described(error: json.JSONDecodeError) -> DecodingError:
    what = error.msg.removesuffix(" at")
    reason = f"it is not JSON ({what[:1].lower()}{what[1:]} at column {error.colno})"
    several = "\n" in error.doc.rstrip()
    return DecodingError(reason, error.lineno if several else None)


@cache
def _escapes() -> re.Pattern[str]:
    return re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)')


def _mend(match: re.Match[str]) -> str:
    return match.group() if match.group(1) else "\\\\"


def _depth_exceeds(value: Any, limit: int) -> bool:
    """Walk the containers level by level; True when there are more than `limit` levels."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(limit):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return False
    return True

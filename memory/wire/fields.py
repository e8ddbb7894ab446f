"""Fields of wire values: errors about wrong ones, names of media, what a client says beside the content."""

from __future__ import annotations

import json
import re
import reprlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson

from memory.errors import WireError
from memory.messages import NO_META, MessageMeta

if TYPE_CHECKING:
    from collections.abc import Mapping

_QUOTED_LENGTH = 120  # chosen: enough to recognise a value, short enough for one line
_MILLISECONDS_FROM = 1e11  # as seconds this is the year 5138, as milliseconds it is 1973
_META_KEYS = frozenset({"timestamp", "ts", "uuid", "isMeta", "isSidechain", "isCompactSummary", "isSummary"})
_BYTES_PER_KB = 1000

_quoting = reprlib.Repr()
_quoting.maxstring = _quoting.maxother = _QUOTED_LENGTH


def quoted(value: Any) -> str:
    """Return `repr(value)`, shortened to about 120 characters a string and six items a container."""
    return _quoting.repr(value)


def wrong(index: int | None, field: str, value: Any, right: str) -> WireError:
    """Build the error for one field of one message.

    Args:
        index: position of the message in its list, None where it stands alone.
        field: which field, as a path: "content[2].text".
        value: what was there.
        right: what would be right, to follow "should be".
    """
    where = "message" if index is None else f"message {index}"
    return WireError(f"{where}: {field} is {quoted(value)}; it should be {right}")


def media_name(kind: str, media_type: Any = None, base64_length: int | None = None) -> str:
    """Name a medium by kind, media type and size, never by its data: "image: image/png, 12 kB"."""
    about = [str(media_type)] if media_type else []
    if base64_length is not None:
        about.append(f"{max(1, base64_length * 3 // 4 // _BYTES_PER_KB)} kB")
    return f"{kind}: {', '.join(about)}" if about else kind


def data_url_name(kind: str, url: Any) -> str:
    """Name a medium given as a URL; a data URL by its media type and size."""
    if not isinstance(url, str):
        return kind
    if not url.startswith("data:"):
        return media_name(kind, "url")
    head, _, data = url.partition(",")
    return media_name(kind, head[5:].partition(";")[0], len(data))


_LONG_NUMBER = re.compile(r"[0-9]{19}")
"""What orjson may read as a float: integers beyond 64 bits take the slower road."""


def read_arguments(value: Any) -> Mapping[str, Any] | str:
    """Read the arguments of a call: the object where it is one or is the JSON of one, otherwise a string."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        if value[:1] in "{ \n\r\t":
            try:
                parsed = json.loads(value) if _LONG_NUMBER.search(value) else orjson.loads(value)
            except (ValueError, RecursionError):
                return value
            if isinstance(parsed, dict):
                return parsed
        return value
    return "" if value is None else write_arguments(value)


def write_arguments(value: Any) -> str:
    """Write the arguments of a call as the JSON string the OpenAI forms want; a string is kept as it is."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def read_timestamp(value: Any) -> float | None:
    """Read a time, ISO 8601, seconds or milliseconds, as seconds since 1970 UTC; None where it is none."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value) / 1000 if value >= _MILLISECONDS_FROM else float(value)
    return None


def read_meta(value: Mapping[str, Any]) -> MessageMeta:
    """Read what a client wrote beside the content of a message; `NO_META` where it wrote nothing."""
    if _META_KEYS.isdisjoint(value):
        return NO_META
    uuid = value.get("uuid")
    return MessageMeta(
        timestamp=read_timestamp(value.get("timestamp", value.get("ts"))),
        uuid=uuid if isinstance(uuid, str) else None,
        is_meta=value.get("isMeta") is True,
        is_sidechain=value.get("isSidechain") is True,
        is_compact_summary=value.get("isCompactSummary") is True or value.get("isSummary") is True,
    )

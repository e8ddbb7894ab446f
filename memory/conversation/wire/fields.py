"""Fields of wire values: errors about wrong ones, names of media, what a client says beside the content."""

from __future__ import annotations

import json
import re
import reprlib
from datetime import UTC, datetime
from operator import is_
from types import NoneType
from typing import TYPE_CHECKING, Any

import orjson

from memory.conversation.messages import NO_META, MessageMeta
from memory.errors import ForeignMessageError, WireError

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
    if field == WHOLE or not isinstance(value, _JSON):
        kind = type(value)
        named = (
            kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        )
        return ForeignMessageError(f"{where}: {field} is of class {named!r}; it should be {right}")
    return WireError(f"{where}: {field} is {quoted(value)}; it should be {right}")


WHOLE = "value"
"""The field that errors about a whole message name."""
MESSAGE = "an object with 'role' and 'content', or a Responses item"
"""What a message is, to follow "should be"."""
_JSON = (str, int, float, dict, list, tuple, NoneType)
_LEAVES = frozenset({str, int, float, bool, NoneType})


def plain_message(value: Any, index: int | None = None) -> Any:
    """Write one message as the dict it is or holds objects in the place of; a dict of plain values comes back itself.

    Raises:
        ForeignMessageError: it is neither a dict nor an object of an SDK that is a message of a known form.
    """
    found = plain_value(value)
    if isinstance(value, dict):
        return found
    if isinstance(found, dict):
        kind = found.get("type")
        if "content" not in found or kind == "reasoning":
            known = "role" in found or isinstance(kind, str)
        else:  # a message of LangChain, say, tells who speaks by its type alone
            known = "role" in found and kind in (None, "message")
        if known:
            return found
    raise wrong(index, WHOLE, value, MESSAGE)


_DEEPEST = 100
"""Levels to which objects are looked for (chosen: no API nests content so deep)."""


def plain_value(value: Any, depth: int = 0) -> Any:
    """Write what holds objects of an SDK (whatever has `model_dump`) as JSON; the very value where it holds none.

    Linear in the number of values, leaves are shared; about 2 microseconds a message.
    """
    kind = type(value)
    if depth > _DEEPEST:
        return value
    if kind is dict:
        changed = {}
        for key, held in value.items():
            if type(held) not in _LEAVES and (new := plain_value(held, depth + 1)) is not held:
                changed[key] = new
        return {**value, **changed} if changed else value
    if kind is list or kind is tuple:
        new = [held if type(held) in _LEAVES else plain_value(held, depth + 1) for held in value]
        return value if all(map(is_, new, value)) else new
    if kind in _LEAVES or not hasattr(kind, "model_dump"):
        return value
    return plain_value(value.model_dump(exclude_none=True), depth + 1)


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

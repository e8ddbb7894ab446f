"""Fields of wire values: errors about wrong ones, arguments of calls, what a client says beside the content."""

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

_MILLISECONDS_FROM = 1e11  # as seconds this is the year 5138, as milliseconds it is 1973
_META_KEYS = frozenset("timestamp ts uuid isMeta isSidechain isCompactSummary isSummary".split())
_LONG_NUMBER = re.compile(r"[0-9]{19}")  # orjson may read integers beyond 64 bits as floats
_DEEPEST = 100  # chosen: no API nests content so deep
_LEAVES = frozenset({str, int, float, bool, NoneType})
_JSON = (str, int, float, dict, list, tuple, NoneType)
_WHOLE = "value"

_quoting = reprlib.Repr()
_quoting.maxstring = _quoting.maxother = 120  # chosen: enough to recognise a value, short enough for one line


def quoted(value: Any) -> str:
    """Return `repr(value)`, shortened to about 120 characters a string and six items a container."""
    return _quoting.repr(value)


def wrong(index: int | None, field: str, value: Any, right: str) -> WireError:
    """Build the error for a field ("content[2].text") of the message at `index`; `right` follows "it should be"."""
    where = "message" if index is None else f"message {index}"
    if field == _WHOLE or not isinstance(value, _JSON):
        kind = type(value)
        named = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
        return ForeignMessageError(f"{where}: {field} is of class {named!r}; it should be {right}")
    return WireError(f"{where}: {field} is {quoted(value)}; it should be {right}")


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
    raise wrong(index, _WHOLE, value, "an object with 'role' and 'content', or a Responses item")


def plain_value(value: Any, depth: int = 0) -> Any:
    """Write what holds objects of an SDK (whatever has `model_dump`) as JSON; the very value where it holds none."""
    kind = type(value)
    if kind in _LEAVES or depth > _DEEPEST:
        return value
    if kind is dict:
        new = {key: plain_value(held, depth + 1) for key, held in value.items()}
        return value if all(map(is_, new.values(), value.values())) else new
    if kind is list or kind is tuple:
        listed = [plain_value(held, depth + 1) for held in value]
        return value if all(map(is_, listed, value)) else listed
    if not hasattr(kind, "model_dump"):
        return value
    return plain_value(value.model_dump(exclude_none=True), depth + 1)


def read_arguments(value: Any) -> Mapping[str, Any] | str:
    """Read the arguments of a call: the object where it is one or is the JSON of one, otherwise a string."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, str):
        return "" if value is None else write_arguments(value)
    try:
        parsed = json.loads(value) if _LONG_NUMBER.search(value) else orjson.loads(value)
    except (ValueError, RecursionError):
        return value
    return parsed if isinstance(parsed, dict) else value


def write_arguments(value: Any) -> str:
    """Write the arguments of a call as the JSON string the OpenAI forms want; a string is kept as it is."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


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

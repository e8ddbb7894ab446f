"""What went wrong, in one line that names no key: in a provider's SDK, or in a view."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from condense.errors import SummarizerError
from memory.conversation import redact

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST = 300
"""Characters of a provider's message that are passed on; chosen."""


_UNREADABLE = {
    "APIResponseValidationError",
    "AssertionError",
    "IndexError",
    "JSONDecodeError",
    "KeyError",
    "TypeError",
}
"""What the SDKs raise when an answer is not what its protocol says; seen with releases of 2026."""


def log_failure(error: Exception) -> None:
    """Log what `Condenser.view` swallowed as a warning: `Condenser(on_error=log_failure)`; logger "holdfast"."""
    said = redact(" ".join(f"{type(error).__name__}: {error}".split()))[:LONGEST]
    logging.getLogger("holdfast").warning("%s", said)


def failure_of(error: Exception, *, begun: bool, keys: tuple[str, ...] = ()) -> SummarizerError:
    """Turn what an SDK raised into our error.

    Args:
        error: an exception of an SDK, of the HTTP library below it, or of its reading of a broken answer.
        begun: an answer had begun to come in, or was there and could not be read: SDKs do not retry that, so asking
            again may help.  All else they have retried themselves where that may help.
        keys: secrets that must not stand in the text, whatever they look like.
    """
    if isinstance(error, SummarizerError):
        return error
    status = getattr(error, "status_code", None)
    said = " ".join(f"{_kind(error, begun=begun)}: {_message(error)}".split()).strip(": ")
    for key in keys:
        said = said.replace(key, "[REDACTED:key]") if key else said
    text = redact(said)[:LONGEST]
    if isinstance(status, int):
        return SummarizerError(f"HTTP {status}, {text}", retriable=False)
    return SummarizerError(text, retriable=begun)


def _kind(error: Exception, *, begun: bool) -> str:
    names = {type(e).__name__ for e in (error, error.__cause__) if e is not None}
    if any("Timeout" in name for name in names):
        return "timed out"
    if "RemoteProtocolError" in names or "IncompleteRead" in names:
        return "the connection was cut"
    if "APIConnectionError" in names or "ConnectError" in names:
        return "no connection"
    if begun and names & _UNREADABLE:
        return "the answer could not be read"
    return type(error).__name__


def _message(error: Exception) -> str:
    inner: Any = getattr(error, "body", None)
    if isinstance(inner, dict):
        told: Mapping[str, Any] = inner["error"] if isinstance(inner.get("error"), dict) else inner
        parts = [str(told[k]) for k in ("type", "message") if isinstance(told.get(k), str)]
        if parts:
            return ": ".join(parts)
    return str(error)

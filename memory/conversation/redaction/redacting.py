"""Secrets in a text, found and replaced, before anything is kept.

Found by the form of a provider's key (`redaction.key_formats`), or a form, a place or a label before it
(`redaction.labelled_secrets`), where the value must look like one. What hides behind escapes, entities or unseen
characters is found because a text is read a second time as it reads when these are decoded. Linear time.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from memory.conversation.lazy_patterns import holds
from memory.conversation.redaction.key_formats import KEY_SIGNS, LONG_RUN, provider_keys, random_runs, undotted_keys
from memory.conversation.redaction.labelled_secrets import (
    ASCII_LOWER,
    PLACED_SIGNS,
    SIGNS,
    labelled_kind,
    labelled_values,
    placed_secrets,
)
from memory.conversation.redaction.secret_values import looks_mixed

if TYPE_CHECKING:
    from collections.abc import Callable

_SIGNS: Final = (*SIGNS, *KEY_SIGNS, *PLACED_SIGNS)
"""Letters, in lower case, without one of which there is no secret but a key without a dot."""
SHORTEST_TOLD: Final = 6  # characters by which a secret is known again without its label (chosen)
MOST_PASSES: Final = 8
"""What was glued to a secret may be seen to be one when that is gone; so until nothing is found (chosen bound)."""
MOST_LEVELS: Final = 3  # how often a string may stand in a string that is decoded (chosen)


class SecretSpan(NamedTuple):
    """One secret: its kind and the span of characters of the value itself, without label or quotes."""

    kind: str
    start: int
    end: int


def redact(text: str, found: set[str] | None = None) -> str:
    """Return the text with every secret replaced by `[REDACTED:kind]`; the same object when there is none.

    A text that is JSON stays JSON. Redacting twice changes nothing more. Never raises. `found` takes up the secrets.
    """
    clean = text
    for _ in range(MOST_PASSES):
        spans = search_secrets(clean)
        if spans is None:
            return clean
        if not spans:
            break
        if found is not None:
            found.update(clean[start:end] for _, start, end in spans)
        ends = (0, *(span.end for span in spans))
        pieces = (f"{clean[at:start]}[REDACTED:{kind}]" for at, (kind, start, _) in zip(ends, spans, strict=False))
        clean = "".join((*pieces, clean[ends[-1] :]))
    if text.lstrip()[:1] in ("[", "{"):
        for known in (clean, text):
            if (values := _by_values(known, found)) is not None:
                return values
    return clean


def redact_json(text: str) -> str:
    """Return a text in JSON with every secret in its values replaced; what is no JSON is redacted as a text."""
    values = _by_values(text)
    return redact(text) if values is None else values


def redact_bytes(content: bytes) -> bytes:
    """Return a content without secrets; what is no text is searched all the same, byte for character."""
    text = content.decode("utf-8", "surrogateescape")
    clean = redact_json(text)
    if clean == text:
        return content
    try:
        return clean.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return clean.encode("utf-8", "backslashreplace")


def redact_value(value: Any, label: str = "", found: set[str] | None = None) -> Any:
    """Return a value of JSON with every secret in it replaced; the same object when there is none.

    Everything that is written to a disk passes it. `label` is what the value is called; a key is the label of what
    stands under it, and so is the name in `{"name": ..., "value": ...}`. `found` takes up the secrets. A tuple that
    changes becomes a list. Raises `RecursionError` where it is nested deeper than Python calls.
    """
    if isinstance(value, str | int) and not isinstance(value, bool):
        clean = redact(value, found) if isinstance(value, str) else value
        kind = labelled_kind(label, str(value)) if label and clean is value else None
        if kind is None:
            return clean
        if found is not None:
            found.add(str(value))
        return f"[REDACTED:{kind}]"
    if isinstance(value, dict):
        pairs = {
            redact(str(key)): redact_value(held, _label(value, str(key), label), found)
            for key, held in value.items()
        }
        same = all(a is b for a, b in zip(value.values(), pairs.values(), strict=False))
        return value if same and list(value) == list(pairs) else pairs
    if isinstance(value, list | tuple):
        items = _arguments([redact_value(held, label, found) for held in value], found)
        return value if all(a is b for a, b in zip(value, items, strict=True)) else items
    return value


def redact_quoting(value: Any, sources: Any) -> Any:
    """Return a value redacted that quotes from others: what is a secret there is one here, too, without its label."""
    found: set[str] = set()
    redact_value(sources, "", found)
    text = json.dumps(value, ensure_ascii=False)
    known = []
    for secret in sorted(found, key=len, reverse=True):
        if len(secret) >= SHORTEST_TOLD and looks_mixed(secret):
            for _ in range(MOST_LEVELS):
                written = json.dumps(secret, ensure_ascii=False)[1:-1]
                known += [secret] if written in text else []
                secret = written  # noqa: PLW2901  # it may be quoted out of a string in JSON
    clean = redact_value(value)
    return _without(clean, sorted(set(known), key=len, reverse=True)) if known else clean


def _without(value: Any, known: list[str]) -> Any:
    if isinstance(value, str):
        for secret in known:
            value = value.replace(secret, "[REDACTED:secret]")
    elif isinstance(value, dict):
        return {_without(key, known): _without(held, known) for key, held in value.items()}
    elif isinstance(value, list | tuple):
        return [_without(held, known) for held in value]
    return value


def _label(holder: dict[Any, Any], key: str, above: str) -> str:
    names = ("name", "key", "Name", "Key")
    if key in ("value", "Value"):
        return next((v for k, v in holder.items() if k in names and isinstance(v, str)), above)
    return f"{above}_{key}" if key in names else key


def _arguments(items: list[Any], found: set[str] | None) -> list[Any]:
    if not all(type(item) is str for item in items) or not any(item[:1] == "-" for item in items):
        return items
    line = " ".join(item.replace(" ", "\0") for item in items)
    clean = redact(line, found)
    parts = clean.split(" ")
    return items if clean is line or len(parts) != len(items) else [part.replace("\0", " ") for part in parts]


def _by_values(text: str, found: set[str] | None = None) -> str | None:
    try:
        value = json.loads(text)
        clean = redact_value(value, "", found)
    except (ValueError, RecursionError):
        return None
    return text if clean is value else json.dumps(clean, ensure_ascii=False, separators=(",", ":"))


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Return the secrets in a text, in order, without overlaps: one span for both, named by the more specific kind.

    Placeholders (`YOUR_API_KEY`, `${TOKEN}`), hashes, ids, public keys and code that reads a secret are none.
    """
    return search_secrets(text) or ()


def search_secrets(text: str) -> tuple[SecretSpan, ...] | None:
    """Return the secrets in a text as `find_secrets` does, None where no part of it may hold any."""
    found = _found(text)
    if found is None and not _HIDES.search(text):
        return None
    decoded, origin = _decoded(text)
    seen = _found(decoded) if decoded is not text else None
    every = [*(found or ()), *((kind, origin(start), origin(end)) for kind, start, end in seen or ())]
    out: list[tuple[int, SecretSpan]] = []
    for rank, (kind, start, end) in sorted(enumerate(every), key=lambda one: (one[1][1], -one[1][2], one[0])):
        if out and start < out[-1][1].end:
            best, last = out[-1]
            name = kind if rank < best else last.kind
            out[-1] = min(best, rank), SecretSpan(name, last.start, max(last.end, end))
        else:
            out.append((rank, SecretSpan(kind, start, end)))
    return tuple(span for _, span in out)


def _found(text: str) -> list[tuple[str, int, int]] | None:
    """Secrets as a text reads, the most specific kinds first; None where no part of it may hold any."""
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals have longer small letters; spans must stay true
        lower = text.translate(ASCII_LOWER)
    if holds(lower, _SIGNS):
        labelled = (*placed_secrets(text, lower), *labelled_values(text, lower))
        return [*provider_keys(text), *labelled, *random_runs(text)]
    return [*undotted_keys(text), *random_runs(text)] if LONG_RUN.search(text) else None


_INVISIBLE: Final = "\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff"
_ENCODED: Final = re.compile(
    rf"\\(?:([\"'\\/nrtbf])|u([0-9a-fA-F]{{4}}))|&(quot|apos|amp|lt|gt|\#34|\#39|\#x22|\#x27);|[{_INVISIBLE}]"
)
_HIDES: Final = re.compile(rf"\\u[0-9a-fA-F]{{4}}|[{_INVISIBLE}]")
"""How letters may be encoded, or parted by what nobody sees."""
_MEANT: Final = dict(
    zip("n r t b f quot apos amp lt gt #34 #39 #x22 #x27".split(), "\n\r\t\b\f\"'&<>\"'\"'", strict=True)
)


def _decoded(text: str) -> tuple[str, Callable[[int], int]]:
    """Return what a text reads as when all is decoded, also what is encoded several times, and where each place was."""
    levels: list[tuple[list[int], list[int]]] = []
    while len(levels) < MOST_LEVELS and _ENCODED.search(text):
        pieces: list[str] = []
        places, origins, at, size = [0], [0], 0, 0
        for m in _ENCODED.finditer(text):
            plain, code, entity = m.groups("")
            meant = chr(int(code, 16)) if code else _MEANT.get(plain or entity, plain)
            pieces += (text[at : m.start()], meant)
            size += m.start() - at
            places += (size, size + len(meant))
            origins += m.span()
            size += len(meant)
            at = m.end()
        text = "".join((*pieces, text[at:]))
        levels.append((places, origins))

    def origin(place: int) -> int:
        for places, origins in reversed(levels):
            k = bisect_right(places, place) - 1
            place = origins[k] + place - places[k]
        return place

    return text, origin

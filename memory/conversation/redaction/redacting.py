"""Secrets in a text, found and replaced, before anything is kept.

Three ways to find one: the form of a provider's key (`redaction.key_formats`), a form of its own (private keys,
addresses with a password, headers), and a label before it (`API_KEY=`, "the password is", 密码是), where the
value must look like one and not like a type, a placeholder, code or prose (`redaction.labelled_secrets`).

Ordinary text costs about 5 microseconds a clause and 1 ms in 100 kB: runs of 16 name characters are looked up by
their first two, everything else waits behind a literal that must occur. Time is linear in the text.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from memory.conversation.lazy_patterns import holds
from memory.conversation.redaction.decoding import MOST_LEVELS, decoded, hides_letters
from memory.conversation.redaction.key_formats import (
    DOTTED_FORMS,
    FRESH,
    has_long_run,
    is_placeholder,
    provider_keys,
    undotted_keys,
)
from memory.conversation.redaction.labelled_secrets import FOREIGN, LITERALS, labelled_kind, labelled_values
from memory.conversation.redaction.placed_secrets import placed_secrets
from memory.conversation.redaction.secret_values import looks_mixed

if TYPE_CHECKING:
    from collections.abc import Iterator
SHORTEST_TOLD: Final = 6
"""Characters by which a secret is known again where it stands without its label (chosen)."""
MOST_PASSES: Final = 8
"""What was glued to a secret may be seen to be one when that is gone; so until nothing is found (chosen bound)."""


class SecretSpan(NamedTuple):
    """One secret: its kind and the span of characters of the value itself, without label or quotes."""

    kind: str
    start: int
    end: int


def redact(text: str, found: set[str] | None = None) -> str:
    """Return the text with every secret replaced by `[REDACTED:kind]`; the same object when there is none.

    A text that is JSON stays JSON. Redacting twice changes nothing more. Linear time; never raises.

    Args:
        text: any.
        found: takes up the secrets.
    """
    clean = text
    for _ in range(MOST_PASSES):
        spans = search_secrets(clean)
        if spans is None:
            return clean
        if not spans:
            break
        pieces: list[str] = []
        behind = 0
        for kind, start, end in spans:
            pieces += (clean[behind:start], "[REDACTED:", kind, "]")
            if found is not None:
                found.add(clean[start:end])
            behind = end
        pieces.append(clean[behind:])
        clean = "".join(pieces)
    if _MAY_BE_JSON.match(text):
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
    try:
        text, errors = content.decode("utf-8", "surrogatepass"), "surrogatepass"
    except UnicodeDecodeError:
        text, errors = content.decode("utf-8", "surrogateescape"), "surrogateescape"
    clean = redact_json(text)
    if clean == text:
        return content
    try:
        return clean.encode("utf-8", errors)
    except UnicodeEncodeError:
        return clean.encode("utf-8", "backslashreplace")


def redact_value(value: Any, label: str = "", found: set[str] | None = None) -> Any:
    """Return a value of JSON with every secret in it replaced; the same object when there is none.

    This is what everything passes that is written to a disk. Strings are looked at as they are, never as they are
    serialized; a key is the label of what stands under it, and so is the name in `{"name": ..., "value": ...}`.

    Args:
        value: dicts, lists and tuples of strings, numbers and such; a tuple that changes becomes a list.
        label: what the value is called.
        found: takes up the secrets.

    Raises:
        RecursionError: it is nested deeper than Python calls.
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
            _clean_key(str(key)): redact_value(held, _label(value, str(key), label), found)
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


@lru_cache(maxsize=4096)
def _clean_key(key: str) -> str:
    return redact(key)


def _label(holder: dict[Any, Any], key: str, above: str) -> str:
    """Return what a value in a dict is called: by its key, a name beside it, or what "key" is a key of."""
    if key in _VALUES:
        return next((v for k, v in holder.items() if k in _NAMES and isinstance(v, str)), above)
    return f"{above}_{key}" if key in _NAMES else key


def _arguments(items: list[Any], found: set[str] | None) -> list[Any]:
    """Redact the arguments of a command, where an option says what the next one is."""
    if not any(type(item) is str and item[:1] == "-" for item in items) or not all(
        isinstance(i, str) for i in items
    ):
        return items
    line = " ".join(item.replace(" ", "\0") for item in items)
    clean = redact(line, found)
    parts = clean.split(" ")
    return items if clean is line or len(parts) != len(items) else [part.replace("\0", " ") for part in parts]


def _by_values(text: str, found: set[str] | None = None) -> str | None:
    """Return a text in JSON redacted value by value, None where it is none."""
    try:
        value = json.loads(text)
        clean = redact_value(value, "", found)
    except (ValueError, RecursionError):
        return None
    return text if clean is value else json.dumps(clean, ensure_ascii=False, separators=(",", ":"))


_MAY_BE_JSON: Final = re.compile(r"\s*[\[{]")
_NAMES: Final = ("name", "key", "Name", "Key")
_VALUES: Final = ("value", "Value")


def _has_signs(text: str) -> bool:
    for mark, signs in _SIGNS:
        if mark in text and holds(text, signs):
            return True
    if text.isascii():
        return holds(text.lower(), _LOWER_SIGNS)
    if _MAY_BE_FOREIGN.search(text):
        low = text.lower()
        return holds(low, _LOWER_SIGNS) or holds(low, FOREIGN)
    # Small letters of ASCII are enough here, and made faster.
    return holds(text.encode("ascii", "ignore").decode().lower(), _LOWER_SIGNS)


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Return the secrets in a text, in order, without overlaps.

    Where two readings overlap, the span covers both and the more specific kind names it. Placeholders
    (`YOUR_API_KEY`, `<token>`, `${TOKEN}`, `xxxx`), hashes, ids, public keys and code that reads a secret
    from somewhere are not secrets. Linear time; never raises.
    """
    return search_secrets(text) or ()


def search_secrets(text: str) -> tuple[SecretSpan, ...] | None:
    """Return the secrets in a text as `find_secrets` does, None where no part of it may hold any."""
    found = _found(text)
    if found is None and not hides_letters(text):
        return None
    found = found or []
    if (reading := decoded(text)) is not None:
        seen = _found(reading.text) or ()
        found += ((kind, reading.origin(start), reading.origin(end)) for kind, start, end in seen)
    if not found:
        return ()
    ranked = sorted((start, -end, rank, kind) for rank, (kind, start, end) in enumerate(found))
    out: list[tuple[int, int, int, str]] = []
    for start, minus_end, rank, kind in ranked:
        end = -minus_end
        if out and start < out[-1][1]:
            first, behind, best, name = out[-1]
            out[-1] = (first, max(behind, end), min(best, rank), kind if rank < best else name)
        else:
            out.append((start, end, rank, kind))
    return tuple(SecretSpan(kind, start, end) for start, end, _, kind in out)


def _found(text: str) -> list[tuple[str, int, int]] | None:
    if _has_signs(text):
        return [*provider_keys(text), *_forms(text), *labelled_values(text)]
    return list(undotted_keys(text)) if has_long_run(text) else None


# --- other forms ---

_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]|-(?!-)){0,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?"
)
_PUTTY_KEY: Final = re.compile(r"Private-Lines: \d{1,4}\r?\n(?:[A-Za-z0-9+/=]{1,80}\r?\n){1,200}")
_ADDRESS: Final = re.compile(r"://([^\s:/@'\"`<>]{0,100}):([^\s/'\"`<>]{1,200})@(?=[\w\[.$-])")
_HEADER: Final = re.compile(
    r"(?:(?<![a-z])(?:bearer|basic)|authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:token|apikey"
    r"|key)?)\s{1,3}([a-z0-9._~+/=-]{12,4000})",
    re.IGNORECASE,
)
_COOKIE: Final = re.compile(
    r"(?<![a-z0-9])(?:[a-z0-9._-]{0,20}sess(?:ion)?[a-z0-9._-]{0,12}|[a-z._-]{0,12}sid"
    r"|[a-z._-]{0,12}auth[a-z._-]{0,12})"
    r"=([^\s;,\"'<>]{16,4000})",
    re.IGNORECASE,
)
_USER_OPTION: Final = re.compile(r"(?:\s-u ?|\s--user[ =])[\"']?[^\s:\"'/]{1,80}:(?!//)([^\s\"']{3,200})")
_STORAGE_KEY: Final = re.compile(r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})")
_SIGNATURE: Final = re.compile(r"[?&](?:sig|Signature|X-Amz-Signature)=([A-Za-z0-9%+/=_-]{32,200})")
_AZURE_SECRET: Final = re.compile(FRESH + r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,36}")
_TERRAFORM: Final = re.compile(FRESH + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,80}")
_URL_KEY: Final = re.compile(r"[?&](?:key|auth|code|access_token|token)=([A-Za-z0-9._~+/%-]{16,2000})")
_PROGRAM_OPTION: Final = re.compile(
    r"(?:(?:mysql|mysqldump|mysqladmin|mariadb)\s[^\n]{0,80}?\s-p|sshpass\s-p\s?"
    r"|redis-cli\s[^\n]{0,60}?-a\s|requirepass\s)"
    r"[\"']?([^\s\"']{3,100})"
)
_HAS_DIGIT: Final = re.compile(r"\d")


def _forms(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield secrets that have a form of their own, each behind a literal that must occur."""
    if "-----BEGIN " in text:
        yield from (("private-key", m.start(), m.end()) for m in _PRIVATE_KEY.finditer(text))
    if "Private-Lines: " in text:
        yield from (("private-key", m.start(), m.end()) for m in _PUTTY_KEY.finditer(text))
    if "://" in text:
        for m in _ADDRESS.finditer(text) if "@" in text else ():
            if not is_placeholder(m[2]):
                yield "url-password", m.start(2), m.end(2)
        if "=" in text:
            yield from _values(text, "url-key", _URL_KEY)
            yield from _values(text, "url-signature", _SIGNATURE)
    lower = text.lower()
    if "bearer " in lower or "basic " in lower or "authorization" in lower:
        for m in _HEADER.finditer(text):
            if not is_placeholder(m[1]) and (_HAS_DIGIT.search(m[1]) or len(m[1]) > 40):  # noqa: PLR2004  # longer than a word
                yield "authorization", m.start(1), m.end(1)
    if "cookie" in lower:
        yield from _values(text, "cookie", _COOKIE)
    if " -u" in text or " --user" in text:
        yield from _values(text, "password", _USER_OPTION)
    if " -p" in text or " -a " in text or "requirepass" in text:
        yield from _values(text, "password", _PROGRAM_OPTION)
    if "AccessKey=" in text or "AccountKey=" in text:
        yield from _values(text, "azure-storage-key", _STORAGE_KEY)
    if "Q~" in text:
        yield from (("azure-client-secret", m.start(), m.end()) for m in _AZURE_SECRET.finditer(text))
    yield from placed_secrets(text, lower)
    if ".atlasv1." in text:
        yield from (("terraform-token", m.start(), m.end()) for m in _TERRAFORM.finditer(text))


_SIGNS: Final = (
    ("/", ("://", *(prefix for _, prefix, _ in DOTTED_FORMS if prefix.endswith("/")))),
    (".", (".atlasv1.", *(prefix for _, prefix, _ in DOTTED_FORMS if prefix.endswith(".")))),
    (" -", (" -u", " --user", " -p", " -a ", " -P", " -w ", " -N ")),
    ("psk=", ("",)),
    ("echo ", ("",)),
    ("net user", ("",)),
    ("add_user", ("",)),
    ("-U", ("",)),
    (" / ", ("",)),
    ('"-', ("",)),
    ("Private-Lines: ", ("",)),
    ("Q~", ("",)),
)
_MAY_BE_FOREIGN: Final = re.compile("[密令钥授ワ証비пПñÑ\u212a]")
"""Characters of which each label of `FOREIGN` has one where `_LOWER_SIGNS` do not find it; the last one is a K."""
_FURTHER_SIGNS = ("senha", "kennwort", "secure", "bearer ", "basic ", "cookie", "identified by")
_LOWER_SIGNS: Final = (*LITERALS, *_FURTHER_SIGNS)
"""Letters without one of which there is no secret but a key without a dot: those of `_forms` (the other literals
there hold "pass" or "key") and of labels; the former behind what they have in common."""


def _values(text: str, kind: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the first group of every match that is no placeholder."""
    for m in pattern.finditer(text):
        if not is_placeholder(m[1]):
            yield kind, m.start(1), m.end(1)

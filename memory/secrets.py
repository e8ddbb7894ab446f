"""Secrets in a text, found and replaced, before anything is kept.

Three ways to find one: the form of a provider's key (`memory.secret_kinds`), a form of its own (private keys,
addresses with a password, headers), and a label before it (`API_KEY=`, "the password is", 密码是), where the
value must look like one and not like a type, a placeholder, code or prose (`memory.secret_labels`).

Ordinary text costs about 5 microseconds a clause and 1 ms in 100 kB: runs of 16 name characters are looked up by
their first two, everything else waits behind a literal that must occur. Time is linear in the text.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from memory.patterns import holds
from memory.secret_kinds import DOTTED_FORMS, KEY_FORMS, is_placeholder
from memory.secret_labels import FOREIGN, LITERALS, labelled_values

if TYPE_CHECKING:
    from collections.abc import Iterator
MOST_PASSES: Final = 8
"""What was glued to a secret may be seen to be one when that is gone; so until nothing is found (chosen bound)."""


class SecretSpan(NamedTuple):
    """One secret: its kind and the span of characters of the value itself, without label or quotes."""

    kind: str
    start: int
    end: int


def redact(text: str) -> str:
    """Return the text with every secret replaced by `[REDACTED:kind]`; the same object when there is none.

    Redacting twice changes nothing more. Linear time; never raises.
    """
    for _ in range(MOST_PASSES):
        spans = find_secrets(text)
        if not spans:
            break
        pieces: list[str] = []
        behind = 0
        for kind, start, end in spans:
            pieces += (text[behind:start], "[REDACTED:", kind, "]")
            behind = end
        pieces.append(text[behind:])
        text = "".join(pieces)
    return text


def _has_signs(text: str) -> bool:
    for mark, signs in _SIGNS:
        if mark in text and holds(text, signs):
            return True
    if text.isascii():
        return holds(text.lower(), _LOWER_SIGNS)
    if holds(text, _MAY_BE_FOREIGN):
        low = text.lower()
        return holds(low, _LOWER_SIGNS) or holds(low, FOREIGN)
    # Small letters of ASCII are enough here, and made faster.
    return holds(text.encode("ascii", "ignore").decode().lower(), _LOWER_SIGNS)


def _has_long_run(text: str) -> bool:
    return text.encode("latin-1", "replace").translate(_AS_RUNS).find(_LONG_RUN) >= 0


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Return the secrets in a text, in order, without overlaps.

    Where two readings overlap, the span covers both and the more specific kind names it. Placeholders
    (`YOUR_API_KEY`, `<token>`, `${TOKEN}`, `xxxx`), hashes, ids, public keys and code that reads a secret
    from somewhere are not secrets. Linear time; never raises.
    """
    return search_secrets(text) or ()


def search_secrets(text: str) -> tuple[SecretSpan, ...] | None:
    """Return the secrets in a text as `find_secrets` does, None where no part of it may hold any."""
    if _has_signs(text):
        found = [*_keys(text), *_forms(text), *labelled_values(text)]
    elif _has_long_run(text):
        found = list(_undotted_keys(text))
    else:
        return None
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


# --- keys with a form of their provider's ---

_SHORTEST_RUN: Final = 16
_NAME_CHARACTERS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_AS_RUNS: Final = bytes(ord("x") if byte in _NAME_CHARACTERS else ord(" ") for byte in range(256))
_LONG_RUN: Final = b"x" * _SHORTEST_RUN
_FRESH: Final = r"(?:(?<![A-Za-z0-9_~.-])|(?<=\\[nrt]))"
"""Where a run begins, or behind an escaped line break."""
_TELEGRAM_ID: Final = re.compile(r"(?<!\d)\d{8,10}:\Z")
_DISCORD: Final = re.compile(
    r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])"
)
_MAILCHIMP: Final = re.compile(r"[0-9a-f]{32}-us\d{1,2}")
_TELEGRAM_KEY: Final = re.compile(r"AA[A-Za-z0-9_-]{33}")
_WORDS_WITH_HYPHENS: Final = re.compile(r"[a-z]{1,20}(?:[-_]{1,2}[a-z]{1,20}){0,40}-?")
_ESCAPES: Final = "nrt"


@cache
def _forms_by_start() -> dict[str, list[tuple[str, str, re.Pattern[str]]]]:
    """Index the forms by the first two characters: (kind, prefix, pattern)."""
    index: dict[str, list[tuple[str, str, re.Pattern[str]]]] = {}
    for kind, prefix, rest in KEY_FORMS:
        index.setdefault(prefix[:2], []).append((kind, prefix, re.compile(re.escape(prefix) + rest)))
    return index


@cache
def _dotted_forms() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Compile the forms whose prefix ends in a dot or slash."""
    return tuple(
        (kind, prefix, re.compile(_FRESH + re.escape(prefix) + rest)) for kind, prefix, rest in DOTTED_FORMS
    )


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of runs of name characters that are as long as keys and begin with a letter or digit.

    The text is written as x and blanks first, where a long run is a plain search: 30 times faster than a pattern.
    """
    mask = text.encode("latin-1", "replace").translate(_AS_RUNS)
    at = mask.find(_LONG_RUN)
    while at >= 0:
        end = mask.find(b" ", at)
        if end < 0:
            end = len(mask)
        start = end - len(text[at:end].lstrip("_-"))
        if end - start >= _SHORTEST_RUN:
            yield start, end
        at = mask.find(_LONG_RUN, end)


def _keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the keys of known providers."""
    yield from _undotted_keys(text)
    for kind, prefix, pattern in _dotted_forms():
        if prefix in text:
            yield from ((kind, m.start(), m.end()) for m in pattern.finditer(text))


def _undotted_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the keys that are one run of name characters."""
    forms = _forms_by_start()
    for start, end in _runs(text):
        if text[start] in _ESCAPES and text[start - 1 : start] == "\\":
            start += 1  # noqa: PLW2901  # the n of an escaped line break is none of the key
        for kind, prefix, pattern in forms.get(text[start : start + 2], ()):
            if text.startswith(prefix, start) and (key := pattern.match(text, start)):
                rest = key.group()[len(prefix) :]
                if not is_placeholder(rest) and not _WORDS_WITH_HYPHENS.fullmatch(
                    rest, 0, 200 if "-" in rest else 0
                ):
                    yield kind, start, key.end()
                break
        else:
            yield from _keys_without_prefix(text, start, end)


def _keys_without_prefix(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the few keys that are known by their structure alone."""
    if text.startswith(".", end) and text[start] in "MNO" and (m := _DISCORD.match(text, start)):
        yield "discord-token", start, m.end()
    elif text.startswith("AA", start) and _TELEGRAM_KEY.fullmatch(text, start, end):
        if _TELEGRAM_ID.search(text, max(0, start - 12), start):
            yield "telegram-token", start, end
    elif "-us" in text[end - 5 : end] and _MAILCHIMP.fullmatch(text, start, end):
        yield "mailchimp-key", start, end


# --- other forms ---

_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]|-(?!-)){0,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?"
)
_PUTTY_KEY: Final = re.compile(r"Private-Lines: \d{1,4}\r?\n(?:[A-Za-z0-9+/=]{1,80}\r?\n){1,200}")
_ADDRESS: Final = re.compile(r"://([^\s:/@'\"`<>]{0,100}):([^\s/'\"`<>]{1,200})@(?=[\w\[.$-])")
_HEADER: Final = re.compile(
    r"(?:(?<![a-z])(?:bearer|basic)|authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:token|apikey|key)?)\s{1,3}([a-z0-9._~+/=-]{12,4000})",
    re.IGNORECASE,
)
_COOKIE: Final = re.compile(
    r"(?<![a-z0-9])(?:[a-z0-9._-]{0,20}sess(?:ion)?[a-z0-9._-]{0,12}|[a-z._-]{0,12}sid|[a-z._-]{0,12}auth[a-z._-]{0,12})"
    r"=([^\s;,\"'<>]{16,4000})",
    re.IGNORECASE,
)
_USER_OPTION: Final = re.compile(r"(?:\s-u|\s--user)[ =][\"']?[^\s:\"'/]{1,80}:([^\s\"']{3,200})")
_STORAGE_KEY: Final = re.compile(r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})")
_SIGNATURE: Final = re.compile(r"[?&](?:sig|Signature|X-Amz-Signature)=([A-Za-z0-9%+/=_-]{32,200})")
_AZURE_SECRET: Final = re.compile(_FRESH + r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,36}")
_TERRAFORM: Final = re.compile(_FRESH + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,80}")
_URL_KEY: Final = re.compile(r"[?&](?:key|auth|code|access_token|token)=([A-Za-z0-9._~+/%-]{16,2000})")
_PROGRAM_OPTION: Final = re.compile(
    r"(?:(?:mysql|mysqldump|mysqladmin|mariadb)\s[^\n]{0,80}?\s-p|sshpass\s-p\s?|redis-cli\s[^\n]{0,60}?-a\s|requirepass\s)"
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
    if ".atlasv1." in text:
        yield from (("terraform-token", m.start(), m.end()) for m in _TERRAFORM.finditer(text))


_SIGNS: Final = (
    ("/", ("://", *(prefix for _, prefix, _ in DOTTED_FORMS if prefix.endswith("/")))),
    (".", (".atlasv1.", *(prefix for _, prefix, _ in DOTTED_FORMS if prefix.endswith(".")))),
    (" -", (" -u", " --user", " -p", " -a ")),
    ("Private-Lines: ", ("",)),
    ("Q~", ("",)),
)
_MAY_BE_FOREIGN: Final = ("密", "令", "钥", "授", "ワ", "証", "비", "п", "П", "ñ", "Ñ", "\u212a")
"""Characters of which each label of `FOREIGN` has one where `_LOWER_SIGNS` do not find it; the last one is a K."""
_LOWER_SIGNS: Final = (*LITERALS, "senha", "bearer ", "basic ", "authorization", "cookie")
"""Letters without one of which there is no secret but a key without a dot: those of `_forms` (the other literals
there hold "pass" or "key") and of labels; the former behind what they have in common."""


def _values(text: str, kind: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the first group of every match that is no placeholder."""
    for m in pattern.finditer(text):
        if not is_placeholder(m[1]):
            yield kind, m.start(1), m.end(1)

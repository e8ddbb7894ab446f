"""Does the value behind a label look like a secret, and not like a type, a placeholder, code or prose?

How much is asked depends on the label (a password may be a word, a key may not), on how it is joined (`=`, `:`, "is")
and on quotes. Chosen by hand; the tests of redaction hold what must and must not be found.
"""

# ruff: noqa: PLR2004  # lengths and counts stand beside what they are for

from __future__ import annotations

import re
from base64 import b64decode
from typing import Final, NamedTuple

from memory.conversation.redaction.key_formats import NOT_VALUES, looks_random

SHORTEST_KEY: Final = 8  # characters of a key or token at least (chosen; real ones have 16 and more)
SHORTEST_PASSWORD: Final = 3  # characters of a password at least (chosen)
GROUPED: Final = re.compile(
    r"pass(?:word|wd)?[\"'\]`*)]{0,4}\s{0,3}(?:=>?|:|：)\s{0,3}[\"'`“]?((?:[a-z]{4} ){3}[a-z]{4})(?=[\"'`”]?\s{0,3}$)",
    re.MULTILINE,
)
"""A password for one application as Google shows it: four groups of four letters, alone behind its label."""


class LabelledValue(NamedTuple):
    """One label with its value, what stands before and behind them, and what joins them.

    `is_env`: it is an assignment as in a .env file or a shell: NAME=value, upper case, no blanks.
    """

    value: str
    rest: str = ""
    label: str = "password"
    before: str = ""
    sign: str | None = None
    verb: str | None = None
    quoted: bool = False
    is_env: bool = False


def judged_kind(reading: LabelledValue, *, is_foreign: bool) -> str | None:
    """Return the kind of a labelled value that looks like a secret."""
    label = reading.label.lower()
    kind = _kind_of(label)
    if is_foreign:
        judged = _may_be_foreign_password(reading)
    elif not _is_label(reading):
        return None
    elif label == "auth":
        judged = _is_encoded_pair(reading.value)
    else:
        judged = _may_be_password(reading) if kind == "password" else _may_be_key(reading)
    return kind if judged else None


def _kind_of(label: str) -> str:
    if label.startswith("secret"):
        return "secret"
    if any(sign in label for sign in ("token", "令", "トークン", "токен", "jwt")):
        return "token"
    if "key" in label or "钥" in label:
        return "api-key"
    return "secret" if label.startswith(("credential", "auth")) else "password"


def _is_encoded_pair(value: str) -> bool:
    """Is it a user's name and a password in Base64, as registries take them?"""
    try:
        name, colon, password = b64decode(value, validate=True).decode().partition(":")
    except ValueError:
        return False
    return bool(name and colon and password) and (name + password).isprintable()


_KEY_BEFORE: Final = re.compile(
    r"(?:api|access|auth|private|encryption|signing|master|account|licen[cs]e|subscription|admin|service|role|deploy"
    r"|app|client|vpn|wi-?fi|activation|jwt|hmac)[_ -]?\Z"
)
_NOT_BEFORE: Final = re.compile(
    r"(?:(?:public|public[_ -]?key|primary|foreign|cache|sort|partition|page|pagination|next|continuation|idempotency"
    r"|sync|cursor|csrf|hash|no|design|syntax|eos|bos|pad|unk|mask|stop|special|sudo\])[_ -]?"
    r"|--no-|has_?|is_|show_|forgot_)\Z"
)
_HEAD: Final = re.compile(r"\s*(?:\[{1,2}[^\[\]]+\]{1,2}|[\"']?[\w.-]+[\"']?\s*:\s*\{?)\s*")
"""A line that tells what the lines below it belong to."""
_OF_KEYS: Final = re.compile(r"api|auth|secret|credential")


def _is_label(reading: LabelledValue) -> bool:
    """Is it a label of its own, not the tail of a word (compass, monkey) or of another name (primary_key)?"""
    label, before, value = reading.label, reading.before, reading.value
    low = before[-16:].lower()
    if label.lower() == "key":  # of an API, or the head of its line below `[api]` or `api:`
        *above, line = before.lower().split("\n")
        head = "" if line.strip(" \t\"'") else next(filter(_HEAD.fullmatch, reversed(above)), "")
        is_own = looks_random(value) if low[-1:] == " " else reading.is_env and is_well_mixed(value)
        return (is_own and not _NOT_BEFORE.search(low)) or bool(_KEY_BEFORE.search(low) or _OF_KEYS.search(head))
    is_camel = label[0].isupper() and before[-1:].islower()
    is_tail = before[-1:].isalpha() and before[-1:].isascii() and not is_camel and len(label) < 6
    if is_tail and not low.endswith(("auth", "api", "access", "db", "my")):
        return False
    return not _NOT_BEFORE.search(low)


_ALGORITHM: Final = re.compile(
    r"(?:rsa|aes|des|3des|sha|md|hmac|ecdsa|ed|hs|rs|es|base|argon|utf|bcrypt|scrypt|pbkdf|oauth|pkcs|x)"
    r"[-_]?\d{0,5}(?:[-_](?:gcm|cbc|id|i|d|\d{2,4}))?(?:-[a-z]+ed)?",
    re.IGNORECASE,
)
_CODE: Final = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+|[a-z]+(?:[A-Z][a-z]+)+|_*[a-z]+(?:_[a-z]+)+|\w+\[",
    re.ASCII,
)
_OPENS_CALL: Final = re.compile(r"[(\[{<]|\s?(?:\?|\|\||&&|=>|=)")
_TEST_NAME: Final = re.compile(r"[\w./:-]+", re.ASCII)  # what runners of tests print behind "PASS:"
_UNITS: Final = re.compile(
    r"\s?(?:-|to\b|or\b)?\s?(?:\d+\s?)?"
    r"(?:char|digit|bit|byte|letter|word|symbol|min|hour|day|sec|time|line|token|位|个|字符|ms|s\b|mb|kb|%)",
    re.IGNORECASE,
)


def _is_no_value(reading: LabelledValue) -> bool:
    """A word that follows such labels, an algorithm, a length, an address, shown masked, or (unquoted) code."""
    value, label, rest = reading.value, reading.label, reading.rest
    return bool(
        value.lower() in NOT_VALUES
        or _ALGORITHM.fullmatch(value)
        or "://" in value
        or (value.endswith(("ed", "ing")) and value.isalpha() and value.islower() and not reading.is_env)
        or (value[0] == "!" and value[1:].isalpha())  # a tag of YAML
        or (label == "PWD" and value[0] in "/~")  # the working directory
        or (label in ("PASS", "Pass") and reading.sign == ":" and _TEST_NAME.fullmatch(value))
        or rest.startswith(("...", "…", "***"))
        or (not looks_mixed(value) and _UNITS.match(rest))
        or (not reading.quoted and (_CODE.fullmatch(value) or _OPENS_CALL.match(rest)))
    )


def looks_mixed(value: str) -> bool:
    """Letters with digits or with marks that words do not have."""
    kinds = (str.isdigit, str.isalpha, "!@#$%^&*+=?~".__contains__)
    return sum(any(map(is_one, value)) for is_one in kinds) > 1


def is_well_mixed(value: str) -> bool:
    """Letters with two digits, with both cases and a digit, or with a mark."""
    digits = sum(map(str.isdigit, value))
    cases = value != value.lower() and value != value.upper()
    has_mark = any(c in "!@#$%^&*+=?~" for c in value.rstrip("?!"))
    mixed = digits > 1 or (digits > 0 and cases) or (has_mark and (cases or digits > 0))
    return mixed and any(map(str.isalpha, value))


_CLAUSE_END: Final = re.compile(r"[\"'`*]{0,2}\s{0,2}(?:[.,;!?)]|\n|\Z|--? |and\b|but\b)")
_TOLD: Final = re.compile(r"\b(?:us(?:e|ing)|with|remember|save)\b[^\n.;]{0,30}\Z", re.IGNORECASE)
_OWN_LINE: Final = re.compile(
    r"(?:(?:^|\n)[ \t>*-]{0,8}(?:[A-Za-z]{1,16}[ \t]){0,4}\**|(?:user|mail) (?!and )\S{1,60} (?:and )?)\Z", re.ASCII
)
"""Four words at most before the label, as people write notes, or a user's name."""


def _may_be_password(reading: LabelledValue) -> bool:
    value, quoted, verb, label = reading.value, reading.quoted, reading.verb, reading.label.lower()
    if " " in value:
        four_words = label == "passphrase" and quoted and value.count(" ") >= 3
        return four_words or GROUPED.fullmatch(f"pass: {value}") is not None
    if _is_no_value(reading):
        return False
    if reading.sign is None and verb is None:
        told = value.rstrip("0123456789") not in NOT_VALUES and value.isalnum() and _TOLD.search(reading.before)
        said = is_well_mixed(value) or (told and (quoted or value[:-2].isalpha()))  # not v2, step1
        return len(value) > 5 and bool(said) and "/" not in value and (label != "pass" or looks_random(value))
    if looks_mixed(value):
        return len(value) > SHORTEST_PASSWORD and not (value[-1] == "?" and value[:-1].isalpha())
    if value.isdigit():
        return len(value) > (SHORTEST_PASSWORD if reading.sign or quoted else 5)  # longer than a year
    if reading.is_env or not value.isascii():
        return reading.is_env or (quoted and reading.sign is not None and not value.isalpha())
    if not value.isalpha() or not value.islower():
        return False
    # a word: in quotes, or at the end of its clause behind a clear label
    if verb in ("to", "as", "are") or (verb and len(reading.label) < 6):
        return quoted and verb == "to"
    if quoted or value.endswith(("able", "ly")) or not _CLAUSE_END.match(reading.rest):
        return quoted
    return verb is not None or (reading.sign in (":", "：") and _OWN_LINE.search(reading.before) is not None)


_VERSION: Final = re.compile(r"v?\d+(?:\.\d+)+\S{0,12}")


def _may_be_key(reading: LabelledValue) -> bool:
    value = reading.value
    if " " in value or _is_no_value(reading) or value[0] in "/.~" or value.count("/") > 2:
        return False
    length = len(value)
    if reading.sign is None and reading.verb is None:
        is_long = length >= 4 * SHORTEST_KEY and value.isalnum() and is_well_mixed(value)  # it may be in hex
        return is_long or (length >= 2 * SHORTEST_KEY and looks_random(value))
    digits, letters = (sum(map(is_one, value)) for is_one in (str.isdigit, str.isalpha))
    if reading.is_env and length >= 6:  # written to be one; longer than most words
        return letters > 0 and (not value.isalpha() or length >= 12)
    if length < SHORTEST_KEY or letters < 2 or (reading.verb == "to" and length < 2 * SHORTEST_KEY):
        return False
    if digits >= 2:  # not name2, v1
        return not _VERSION.fullmatch(value)
    is_mixed_case = not value.islower() and not value.isupper()
    is_run = length >= 2 * SHORTEST_KEY and is_mixed_case and value.rstrip("=").isalnum()
    return is_run and (digits == 1 or reading.quoted)


def _may_be_foreign_password(reading: LabelledValue) -> bool:
    value = reading.value
    if _is_no_value(reading):
        return False
    if reading.quoted:
        return " " not in value and (reading.sign is not None or reading.verb is not None)
    if not any(map(str.isalnum, value)):
        return False
    if looks_mixed(value) or (value.isdigit() and len(value) > SHORTEST_PASSWORD):
        return True
    is_cjk = reading.label[0] >= "\u2e80"
    return is_cjk and reading.sign not in (None, "- ") and value.isalpha() and value.islower()

"""Does the value behind a label look like a secret, and not like a type, a placeholder, code or prose?

How much is asked depends on the label (a password may be a word, a key may not), on how it is joined (`=`, `:`, "is")
and on quotes. Chosen by hand; `tests/test_secrets.py` holds what must and must not be found.
"""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Final, NamedTuple

from memory.conversation.redaction.key_formats import ALGORITHMS, NOT_VALUES

SHORTEST_KEY: Final = 8
"""Characters of a key or token at least (chosen; real ones have 16 and more)."""
SHORTEST_PASSWORD: Final = 3
"""Characters of a password at least (chosen)."""
_KEY_BEFORE: Final = re.compile(
    r"(?:api|access|auth|private|encryption|signing|master|account|licen[cs]e|subscription|admin|service|role|deploy"
    r"|app|client)[_ -]?\Z"
)
_HEAD: Final = re.compile(r"\s*(?:\[{1,2}[^\[\]]+\]{1,2}|[\"']?[\w.-]+[\"']?\s*:\s*\{?)\s*")
"""A line that tells what the lines below it belong to."""
_OF_KEYS: Final = re.compile(r"api|auth|secret|credential")
GROUPED: Final = re.compile(
    r"pass(?:word|wd)?[\"'\]`*)]{0,4}\s{0,3}(?:=>?|:|：)\s{0,3}[\"'`“]?((?:[a-z]{4} ){3}[a-z]{4})(?=[\"'`”]?\s{0,3}$)",
    re.MULTILINE,
)
"""A password for one application as Google shows it: four groups of four letters, alone behind its label."""
_BEFORE_ID: Final = re.compile(
    r"(?:public|public[_ -]?key|primary|foreign|cache|sort|partition|page|pagination|next|continuation|idempotency|sync"
    r"|cursor|csrf|hash|no|design|syntax|eos|bos|pad|unk|mask|stop|special)[_ -]?\Z"
)


class LabelledValue(NamedTuple):
    """One label with its value, as it is written."""

    text: str
    label: str
    label_start: int
    sign: str | None
    sign_span: tuple[int, int]
    verb: str | None
    quoted: bool
    value: str
    rest: str


def judged_kind(reading: LabelledValue, *, is_foreign: bool) -> str | None:
    """Return the kind of a labelled value that looks like a secret."""
    kind = kind_of(reading.label.lower())
    if is_foreign:
        judged = _may_be_foreign_password(reading)
    elif not _is_label(reading):
        return None
    elif reading.label.lower() == "auth":
        judged = _is_encoded_pair(reading.value)
    else:
        judged = _may_be_password(reading) if kind == "password" else _may_be_key(reading)
    return kind if judged else None


def _is_encoded_pair(value: str) -> bool:
    """Is it a user's name and a password in Base64, as registries take them?"""
    try:
        name, colon, password = b64decode(value, validate=True).decode().partition(":")
    except ValueError:
        return False
    return bool(name and colon and password) and (name + password).isprintable()


def kind_of(label: str) -> str:
    """Name the kind a label stands for."""
    if label.startswith("secret"):
        return "secret"
    if "token" in label or "令" in label:
        return "token"
    if "key" in label or "钥" in label:
        return "api-key"
    return "secret" if label.startswith(("credential", "auth")) else "password"


def _is_label(reading: LabelledValue) -> bool:
    """Is it a label of its own, not the tail of a word (compass, monkey) or of another name (primary_key)?"""
    label = reading.label
    before = reading.text[max(0, reading.label_start - 16) : reading.label_start]
    low = before.lower()
    if label.lower() == "key":
        return _KEY_BEFORE.search(low) is not None or _is_key_of_section(reading)
    if before[-1:].isalpha() and before[-1:].isascii():
        is_camel = label[0].isupper() and before[-1].islower()
        if not is_camel and len(label) < 6 and not low.endswith(("auth", "api", "access", "db", "my")):  # noqa: PLR2004  # compass
            return False
    return not _BEFORE_ID.search(low) and not low.endswith(
        ("--no-", "has", "has_", "is_", "show_", "forgot_")
    )


def _is_key_of_section(reading: LabelledValue) -> bool:
    """Does the label begin its line, below `[api]` or `api:`?"""
    start = reading.label_start
    *above, line = reading.text[max(0, start - 400) : start].lower().split("\n")
    head = "" if line.strip(" \t\"'") else next(filter(_HEAD.fullmatch, reversed(above)), "")
    return _OF_KEYS.search(head) is not None


_ALGORITHM: Final = re.compile(ALGORITHMS, re.IGNORECASE)
_CODE: Final = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+|[a-z]+(?:[A-Z][a-z]+)+|_*[a-z]+(?:_[a-z]+)+|\w+\[",
    re.ASCII,
)
_TEST_NAME: Final = re.compile(r"[\w./:-]+", re.ASCII)
"""What runners of tests print behind "PASS:"."""
_VERSION: Final = re.compile(r"v?\d+(?:\.\d+)+\S{0,12}")
_UNITS: Final = re.compile(
    r"\s?(?:-|to\b|or\b)?\s?(?:\d+\s?)?"
    r"(?:char|digit|bit|byte|letter|word|symbol|min|hour|day|sec|time|line|token|位|个|字符|ms|s\b|mb|kb|%)",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(r"[\"'`*]{0,2}\s{0,2}(?:[.,;!?)]|\n|\Z|-- |and\b|but\b)")
_OPENS_CALL: Final = re.compile(r"[(\[{<]|\s?(?:\?|\|\||&&|=>|=)")
_ENV_NAME: Final = re.compile(r"[A-Z][A-Z0-9_]{2,60}\Z")


def _is_env(reading: LabelledValue) -> bool:
    """Is it an assignment as in a .env file or a shell: NAME=value, upper case, no blanks?"""
    if reading.sign != "=" or not reading.label.isupper():
        return False
    sign, after = reading.sign_span
    name = _ENV_NAME.search(reading.text, max(0, sign - 60), sign)
    return name is not None and not reading.text[after : after + 1].isspace()


def looks_mixed(value: str) -> bool:
    """Letters with digits or with marks that words do not have."""
    has_digit = any(c.isdigit() for c in value)
    has_letter = any(c.isalpha() for c in value)
    has_mark = any(c in "!@#$%^&*+=?~" for c in value)
    return (has_digit and has_letter) or (has_mark and (has_letter or has_digit))


def is_well_mixed(value: str) -> bool:
    """Letters with two digits, with both cases and a digit, or with a mark."""
    digits = sum(c.isdigit() for c in value)
    cases = value != value.lower() and value != value.upper()
    has_mark = any(c in "!@#$%^&*+=?~" for c in value.rstrip("?!"))
    mixed = digits > 1 or (digits > 0 and cases) or (has_mark and (cases or digits > 0))
    return mixed and any(c.isalpha() for c in value)


def _is_no_value(reading: LabelledValue) -> bool:
    """Is it a word that follows such labels, an algorithm, a length, an address, or (unquoted) code?"""
    value = reading.value
    if (
        value.lower() in NOT_VALUES
        or _ALGORITHM.fullmatch(value)
        or (not looks_mixed(value) and _UNITS.match(reading.rest))
        or "://" in value
        or (value[0] == "!" and value[1:].isalpha())  # a tag of YAML
    ):
        return True
    if reading.label in ("PASS", "Pass") and reading.sign == ":" and _TEST_NAME.fullmatch(value):
        return True
    if reading.rest.startswith(("...", "…", "***")):  # shown masked
        return True
    if reading.label == "PWD" and value[0] in "/~":  # the working directory
        return True
    return not reading.quoted and bool(_CODE.fullmatch(value) or _OPENS_CALL.match(reading.rest))


def _may_be_password(reading: LabelledValue) -> bool:
    """Judge a value behind password, passwd, pwd, pass, pw."""
    value, quoted = reading.value, reading.quoted
    if " " in value:
        if GROUPED.fullmatch(f"pass: {value}"):
            return True
        return reading.label.lower() == "passphrase" and quoted and value.count(" ") >= 3  # noqa: PLR2004  # four words
    if _is_no_value(reading):
        return False
    if not quoted and reading.sign is None and reading.verb is None:
        return len(value) > 5 and is_well_mixed(value)  # noqa: PLR2004  # v2, step1
    if looks_mixed(value):
        return len(value) > SHORTEST_PASSWORD and not (value[-1] == "?" and value[:-1].isalpha())
    if value.isdigit():
        return len(value) > SHORTEST_PASSWORD if reading.sign or quoted else len(value) > 5  # noqa: PLR2004  # a year
    if _is_env(reading):
        return True
    if not value.isascii():
        return quoted and reading.sign is not None and value.isalpha() is False
    return value.isalpha() and _may_be_word(reading)


def _may_be_word(reading: LabelledValue) -> bool:
    """Judge a password of letters only: it needs quotes, or to end its clause behind a clear label."""
    value = reading.value
    if not value.islower() or value.endswith(("ed", "ing")):
        return False
    if reading.verb in ("to", "as", "are") or (reading.verb and len(reading.label) < 6):  # noqa: PLR2004  # pass, pw
        return reading.quoted and reading.verb == "to"
    if reading.quoted:
        return True
    if value.endswith(("able", "ly")) or not _CLAUSE_END.match(reading.rest):
        return False
    return reading.verb is not None or _is_own_line(reading)


_OWN_LINE: Final = re.compile(r"(?:^|\n)[ \t>*-]{0,8}(?:[A-Za-z]{1,16}[ \t]){0,4}\**\Z", re.ASCII)


def _is_own_line(reading: LabelledValue) -> bool:
    """Does the label stand at the beginning of its line, behind four words at most, as people write notes?"""
    start = reading.label_start
    at_start = _OWN_LINE.search(reading.text, max(0, start - 60), start)
    return at_start is not None and reading.sign in (":", "：")


def _may_be_key(reading: LabelledValue) -> bool:
    """Judge a value behind key, token, secret, credentials."""
    value = reading.value
    if " " in value or _is_no_value(reading) or value[0] in "/.~" or value.count("/") > 2:  # noqa: PLR2004  # a path
        return False
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    if _is_env(reading) and len(value) >= 6:  # noqa: PLR2004  # written to be one
        return letters > 0 and (not value.isalpha() or len(value) >= 12)  # noqa: PLR2004  # longer than most words
    if len(value) < SHORTEST_KEY or letters < 2 or (reading.verb == "to" and len(value) < 2 * SHORTEST_KEY):  # noqa: PLR2004  # ids
        return False
    if digits >= 2:  # noqa: PLR2004  # name2, v1
        return not _VERSION.fullmatch(value)
    is_mixed_case = not value.islower() and not value.isupper()
    return (
        (digits == 1 or reading.quoted)
        and len(value) >= 2 * SHORTEST_KEY
        and is_mixed_case
        and value.rstrip("=").isalnum()
    )


def _may_be_foreign_password(reading: LabelledValue) -> bool:
    """Judge a value behind a Chinese, Japanese, Korean, Russian, Spanish, Portuguese, German or French label."""
    value = reading.value
    if _is_no_value(reading):
        return False
    if reading.quoted:
        return " " not in value and (reading.sign is not None or reading.verb is not None)
    if not any(c.isalnum() for c in value):
        return False
    if looks_mixed(value) or (value.isdigit() and len(value) > SHORTEST_PASSWORD):
        return True
    is_cjk = reading.label[0] >= "\u2e80"
    return is_cjk and reading.sign not in (None, "- ") and value.isalpha() and value.islower()

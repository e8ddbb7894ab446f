"""Secrets that stand behind a label: `API_KEY=...`, `"password": "..."`, "the password is ...", 密码是....

A label alone proves little: `password: string`, `token = get_token()`, "the secret is out". So the value must
look like one. How much is asked depends on the label (a password may be a word, a key may not), on how it is
joined (`=`, `:`, "is") and on quotes. Chosen by hand; `tests/test_secrets.py` holds what must and must not be
found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from memory.patterns import holds
from memory.secret_kinds import ALGORITHMS, NOT_VALUES, is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST_KEY: Final = 8
"""Characters of a key or token at least (chosen; real ones have 16 and more)."""
SHORTEST_PASSWORD: Final = 3
"""Characters of a password at least (chosen)."""

LITERALS: Final = ("pass", "pw", "secret", "token", "key", "credential")
"""Letters without one of which there is no English label."""
_LABEL: Final = re.compile(
    r"""(?P<label>pass(?:word|wd|phrase|code)?|pwd|pw|pword|secret(?:[_ -]?(?:access)?[_ -]?key)?|key|token
      |credentials?)
    (?:[_-](?:prod|dev|test|live|staging|local|base|default|\d{1,2}))?
    ["'\]`*)]{0,4}
    (?:\s{0,4}(?P<sign>=>|:=|==?|:|：|＝|(?:就|必须|应该?|统一|默认|现在)?是|改?为|改成|设为)
      |(?:\s{1,3}(?:for|of|to)\s[^\s,.;:=]{1,30}(?:\s[^\s,.;:=]{1,30})?)?
       \s{1,3}(?P<verb>is|was|will\ be|should\ be|must\ be|to|as|are)(?:\ (?:now|still|just|set\ to
         |called))?\b:?)
    \s{0,4}(?:(?:bearer|basic|token)\s)?
    (?:(?P<quote>["'`“「])(?P<quoted>[^"'`“”「」\n]{1,300})["'`”」]|(?P<bare>[^\s"'`,;“”「」，。；、（）()<>{}|]{2,600}))""",
    re.VERBOSE | re.ASCII,
)
_KEY_BEFORE: Final = re.compile(
    r"(?:api|access|auth|private|encryption|signing|master|account|licen[cs]e|subscription|admin|service|role|deploy"
    r"|app)[_ -]?\Z"
)
FOREIGN: Final = (
    *("密码", "口令", "密钥", "秘钥", "令牌", "授权码", "密碼", "パスワード", "暗証", "비밀번호"),
    *("парол", "contraseña", "senha", "passwort", "mot de passe"),
)
_FOREIGN_LABEL: Final = re.compile(
    r"""(?P<label>密码|口令|密钥|秘钥|令牌|授权码|密碼|パスワード|暗証番号|비밀번호
      |парол[ьяем]{1,2}|contraseña|senha|passwort|mot\ de\ passe)
    ["'”」*`]{0,3}
    (?:\s{0,3}(?P<sign>(?:就|必须|应该?|统一|默认|现在)?是|(?:必须|应)?为|為|改为|改成|改為|设为|设成|設為|设置为|换成|更新为
      |は|が|는|은|：|:|=>?|—|-\ )
      |\ (?P<verb>es|é|ist|est|e)\b:?|\s{0,3})
    \s{0,4}(?:(?P<quote>["'`“‘「『])(?P<quoted>[^"'`“”‘’「」『』\n]{2,200})["'`”’」』]|(?P<bare>[!-~]{3,300}))""",
    re.VERBOSE,
)
_PAIR: Final = re.compile(
    r"""(?:user(?:name)?|login|账号|用户名?|帐号)\s?[/+和与&]\s?(?:password|pass|pwd|密码)\s{0,2}(?:is|are|[:=：是为])\s{0,3}
    ["'`“]?([\w.@-]{1,60})\s?[/:,，]\s?([!-.0-~]{3,100})""",
    re.VERBOSE,
)
_USERS: Final = ("user", "login", "账号", "用户", "帐号")
"""Letters without one of which there is no pair."""
_OPTION: Final = re.compile(
    r"(?<!\S)--(?:[a-z]{1,12}-){0,2}(?P<label>password|passwd|pass|token|api-key|secret|secret-key|access-key)"
    r"\s{1,2}[\"']?(?P<bare>[^\s\"'\-][^\s\"']{2,300})",
)
_GROUPED: Final = re.compile(
    r"pass(?:word|wd)?[\"'\]`*)]{0,4}\s{0,3}(?:=>?|:|：)\s{0,3}[\"'`“]?((?:[a-z]{4} ){3}[a-z]{4})(?=[\"'`”]?\s{0,3}$)",
    re.MULTILINE,
)
"""A password for one application as Google shows it: four groups of four letters, alone behind its label."""
_BEFORE_ID: Final = re.compile(
    r"(?:public|public[_ -]?key|primary|foreign|cache|sort|partition|page|pagination|next|continuation|idempotency|sync"
    r"|cursor|csrf|hash|no|design|syntax|eos|bos|pad|unk|mask|stop|special)[_ -]?\Z"
)


_ASCII_LOWER: Final = {upper: upper + 32 for upper in range(65, 91)}


def labelled_values(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of values behind labels; kinds are "password", "api-key", "token" and "secret"."""
    lower = text.lower()
    has_label = any(map(lower.__contains__, LITERALS))
    has_foreign = (
        not lower.isascii() or "passe" in lower or "senha" in lower or "passwort" in lower
    ) and any(map(lower.__contains__, FOREIGN))
    if not has_label and not has_foreign:
        return
    if len(lower) != len(text):  # a few capitals have longer small letters; spans must stay true
        lower = text.translate(_ASCII_LOWER)
    pairs = [
        m.span(2)
        for m in (_PAIR.finditer(lower) if holds(lower, _USERS) else ())
        if not is_placeholder(text[m.start(2) : m.end(2)])
    ]
    yield from (("password", start, end) for start, end in pairs)
    starts = [start for start, _ in pairs]
    if has_label:
        if "pass" in lower:
            yield from (("password", *m.span(1)) for m in _GROUPED.finditer(lower))
        for m in _LABEL.finditer(lower):
            at = bisect_right(starts, m.start())
            if (
                at == len(starts) or starts[at] > m.end()
            ):  # else it is the user's name that the label precedes
                yield from _value(text, m, is_foreign=False)
        if "--" in lower:
            yield from _options(text)
    if has_foreign:
        for m in _FOREIGN_LABEL.finditer(lower):
            yield from _value(text, m, is_foreign=True)


def _options(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the values of command line options: --password X, --api-key X."""
    for m in _OPTION.finditer(text):
        value = m["bare"]
        mixed = _looks_mixed(value) and len(value) >= (4 if "pass" in m["label"] else SHORTEST_KEY)
        if mixed and not is_placeholder(value):
            yield _kind(m["label"]), m.start("bare"), m.end("bare")


class _Reading(NamedTuple):
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


def _value(text: str, m: re.Match[str], *, is_foreign: bool) -> Iterator[tuple[str, int, int]]:
    """Yield the value of one labelled match, if it looks like a secret."""
    group = "quoted" if m["quote"] else "bare"
    start, end = m.span(group)
    value = text[start:end]
    if group == "bare":
        value = _trim(_QUERY_GOES_ON.split(value, maxsplit=1)[0])
    end = start + len(value)
    if end - start < SHORTEST_PASSWORD or is_placeholder(value):
        return
    label = text[m.start("label") : m.end("label")]
    reading = _Reading(
        text,
        label,
        m.start("label"),
        m["sign"],
        m.span("sign"),
        m["verb"],
        group == "quoted",
        value,
        text[end : end + 24],
    )
    if not is_foreign and not _is_label(reading):
        return
    kind = _kind(label.lower())
    if is_foreign:
        judged = _may_be_foreign_password(reading)
    elif kind == "password":
        judged = _may_be_password(reading)
    else:
        judged = _may_be_key(reading)
    if judged:
        yield kind, start, end


def _kind(label: str) -> str:
    """Name the kind a label stands for."""
    if label.startswith("secret"):
        return "secret"
    if "token" in label or "令" in label:
        return "token"
    if "key" in label or "钥" in label:
        return "api-key"
    return "secret" if label.startswith("credential") else "password"


_QUERY_GOES_ON: Final = re.compile(r"&[\w.-]{1,40}=")
_TRAILING: Final = ".,:;!?)]}"


def _trim(value: str) -> str:
    """Cut punctuation that ends the sentence, and an escaped line break with what follows it."""
    for escape in ("\\n", "\\r", "\\t", '\\"'):
        at = value.find(escape)
        if at > 0:
            value = value[:at]
    return value.rstrip(_TRAILING.replace("!", "")) if value[-1:] in _TRAILING else value


def _is_label(reading: _Reading) -> bool:
    """Is it a label of its own, not the tail of a word (compass, monkey) or of another name (primary_key)?"""
    label = reading.label
    before = reading.text[max(0, reading.label_start - 16) : reading.label_start]
    low = before.lower()
    if label.lower() == "key":
        return _KEY_BEFORE.search(low) is not None
    if before[-1:].isalpha() and before[-1:].isascii():
        is_camel = label[0].isupper() and before[-1].islower()
        if not is_camel and len(label) < 6 and not low.endswith(("auth", "api", "access", "db", "my")):  # noqa: PLR2004  # compass
            return False
    return not _BEFORE_ID.search(low) and not low.endswith(
        ("--no-", "has", "has_", "is_", "show_", "forgot_")
    )


_ALGORITHM: Final = re.compile(ALGORITHMS, re.IGNORECASE)
_CODE: Final = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+|[a-z]+(?:[A-Z][a-z]+)+|_*[a-z]+(?:_[a-z]+)+|\w+\[",
    re.ASCII,
)
_VERSION: Final = re.compile(r"v?\d+(?:\.\d+)+\S{0,12}")
_UNITS: Final = re.compile(
    r"\s?(?:-|to\b|or\b)?\s?(?:\d+\s?)?"
    r"(?:char|digit|bit|byte|letter|word|symbol|min|hour|day|sec|time|line|token|位|个|字符|ms|s\b|mb|kb|%)",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(r"[\"'`*]{0,2}\s{0,2}(?:[.,;!?)]|\n|\Z|-- |and\b|but\b)")
_OPENS_CALL: Final = re.compile(r"[(\[{<]|\s?(?:\?|\|\||&&|=>|=)")
_ENV_NAME: Final = re.compile(r"[A-Z][A-Z0-9_]{2,60}\Z")


def _is_env(reading: _Reading) -> bool:
    """Is it an assignment as in a .env file or a shell: NAME=value, upper case, no blanks?"""
    if reading.sign != "=" or not reading.label.isupper():
        return False
    sign, after = reading.sign_span
    name = _ENV_NAME.search(reading.text, max(0, sign - 60), sign)
    return name is not None and not reading.text[after : after + 1].isspace()


def _looks_mixed(value: str) -> bool:
    """Letters with digits or with marks that words do not have."""
    has_digit = any(c.isdigit() for c in value)
    has_letter = any(c.isalpha() for c in value)
    has_mark = any(c in "!@#$%^&*+=?~" for c in value)
    return (has_digit and has_letter) or (has_mark and (has_letter or has_digit))


def _is_no_value(reading: _Reading) -> bool:
    """Is it a word that follows such labels, an algorithm, a length, an address, or (unquoted) code?"""
    value = reading.value
    if (
        value.lower() in NOT_VALUES
        or _ALGORITHM.fullmatch(value)
        or (not _looks_mixed(value) and _UNITS.match(reading.rest))
        or "://" in value
    ):
        return True
    if reading.rest.startswith(("...", "…", "***")):  # shown masked
        return True
    if reading.label == "PWD" and value[0] in "/~":  # the working directory
        return True
    return not reading.quoted and bool(_CODE.fullmatch(value) or _OPENS_CALL.match(reading.rest))


def _may_be_password(reading: _Reading) -> bool:
    """Judge a value behind password, passwd, pwd, pass, pw."""
    value, quoted = reading.value, reading.quoted
    if " " in value:
        return reading.label.lower() == "passphrase" and quoted and value.count(" ") >= 3  # noqa: PLR2004  # four words
    if _is_no_value(reading):
        return False
    if _looks_mixed(value):
        return len(value) > SHORTEST_PASSWORD and not (value[-1] == "?" and value[:-1].isalpha())
    if value.isdigit():
        return len(value) > SHORTEST_PASSWORD if reading.sign or quoted else len(value) > 5  # noqa: PLR2004  # a year
    if _is_env(reading):
        return True
    if not value.isascii():
        return quoted and reading.sign is not None and value.isalpha() is False
    return value.isalpha() and _may_be_word(reading)


def _may_be_word(reading: _Reading) -> bool:
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


def _is_own_line(reading: _Reading) -> bool:
    """Does the label stand at the beginning of its line, behind four words at most, as people write notes?"""
    start = reading.label_start
    at_start = _OWN_LINE.search(reading.text, max(0, start - 60), start)
    return at_start is not None and reading.sign in (":", "：")


def _may_be_key(reading: _Reading) -> bool:
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
        and value.isalnum()
    )


def _may_be_foreign_password(reading: _Reading) -> bool:
    """Judge a value behind a Chinese, Japanese, Korean, Russian, Spanish, Portuguese, German or French label."""
    value = reading.value
    if _is_no_value(reading):
        return False
    if reading.quoted:
        return " " not in value and (reading.sign is not None or reading.verb is not None)
    if not any(c.isalnum() for c in value):
        return False
    if _looks_mixed(value) or (value.isdigit() and len(value) > SHORTEST_PASSWORD):
        return True
    is_cjk = reading.label[0] >= "\u2e80"
    return is_cjk and reading.sign not in (None, "- ") and value.isalpha() and value.islower()

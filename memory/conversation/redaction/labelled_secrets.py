"""Secrets that stand behind a label: `API_KEY=...`, `"password": "..."`, "the password is ...", 密码是....

A label alone proves little: `password: string`, `token = get_token()`, "the secret is out". So the value must
look like one. How much is asked depends on the label (a password may be a word, a key may not), on how it is
joined (`=`, `:`, "is") and on quotes. Chosen by hand; `tests/test_secrets.py` holds what must and must not be
found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memory.conversation.lazy_patterns import holds
from memory.conversation.redaction.key_formats import is_placeholder
from memory.conversation.redaction.secret_values import (
    GROUPED,
    SHORTEST_KEY,
    SHORTEST_PASSWORD,
    LabelledValue,
    judged_kind,
    kind_of,
    looks_mixed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

LITERALS: Final = ("pass", "pw", "secret", "token", "key", "cred", "auth")
"""Letters without one of which there is no English label."""
_NAME: Final = r"""(?P<label>pass(?:word|wd|phrase|code)?|pwd|pw|pword|secret(?:[_ -]?(?:access)?[_ -]?key)?|key|token
      |credentials?|auth)
    (?:[_-](?:prod|dev|test|live|staging|local|base|default|data|\d{1,2}))?"""
_LABEL: Final = re.compile(
    _NAME
    + r"""["'\]`*)]{0,4}
    (?:\s{0,4}(?P<sign>=>|:=|==?|:|：|＝|(?:就|必须|应该?|统一|默认|现在)?是|改?为|改成|设为)
      |(?:\s{1,3}(?:for|of|to)\s[^\s,.;:=]{1,30}(?:\s[^\s,.;:=]{1,30})?)?
       \s{1,3}(?P<verb>is|was|will\ be|should\ be|must\ be|to|as|are)(?:\ (?:now|still|just|set\ to
         |called))?\b:?)
    \s{0,4}(?:(?:bearer|basic|token)\s)?
    (?:(?P<quote>["'`“「])(?P<quoted>(?:(?!(?P=quote))[^”」\n]){1,10000})(?:(?P=quote)|[”」])
      |(?P<bare>[^\s"'`,;“”「」，。；、（）()<>{}|]{2,10000}))""",
    re.VERBOSE | re.ASCII,
)
FOREIGN: Final = (
    *("密码", "口令", "密钥", "秘钥", "令牌", "授权码", "密碼", "パスワード", "暗証", "비밀번호"),
    *("парол", "contraseña", "senha", "passwort", "kennwort", "mot de passe"),
)
SIGNS: Final = (*LITERALS, *FOREIGN, " / ", "identified by")
_FOREIGN_NAME: Final = r"""(?P<label>密码|口令|密钥|秘钥|令牌|授权码|密碼|パスワード|暗証番号|비밀번호
      |парол[ьяем]{1,2}(?:\ от\ \w{1,20})?|contraseña|senha|passwort|kennwort|mot\ de\ passe)"""
_FOREIGN_LABEL: Final = re.compile(
    _FOREIGN_NAME
    + r"""["'”」*`]{0,3}
    (?:\s{0,3}(?P<sign>(?:就|必须|应该?|统一|默认|现在)?是|(?:必须|应)?为|為|改为|改成|改為|设为|设成|設為|设置为|换成|更新为
      |は|が|는|은|：|:|=>?|—|-\ )
      |\ (?P<verb>es|é|ist|lautet|est|e)\b:?|\s{0,3})
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
_UNSIGNED: Final = tuple(
    re.compile(before + r"""["'`“]?(?P<value>[^\s"'`,;“”，。；、（）()<>{}|/]{5,100})""")
    for before in (
        r"(?:password|passwd|passcode|pwd|identified by)\s{1,9}",
        " / ",
        r"cred(?:ential)?s?\b[^\n/]{0,40}?(?<![\w/.+@-])[\w.+@-]{2,60}\s?[/:]\s?",
    )
)
"""A password without a sign before it: behind its label, or a user's name and a slash."""
_LOGIN: Final = re.compile(
    r"""(?:\b(?:log(?:ged)?[ -]?in|sign[ -]?in|account|user(?:name)?)s?\b|账号|登录|用户|帐号)[^\n/]{0,40}?
        (?<![\w/.+@-])[\w.+@-]{2,60}\ /\ ["'`“]?\Z
      |(?<![\w/.-])(?:admin|administrator|root)\ /\ ["'`“]?\Z
      |cred(?:ential)?s?\b[^\n]*[/:]\s?["'`“]?\Z
      |\bmachine\s{1,9}\S{1,200}\s{1,9}login\s{1,9}\S{1,100}\s{1,9}(?P<sign>password)\s{1,9}["'`“]?\Z
      |(?:\b(?:with|using|use|login|user(?:name)?|account)\b|账号)[^\n]{0,60}?
        \b(?:password|passwd|passcode|pwd)[ \t]{1,3}["'`“]?\Z
      |\bidentified\ by\s{1,3}["'`“]?\Z""",
    re.VERBOSE,
)
"""What stands before such a password."""
_LOOKED_BACK: Final = 160
"""Characters before it that are read (chosen)."""
_APART: Final = (
    re.compile(
        r"<(?P<label>[\w.:-]{2,60})(?:\s[^<>]{0,80})?>\s{0,80}(?P<value>[^\s<>][^<>\n]{1,1000}?)\s{0,80}</"
    ),
    re.compile(
        r"(?:key|name)[\"']?\s?[:=]\s?[\"']?(?P<label>[\w.:-]{2,60})[\"']?[\s,;]{1,40}"
        r"[\"']?value[\"']?\s?[:=]\s?[\"']?(?P<value>[^\"'\s<>]{3,1000})"
    ),
    re.compile(
        r"(?:^|[\s;&|])(?:env|arg|setenv|setx|set -gx?|set -x|config set)\s{1,4}(?P<label>[\w.-]{2,60})[ \t]{1,8}"
        r"[\"']?(?P<value>[^\s\"'=][^\s\"']{2,1000})"
    ),
)
"""A label and its value in markup, under names of their own, or parted by blanks alone."""
_NAME_ENDS: Final = re.compile(_NAME + r"\Z", re.VERBOSE | re.ASCII)
_FOREIGN_ENDS: Final = re.compile(_FOREIGN_NAME + r"\Z", re.VERBOSE)
ASCII_LOWER: Final = {upper: upper + 32 for upper in range(65, 91)}


def labelled_values(text: str, lower: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of values behind labels; kinds are "password", "api-key", "token" and "secret"."""
    has_label = holds(lower, LITERALS)
    has_login = " / " in lower or "identified by" in lower
    pairs = [
        m.span(2)
        for m in (_PAIR.finditer(lower) if holds(lower, _USERS) else ())
        if not is_placeholder(text[m.start(2) : m.end(2)])
    ]
    yield from (("password", start, end) for start, end in pairs)
    starts = [start for start, _ in pairs]
    if has_label:
        if "pass" in lower:
            yield from (("password", *m.span(1)) for m in GROUPED.finditer(lower))
        for m in _LABEL.finditer(lower):
            at = bisect_right(starts, m.start())
            if (
                at == len(starts) or starts[at] > m.end()
            ):  # else it is the user's name that the label precedes
                yield from _value(text, m, is_foreign=False)
        if "--" in lower:
            yield from _options(text)
        for pattern in _APART:
            for m in pattern.finditer(lower):
                start, end = m.span("value")
                if kind := labelled_kind(text[slice(*m.span("label"))], text[start:end]):
                    yield kind, start, end
    if has_label or has_login:
        for pattern in _UNSIGNED:
            for m in pattern.finditer(lower):
                yield from _password(text, m)
    if holds(lower, FOREIGN):
        for m in _FOREIGN_LABEL.finditer(lower):
            yield from _value(text, m, is_foreign=True)


def _password(text: str, m: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """Yield what may be a password without a sign, if it looks like one and what stands before it says so."""
    start = m.start("value")
    value = _trim(text[start : m.end("value")])
    end = start + len(value)
    if not looks_mixed(value) or is_placeholder(value):
        return
    login = _LOGIN.search(m.string, max(0, start - _LOOKED_BACK), start)
    if login is None:
        return
    reading = LabelledValue(
        "password", "password", 0, login["sign"], (0, 0), None, False, value, text[end : end + 24]
    )
    if judged_kind(reading, is_foreign=False):
        yield "password", start, end


@lru_cache(maxsize=4096)
def _may_be_label(key: str) -> bool:
    lower = key.lower()
    return holds(lower, LITERALS) or holds(lower, FOREIGN)


def labelled_kind(label: str, value: str) -> str | None:
    """Return the kind of secret that a value is under a key of its own ("db_password", 密码); None for none."""
    if not _may_be_label(label):
        return None
    label, value = label[-80:].rstrip(" :：*"), value.strip()
    lower = label.translate(ASCII_LOWER)
    m = _NAME_ENDS.search(lower) or _FOREIGN_ENDS.search(lower)
    if m is None or len(value) < SHORTEST_PASSWORD or is_placeholder(value):
        return None
    ends = (len(label), len(label))
    name = label[m.start("label") : m.end("label")]
    return judged_kind(
        LabelledValue(label, name, m.start("label"), ":", ends, None, quoted=True, value=value, rest=""),
        is_foreign=m.re is _FOREIGN_ENDS,
    )


def _options(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the values of command line options: --password X, --api-key X."""
    for m in _OPTION.finditer(text):
        value = m["bare"]
        mixed = looks_mixed(value) and len(value) >= (4 if "pass" in m["label"] else SHORTEST_KEY)
        if mixed and not is_placeholder(value):
            yield kind_of(m["label"]), m.start("bare"), m.end("bare")


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
    reading = LabelledValue(
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
    if kind := judged_kind(reading, is_foreign=is_foreign):
        yield kind, start, end


_QUERY_GOES_ON: Final = re.compile(r"&[\w.-]{1,40}=")
_TRAILING: Final = ".,:;!?)]}"


def _trim(value: str) -> str:
    """Cut punctuation that ends the sentence, and an escaped line break with what follows it."""
    for escape in ("\\n", "\\r", "\\t", '\\"'):
        at = value.find(escape)
        if at > 0:
            value = value[:at]
    return value.rstrip(_TRAILING.replace("!", "")) if value[-1:] in _TRAILING else value

"""Secrets that a label gives away (`API_KEY=...`, "the password is ...", 密码是...), or their form or place.

A label alone proves little: `password: string`, `token = get_token()`, "the secret is out". So the value must look like
one (`redaction.secret_values`). The patterns are for a text in lower case: a search without regard to case is slow.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

from memory.conversation.lazy_patterns import holds
from memory.conversation.redaction.key_formats import FRESH, is_placeholder
from memory.conversation.redaction.secret_values import (
    GROUPED,
    SHORTEST_PASSWORD,
    LabelledValue,
    is_well_mixed,
    judged_kind,
    looks_mixed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALWAYS: Final = "(?:就|必须|应该?|统一|默认|现在|一直|永远|固定|都|一律|以后|全){0,2}"
_NAME: Final = r"""(?P<label>pass(?:word|wd|phrase|code)?|pwd|pw|pword|secret(?:[_ -]?(?:access)?[_ -]?key)?|key|token
      |credentials?|auth|jwt)
    (?:[_-](?:prod|dev|test|live|staging|local|base|default|data|\d{1,2}))?"""
_LABEL: Final = re.compile(
    _NAME
    + rf"""["'\]`*)]{{0,4}}
    (?:(?:\s{{1,3}}(?:for|of|on|to(?=\ (?:the|my|our)\ ))(?<!pass...)(?:[ \t][^\s,;:="]{{1,30}}(?<![.!?])){{1,6}}?)?
       (?:\s{{0,4}}(?P<sign>=>|:=|==?|:|：|＝|{_ALWAYS}(?:是|使?用)|改?为|改成|设为)
         |\s{{1,3}}(?P<verb>is|was|(?:will|should|must)\ (?:always\ )?be|to|as|are)(?:\ (?:now|still|just|always|set\ to
           |called))?\b:?)
      |(?=[ \t]{{1,3}}(?:["'`“][^\s"'`”=:]{{6,200}}["'`”]|(?!\S{{0,80}}[=:])[^\s"'`,;/]{{0,80}}[\d!@$%^&*+?~])))"""
    + r"""\s{0,4}(?:(?:bearer|basic|token)\s)?
    (?:(?P<quote>["'`“「])(?P<quoted>(?:(?!(?P=quote))[^”」\n]){1,10000})(?:(?P=quote)|[”」])
      |(?P<bare>(?!\\[nrt])[^\s"'`,;“”「」，。；、（）()<>{}|]{2,10000}))""",
    re.VERBOSE | re.ASCII,
)
SIGNS: Final = (
    *"pass pw secret token key cred auth jwt 密码 口令 密钥 秘钥 私钥 令牌 授权码 密碼 パスワード トークン".split(),
    *"暗証 비밀번호 парол токен contraseña clave senha kennwort".split(),
    *("mot de passe", " / ", "identified by"),
)
"""Letters without one of which there is no label."""
_FOREIGN_NAME: Final = r"""(?P<label>密码|口令|密钥|秘钥|私钥|令牌|授权码|密碼|パスワード|トークン|暗証番号|비밀번호
      |парол[ьяем]{1,2}(?:\ от\ \w{1,20})?|токена?|contraseña|clave(?<!\wclave)(?<!bra.clave|ras.clave)|senha|passwort
      |kennwort|mot\ de\ passe)"""
_FOREIGN_LABEL: Final = re.compile(
    _FOREIGN_NAME
    + rf"""["'”」*`]{{0,3}}
    (?:\s{{0,3}}(?P<sign>{_ALWAYS}(?:是|使?用)|(?:必须|应)?为|為|改为|改成|改為|设为|设成|設為|设置为|换成|更新为
      |(?:は|が)(?:必ず|いつも|常に)?|는|은|：|:|=>?|—|-\ )
      |\ (?:siempre\ )?(?P<verb>es|é|ist|lautet|est|e)\b(?:\ (?:siempre|sempre|immer|toujours))?:?|\s{{0,3}})"""
    + r"""\s{0,4}(?:(?P<quote>["'`“‘「『])(?P<quoted>[^"'`“”‘’「」『』\n]{2,200})["'`”’」』]|(?P<bare>[!-~]{3,300}))""",
    re.VERBOSE,
)
_PAIR: Final = re.compile(
    r"""(?:user(?:name)?|login|账号|用户名?|帐号)\s?[/+和与&]\s?(?:password|pass|pwd|密码)\s{0,2}(?:is|are|[:=：是为])\s{0,3}
    ["'`“]?([\w.@-]{1,60})\s?[/:,，]\s?([!-.0-~]{3,100})""",
    re.VERBOSE,
)
_LOGIN: Final = tuple(
    re.compile(before + r"""["'`“]?(?P<value>[^\s"'`,;“”，。；、（）()<>{}|/]{5,100})""")
    for before in (
        (
            r"(?:log(?:ged)?[ -]?in|sign[ -]?in|account|user(?:name)?|账号|登录|用户|帐号)s?\b[^\n/]{0,40}?"
            r"(?<![\w/.+@-])[\w.+@-]{2,60} / "
        ),
        r"cred(?:ential)?s?\b[^\n/]{0,40}?(?<![\w/.+@-])[\w.+@-]{2,60}\s?[/:]\s?",
        r"(?:admin / |administrator / |root / |identified by\s{1,9})",
    )
)
"""A password without a sign before it: behind a user's name and a slash."""
_APART: Final = (
    re.compile(r"<(?P<label>[\w.:-]{2,60})(?:\s[^<>]{0,80})?>\s{0,80}(?P<value>[^\s<>][^<>\n]{1,1000}?)\s{0,80}</"),
    re.compile(
        r"(?:key|name)[\"']?\s?[:=]\s?[\"']?(?P<label>[\w.:-]{2,60})[\"']?[\s,;]{1,40}"
        r"[\"']?value[\"']?\s?[:=]\s?[\"']?(?P<value>[^\"'\s<>]{3,1000})"
    ),
    re.compile(
        r"(?:env(?<![^\s;&|]env)|arg(?<![^\s;&|]arg)|setenv|setx|set -gx?|set -x|config set)\s{1,4}"
        r"(?:\S{0,80}:)?(?P<label>[\w.-]{2,60})[ \t]{1,8}[\"']?(?P<value>[^\s\"'=][^\s\"']{2,1000})"
    ),
    re.compile(
        r"-(?<![\w-]-)-?(?P<label>(?:[a-z]{1,12}[_-]?){0,2}(?:password|passwd|passphrase|pass|token|secret"
        r"|(?:api|secret|access|account|auth|private)[_-]?key))[ \t=]{1,2}[\"']?"
        r"(?P<value>(?=[^\s\"']{0,300}[\d!@#$%^&*+=?~])[^\s\"'-][^\s\"']{2,300})"
    ),
)
"""A label and its value in markup, under names of their own, in a command's options, or parted by blanks alone."""
_NAME_ENDS: Final = re.compile(_NAME + r"\Z", re.VERBOSE | re.ASCII)
_FOREIGN_ENDS: Final = re.compile(_FOREIGN_NAME + r"\Z", re.VERBOSE)
ASCII_LOWER: Final = {upper: upper + 32 for upper in range(65, 91)}


def labelled_values(text: str, lower: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of values behind labels; kinds are "password", "api-key", "token" and "secret"."""
    pairs = [m for m in _PAIR.finditer(lower) if not is_placeholder(text[slice(*m.span(2))])]
    yield from (("password", *m.span(2)) for m in pairs)
    users = {m.start(1) for m in pairs}
    yield from (("password", *m.span(1)) for m in GROUPED.finditer(lower))
    for pattern in (_LABEL, _FOREIGN_LABEL):
        for m in pattern.finditer(lower):
            if users.isdisjoint((m.start("quoted"), m.start("bare"))):  # else it labels a user's name
                yield from _value(text, m, is_foreign=pattern is _FOREIGN_LABEL)
    for pattern in _APART:
        for m in pattern.finditer(lower):
            value = text[slice(*m.span("value"))]
            if kind := labelled_kind(text[slice(*m.span("label"))], value):
                yield kind, *m.span("value")
    for m in chain.from_iterable(pattern.finditer(lower) for pattern in _LOGIN):
        start = m.start("value")
        value = _trim(text[start : m.end("value")])
        end = start + len(value)
        reading = LabelledValue(value, text[end : end + 24])
        if looks_mixed(value) and not is_placeholder(value) and judged_kind(reading, is_foreign=False):
            yield "password", start, end


def labelled_kind(label: str, value: str) -> str | None:
    """Return the kind of secret that a value is under a key of its own ("db_password", 密码); None for none."""
    label, value = label[-80:].rstrip(" :：*"), value.strip()
    lower = label.translate(ASCII_LOWER)
    m = _NAME_ENDS.search(lower) or _FOREIGN_ENDS.search(lower)
    if m is None or len(value) < SHORTEST_PASSWORD or is_placeholder(value):
        return None
    start, end = m.span("label")
    reading = LabelledValue(value, "", label[start:end], label[:start], ":", quoted=True)
    return judged_kind(reading, is_foreign=m.re is _FOREIGN_ENDS)


_SETTING: Final = re.compile(r"(?:\A|\n|[^\s,(\[{][ \t]|[&?;\"'])(?:--?)?[\w.-]{0,30}\0[\s&;\"']?\Z")
"""Around `password=value` in a command, a file of settings or an address, not in a call."""
_ENV_NAME: Final = re.compile(r"[A-Z][A-Z0-9_]{2,60}\Z")


def _value(text: str, m: re.Match[str], *, is_foreign: bool) -> Iterator[tuple[str, int, int]]:
    start, end = m.span("quoted" if m["quote"] else "bare")
    value = text[start:end]
    if not m["quote"]:
        value = _trim(_QUERY_GOES_ON.split(value, maxsplit=1)[0])
        end = start + len(value)
    if len(value) < SHORTEST_PASSWORD or is_placeholder(value):
        return
    low, high = m.span("label")
    sign, behind = m.span("sign")
    label, before = text[low:high], text[max(0, low - 400) : low]
    is_env = m["sign"] == "=" and not text[behind : behind + 1].isspace()
    if is_env and not (label.isupper() and _ENV_NAME.search(text, max(0, sign - 60), sign)):
        around = f"{before[-40:]}\0{text[end : end + 1]}"
        is_env = label[:4].lower() == "pass" and _SETTING.search(around) is not None
    quoted = m["quote"] is not None
    reading = LabelledValue(
        value, text[end : end + 24], label, before, m["sign"], m["verb"], quoted=quoted, is_env=is_env
    )
    if kind := judged_kind(reading, is_foreign=is_foreign):
        yield kind, start, end


_QUERY_GOES_ON: Final = re.compile(r"&[\w.-]{1,40}=")


def _trim(value: str) -> str:
    kept = re.split(r"(?<=.)\\[nrt\"]", value, maxsplit=1)[0]
    return kept.rstrip(".,:;?)]}") if kept[-1:] in ".,:;!?)]}" else kept


_WORD: Final = r"(?:password|passwd|passphrase|secret|api[_-]?key|token|credential)"
_QUOTED: Final = r"[\"']([^\"'\n]{4,300})[\"']"
_BARE: Final = r"[\"']?([^\s\"']{4,300})"
_LATER: Final = r"\s(?:[^\n]{0,120}?\s)?"
_SIGN: Final = "[a-z0-9._~+/=-]"
_FORMS: Final = (
    ("private-key", ("-----begin ",), (r"(-----begin [a-z0-9 ]{0,30}private key(?: block)?-----"
     r"(?:[^-]|-(?!-)){0,20000}(?:-----end [a-z0-9 ]{0,30}private key(?: block)?-----)?)")),
    ("private-key", ("private-lines: ",), r"(private-lines: \d{1,4}\r?\n(?:[a-z0-9+/=]{1,80}\r?\n){1,200})"),
    ("url-password", ("://",), r"://[^\s:/@'\"`<>]{0,100}:([^\s/'\"`<>]{1,200})@(?=[\w\[.$-])"),
    ("url-key", ("://",), r"[?&](?:key|auth|code|access_token|token)=([a-z0-9._~+/%-]{16,2000})"),
    ("url-signature", ("://",), r"[?&](?:sig|signature|x-amz-signature)=([a-z0-9%+/=_-]{32,200})"),
    ("authorization", ("bearer ", "basic ", "authorization"),
     (r"(?:bearer(?<![a-z]bearer)|basic(?<![a-z]basic)|authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:token|apikey|key)?)\s{1,3}"
     rf"(?={_SIGN}{{0,4000}}\d|{_SIGN}{{41}})({_SIGN}{{12,4000}})")),
    ("cookie", ("cookie",), r"(?:sess(?:ion)?[\w.-]{0,12}|sid|auth[a-z._-]{0,12})=([^\s;,\"'<>]{16,4000})"),
    ("password", (" -u", " --user"), r"(?:\s-u ?|\s--user[ =])[\"']?[^\s:\"'/]{1,80}:(?!//)([^\s\"']{3,200})"),
    ("password", (" -p", " -a ", "requirepass"), (r"(?:(?:mysql|mysqldump|mysqladmin|mariadb)\s[^\n]{0,80}?\s-p"
     r"|sshpass\s-p\s?|redis-cli\s[^\n]{0,60}?-a\s|requirepass\s)[\"']?([^\s\"']{3,100})")),
    ("password", ("pin ", "pin:", "pin=", "pin：", "pin是"), (r"[Pp](?<![A-Za-z].)(?:IN|in[ -](?:code|number))\b"
     r"(?:[ \w]{0,30}?\b(?:is|are|to|be|always))?[ :=：是]{1,3}[\"'`]?(\d{4,8})(?![\w.%-])")),
    ("secret", ("phrase", "mnemonic", "助记词"), (r"(?:seed.phrase|recovery.phrase|mnemonic|助记词)[^\n]{0,20}?"
     r"((?<![a-z])(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})\b")),
    ("azure-storage-key", ("accesskey=", "accountkey="), r"a(?:ccount|ccess)key=([a-z0-9+/]{40,100}={0,2})"),
    ("azure-client-secret", ("q~",), FRESH.pattern + r"([a-z0-9_~.-]{3}\dq~[a-z0-9_~.-]{30,36})"),
    ("terraform-token", (".atlasv1.",), FRESH.pattern + r"([a-z0-9]{14}\.atlasv1\.[a-z0-9_=-]{40,80})"),
)  # fmt: skip
"""Kind, letters of which the text must have one, pattern whose group is the secret."""
_BEHIND_WORD: Final = (
    rf"{_WORD}(?:\w{{0,12}}\(\s{{0,4}}{_QUOTED}"
    rf"|[\w.-]{{0,20}}[\"']\s{{0,4}},\s{{0,4}}{_QUOTED}"
    rf"|[\"']?\s?[:=]\s?(?:[|>][-+]?)?\s?\n\s{{1,40}}{_BARE}"
    rf"|\w{{0,20}}>\s{{0,4}}<!\[cdata\[([^\]]{{3,300}})\]"
    rf"|[^\n{{]{{0,40}}\{{\s{{0,20}}default\s?=\s?{_QUOTED}"
    rf"|\w{{0,12}}\s?[:=]\s?[^\n\"']{{1,80}}(?:\|\||\?\?)\s?{_QUOTED}"
    r"|%3d([^\s&\"'%]{4,200}))"
)
_ALONE: Final = (
    (("pass", "secret", "key", "token", "credential"), _BEHIND_WORD),
    (("set password for ",), rf"set password for \S{{1,60}}\s?=\s?{_QUOTED}"),
    (("aws_secret_access_key ",), r"aws_secret_access_key\s([a-z0-9/+]{40})\b"),
    (("--passphrase",), rf"--passphrase[ =]{_BARE}"),
    (("otpauth:",), r"otpauth://[^\s\"']{1,200}[?&]secret=([a-z2-7]{16,100})"),
    (("auth",), rf"auth\s?=\s?\(\s?[\"'][^\"'\n]{{1,80}}[\"'],\s?{_QUOTED}"),
    (("auth",), rf"basic_?auth\s?[:=]\s?[\"']?[\w.-]{{1,40}}:{_BARE}"),
    (("networkcredential(",), rf"networkcredential\(\s?[\"'][^\"'\n]{{1,80}}[\"'],\s?{_QUOTED}"),
    (("echo ",), r"echo\s[\"']?([^\s\"'|]{4,200})[\"']?\s?\|\s?(?:sudo -s|docker login|chpasswd|kinit)"),
    ((" -p", " -b", " --body"), rf"\s(?:login{_LATER}-p|secret set{_LATER}(?:-b|--body))[ =]{_BARE}"),
    (("--from-literal",), rf"create secret (?:[^\n\\]|\\\n?){{0,300}}?-literal[= ][\"']?[\w.-]{{1,60}}=(?!\[){_BARE}"),
    (("vault ",), rf"vault (?:kv )?(?:put|patch|write)\s[^\n]{{0,200}}?\s[\w.-]{{1,60}}=(?![\[@]){_BARE}"),
    (("akia", "asia"), r"a[ks]ia[a-z0-9]{16}[^\n]{0,40}?(?<![a-z0-9/+])(?![0-9a-f]{40})([a-z0-9/+]{40})(?![\w/+=])"),
    (("mongo", "psql", "sqlcmd", "zip", "7z"), rf"(?:mongo(?:sh|dump)?|psql|sqlcmd|zip|7z){_LATER}-p\s?{_BARE}"),
    (("ldap",), rf"ldap(?:search|modify|add){_LATER}-w\s\s?{_BARE}"),
    (("ssh-keygen",), rf"ssh-keygen{_LATER}-n\s\s?{_BARE}"),
    (("keytool",), rf"keytool{_LATER}-(?:store|key)pass\s\s?{_BARE}"),
    (("htpasswd",), rf"htpasswd\s-\w{{0,3}}b\w{{0,3}}\s\S{{1,120}}\s\S{{1,60}}\s{_BARE}"),
    (("add_user ",), rf"rabbitmqctl add_user\s\S{{1,60}}\s{_BARE}"),
    (("net user ",), r"net user\s\S{1,60}\s[\"']?([^\s\"'/]{4,100})"),
    (("smbclient",), rf"smbclient{_LATER}-u\s?[\"']?[\w.-]{{1,40}}%([^\s\"']{{4,100}})"),
    (("psk=",), r"psk=[\"']([^\"'\n]{8,63})[\"']"),
)  # fmt: skip
"""The same of passwords that must look like some, which a word or a command gives away."""
PLACED_SIGNS: Final = tuple(sign for form in (*_FORMS, *_ALONE) for sign in form[-2])
"""Letters without one of which there is no such secret."""
_PATTERNS: Final = [
    *((kind, signs, re.compile(pattern)) for kind, signs, pattern in _FORMS),
    *(("", signs, re.compile(pattern)) for signs, pattern in _ALONE),
]


def placed_secrets(text: str, lower: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of secrets that their form or their place gives away."""
    for kind, signs, pattern in _PATTERNS:
        searched = text if kind == "password" else lower  # -p is a password, -P a port
        for m in pattern.finditer(searched) if holds(lower, signs) else ():
            start, end = m.span(m.lastindex or 0)
            value = text[start:end]
            if kind == "private-key" or (kind and not is_placeholder(value)):
                yield kind, start, end
            elif is_well_mixed(value) and not {"(", " "} & set(value) and not is_placeholder(value):
                yield "password", start, end

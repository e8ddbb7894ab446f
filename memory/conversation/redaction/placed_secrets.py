"""Secrets with a form of their own, and those by the call, the list, the block or the command that they stand in.

The patterns are for a text in lower case: a search without regard to case takes eight times as long.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.conversation.lazy_patterns import holds
from memory.conversation.redaction.key_formats import FRESH, is_placeholder
from memory.conversation.redaction.secret_values import is_well_mixed

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    (("mongo", "psql", "sqlcmd", "zip", "7z"), rf"(?:mongo(?:sh|dump)?|psql|sqlcmd|zip|7z){_LATER}-p\s?{_BARE}"),
    (("ldap",), rf"ldap(?:search|modify|add){_LATER}-w\s\s?{_BARE}"),
    (("ssh-keygen",), rf"ssh-keygen{_LATER}-n\s\s?{_BARE}"),
    (("keytool",), rf"keytool{_LATER}-(?:store|key)pass\s\s?{_BARE}"),
    (("htpasswd",), rf"htpasswd\s-\w{{0,3}}b\w{{0,3}}\s\S{{1,120}}\s\S{{1,60}}\s{_BARE}"),
    (("add_user ",), rf"rabbitmqctl add_user\s\S{{1,60}}\s{_BARE}"),
    (("net user ",), r"net user\s\S{1,60}\s[\"']?([^\s\"'/]{4,100})"),
    (("smbclient",), rf"smbclient{_LATER}-u\s?[\w.-]{{1,40}}%(\S{{4,100}})"),
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

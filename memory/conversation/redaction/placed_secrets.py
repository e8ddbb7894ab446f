"""Secrets by the call, the list, the block or the command that they stand in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.conversation.redaction.key_formats import is_placeholder
from memory.conversation.redaction.secret_values import is_well_mixed

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = r"(?:password|passwd|passphrase|secret|api[_-]?key|token|credential)"
_QUOTED = r"[\"'](?P<value>[^\"'\n]{4,300})[\"']"
_LABELS = (
    "password",
    "passwd",
    "passphrase",
    "secret",
    "api_key",
    "apikey",
    "api-key",
    "token",
    "credential",
)
_LATER = r"\s(?:[^\n]{0,120}?\s)?"
_ROWS = (
    ("(", rf"{_WORD}\w{{0,12}}\(\s{{0,4}}{_QUOTED}"),
    (",", rf"[\"'][\w.-]{{0,30}}{_WORD}[\w.-]{{0,20}}[\"']\s{{0,4}},\s{{0,4}}{_QUOTED}"),
    ("\n", rf"{_WORD}[\"']?\s?[:=]\s?(?:[|>][-+]?)?\s?\n\s{{1,40}}[\"']?(?P<value>[^\s\"']{{4,300}})"),
    ("[cdata[", rf"<\w{{0,20}}{_WORD}\w{{0,20}}>\s{{0,4}}<!\[CDATA\[(?P<value>[^\]]{{3,300}})\]"),
    ("default", rf"{_WORD}[^\n{{]{{0,40}}\{{\s{{0,20}}default\s?=\s?{_QUOTED}"),
    ("||", rf"{_WORD}\w{{0,12}}\s?[:=]\s?[^\n\"']{{1,80}}\|\|\s?{_QUOTED}"),
    ("??", rf"{_WORD}\w{{0,12}}\s?[:=]\s?[^\n\"']{{1,80}}\?\?\s?{_QUOTED}"),
    ("set password for ", rf"set password for \S{{1,60}}\s?=\s?{_QUOTED}"),
    ("%3d", r"(?:password|passwd|secret|token)%3D(?P<value>[^\s&\"'%]{4,200})"),
    ("aws_secret_access_key ", r"aws_secret_access_key\s(?P<value>[A-Za-z0-9/+]{40})\b"),
    ("--passphrase", r"--passphrase[ =][\"']?(?P<value>[^\s\"']{4,100})"),
    ("otpauth:", r"otpauth://[^\s\"']{1,200}[?&]secret=(?P<value>[A-Z2-7]{16,100})"),
)
_COMMANDS = (
    ("auth", rf"auth\s?=\s?\(\s?[\"'][^\"'\n]{{1,80}}[\"'],\s?{_QUOTED}"),
    ("auth", r"basic_?auth\s?[:=]\s?[\"']?[\w.-]{1,40}:(?P<value>[^\s\"']{4,100})"),
    ("networkcredential(", rf"networkcredential\(\s?[\"'][^\"'\n]{{1,80}}[\"'],\s?{_QUOTED}"),
    (
        "echo ",
        r"echo\s[\"']?(?P<value>[^\s\"'|]{4,200})[\"']?\s?\|\s?(?:sudo -S|docker login|chpasswd|kinit)",
    ),
    ("mongo", rf"mongo(?:sh|dump)?{_LATER}-p\s?[\"']?(?P<value>[^\s\"']{{4,100}})"),
    ("psql", rf"psql{_LATER}-p\s?[\"']?(?P<value>[^\s\"']{{4,100}})"),
    ("sqlcmd", rf"sqlcmd{_LATER}-P\s?[\"']?(?P<value>[^\s\"']{{4,100}})"),
    ("zip", rf"zip{_LATER}-P\s?[\"']?(?P<value>[^\s\"']{{4,100}})"),
    ("ldap", rf"ldap(?:search|modify|add){_LATER}-w\s[\"']?(?P<value>[^\s\"']{{4,100}})"),
    ("7z ", rf"7z{_LATER}-p(?P<value>[^\s\"']{{4,100}})"),
    ("ssh-keygen", rf"ssh-keygen{_LATER}-N\s[\"']?(?P<value>[^\s\"']{{4,100}})"),
    ("keytool", rf"keytool{_LATER}-(?:store|key)pass\s[\"']?(?P<value>[^\s\"']{{4,100}})"),
    ("htpasswd", r"htpasswd\s-\w{0,3}b\w{0,3}\s\S{1,120}\s\S{1,60}\s[\"']?(?P<value>[^\s\"']{4,100})"),
    ("add_user ", r"rabbitmqctl add_user\s\S{1,60}\s[\"']?(?P<value>[^\s\"']{4,100})"),
    ("net user ", r"net user\s\S{1,60}\s[\"']?(?P<value>[^\s\"'/]{4,100})"),
    ("smbclient", rf"smbclient{_LATER}-U\s?[\w.-]{{1,40}}%(?P<value>\S{{4,100}})"),
    ("psk=", r"\bpsk=[\"'](?P<value>[^\"'\n]{8,63})[\"']"),
)


def _compiled(rows: tuple[tuple[str, str], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((sign, re.compile(pattern, re.IGNORECASE)) for sign, pattern in rows)


_LABELLED: Final = _compiled(_ROWS)
"""Letters without which there is no such secret, in lower case, and its form: behind one of `_LABELS`."""
_ALONE: Final = _compiled(_COMMANDS)
"""The same, without a label."""


def placed_secrets(text: str, lower: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of secrets that only their place in a call, list, block or command gives away."""
    forms = _ALONE if not any(label in lower for label in _LABELS) else (*_LABELLED, *_ALONE)
    for sign, pattern in forms:
        for m in pattern.finditer(text) if sign in lower else ():
            value = m["value"]
            if is_well_mixed(value) and not {"(", " "} & set(value) and not is_placeholder(value):
                yield "password", m.start("value"), m.end("value")

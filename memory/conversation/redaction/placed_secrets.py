"""Secrets with a form of their own, and those by the call, the list, the block or the command that they stand in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.conversation.lazy_patterns import holds
from memory.conversation.redaction.key_formats import FRESH, is_placeholder
from memory.conversation.redaction.secret_values import is_well_mixed

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD: Final = r"(?:password|passwd|passphrase|secret|api[_-]?key|token|credential)"
_WORDS: Final = (
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
_QUOTED: Final = r"[\"']([^\"'\n]{4,300})[\"']"
_BARE: Final = r"[\"']?([^\s\"']{4,300})"
_LATER: Final = r"\s(?:[^\n]{0,120}?\s)?"
_SIGN: Final = "[a-z0-9._~+/=-]"
_PROGRAMS: Final = ("mongo", "psql", "sqlcmd", "zip", "7z", "ldap", "ssh-keygen", "keytool")

_FORMS: Final = (
    ("private-key", ("-----begin ",), (r"(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
     r"(?:[^-]|-(?!-)){0,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?)")),
    ("private-key", ("private-lines: ",), r"(Private-Lines: \d{1,4}\r?\n(?:[A-Za-z0-9+/=]{1,80}\r?\n){1,200})"),
    ("url-password", ("://",), r"://[^\s:/@'\"`<>]{0,100}:([^\s/'\"`<>]{1,200})@(?=[\w\[.$-])"),
    ("url-key", ("://",), r"[?&](?:key|auth|code|access_token|token)=([A-Za-z0-9._~+/%-]{16,2000})"),
    ("url-signature", ("://",), r"[?&](?:sig|Signature|X-Amz-Signature)=([A-Za-z0-9%+/=_-]{32,200})"),
    ("authorization", ("bearer ", "basic ", "authorization"),
     (r"(?i)(?:(?<![a-z])(?:bearer|basic)|authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:token|apikey|key)?)\s{1,3}"
     rf"(?={_SIGN}{{0,4000}}\d|{_SIGN}{{41}})({_SIGN}{{12,4000}})")),
    ("cookie", ("cookie",), (r"(?i)(?<![a-z0-9])(?:[a-z0-9._-]{0,20}sess(?:ion)?[a-z0-9._-]{0,12}|[a-z._-]{0,12}sid"
     r"|[a-z._-]{0,12}auth[a-z._-]{0,12})=([^\s;,\"'<>]{16,4000})")),
    ("password", (" -u", " --user"), r"(?:\s-u ?|\s--user[ =])[\"']?[^\s:\"'/]{1,80}:(?!//)([^\s\"']{3,200})"),
    ("password", (" -p", " -a ", "requirepass"), (r"(?:(?:mysql|mysqldump|mysqladmin|mariadb)\s[^\n]{0,80}?\s-p"
     r"|sshpass\s-p\s?|redis-cli\s[^\n]{0,60}?-a\s|requirepass\s)[\"']?([^\s\"']{3,100})")),
    ("azure-storage-key", ("accesskey=", "accountkey="),
     r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})"),
    ("azure-client-secret", ("q~",), FRESH + r"([A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,36})"),
    ("terraform-token", (".atlasv1.",), FRESH + r"([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,80})"),
)  # fmt: skip
"""Kind, letters in lower case of which the text must have one, pattern whose group is the secret."""
_BEHIND_WORDS: Final = (
    ("(", rf"{_WORD}\w{{0,12}}\(\s{{0,4}}{_QUOTED}"),
    (",", rf"[\"'][\w.-]{{0,30}}{_WORD}[\w.-]{{0,20}}[\"']\s{{0,4}},\s{{0,4}}{_QUOTED}"),
    ("\n", rf"{_WORD}[\"']?\s?[:=]\s?(?:[|>][-+]?)?\s?\n\s{{1,40}}{_BARE}"),
    ("[cdata[", rf"<\w{{0,20}}{_WORD}\w{{0,20}}>\s{{0,4}}<!\[CDATA\[([^\]]{{3,300}})\]"),
    ("default", rf"{_WORD}[^\n{{]{{0,40}}\{{\s{{0,20}}default\s?=\s?{_QUOTED}"),
    ("||", rf"{_WORD}\w{{0,12}}\s?[:=]\s?[^\n\"']{{1,80}}\|\|\s?{_QUOTED}"),
    ("??", rf"{_WORD}\w{{0,12}}\s?[:=]\s?[^\n\"']{{1,80}}\?\?\s?{_QUOTED}"),
    ("set password for ", rf"set password for \S{{1,60}}\s?=\s?{_QUOTED}"),
    ("%3d", r"(?:password|passwd|secret|token)%3D([^\s&\"'%]{4,200})"),
    ("aws_secret_access_key ", r"aws_secret_access_key\s([A-Za-z0-9/+]{40})\b"),
    ("--passphrase", rf"--passphrase[ =]{_BARE}"),
    ("otpauth:", r"otpauth://[^\s\"']{1,200}[?&]secret=([A-Z2-7]{16,100})"),
)
_ALONE: Final = (
    (("auth",), rf"auth\s?=\s?\(\s?[\"'][^\"'\n]{{1,80}}[\"'],\s?{_QUOTED}"),
    (("auth",), rf"basic_?auth\s?[:=]\s?[\"']?[\w.-]{{1,40}}:{_BARE}"),
    (("networkcredential(",), rf"networkcredential\(\s?[\"'][^\"'\n]{{1,80}}[\"'],\s?{_QUOTED}"),
    (("echo ",), r"echo\s[\"']?([^\s\"'|]{4,200})[\"']?\s?\|\s?(?:sudo -S|docker login|chpasswd|kinit)"),
    (_PROGRAMS, (rf"(?:(?:mongo(?:sh|dump)?|psql|sqlcmd|zip|7z){_LATER}-p|ldap(?:search|modify|add){_LATER}-w\s"
     rf"|ssh-keygen{_LATER}-N\s|keytool{_LATER}-(?:store|key)pass\s)\s?{_BARE}")),
    (("htpasswd",), rf"htpasswd\s-\w{{0,3}}b\w{{0,3}}\s\S{{1,120}}\s\S{{1,60}}\s{_BARE}"),
    (("add_user ",), rf"rabbitmqctl add_user\s\S{{1,60}}\s{_BARE}"),
    (("net user ",), r"net user\s\S{1,60}\s[\"']?([^\s\"'/]{4,100})"),
    (("smbclient",), rf"smbclient{_LATER}-U\s?[\w.-]{{1,40}}%(\S{{4,100}})"),
    (("psk=",), r"\bpsk=[\"']([^\"'\n]{8,63})[\"']"),
)  # fmt: skip
PLACED_SIGNS: Final = tuple(
    sign for signs in (*(form[1] for form in _FORMS), *(form[0] for form in _ALONE)) for sign in signs
)
"""Letters, in lower case, without one of which there is no such secret; those behind words have these."""
_OWN: Final = tuple((kind, signs, re.compile(pattern)) for kind, signs, pattern in _FORMS)
_PLACED: Final = tuple(
    ((sign,) if isinstance(sign, str) else sign, re.compile(pattern, re.IGNORECASE))
    for sign, pattern in (*_BEHIND_WORDS, *_ALONE)
)


def placed_secrets(text: str, lower: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of secrets that their form or their place gives away."""
    for kind, signs, pattern in _OWN:
        for m in pattern.finditer(text) if holds(lower, signs) else ():
            if kind == "private-key" or not is_placeholder(m[1]):
                yield kind, *m.span(1)
    for letters, pattern in _PLACED if holds(lower, _WORDS) else _PLACED[len(_BEHIND_WORDS) :]:
        for m in pattern.finditer(text) if holds(lower, letters) else ():
            if is_well_mixed(m[1]) and not {"(", " "} & set(m[1]) and not is_placeholder(m[1]):
                yield "password", *m.span(1)

"""Keys of known providers, each by a prefix of its own, and what stands for a secret without being one.

The forms are those the providers document or secret scanners publish (GitHub's secret scanning patterns, gitleaks'
default rules), lengths widened a little.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

FRESH: Final = r"(?<![A-Za-z0-9_~.-])"
"""Where a run begins."""
_SHORT: Final = {"W{": "[A-Za-z0-9_-]{", "A{": "[A-Za-z0-9]{", "H{": "[0-9a-f]{", "!": "(?![A-Za-z0-9])"}


def _forms(rows: str) -> list[tuple[str, str, re.Pattern[str]]]:
    """Read rows of a kind, its prefixes and a pattern of what follows them."""
    for short, meant in _SHORT.items():
        rows = rows.replace(short, meant)
    return [
        (kind, prefix, re.compile(re.escape(prefix) + rest))
        for kind, prefixes, rest in map(str.split, rows.strip().split("\n"))
        for prefix in prefixes.split(",")
    ]


_KEYS: Final = _forms(r"""
anthropic-key sk-ant- W{20,200}
openrouter-key sk-or- W{20,200}
langfuse-key sk-lf- W{20,80}
openai-key sk- (?:proj-|svcacct-|admin-|None-)?W{20,300}
stripe-key sk_live_,sk_test_,rk_live_,rk_test_ A{10,200}
stripe-webhook-secret whsec_ [A-Za-z0-9+/=]{20,120}
elevenlabs-key sk_ H{40,64}
aws-access-key AKIA,ASIA,AROA,AIDA [A-Z0-9]{16}!
aws-bedrock-key ABSK [A-Za-z0-9+/=]{60,300}
google-api-key AIza W{30,45}
google-oauth-secret GOCSPX- W{20,40}
alibaba-access-key LTAI A{12,26}!
tencent-secret-id AKID A{30,36}!
github-token ghp_,gho_,ghu_,ghs_,ghr_ A{30,255}
github-token github_pat_ [A-Za-z0-9_]{20,255}
gitlab-token glpat-,glptt-,gldt-,glrt-,glcbt- W{18,100}
bitbucket-token ATBB A{28,40}
atlassian-token ATATT3 [A-Za-z0-9_=-]{60,300}
slack-token xoxb-,xoxp-,xoxa-,xoxr-,xoxs-,xoxc-,xoxe-,xoxd- [A-Za-z0-9_%-]{10,300}
slack-app-token xapp- W{20,200}
npm-token npm_ A{36}!
pypi-token pypi- W{40,300}
rubygems-key rubygems_ H{40,60}
crates-io-token cio A{32}!
docker-token dckr_pat_ W{20,80}
huggingface-token hf_ A{30,60}
groq-key gsk_ A{30,80}
xai-key xai- A{40,120}
perplexity-key pplx- A{30,80}
tavily-key tvly- W{20,80}
replicate-token r8_ A{30,60}
fireworks-key fw_ A{20,60}!
pinecone-key pcsk_ [A-Za-z0-9_]{40,120}
langsmith-key lsv2_ (?:pt|sk)_[A-Za-z0-9_]{30,80}
digitalocean-token dop_v1_,doo_v1_,dor_v1_ H{40,80}
heroku-key HRKU- W{30,80}
mailgun-key key- H{32}!
sendinblue-key xkeysib- W{40,120}
shopify-token shpat_,shpca_,shppa_ [A-Fa-f0-9]{32}
shopify-secret shpss_ [A-Fa-f0-9]{32}
square-token sq0atp- W{22,60}
square-secret sq0csp- W{30,60}
square-token EAAA W{56,70}!
cloudflare-key v1 \.0-H{20,30}-H{100,160}
cloudflare-token cfut_,cfat_ W{30,80}
linear-key lin_api_ A{30,60}
notion-token ntn_ A{36,60}
notion-token secret_ A{43}!
figma-token figd_ W{30,80}
airtable-token pat A{14}\.H{60,70}
postman-key PMAK- H{20,28}-H{30,40}
supabase-token sbp_ (?:v0_|oauth_)?H{36,50}
supabase-key sb_secret_ W{20,60}
databricks-token dapi H{32}(?:-\d)?!
planetscale-token pscale_ (?:pw|tkn|oauth)_[A-Za-z0-9_.-]{30,80}
grafana-token glsa_ [A-Za-z0-9_]{30,60}
grafana-token glc_ [A-Za-z0-9+/=]{30,300}
new-relic-key NRAK- A{20,40}
sentry-token sntrys_ [A-Za-z0-9_+/=.-]{40,300}
sentry-token sntryu_ H{40,80}
posthog-key phx_ A{30,60}
flyio-token fo1_ W{30,80}
flyio-token fm2_ [A-Za-z0-9+/=_-]{60,1000}
age-key AGE-SECRET-KEY- 1[A-Z0-9]{50,70}
onepassword-token ops_ eyJ[A-Za-z0-9_=-]{60,2000}
resend-key re_ A{8}_A{20,30}!
typeform-token tfp_ [A-Za-z0-9_.-]{40,80}
twilio-key SK H{32}!
jwt eyJ W{8,4000}\.eyJW{6,8000}\.W{4,2000}
""")
"""Forms tried where a run of 16 or more letters, digits, `_` and `-` begins with their prefix; the first fits."""
_DOTTED: Final = _forms(r"""
sendgrid-key SG. W{16,32}\.W{30,64}
google-oauth-token ya29. [A-Za-z0-9_.-]{20,400}
vault-token hvs. W{20,200}
doppler-token dp. (?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,80}
dropbox-token sl. (?:u\.)?W{100,1500}
slack-webhook hooks.slack.com/ (?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,120}
discord-webhook discord.com/api/webhooks/,discordapp.com/api/webhooks/ \d{10,25}/W{40,100}
teams-webhook webhook.office.com/ webhookb2/[A-Za-z0-9@/_-]{60,300}
""")
"""Forms whose first run is short; looked for by their prefix."""
KEY_SIGNS: Final = tuple(prefix.lower() for _, prefix, _ in _DOTTED)
_BY_START: Final = {key[1][:2]: [form for form in _KEYS if form[1][:2] == key[1][:2]] for key in _KEYS}

ALGORITHMS: Final = (
    r"(?:rsa|aes|des|3des|sha|md|hmac|ecdsa|ed|hs|rs|es|base|argon|utf|bcrypt|scrypt|pbkdf|x)"
    r"[-_]?\d{0,5}(?:[-_](?:gcm|cbc|id|i|d|\d{2,4}))?"
)
"""Names of algorithms and encodings, which follow "the password is" as well; without case."""

_WORDS: Final = """
a about above absent accepted active actually added admin-only after again all allowed already also always an
and another any anything anywhere as asked at auto automatically available bad based basic be because been
before being below better between blank bool boolean both broken but by bytearray bytes cached can cannot case
changed char characters checked clear code compromised confidential config configured considered correct
created credential credentials currently date datetime dead decimal default defined deprecated different
disabled done double either else email empty enabled encoded encrypted enough env environment error exactly
expired exposed false field file fine fixed float for format found from function generated generic given going
gone good hard hardcoded hash hashed here hidden how identical if ignored in inactive included incorrect input
insecure int integer invalid is it just kept key known leaked left like line literal local login long longer
lost mandatory masked matching may maybe mine missing mixed my name needed never new nil no none not nothing
now null number numeric nvarchar object of off ok okay old omitted on one only optional optionalstr or other
our out own padded param parameter pass passed passing passphrase passwd password passwords plain plaintext
plus possible present printed private problem protected provided public pwd random rather read ready
reasonable recommended redacted refreshed rejected removed required reset response returned revoked right
rotated safe salted same saved secret secrets secretstr secure securestring sensitive sent set shared short
shown similar simple so some something soon still store stored str string strong such supplied supported sure
symbol temporary text that the their then there these they this through to today token tokens too true type
typed undefined unique unknown unsafe unset until up updated used user using utf uuid valid validated value
varchar variable verified very via visible void wait weak well what when where which while why will with
without word working works wrong yes yet you your yours
"""
NOT_VALUES: Final = frozenset(_WORDS.split())
"""Lower-case words that follow a label without being its value (chosen by hand)."""

_PLACEHOLDER: Final = re.compile(
    r"""[<{%@*(\[]|["']?\$[({A-Za-z_]|\\\$|['"]?\[?REDACTED
      |.{0,200}?(?:\bREDACTED|\.\.\.|…|\*\*\*|xxxx|XXXX|____|<[^>]{0,80}>|\$\{|\{\{|%\(|%[A-Z_]{2,}%)
      |.{0,40}?(?i:your|placeholder|change[-_ ]?me|replace[-_ ]?(?:me|this|with)|insert|dummy|enter[-_]|todo
         |goes[-_]?here|example[-_]?(?:key|token|secret|password)|my[-_](?:api|secret|token|key|password))
      |(?:os|process|sys|import\.meta|env|config|settings|self|this|req|request|ctx|props|args|options|params|data
         |secrets|vault|user|var|local|module|event|body|form|st|app|Deno|Bun|System|ENV|Rails)[.\[(]
      |(?i:pass(?:word|wd)?|pw|pwd|user|secret|token|key|api[-_]?key|none|null|true|false|undefined|nil|hidden|masked
         |empty)\Z
      |(.)\1*\Z|[-_.=~#/\\]+\Z""",
    re.VERBOSE,
)


def is_placeholder(value: str) -> bool:
    """Does a value stand for a secret rather than being one: `YOUR_KEY`, `<token>`, `${X}`, `xxxx`, `[REDACTED:x]`?"""
    return _PLACEHOLDER.match(value) is not None


_BEGINS: Final = re.compile(FRESH)
_SHORTEST_RUN: Final = 16
_NAME_CHARACTERS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_AS_RUNS: Final = bytes(ord("x") if byte in _NAME_CHARACTERS else ord(" ") for byte in range(256))
_LONG_RUN: Final = b"x" * _SHORTEST_RUN
_TELEGRAM_ID: Final = re.compile(r"(?<!\d)\d{8,10}:\Z")
_DISCORD: Final = re.compile(
    r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])"
)
_MAILCHIMP: Final = re.compile(r"[0-9a-f]{32}-us\d{1,2}")
_TELEGRAM_KEY: Final = re.compile(r"AA[A-Za-z0-9_-]{33}")
_WORDS_WITH_HYPHENS: Final = re.compile(r"[a-z]{1,20}(?:[-_]{1,2}[a-z]{1,20}){0,40}-?")


def has_long_run(text: str) -> bool:
    """Tell whether a text has a run of name characters as long as keys."""
    return text.encode("latin-1", "replace").translate(_AS_RUNS).find(_LONG_RUN) >= 0


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


def provider_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the keys of known providers."""
    yield from undotted_keys(text)
    for kind, prefix, pattern in _DOTTED:
        if prefix in text:
            found = (m.span() for m in pattern.finditer(text))
            yield from ((kind, *span) for span in found if _BEGINS.match(text, span[0]))


def undotted_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the keys that are one run of name characters."""
    for start, end in _runs(text):
        for kind, prefix, pattern in _BY_START.get(text[start : start + 2], ()):
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

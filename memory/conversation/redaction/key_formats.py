"""What secrets look like: data for `memory.conversation.redaction.redacting`.

Keys of known providers begin with a prefix of their own; one row each. The forms are those the providers
document or that secret scanners publish (GitHub's secret scanning patterns, gitleaks' default rules), lengths
widened a little.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class KeyForm(NamedTuple):
    """The form of one provider's key.

    Attributes:
        kind: what replaces it: `[REDACTED:kind]`.
        prefix: at least two characters that it begins with, exactly.
        rest: pattern of what follows the prefix; bounded.
    """

    kind: str
    prefix: str
    rest: str


_W: Final = r"[A-Za-z0-9_-]"
_A: Final = r"[A-Za-z0-9]"
_H: Final = r"[0-9a-f]"

KEY_FORMS: Final = (
    KeyForm("anthropic-key", "sk-ant-", _W + "{20,200}"),
    KeyForm("openrouter-key", "sk-or-", _W + "{20,200}"),
    KeyForm("langfuse-key", "sk-lf-", _W + "{20,80}"),
    KeyForm("openai-key", "sk-", r"(?:proj-|svcacct-|admin-|None-)?" + _W + "{20,300}"),
    KeyForm("stripe-key", "sk_live_", _A + "{10,200}"),
    KeyForm("stripe-key", "sk_test_", _A + "{10,200}"),
    KeyForm("stripe-key", "rk_live_", _A + "{10,200}"),
    KeyForm("stripe-key", "rk_test_", _A + "{10,200}"),
    KeyForm("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/=]{20,120}"),
    KeyForm("elevenlabs-key", "sk_", _H + "{40,64}"),
    KeyForm("aws-access-key", "AKIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    KeyForm("aws-access-key", "ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    KeyForm("aws-access-key", "AROA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    KeyForm("aws-access-key", "AIDA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    KeyForm("aws-bedrock-key", "ABSK", r"[A-Za-z0-9+/=]{60,300}"),
    KeyForm("google-api-key", "AIza", _W + "{30,45}"),
    KeyForm("google-oauth-secret", "GOCSPX-", _W + "{20,40}"),
    KeyForm("alibaba-access-key", "LTAI", _A + "{12,26}(?![A-Za-z0-9])"),
    KeyForm("tencent-secret-id", "AKID", _A + "{30,36}(?![A-Za-z0-9])"),
    KeyForm("github-token", "ghp_", _A + "{30,255}"),
    KeyForm("github-token", "gho_", _A + "{30,255}"),
    KeyForm("github-token", "ghu_", _A + "{30,255}"),
    KeyForm("github-token", "ghs_", _A + "{30,255}"),
    KeyForm("github-token", "ghr_", _A + "{30,255}"),
    KeyForm("github-token", "github_pat_", r"[A-Za-z0-9_]{20,255}"),
    KeyForm("gitlab-token", "glpat-", _W + "{18,100}"),
    KeyForm("gitlab-token", "glptt-", _W + "{18,100}"),
    KeyForm("gitlab-token", "gldt-", _W + "{18,100}"),
    KeyForm("gitlab-token", "glrt-", _W + "{18,100}"),
    KeyForm("gitlab-token", "glcbt-", _W + "{18,100}"),
    KeyForm("bitbucket-token", "ATBB", _A + "{28,40}"),
    KeyForm("atlassian-token", "ATATT3", r"[A-Za-z0-9_=-]{60,300}"),
    KeyForm("slack-token", "xoxb-", _W + "{10,200}"),
    KeyForm("slack-token", "xoxp-", _W + "{10,200}"),
    KeyForm("slack-token", "xoxa-", _W + "{10,200}"),
    KeyForm("slack-token", "xoxr-", _W + "{10,200}"),
    KeyForm("slack-token", "xoxs-", _W + "{10,200}"),
    KeyForm("slack-token", "xoxe-", _W + "{10,300}"),
    KeyForm("slack-token", "xoxc-", _W + "{10,200}"),
    KeyForm("slack-token", "xoxd-", r"[A-Za-z0-9_%-]{10,300}"),
    KeyForm("slack-app-token", "xapp-", _W + "{20,200}"),
    KeyForm("npm-token", "npm_", _A + "{36}(?![A-Za-z0-9_])"),
    KeyForm("pypi-token", "pypi-", _W + "{40,300}"),
    KeyForm("rubygems-key", "rubygems_", _H + "{40,60}"),
    KeyForm("crates-io-token", "cio", _A + "{32}(?![A-Za-z0-9_])"),
    KeyForm("docker-token", "dckr_pat_", _W + "{20,80}"),
    KeyForm("huggingface-token", "hf_", _A + "{30,60}"),
    KeyForm("groq-key", "gsk_", _A + "{30,80}"),
    KeyForm("xai-key", "xai-", _A + "{40,120}"),
    KeyForm("perplexity-key", "pplx-", _A + "{30,80}"),
    KeyForm("tavily-key", "tvly-", _W + "{20,80}"),
    KeyForm("replicate-token", "r8_", _A + "{30,60}"),
    KeyForm("fireworks-key", "fw_", _A + "{20,60}(?![A-Za-z0-9_])"),
    KeyForm("pinecone-key", "pcsk_", r"[A-Za-z0-9_]{40,120}"),
    KeyForm("langsmith-key", "lsv2_", r"(?:pt|sk)_[A-Za-z0-9_]{30,80}"),
    KeyForm("digitalocean-token", "dop_v1_", _H + "{40,80}"),
    KeyForm("digitalocean-token", "doo_v1_", _H + "{40,80}"),
    KeyForm("digitalocean-token", "dor_v1_", _H + "{40,80}"),
    KeyForm("heroku-key", "HRKU-", _W + "{30,80}"),
    KeyForm("mailgun-key", "key-", _H + "{32}(?![A-Za-z0-9])"),
    KeyForm("sendinblue-key", "xkeysib-", _W + "{40,120}"),
    KeyForm("shopify-token", "shpat_", r"[A-Fa-f0-9]{32}"),
    KeyForm("shopify-token", "shpca_", r"[A-Fa-f0-9]{32}"),
    KeyForm("shopify-token", "shppa_", r"[A-Fa-f0-9]{32}"),
    KeyForm("shopify-secret", "shpss_", r"[A-Fa-f0-9]{32}"),
    KeyForm("square-token", "sq0atp-", _W + "{22,60}"),
    KeyForm("square-secret", "sq0csp-", _W + "{30,60}"),
    KeyForm("square-token", "EAAA", _W + "{56,70}(?![A-Za-z0-9_-])"),
    KeyForm("cloudflare-key", "v1", r"\.0-" + _H + r"{20,30}-" + _H + "{100,160}"),
    KeyForm("cloudflare-token", "cfut_", _W + "{30,80}"),
    KeyForm("cloudflare-token", "cfat_", _W + "{30,80}"),
    KeyForm("linear-key", "lin_api_", _A + "{30,60}"),
    KeyForm("notion-token", "ntn_", _A + "{36,60}"),
    KeyForm("notion-token", "secret_", _A + "{43}(?![A-Za-z0-9_])"),
    KeyForm("figma-token", "figd_", _W + "{30,80}"),
    KeyForm("airtable-token", "pat", _A + r"{14}\." + _H + "{60,70}"),
    KeyForm("postman-key", "PMAK-", _H + r"{20,28}-" + _H + "{30,40}"),
    KeyForm("supabase-token", "sbp_", r"(?:v0_|oauth_)?" + _H + "{36,50}"),
    KeyForm("supabase-key", "sb_secret_", _W + "{20,60}"),
    KeyForm("databricks-token", "dapi", _H + r"{32}(?:-\d)?(?![A-Za-z0-9])"),
    KeyForm("planetscale-token", "pscale_", r"(?:pw|tkn|oauth)_[A-Za-z0-9_.-]{30,80}"),
    KeyForm("grafana-token", "glsa_", r"[A-Za-z0-9_]{30,60}"),
    KeyForm("grafana-token", "glc_", r"[A-Za-z0-9+/=]{30,300}"),
    KeyForm("new-relic-key", "NRAK-", _A + "{20,40}"),
    KeyForm("sentry-token", "sntrys_", r"[A-Za-z0-9_+/=.-]{40,300}"),
    KeyForm("sentry-token", "sntryu_", _H + "{40,80}"),
    KeyForm("posthog-key", "phx_", _A + "{30,60}"),
    KeyForm("flyio-token", "fo1_", _W + "{30,80}"),
    KeyForm("flyio-token", "fm2_", r"[A-Za-z0-9+/=_-]{60,1000}"),
    KeyForm("age-key", "AGE-SECRET-KEY-", r"1[A-Z0-9]{50,70}"),
    KeyForm("onepassword-token", "ops_", r"eyJ[A-Za-z0-9_=-]{60,2000}"),
    KeyForm("resend-key", "re_", _A + r"{8}_" + _A + "{20,30}(?![A-Za-z0-9_])"),
    KeyForm("typeform-token", "tfp_", r"[A-Za-z0-9_.-]{40,80}"),
    KeyForm("twilio-key", "SK", _H + "{32}(?![A-Za-z0-9])"),
    KeyForm("jwt", "eyJ", _W + r"{8,4000}\.eyJ" + _W + r"{6,8000}\." + _W + "{4,2000}"),
)
"""Forms tried where a run of 16 or more letters, digits, `_` and `-` begins with their prefix; the first fits."""

DOTTED_FORMS: Final = (
    KeyForm("sendgrid-key", "SG.", _W + r"{16,32}\." + _W + "{30,64}"),
    KeyForm("google-oauth-token", "ya29.", r"[A-Za-z0-9_.-]{20,400}"),
    KeyForm("vault-token", "hvs.", _W + "{20,200}"),
    KeyForm("doppler-token", "dp.", r"(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,80}"),
    KeyForm("dropbox-token", "sl.", r"(?:u\.)?[A-Za-z0-9_-]{100,1500}"),
    KeyForm("slack-webhook", "hooks.slack.com/", r"(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,120}"),
    KeyForm("discord-webhook", "discord.com/api/webhooks/", r"\d{10,25}/[A-Za-z0-9_-]{40,100}"),
    KeyForm("discord-webhook", "discordapp.com/api/webhooks/", r"\d{10,25}/[A-Za-z0-9_-]{40,100}"),
    KeyForm("teams-webhook", "webhook.office.com/", r"webhookb2/[A-Za-z0-9@/_-]{60,300}"),
)
"""Forms whose first run is short; looked for by their prefix."""

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


# --- keys with a form of their provider's ---

FRESH: Final = r"(?<![A-Za-z0-9_~.-])"
"""Where a run begins."""
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
        (kind, prefix, re.compile(FRESH + re.escape(prefix) + rest)) for kind, prefix, rest in DOTTED_FORMS
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


def provider_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the keys of known providers."""
    yield from undotted_keys(text)
    for kind, prefix, pattern in _dotted_forms():
        if prefix in text:
            yield from ((kind, m.start(), m.end()) for m in pattern.finditer(text))


def undotted_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the keys that are one run of name characters."""
    forms = _forms_by_start()
    for start, end in _runs(text):
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

"""Keys of known providers, each by a prefix of its own, and what stands for a secret without being one.

The forms are those the providers document or secret scanners publish (GitHub's secret scanning patterns, gitleaks'
default rules), lengths widened a little.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

FRESH: Final = re.compile(r"(?<![A-Za-z0-9_~.-])")  # where a run begins
_SHORT: Final = {"W{": "[A-Za-z0-9_-]{", "A{": "[A-Za-z0-9]{", "B{": "[A-Za-z0-9+/=_-]{", "H{": "[0-9a-f]{"}


def _forms(rows: str) -> list[tuple[str, str, re.Pattern[str]]]:
    for short, meant in _SHORT.items():
        rows = rows.replace(short, meant)
    return [
        (kind, prefix, re.compile(re.escape(prefix) + rest.replace("!", "(?![A-Za-z0-9])")))
        for rest, *kinds in map(str.split, rows.strip().split("\n"))
        for kind, prefixes in (named.split("=") for named in kinds)
        for prefix in prefixes.split(",")
    ]


_KEYS: Final = _forms(r"""
W{20,300} anthropic-key=sk-ant- openrouter-key=sk-or- langfuse-key=sk-lf- openai-key=sk- google-oauth-secret=GOCSPX-
W{20,300} slack-app-token=xapp- docker-token=dckr_pat_ tavily-key=tvly- square-token=sq0atp- supabase-key=sb_secret_
W{18,100} gitlab-token=glpat-,glptt-,gldt-,glrt-,glcbt-
W{20,255} github-token=github_pat_
W{30,300} google-api-key=AIza pypi-token=pypi- heroku-key=HRKU- sendinblue-key=xkeysib- square-secret=sq0csp-
W{30,300} cloudflare-token=cfut_,cfat_ figma-token=figd_ supabase-token=sbp_ grafana-token=glsa_ pinecone-key=pcsk_
W{56,70}! square-token=EAAA
A{10,200} stripe-key=sk_live_,sk_test_,rk_live_,rk_test_
A{12,36}! alibaba-access-key=LTAI
A{20,60}! tencent-secret-id=AKID new-relic-key=NRAK- fireworks-key=fw_
A{30,255} github-token=ghp_,gho_,ghu_,ghs_,ghr_ huggingface-token=hf_ groq-key=gsk_ xai-key=xai- perplexity-key=pplx-
A{30,255} replicate-token=r8_ linear-key=lin_api_ notion-token=ntn_ posthog-key=phx_ bitbucket-token=ATBB
A{32}! crates-io-token=cio
A{36}! npm-token=npm_
A{43}! notion-token=secret_
H{40,80} elevenlabs-key=sk_ rubygems-key=rubygems_ digitalocean-token=dop_v1_,doo_v1_,dor_v1_ sentry-token=sntryu_
H{32}(?:-\d)?! mailgun-key=key- twilio-key=SK databricks-token=dapi
[A-Fa-f0-9]{32} shopify-token=shpat_,shpca_,shppa_ shopify-secret=shpss_
B{20,1000} stripe-webhook-secret=whsec_ grafana-token=glc_
B{40,2000} aws-bedrock-key=ABSK atlassian-token=ATATT3 sentry-token=sntrys_ flyio-token=fm2_ onepassword-token=ops_eyJ
[A-Z0-9]{16}! aws-access-key=AKIA,ASIA,AROA,AIDA
1[A-Z0-9]{50,70} age-key=AGE-SECRET-KEY-
[A-Za-z0-9_%-]{10,300} slack-token=xoxb-,xoxp-,xoxa-,xoxr-,xoxs-,xoxc-,xoxe-,xoxd-
(?:pt|sk)_W{30,80} langsmith-key=lsv2_
(?:pw|tkn|oauth)_[A-Za-z0-9_.-]{30,80} planetscale-token=pscale_
[A-Za-z0-9_.-]{40,80} typeform-token=tfp_
H{20,28}-H{30,40} postman-key=PMAK-
A{8}_A{20,30}! resend-key=re_
A{14}\.H{60,70} airtable-token=pat
\.0-H{20,30}-H{100,160} cloudflare-key=v1
W{30,80} flyio-token=fo1_
W{8,4000}\.eyJW{6,8000}\.W{4,2000} jwt=eyJ
""")
"""Forms tried where a run of 16 or more letters, digits, `_` and `-` begins with their prefix; the first fits."""
_DOTTED: Final = _forms(
    r"""
W{16,32}\.W{30,64} sendgrid-key=SG.
[A-Za-z0-9_.-]{20,400} google-oauth-token=ya29.
W{20,200} vault-token=hvs.
(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,80} doppler-token=dp.
(?:u\.)?W{100,1500} dropbox-token=sl.
(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,120} slack-webhook=hooks.slack.com/
\d{10,25}/W{40,100} discord-webhook=discord.com/api/webhooks/,discordapp.com/api/webhooks/
webhookb2/[A-Za-z0-9@/_-]{60,300} teams-webhook=webhook.office.com/
"""
)
"""Forms whose first run is short; looked for by their prefix."""
KEY_SIGNS: Final = tuple(prefix.lower() for _, prefix, _ in _DOTTED)
_BY_START: Final = {key[1][:2]: [form for form in _KEYS if form[1][:2] == key[1][:2]] for key in _KEYS}
_WORDS: Final = """
a about above absent active actually added admin-only after again all already also always an and another any
anywhere as asked at auto automatically available bad based basic be because been before being below better
between blank bool boolean both broken but by bytearray bytes can cannot case char characters clear code
confidential config correct credential credentials currently date datetime dead decimal default different
disabled done double either else email empty encrypted enough env environment error exactly false field file
fine fixed float for format found from function generic given going gone good hard hash here hidden how
identical if in inactive incorrect input insecure int integer invalid is it just kept key known left like line
literal local login long longer lost mandatory may maybe mine mixed my name never new nil no none not now null
number numeric nvarchar object of off ok okay old on one only optional optionalstr or other our out own param
parameter pass passphrase passwd password passwords plain plaintext plus possible present private problem
public pwd random rather read ready reasonable redacted required reset response right safe same saved secret
secrets secretstr secure sensitive sent set short shown similar simple so some soon still store str strong
such sure symbol temporary text that the their then there these they this through to today token tokens too
true type typed undefined unique unknown unsafe unset until up used user using utf uuid valid value varchar
variable very via visible void wait weak well what when where which while why will with without word works
wrong yes yet you your yours
"""
NOT_VALUES: Final = frozenset(_WORDS.split())
"""Lower-case words that follow a label without being its value (chosen by hand), but those in -ed and -ing."""
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


LONG_RUN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{15,}")  # name characters, as long as keys
_BY_STRUCTURE: Final = (
    ("discord-token", re.compile(r"[MNO]W{22,27}\.W{6}\.W{27,45}(?![\w-])".replace("W{", _SHORT["W{"]))),
    ("telegram-token", re.compile(r"(?<=\d{8}:)AA[A-Za-z0-9_-]{33}(?![\w-])")),
    ("mailchimp-key", re.compile(r"[0-9a-f]{32}-us\d{1,2}(?![\w-])")),
)
"""The few keys that are known by their structure alone."""
_WORDS_WITH_HYPHENS: Final = re.compile(r"[a-z]{1,20}(?:[-_]{1,2}[a-z]{1,20}){0,40}-?")


_RANDOM: Final = re.compile(
    r"[A-Za-z0-9](?<![A-Za-z0-9_/+.@%#~\\&?$:-].)[A-Za-z0-9_-]{31,99}+"
    r"(?![A-Za-z0-9_/+=@%~-]|\.\w|\r?\n[ \t]{0,12}[A-Za-z0-9+/]{20})"
)
_NO_TOKEN: Final = re.compile(
    r"(?i:(?<![a-z])(?:sha-?\d*|md5|ids?)|(?-i:I[Dd]s?)|hash|digest|checksum|integrity|public\w*|fingerprint|signature"
    r"|address|wallet|commit|etag|cursor|nonce)[^A-Za-z0-9\0]{0,12}\0|[/?&][^\s\0]{0,40}\0"
    r"|(?:[A-Za-z0-9+/]{20}|-----)\r?\n[ \t]{0,12}\0|\0(?:g?AAAA|pk_|sha\d|(?:[1-9A-HJ-NP-Za-km-z]{43,}"
    r"|[13][1-9A-HJ-NP-Za-km-z]{31,33}|(?:[a-z]{2,12}[_-])+[A-Za-z0-9]{1,31})\Z)"
)
"""The name of a hash or an id, a URL or a line of Base64 before it; a public key, a hash, an address or id itself."""


def looks_random(value: str) -> bool:
    """Small and capital letters and digits that take turns as in no name made of words."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", value)
    small, capitals, digits = (sum(map(is_one, value)) for is_one in (str.islower, str.isupper, str.isdigit))
    return digits > 1 and len(words) > 0.4 * len(value) and min(small, capitals) > 0.17 * len(value)


def random_runs(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the runs of 32 to 100 characters that look random, whatever stands around them."""
    for m in _RANDOM.finditer(text):
        if looks_random(m[0]) and not _NO_TOKEN.search(f"{text[max(0, m.start() - 60) : m.start()]}\0{m[0]}"):
            yield "token", *m.span()


def provider_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the keys of known providers."""
    yield from undotted_keys(text)
    for kind, prefix, pattern in _DOTTED:
        for m in pattern.finditer(text) if prefix in text else ():
            if FRESH.match(text, m.start()):
                yield kind, *m.span()


def undotted_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the keys that begin with one long run of name characters."""
    for run in LONG_RUN.finditer(text):
        start = run.start()
        for kind, prefix, pattern in _BY_START.get(text[start : start + 2], ()):
            if text.startswith(prefix, start) and (key := pattern.match(text, start)):
                rest = key.group()[len(prefix) :]
                if not is_placeholder(rest) and not ("-" in rest and _WORDS_WITH_HYPHENS.fullmatch(rest)):
                    yield kind, start, key.end()
                break
        else:
            keys = ((kind, pattern.match(text, start)) for kind, pattern in _BY_STRUCTURE)
            yield from ((kind, *key.span()) for kind, key in keys if key)

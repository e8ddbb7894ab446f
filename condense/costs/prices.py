"""What tokens cost: a dated table of published prices, and the price of a model by its name.

Source: the providers' own pages (platform.claude.com/docs/en/about-claude/pricing and the model pages under
platform.claude.com/docs/en/models; developers.openai.com/api/docs/pricing and the model pages beside it), as
they stood between August and October 2026, cross-read with the tables of pydantic/genai-prices. Standard
tier, US dollars for one million tokens; batch, fast and regional tiers are other prices.
"""

from __future__ import annotations

import re
from typing import NamedTuple

PRICES_AS_OF = "2026-10-27"
"""Date of the newest row; every row was the published price on that day as far as the sources above tell."""


class ModelPrice(NamedTuple):
    """US dollars for one million tokens of one model.

    Attributes:
        input: prompt tokens that are neither read from nor written to the cache.
        output: generated tokens, thinking included.
        cache_read: prompt tokens read from the cache.
        cache_write, cache_write_1h: prompt tokens written to the short-lived cache (5 minutes at Anthropic, 30 at
            OpenAI) and to the long-lived one (1 and 12 hours); the input price where writing has no surcharge.
        long: (tokens, prompt factor, output factor) of prompts of more than so many tokens; None: no such tier.
        name: the model's id without its date.
    """

    input: float
    output: float
    cache_read: float
    cache_write: float
    cache_write_1h: float
    long: tuple[int, float, float] | None
    name: str


_LONG_OPENAI = (272_000, 2.0, 1.5)
_LONG_HAIKU = (100_000, 5.0, 5.0)

_ROWS = (
    # input, output, cache read, cache write, cache write for an hour, long-prompt tier, names
    (10.0, 50.0, 0.25, 12.5, 20.0, None, "claude-fable-5-1"),
    (10.0, 50.0, 1.0, 12.5, 20.0, None, "claude-fable-5"),
    (4.0, 20.0, 0.2, 5.0, 8.0, None, "claude-opus-5-5"),
    (5.0, 25.0, 0.5, 6.25, 10.0, None, "claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6"),
    (5.0, 25.0, 0.5, 6.25, 10.0, None, "claude-opus-4-5"),
    (15.0, 75.0, 1.5, 18.75, 30.0, None, "claude-opus-4-1 claude-opus-4 claude-4-opus claude-opus-4-0"),
    (15.0, 75.0, 1.5, 18.75, 30.0, None, "claude-3-opus"),
    (2.0, 10.0, 0.1, 2.5, 4.0, None, "claude-sonnet-5-5"),
    (2.0, 10.0, 0.2, 2.5, 4.0, None, "claude-sonnet-5"),
    (3.0, 15.0, 0.3, 3.75, 6.0, None, "claude-sonnet-4-6 claude-sonnet-4 claude-4-sonnet claude-sonnet-4-0"),
    (3.0, 15.0, 0.3, 3.75, 6.0, None, "claude-3-7-sonnet claude-sonnet-3-7 claude-3-5-sonnet"),
    (3.0, 15.0, 0.3, 3.75, 6.0, (200_000, 2.0, 1.5), "claude-sonnet-4-5"),
    (0.1, 0.5, 0.01, 0.125, 0.2, _LONG_HAIKU, "claude-haiku-5-5"),
    (1.0, 5.0, 0.1, 1.25, 2.0, None, "claude-haiku-4-5 claude-4-5-haiku"),
    (0.8, 4.0, 0.08, 1.0, 1.6, None, "claude-3-5-haiku"),
    (0.25, 1.25, 0.03, 0.3, 0.5, None, "claude-3-haiku"),
    (2.0, 10.0, 0.1, 2.5, 5.0, _LONG_OPENAI, "gpt-6.2-sol gpt-6.1-sol"),
    (1.0, 5.0, 0.05, 1.25, 2.5, _LONG_OPENAI, "gpt-6.1-terra"),
    (10.0, 50.0, 1.0, 12.5, 12.5, _LONG_OPENAI, "gpt-6-astra"),
    (2.0, 10.0, 0.2, 2.5, 2.5, _LONG_OPENAI, "gpt-6-sol"),
    (0.1, 0.5, 0.01, 0.125, 0.125, _LONG_OPENAI, "gpt-6-luna"),
    (0.2, 1.2, 0.02, 0.25, 0.25, _LONG_OPENAI, "gpt-5.6-luna"),
    (5.0, 30.0, 0.5, 5.0, 5.0, _LONG_OPENAI, "gpt-5.5"),
    (2.5, 15.0, 0.25, 2.5, 2.5, _LONG_OPENAI, "gpt-5.4"),
    (0.75, 4.5, 0.075, 0.75, 0.75, None, "gpt-5.4-mini"),
    (0.2, 1.25, 0.02, 0.2, 0.2, None, "gpt-5.4-nano"),
    (1.75, 14.0, 0.175, 1.75, 1.75, None, "gpt-5.3-codex gpt-5.2 gpt-5.2-codex"),
    (1.25, 10.0, 0.125, 1.25, 1.25, None, "gpt-5.1 gpt-5.1-codex gpt-5.1-codex-max gpt-5 gpt-5-chat"),
    (1.25, 10.0, 0.125, 1.25, 1.25, None, "gpt-5-codex"),
    (0.25, 2.0, 0.025, 0.25, 0.25, None, "gpt-5.1-codex-mini gpt-5-mini"),
    (0.05, 0.4, 0.005, 0.05, 0.05, None, "gpt-5-nano"),
    (2.0, 8.0, 0.5, 2.0, 2.0, None, "gpt-4.1 o3"),
    (0.4, 1.6, 0.1, 0.4, 0.4, None, "gpt-4.1-mini"),
    (0.1, 0.4, 0.025, 0.1, 0.1, None, "gpt-4.1-nano"),
    (2.5, 10.0, 1.25, 2.5, 2.5, None, "gpt-4o"),
    (0.15, 0.6, 0.075, 0.15, 0.15, None, "gpt-4o-mini"),
    (1.1, 4.4, 0.275, 1.1, 1.1, None, "o4-mini"),
    (1.1, 4.4, 0.55, 1.1, 1.1, None, "o3-mini"),
    (1.5, 6.0, 0.375, 1.5, 1.5, None, "codex-mini"),
)
PRICES = {name: row._replace(name=name) for row in map(ModelPrice._make, _ROWS) for name in row.name.split()}
"""The table, by every name of a model."""

_PROVIDER = re.compile(
    r"(?:[a-z_]{2,20}[/:])?(?:(?:us|eu|apac|jp|au|global)\.)?(?:anthropic[./:]|openai[./:])?", re.ASCII
)
_VERSION = re.compile(
    r"(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest|default))?(?:-v\d{1,2}(?::\d{1,2})?)?(?:\[1m\])?", re.ASCII
)


def price_of(model: str) -> ModelPrice | None:
    """Return the published price of a model; None, never 0 or the price of a relative, when it is not known.

    Args:
        model: an id as APIs and clients write it; a provider in front ("anthropic/", "openai:",
            "us.anthropic.") and a date or version behind ("-20250929", "-2025-08-07", "-latest", "-v1:0",
            "[1m]") do not matter, nor does a dot for a dash in Claude's version numbers. Nothing else may
            follow a known name: "gpt-5-pro" is not "gpt-5".
    """
    name = model.strip().lower()
    if prefix := _PROVIDER.match(name):
        name = name[prefix.end() :]
    if name.startswith("claude"):
        name = name.replace(".", "-")
    known = (n for n in PRICES if name.startswith(n) and _VERSION.fullmatch(name, len(n)))
    return PRICES.get(max(known, key=len, default=""))

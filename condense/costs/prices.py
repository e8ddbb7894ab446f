"""What tokens cost: a dated table of published prices, and the price of a model by its name.

A model that is not in the table has no price (None), never a price of 0 and never that of a relative.

Source: the providers' own pages (platform.claude.com/docs/en/about-claude/pricing and the model pages under
platform.claude.com/docs/en/models; developers.openai.com/api/docs/pricing and the model pages beside it), as
they stood between August and October 2026, cross-read with the tables of pydantic/genai-prices. Standard
tier, US dollars for one million tokens; batch, fast and regional tiers are other prices.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

PRICES_AS_OF = "2026-10-27"
"""Date of the newest row; every row was the published price on that day as far as the sources above tell."""


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """US dollars for one million tokens of one model.

    Attributes:
        name: the model's id without date.
        input: prompt tokens that are neither read from nor written to the cache.
        output: generated tokens, thinking included.
        cache_read: prompt tokens read from the cache.
        cache_write: prompt tokens written to the short-lived cache (5 minutes at Anthropic, 30 at OpenAI);
            the input price where writing is free of surcharge.
        cache_write_1h: the same for the long-lived cache (an hour at Anthropic, 12 at OpenAI).
        long_above: a prompt of more tokens than this is charged at the factors below; None where there is no
            such tier.
        long_input, long_output: factors on all prompt prices and on the output price for such prompts.
    """

    name: str
    input: float
    output: float
    cache_read: float
    cache_write: float
    cache_write_1h: float
    long_above: int | None = None
    long_input: float = 1.0
    long_output: float = 1.0

    @property
    def read_ratio(self) -> float:
        """A cached prompt token in units of an uncached one, 0.05 to 1."""
        return self.cache_read / self.input

    @property
    def write_ratio(self) -> float:
        """A prompt token written to the short-lived cache in units of an uncached one, 1 to 1.25."""
        return self.cache_write / self.input


_LONG_OPENAI = (272_000, 2.0, 1.5)
_LONG_HAIKU = (100_000, 5.0, 5.0)

# name, input, output, cache read, cache write, cache write for an hour, long-prompt tier
_ROWS: tuple[tuple[str, float, float, float, float, float, tuple[int, float, float] | None], ...] = (
    ("claude-fable-5-1", 10.0, 50.0, 0.25, 12.5, 20.0, None),
    ("claude-fable-5", 10.0, 50.0, 1.0, 12.5, 20.0, None),
    ("claude-opus-5-5", 4.0, 20.0, 0.2, 5.0, 8.0, None),
    ("claude-opus-5", 5.0, 25.0, 0.5, 6.25, 10.0, None),
    ("claude-opus-4-8", 5.0, 25.0, 0.5, 6.25, 10.0, None),
    ("claude-opus-4-7", 5.0, 25.0, 0.5, 6.25, 10.0, None),
    ("claude-opus-4-6", 5.0, 25.0, 0.5, 6.25, 10.0, None),
    ("claude-opus-4-5", 5.0, 25.0, 0.5, 6.25, 10.0, None),
    ("claude-opus-4-1", 15.0, 75.0, 1.5, 18.75, 30.0, None),
    ("claude-opus-4", 15.0, 75.0, 1.5, 18.75, 30.0, None),
    ("claude-3-opus", 15.0, 75.0, 1.5, 18.75, 30.0, None),
    ("claude-sonnet-5-5", 2.0, 10.0, 0.1, 2.5, 4.0, None),
    ("claude-sonnet-5", 2.0, 10.0, 0.2, 2.5, 4.0, None),
    ("claude-sonnet-4-6", 3.0, 15.0, 0.3, 3.75, 6.0, None),
    ("claude-sonnet-4-5", 3.0, 15.0, 0.3, 3.75, 6.0, (200_000, 2.0, 1.5)),
    ("claude-sonnet-4", 3.0, 15.0, 0.3, 3.75, 6.0, None),
    ("claude-3-7-sonnet", 3.0, 15.0, 0.3, 3.75, 6.0, None),
    ("claude-3-5-sonnet", 3.0, 15.0, 0.3, 3.75, 6.0, None),
    ("claude-haiku-5-5", 0.1, 0.5, 0.01, 0.125, 0.2, _LONG_HAIKU),
    ("claude-haiku-4-5", 1.0, 5.0, 0.1, 1.25, 2.0, None),
    ("claude-3-5-haiku", 0.8, 4.0, 0.08, 1.0, 1.6, None),
    ("claude-3-haiku", 0.25, 1.25, 0.03, 0.3, 0.5, None),
    ("gpt-6.2-sol", 2.0, 10.0, 0.1, 2.5, 5.0, _LONG_OPENAI),
    ("gpt-6.1-sol", 2.0, 10.0, 0.1, 2.5, 5.0, _LONG_OPENAI),
    ("gpt-6.1-terra", 1.0, 5.0, 0.05, 1.25, 2.5, _LONG_OPENAI),
    ("gpt-6-astra", 10.0, 50.0, 1.0, 12.5, 12.5, _LONG_OPENAI),
    ("gpt-6-sol", 2.0, 10.0, 0.2, 2.5, 2.5, _LONG_OPENAI),
    ("gpt-6-luna", 0.1, 0.5, 0.01, 0.125, 0.125, _LONG_OPENAI),
    ("gpt-5.6-luna", 0.2, 1.2, 0.02, 0.25, 0.25, _LONG_OPENAI),
    ("gpt-5.5", 5.0, 30.0, 0.5, 5.0, 5.0, _LONG_OPENAI),
    ("gpt-5.4", 2.5, 15.0, 0.25, 2.5, 2.5, _LONG_OPENAI),
    ("gpt-5.4-mini", 0.75, 4.5, 0.075, 0.75, 0.75, None),
    ("gpt-5.4-nano", 0.2, 1.25, 0.02, 0.2, 0.2, None),
    ("gpt-5.3-codex", 1.75, 14.0, 0.175, 1.75, 1.75, None),
    ("gpt-5.2", 1.75, 14.0, 0.175, 1.75, 1.75, None),
    ("gpt-5.2-codex", 1.75, 14.0, 0.175, 1.75, 1.75, None),
    ("gpt-5.1", 1.25, 10.0, 0.125, 1.25, 1.25, None),
    ("gpt-5.1-codex", 1.25, 10.0, 0.125, 1.25, 1.25, None),
    ("gpt-5.1-codex-max", 1.25, 10.0, 0.125, 1.25, 1.25, None),
    ("gpt-5.1-codex-mini", 0.25, 2.0, 0.025, 0.25, 0.25, None),
    ("gpt-5", 1.25, 10.0, 0.125, 1.25, 1.25, None),
    ("gpt-5-codex", 1.25, 10.0, 0.125, 1.25, 1.25, None),
    ("gpt-5-mini", 0.25, 2.0, 0.025, 0.25, 0.25, None),
    ("gpt-5-nano", 0.05, 0.4, 0.005, 0.05, 0.05, None),
    ("gpt-4.1", 2.0, 8.0, 0.5, 2.0, 2.0, None),
    ("gpt-4.1-mini", 0.4, 1.6, 0.1, 0.4, 0.4, None),
    ("gpt-4.1-nano", 0.1, 0.4, 0.025, 0.1, 0.1, None),
    ("gpt-4o", 2.5, 10.0, 1.25, 2.5, 2.5, None),
    ("gpt-4o-mini", 0.15, 0.6, 0.075, 0.15, 0.15, None),
    ("o4-mini", 1.1, 4.4, 0.275, 1.1, 1.1, None),
    ("o3", 2.0, 8.0, 0.5, 2.0, 2.0, None),
    ("o3-mini", 1.1, 4.4, 0.55, 1.1, 1.1, None),
    ("codex-mini", 1.5, 6.0, 0.375, 1.5, 1.5, None),
)

PRICES: tuple[ModelPrice, ...] = tuple(ModelPrice(*row[:6], *(row[6] or (None, 1.0, 1.0))) for row in _ROWS)
"""The table. Order means nothing."""

_ALIASES = {
    "claude-4-opus": "claude-opus-4",
    "claude-opus-4-0": "claude-opus-4",
    "claude-4-sonnet": "claude-sonnet-4",
    "claude-sonnet-4-0": "claude-sonnet-4",
    "claude-sonnet-3-7": "claude-3-7-sonnet",
    "claude-4-5-haiku": "claude-haiku-4-5",
    "gpt-5-chat": "gpt-5",
}
"""Other names a provider gives to a row."""

_PROVIDER = re.compile(
    r"(?:[a-z_]{2,20}[/:])?(?:(?:us|eu|apac|jp|au|global)\.)?(?:anthropic[./:]|openai[./:])?", re.ASCII
)
_VERSION = re.compile(
    r"(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest|default))?(?:-v\d{1,2}(?::\d{1,2})?)?(?:\[1m\])?", re.ASCII
)


@cache
def price_of(model: str) -> ModelPrice | None:
    """Return the published price of a model, or None when the table does not know it.

    Args:
        model: an id as APIs and clients write it; a provider in front ("anthropic/", "openai:",
            "us.anthropic.") and a date or version behind ("-20250929", "-2025-08-07", "-latest", "-v1:0",
            "[1m]") do not matter, nor does a dot for a dash in Claude's version numbers. Nothing else may
            follow a known name: "gpt-5-pro" is not "gpt-5".
    """
    name = model.strip().lower()
    prefix = _PROVIDER.match(name)
    name = name[prefix.end() :] if prefix else name
    if name.startswith("claude"):
        name = name.replace(".", "-")
    for known, price in _by_name():
        if name.startswith(known) and _VERSION.fullmatch(name, len(known)):
            return price
    return None


@cache
def _by_name() -> tuple[tuple[str, ModelPrice], ...]:
    """Every name with its price, longest first."""
    rows = {price.name: price for price in PRICES}
    names = rows | {alias: rows[name] for alias, name in _ALIASES.items()}
    return tuple(sorted(names.items(), key=lambda item: -len(item[0])))

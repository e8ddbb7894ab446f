"""What calls cost: usage as providers report it, dollars, and what compacting saves under prompt caching.

Prices: the providers' pages (platform.claude.com/docs/en/about-claude/pricing, developers.openai.com/api/docs/pricing
and those of models) of August to October 2026, cross-read with the tables of pydantic/genai-prices. Standard tier, US
dollars for one million tokens; batch, fast and regional tiers are other prices.
"""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

PRICES_AS_OF = "2026-10-27"
"""Date of the newest row; every row was the published price on that day."""


class ModelPrice(NamedTuple):
    """US dollars for one million tokens of one model; the fields are those of `Usage`."""

    input: float
    output: float
    cache_read: float
    cache_write: float  # 5 minutes at Anthropic, 30 at OpenAI; the input price where there is no surcharge
    cache_write_1h: float  # 1 hour, 12 at OpenAI
    long: tuple[int, float, float] | None  # (tokens, prompt factor, output factor) of prompts of more tokens
    name: str  # without its date


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

    A provider in front ("us.anthropic.") and a date or version behind ("-2025-08-07", "-v1:0", "[1m]") do not matter,
    nor does a dot for a dash in Claude's numbers. Nothing else may follow a known name: "gpt-5-pro" is not "gpt-5".
    """
    name = model.strip().lower()
    if prefix := _PROVIDER.match(name):
        name = name[prefix.end() :]
    if name.startswith("claude"):
        name = name.replace(".", "-")
    known = (n for n in PRICES if name.startswith(n) and _VERSION.fullmatch(name, len(n)))
    return PRICES.get(max(known, key=len, default=""))


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as they are charged: each token counts in exactly one field."""

    input_tokens: int = 0  # of the prompt, neither read from nor written to a cache
    output_tokens: int = 0  # thinking included
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0  # to the short-lived cache
    cache_write_1h_tokens: int = 0  # to the long-lived one

    @property
    def prompt_tokens(self) -> int:
        """The whole prompt, cached or not."""
        return int(sum(astuple(self))) - self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        """Add field by field. Costs are added per call: a price may depend on the length of one prompt."""
        return Usage(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def read_usage(value: Mapping[str, Any]) -> Usage:
    """Read the `usage` object of an Anthropic, OpenAI Chat or OpenAI Responses answer.

    OpenAI counts cached tokens among the prompt's, Anthropic beside them. Fields that are no numbers count 0.
    """
    prompt = _count(value, "prompt_tokens", "input_tokens")
    output = _count(value, "completion_tokens", "output_tokens")
    if "cache_read_input_tokens" in value or "cache_creation_input_tokens" in value:
        written = _count(value, "cache_creation_input_tokens")
        long_lived = min(written, _count(_inner(value, "cache_creation"), "ephemeral_1h_input_tokens"))
        read = _count(value, "cache_read_input_tokens")
        return Usage(prompt, output, read, written - long_lived, long_lived)
    details = _inner(value, "prompt_tokens_details") or _inner(value, "input_tokens_details")
    read = min(prompt, _count(details, "cached_tokens"))
    written = min(prompt - read, _count(details, "cache_write_tokens", "cache_creation_tokens"))
    return Usage(prompt - read - written, output, read, written)


def _inner(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}


def _count(value: Mapping[str, Any], *keys: str) -> int:
    """The first non-negative whole number under one of the keys, or 0."""
    found = (value.get(key) for key in keys)
    return next((n for n in found if isinstance(n, int) and not isinstance(n, bool) and n >= 0), 0)


def cost_of(usage: Usage, model: str) -> float | None:
    """Return what one call costs in US dollars; None, never 0, when the price of the model is not known."""
    price = price_of(model)
    if price is None:
        return None
    prompt = (
        usage.input_tokens * price.input
        + usage.cache_read_tokens * price.cache_read
        + usage.cache_write_tokens * price.cache_write
        + usage.cache_write_1h_tokens * price.cache_write_1h
    )
    output = usage.output_tokens * price.output
    if price.long is not None and usage.prompt_tokens > price.long[0]:
        prompt, output = prompt * price.long[1], output * price.long[2]
    return (prompt + output) / 1_000_000


@dataclass(frozen=True, slots=True)
class CacheRates:
    """What prompt tokens cost in units of an uncached one.

    Attributes:
        read: a token in the common prefix with the call before; 0.1 as most caching is sold, 0.025 to 0.5.
        write: any other token; 1.25 where writing to the cache carries a surcharge, else 1.

    Raises:
        ValueError: unless 0 <= read <= write and write > 0.
    """

    read: float = 0.1
    write: float = 1.25

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not (0 <= self.read <= self.write and self.write > 0):
            raise ValueError(
                f"read={self.read!r}, write={self.write!r} must satisfy 0 <= read <= write and write > 0"
            )

    @classmethod
    def of_model(cls, model: str) -> CacheRates:
        """Return the rates of a model by its price, the usual ones where its price is not known."""
        price = price_of(model)
        return cls(price.cache_read / price.input, price.cache_write / price.input) if price else cls()


_DEFAULT_RATES = CacheRates()


def expected_remaining_calls(calls_so_far: int) -> float:
    """Return how many calls a session will probably still make: `max(40, 0.8 * calls_so_far)`, a median.

    Measured on 69 sessions of coding agents; half lie within a factor of 2.5. A negative number is a ValueError.
    """
    if calls_so_far < 0:
        raise ValueError(f"calls_so_far={calls_so_far!r} must be >= 0")
    return max(40.0, 0.8 * calls_so_far)


def compaction_saves(
    prefix_tokens: float, target_tokens: float, calls: float, rates: CacheRates = _DEFAULT_RATES
) -> float:
    """Return what compacting now saves, in uncached prompt tokens; negative when it loses.

    A compaction writes its result anew once and makes every later call cheaper:
    `read * calls * (prefix - target) - (write - read) * target`.

    Args:
        prefix_tokens: what would be sent again, without what stays the same in front (system prompt, tools).
        target_tokens: what the compaction would leave of it.
        calls: calls still to come, rounded (`expected_remaining_calls`); no number may be negative (ValueError).
        rates: prices of cached and new tokens.
    """
    if min(prefix_tokens, target_tokens, calls) < 0:
        raise ValueError(f"{prefix_tokens=}, {target_tokens=}, {calls=} must be >= 0")
    if round(calls) == 0:
        return 0.0
    target = min(target_tokens, prefix_tokens)
    return rates.read * round(calls) * (prefix_tokens - target) - (rates.write - rates.read) * target

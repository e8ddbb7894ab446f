"""What calls cost: usage as providers report it, dollars, and what compacting saves under prompt caching."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from condense.costs.prices import price_of

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as they are charged: each token counts in exactly one field.

    Attributes:
        input_tokens: prompt tokens neither read from nor written to a cache.
        output_tokens: generated tokens.
        cache_read_tokens: prompt tokens read from the cache.
        cache_write_tokens: written to the short-lived cache.
        cache_write_1h_tokens: written to the long-lived cache.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cache_write_1h_tokens: int = 0

    @property
    def prompt_tokens(self) -> int:
        """The whole prompt, cached or not."""
        return (
            self.input_tokens + self.cache_read_tokens + self.cache_write_tokens + self.cache_write_1h_tokens
        )

    def __add__(self, other: Usage) -> Usage:
        """Add field by field. Costs are added per call: a price may depend on the length of one prompt."""
        return Usage(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def read_usage(value: Mapping[str, Any]) -> Usage:
    """Read the `usage` object of an Anthropic, OpenAI Chat or OpenAI Responses answer.

    OpenAI counts cached tokens among the prompt's, Anthropic beside them; here each token counts once. Fields
    that are missing or no numbers count 0.
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
    """The object under a key, or an empty one."""
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}


def _count(value: Mapping[str, Any], *keys: str) -> int:
    """The first non-negative whole number under one of the keys, or 0."""
    for key in keys:
        found = value.get(key)
        if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
            return found
    return 0


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
        read: a token in the common prefix with the call before; 0.1 as most caching is sold, 0.05 or less for
            the newest models, 0.25 to 0.5 for old ones.
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
_LEAST_REMAINING, _REMAINING_RATIO = 40.0, 0.8


def expected_remaining_calls(calls_so_far: int) -> float:
    """Return how many calls a session will probably still make: `max(40, 0.8 * calls_so_far)`, a median.

    Measured on 69 sessions of coding agents (20k to 600k tokens, 14 to 660 calls): what remained after 5, 10,
    20, 40, 80 and 160 calls was 43, 40, 52, 49, 80 and 124. Half of the sessions lie within a factor of 2.5.

    Raises:
        ValueError: a negative number of calls.
    """
    if calls_so_far < 0:
        raise ValueError(f"calls_so_far={calls_so_far!r} must be >= 0")
    return max(_LEAST_REMAINING, _REMAINING_RATIO * calls_so_far)


def compaction_saves(
    prefix_tokens: float, target_tokens: float, calls: float, rates: CacheRates = _DEFAULT_RATES
) -> float:
    """Return what compacting now saves, in uncached prompt tokens; negative when it loses.

    A long prefix costs its cached price at every call; a compaction writes its result anew once and makes every
    later call cheaper: `read * calls * (prefix - target) - (write - read) * target`. Growth is paid alike either way.

    Args:
        prefix_tokens: what would be sent again, without what stays the same in front (system prompt, tools).
        target_tokens: what the compaction would leave of it.
        calls: calls still to come, rounded (`expected_remaining_calls`).
        rates: prices of cached and new tokens.

    Raises:
        ValueError: a negative number.
    """
    if min(prefix_tokens, target_tokens, calls) < 0:
        raise ValueError(f"{prefix_tokens=}, {target_tokens=}, {calls=} must be >= 0")
    if round(calls) == 0:
        return 0.0
    target = min(target_tokens, prefix_tokens)
    return rates.read * round(calls) * (prefix_tokens - target) - (rates.write - rates.read) * target

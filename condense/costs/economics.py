"""When a compaction pays, and how deep it should go: the arithmetic of prompt caching over a session.

Providers charge a prompt token that stands in the common prefix with the call before a fraction of the price
(read), any other a little more than the price (written). Going on with a long prefix therefore costs little a
call; a compaction writes its result anew once and makes every later call cheaper. Costs are in units of one
uncached prompt token. Pure arithmetic: a decision takes microseconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from condense.costs.usage import CacheRates

if TYPE_CHECKING:
    from collections.abc import Iterable

REMAINING_RATIO = 0.8
REMAINING_AT_LEAST = 40.0
"""Remaining calls of a session by the calls so far: `max(40, 0.8 * so far)`.

Measured on 69 sessions of coding agents (20k to 600k tokens, 14 to 660 calls): the median of what remained
was 43, 40, 52, 49, 80 and 124 calls after 5, 10, 20, 40, 80 and 160. Beyond 50 calls the longer it went, the
longer it goes (Lindy's rule, a little below 1); before, length says nothing. Half of the sessions lie within
a factor of 2.5.
"""


DEFAULT_RATES = CacheRates()


@dataclass(frozen=True, slots=True)
class CompactionEconomics:
    """Going on against compacting now, over the calls that are expected.

    Attributes:
        go_on: cost of the prompts of those calls when nothing is done (until the window forces it).
        compact: the same when the prefix is compacted before the next call.
        saves: go_on - compact; negative when compacting is dearer.
        break_even_calls: calls after which the compaction has paid for itself if nothing forces one
            meanwhile; infinite when it never does.
    """

    go_on: float
    compact: float
    break_even_calls: float

    @property
    def saves(self) -> float:
        """What compacting now saves, in uncached prompt tokens; negative when it loses."""
        return self.go_on - self.compact

    @property
    def pays(self) -> bool:
        """Compacting now is cheaper over the expected calls."""
        return self.saves > 0


def compaction_pays(  # the numbers of one decision, every one named at the call
    prefix_tokens: float,
    target_tokens: float,
    expected_calls: float,
    growth_per_call: float = 0.0,
    *,
    rates: CacheRates = DEFAULT_RATES,
    window: float | None = None,
    overhead: float = 0.0,
    cache_is_warm: bool = True,
) -> CompactionEconomics:
    """Compare going on with a long prefix (read at every call) with rewriting it short once.

    Without a window the saving is `read * calls * (prefix - target) - (write - read) * target - overhead`:
    growth is paid alike on both sides.

    Args:
        prefix_tokens: what would be sent again, without what stays the same in front (system prompt, tools).
        target_tokens: what the compaction would leave of it.
        expected_calls: calls still to come, see `expected_remaining_calls`; rounded, at least 0.
        growth_per_call: tokens appended before each call.
        rates: prices of cached and new tokens.
        window: a context above this is compacted to the target in any case; None: never forced.
        overhead: what making the summary costs, in uncached prompt tokens (0 offline).
        cache_is_warm: False when the provider has dropped the prefix (5 minutes after the last call, as a
            rule); then going on must write the whole prefix again and compacting pays at once.

    Raises:
        ValueError: a negative number.
    """
    numbers = (prefix_tokens, target_tokens, expected_calls, growth_per_call, overhead)
    if min(numbers) < 0:
        raise ValueError(
            "prefix_tokens, target_tokens, expected_calls, growth_per_call, overhead must be >= 0, "
            f"got {numbers!r}"
        )
    calls = min(round(expected_calls), _CALLS_AHEAD)
    target = min(target_tokens, prefix_tokens)
    limit = math.inf if window is None else window
    first_long = prefix_tokens * (rates.read if cache_is_warm else rates.write)
    go_on = _ahead(prefix_tokens, first_long, calls, growth_per_call, target, limit, overhead, rates)
    compact = overhead + _ahead(
        target, target * rates.write, calls, growth_per_call, target, limit, overhead, rates
    )
    gain = rates.read * (prefix_tokens - target)
    once = overhead + (rates.write - rates.read) * target - (first_long - prefix_tokens * rates.read)
    break_even = 1.0 if once <= 0 else max(1.0, once / gain) if gain > 0 else math.inf
    return CompactionEconomics(
        go_on=go_on if calls else 0.0, compact=compact if calls else 0.0, break_even_calls=break_even
    )


_CALLS_AHEAD = 2_000
"""No forecast looks further; chosen so that a decision stays below a millisecond."""


def _ahead(  # one loop over plain numbers, named by its caller
    context: float,
    first: float,
    calls: int,
    growth: float,
    target: float,
    limit: float,
    overhead: float,
    rates: CacheRates,
) -> float:
    """Cost of the prompts of the next calls; what was sent before costs `first` in the first of them."""
    cost = 0.0
    for call in range(calls):
        grown = context + growth
        if grown > limit and target < grown:
            cost += overhead + rates.write * target
            context = target
            continue
        cost += (first if call == 0 else rates.read * context) + rates.write * growth
        context = grown
    return cost


def expected_remaining_calls(calls_so_far: int) -> float:
    """Return how many calls a session will probably still make, by how many it made.

    An even bet, right within a factor of 3.

    Raises:
        ValueError: a negative number of calls.
    """
    if calls_so_far < 0:
        raise ValueError(f"calls_so_far={calls_so_far!r} must be >= 0")
    return max(REMAINING_AT_LEAST, REMAINING_RATIO * calls_so_far)


@dataclass(frozen=True, slots=True)
class SessionCost:
    """What the prompts of a session cost under a policy.

    Attributes:
        calls: how many calls were made.
        cost: of all prompts.
        everything: cost of sending the whole history every time, with caching.
        compactions: how often the context was compacted, each breaking the cached prefix once.
        peak: the largest prompt, in tokens.
    """

    calls: int
    cost: float
    everything: float
    compactions: int
    peak: float

    @property
    def ratio(self) -> float:
        """Cost relative to sending everything; 1 for a session without calls."""
        return self.cost / self.everything if self.everything else 1.0


def simulate_session(
    growth: Iterable[float],
    *,
    trigger: float,
    target: float,
    head: float = 0.0,
    rates: CacheRates = DEFAULT_RATES,
) -> SessionCost:
    """Play a session: each call appends to the context, one above the trigger is cut down to the target.

    Args:
        growth: tokens appended before each call, the first prompt included.
        trigger: a context above this is compacted.
        target: what a compaction leaves.
        head: tokens in front that every compaction leaves unchanged (and cached).
        rates: prices of cached and new tokens.

    Raises:
        ValueError: unless 0 <= head <= target <= trigger.
    """
    if not 0 <= head <= target <= trigger:
        raise ValueError(
            f"head={head!r}, target={target!r}, trigger={trigger!r}: needs 0 <= head <= target <= trigger"
        )
    calls = compactions = 0
    cost = everything = context = whole = peak = 0.0
    for grown in growth:
        everything += rates.read * whole + rates.write * grown
        whole += grown
        sent, shared = context + grown, context
        if sent > trigger:
            compactions += 1
            sent = target
            shared = min(head, context)
        cost += rates.read * shared + rates.write * (sent - shared)
        context = sent
        calls += 1
        peak = max(peak, sent)
    return SessionCost(calls, cost, everything, compactions, peak)


def cost_per_call(trigger: float, target: float, growth: float, rates: CacheRates = DEFAULT_RATES) -> float:
    """Return what a call's prompt costs on average in a long session that is compacted again and again.

    The context runs from target to trigger, so half their sum is read a call, and with every `trigger -
    target` tokens
    of growth the target is written once more: `read * (trigger + target) / 2 + write * growth * trigger /
    (trigger - target)`. Infinite when target is not below trigger.
    """
    if target >= trigger:
        return math.inf
    return rates.read * (trigger + target) / 2 + rates.write * growth * trigger / (trigger - target)


def best_trigger(target: float, growth: float, limit: float, rates: CacheRates = DEFAULT_RATES) -> float:
    """Return the context size at which compacting to `target` is cheapest in the long run, at most `limit`.

    The minimum of `cost_per_call` over the trigger: `target + sqrt(2 * write * target * growth / read)`. In a
    large
    window that is well below what the window allows: rereading a long prefix at every call costs more than
    writing a short one now and then. With free reads it is the limit.
    """
    if rates.read == 0:
        return limit
    return min(limit, target + math.sqrt(2 * rates.write * target * growth / rates.read))


def best_target(  # the numbers of one decision
    trigger: float,
    growth: float,
    *,
    floor: float,
    slack: float = 0.1,
    rates: CacheRates = DEFAULT_RATES,
) -> float:
    """Return how small a compaction at `trigger` should make the context.

    Cost falls with every token that is left out, recall falls too: so the largest target that costs at most
    `slack` more a call than the smallest sensible one.

    Args:
        trigger: the context size at which compaction happens.
        growth: tokens appended before each call.
        floor: the smallest target at which the context is still good enough.
        slack: how much dearer than at the floor a call may be; 0.1 is chosen.
        rates: prices of cached and new tokens.

    Raises:
        ValueError: unless 0 < floor < trigger and slack >= 0.
    """
    if not (0 < floor < trigger and slack >= 0):
        raise ValueError(
            f"floor={floor!r} must lie between 0 and trigger={trigger!r}, slack={slack!r} be >= 0"
        )
    allowed = (1 + slack) * cost_per_call(trigger, floor, growth, rates)
    low, high = floor, trigger
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if cost_per_call(trigger, middle, growth, rates) <= allowed:
            low = middle
        else:
            high = middle
    return low


_HALVINGS = 40
"""Enough to tell two tokens of the largest window apart."""

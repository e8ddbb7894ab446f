from __future__ import annotations

import math

import pytest
from hypothesis import given, settings, strategies as st

from condense.costs.economics import (
    best_target,
    best_trigger,
    compaction_pays,
    cost_per_call,
    expected_remaining_calls,
    simulate_session,
)
from condense.costs.prices import PRICES, price_of
from condense.costs.usage import CacheRates, Usage, cost_of, read_usage


@pytest.mark.parametrize(
    ("model", "row"),
    [
        ("claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("claude-sonnet-4-20250514", "claude-sonnet-4"),
        ("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("anthropic:claude-opus-4-5", "claude-opus-4-5"),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5"),
        ("claude-sonnet-4@20250514", "claude-sonnet-4"),
        ("claude-opus-5-5[1m]", "claude-opus-5-5"),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku"),
        ("openai:gpt-5-mini", "gpt-5-mini"),
        ("GPT-4.1-2025-04-14", "gpt-4.1"),
        ("openrouter/openai/gpt-4o", "gpt-4o"),
    ],
)
def test_a_model_is_priced_under_the_names_clients_write(model: str, row: str) -> None:
    price = price_of(model)
    assert price is not None
    assert price.name == row


@pytest.mark.parametrize(
    "model",
    ["gpt-5-pro", "gpt-9", "claude-opus-9", "llama3:8b", "", "claude", "claude-sonnet-4-7", "gpt-4o-audio"],
)
def test_a_model_that_is_not_in_the_table_costs_none_not_zero(model: str) -> None:
    assert price_of(model) is None
    assert cost_of(Usage(input_tokens=1000, output_tokens=10), model) is None


def test_prices_are_sane() -> None:
    for price in PRICES:
        assert price_of(price.name) is price
        assert 0 < price.cache_read <= price.input <= price.cache_write <= price.cache_write_1h, price.name
        assert price.output > price.input


def test_the_cost_of_a_call_counts_every_kind_of_token_once() -> None:
    usage = Usage(100_000, 10_000, 50_000, 20_000, 10_000)
    expected = (100_000 * 3 + 10_000 * 15 + 50_000 * 0.3 + 20_000 * 3.75 + 10_000 * 6) / 1e6
    assert cost_of(usage, "claude-sonnet-4-6") == pytest.approx(expected)


def test_a_long_prompt_is_charged_at_its_tier() -> None:
    short, long = Usage(200_000, 1000), Usage(200_001, 1000)
    assert cost_of(short, "claude-sonnet-4-5") == pytest.approx(0.6 + 0.015)
    assert cost_of(long, "claude-sonnet-4-5") == pytest.approx((200_001 * 6 + 1000 * 22.5) / 1e6)


def test_usage_of_three_apis_means_the_same() -> None:
    expected = Usage(input_tokens=700, output_tokens=50, cache_read_tokens=300)
    chat = {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 300}}
    responses = {"input_tokens": 1000, "output_tokens": 50, "input_tokens_details": {"cached_tokens": 300}}
    anthropic = {"input_tokens": 700, "output_tokens": 50, "cache_read_input_tokens": 300}
    assert read_usage(chat) == read_usage(responses) == read_usage(anthropic) == expected


def test_usage_splits_short_and_long_lived_cache_writes() -> None:
    usage = read_usage(
        {
            "input_tokens": 5,
            "output_tokens": 7,
            "cache_creation_input_tokens": 100,
            "cache_read_input_tokens": None,
            "cache_creation": {"ephemeral_5m_input_tokens": 60, "ephemeral_1h_input_tokens": 40},
        }
    )
    assert usage == Usage(5, 7, 0, 60, 40)
    assert usage.prompt_tokens == 105


@given(
    st.dictionaries(st.text(max_size=30), st.none() | st.integers() | st.text() | st.booleans() | st.floats())
)
def test_usage_of_any_object_is_never_negative(value: dict[str, object]) -> None:
    usage = read_usage(value)
    assert min(usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) >= 0


def test_usages_add_up() -> None:
    assert Usage(1, 2, 3, 4, 5) + Usage(10, 20, 30, 40, 50) == Usage(11, 22, 33, 44, 55)


@pytest.mark.parametrize(("read", "write"), [(-0.1, 1.0), (1.3, 1.25), (0.0, 0.0)])
def test_impossible_rates_are_refused(read: float, write: float) -> None:
    with pytest.raises(ValueError, match="read="):
        CacheRates(read, write)


def test_rates_follow_the_model() -> None:
    assert CacheRates.of_model("claude-opus-5-5") == CacheRates(0.05, 1.25)
    assert CacheRates.of_model("gpt-4o") == CacheRates(0.5, 1.0)
    assert CacheRates.of_model("somebody's own model") == CacheRates(0.1, 1.25)


# --- when a compaction pays ---


def played(prefix: float, target: float, calls: int, growth: float, *, compact: bool) -> float:
    """Bill each prompt token by token: in the common prefix with the call before, or not."""
    cost, context, before = 0.0, prefix, prefix
    for call in range(calls):
        shared = before
        if compact and call == 0:
            context, shared = target, 0.0
        context += growth
        cost += 0.1 * shared + 1.25 * (context - shared)
        before = context
    return cost


@given(st.integers(1000, 200_000), st.floats(0.05, 0.95), st.integers(0, 200), st.integers(0, 5000))
def test_saving_is_what_playing_both_ways_shows(prefix: int, share: float, calls: int, growth: int) -> None:
    target = prefix * share
    economics = compaction_pays(prefix, target, calls, growth)
    assert economics.go_on == pytest.approx(played(prefix, target, calls, growth, compact=False))
    assert economics.compact == pytest.approx(played(prefix, target, calls, growth, compact=True))


@given(st.integers(1000, 200_000), st.floats(0.05, 0.95), st.integers(0, 3000))
def test_a_compaction_pays_from_its_break_even_call_on(prefix: int, share: float, growth: int) -> None:
    target = prefix * share
    n = compaction_pays(prefix, target, 1, growth).break_even_calls
    if 1 < n < 1000:
        assert not compaction_pays(prefix, target, math.floor(n) - 1, growth).pays
        assert compaction_pays(prefix, target, math.ceil(n) + 1, growth).pays


def test_a_small_gain_over_few_calls_does_not_pay() -> None:
    assert not compaction_pays(40_000, 30_000, 10).pays
    assert compaction_pays(40_000, 30_000, 60).pays
    assert compaction_pays(40_000, 8_000, 5).pays


def test_when_the_cache_has_gone_cold_compacting_pays_at_once() -> None:
    assert not compaction_pays(40_000, 30_000, 2).pays
    cold = compaction_pays(40_000, 30_000, 2, cache_is_warm=False)
    assert cold.pays
    assert cold.break_even_calls == 1.0


def test_what_the_summary_itself_costs_counts() -> None:
    free = compaction_pays(100_000, 20_000, 30)
    paid = compaction_pays(100_000, 20_000, 30, overhead=50_000)
    assert free.saves - paid.saves == pytest.approx(50_000)


def test_a_compaction_that_leaves_everything_never_pays() -> None:
    nothing = compaction_pays(10_000, 20_000, 100)
    assert not nothing.pays
    assert nothing.break_even_calls == math.inf


def test_a_window_that_will_force_it_anyway_makes_waiting_worth_less() -> None:
    free = compaction_pays(30_000, 10_000, 50, 1000)
    forced = compaction_pays(30_000, 10_000, 50, 1000, window=32_000)
    assert forced.go_on < free.go_on
    assert forced.compact <= free.compact


def test_impossible_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match=">= 0"):
        compaction_pays(-1, 10, 10)
    with pytest.raises(ValueError, match="calls_so_far"):
        expected_remaining_calls(-1)
    with pytest.raises(ValueError, match="target"):
        simulate_session([1], trigger=10, target=20)
    with pytest.raises(ValueError, match="floor"):
        best_target(100, 10, floor=200)


def test_a_long_session_is_expected_to_go_on_longer() -> None:
    assert expected_remaining_calls(0) == expected_remaining_calls(50) == 40
    assert expected_remaining_calls(200) == 160


# --- policies ---


def billed(growth: list[int], trigger: int, target: int) -> tuple[float, float]:
    """Replay with token lists and real common prefixes, as the replay measure bills."""
    history: list[tuple[int, int]] = []
    sent: list[tuple[int, int]] = []
    before: list[tuple[int, int]] = []
    cost = whole = 0.0
    for call, grown in enumerate(growth):
        fresh = [(call, k) for k in range(grown)]
        whole += 0.1 * len(history) + 1.25 * grown
        history += fresh
        sent = [*before, *fresh]
        if len(sent) > trigger:
            sent = [(-1 - call, k) for k in range(target)]
        shared = 0
        for a, b in zip(before, sent, strict=False):
            if a != b:
                break
            shared += 1
        cost += 0.1 * shared + 1.25 * (len(sent) - shared)
        before = sent
    return cost, whole


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=40), st.integers(30, 200), st.floats(0.1, 0.9))
def test_the_simulator_agrees_with_billing_token_by_token(
    growth: list[int], trigger: int, share: float
) -> None:
    target = max(1, int(trigger * share))
    result = simulate_session(growth, trigger=trigger, target=target)
    cost, whole = billed(growth, trigger, target)
    assert result.cost == pytest.approx(cost)
    assert result.everything == pytest.approx(whole)
    assert result.peak <= trigger


def test_a_head_that_stays_in_front_is_not_written_again() -> None:
    growth = [1000.0] * 60
    bare = simulate_session(growth, trigger=20_000, target=8_000)
    kept = simulate_session(growth, trigger=20_000, target=8_000, head=2_000)
    assert kept.compactions == bare.compactions > 0
    assert bare.cost - kept.cost == pytest.approx(bare.compactions * 2_000 * 1.15)


def test_a_session_that_never_reaches_the_trigger_costs_what_everything_costs() -> None:
    result = simulate_session([100] * 20, trigger=10_000, target=1_000)
    assert (result.ratio, result.compactions, result.peak) == (1.0, 0, 2000)
    assert simulate_session([], trigger=2, target=1).ratio == 1.0


@pytest.mark.parametrize(
    ("trigger", "target", "growth"), [(24_000, 8_000, 500), (90_000, 30_000, 1500), (28_000, 6_000, 1200)]
)
def test_the_formula_is_near_a_long_simulated_session(trigger: int, target: int, growth: int) -> None:
    result = simulate_session([growth] * 4000, trigger=trigger, target=target)
    assert cost_per_call(trigger, target, growth) == pytest.approx(result.cost / 4000, rel=0.09)


@pytest.mark.parametrize(("target", "growth"), [(8_000, 1200), (30_000, 1500), (50_000, 800)])
def test_the_best_trigger_is_the_one_brute_force_finds(target: int, growth: int) -> None:
    def cost(trigger: float) -> float:
        return simulate_session([growth] * 3000, trigger=trigger, target=target).cost

    cheapest = min(cost(target + k * 1000) for k in range(2, 150))
    assert cost(best_trigger(target, growth, 200_000)) <= 1.03 * cheapest


def test_the_best_trigger_stays_within_its_limit() -> None:
    assert best_trigger(50_000, 5_000, 60_000) == 60_000
    assert best_trigger(50_000, 5_000, 180_000, CacheRates(0.0, 1.0)) == 180_000


@given(st.integers(5_000, 200_000), st.integers(50, 5_000), st.floats(0.02, 0.6), st.floats(0, 0.5))
def test_the_best_target_costs_at_most_the_slack_more(
    trigger: int, growth: int, share: float, slack: float
) -> None:
    floor = trigger * share
    target = best_target(trigger, growth, floor=floor, slack=slack)
    assert floor <= target < trigger
    cheapest = cost_per_call(trigger, floor, growth)
    assert cost_per_call(trigger, target, growth) <= (1 + slack) * cheapest * (1 + 1e-9)
    assert cost_per_call(trigger, min(target * 1.01 + 1, trigger), growth) > (1 + slack) * cheapest * (
        1 - 1e-9
    )


def test_cost_grows_with_the_target() -> None:
    growth = [50 + 7919 * call % 4000 for call in range(400)]
    costs = [simulate_session(growth, trigger=25_600, target=t).ratio for t in range(3_200, 20_000, 3_200)]
    assert costs == sorted(costs)

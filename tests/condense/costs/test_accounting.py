from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from condense.costs import (
    PRICES,
    CacheRates,
    Usage,
    compaction_saves,
    cost_of,
    expected_remaining_calls,
    price_of,
    read_usage,
)


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
    for price in PRICES.values():
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


@given(st.dictionaries(st.text(max_size=30), st.none() | st.integers() | st.text() | st.booleans() | st.floats()))
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
    going_on = played(prefix, target, calls, growth, compact=False)
    compacting = played(prefix, target, calls, growth, compact=True)
    assert compaction_saves(prefix, target, calls) == pytest.approx(going_on - compacting, abs=1e-6)


def test_a_small_gain_over_few_calls_does_not_pay() -> None:
    assert compaction_saves(40_000, 30_000, 10) < 0
    assert compaction_saves(40_000, 30_000, 60) > 0
    assert compaction_saves(40_000, 8_000, 5) > 0


def test_a_compaction_that_leaves_everything_never_pays() -> None:
    assert compaction_saves(10_000, 20_000, 100) < 0


def test_impossible_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="prefix_tokens"):
        compaction_saves(-1, 10, 10)
    with pytest.raises(ValueError, match="calls_so_far"):
        expected_remaining_calls(-1)


def test_a_long_session_is_expected_to_go_on_longer() -> None:
    assert expected_remaining_calls(0) == expected_remaining_calls(50) == 40
    assert expected_remaining_calls(200) == 160

"""What a request costs in the proxy itself."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.proxy import Chosen, Conversation, own_of, provider, running_proxy, shares


@pytest.mark.timing
def test_a_request_of_200_000_tokens_costs_milliseconds_with_64_conversations_open():
    """Its own CPU, waiting left out; `python -m benchmarks.proxy` measures wall time, too."""
    conversations = [Conversation(f"s{i}") for i in range(64)]
    conversations[0].turn(800_000)
    for conversation in conversations[1:]:
        conversation.messages = [*conversations[0].messages]

    async def go() -> dict[str, float]:
        async with provider(lambda: 0.0) as port:
            with running_proxy(f"http://127.0.0.1:{port}") as proxy:
                return shares(await own_of(proxy, conversations, Chosen(requests=128)))

    own = asyncio.run(go())
    assert own["p50"] <= 10  # 4 to 5 on a machine of its own
    assert own["p99"] <= 50

"""The Claude Agent SDK: it has no hook for messages, so its Claude Code is pointed at the proxy by its environment."""

from __future__ import annotations

import asyncio

import pytest
from agent_clients import CLAUDE, claude_environment, needed, provider, proxied
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage

from condense.testing.replies import Reply

pytestmark = [needed(CLAUDE), pytest.mark.timeout(180), pytest.mark.clients]

RULES = ["Never touch the migrations folder.", "请始终使用 pnpm，不要用 npm。"]


async def converse(options, prompts):
    found = []
    async with ClaudeSDKClient(options) as client:
        for prompt in prompts:
            await client.query(prompt)
            found += [m.result async for m in client.receive_response() if isinstance(m, ResultMessage)]
    return found


def test_one_line_of_environment_has_compactions_answered_here(tmp_path):
    for name in ("home", "project", "kept"):
        (tmp_path / name).mkdir()
    step = Reply(call=("Bash", {"command": "echo step", "description": "a step"}))
    script = [step, Reply("Noted."), step, Reply("Noted, too."), Reply("All done.")]
    with provider(script) as (upstream, server), proxied(server.url, tmp_path / "kept") as (address, _):
        options = ClaudeAgentOptions(
            env=claude_environment(tmp_path / "home", address),  # all it needs is ANTHROPIC_BASE_URL
            cli_path=CLAUDE,
            cwd=tmp_path / "project",
            allowed_tools=["Bash"],
        )
        results = asyncio.run(converse(options, [*RULES, "/compact", "Go on."]))
    assert results[-1] == "All done."
    assert upstream.leaked == []
    after = str(upstream.main[-1]["messages"])
    assert [rule for rule in RULES if rule not in after] == []
    assert len(upstream.main[-1]["messages"]) < len(upstream.main[-2]["messages"])

"""The real Claude Code with the proxy before it: compactions are answered here, and it goes on with every rule."""

from __future__ import annotations

import json
import os
import re
import signal
import threading

import pytest
from agent_clients import CLAUDE, claude_environment, needed, provider, proxied, run_claude, until
from test_proxy import valid

from condense.testing.replies import Reply

pytestmark = [needed(CLAUDE), pytest.mark.timeout(180), pytest.mark.clients]

RULES = [
    "Always use PostgreSQL, never MySQL.",
    "Never touch the migrations folder.",
    "The dev server runs on port 3001.",
    "请始终使用 pnpm，不要用 npm。",
    "所有注释都用中文写。",
    "Bitte immer Typannotationen verwenden.",
    "Utilise toujours des tests avec pytest.",
    "Usa siempre async/await, nunca callbacks.",
    "Don't add new dependencies without asking.",
    "Every function needs a docstring.",
]
LS = Reply(call=("Bash", {"command": "echo step", "description": "a step"}))


def said(body: dict) -> str:
    return json.dumps(body["messages"], ensure_ascii=False)


@pytest.fixture
def places(tmp_path):
    for name in ("home", "project", "kept"):
        (tmp_path / name).mkdir()
    return tmp_path


def test_a_manual_compaction_is_answered_here_and_every_rule_stands_in_the_next_request(places):
    prompts = []
    for i in range(15):
        prompts += [RULES[i]] if i < len(RULES) else [f"Look at part {i}."]
    script = [reply for i in range(15) for reply in (LS, Reply(f"Done {i}."))]
    with provider(script) as (upstream, server), proxied(server.url, places / "kept") as (address, _):
        outcome = run_claude(
            [*prompts, "/compact zebra", "Go on."],
            places / "project",
            claude_environment(places / "home", address),
        )
    assert outcome.code == 0
    assert len(outcome.boundaries) == 1
    assert upstream.leaked == []
    assert len(upstream.main) == 31
    after = said(upstream.main[-1])
    assert len(after) < len(said(upstream.main[-2]))
    assert [rule for rule in RULES if rule not in after] == []
    assert "zebra" in after
    assert "Go on." in after


def test_the_next_compaction_takes_over_what_the_one_before_kept(places):
    prompts = [*RULES, "/compact", "Go on.", "And more.", "/compact", "Go on again."]
    script = [reply for i in range(len(RULES) + 3) for reply in (LS, Reply(f"Done {i}."))]
    with provider(script) as (upstream, server), proxied(server.url, places / "kept") as (address, _):
        outcome = run_claude(prompts, places / "project", claude_environment(places / "home", address))
    assert outcome.code == 0
    assert len(outcome.boundaries) == 2
    after = said(upstream.main[-1])
    assert [rule for rule in RULES if rule not in after] == []
    assert [text for text in ("Go on.", "And more.", "Go on again.") if text not in after] == []
    assert after.count("<holdfast-context") == 1


def test_a_compaction_in_mid_turn_keeps_the_rules_and_the_prompt_in_hand(places):
    script = [
        Reply("Noted."),
        Reply(call=LS.call, input_tokens=1_000),
        Reply(call=LS.call, input_tokens=170_000),
        Reply(call=LS.call, input_tokens=2_000),
        Reply("All done.", input_tokens=2_000),
    ]
    with provider(script) as (upstream, server), proxied(server.url, places / "kept") as (address, _):
        outcome = run_claude(
            [" ".join(RULES), "Now rebuild the giraffe index, step by step."],
            places / "project",
            claude_environment(places / "home", address, CLAUDE_AUTOCOMPACT_PCT_OVERRIDE="10"),
        )
    assert outcome.results[-1] == "All done."
    assert [b["compact_metadata"]["trigger"] for b in outcome.boundaries] == ["auto"]
    assert upstream.leaked == []
    after = said(upstream.main[-1])
    assert [rule for rule in RULES if rule not in after] == []
    assert "Now rebuild the giraffe index, step by step." in after


def test_a_prompt_that_is_too_long_for_the_provider_is_compacted_here(places):
    script = [
        Reply("Noted."),
        LS,
        Reply(status=400, message="prompt is too long: 210000 tokens > 200000 maximum"),
        Reply("All done."),
    ]
    with provider(script) as (upstream, server), proxied(server.url, places / "kept") as (address, _):
        outcome = run_claude(
            [" ".join(RULES), "Now rebuild the giraffe index."],
            places / "project",
            claude_environment(places / "home", address),
        )
    assert outcome.results[-1] == "All done."
    assert upstream.leaked == []
    after = said(upstream.main[-1])
    assert [rule for rule in RULES if rule not in after] == []
    assert "Now rebuild the giraffe index." in after


def test_with_the_proxy_gone_the_session_goes_on(places):
    script = [Reply("Noted."), Reply("Again.")]
    environment = claude_environment(places / "home", "")
    with provider(script) as (upstream, server):
        with proxied(server.url, places / "kept") as (address, _):
            run_claude([RULES[0], "/compact"], places / "project", {**environment, "ANTHROPIC_BASE_URL": address})
        outcome = run_claude(
            ["And now?"], places / "project", {**environment, "ANTHROPIC_BASE_URL": server.url}, "--continue"
        )
    assert outcome.results == ["Again."]
    assert RULES[0] in said(upstream.main[-1])


def test_a_sub_agent_compacts_by_itself(places):
    """Its own compaction is answered here, too, and the main conversation goes on."""
    task = {"description": "look around", "prompt": "Count the zebras.", "subagent_type": "general-purpose"}
    steps = iter(
        [
            Reply(call=LS.call, input_tokens=1_000),
            Reply(call=LS.call, input_tokens=170_000),
            Reply(call=LS.call, input_tokens=2_000),
            Reply("Three zebras.", input_tokens=2_000),
        ]
    )
    with provider([Reply(call=("Agent", task)), Reply("The helper counted three.")]) as (upstream, server):
        upstream.helper = steps
        with proxied(server.url, places / "kept") as (address, _):
            outcome = run_claude(
                [RULES[0]],
                places / "project",
                claude_environment(places / "home", address, CLAUDE_AUTOCOMPACT_PCT_OVERRIDE="10"),
            )
    assert outcome.results == ["The helper counted three."]
    assert upstream.leaked == []
    assert len(upstream.agents) == 4
    assert "Count the zebras." in said(upstream.agents[-1])
    assert "holdfast-context" in said(upstream.agents[-1])


@pytest.mark.parametrize("status", [401, 429, 500, 529])
def test_errors_of_the_provider_look_as_without_the_proxy(places, status):
    fails = Reply(status=status, headers={"x-should-retry": "false"})
    with provider([fails]) as (_, server):
        direct = run_claude(["Hello."], places / "project", claude_environment(places / "home", server.url))
    with provider([fails]) as (_, server), proxied(server.url, places / "kept") as (address, _):
        through = run_claude(["Hello."], places / "project", claude_environment(places / "home", address))
    assert [re.sub(r":\d+\b", "", r) for r in through.results] == [re.sub(r":\d+\b", "", r) for r in direct.results]
    assert through.code == direct.code


def test_a_proxy_that_is_killed_while_it_streams_looks_like_a_lost_connection(places):
    slow = Reply("x" * 2_000, delay=1.5)
    with provider([slow]) as (upstream, server), proxied(server.url, places / "kept") as (address, process):

        def kill() -> None:
            until(lambda: upstream.main)
            os.kill(process.pid, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        outcome = run_claude(
            ["Hello."],
            places / "project",
            claude_environment(places / "home", address, CLAUDE_CODE_MAX_RETRIES="0"),
        )
        killer.join()
    assert outcome.results
    assert "x" * 50 not in outcome.results[0]


def test_with_smaller_requests_a_session_goes_on_beyond_the_window(places):
    """Behind a token, which the client sends in a header of its own; every request is one a strict provider takes."""
    look = Reply(call=("Bash", {"command": "for i in $(seq 700); do echo line $i of the zebra index; done"}))
    script = [reply for i in range(10) for reply in (look, Reply(f"Done {i}."))]
    options = ("--mode", "view", "--window", "60k", "--target", "6k", "--token", "t0ken")
    with (
        provider(script) as (upstream, server),
        proxied(server.url, places / "kept", *options) as (address, _),
    ):
        outcome = run_claude(
            [RULES[0], RULES[3], *(f"Look at part {i}." for i in range(8))],
            places / "project",
            claude_environment(places / "home", address, ANTHROPIC_CUSTOM_HEADERS="X-Holdfast-Token: t0ken"),
        )
    assert outcome.results == [f"Done {i}." for i in range(10)]
    assert outcome.boundaries == []
    assert len(upstream.main) == 20
    assert [wrong for request in upstream.main if (wrong := valid(request))] == []
    assert max(len(said(request)) for request in upstream.main) / 4 < 45_000  # of the messages that are 60,000
    assert sum("holdfast-context" in said(request) for request in upstream.main) >= 4
    assert RULES[0] in said(upstream.main[-1])
    assert RULES[3] in said(upstream.main[-1])
    assert "Look at part 7." in said(upstream.main[-1])

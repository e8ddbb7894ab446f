"""The real Codex with the proxy before it: local and remote compactions are answered here."""

from __future__ import annotations

import json

import pytest
from agent_clients import CODEX, codex_server, needed, provider, proxied, run_codex

from condense.testing.replies import Reply

pytestmark = [needed(CODEX), pytest.mark.timeout(180), pytest.mark.clients]

RULES = "Always use PostgreSQL, never MySQL. The dev server runs on port 3001. 请始终使用 pnpm，不要用 npm。"
SCRIPT = [
    Reply(call=("exec_command", {"cmd": "echo one"}), input_tokens=1_000),
    Reply("Done one.", input_tokens=200_000),
    Reply("Done two.", input_tokens=2_000),
]


@pytest.fixture
def places(tmp_path):
    for name in ("project", "kept"):
        (tmp_path / name).mkdir()
    return tmp_path


def said(body: dict) -> str:
    return json.dumps(body["input"], ensure_ascii=False)


@pytest.mark.parametrize("built_in", [False, True], ids=["local", "remote"])
def test_a_compaction_before_a_turn_is_answered_here(places, built_in):
    with provider(SCRIPT) as (upstream, server):
        with proxied(server.url, places / "kept") as (address, _):
            done = run_codex(
                [RULES, "Next."],
                places / "project",
                places / "codex",
                address,
                built_in=built_in,
                toml="model_auto_compact_token_limit = 5000",
            )
        assert [d.returncode for d in done] == [0, 0], done[-1].stderr[-800:]
        assert "context compacted" in done[-1].stderr
        assert upstream.leaked == []
        after = said(upstream.main[-1])
        assert "holdfast-context" in after
        assert RULES in after
        assert '"compaction"' not in after
        if not built_in:  # what a local compaction left is the client's own: it goes on without us
            again = run_codex(["Once more."], places / "project", places / "codex", server.url, resumed=True)
            assert [d.returncode for d in again] == [0]
            assert RULES in said(upstream.main[-1])


@pytest.mark.parametrize("built_in", [False, True], ids=["local", "remote"])
def test_a_compaction_within_a_turn_is_answered_here(places, built_in):
    script = [
        Reply(call=("exec_command", {"cmd": "echo one"}), input_tokens=200_000),
        Reply(call=("exec_command", {"cmd": "echo two"}), input_tokens=2_000),
        Reply("All done.", input_tokens=2_000),
    ]
    with provider(script) as (upstream, server), proxied(server.url, places / "kept") as (address, _):
        done = run_codex(
            [RULES],
            places / "project",
            places / "codex",
            address,
            built_in=built_in,
            toml="model_auto_compact_token_limit = 5000",
        )
    assert done[0].returncode == 0, done[0].stderr[-800:]
    assert "All done." in done[0].stdout
    assert upstream.leaked == []
    assert RULES in said(upstream.main[-1])
    assert "holdfast-context" in said(upstream.main[-1])


def test_with_smaller_requests_a_turn_goes_on_beyond_the_window(places):
    look = {
        "cmd": "for i in $(seq 700); do echo line $i of the zebra index; done",
        "max_output_tokens": 9_000,
    }
    script = [
        *(Reply(call=("exec_command", look), input_tokens=2_000) for _ in range(12)),
        Reply("All done."),
    ]
    options = ("--mode", "view", "--window", "40k", "--target", "5k")
    with (
        provider(script) as (upstream, server),
        proxied(server.url, places / "kept", *options) as (address, _),
    ):
        done = run_codex([RULES], places / "project", places / "codex", address)
    assert done[0].returncode == 0, done[0].stderr[-800:]
    assert "All done." in done[0].stdout
    assert len(upstream.main) == 13
    assert max(len(said(request)) for request in upstream.main) / 4 < 30_000
    assert sum("holdfast-context" in said(request) for request in upstream.main) >= 3
    for request in upstream.main:
        items = request["input"]
        called = [item["call_id"] for item in items if item.get("type") == "function_call"]
        assert called == [item["call_id"] for item in items if item.get("type") == "function_call_output"]
        assert len(set(called)) == len(called)
        assert RULES in said(request)


def test_a_compaction_that_a_person_asks_for_is_answered_here(places):
    """As /compact in its own window asks for it: through the server that editors and the terminal speak to."""
    with (
        provider([Reply("Noted."), Reply("Done.")]) as (upstream, server),
        proxied(server.url, places / "kept") as (address, _),
        codex_server(places / "project", places / "codex", address) as call,
    ):
        thread = call("thread/start", cwd=str(places / "project"))["thread"]["id"]

        def say(text: str) -> None:
            call("turn/start", "turn/completed", threadId=thread, input=[{"type": "text", "text": text}])

        say(RULES)
        call("thread/compact/start", "turn/completed", threadId=thread)
        say("And now?")
    assert upstream.leaked == []
    assert len(upstream.main) == 2
    assert "holdfast-context" in said(upstream.main[-1])
    assert RULES in said(upstream.main[-1])
    assert "And now?" in said(upstream.main[-1])

"""A proxy that is killed while it works: its store is whole, and another one goes on where it was."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import threading

import httpx
import pytest
from agent_clients import CLAUDE, claude_environment, needed, provider, proxied, run_claude, until
from test_proxy import HEADERS, RULE, body, history, valid

from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer


def counts(address: str) -> dict[str, int]:
    return httpx.get(f"{address}/holdfast/status").json()["counts"]


def assert_whole(store) -> None:
    with contextlib.closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_another_proxy_goes_on_byte_for_byte_whenever_the_first_one_was_killed(tmp_path):
    """Killed at several moments of another conversation's compaction."""
    options = ("--mode", "view", "--target", "4k", "--window", "20k")
    moments = (0.03, 0.4)
    with ScriptedServer(Reply("ok")) as server, httpx.Client(timeout=60) as client:

        def send(address: str, session: str) -> dict:
            headers = {**HEADERS, "x-claude-code-session-id": session}
            client.post(f"{address}/v1/messages", json=body(history(50)), headers=headers)
            return server.requests[-1][1]

        first = None
        for i, moment in enumerate((*moments, 0)):
            with proxied(server.url, tmp_path, *options) as (address, process):
                seen = send(address, "kept")
                first = first or seen
                assert seen == first
                if i:
                    cut_off = send(address, f"cut off {i - 1}")
                    assert valid(cut_off) == []
                    assert RULE in json.dumps(cut_off)
                    assert len(json.dumps(cut_off)) < 20_000 * 3
                    assert send(address, f"cut off {i - 1}") == cut_off
                if moment:
                    threading.Timer(moment, process.kill).start()
                    with contextlib.suppress(httpx.HTTPError):
                        send(address, f"cut off {i}")
                    process.wait()
            assert_whole(tmp_path / "memory.db")


@needed(CLAUDE)
@pytest.mark.clients
@pytest.mark.timeout(180)
def test_a_proxy_that_is_killed_while_it_answers_a_compaction_costs_the_person_nothing(tmp_path):
    """The real client asks again, the proxy that was started anew answers, and it goes on with every rule."""
    for name in ("home", "project", "kept"):
        (tmp_path / name).mkdir()
    script = [
        Reply("Noted. " + "The zebra index has many parts. " * 12_000),
        Reply("Again."),
        Reply("All done."),
    ]
    with contextlib.ExitStack() as stack:
        upstream, server = stack.enter_context(provider(script))
        address, process = stack.enter_context(proxied(server.url, tmp_path / "kept"))
        killed = []

        def kill() -> None:
            if until(lambda: counts(address).get("compactions asked for"), 30):
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                port = address.rpartition(":")[2]
                stack.enter_context(proxied(server.url, tmp_path / "kept", port=port))
                killed.append(counts(address).get("answered", 0))

        killer = threading.Thread(target=kill)
        outcome = run_claude(
            [RULE, "Go on.", "/compact", "And now?"],
            tmp_path / "project",
            claude_environment(tmp_path / "home", address),
            between={2: killer.start},
        )
        killer.join()
        assert killed == [0]
        assert counts(address)["answered"] == 1
    assert outcome.results[-1] == "All done."
    assert len(outcome.boundaries) == 1
    assert upstream.leaked == []
    assert RULE in json.dumps(upstream.main[-1]["messages"])
    assert_whole(tmp_path / "kept" / "memory.db")
